//! Trials of hierarchies: a small release that shows what a candidate would lose.

use std::collections::BTreeMap;
use std::sync::Arc;

use hedgerow::anonymize::Hedge;
use hedgerow::builder;
use hedgerow::hierarchy::Generalization;
use hedgerow::loss::Partition;
use hedgerow::method::Spec;
use hedgerow::privacy::{KAnonymity, PrivacyModel};
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::table::{Column, Columns, Encoding, Table};
use hedgerow::{Error, Result};

use super::{Opened, Stored};

/// Number of records that trials are made with.
const SAMPLE: usize = 1_000;

/// Conditions of a trial besides the candidate. Losses of different settings cannot be compared.
pub(crate) struct Setting {
    pub(crate) k: u64,
    /// The hierarchies that were chosen for the other quasi-identifiers.
    pub(crate) others: BTreeMap<String, Option<Generalization>>,
}

impl Setting {
    /// Whether trials in both settings find the same. A tree that was edited is another one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let is_same = |pair: (Option<&Generalization>, Option<&Generalization>)| match pair {
            (Some(Generalization::Tree(one)), Some(Generalization::Tree(other))) => {
                Arc::ptr_eq(one, other)
            }
            (Some(Generalization::Levels(one)), Some(Generalization::Levels(other))) => {
                Arc::ptr_eq(one, other)
            }
            // Those without a hierarchy depend on the column only.
            (Some(Generalization::Interval(_)), Some(Generalization::Interval(_)))
            | (Some(Generalization::Set(_)), Some(Generalization::Set(_)))
            | (None, None) => true,
            _ => false,
        };
        let mut pairs = self.others.iter().zip(&other.others);
        self.k == other.k
            && self.others.len() == other.others.len()
            && pairs.all(|((name, one), (like, other))| {
                name == like && is_same((one.as_ref(), other.as_ref()))
            })
    }
}

/// The result of a trial of a candidate.
#[derive(Clone)]
pub(crate) struct Tried {
    pub(crate) setting: Arc<Setting>,
    /// Loss of the column; `None` if the candidate could not be tried.
    pub(crate) loss: Option<f64>,
    /// Loss of the release.
    pub(crate) release: Option<f64>,
}

/// A sample of records on which hierarchies are tried.
pub(crate) struct Trial {
    table: Table,
    k: u64,
}

/// The losses of a trial release.
pub(crate) struct Losses {
    /// NTIL of the release of the sample.
    pub(crate) release: f64,
    /// Mean cost of the cells of each column.
    pub(crate) columns: BTreeMap<String, f64>,
}

impl Trial {
    /// Takes every n-th record with these columns.
    pub(crate) fn new(opened: &Opened, names: &[String], k: u64) -> Result<Self> {
        let columns: Vec<&Stored> = names
            .iter()
            .map(|name| {
                opened.column(name).ok_or_else(|| Error::column(name, "is not in the table"))
            })
            .collect::<Result<_>>()?;
        let n_rows = opened.rows as usize;
        let step = (n_rows / SAMPLE).max(1);
        let rows: Vec<Vec<String>> = (0..n_rows)
            .step_by(step)
            .take(SAMPLE)
            .map(|row| columns.iter().map(|column| column.text(row)).collect())
            .collect();
        let like: Vec<&Column> = columns.iter().filter_map(|of| of.column.as_ref()).collect();
        let encoding = Encoding::like(&like, &[]);
        let table = Table::encode(&Columns::quasi(names), &rows, &encoding)?;
        // A sample has fewer records of each value, so the same k would lose more than in the
        // table.
        Ok(Self { table, k: k.min(rows.len() as u64 / 2).max(1) })
    }

    /// Publishes the sample with these hierarchies, one for each column.
    pub(crate) fn losses(&self, generalizations: Vec<Generalization>) -> Result<Losses> {
        let model: Box<dyn PrivacyModel> = Box::new(KAnonymity::new(self.k)?);
        let limits = Limits { force_labels: true, ..Limits::default() };
        let given = generalizations.into_iter().zip(self.table.columns());
        let generalizations = given.map(|(of, column)| of_sample(of, column)).collect();
        let problem = Problem::with_limits(&self.table, generalizations, vec![model], limits)?;
        let method = Hedge { rounds: 0, ..Hedge::default() };
        let recoding = problem.solve(&method, &Silent)?;
        let partition = Partition::of(&problem, &recoding);
        let release = partition.losses().get("ntil").copied().unwrap_or(0.0);
        let names = self.table.columns().iter().map(|column| column.name.clone());
        Ok(Losses { release, columns: names.zip(column_costs(&partition)).collect() })
    }
}

/// Sets and intervals are made of the values of the sample, which can be fewer than the table has.
fn of_sample(generalization: Generalization, column: &Column) -> Generalization {
    let values = || column.domain.values.clone();
    match generalization {
        Generalization::Set(_) => Generalization::Set(values()),
        Generalization::Interval(_) => Generalization::Interval(values()),
        other => other,
    }
}

/// The mean cost of the cells of each column.
pub(crate) fn column_costs(partition: &Partition) -> Vec<f64> {
    let width = partition.width();
    // A suppressed record loses everything.
    let mut sums = vec![partition.n_suppressed as f64; width];
    for (&size, &shape) in partition.sizes.iter().zip(&partition.shapes) {
        let shown = &partition.shown[shape as usize * width..][..width];
        for (sum, &cell) in sums.iter_mut().zip(shown) {
            *sum += size as f64 * partition.cells[cell as usize].cost;
        }
    }
    let n = partition.n_records().max(1) as f64;
    sums.into_iter().map(|sum| sum / n).collect()
}

/// The hierarchy of a column while nothing is chosen: that of the first method that suits it.
pub(crate) fn usual(column: &Column, k: u64) -> Result<Generalization> {
    let suited = builder::candidates(column);
    let first = suited.methods.first().cloned().unwrap_or_else(|| Spec::named("free"));
    builder::build(&first, column, Some(k))
}
