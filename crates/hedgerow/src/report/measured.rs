//! The report of `measure`: the losses and the remaining utility of a release.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::builder::{Free, HierarchyBuilder};
use crate::certificate::{Certificate, Certified};
use crate::classify::{self, Classification};
use crate::error::{Advice, Warning};
use crate::hierarchy::{Generalization, Hierarchy};
use crate::measure::{self, partition};
use crate::noun::counted;
use crate::privacy::{KAnonymity, PrivacyModel};
use crate::problem::{Limits, Problem};
use crate::progress::Progress;
use crate::table::{Column, Table};
use crate::utility::{self, Utility};
use crate::{Error, Result};

/// A release and its original, as they were read with the same quasi-identifiers.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// The table that the release was made from.
    pub original: &'a Table,
    /// The release, in which empty cells are what it shows.
    pub release: &'a Table,
    /// Hierarchies of columns, for labels that do not say which values they cover.
    pub hierarchies: &'a BTreeMap<String, Hierarchy>,
    /// The `k` of losses that depend on one; `None` means the size of the smallest class.
    pub k: Option<u64>,
}

/// The losses of a release and what it is still good for.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Measurement {
    /// Number of records in the original.
    pub rows: u64,
    /// Number of records in the release.
    pub released: u64,
    /// Number of records that are suppressed or left out.
    pub suppressed: u64,
    /// Number of classes.
    pub classes: usize,
    /// Size of the smallest class.
    pub smallest_class: u64,
    /// The `k` of the losses that depend on one, such as `navg` and `c_avg`.
    pub k: u64,
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// The people of the release, if the original names them and they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<PeopleShown>,
    /// The distance of the release from the optimum, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certified>,
    /// Warnings about columns that were not measured; the caller adds them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The losses by name.
    pub release_loss: BTreeMap<&'static str, f64>,
    /// The remaining utility of the release.
    pub utility: Utility,
    /// The accuracy with which a column can be predicted, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<Classification>,
    /// The losses of columns that are published in generalization sets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sets: BTreeMap<String, BTreeMap<&'static str, f64>>,
}

/// The people of a release.
#[derive(Debug, Clone, Serialize)]
pub struct PeopleShown {
    /// The column of the original that names them.
    pub column: String,
    /// Number of people; `None` if those of single records are not known.
    pub people: Option<u64>,
    /// Number of people that every class has at least.
    pub smallest_class: u64,
}

impl Measured<'_> {
    /// Measures the release. With `classify`, decision trees are trained to predict the column that
    /// both tables were read with in addition. `seed` is that of the random number generator.
    ///
    /// # Errors
    ///
    /// Those of [`measure::partition`] and [`classify::release`], and [`Error::Column`] if a column
    /// of the release cannot come from the original.
    pub fn measure(&self, classify: bool, seed: u64) -> Result<Measurement> {
        let Self { original, release, hierarchies, k } = *self;
        // Before the losses, because its errors are about the request.
        let learned = classify.then(|| classify::release(original, release, seed)).transpose()?;
        // From labels alone: a release of another tool is measured in the same way.
        let partition = partition(original, release, hierarchies, k)?;
        let labels = hierarchies.iter().map(|(name, tree)| (name.clone(), tree)).collect();
        let used: Vec<String> = release.beside().iter().map(|shown| shown.name.clone()).collect();
        measure::check_belongs(original, release, &labels, &used)?;
        let sets = measure::sets(original, release).into_iter();
        let sets = sets.filter(|(_, sets)| !sets.counts.is_empty());
        let smallest = partition.sizes.iter().copied().min().unwrap_or(0);
        Ok(Measurement {
            rows: original.cohorts().n_records(),
            released: release.n_rows(),
            suppressed: partition.n_suppressed,
            classes: partition.sizes.len(),
            smallest_class: smallest,
            // Without a k the release is judged by what it attains.
            k: k.unwrap_or(smallest),
            quasi: original.columns().iter().map(|column| column.name.clone()).collect(),
            people: None,
            certificate: None,
            warnings: Vec::new(),
            release_loss: partition.losses(),
            utility: utility::compare(original, release, &labels, seed),
            classification: learned,
            sets: sets.map(|(column, sets)| (column, sets.losses())).collect(),
        })
    }

    /// Proves how near the optimum the release is among those that publish nodes of the given
    /// hierarchies, and intervals or sets of values in other columns, in classes of at least the
    /// `k` of the measurement.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if a class has fewer than `k` records, [`Error::Value`] for a cell that
    /// is not of that kind, and those of [`Certificate::of`].
    pub fn certify(&self, found: &Measurement, progress: &dyn Progress) -> Result<Certified> {
        let Self { original, release, hierarchies, .. } = *self;
        let Measurement { k, smallest_class, .. } = *found;
        if k > smallest_class {
            let smallest = counted(smallest_class, "record");
            let problem = format!(
                "the smallest class of the release has {smallest}, so what releases with k = {k} must \
                 lose says nothing about it"
            );
            let at_most = Advice::words(format!("choose a k of at most {smallest_class}"));
            return Err(Error::invalid(problem).advise([at_most]));
        }
        measure::check_cells(original, release, hierarchies)?;
        let of_column = |column: &Column| match hierarchies.get(&column.name) {
            Some(tree) => Ok(Generalization::from(tree.clone()).with_missing_of(&column.domain)),
            None => Free.build(column),
        };
        let built = original.columns().iter().map(of_column).collect::<Result<_>>()?;
        let limits = Limits { most_suppressed: found.suppressed, ..Limits::default() };
        let models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(k)?)];
        let problem = Problem::with_limits(original, built, models, limits)?;
        let loss = found.release_loss.get("ntil").copied().unwrap_or(1.0);
        Certificate::of(&problem, Certificate::EFFORT, progress)?.certifies(loss)
    }
}
