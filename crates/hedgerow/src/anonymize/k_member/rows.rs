//! The rows that each cohort has left.

use crate::problem::Problem;
use crate::table::Cohort;
use crate::{Error, Result};

/// The lowest of the rows that are left, or [`LowestRow::NONE`], which comes after all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LowestRow(u64);

impl LowestRow {
    /// No row is left.
    pub(super) const NONE: Self = Self(u64::MAX);
}

/// The rows of each cohort in ascending order; the first ones are already assigned.
pub(super) struct RowsOf {
    rows: Rows,
    /// For each cohort, the start and end of the rows that are left.
    spans: Vec<(usize, usize)>,
}

/// Row numbers, in four bytes each if that is enough.
enum Rows {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Rows {
    fn zeros(n_rows: usize, greatest: usize) -> Self {
        match u32::try_from(greatest) {
            Ok(_) => Self::Narrow(vec![0; n_rows]),
            Err(_) => Self::Wide(vec![0; n_rows]),
        }
    }

    fn set(&mut self, place: usize, row: usize) {
        match self {
            Self::Narrow(rows) => rows[place] = row as u32,
            Self::Wide(rows) => rows[place] = row as u64,
        }
    }

    fn get(&self, place: usize) -> u64 {
        match self {
            Self::Narrow(rows) => rows[place].into(),
            Self::Wide(rows) => rows[place],
        }
    }
}

impl RowsOf {
    pub(super) fn cohorts(problem: &Problem) -> Result<Self> {
        let of_row = problem.table().rows().ok_or_else(Error::no_rows)?;
        let mut spans = Vec::with_capacity(problem.cohorts().len());
        let mut end = 0;
        for &count in &problem.cohorts().counts {
            spans.push((end, end));
            end += count as usize;
        }
        let mut rows = Rows::zeros(end, of_row.len());
        // Counting sort: each cohort's rows are written in ascending order.
        for (row, &cohort) in of_row.iter().enumerate() {
            let Some(cohort) = cohort else { continue };
            let span = &mut spans[cohort.index()];
            rows.set(span.1, row);
            span.1 += 1;
        }
        Ok(Self { rows, spans })
    }

    /// Returns the lowest row left in a cohort, if there is one.
    pub(super) fn lowest(&self, cohort: Cohort) -> LowestRow {
        let (start, end) = self.spans[cohort.index()];
        if start < end { LowestRow(self.rows.get(start)) } else { LowestRow::NONE }
    }

    /// Removes the lowest row of a cohort and returns the next one.
    pub(super) fn next(&mut self, cohort: Cohort) -> LowestRow {
        self.spans[cohort.index()].0 += 1;
        self.lowest(cohort)
    }

    /// Returns the rows that are left in ascending order, each with its cohort.
    pub(super) fn left(&self) -> Vec<(u64, Cohort)> {
        let mut left = Vec::new();
        for (cohort, &(start, end)) in Cohort::first(self.spans.len()).zip(&self.spans) {
            left.extend((start..end).map(|place| (self.rows.get(place), cohort)));
        }
        left.sort_unstable();
        left
    }
}
