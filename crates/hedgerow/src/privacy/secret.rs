//! A sensitive column as models see it.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::hierarchy::Hierarchy;
use crate::table::{Column, Table};
use crate::{Error, Result};

/// A column beside the quasi-identifiers, with how its values are spread in the whole table.
///
/// A value is known by its code in the column's domain; a missing value is the last code.
#[derive(Debug, Clone)]
pub struct Secret {
    column: Column,
    /// The code of each cohort.
    of_cohort: Vec<u32>,
    /// How many records have each code, records left out of the release not counted.
    counts: Vec<u64>,
    hierarchy: Option<Arc<Hierarchy>>,
}

impl Secret {
    /// The column of that name, read beside the quasi-identifiers of a table.
    pub fn of(table: &Table, name: &str) -> Result<Self> {
        let names = || table.beside().iter().map(|column| column.name.as_str());
        let place = names().position(|column| column == name);
        let place = place.ok_or_else(|| Error::unknown_column(name, names()))?;
        let column = table.beside()[place].clone();
        let cohorts = table.cohorts();
        let place = table.columns().len() + place;
        let of_cohort: Vec<u32> = (0..cohorts.len()).map(|c| cohorts.tuple(c)[place]).collect();
        let mut counts = vec![0; column.domain.n_codes()];
        for (&code, count) in of_cohort.iter().zip(&cohorts.counts) {
            counts[code as usize] += count;
        }
        Ok(Self { column, of_cohort, counts, hierarchy: None })
    }

    /// The same with a hierarchy of its values, whose leaves include all of them.
    #[must_use]
    pub fn with_hierarchy(mut self, hierarchy: Arc<Hierarchy>) -> Self {
        self.hierarchy = Some(hierarchy);
        self
    }

    /// The same column over some of the cohorts; how values are spread in the whole table stays.
    #[must_use]
    pub fn part(&self, cohorts: &[u32]) -> Self {
        let of_cohort = cohorts.iter().map(|&cohort| self.of_cohort[cohort as usize]).collect();
        Self { of_cohort, ..self.clone() }
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.column.name
    }

    /// The column.
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// The code of each cohort.
    pub fn of_cohort(&self) -> &[u32] {
        &self.of_cohort
    }

    /// How many records of the table have each value.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The hierarchy of its values, if one was given.
    pub fn hierarchy(&self) -> Option<&Arc<Hierarchy>> {
        self.hierarchy.as_ref()
    }

    /// The code of each cohort of another table that was read with the same column beside: values
    /// are known by their spelling.
    pub fn codes_in(&self, table: &Table) -> Result<Vec<u32>> {
        let domain = &self.column.domain;
        let codes: HashMap<_, u32> =
            (0..domain.n_codes()).map(|code| (domain.spelling(code), code as u32)).collect();
        let other = Self::of(table, self.name())?;
        let spelt = &other.column.domain;
        let known: Vec<Option<u32>> =
            (0..spelt.n_codes()).map(|code| codes.get(&spelt.spelling(code)).copied()).collect();
        let of_cohort = other.of_cohort.iter().map(|&code| {
            known[code as usize].ok_or_else(|| {
                Error::invalid(format!(
                    "column '{}': '{}' is in the release but not in the original",
                    self.name(),
                    spelt.spelling(code as usize)
                ))
            })
        });
        of_cohort.collect()
    }
}
