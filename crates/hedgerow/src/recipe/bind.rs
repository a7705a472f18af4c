//! Binds the rules of a quasi-identifier to a column of the next table.

use std::cmp::Ordering;

use hashbrown::HashMap;

use super::labels::runs;
use super::near::{Unseen, nearest_number, nearest_word};
use super::rule::{Known, Label as Ruled, Range, Rule, cost_of_range, run_of};
use super::secrecy::Salted;
use crate::error::Advice;
use crate::hierarchy::{self, Label, Masks};
use crate::noun::counted;
use crate::release::{IntervalStyle, published_columns};
use crate::table::{Column, Kind, Scale};
use crate::{Error, Result};

/// The labels of a quasi-identifier with the leaves of the next column that each covers. The leaf
/// of a value is its code, and missing values that are a value of their own have the leaf after all
/// values.
#[derive(Debug)]
pub(super) struct Bound<'a> {
    pub(super) rule: &'a Rule,
    /// The labels, by number; joined labels come after those of the rule.
    pub(super) labels: Vec<Label>,
    /// The range of each label, if it is one.
    pub(super) ranges: Vec<Option<Range>>,
    /// The label that covers everything.
    pub(super) all: u32,
    /// Whether each code, that of missing values last, is covered by no label that publishes
    /// values.
    pub(super) is_strange: Vec<bool>,
    /// Number of leaves.
    pub(super) n_leaves: usize,
    /// The width of the column, the unit of costs of numbers.
    pub(super) width: f64,
    pub(super) style: IntervalStyle,
    /// The scale of numbers and dates.
    pub(super) scale: Option<Scale>,
    /// The numbers of the leaves; those that no range contains may have moved to the nearest.
    pub(super) numbers: Vec<f64>,
    /// The place of each value among the known ones.
    pub(super) places: Vec<Option<u32>>,
}

/// Options for binding rules to a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) salt: &'a str,
    pub(super) unseen: Unseen,
    pub(super) style: IntervalStyle,
    /// Whether each label can publish values.
    pub(super) is_used: &'a [bool],
}

impl<'a> Bound<'a> {
    /// # Errors
    ///
    /// [`Error::Value`] if a value is not covered and that is an error.
    pub(super) fn new(rule: &'a Rule, column: &Column, terms: Terms<'_>) -> Result<Self> {
        let mut met = Met::new(rule, column, terms);
        let is_strange: Vec<bool> =
            (0..column.domain.n_codes()).map(|code| met.is_strange(code)).collect();
        if terms.unseen == Unseen::Error {
            // Before anything moves to its nearest label, so that the message has the original
            // value.
            refuse_strange(rule, column, &is_strange)?;
        }
        if terms.unseen == Unseen::Nearest {
            met.move_to_nearest(&is_strange);
        }
        // Only missing values that are a value of their own need a leaf; others match any label.
        let is_own = column.domain.missing.as_ref().is_some_and(|missing| missing.is_value);
        let n_leaves = column.domain.len() + usize::from(is_own);
        let width = rule.width();
        let leaves_of_places = by_place(&met.places);
        let bound = |label: &Ruled| Label {
            runs: met.runs(label, is_own, &leaves_of_places),
            cost: cost(rule, label, width),
            ..met.shown(label)
        };
        let labels = rule.labels.iter().map(bound).collect();
        let all = rule.labels.iter().position(Ruled::is_all);
        // Reading a recipe has checked this, and writing one adds the label.
        let all = all.ok_or_else(|| Error::Internal("a rule covers everything".into()))? as u32;
        Ok(Self {
            rule,
            labels,
            ranges: rule.labels.iter().map(|label| label.range).collect(),
            all,
            is_strange,
            n_leaves,
            width,
            style: terms.style,
            scale: column.domain.values.scale().cloned(),
            numbers: met.numbers,
            places: met.places,
        })
    }

    /// The label that publishes each leaf in a global recoding: the one that names its value, or
    /// the one of least cost among those whose ranges contain it, or the one that covers
    /// everything.
    pub(super) fn cut(&self) -> Vec<u32> {
        let mut of_leaf = vec![self.all; self.n_leaves];
        let mut cuts: Vec<u32> = (0..self.rule.labels.len() as u32)
            .filter(|&label| self.rule.labels[label as usize].cut)
            .collect();
        // The last one written wins: the one of least cost, and of these the first.
        cuts.sort_by(|&a, &b| self.by_cost(b, a));
        for &label in &cuts {
            for &(start, end) in &self.labels[label as usize].runs {
                of_leaf[start as usize..end as usize].fill(label);
            }
        }
        // Ranges with hidden ends can overlap; the values in both are listed with their label.
        let known = by_place(&self.places);
        for label in cuts {
            for run in &self.rule.labels[label as usize].places {
                for &(_, leaf) in in_run(&known, run.0, run.1) {
                    of_leaf[leaf as usize] = label;
                }
            }
        }
        of_leaf
    }

    /// The order of two labels of the rule by cost and number; the one that covers everything is
    /// last.
    pub(super) fn by_cost(&self, one: u32, other: u32) -> Ordering {
        let key = |label: u32| (label == self.all, self.labels[label as usize].cost, label);
        let (one, other) = (key(one), key(other));
        // By number in the end, so that equal costs give the same choice in every run.
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.cmp(&other.2))
    }

    /// Whether a label is that of missing values that match any value.
    pub(super) fn is_unknown(&self, label: u32) -> bool {
        self.rule.labels.get(label as usize).is_some_and(Ruled::is_unknown)
    }

    /// The names of the columns in which the attribute is published.
    pub(super) fn columns(&self) -> Vec<String> {
        published_columns(&self.rule.name, self.rule.kind, self.style)
    }

    /// The labels as a generalization of the column.
    pub(super) fn generalization(&self, column: &Column) -> hierarchy::Generalization {
        let values = column.domain.values.clone();
        let whole = hierarchy::Tag::from(self.all);
        let labels = hierarchy::Labels::new(values, self.labels.clone(), whole);
        hierarchy::Generalization::Fixed(labels.into())
    }
}

/// Returns an error for the first value in the file that no label covers.
fn refuse_strange(rule: &Rule, column: &Column, is_strange: &[bool]) -> Result<()> {
    let domain = &column.domain;
    let row_of = |code: usize| match &domain.missing {
        Some(missing) if code == domain.len() => missing.first_row,
        _ => domain.first_rows[code],
    };
    // The first in the file, not the first by code, because users search from the top.
    let strange = (0..is_strange.len()).filter(|&code| is_strange[code]);
    let n = strange.clone().count();
    let Some(first) = strange.min_by_key(|&code| row_of(code)) else { return Ok(()) };
    let value = domain.spelling(crate::table::Code::new(first));
    let what = match rule.kind {
        _ if first == domain.len() => "is missing, which the recipe has no rule for",
        Kind::Number | Kind::Date => "is outside all ranges of the recipe",
        Kind::Code | Kind::Text => "is not in the recipe",
    };
    let others = match n {
        1 => String::new(),
        // If nothing fits, the recipe probably belongs to another column or table.
        n if n == domain.n_codes() => ", and neither is any other value of the column".to_owned(),
        n => format!(", and the same is true of {}", counted(n - 1, "other value")),
    };
    let problem = format!("{what}{others}");
    let error = Error::value(&rule.name, value, Some(row_of(first) + 1), problem);
    Err(error.advise([
        Advice::TreatUnseen(Unseen::CHOICES),
        Advice::words("correct the value, or make a new recipe from a table that has it"),
    ]))
}

/// The places of the next column's values among the known ones.
struct Met<'a> {
    rule: &'a Rule,
    column: &'a Column,
    masks: Masks<'a>,
    terms: Terms<'a>,
    /// The known value of each code.
    places: Vec<Option<u32>>,
    /// The number of each code; empty for words and codes.
    numbers: Vec<f64>,
    /// Ranges of the labels that can publish values.
    ranges: Vec<Range>,
    /// Whether each code is in one of these ranges.
    is_within: Vec<bool>,
    /// Whether each known value can be published other than as `*`.
    is_placed: Vec<bool>,
    /// Whether any value can be.
    is_told: bool,
}

impl<'a> Met<'a> {
    fn new(rule: &'a Rule, column: &'a Column, terms: Terms<'a>) -> Self {
        // The label of everything is left out: it would make every value known.
        let used = || {
            let labels = rule.labels.iter().zip(terms.is_used);
            labels.filter(|(label, is_used)| **is_used && !label.is_all()).map(|(label, _)| label)
        };
        // If `*` is published, it covers all known values, and all numbers.
        let labels = rule.labels.iter().zip(terms.is_used);
        let has_all = labels.clone().any(|(label, is_used)| *is_used && label.is_all());
        let mut is_placed = vec![has_all; rule.values.len()];
        for &(start, end) in used().flat_map(|label| &label.places) {
            is_placed[start as usize..end as usize].fill(true);
        }
        let ranges: Vec<Range> = used().filter_map(|label| label.range).collect();
        let scale = column.domain.values.scale();
        let numbers: Vec<f64> = scale.map_or_else(Vec::new, |scale| {
            (0..scale.len()).map(|place| scale.value(place)).collect()
        });
        Self {
            rule,
            column,
            masks: Masks::new(column),
            terms,
            places: places(rule, column, terms.salt),
            is_told: used().any(|label| label.range.is_some() || !label.places.is_empty()),
            // The recipe does not have the numbers that were published as `*`, so any number can be
            // one.
            is_within: if has_all { vec![true; numbers.len()] } else { within(&numbers, &ranges) },
            numbers,
            ranges,
            is_placed,
        }
    }

    /// Whether a code is covered by no label that can publish it, other than the one that covers
    /// everything. If that is the only label, no code is.
    fn is_strange(&self, code: usize) -> bool {
        if code == self.column.domain.len() {
            return self.is_strange_missing();
        }
        let is_placed = self.places[code].is_some_and(|place| self.is_placed[place as usize]);
        let is_within = self.is_within.get(code).copied().unwrap_or(false);
        // A column that was published as `*` throughout has no rules, so nothing in it is strange.
        self.is_told && !is_placed && !is_within && !self.is_masked(code)
    }

    /// Whether missing values are a value of their own that no label covers.
    fn is_strange_missing(&self) -> bool {
        let missing = self.column.domain.missing.as_ref();
        let is_own = missing.is_some_and(|missing| missing.is_value);
        let labels = self.rule.labels.iter().zip(self.terms.is_used);
        let mut used = labels.filter(|(_, is_used)| **is_used).map(|(label, _)| label);
        is_own && !used.any(Ruled::has_missing)
    }

    /// Whether a code is unknown but fits a label that hides some of its characters.
    fn is_masked(&self, code: usize) -> bool {
        self.rule.kind == Kind::Code
            && self
                .rule
                .labels
                .iter()
                .zip(self.terms.is_used)
                .any(|(label, is_used)| *is_used && self.fits_mask(label, code))
    }

    /// Whether a label hides characters of a code that is not known: `021**` fits `02199`.
    fn fits_mask(&self, label: &Ruled, code: usize) -> bool {
        // `*` alone is not a mask, although it consists of asterisks.
        let Some(text) = label.text.as_ref().filter(|_| !label.is_all()) else { return false };
        // A known code has its labels by place; the mask is for codes that were never seen.
        if self.rule.kind != Kind::Code || self.places[code].is_some() || !text.contains('*') {
            return false;
        }
        self.masks.covers(text, code)
    }

    /// Treats strange values like the known values nearest to them.
    fn move_to_nearest(&mut self, is_strange: &[bool]) {
        let n_values = self.column.domain.len();
        for code in (0..n_values).filter(|&code| is_strange[code]) {
            let text = self.column.domain.values.spelling(code);
            match self.numbers.get(code) {
                Some(&number) => {
                    // Only the number that labels are found by is moved; the original stays in the
                    // table.
                    let near = nearest_number(&self.ranges, number);
                    self.numbers[code] = near.unwrap_or(number);
                }
                None => self.places[code] = nearest_word(self.rule, &text),
            }
        }
    }

    /// The leaves that a label covers.
    fn runs(&self, label: &Ruled, is_own: bool, known: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let n_values = self.column.domain.len() as u32;
        if label.is_all() {
            let end = n_values + u32::from(is_own);
            // An empty column has no run; a run of length 0 would break the code that takes its
            // last leaf.
            return if end > 0 { vec![(0, end)] } else { Vec::new() };
        }
        let mut leaves: Vec<u32> = Vec::new();
        if let Some(range) = label.range {
            let (start, end) = run_of(&self.numbers, &range);
            leaves.extend(start as u32..end as u32);
        }
        for run in &label.places {
            leaves.extend(in_run(known, run.0, run.1).iter().map(|(_, leaf)| *leaf));
        }
        if self.rule.kind == Kind::Code {
            leaves.extend((0..n_values).filter(|&leaf| self.fits_mask(label, leaf as usize)));
        }
        if is_own && label.has_missing() {
            leaves.push(n_values);
        }
        leaves.sort_unstable();
        leaves.dedup();
        runs(leaves)
    }

    /// A label as it is shown. A label without a text shows its value, which for a hashed value is
    /// known only if the column has it.
    fn shown(&self, label: &Ruled) -> Label {
        let text = label.text.clone().unwrap_or_else(|| self.value_of(label));
        let n_columns = published_columns(&self.rule.name, self.rule.kind, self.terms.style).len();
        let cells: Box<[Box<str>]> = match label.cells.as_slice() {
            // No cells in the recipe means that every published column shows the text.
            [] => vec![text.as_str().into(); n_columns].into(),
            cells => cells.iter().map(|cell| cell.as_str().into()).collect(),
        };
        Label { text: text.into(), cells, runs: Vec::new(), cost: 0.0 }
    }

    /// The value of a label of one value; `*` if it is hashed and the column does not have it.
    fn value_of(&self, label: &Ruled) -> String {
        let place = label.places.first().map_or(0, |run| run.0);
        if let Some(Known::Value(value)) = self.rule.values.get(place as usize) {
            return value.clone();
        }
        // A hash cannot be reversed, but a value of this column may have it.
        let code = self.places.iter().position(|own| *own == Some(place));
        let spelling = |code| self.column.domain.values.spelling(code).into_owned();
        code.map_or_else(|| "*".to_owned(), spelling)
    }
}

/// The known values among the leaves, each with its leaf, in the order of the places.
fn by_place(places: &[Option<u32>]) -> Vec<(u32, u32)> {
    let leaves = places.iter().zip(0..);
    let mut known: Vec<(u32, u32)> =
        leaves.filter_map(|(place, leaf)| Some(((*place)?, leaf))).collect();
    // Sorted by place, so that the leaves of a run of places are found by binary search.
    known.sort_unstable();
    known
}

/// Those of some known values, given with their leaves, whose places are from `start` to `end`,
/// which is excluded.
fn in_run(known: &[(u32, u32)], start: u32, end: u32) -> &[(u32, u32)] {
    let first = known.partition_point(|(place, _)| *place < start);
    let after = known.partition_point(|(place, _)| *place < end);
    &known[first..after.max(first)]
}

/// Whether each number, in order, is in one of the ranges.
fn within(numbers: &[f64], ranges: &[Range]) -> Vec<bool> {
    // A sweep over the ends of ranges: linear, where testing each number against each range would
    // not be.
    let mut changes = vec![0i64; numbers.len() + 1];
    for range in ranges {
        let (start, end) = run_of(numbers, range);
        changes[start] += 1;
        changes[end] -= 1;
    }
    let mut n_open = 0;
    let is_open = |change: &i64| {
        n_open += change;
        n_open > 0
    };
    changes[..numbers.len()].iter().map(is_open).collect()
}

/// The known value of each code of a column.
fn places(rule: &Rule, column: &Column, salt: &str) -> Vec<Option<u32>> {
    let values = &column.domain.values;
    let mut named: HashMap<String, u32> = HashMap::new();
    let mut hashed: HashMap<&str, u32> = HashMap::new();
    for (known, place) in rule.values.iter().zip(0..) {
        match known {
            Known::Hash { hash } => {
                hashed.insert(hash, place);
            }
            Known::Value(value) => {
                named.insert(key(column, value), place);
            }
        }
    }
    let hasher = Salted::new(salt, &rule.name);
    let place_of = |code: usize| {
        let own = named.get(&key(column, &values.spelling(code)));
        // Hashing is slow, so it comes last.
        let hash = || hashed.get(hasher.of(values, code).as_str());
        own.or_else(|| if hashed.is_empty() { None } else { hash() }).copied()
    };
    (0..column.domain.len()).map(place_of).collect()
}

/// A text that is the same for all spellings of a number.
fn key(column: &Column, value: &str) -> String {
    // Numbers are compared as numbers: `7`, `7.0` and `07` are one value.
    let number = column.domain.values.read(value);
    number.map_or_else(|| value.to_owned(), |number| number.value().to_string())
}

/// The cost of a label: the share of the width of the column, or of the other known values. It is
/// computed from what the recipe says, so that it is the same for every table.
fn cost(rule: &Rule, label: &Ruled, width: f64) -> f64 {
    if label.is_all() {
        return 1.0;
    }
    if let Some(range) = label.range {
        return cost_of_range(&range, width);
    }
    let n_values: u32 = label.places.iter().map(|(start, end)| end - start).sum();
    share_of_others(n_values as usize, rule.values.len())
}

/// The cost of a set of `n` of all known values.
pub(super) fn share_of_others(n: usize, n_all: usize) -> f64 {
    // LM of a set, (n - 1) / (N - 1): a single value costs 0, all values cost 1.
    if n <= 1 { 0.0 } else { ((n - 1) as f64 / (n_all.max(2) - 1) as f64).min(1.0) }
}
