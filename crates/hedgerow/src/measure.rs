//! Measures of a release from files alone: what its claims are worth, and what it lost.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;
use serde::Serialize;

use crate::hierarchy::{Hierarchy, Node, Notation};
use crate::loss::{Partition, Sets};
use crate::privacy::{ClassView, KAnonymity, Number, PrivacyModel};
use crate::table::{Cohorts, Column, Domain, MissingPolicy, Table};
use crate::{Error, Result};

/// What a privacy model asked for, and what a release attains.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attained {
    /// The model's name.
    pub model: &'static str,
    /// The sensitive column it looks at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The parameter that was asked for.
    pub asked: Number,
    /// The strictest parameter that holds.
    pub attained: Number,
    /// Whether what was asked for holds. A release of no classes shows nothing about anybody.
    pub holds: bool,
}

/// The classes of a release, recounted from its published quasi-identifiers.
#[derive(Debug, Clone)]
pub struct Recount {
    /// How many records the release has.
    pub n_rows: u64,
    /// How many of them are suppressed: they show `*` in every quasi-identifier, and are no class
    /// that meets the models.
    pub n_suppressed: u64,
    /// The class sizes.
    pub sizes: Vec<u64>,
    /// A cohort of each class in the table of the release.
    pub cohorts: Vec<usize>,
    /// What holds.
    pub privacy: Vec<Attained>,
}

impl Recount {
    /// Counts the classes of a release whose quasi-identifiers were read as text, and what they
    /// attain. Records that show `*` everywhere are a class if they meet the models together, and
    /// suppressed if not.
    pub fn of(release: &Table, models: &[Box<dyn PrivacyModel>]) -> Result<Self> {
        let cohorts = release.cohorts();
        let n_quasi = release.columns().len();
        let codes: Vec<Option<Vec<u32>>> = models
            .iter()
            .map(|model| model.secret().map(|secret| secret.codes_in(release)).transpose())
            .collect::<Result<_>>()?;
        let mut places: HashMap<&[u32], usize> = HashMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        for cohort in 0..cohorts.len() {
            let next = members.len();
            let place = *places.entry(&cohorts.tuple(cohort)[..n_quasi]).or_insert(next);
            members.resize_with(members.len().max(place + 1), Vec::new);
            members[place].push(cohort);
        }
        let mut weakest: Vec<Option<f64>> = vec![None; models.len()];
        let mut met = vec![true; models.len()];
        let (mut sizes, mut shown, mut n_suppressed) = (Vec::new(), Vec::new(), 0);
        for class in members {
            let size: u64 = class.iter().map(|&cohort| cohorts.counts[cohort]).sum();
            let counts: Vec<Vec<(u32, u64)>> =
                codes.iter().map(|codes| histogram(&class, codes.as_deref(), cohorts)).collect();
            let view = |counts| ClassView { size, population: size as f64, counts };
            let holds: Vec<bool> = models
                .iter()
                .zip(&counts)
                .map(|(model, counts)| model.holds(&view(counts)))
                .collect();
            if holds.contains(&false) && shows_nothing(release, class[0]) {
                n_suppressed += size;
                continue;
            }
            for (place, (model, counts)) in models.iter().zip(&counts).enumerate() {
                met[place] &= holds[place];
                let attained = weakest[place].into_iter().chain([model.attained(&view(counts))]);
                weakest[place] = model.sense().weakest(attained);
            }
            sizes.push(size);
            shown.push(class[0]);
        }
        let privacy =
            models.iter().zip(weakest).zip(met).map(|((model, weakest), holds)| Attained {
                model: model.name(),
                column: model.secret().map(|secret| secret.name().to_owned()),
                asked: Number(model.asked()),
                attained: Number(weakest.unwrap_or(0.0)),
                holds,
            });
        let privacy = privacy.collect();
        Ok(Self { n_rows: release.n_rows(), n_suppressed, sizes, cohorts: shown, privacy })
    }

    /// Whether every claim holds.
    pub fn holds(&self) -> bool {
        self.privacy.iter().all(|claim| claim.holds)
    }

    /// How many records the smallest class has; 0 if there is no class.
    pub fn smallest(&self) -> u64 {
        self.sizes.iter().copied().min().unwrap_or(0)
    }
}

/// Whether a cohort of a release shows `*` in every quasi-identifier.
fn shows_nothing(release: &Table, cohort: usize) -> bool {
    let mut cells = release.cohorts().tuple(cohort).iter().zip(release.columns());
    cells.all(|(&code, column)| {
        Notation::read(&column.domain.spelling(code as usize)) == Notation::Anything
    })
}

/// How often each code occurs in a class, by code.
fn histogram(class: &[usize], codes: Option<&[u32]>, cohorts: &Cohorts) -> Vec<(u32, u64)> {
    let Some(codes) = codes else { return Vec::new() };
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    for &cohort in class {
        *counts.entry(codes[cohort]).or_default() += cohorts.counts[cohort];
    }
    counts.into_iter().collect()
}

/// The partition of a release, with costs read off its published values.
///
/// A cell costs the share of the original's range that it spans; `hierarchies` give the cost of
/// names that are no values of the original. Records that the release lacks are suppressed.
pub fn partition(
    original: &Table,
    release: &Table,
    hierarchies: &BTreeMap<String, Hierarchy>,
    k: u64,
) -> Result<Partition> {
    let recount = Recount::of(release, &[Box::new(KAnonymity::new(k)?)])?;
    let (n_original, n_released) = (original.cohorts().n_records(), release.n_rows());
    let n_lacking = n_original.checked_sub(n_released).ok_or_else(|| {
        Error::invalid(format!(
            "the release has {n_released} records, more than the original's {n_original}; are the \
             files the right way round?"
        ))
    })?;
    let costs: Vec<Vec<f64>> = release
        .columns()
        .iter()
        .zip(original.columns())
        .map(|(shown, column)| {
            let tree = hierarchies.get(&column.name);
            column_costs(shown, (column, original.missing()), tree)
        })
        .collect::<Result<_>>()?;
    let tuple_costs = |&cohort: &usize| {
        let codes = release.cohorts().tuple(cohort).iter().zip(&costs);
        codes.map(|(&code, costs)| costs[code as usize]).collect::<Vec<_>>()
    };
    Ok(Partition {
        k,
        width: release.columns().len(),
        shapes: (0..recount.sizes.len() as u32).collect(),
        costs: recount.cohorts.iter().flat_map(tuple_costs).collect(),
        sizes: recount.sizes,
        n_suppressed: recount.n_suppressed + n_lacking,
    })
}

/// The generalization sets of every column of which each value is published either as it was or in
/// one set, with all its records.
pub fn sets(original: &Table, release: &Table) -> BTreeMap<String, Sets> {
    let columns = original.columns().iter().zip(release.columns());
    columns
        .filter_map(|(column, shown)| Some((column.name.clone(), column_sets(column, shown)?)))
        .collect()
}

/// The generalization sets of a column; records whose missing value matches anything may be in any.
fn column_sets(original: &Column, shown: &Column) -> Option<Sets> {
    let (domain, shown) = (&original.domain, &shown.domain);
    let missing = domain.missing.as_ref();
    let n_codes = domain.len() + usize::from(missing.is_some_and(|missing| missing.is_value));
    let n_anywhere = missing.filter(|missing| !missing.is_value).map_or(0, |found| found.count);
    let mut left: HashMap<_, u64> =
        (0..n_codes).map(|code| (domain.spelling(code), domain.count(code))).collect();
    let n_records = left.values().sum();
    let mut sets = Vec::new();
    for code in 0..shown.n_codes() {
        let text = shown.spelling(code);
        let counts: Vec<u64> = match (left.remove(&text), Notation::read(&text)) {
            (Some(count), _) => vec![count],
            (None, Notation::Set(members)) => members
                .into_iter()
                .map(|member| left.remove(&Cow::from(member)))
                .collect::<Option<_>>()?,
            _ => return None,
        };
        let n_members: u64 = counts.iter().sum();
        if !(n_members..=n_members + n_anywhere).contains(&shown.count(code)) {
            return None;
        }
        if counts.len() > 1 {
            sets.push(counts);
        }
    }
    left.is_empty().then_some(Sets { n_records, n_values: n_codes, counts: sets })
}

/// What each published value of a column costs.
fn column_costs(
    shown: &Column,
    original: (&Column, MissingPolicy),
    tree: Option<&Hierarchy>,
) -> Result<Vec<f64>> {
    let scales = Scales::new(original, tree);
    (0..shown.domain.n_codes())
        .map(|code| {
            let text = shown.domain.spelling(code);
            scales.cost(&text).ok_or_else(|| {
                let row = shown.domain.first_rows.get(code).map_or(0, |row| row + 1);
                Error::invalid(format!(
                    "column '{0}': '{text}' (row {row} of the release) is neither a value of the \
                     original nor a range or set of such; give the hierarchy it comes from with \
                     --hierarchy {0}=FILE (hierarchy build with the method that anonymize named makes \
                     it)",
                    original.0.name
                ))
            })
        })
        .collect()
}

/// The ways to find out what a published value costs.
struct Scales<'a> {
    domain: &'a Domain,
    /// How many different values a cell may stand for.
    n_values: usize,
    /// Cost of each node of the hierarchy by its label.
    nodes: BTreeMap<String, f64>,
    values: BTreeSet<String>,
}

impl<'a> Scales<'a> {
    fn new((column, missing): (&'a Column, MissingPolicy), tree: Option<&Hierarchy>) -> Self {
        let domain = &column.domain;
        let mut nodes = BTreeMap::new();
        let is_own = matches!(missing, MissingPolicy::Own | MissingPolicy::Error);
        let lacking = domain.missing.as_ref().filter(|_| is_own);
        let tree = tree.map(|tree| match lacking {
            Some(found) if tree.ground().leaf_spelt(&found.spelling).is_none() => {
                tree.clone().with_missing(&found.spelling, found.count)
            }
            _ => tree.clone(),
        });
        if let Some(tree) = tree {
            let costs = tree.costs();
            for node in (0..tree.len() as Node).rev() {
                nodes.insert(tree.label(node).into_owned(), costs[node as usize]);
            }
        }
        let values = (0..domain.n_codes()).map(|code| domain.spelling(code).into_owned());
        let n_values = if is_own { domain.n_codes() } else { domain.len() };
        Self { domain, n_values, nodes, values: values.collect() }
    }

    fn cost(&self, text: &str) -> Option<f64> {
        if let Some(&cost) = self.nodes.get(text) {
            return Some(cost);
        }
        if self.values.contains(text) {
            return Some(0.0);
        }
        if text.trim().is_empty() {
            return Some(if self.n_values > 1 { 1.0 } else { 0.0 }); // it says nothing
        }
        match Notation::read_as(&self.domain.values, text) {
            Notation::Anything => Some(if self.n_values > 1 { 1.0 } else { 0.0 }),
            Notation::Range(low, high) => self.range_cost(low, high),
            Notation::Set(members) => {
                let known = members.iter().all(|member| self.values.contains(member));
                known.then(|| (members.len() - 1) as f64 / (self.n_values.max(2) - 1) as f64)
            }
            Notation::Name(_) => self.is_known_number(text).then_some(0.0),
        }
    }

    /// The share of the original's range, as far as the published one lies within it.
    fn range_cost(&self, low: f64, high: f64) -> Option<f64> {
        let scale = self.domain.values.scale().filter(|scale| !scale.is_empty())?;
        let (least, greatest) = (scale.value(0), scale.value(scale.len() - 1));
        if greatest <= least {
            return Some(0.0);
        }
        let covered = high.min(greatest) - low.max(least);
        (covered >= 0.0).then(|| (covered / (greatest - least)).min(1.0))
    }

    /// Whether a text is a number of the original in another spelling.
    fn is_known_number(&self, text: &str) -> bool {
        let values = &self.domain.values;
        let reading = values.read(text);
        reading
            .zip(values.scale())
            .is_some_and(|(reading, scale)| scale.place_of(reading).is_some())
    }
}
