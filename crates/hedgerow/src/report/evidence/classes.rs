//! Sizes of classes before and after, and the figures on top of a report.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Case;
use crate::Result;
use crate::measure::Recount;
use crate::risk::{Assessment, Risks, Side};
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
    /// Risk of the most exposed record, 1 over the least number of records that it matches: an
    /// attacker who knows that a person is in the table is right with this probability.
    pub highest_risk: Sides<f64>,
    /// Mean of the risks of the published records. `None` for the release if people cannot be
    /// counted in it.
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
    /// The counted unit: `record` or `person`.
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
    /// Sizes in the release, in the same unit.
    after: Vec<u64>,
    /// Number of records of the release that show nothing and are not a class.
    n_blank: u64,
    counts_people: bool,
}

impl Classes {
    pub(super) fn count(case: &Case<'_>) -> Result<Self> {
        let recount = Recount::of(case.shown(), &[])?;
        Ok(Self {
            before: sizes(case.original),
            after: recount.people().to_vec(),
            n_blank: recount.n_suppressed,
            counts_people: case.original.person().is_some(),
        })
    }

    pub(super) fn n_blank(&self) -> u64 {
        self.n_blank
    }

    pub(super) fn n_classes(&self) -> usize {
        self.after.len()
    }

    /// Size of the smallest class of the release; 0 without classes.
    pub(super) fn smallest(&self) -> u64 {
        self.after.iter().copied().min().unwrap_or(0)
    }

    pub(super) fn counts_people(&self) -> bool {
        self.counts_people
    }

    pub(super) fn unit(&self) -> &'static str {
        if self.counts_people { "person" } else { "record" }
    }

    /// The figures on top, given the loss of the release and the risk of both tables.
    pub(super) fn headline(&self, loss: Option<f64>, risk: Option<&Assessment>) -> Headline {
        let (before, after) = match risk {
            // The figures of `hedgerow risk`, `compare` and the studio, so that all of them agree.
            Some(risk) => {
                let after = risk.release.as_ref().and_then(Side::risks);
                (risk.original.risks().unwrap_or_default(), after)
            }
            // A person can be in several classes, so people are not the sum of the sizes.
            None => (of_sizes(&self.before), (!self.counts_people).then(|| of_sizes(&self.after))),
        };
        // The smallest class is known even if people cannot be counted.
        let most_exposed = after.map_or_else(|| highest(&self.after), |after| after.highest);
        Headline {
            highest_risk: Sides { before: before.highest, after: most_exposed },
            average_risk: Sides { before: before.average, after: after.map(|after| after.average) },
            alone: Sides { before: before.alone, after: after.map(|after| after.alone) },
            loss,
            classes: self.after.len(),
            smallest_class: self.smallest(),
            unit: self.unit(),
        }
    }

    /// Number of records in classes of one record, of fewer than `k`, of fewer than `2k` and `4k`,
    /// and in larger ones.
    pub(super) fn bands(&self, k: u64) -> Sides<Vec<Band>> {
        let k = k.max(2);
        let ends = [(1, Some(1)), (2, Some(k - 1)), (k, Some(2 * k - 1)), (2 * k, Some(4 * k - 1))];
        // With k = 2 nothing lies between one record and k.
        let ends: Vec<(u64, Option<u64>)> = (ends.into_iter())
            .chain([(4 * k, None)])
            .filter(|(from, to)| to.is_none_or(|to| *from <= to))
            .collect();
        let of = |sizes: &[u64]| {
            let band = |&(from, to): &(u64, Option<u64>)| {
                let is_in = |size: &&u64| **size >= from && to.is_none_or(|to| **size <= to);
                // A class of f records adds f, because the bands count records and not classes.
                Band { from, to, count: sizes.iter().filter(is_in).sum() }
            };
            ends.iter().map(band).collect()
        };
        Sides { before: of(&self.before), after: of(&self.after) }
    }
}

/// The risk of classes without `*`: a class of `f` records has `f` times the risk `1/f`.
fn of_sizes(sizes: &[u64]) -> Risks {
    let n: u64 = sizes.iter().sum();
    let average = if n > 0 { sizes.len() as f64 / n as f64 } else { 0.0 };
    let alone = sizes.iter().filter(|&&size| size == 1).count() as u64;
    Risks { highest: highest(sizes), average, alone }
}

/// The risk of a record in the smallest class, 0 without classes.
fn highest(sizes: &[u64]) -> f64 {
    sizes.iter().min().map_or(0.0, |&smallest| 1.0 / smallest as f64)
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
            // A person with several records in a class counts once.
            Some(people) => drop(of_class.entry(tuple).or_default().insert(people[cohort.index()])),
            None => *records.entry(tuple).or_default() += count,
        }
    }
    match people {
        Some(_) => of_class.values().map(|people| people.len() as u64).collect(),
        None => records.into_values().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Evidence, Facts};
    use super::*;
    use crate::risk::Extent;

    /// The second class shows `*`, so its records could be those of the first one too.
    #[test]
    fn the_headline_has_the_figures_of_the_risk_section() {
        let rows = [["30", "a"], ["30", "a"], ["40", "a"], ["50", "a"]];
        let original = Table::from_rows(&["age", "job"], &rows).unwrap();
        let rows = [["30", "a"], ["30", "a"], ["*", "a"], ["*", "a"]];
        let release = Table::from_rows(&["age", "job"], &rows).unwrap();
        let case = Case {
            original: &original,
            release: &release,
            hierarchies: BTreeMap::new(),
            shown: None,
            extent: Extent::Unknown,
            sampled: None,
            facts: Facts { k: 2, ..Facts::default() },
        };
        let evidence = Evidence::unattacked(&case).unwrap();
        let head = evidence.headline;
        let assessed = evidence.risk.unwrap();
        let (before, after) =
            (assessed.original.risks().unwrap(), assessed.release.unwrap().risks().unwrap());
        assert_eq!(head.highest_risk, Sides { before: before.highest, after: after.highest });
        assert_eq!(head.average_risk, Sides { before: before.average, after: Some(after.average) });
        assert_eq!(head.alone, Sides { before: 2, after: Some(0) });
        // Two classes of four records would give 0.5.
        assert!(after.average < 0.5, "{after:?}");
    }
}
