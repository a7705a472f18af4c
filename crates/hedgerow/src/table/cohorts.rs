//! Cohorts: the distinct tuples of a table with their counts.

use super::Code;
use crate::index::niche_index;

niche_index! {
    /// Index of a cohort of a table.
    Cohort
}

/// Distinct tuples of codes with their numbers of records, in the order of their first record.
///
/// Anonymizers see a record only through its tuple, so every search runs on cohorts: Adult's 45,222
/// records form 9,211 cohorts on age, education-num and hours-per-week.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Cohorts {
    /// Number of codes in a tuple.
    pub width: usize,
    /// The codes of all tuples, one tuple after the other.
    pub codes: Vec<Code>,
    /// Number of records in each cohort.
    pub counts: Vec<u64>,
    /// The first row of each cohort, counted from 0 without the header.
    pub first_rows: Vec<u64>,
}

impl Cohorts {
    /// Number of cohorts.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are no cohorts.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The codes of one cohort.
    pub fn tuple(&self, cohort: Cohort) -> &[Code] {
        &self.codes[cohort.index() * self.width..][..self.width]
    }

    /// Iterates over the cohorts in order.
    pub fn all(&self) -> impl ExactSizeIterator<Item = Cohort> + DoubleEndedIterator + Clone {
        Cohort::first(self.len())
    }

    /// Iterates over the cohorts in order, each with its number of records.
    pub fn counted(&self) -> impl ExactSizeIterator<Item = (Cohort, u64)> {
        self.all().zip(self.counts.iter().copied())
    }

    /// Total number of records in all cohorts.
    pub fn n_records(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Number of records whose tuple no other record has.
    pub(crate) fn n_unique(&self) -> u64 {
        self.counts.iter().filter(|&&count| count == 1).count() as u64
    }

    /// Adds a cohort of `count` records and returns its index.
    pub(super) fn push(&mut self, codes: &[Code], count: u64, first_row: u64) -> Cohort {
        let cohort = Cohort::new(self.len());
        self.codes.extend_from_slice(codes);
        self.counts.push(count);
        self.first_rows.push(first_row);
        cohort
    }
}
