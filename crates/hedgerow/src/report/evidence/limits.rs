//! Values of a column that a report may show: all, or only those that enough records have.

use std::ops::Range;

use crate::table::{Code, Table};

/// The values of a column of the original that may be shown.
#[derive(Debug, Clone, Default)]
pub(super) struct Limits {
    /// Number of records, or of people if they are known, with each code; empty if everything may
    /// be shown.
    holders: Vec<u64>,
    /// Minimum number of holders.
    fewest: u64,
    counts_people: bool,
    /// The code of missing values, whose number a report can state elsewhere.
    missing: Option<usize>,
}

impl Limits {
    /// Allows values of a column that at least `k` records have, or `k` people if the table names
    /// them: a person can have many records with a value of their own.
    pub(super) fn of(table: &Table, place: usize, k: u64) -> Self {
        let (cohorts, domain) = (table.cohorts(), &table.all_columns()[place].domain);
        let codes = cohorts.all().map(|cohort| Some(cohorts.tuple(cohort)[place].index()));
        let holders = table.holders(codes, domain.n_codes());
        // One holder would always be a single person.
        Self {
            holders,
            fewest: k.max(2),
            counts_people: table.people().is_some(),
            missing: domain.missing_code().map(Code::index),
        }
    }

    /// Whether there are values that must not be shown.
    pub(super) fn are_strict(&self) -> bool {
        !self.holders.is_empty()
    }

    /// Whether a value may be shown.
    pub(super) fn allow(&self, code: usize) -> bool {
        self.holders.get(code).is_none_or(|&n| n >= self.fewest)
    }

    /// Whether the number of records with values that are not shown may be known. It follows from
    /// what is shown, and so does the number of those among them that have a value, if the number
    /// of missing values is known.
    pub(super) fn allow_others(&self, is_shown: impl Fn(usize) -> bool) -> bool {
        let others = |is_counted: &dyn Fn(usize) -> bool| -> Vec<u64> {
            let hidden = self.holders.iter().enumerate().filter(|(_, holders)| **holders > 0);
            let hidden = hidden.filter(|(code, _)| !is_shown(*code) && is_counted(*code));
            hidden.map(|(_, &holders)| holders).collect()
        };
        let [all, present] = [others(&|_| true), others(&|code| Some(code) != self.missing)];
        [all, present].iter().all(|holders| holders.is_empty() || self.are_many(holders))
    }

    /// Whether the number of records with one of these values may be shown.
    pub(super) fn allow_sum(&self, codes: Range<usize>) -> bool {
        self.holders.get(codes).is_none_or(|holders| self.are_many(holders))
    }

    fn are_many(&self, holders: &[u64]) -> bool {
        if self.counts_people {
            // People can have several of the values, so their numbers do not add up.
            return holders.iter().any(|&n| n >= self.fewest);
        }
        holders.iter().sum::<u64>() >= self.fewest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding};

    #[test]
    fn many_records_of_one_person_are_one_holder() {
        let rows = [["a", "p"], ["a", "p"], ["a", "p"], ["b", "p"], ["b", "q"], ["c", "q"]];
        let columns = Columns::quasi(&["x"]).and_person("id");
        let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let limits = Limits::of(&table, 0, 2);
        assert_eq!([0, 1, 2].map(|code| limits.allow(code)), [false, true, false]);
        assert!(limits.allow_sum(0..2) && !limits.allow_sum(2..3));
        let records = rows.map(|[x, _]| [x]);
        let limits = Limits::of(&Table::from_rows(&["x"], &records).unwrap(), 0, 2);
        assert_eq!([0, 1, 2].map(|code| limits.allow(code)), [true, true, false]);
    }
}
