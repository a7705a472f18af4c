//! The population that the table of a job is a sample of, as far as it is known.

use std::collections::{BTreeMap, HashMap};

use super::Job;
use crate::error::Advice;
use crate::io::Source;
use crate::population::Population;
use crate::progress::{Progress, stop_at};
use crate::proposal::Class;
use crate::release::Release;
use crate::risk::{self, Extent};
use crate::table::{Code, Cohort, Column, Columns, Counted, Encoding, Table};
use crate::{Error, Result};

impl Job {
    /// The known extent of the population, which was read if the job names its table.
    pub(super) fn extent<'a>(&'a self, population: Option<&'a Population>) -> Extent<'a> {
        Extent::known(population, self.sampling_fraction, self.weights.as_deref())
    }
}

/// Returns an error if a job describes its population in two ways or wrongly, or names a threshold
/// that is not a risk.
pub(super) fn is_stated_once(job: &Job) -> Result<()> {
    let stated = [
        ("population", job.population.is_some()),
        ("sampling-fraction", job.sampling_fraction.is_some()),
        ("weights", job.weights.is_some()),
    ];
    let keys: Vec<&'static str> =
        stated.into_iter().filter(|(_, is_given)| *is_given).map(|(key, _)| key).collect();
    if keys.len() > 1 {
        let problem = format!("the population is described twice: by {}", keys.join(" and by "));
        let leave_out = |key: &&'static str| Advice::LeaveOut { key, column: None };
        return Err(Error::invalid(problem).advise(keys.iter().map(leave_out)));
    }
    risk::check_thresholds(&job.threshold)?;
    job.extent(None).check()
}

/// Returns an error if a sampling weight is missing or not a positive number.
pub(super) fn check_weights(job: &Job, source: &Source, progress: &dyn Progress) -> Result<()> {
    let Some(name) = &job.weights else { return Ok(()) };
    let columns = Columns { quasi: job.quasi.clone(), beside: vec![name.clone()], person: None };
    let table = source.read(&columns, &job.reading(false), progress)?;
    risk::weights_of_cohorts(&table, name).map(drop)
}

/// A table and its release with the sampling weight of each record, also if it is not published.
pub(super) struct Weighted {
    pub(super) original: Table,
    pub(super) release: Table,
}

/// The class of a record, and its values in some columns.
type Shown = (Option<Class>, Vec<Code>);

/// A release to which weights are added.
pub(super) struct Unweighted<'a> {
    pub(super) job: &'a Job,
    pub(super) source: &'a Source,
    pub(super) release: &'a Release,
    /// Whether suppressed records are published.
    pub(super) has_suppressed: bool,
}

impl Unweighted<'_> {
    /// Reads the table again, with its sensitive columns and the weights in the column `name`,
    /// and determines the cells that each of its records publishes.
    pub(super) fn weighted(&self, name: &str, progress: &dyn Progress) -> Result<Weighted> {
        let table = self.table();
        let names = |columns: &[Column]| -> Vec<String> {
            columns.iter().map(|column| column.name.clone()).collect()
        };
        let mut beside = names(table.beside());
        for other in self.job.sensitive.iter().map(String::as_str).chain([name]) {
            if !beside.iter().any(|column| column == other) {
                beside.push(other.to_owned());
            }
        }
        let person = table.person().map(|column| column.name.clone());
        let columns = Columns { quasi: names(table.columns()), beside, person };
        let original = self.source.read(&columns, &self.job.reading(true), progress)?;
        let release = self.published(&original, name, progress)?;
        Ok(Weighted { original, release })
    }

    fn table(&self) -> &Table {
        self.release.recoding().problem().table()
    }

    /// The table that the records publish: their cells, sensitive values, weights and people.
    fn published(&self, original: &Table, name: &str, progress: &dyn Progress) -> Result<Table> {
        let (columns, n_quasi) = (original.all_columns(), original.columns().len());
        let is_needed = |place: &usize| {
            let of_place = &columns[*place].name;
            of_place == name || self.job.sensitive.contains(of_place)
        };
        let beside: Vec<usize> =
            (n_quasi..n_quasi + original.beside().len()).filter(is_needed).collect();
        // The column that names people is always the last.
        let person = original.person().map(|_| columns.len() - 1);
        let places: Vec<usize> = beside.iter().copied().chain(person).collect();
        let counts = self.counts(original, &places, progress)?;
        let tuple = |((class, codes), count): (&Shown, &u64)| {
            let cells = self.release.cells(*class).into_iter().cloned();
            let others = places.iter().zip(codes);
            let others =
                others.map(|(&place, &code)| columns[place].domain.spelling(code).into_owned());
            Counted { fields: cells.chain(others).collect(), count: *count, first_row: 0 }
        };
        let counted: Vec<Counted<Vec<String>>> = counts.iter().map(tuple).collect();
        let of_places: Vec<&Column> = beside.iter().map(|&place| &columns[place]).collect();
        let names = Columns {
            quasi: (0..n_quasi).flat_map(|place| self.release.columns(place).to_vec()).collect(),
            beside: of_places.iter().map(|column| column.name.clone()).collect(),
            person: original.person().map(|column| column.name.clone()),
        };
        let encoding = Encoding { is_release: true, ..Encoding::like(&of_places, &self.job.na) };
        Table::of_counts(&names, &counted, &encoding, progress)
    }

    /// Number of records of each class with the same values in the columns at `places`.
    fn counts(
        &self,
        original: &Table,
        places: &[usize],
        progress: &dyn Progress,
    ) -> Result<BTreeMap<Shown, u64>> {
        let known = self.known_cohorts(original)?;
        let mut assigner = self.release.assigner();
        let mut counts = BTreeMap::new();
        let rows = original.rows().ok_or_else(|| Error::NoRows { advice: Vec::new() })?;
        // In row order, in which the records of a cohort are assigned to classes.
        for (row, cohort) in rows.iter().enumerate() {
            stop_at(row, progress)?;
            let Some(cohort) = *cohort else { continue };
            let take = assigner.take_of_next(known[cohort.index()]);
            let Some(take) = take.filter(|take| self.has_suppressed || take.class.is_some()) else {
                continue;
            };
            let codes = original.cohorts().tuple(cohort);
            let others: Vec<Code> = places.iter().map(|&place| codes[place]).collect();
            *counts.entry((take.class, others)).or_default() += 1;
        }
        Ok(counts)
    }

    /// The cohort of the table of the search that each cohort of a table with more columns is in.
    fn known_cohorts(&self, original: &Table) -> Result<Vec<Cohort>> {
        let (table, columns) = (self.table(), original.all_columns());
        let place = |of: &Column| columns.iter().position(|column| column.name == of.name);
        let places: Vec<usize> = table.all_columns().iter().filter_map(place).collect();
        let cohorts = table.cohorts();
        let numbers: HashMap<&[Code], Cohort> =
            cohorts.all().map(|cohort| (cohorts.tuple(cohort), cohort)).collect();
        // Both were read from the same columns of one file, so their codes are the same.
        let known = |cohort: Cohort| {
            let codes = original.cohorts().tuple(cohort);
            let tuple: Vec<Code> = places.iter().map(|&place| codes[place]).collect();
            numbers.get(tuple.as_slice()).copied()
        };
        let found: Option<Vec<Cohort>> = original.cohorts().all().map(known).collect();
        found.ok_or_else(|| Error::Internal("the table has other records than before".into()))
    }
}
