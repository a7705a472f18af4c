//! Labels that were fixed before the values of a column were known.

use super::leaf::Leaf;
use crate::index::index;
use crate::table::Values;

index! {
    /// The number of one of the [`Labels`] of a column.
    Tag
}

/// A list of labels, each with the values that it covers.
///
/// The labels come from elsewhere, such as the recipe of an earlier release, so they reveal nothing
/// about the values of this column. They can overlap, and a value can be covered by none.
#[derive(Debug, Clone, PartialEq)]
pub struct Labels {
    values: Values,
    list: Vec<Label>,
    whole: Tag,
}

/// A label with the leaves that it covers.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The label as a text that can be read back.
    pub text: Box<str>,
    /// The published cells, one for each column in which the attribute is published.
    pub cells: Box<[Box<str>]>,
    /// Runs of leaves that the label covers, ascending and apart from each other; the end is not
    /// included.
    pub runs: Vec<(u32, u32)>,
    /// The cost of the label, from 0 to 1.
    pub cost: f64,
}

impl Label {
    /// Whether the label covers a leaf.
    pub fn covers(&self, leaf: Leaf) -> bool {
        let after = self.runs.partition_point(|run| run.0 <= leaf.get());
        after > 0 && leaf.get() < self.runs[after - 1].1
    }

    /// Whether the label covers all these runs.
    pub(crate) fn covers_all(&self, runs: &[(u32, u32)]) -> bool {
        runs.iter().all(|&(start, end)| {
            let after = self.runs.partition_point(|run| run.0 <= start);
            after > 0 && end <= self.runs[after - 1].1
        })
    }

    /// Number of leaves that the label covers.
    pub fn n_leaves(&self) -> usize {
        self.runs.iter().map(|(start, end)| (end - start) as usize).sum()
    }
}

impl Labels {
    /// Labels for a column with these values; `whole` covers all of them.
    pub(crate) fn new(values: Values, list: Vec<Label>, whole: Tag) -> Self {
        debug_assert!(whole.index() < list.len(), "the whole is one of the labels");
        Self { values, list, whole }
    }

    /// The values of the column.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Number of labels.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Always false: there is at least the label that covers everything.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// A label by its number.
    pub fn label(&self, tag: Tag) -> &Label {
        &self.list[tag.index()]
    }

    /// The label that covers everything.
    pub fn whole(&self) -> Tag {
        self.whole
    }

    /// The label of least cost that covers all these leaves; the first of several.
    pub(crate) fn cheapest(&self, leaves: &[Leaf]) -> Tag {
        let covering = (0..self.list.len())
            .map(Tag::new)
            .filter(|&tag| leaves.iter().all(|&leaf| self.label(tag).covers(leaf)));
        let cost = |tag: &Tag| self.label(*tag).cost;
        covering.min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(self.whole)
    }
}
