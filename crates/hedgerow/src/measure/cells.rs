//! What published values lost, read off their texts.

use std::collections::BTreeMap;

use crate::hierarchy::{Hierarchy, Node, Notation};
use crate::loss::{Cell, Whole, log_counts, running, share};
use crate::table::{Column, Domain, MissingPolicy, Table};
use crate::{Error, Result};

/// What each published value of a column lost, and what the column is as a whole; `original` says
/// which column of which table it was.
pub(super) fn of_column(
    shown: &Column,
    original: (&Table, usize),
    tree: Option<&Hierarchy>,
) -> Result<(Whole, Vec<Cell>)> {
    let texts = Texts::new(original, tree);
    let found = (0..shown.domain.n_codes()).map(|code| {
        let text = shown.domain.spelling(code);
        texts.find(&text).ok_or_else(|| {
            let row = shown.domain.first_rows.get(code).map_or(0, |row| row + 1);
            Error::invalid(format!(
                "column '{0}': '{text}' (row {row} of the release) is neither a value of the \
                 original nor a range or set of such; give the hierarchy it comes from with \
                 --hierarchy {0}=FILE (hierarchy build with the method that anonymize named makes \
                 it)",
                shown.name
            ))
        })
    });
    let found: Vec<Found> = found.collect::<Result<_>>()?;
    let root = texts.nodes.as_ref().map(|nodes| nodes.distortions[0]);
    let has_levels = found.iter().all(|found| found.has_level);
    let table = original.0;
    let matches_anything = table.missing() == MissingPolicy::Wildcard
        && table.columns()[original.1].domain.missing.is_some();
    let whole = Whole {
        distortion: root.filter(|_| has_levels),
        log_counts: (!matches_anything && found.iter().all(|found| found.has_mass))
            .then(|| log_counts(&texts.counts)),
    };
    Ok((whole, found.into_iter().map(|found| found.cell).collect()))
}

/// What a published value lost, and what of that is known.
struct Found {
    cell: Cell,
    has_level: bool,
    has_mass: bool,
}

/// The ways to find out what a published value lost.
struct Texts<'a> {
    domain: &'a Domain,
    /// How many records have each code.
    counts: Vec<u64>,
    /// How many different values a cell may stand for.
    n_values: usize,
    /// The code of each value by its spelling.
    values: BTreeMap<String, usize>,
    /// Numbers and dates in their order, and how many records have a lesser one.
    numbers: Vec<f64>,
    running: Vec<u64>,
    nodes: Option<Nodes>,
}

impl<'a> Texts<'a> {
    fn new((table, place): (&'a Table, usize), tree: Option<&Hierarchy>) -> Self {
        let domain = &table.columns()[place].domain;
        let cohorts = table.cohorts();
        let mut counts = vec![0; domain.n_codes()];
        for (cohort, count) in cohorts.counts.iter().enumerate() {
            counts[cohorts.tuple(cohort)[place] as usize] += count;
        }
        let is_own = matches!(table.missing(), MissingPolicy::Own | MissingPolicy::Error);
        let values = (0..domain.n_codes()).map(|code| (domain.spelling(code).into_owned(), code));
        let values = values.collect();
        let scale = domain.values.scale();
        let numbers = scale.map(|scale| (0..scale.len()).map(|place| scale.value(place)).collect());
        let numbers = numbers.unwrap_or_default();
        let running = running(&counts);
        let n_values = if is_own { domain.n_codes() } else { domain.len() };
        let lacking = domain.missing.as_ref().filter(|_| is_own);
        let nodes = tree.map(|tree| match lacking {
            Some(found) if tree.ground().leaf_spelt(&found.spelling).is_none() => Nodes::new(
                &tree.clone().with_missing(&found.spelling, found.count),
                domain,
                &counts,
            ),
            _ => Nodes::new(tree, domain, &counts),
        });
        Self { domain, counts, n_values, values, numbers, running, nodes }
    }

    fn find(&self, text: &str) -> Option<Found> {
        if let Some(&cell) = self.nodes.as_ref().and_then(|nodes| nodes.cells.get(text)) {
            return Some(Found { cell, has_level: true, has_mass: true });
        }
        if let Some(&code) = self.values.get(text) {
            return Some(self.one_of(&[code]));
        }
        if text.trim().is_empty() {
            return Some(self.anything()); // it says nothing
        }
        match Notation::read_as(&self.domain.values, text) {
            Notation::Anything => Some(self.anything()),
            Notation::Range(low, high) => self.range(low, high),
            Notation::Set(members) => {
                let codes = members.iter().map(|member| self.values.get(member).copied());
                let mut codes: Vec<usize> = codes.collect::<Option<_>>()?;
                codes.sort_unstable();
                codes.dedup();
                Some(self.one_of(&codes))
            }
            Notation::PartialSet(members, n_more) => self.partial_set(&members, n_more),
            Notation::Name(_) => self.known_number(text),
        }
    }

    /// One of some values of the original; a single one is on the lowest level.
    fn one_of(&self, codes: &[usize]) -> Found {
        let cost = (codes.len() - 1) as f64 / (self.n_values.max(2) - 1) as f64;
        let share = share(cost, codes.len(), self.n_values);
        let mass = codes.iter().map(|&code| self.counts[code]).sum();
        let cell = Cell { cost, share, mass, ..Cell::default() };
        Found { cell, has_level: codes.len() == 1, has_mass: true }
    }

    /// One of some values of the original, or of others that are not named.
    fn partial_set(&self, members: &[String], n_more: usize) -> Option<Found> {
        let is_value = |member: &String| self.values.contains_key(member);
        let n_members = members.len() + n_more;
        if !members.iter().all(is_value) || n_members > self.n_values {
            return None;
        }
        let cost = (n_members - 1) as f64 / (self.n_values.max(2) - 1) as f64;
        let share = share(cost, n_members, self.n_values);
        let cell = Cell { cost, share, ..Cell::default() };
        Some(Found { cell, has_level: false, has_mass: false })
    }

    fn anything(&self) -> Found {
        let cost = if self.n_values > 1 { 1.0 } else { 0.0 };
        let mass = self.counts.iter().sum();
        let distortion = self.nodes.as_ref().map_or(0.0, |nodes| nodes.distortions[0]);
        let cell = Cell { cost, share: cost, level: cost, distortion, mass };
        Found { cell, has_level: true, has_mass: true }
    }

    /// The share of the original's range, as far as the published one lies within it.
    fn range(&self, low: f64, high: f64) -> Option<Found> {
        let (&least, &greatest) = (self.numbers.first()?, self.numbers.last()?);
        let covered = high.min(greatest) - low.max(least);
        let cost = match greatest - least {
            width if width > 0.0 => (covered / width).min(1.0),
            _ => 0.0,
        };
        let first = self.numbers.partition_point(|&number| number < low);
        let end = self.numbers.partition_point(|&number| number <= high);
        let mass = self.running[end.max(first)] - self.running[first];
        let cell = Cell { cost, share: cost, mass, ..Cell::default() };
        (cost >= 0.0).then_some(Found { cell, has_level: false, has_mass: true })
    }

    /// A number of the original in another spelling.
    fn known_number(&self, text: &str) -> Option<Found> {
        let values = &self.domain.values;
        let place = values.scale()?.place_of(values.read(text)?)?;
        let cell = Cell { mass: self.counts[place], ..Cell::default() };
        Some(Found { cell, has_level: true, has_mass: true })
    }
}

/// The nodes of a hierarchy by their labels.
struct Nodes {
    cells: BTreeMap<String, Cell>,
    distortions: Vec<f64>,
}

impl Nodes {
    fn new(tree: &Hierarchy, domain: &Domain, counts: &[u64]) -> Self {
        let mut of_leaf = vec![0; tree.n_leaves()];
        let missing = domain.missing.as_ref();
        let missing = missing.map(|found| tree.ground().leaf_spelt(&found.spelling));
        let leaves = tree.ground().leaves_for(domain).into_iter().chain(missing);
        for (leaf, count) in leaves.zip(counts) {
            leaf.into_iter().for_each(|leaf| of_leaf[leaf as usize] += count);
        }
        let running = running(&of_leaf);
        let (costs, levels) = (tree.costs(), tree.relative_levels());
        let distortions = tree.distortions();
        let is_numeric = tree.leaves().scale().is_some();
        let cell = |node: Node| {
            let (leaves, place) = (tree.leaves_of(node), node as usize);
            let cost = costs[place];
            let words = share(cost, leaves.len(), tree.n_leaves());
            Cell {
                cost,
                share: if is_numeric { cost } else { words },
                level: levels[place],
                distortion: distortions[place],
                mass: running[leaves.end as usize] - running[leaves.start as usize],
            }
        };
        // Of nodes with one name the highest counts.
        let nodes = (0..tree.len() as Node).rev();
        let cells = nodes.map(|node| (tree.label(node).into_owned(), cell(node))).collect();
        Self { cells, distortions }
    }
}
