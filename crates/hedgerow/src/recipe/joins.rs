//! Joins labels of a quasi-identifier, for classes that are merged.

use hashbrown::HashMap;

use super::bind::{Bound, share_of_others};
use super::labels::runs;
use super::rule::{Known, Range, cost_of_range, run_of};
use crate::hierarchy::{Excluded, Label, write_set};
use crate::release::IntervalStyle;
use crate::table::Kind;

/// Joins labels. A join is the label of least cost that covers both. Without a hierarchy, ranges
/// are joined to the range that contains both and sets to their union, so all ends and members are
/// those of labels in the recipe.
#[derive(Debug)]
pub(super) struct Joins<'a> {
    pub(super) bound: Bound<'a>,
    joined: HashMap<(u32, u32), u32>,
    /// The label of a leaf on its own.
    own: HashMap<u32, u32>,
    /// The labels by their ends.
    by_ends: HashMap<(u64, u64), u32>,
    /// The ends of ranges with their texts, ascending.
    lows: Vec<(f64, String)>,
    highs: Vec<(f64, String)>,
    /// The labels in ascending order of their costs.
    order: Vec<u32>,
    /// The places of the known values of each label.
    places: Vec<Vec<(u32, u32)>>,
}

/// The first and the last leaf of a label or of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl<'a> Joins<'a> {
    pub(super) fn new(bound: Bound<'a>) -> Self {
        let rule = bound.rule;
        let mut order: Vec<u32> = (0..rule.labels.len() as u32)
            .filter(|&label| !rule.labels[label as usize].is_unknown())
            .collect();
        // The first label of this order that covers something is the cheapest one.
        order.sort_by(|&a, &b| bound.by_cost(a, b));
        let (mut lows, mut highs, mut by_ends) = (Vec::new(), Vec::new(), HashMap::new());
        // With a hierarchy only its own labels may be published, so ends are collected without one
        // only.
        for (number, label) in (0..).zip(&rule.labels).filter(|_| rule.free) {
            let Some(range) = label.range.filter(|range| is_closed(range) && label.also.is_none())
            else {
                continue;
            };
            by_ends.entry(bits(&range)).or_insert(number);
            let [low, high] = bound.end_texts(label.text.as_deref().unwrap_or_default(), &range);
            lows.push((range.low.0, low));
            highs.push((range.high.0, high));
        }
        for ends in [&mut lows, &mut highs] {
            // The texts of the recipe are kept, because they have the decimals and the date format
            // of the file.
            ends.sort_by(|a: &(f64, String), b| a.0.total_cmp(&b.0));
            ends.dedup_by(|a, b| a.0.total_cmp(&b.0).is_eq());
        }
        let places = rule.labels.iter().map(|label| label.places.clone()).collect();
        let (joined, own) = (HashMap::new(), HashMap::new());
        Self { bound, joined, own, by_ends, lows, highs, order, places }
    }

    /// The cost of a label.
    pub(super) fn cost(&self, label: u32) -> f64 {
        self.bound.labels[label as usize].cost
    }

    /// The cost of the join of two labels.
    pub(super) fn cost_of(&mut self, one: u32, other: u32) -> f64 {
        // The hull of two ranges needs no label to know what it costs.
        match self.hull(one, other) {
            Some(hull) => cost_of_range(&hull, self.bound.width),
            None => {
                let label = self.of(one, other);
                self.cost(label)
            }
        }
    }

    /// The join of two labels.
    pub(super) fn of(&mut self, one: u32, other: u32) -> u32 {
        if one == other {
            return one;
        }
        // A join is symmetric, so one entry serves both orders.
        let key = (one.min(other), one.max(other));
        if let Some(&label) = self.joined.get(&key) {
            return label;
        }
        let label = match self.hull(one, other) {
            Some(hull) => self.range(&hull),
            None => self.union(one, other).unwrap_or_else(|| self.cheapest(one, other)),
        };
        self.joined.insert(key, label);
        label
    }

    /// The narrowest label that covers a leaf.
    pub(super) fn own(&mut self, leaf: u32) -> u32 {
        if let Some(&label) = self.own.get(&leaf) {
            return label;
        }
        let label = match self.around(leaf) {
            Some(range) => self.range(&range),
            None => {
                let labels = &self.bound.labels;
                let covers = |label: &u32| labels[*label as usize].covers(leaf.into());
                self.order.iter().copied().find(covers).unwrap_or(self.bound.all)
            }
        };
        self.own.insert(leaf, label);
        label
    }

    /// The first and the last leaf of a label; `None` if it covers no value of this table.
    pub(super) fn ends(&self, label: u32) -> Option<Ends> {
        let runs = &self.bound.labels[label as usize].runs;
        let ((first, _), (_, end)) = (runs.first()?, runs.last()?);
        Some(Ends { first: *first, last: end - 1 })
    }

    /// The distance of the leaves of a label from the leaves of a box: a lower bound for the cost
    /// of any label that covers both.
    pub(super) fn gap(&self, label: u32, of_box: Option<Ends>) -> f64 {
        // Nothing is known about labels without leaves in this table, so the bound is 0.
        let (Some(own), Some(of_box)) = (self.ends(label), of_box) else { return 0.0 };
        let number = |leaf: u32| self.bound.numbers.get(leaf as usize);
        // If the two overlap, the difference below is negative and is clamped to 0.
        let (below, above) = if own.last < of_box.first {
            (own.last, of_box.first)
        } else {
            (of_box.last, own.first)
        };
        match (number(below), number(above)) {
            (Some(low), Some(high)) if self.bound.width > 0.0 => {
                ((high - low) / self.bound.width).clamp(0.0, 1.0)
            }
            _ => 0.0,
        }
    }

    /// The range that contains two ranges, if there is no hierarchy.
    fn hull(&self, one: u32, other: u32) -> Option<Range> {
        let [one, other] = [one, other].map(|label| {
            let also = self.bound.rule.labels.get(label as usize).and_then(|label| label.also);
            let range = self.bound.ranges[label as usize];
            range.filter(|range| self.bound.rule.free && is_closed(range) && also.is_none())
        });
        let (one, other) = (one?, other?);
        let (low, high) = (one.low.0.min(other.low.0), one.high.0.max(other.high.0));
        Some(Range::closed(low, high))
    }

    /// The narrowest range around a leaf whose ends are ends of labels.
    fn around(&self, leaf: u32) -> Option<Range> {
        let number = *self.bound.numbers.get(leaf as usize)?;
        // Ends are those of published labels: a new end could be a rare value of this table.
        let low = self.lows.partition_point(|(low, _)| *low <= number).checked_sub(1)?;
        let high = self.highs.partition_point(|(high, _)| *high < number);
        let (low, high) = (self.lows[low].0, self.highs.get(high)?.0);
        Some(Range::closed(low, high))
    }

    /// The label of a range whose ends are ends of labels; a new one if there is none.
    fn range(&mut self, range: &Range) -> u32 {
        if let Some(&label) = self.by_ends.get(&bits(range)) {
            return label;
        }
        // The fallback cannot occur: every end of a join is an end of a label.
        let text_of = |ends: &[(f64, String)], end: f64| {
            let found = ends.binary_search_by(|other| other.0.total_cmp(&end));
            found.map_or_else(|_| end.to_string(), |place| ends[place].1.clone())
        };
        let low = text_of(&self.lows, range.low.0);
        let high = text_of(&self.highs, range.high.0);
        let (text, cells) = self.bound.spelt(range, &low, &high);
        let (start, end) = run_of(&self.bound.numbers, range);
        let runs = if start < end { vec![(start as u32, end as u32)] } else { Vec::new() };
        let cost = cost_of_range(range, self.bound.width);
        let label = Label { text, cells, runs, cost };
        let number = self.push(label, Some(*range), Vec::new());
        self.by_ends.insert(bits(range), number);
        number
    }

    /// The union of two sets, if there is no hierarchy and all members are named in the recipe.
    fn union(&mut self, one: u32, other: u32) -> Option<u32> {
        let rule = self.bound.rule;
        if !rule.free || self.bound.scale.is_some() {
            return None;
        }
        let [a, b] = [one, other].map(|label| &self.places[label as usize]);
        let also = [one, other].map(|label| rule.labels.get(label as usize)?.also);
        // A label that covers missing values or everything cannot be written as a set of values.
        if a.is_empty() || b.is_empty() || also != [None; 2] {
            return None;
        }
        let mut places: Vec<u32> = a.iter().chain(b).flat_map(|&(start, end)| start..end).collect();
        places.sort_unstable();
        places.dedup();
        let name = |&place: &u32| match &rule.values[place as usize] {
            Known::Value(value) => Some(value.as_str()),
            Known::Hash { .. } => None,
        };
        // A hashed value has no name to write, so the union falls back on a label of the recipe.
        let names: Vec<&str> = places.iter().map(name).collect::<Option<_>>()?;
        let text: Box<str> = write_set(&names).into();
        let cost = share_of_others(names.len(), rule.values.len());
        let [a, b] = [one, other].map(|label| &self.bound.labels[label as usize].runs);
        let mut leaves: Vec<u32> = a.iter().chain(b).flat_map(|&(start, end)| start..end).collect();
        leaves.sort_unstable();
        let label = Label { cells: [text.clone()].into(), text, runs: runs(leaves), cost };
        Some(self.push(label, None, runs(places)))
    }

    /// The label of least cost that covers two labels; the first of several.
    fn cheapest(&self, one: u32, other: u32) -> u32 {
        let [a, b] = [one, other].map(|label| &self.bound.labels[label as usize].runs);
        let covers = |label: &u32| {
            let own = &self.bound.labels[*label as usize];
            own.covers_all(a) && own.covers_all(b)
        };
        self.order.iter().copied().find(covers).unwrap_or(self.bound.all)
    }

    fn push(&mut self, label: Label, range: Option<Range>, places: Vec<(u32, u32)>) -> u32 {
        self.bound.labels.push(label);
        self.bound.ranges.push(range);
        self.places.push(places);
        self.bound.labels.len() as u32 - 1
    }
}

impl Bound<'_> {
    /// The texts of the ends of a range, given the text of its label.
    fn end_texts(&self, text: &str, range: &Range) -> [String; 2] {
        if range.low == range.high {
            return [text.to_owned(), text.to_owned()];
        }
        let separator = self.scale.as_ref().map_or(", ", |scale| scale.decimal().separator());
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        match inner.and_then(|inner| inner.split_once(separator)) {
            Some((low, high)) => [low.to_owned(), high.to_owned()],
            None => [range.low.0, range.high.0].map(|end| self.plain(end)),
        }
    }

    fn plain(&self, end: f64) -> String {
        let text = end.to_string();
        self.scale.as_ref().map_or(text.clone(), |scale| scale.decimal().write(text))
    }

    /// The text and the cells of a range with these texts of its ends.
    fn spelt(&self, range: &Range, low: &str, high: &str) -> (Box<str>, Box<[Box<str>]>) {
        let separator = self.scale.as_ref().map_or(", ", |scale| scale.decimal().separator());
        let brackets =
            if low == high { low.to_owned() } else { format!("[{low}{separator}{high}]") };
        let styled = self.rule.kind == Kind::Number;
        match self.style {
            IntervalStyle::Dash if styled && low != high => {
                let text: Box<str> = format!("{low}-{high}").into();
                (text.clone(), [text].into())
            }
            // Two cells, the low and the high end, even if they are equal.
            IntervalStyle::Bounds if styled => (brackets.into(), [low.into(), high.into()].into()),
            IntervalStyle::Midpoint if styled && low != high => {
                let middle = |scale: &crate::table::Scale| scale.middle(range.low.0, range.high.0);
                let middle = self.scale.as_ref().map_or_else(|| brackets.clone(), middle);
                (brackets.into(), [middle.into()].into())
            }
            _ => (brackets.as_str().into(), [brackets.as_str().into()].into()),
        }
    }
}

fn is_closed(range: &Range) -> bool {
    range.open == Excluded::default() && range.low.0.is_finite() && range.high.0.is_finite()
}

/// A key that identifies a range. Adding 0.0 turns -0.0 into 0.0.
fn bits(range: &Range) -> (u64, u64) {
    ((range.low.0 + 0.0).to_bits(), (range.high.0 + 0.0).to_bits())
}
