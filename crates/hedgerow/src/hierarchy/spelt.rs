//! Finds the values that appear literally in the labels of a tree.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::Notation;
use super::ends::End;
use super::leaf::Leaf;
use super::node::Node;
use super::notation::Written;
use super::period::{Period, Span};
use super::tree::Hierarchy;
use crate::table::{Reading, Scale, Values};

/// The leaves whose values appear literally in the labels of a tree.
pub(crate) struct Spelt<'a> {
    pub(super) tree: &'a Hierarchy,
    /// Leaves by their spelling; empty unless the tree has names, because only names can be sets.
    leaves: HashMap<Cow<'a, str>, Leaf>,
    /// Whether all values are days, so that the name of a day is a value.
    are_days: bool,
}

/// The values that a label contains.
pub(super) enum Spelling {
    /// The ends of an interval, where they are values.
    Ends([Option<Leaf>; 2]),
    /// Members of a set, ascending. They can include values outside the node.
    Members(Vec<Leaf>),
    /// No values.
    Name,
}

impl<'a> Spelt<'a> {
    pub(crate) fn of(tree: &'a Hierarchy) -> Self {
        let spelt = |leaf| (tree.spelling(leaf), leaf);
        let leaves = Leaf::first(tree.n_leaves()).filter(|_| tree.has_names()).map(spelt).collect();
        let are_days = match tree.leaves() {
            Values::Date(scale, _) => (0..scale.len()).all(|place| is_day(scale, place)),
            _ => false,
        };
        Self { tree, leaves, are_days }
    }

    /// Returns the leaves whose values appear literally in the published text of a node.
    pub(crate) fn leaves(&self, node: Node) -> Vec<Leaf> {
        if let Some(leaf) = self.tree.as_leaf(node) {
            return vec![leaf];
        }
        if self.tree.published(node) == "*" {
            return Vec::new();
        }
        match self.by(node) {
            Spelling::Ends(ends) => ends.into_iter().flatten().collect(),
            Spelling::Members(members) => members,
            Spelling::Name => Vec::new(),
        }
    }

    /// Determines the values that the label of a node contains.
    pub(super) fn by(&self, node: Node) -> Spelling {
        let tree = self.tree;
        let leaves = tree.leaves_of(node);
        if tree.has_names() {
            return self.by_label(node);
        }
        let scale = tree.leaves().scale();
        if leaves.end.index() > tree.leaves().len() {
            return Spelling::Name; // numbers and missing values share only `*`
        }
        match (tree.bounds(node).filter(|_| tree.has_bounds()), scale) {
            (Some((low, high)), Some(scale)) => {
                let place = |value| scale.place_at(value).map(Leaf::new);
                Spelling::Ends([place(low), place(high)])
            }
            // Without bounds a node is written as the interval from its first to its last leaf.
            _ => Spelling::Ends([Some(leaves.start), Some(leaves.greatest())]),
        }
    }

    fn by_label(&self, node: Node) -> Spelling {
        let (tree, leaves) = (self.tree, self.tree.leaves_of(node));
        let label = tree.label(node);
        let (first, last) = (tree.spelling(leaves.start), tree.spelling(leaves.greatest()));
        // The common case first: the label that hedgerow itself writes.
        if label == tree.leaves().interval(&first, &last) {
            return Spelling::Ends([Some(leaves.start), Some(leaves.greatest())]);
        }
        if let Notation::Set(members) | Notation::PartialSet(members, _) =
            Notation::read_as(tree.leaves(), &label)
        {
            let mut found: Vec<Leaf> =
                members.iter().filter_map(|member| self.leaf_spelt(member)).collect();
            // Two spellings of one number are one leaf.
            found.sort_unstable();
            found.dedup();
            return Spelling::Members(found);
        }
        match Written::read_as(tree.leaves(), &label) {
            Some(written) => Spelling::Ends(written.ends.map(|end| self.value_spelt(end?))),
            None if leaves.len() == 1 && self.is_value(&label, leaves.start) => {
                Spelling::Members(vec![leaves.start])
            }
            // A calendar period is a name, alone or as an end.
            None => Spelling::Name,
        }
    }

    /// Returns the ends of the closed interval that a node represents, or `None` unless it is a
    /// range of numbers or dates. One of the ends can be infinite.
    pub(super) fn stated(&self, node: Node) -> Option<[End; 2]> {
        let (tree, first) = (self.tree, self.tree.leaves_of(node).start);
        let scale = tree.leaves().scale().filter(|scale| first.index() < scale.len())?;
        let label = tree.label(node);
        let written = Written::read_as(tree.leaves(), &label);
        let end = |value: f64, text: String, leaf: Option<Leaf>| End {
            leaf: leaf.unwrap_or(first),
            value,
            text: text.into(),
            is_value: leaf.is_some(),
        };
        if let Values::Date(_, format) = tree.leaves() {
            let Written { ends: [low, high], range, .. } = written?.closed(format)?;
            let date = |value, text: Option<&str>| {
                let text = text.unwrap_or_default().trim();
                end(value, text.to_owned(), self.value_spelt(text))
            };
            return Some([date(range.0, low), date(range.1, high)]);
        }
        // A named node has the range of its label, any other node the range of its bounds.
        let stated = written.filter(|_| tree.has_names()).map(|written| written.range);
        let (low, high) = stated.or_else(|| tree.bounds(node))?;
        let place = |value| scale.place_at(value).map(Leaf::new);
        Some([low, high].map(|value| end(value, scale.spell(value), place(value))))
    }

    /// Whether a label that is neither a set nor a range is the value of a leaf. The name of a day
    /// is not the value of that day's first moment.
    fn is_value(&self, label: &str, leaf: Leaf) -> bool {
        let is_period = !self.are_days && Period::read(label.trim()).is_some();
        let is_date = matches!(self.tree.leaves(), Values::Date(..));
        self.leaves.get(label) == Some(&leaf)
            || (self.value_spelt(label) == Some(leaf) && !(is_date && is_period))
    }

    /// Returns the leaf with this spelling, which can be the leaf of missing values.
    fn leaf_spelt(&self, text: &str) -> Option<Leaf> {
        self.leaves.get(text).copied().or_else(|| self.value_spelt(text))
    }

    /// Returns the leaf of the number or date that a text represents, in any spelling.
    fn value_spelt(&self, text: &str) -> Option<Leaf> {
        let values = self.tree.leaves();
        let day = || Period::read(text.trim()).filter(|_| self.are_days)?.as_day();
        let reading = values.read(text).or_else(|| day().map(|second| Reading::exact(second, 0)));
        values.scale()?.place_of(reading?).map(Leaf::new)
    }
}

/// The calendar periods that a range of dates begins and ends with, as in `[1931, 1973]`.
pub(crate) fn periods_at_ends(values: &Values, label: &str) -> Vec<(f64, f64)> {
    if !matches!(values, Values::Date(..)) {
        return Vec::new();
    }
    let ends = Written::read_as(values, label).map_or([None; 2], |written| written.ends);
    ends.into_iter()
        .flatten()
        .filter_map(|end| Period::read(end.trim()))
        .map(Period::range)
        .collect()
}

/// Whether a date has no time of day.
fn is_day(scale: &Scale, place: usize) -> bool {
    let second = scale.floor(place);
    let day = Period::of(Span::Day, second).as_day();
    day == Some(second) && scale.value(place).fract() == 0.0
}
