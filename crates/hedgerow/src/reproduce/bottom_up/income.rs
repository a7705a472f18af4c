//! Adult's categories and numbers with the class income, divided into training and test records.

use std::ops::Range;
use std::sync::Arc;

use crate::hierarchy::Generalization;
use crate::noun::counted;
use crate::privacy::{KAnonymity, Secret};
use crate::problem::{Limits, Problem};
use crate::reproduce::Materials;
use crate::table::{Column, Columns, Encoding, Part, Table};
use crate::{Error, Result};

/// The columns that the paper generalizes.
pub(super) const CATEGORIES: [&str; 7] =
    ["workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"];

/// Columns of numbers, which the paper leaves to future work.
pub(super) const NUMBERS: [&str; 2] = ["age", "hours-per-week"];

const CLASS: &str = "income";

/// Number of training records.
const N_TRAIN: usize = 30_162;

/// The records in the order of the file: categories, numbers and the class.
pub(super) struct Income {
    records: Vec<Vec<String>>,
    /// Number of those for training.
    n_train: usize,
    n_values: Vec<usize>,
}

impl Income {
    pub(super) fn read(materials: &Materials<'_>) -> Result<Self> {
        let names: Vec<&str> = CATEGORIES.into_iter().chain(NUMBERS).collect();
        let table = materials.read("adult", &Columns::quasi(&names).and_beside(&[CLASS]))?;
        let class = Secret::of(&table, CLASS)?;
        let rows = table.rows().unwrap_or_default();
        let n_train = if materials.is_trial { rows.len() * 2 / 3 } else { N_TRAIN };
        // With fewer records none would be left to test on.
        if rows.len() <= n_train {
            let records = counted(rows.len(), "record");
            return Err(Error::invalid(format!(
                "the data set has {records}; the experiment trains on {n_train} and tests on those after them"
            )));
        }
        // Records are kept as texts, because the tables of both parts are encoded separately.
        let spelt = |column: &Column, code| column.domain.spelling(code).into_owned();
        let record = |cohort| {
            let codes = table.cohorts().tuple(cohort).iter().zip(table.columns());
            let mut fields: Vec<String> =
                codes.map(|(&code, column)| spelt(column, code)).collect();
            fields.push(spelt(class.column(), class.of_cohort()[cohort.index()]));
            fields
        };
        Ok(Self {
            n_train,
            records: rows.iter().flatten().map(|&cohort| record(cohort)).collect(),
            n_values: table.columns().iter().map(|column| column.domain.len()).collect(),
        })
    }

    /// Number of values of a category.
    pub(super) fn n_values(&self, place: usize) -> usize {
        self.n_values[place]
    }

    /// Number of records.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// A record: its categories, its numbers and its class.
    pub(super) fn record(&self, place: usize) -> &[String] {
        &self.records[place]
    }

    /// The records for training.
    pub(super) fn train(&self, has_numbers: bool) -> Result<Table> {
        self.table(0..self.n_train, has_numbers)
    }

    /// The records for testing.
    pub(super) fn test(&self, has_numbers: bool) -> Result<Table> {
        self.table(self.n_train..self.len(), has_numbers)
    }

    fn table(&self, rows: Range<usize>, has_numbers: bool) -> Result<Table> {
        let n_quasi = CATEGORIES.len() + if has_numbers { NUMBERS.len() } else { 0 };
        let fields = |record: &Vec<String>| -> Vec<String> {
            // The class is the last field, after numbers that may be left out.
            record[..n_quasi].iter().chain(record.last()).cloned().collect()
        };
        assembled(n_quasi, self.records[rows].iter().map(fields))
    }
}

/// Makes a table of records of `n_quasi` columns and the class.
pub(super) fn assembled(
    n_quasi: usize,
    records: impl Iterator<Item = Vec<String>>,
) -> Result<Table> {
    let mut part = Part::default();
    for record in records {
        // Rows are not kept: a million generated records are stored as counts.
        part.push(record.iter().map(String::as_bytes), false)?;
    }
    let names: Vec<&str> = CATEGORIES.into_iter().chain(NUMBERS).take(n_quasi).collect();
    let columns = Columns::quasi(&names).and_beside(&[CLASS]);
    Table::assemble(&columns, vec![part], &Encoding::default())
}

/// The problem of keeping the class predictable.
pub(super) fn problem(table: &Table, built: Vec<Generalization>, k: u64) -> Result<Problem> {
    let class = Some(Arc::new(Secret::of(table, CLASS)?));
    // The class column is what I(G) measures; it is not generalized.
    let limits = Limits { class, ..Limits::default() };
    Problem::with_limits(table, built, vec![Box::new(KAnonymity::new(k)?)], limits)
}
