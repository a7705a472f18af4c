//! Sizes of classes before and after, and the figures on top of a report.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Case;
use crate::Result;
use crate::measure::Recount;
use crate::table::{Code, Table};

/// A figure of the original and of the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Sides<T, U = T> {
    /// In the original.
    pub before: T,
    /// In the release.
    pub after: U,
}

/// The figures on top of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Headline {
    /// Risk of the most exposed record, 1 over the size of the smallest class: an attacker who knows
    /// that a person is in the table is right with this probability.
    pub highest_risk: Sides<f64>,
    /// Mean of the risks of all records: classes over records. `None` for the release if people
    /// cannot be counted in it.
    pub average_risk: Sides<f64, Option<f64>>,
    /// Number of records or people that share their quasi-identifiers with no other. `None` for the
    /// release if people cannot be counted in it.
    pub alone: Sides<u64, Option<u64>>,
    /// Mean share of its range that a cell loses (`ntil`).
    pub loss: Option<f64>,
    /// Number of classes in the release.
    pub classes: usize,
    /// Number of records, or people if a column names them, in the smallest class of the release.
    pub smallest_class: u64,
    /// What is counted: `record` or `person`.
    pub unit: &'static str,
}

/// Number of records in classes of some sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Band {
    /// The smallest size.
    pub from: u64,
    /// The greatest size; `None` if there is no bound.
    pub to: Option<u64>,
    /// Number of records or people.
    pub count: u64,
}

/// The classes of both tables.
pub(super) struct Classes {
    /// Sizes in the original, in people if it names them.
    before: Vec<u64>,
    /// Sizes in the release, in records.
    after: Vec<u64>,
    /// Number of records of the release that show nothing and are not a class.
    n_blank: u64,
    /// Number of people in the smallest class of the release, if they were counted.
    fewest_people: Option<u64>,
    counts_people: bool,
}

impl Classes {
    pub(super) fn count(case: &Case<'_>) -> Result<Self> {
        let recount = Recount::of(case.release, &[])?;
        let people = case.facts.outcome.as_ref().and_then(|outcome| outcome.people.as_ref());
        Ok(Self {
            before: sizes(case.original),
            after: recount.sizes,
            n_blank: recount.n_suppressed,
            fewest_people: people.map(|people| people.smallest_class),
            counts_people: case.original.person().is_some(),
        })
    }

    pub(super) fn n_blank(&self) -> u64 {
        self.n_blank
    }

    pub(super) fn n_classes(&self) -> usize {
        self.after.len()
    }

    /// Size of the smallest class of the release, in people if they were counted; 0 without classes.
    pub(super) fn smallest(&self) -> u64 {
        let records = self.after.iter().copied().min().unwrap_or(0);
        self.fewest_people.unwrap_or(records)
    }

    pub(super) fn unit(&self) -> &'static str {
        if self.counts_people { "person" } else { "record" }
    }

    pub(super) fn headline(&self, loss: Option<f64>) -> Headline {
        let highest = |smallest: u64| if smallest > 0 { 1.0 / smallest as f64 } else { 0.0 };
        let average = |sizes: &[u64]| {
            let n: u64 = sizes.iter().sum();
            if n > 0 { sizes.len() as f64 / n as f64 } else { 0.0 }
        };
        let alone = |sizes: &[u64]| sizes.iter().filter(|&&size| size == 1).count() as u64;
        let of_records = |figure| (!self.counts_people).then_some(figure);
        let least = self.before.iter().copied().min().unwrap_or(0);
        Headline {
            highest_risk: Sides { before: highest(least), after: highest(self.smallest()) },
            average_risk: Sides {
                before: average(&self.before),
                after: of_records(average(&self.after)),
            },
            alone: Sides {
                before: alone(&self.before),
                after: (!self.counts_people).then(|| alone(&self.after)),
            },
            loss,
            classes: self.after.len(),
            smallest_class: self.smallest(),
            unit: self.unit(),
        }
    }

    /// Number of records in classes of one record, of fewer than `k`, of fewer than `2k` and `4k`, and
    /// in larger ones.
    pub(super) fn bands(&self, k: u64) -> Sides<Vec<Band>> {
        let k = k.max(2);
        let ends = [(1, Some(1)), (2, Some(k - 1)), (k, Some(2 * k - 1)), (2 * k, Some(4 * k - 1))];
        let ends: Vec<(u64, Option<u64>)> = (ends.into_iter())
            .chain([(4 * k, None)])
            .filter(|(from, to)| to.is_none_or(|to| *from <= to))
            .collect();
        let of = |sizes: &[u64]| {
            let band = |&(from, to): &(u64, Option<u64>)| {
                let is_in = |size: &&u64| **size >= from && to.is_none_or(|to| **size <= to);
                Band { from, to, count: sizes.iter().filter(is_in).sum() }
            };
            ends.iter().map(band).collect()
        };
        Sides { before: of(&self.before), after: of(&self.after) }
    }
}

/// Number of records, or people, with each tuple of quasi-identifiers.
fn sizes(table: &Table) -> Vec<u64> {
    let (cohorts, n_quasi) = (table.cohorts(), table.columns().len());
    let people = table.people();
    let mut records: BTreeMap<&[Code], u64> = BTreeMap::new();
    let mut of_class: BTreeMap<&[Code], BTreeSet<Code>> = BTreeMap::new();
    for (cohort, count) in cohorts.counted() {
        let tuple = &cohorts.tuple(cohort)[..n_quasi];
        match &people {
            Some(people) => drop(of_class.entry(tuple).or_default().insert(people[cohort.index()])),
            None => *records.entry(tuple).or_default() += count,
        }
    }
    match people {
        Some(_) => of_class.values().map(|people| people.len() as u64).collect(),
        None => records.into_values().collect(),
    }
}
