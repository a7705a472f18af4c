//! The loss of published values, read from their texts.
//!
//! Searches and files are read by the same rules, so both give the same figures.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::error::Advice;
use crate::hierarchy::{
    Entry, Excluded, Generalization, Hierarchy, Masks, Notation, excluded_ends,
};
use crate::loss::{Cell, Whole, log_counts, of_nodes, running, share};
use crate::table::{Code, Column, Domain, Reading, Scale, Table, Values};
use crate::{Error, Result};

/// A column of the original table.
#[derive(Clone, Copy)]
pub(super) struct Original<'a> {
    pub(super) table: &'a Table,
    pub(super) place: usize,
}

/// The loss of each published value of a column, and the properties of the column as a whole.
pub(super) fn of_column(
    shown: &Column,
    original: Original<'_>,
    tree: Option<&Hierarchy>,
) -> Result<(Whole, Vec<Cell>)> {
    let domain = &original.table.columns()[original.place].domain;
    let tree = tree.map(|tree| Generalization::from(tree.clone()).with_missing_of(domain));
    let spellings: Vec<Cow<'_, str>> =
        shown.domain.codes().map(|code| shown.domain.spelling(code)).collect();
    let texts: Vec<&str> = spellings.iter().map(AsRef::as_ref).collect();
    let (whole, found) = of_texts(&texts, original, tree.as_ref());
    let cells = found
        .into_iter()
        .enumerate()
        .map(|(code, cell)| cell.ok_or_else(|| unexplained(shown, code, &domain.values)));
    Ok((whole, cells.collect::<Result<_>>()?))
}

/// Returns an error if a published value is not a node of its hierarchy or, without one, not an
/// interval of a column of numbers.
pub(super) fn check(
    shown: &Column,
    original: Original<'_>,
    tree: Option<&Hierarchy>,
) -> Result<()> {
    let domain = &original.table.columns()[original.place].domain;
    let tree = tree.map(|tree| Generalization::from(tree.clone()).with_missing_of(domain));
    let spellings: Vec<Cow<'_, str>> =
        shown.domain.codes().map(|code| shown.domain.spelling(code)).collect();
    let texts: Vec<&str> = spellings.iter().map(AsRef::as_ref).collect();
    let reader = Reader::new(&texts, original, tree.as_ref());
    let Some(code) = texts.iter().position(|text| !reader.is_regular(text)) else {
        return Ok(());
    };
    let row = shown.domain.first_rows.get(code).map(|row| row + 1);
    let problem = match tree {
        Some(_) => {
            "of the release is not a node of the given hierarchy, so what releases with this \
             hierarchy must lose says nothing about it"
        }
        None => {
            "of the release is not an interval of numbers, and without its hierarchy it is not known \
             what such releases must lose"
        }
    };
    let advice = Advice::hierarchy_file(&shown.name);
    Err(Error::value(&shown.name, texts[code], row, problem).advise([advice]))
}

/// The error for a published value whose loss cannot be determined.
fn unexplained(shown: &Column, code: usize, values: &Values) -> Error {
    let row = shown.domain.first_rows.get(code).map(|row| row + 1);
    let spelling = shown.domain.spelling(Code::new(code));
    let text: &str = &spelling;
    let number = values.read(text).map(Reading::value).zip(values.scale().and_then(Scale::ends));
    if number.is_some_and(|(number, (least, greatest))| least < number && number < greatest) {
        let problem = "of the release is a number that the original does not have, like the midpoint of an \
                       interval; midpoints do not tell how wide their intervals were, so their loss \
                       cannot be measured, not even with hierarchies";
        return Error::value(&shown.name, text, row, problem).advise([Advice::words(
            "measure a release with intervals (the style brackets or dash)",
        )]);
    }
    let problem = "of the release is neither a value of the original nor a range or set of its \
                   values; only the hierarchy that it was made with can explain it";
    Error::value(&shown.name, text, row, problem).advise([Advice::hierarchy_file(&shown.name)])
}

/// The loss of each text, or `None` if it cannot be read, and the properties of the column as a
/// whole. If missing values are a value of their own, a hierarchy must have a leaf for them.
pub(super) fn of_texts(
    texts: &[&str],
    original: Original<'_>,
    built: Option<&Generalization>,
) -> (Whole, Vec<Option<Cell>>) {
    let reader = Reader::new(texts, original, built);
    let found: Vec<Option<Found>> = texts.iter().map(|text| reader.find(text)).collect();
    // Losses that need levels or masses apply only if all texts of the column have them.
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

/// The loss of a published value, and which parts of it are known.
struct Found {
    cell: Cell,
    has_level: bool,
    has_mass: bool,
}

/// Finds the loss of published values.
struct Reader<'a> {
    domain: &'a Domain,
    masks: Masks<'a>,
    /// Number of records with each code.
    counts: Vec<u64>,
    /// Number of distinct values that a cell can represent.
    n_values: usize,
    /// The numbers or dates in ascending order; empty for other columns.
    numbers: Vec<f64>,
    /// Prefix sums of `counts`.
    running: Vec<u64>,
    nodes: Option<Nodes<'a>>,
}

impl<'a> Reader<'a> {
    fn new(
        texts: &[&'a str],
        Original { table, place }: Original<'a>,
        built: Option<&Generalization>,
    ) -> Self {
        let column = &table.columns()[place];
        let (domain, masks) = (&column.domain, Masks::new(column));
        let cohorts = table.cohorts();
        let mut counts = vec![0; domain.n_codes()];
        for (cohort, count) in cohorts.counted() {
            counts[cohorts.tuple(cohort)[place].index()] += count;
        }
        // Missing values count as one more value only under the policy that treats them so.
        let is_own = domain.missing.as_ref().is_some_and(|missing| missing.is_value);
        let scale = domain.values.scale();
        let numbers = scale.map_or_else(Vec::new, |scale| {
            (0..scale.len()).map(|place| scale.value(place)).collect()
        });
        let running = running(&counts);
        let n_values = domain.len() + usize::from(is_own);
        let nodes = built.and_then(|built| Nodes::new(texts, built, domain, &counts));
        Self { domain, masks, counts, n_values, numbers, running, nodes }
    }

    fn whole(&self) -> Whole {
        let root = self.nodes.as_ref().map(|nodes| nodes.root.distortion);
        let missing = self.domain.missing.as_ref();
        // A record that matches any value has no count of its own, so its entropy is undefined.
        let matches_anything =
            missing.is_some_and(|missing| !missing.is_value && self.counts[self.domain.len()] > 0);
        // Values that the hierarchy merges into one leaf count together, if it has all values.
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
        // `*` says nothing, even if a value is spelt that way. A set counts by its members.
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
            _ if text.trim().is_empty() => Some(self.anything()), // an empty cell shows nothing
            Notation::Range(low, high) => {
                self.range(low, high, excluded_ends(&self.domain.values, text))
            }
            Notation::PartialSet(members, n_more) => self.partial_set(&members, n_more),
            // Hidden characters: the label means the values that have the others.
            Notation::Name(_) => {
                let codes = self.masks.covered(text);
                (!codes.is_empty()).then(|| self.one_of(&codes))
            }
            Notation::Anything | Notation::Set(_) => None,
        }
    }

    /// Whether a text is a node of the hierarchy or, without one, a value, an interval of numbers,
    /// or anything in a column of other values.
    fn is_regular(&self, text: &str) -> bool {
        let notation = Notation::read_as(&self.domain.values, text);
        let says_nothing = text.trim().is_empty() || matches!(notation, Notation::Anything);
        let is_shown = match &self.nodes {
            Some(nodes) => nodes.find(text, &notation).is_some(),
            // Sets of words cost at least what the smallest set of their members costs.
            None if self.numbers.is_empty() => true,
            None => matches!(notation, Notation::Range(..)) || self.domain.code_of(text).is_some(),
        };
        says_nothing || is_shown
    }

    /// The codes of the members of a set, if all of them are values.
    fn codes(&self, members: &[String]) -> Option<Vec<Code>> {
        let mut codes: Vec<Code> =
            members.iter().map(|member| self.domain.code_of(member)).collect::<Option<_>>()?;
        codes.sort_unstable();
        codes.dedup();
        Some(codes)
    }

    /// The loss of a set of original values; a single value is on the lowest level.
    fn one_of(&self, codes: &[Code]) -> Found {
        // The share of the other values that the set covers.
        let cost = (codes.len() - 1) as f64 / (self.n_values.max(2) - 1) as f64;
        let share = share(cost, codes.len(), self.n_values);
        let mass = codes.iter().map(|&code| self.counts[code.index()]).sum();
        let cell = Cell { cost, share, mass, ..Cell::default() };
        Found { cell, has_level: codes.len() == 1, has_mass: true }
    }

    /// The loss of a set of original values and `n_more` others that are not named.
    fn partial_set(&self, members: &[String], n_more: usize) -> Option<Found> {
        let n_members = self.codes(members)?.len().checked_add(n_more)?;
        let cost = (n_members - 1) as f64 / (self.n_values.max(2) - 1) as f64;
        let share = share(cost, n_members, self.n_values);
        let cell = Cell { cost, share, ..Cell::default() };
        // More members than the column has values: the text is not about this column.
        (cost <= 1.0).then_some(Found { cell, has_level: false, has_mass: false })
    }

    /// The loss of `*`: it costs 1, even if the column has a single value.
    fn anything(&self) -> Found {
        let mass = self.counts.iter().sum();
        let distortion = self.nodes.as_ref().map_or(0.0, |nodes| nodes.root.distortion);
        Found {
            cell: Cell { cost: 1.0, share: 1.0, level: 1.0, distortion, mass },
            has_level: true,
            has_mass: true,
        }
    }

    /// The loss of a range: the share of the original range that it covers.
    fn range(&self, low: f64, high: f64, excluded: Excluded) -> Option<Found> {
        let (&least, &greatest) = (self.numbers.first()?, self.numbers.last()?);
        let covered = high.min(greatest) - low.max(least);
        // NCP of a range: the part of the original range that it covers, without what lies outside.
        let cost = match greatest - least {
            width if width > 0.0 => (covered / width).min(1.0),
            _ => 0.0,
        };
        let is_before = |number: f64| number < low || (excluded.low && number <= low);
        let is_within = |number: f64| number < high || (!excluded.high && number <= high);
        let first = self.numbers.partition_point(|&number| is_before(number));
        let end = self.numbers.partition_point(|&number| is_within(number));
        // A range between two values contains none, and `end` can then be less than `first`.
        let mass = self.running[end.max(first)] - self.running[first];
        let cell = Cell { cost, share: cost, mass, ..Cell::default() };
        // A range outside the values of the column explains no record.
        (cost >= 0.0).then_some(Found { cell, has_level: false, has_mass: true })
    }
}

/// The nodes of a hierarchy that published texts refer to.
struct Nodes<'a> {
    /// Cells by label.
    named: HashMap<&'a str, Option<Cell>>,
    /// Cells by the range in a label, whatever style it is published in.
    ranges: HashMap<[u64; 2], Option<Cell>>,
    root: Cell,
    /// Number of records with each leaf.
    of_leaf: Vec<u64>,
}

impl<'a> Nodes<'a> {
    fn new(
        texts: &[&'a str],
        built: &Generalization,
        domain: &Domain,
        counts: &[u64],
    ) -> Option<Self> {
        let (ground, root) = (built.ground()?, built.root()?);
        let mut of_leaf = vec![0; ground.len()];
        let missing = domain.missing.as_ref().map(|missing| ground.leaf_spelt(&missing.spelling));
        let leaves = ground.leaves_for(domain).into_iter().chain(missing);
        for (leaf, count) in leaves.zip(counts) {
            leaf.into_iter().for_each(|leaf| of_leaf[leaf.index()] += count);
        }
        let cells = of_nodes(built, &of_leaf);
        // Only texts of the release are looked up, so other labels need no entry.
        let named = texts.iter().map(|&text| (text, None)).collect();
        let ranges = texts.iter().filter_map(|text| Some((range_of(&domain.values, text)?, None)));
        let (ranges, root_cell) = (ranges.collect(), cells[root.index()]);
        let mut nodes = Self { named, ranges, root: root_cell, of_leaf };
        for (node, &cell) in cells.iter().enumerate() {
            nodes.offer(&built.published(Entry::new(node)), built.values(), cell);
        }
        if let Generalization::Tree(tree) = built {
            // Other tools may publish the label of the root instead of `*`.
            nodes.offer(&tree.label(root.node()), built.values(), root_cell);
        }
        Some(nodes)
    }

    /// Records a node if its label is among the texts. If a reader cannot distinguish several
    /// nodes, the one that loses most counts.
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

/// Whether `one` loses more than `other`: by cost, then by mass, level and distortion.
fn says_less(one: &Cell, other: &Cell) -> bool {
    let order = |cell: &Cell| [cell.cost, cell.mass as f64, cell.level, cell.distortion];
    order(one) > order(other)
}

fn range_of(values: &Values, text: &str) -> Option<[u64; 2]> {
    range(&Notation::read_as(values, text))
}

/// A key that identifies a range. Adding 0.0 turns -0.0 into 0.0.
fn range(notation: &Notation) -> Option<[u64; 2]> {
    match notation {
        Notation::Range(low, high) => Some([low, high].map(|end| (end + 0.0).to_bits())),
        _ => None,
    }
}
