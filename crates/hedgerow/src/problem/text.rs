//! The plain text of a region, used where no style requests another form.

use super::{Attribute, Region};
use crate::hierarchy::{Generalization, Leaf, Notation, write_partial_set, write_set};

/// Whether the label of a hierarchy consists of stars, so that it says nothing.
fn is_stars(label: &str) -> bool {
    Notation::read(label) == Notation::Anything
}

impl Attribute {
    /// A region in the plain style: a single value, `[a, b]`, `{a, b}`, the label of a node, or
    /// `*`.
    pub(crate) fn text(&self, region: &Region) -> String {
        let spelt = |leaf: &Leaf| self.spelling(*leaf);
        match (region, self.generalization()) {
            (Region::Node(node), Generalization::Tree(tree)) => tree.published(*node).into_owned(),
            (Region::Group(group), Generalization::Levels(levels)) => {
                levels.published(*group).into_owned()
            }
            (Region::Interval(first, last), _) if self.is_anything(*first, *last) => "*".to_owned(),
            (Region::Interval(first, last), _) => match self.hidden_ends(*first, *last) {
                None if first == last => spelt(first).into_owned(),
                None => self.values().interval(&spelt(first), &spelt(last)),
                Some([low, high]) => self.values().interval(&low.text, &high.text),
            },
            (Region::Set(leaves), _) if leaves.len() == 1 => spelt(&leaves[0]).into_owned(),
            (Region::Set(leaves), _) if leaves.len() < self.n_leaves() => {
                write_set(&leaves.iter().map(spelt).collect::<Vec<_>>())
            }
            (Region::PartialSet(leaves, n_more), _) => {
                write_partial_set(&leaves.iter().map(spelt).collect::<Vec<_>>(), *n_more as usize)
            }
            (Region::Label(tag), Generalization::Fixed(labels)) => {
                labels.label(*tag).text.to_string()
            }
            (Region::Unknown, _) => self.unknown().to_owned(),
            // The set of all leaves, or a region that its generalization does not have.
            _ => "*".to_owned(),
        }
    }

    /// Whether the plain style shows nothing for a region: `*`, or a name or value of stars only.
    pub(crate) fn says_nothing(&self, region: &Region) -> bool {
        match (region, self.generalization()) {
            (Region::Node(node), Generalization::Tree(tree)) => is_stars(&tree.published(*node)),
            (Region::Group(group), Generalization::Levels(levels)) => levels.says_nothing(*group),
            (Region::Interval(first, last), _) => self.is_anything(*first, *last),
            (Region::Set(leaves), _) if leaves.len() == 1 => is_stars(&self.spelling(leaves[0])),
            (Region::Set(leaves), _) => leaves.len() == self.n_leaves(),
            (Region::PartialSet(..), _) => false,
            (Region::Label(tag), Generalization::Fixed(labels)) => {
                is_stars(&labels.label(*tag).text)
            }
            (Region::Unknown, _) => is_stars(self.unknown()),
            _ => true,
        }
    }
}
