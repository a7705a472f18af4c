//! A problem: cohorts, how each quasi-identifier may be generalized, and what must hold.

mod attribute;

pub use attribute::{ANY_LEAF, Attribute, Costs, Region};

use crate::hierarchy::Generalization;
use crate::privacy::PrivacyModel;
use crate::table::{Cohorts, Table};
use crate::{Error, Result};

/// Everything an anonymizer needs to know, checked once.
///
/// Every value of a column is a leaf of its hierarchy, and the table has enough records for the
/// privacy models to be met by one class of all of them.
#[derive(Debug)]
pub struct Problem<'a> {
    table: &'a Table,
    attributes: Vec<Attribute>,
    models: Vec<Box<dyn PrivacyModel>>,
}

impl<'a> Problem<'a> {
    /// Puts a problem together; `generalizations` are those of the table's columns, in order.
    pub fn new(
        table: &'a Table,
        generalizations: Vec<Generalization>,
        models: Vec<Box<dyn PrivacyModel>>,
    ) -> Result<Self> {
        if generalizations.len() != table.columns().len() || generalizations.is_empty() {
            return Err(Error::invalid(format!(
                "{} generalizations were given for {} quasi-identifiers; there must be one for each",
                generalizations.len(),
                table.columns().len()
            )));
        }
        let n_records = table.cohorts().n_records();
        let least_size = models.iter().map(|model| model.least_size()).max().unwrap_or(1);
        if n_records == 0 {
            return Err(Error::Unreachable(
                "no record has a value in every quasi-identifier, so all of them were left out; \
                 choose another --missing, or fewer quasi-identifiers"
                    .into(),
            ));
        }
        if n_records < least_size {
            return Err(Error::Unreachable(format!(
                "k is {least_size}, but the table has only {n_records} records; no release of it \
                 can be {least_size}-anonymous, so choose k of at most {n_records}"
            )));
        }
        let attributes = generalizations
            .into_iter()
            .enumerate()
            .map(|(place, generalization)| Attribute::new(table, place, generalization))
            .collect::<Result<_>>()?;
        Ok(Self { table, attributes, models })
    }

    /// The table.
    pub fn table(&self) -> &Table {
        self.table
    }

    /// The distinct records with their counts.
    pub fn cohorts(&self) -> &Cohorts {
        self.table.cohorts()
    }

    /// The quasi-identifiers.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// What must hold of every class.
    pub fn models(&self) -> &[Box<dyn PrivacyModel>] {
        &self.models
    }

    /// The fewest records a class may have.
    pub fn least_size(&self) -> u64 {
        self.models.iter().map(|model| model.least_size()).max().unwrap_or(1)
    }
}
