//! A cell of a grid: one combination of k, method, hierarchies and models.

use super::{Models, Setting};
use crate::job::Job;
use crate::method::Spec;

/// One combination of a grid.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Cell {
    /// Its number in the order of the grid, counted from 1.
    pub number: usize,
    /// Minimum number of records in a class.
    pub k: u64,
    /// The anonymizer.
    pub method: Spec,
    /// The hierarchies of the columns.
    pub hierarchies: Setting,
    /// The models besides k-anonymity, in addition to those of all cells.
    pub models: Models,
}

impl Cell {
    /// The job of this cell, except for the hierarchies, which depend on the columns.
    ///
    /// The population is left out if no model of the cell looks at it.
    pub fn job(&self, base: &Job) -> Job {
        let mut job = Job { k: self.k, method: self.method.clone(), ..base.clone() };
        job.privacy.extend(self.models.specs().iter().cloned());
        let all: Models = Models::of(job.privacy.clone());
        // Cells without such a model are compared on the table alone, also if another cell has one.
        if !all.look_at_population() {
            job.population = None;
        }
        job
    }

    /// The cell in words: `hedge, auto, k = 5`.
    pub fn name(&self) -> String {
        let Self { k, method, hierarchies, models, .. } = self;
        match models.specs() {
            [] => format!("{method}, {hierarchies}, k = {k}"),
            _ => format!("{method}, {hierarchies}, k = {k}, {models}"),
        }
    }
}
