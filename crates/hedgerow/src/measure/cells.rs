//! What published values lost, read off their texts.
//!
//! A search and a file are read by the same rules, so that both give the same figures.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::hierarchy::{Generalization, Hierarchy, Node, Notation};
use crate::loss::{Cell, Whole, log_counts, of_nodes, running, share};
use crate::table::{Code, Column, Domain, Table, Values};
use crate::{Error, Result};

/// What each published value of a column lost, and what the column is as a whole; `original` says
/// which column of which table it was.
pub(super) fn of_column(
    shown: &Column,
    original: (&Table, usize),
    tree: Option<&Hierarchy>,
) -> Result<(Whole, Vec<Cell>)> {
    let domain = &original.0.columns()[original.1].domain;
    let tree = tree.map(|tree| Generalization::from(tree.clone()).with_missing_of(domain));
    let texts: Vec<Cow<'_, str>> =
        shown.domain.codes().map(|code| shown.domain.spelling(code)).collect();
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    let (whole, cells) = of_texts(&texts, original, tree.as_ref());
    let cells = cells.into_iter().enumerate().map(|(code, cell)| {
        cell.ok_or_else(|| {
            let row = shown.domain.first_rows.get(code).map_or(0, |row| row + 1);
            Error::invalid(format!(
                "column '{0}': '{1}' (row {row} of the release) is neither a value of the original \
                 nor a range or set of such; give the hierarchy it comes from with --hierarchy \
                 {0}=FILE (hierarchy build with the method that anonymize named makes it)",
                shown.name, texts[code]
            ))
        })
    });
    Ok((whole, cells.collect::<Result<_>>()?))
}

/// What each of some published texts lost, none if it cannot be read, and what their column is as a
/// whole. A hierarchy must have a leaf for missing values if those are a value of their own.
pub(super) fn of_texts(
    texts: &[&str],
    (table, place): (&Table, usize),
    built: Option<&Generalization>,
) -> (Whole, Vec<Option<Cell>>) {
    let reader = Reader::new(texts, (table, place), built);
    let found: Vec<Option<Found>> = texts.iter().map(|text| reader.find(text)).collect();
    let has_levels = found.iter().flatten().all(|found| found.has_level);
    let has_masses = found.iter().flatten().all(|found| found.has_mass);
    let cells = found.into_iter().map(|found| found.map(|found| found.cell));
    let Whole { distortion, log_counts } = reader.whole();
    let whole = Whole {
        distortion: distortion.filter(|_| has_levels),
        log_counts: log_counts.filter(|_| has_masses),
    };
    (whole, cells.collect())
}

/// What a published value lost, and what of that is known.
struct Found {
    cell: Cell,
    has_level: bool,
    has_mass: bool,
}

/// The ways to find out what a published value lost.
struct Reader<'a> {
    domain: &'a Domain,
    /// How many records have each code.
    counts: Vec<u64>,
    /// How many different values a cell may stand for.
    n_values: usize,
    /// Numbers and dates in their order, and how many records have a lesser one.
    numbers: Vec<f64>,
    running: Vec<u64>,
    nodes: Option<Nodes<'a>>,
}

impl<'a> Reader<'a> {
    fn new(
        texts: &[&'a str],
        (table, place): (&'a Table, usize),
        built: Option<&Generalization>,
    ) -> Self {
        let domain = &table.columns()[place].domain;
        let cohorts = table.cohorts();
        let mut counts = vec![0; domain.n_codes()];
        for (cohort, count) in cohorts.counted() {
            counts[cohorts.tuple(cohort)[place].index()] += count;
        }
        let is_own = domain.missing.as_ref().is_some_and(|missing| missing.is_value);
        let scale = domain.values.scale();
        let numbers = scale.map(|scale| (0..scale.len()).map(|place| scale.value(place)).collect());
        let numbers = numbers.unwrap_or_default();
        let running = running(&counts);
        let n_values = domain.len() + usize::from(is_own);
        let nodes = built.and_then(|built| Nodes::new(texts, built, (domain, &counts)));
        Self { domain, counts, n_values, numbers, running, nodes }
    }

    fn whole(&self) -> Whole {
        let root = self.nodes.as_ref().map(|nodes| nodes.root.distortion);
        let missing = self.domain.missing.as_ref();
        let matches_anything =
            missing.is_some_and(|missing| !missing.is_value && self.counts[self.domain.len()] > 0);
        let is_counted = |nodes: &&Nodes<'_>| {
            nodes.of_leaf.iter().sum::<u64>() == self.counts.iter().sum::<u64>()
        };
        let nodes = self.nodes.as_ref().filter(is_counted);
        let counts = nodes.map_or(&self.counts, |nodes| &nodes.of_leaf);
        Whole { distortion: root, log_counts: (!matches_anything).then(|| log_counts(counts)) }
    }

    fn find(&self, text: &str) -> Option<Found> {
        let notation = Notation::read_as(&self.domain.values, text);
        if let Some(cell) = self.nodes.as_ref().and_then(|nodes| nodes.find(text, &notation)) {
            return Some(Found { cell, has_level: true, has_mass: true });
        }
        // `*` says nothing, even where somebody's value is spelt so; a set says what is in it.
        let members = match &notation {
            Notation::Anything => return Some(self.anything()),
            Notation::Set(members) => self.codes(members),
            _ => None,
        };
        let value = || self.domain.code_of(text).map(|code| vec![code]);
        if let Some(codes) = members.or_else(value) {
            return Some(self.one_of(&codes));
        }
        match notation {
            _ if text.trim().is_empty() => Some(self.anything()), // it says nothing
            Notation::Range(low, high) => self.range(low, high),
            Notation::PartialSet(members, n_more) => self.partial_set(&members, n_more),
            Notation::Anything | Notation::Set(_) | Notation::Name(_) => None,
        }
    }

    /// The codes of the members of a set, if all are values.
    fn codes(&self, members: &[String]) -> Option<Vec<Code>> {
        let codes = members.iter().map(|member| self.domain.code_of(member));
        let mut codes: Vec<Code> = codes.collect::<Option<_>>()?;
        codes.sort_unstable();
        codes.dedup();
        Some(codes)
    }

    /// One of some values of the original; a single one is on the lowest level.
    fn one_of(&self, codes: &[Code]) -> Found {
        let cost = (codes.len() - 1) as f64 / (self.n_values.max(2) - 1) as f64;
        let share = share(cost, codes.len(), self.n_values);
        let mass = codes.iter().map(|&code| self.counts[code.index()]).sum();
        let cell = Cell { cost, share, mass, ..Cell::default() };
        Found { cell, has_level: codes.len() == 1, has_mass: true }
    }

    /// One of some values of the original, or of others that are not named.
    fn partial_set(&self, members: &[String], n_more: usize) -> Option<Found> {
        let n_members = self.codes(members)?.len().checked_add(n_more)?;
        let cost = (n_members - 1) as f64 / (self.n_values.max(2) - 1) as f64;
        let share = share(cost, n_members, self.n_values);
        let cell = Cell { cost, share, ..Cell::default() };
        (cost <= 1.0).then_some(Found { cell, has_level: false, has_mass: false })
    }

    /// What is called `*` costs everything, however little there is to know.
    fn anything(&self) -> Found {
        let mass = self.counts.iter().sum();
        let distortion = self.nodes.as_ref().map_or(0.0, |nodes| nodes.root.distortion);
        Found {
            cell: Cell { cost: 1.0, share: 1.0, level: 1.0, distortion, mass },
            has_level: true,
            has_mass: true,
        }
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
}

/// The nodes of a hierarchy that published texts stand for.
struct Nodes<'a> {
    /// By label.
    named: HashMap<&'a str, Option<Cell>>,
    /// By the range that a label spells out, in whatever style it is published.
    ranges: HashMap<[u64; 2], Option<Cell>>,
    root: Cell,
    /// How many records have each leaf.
    of_leaf: Vec<u64>,
}

impl<'a> Nodes<'a> {
    fn new(
        texts: &[&'a str],
        built: &Generalization,
        (domain, counts): (&Domain, &[u64]),
    ) -> Option<Self> {
        let (ground, root) = (built.ground()?, built.root()?);
        let mut of_leaf = vec![0; ground.len()];
        let missing = domain.missing.as_ref();
        let missing = missing.map(|found| ground.leaf_spelt(&found.spelling));
        let leaves = ground.leaves_for(domain).into_iter().chain(missing);
        for (leaf, count) in leaves.zip(counts) {
            leaf.into_iter().for_each(|leaf| of_leaf[leaf.index()] += count);
        }
        let cells = of_nodes(built, &of_leaf);
        let named = texts.iter().map(|&text| (text, None)).collect();
        let ranges = texts.iter().filter_map(|text| Some((range_of(&domain.values, text)?, None)));
        let (ranges, root_cell) = (ranges.collect(), cells[root as usize]);
        let mut nodes = Self { named, ranges, root: root_cell, of_leaf };
        for (node, &cell) in cells.iter().enumerate() {
            nodes.offer(&built.published(node as Node), built.values(), cell);
        }
        if let Generalization::Tree(tree) = built {
            nodes.offer(&tree.label(root), built.values(), root_cell); // other tools may show this
        }
        Some(nodes)
    }

    /// Takes note of a node if its label is among the texts. Of nodes that a reader cannot tell
    /// apart, the one that says least counts.
    fn offer(&mut self, label: &str, values: &Values, cell: Cell) {
        let range = (!self.ranges.is_empty()).then(|| range_of(values, label)).flatten();
        let ranges = range.and_then(|range| self.ranges.get_mut(&range));
        for kept in self.named.get_mut(label).into_iter().chain(ranges) {
            if kept.is_none_or(|kept| says_less(&cell, &kept)) {
                *kept = Some(cell);
            }
        }
    }

    fn find(&self, text: &str, notation: &Notation) -> Option<Cell> {
        let in_range = || self.ranges.get(&range(notation)?).copied().flatten();
        self.named.get(text).copied().flatten().or_else(in_range)
    }
}

/// Whether one cell costs more than another, or else is on a higher level.
fn says_less(one: &Cell, other: &Cell) -> bool {
    let order = |cell: &Cell| [cell.cost, cell.mass as f64, cell.level, cell.distortion];
    order(one) > order(other)
}

fn range_of(values: &Values, text: &str) -> Option<[u64; 2]> {
    range(&Notation::read_as(values, text))
}

/// What tells ranges apart; zero has two signs.
fn range(notation: &Notation) -> Option<[u64; 2]> {
    match notation {
        Notation::Range(low, high) => Some([low, high].map(|end| (end + 0.0).to_bits())),
        _ => None,
    }
}
