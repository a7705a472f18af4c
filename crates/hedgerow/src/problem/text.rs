//! How regions are written where no style asks for something else.

use super::{Attribute, Region};
use crate::hierarchy::{Generalization, Leaf, write_partial_set, write_set};

impl Attribute {
    /// A region in the plain style: a value as itself, `[a, b]`, `{a, b}`, a name, or `*`.
    pub(crate) fn text(&self, region: &Region) -> String {
        let spelt = |leaf: &Leaf| self.spelling(*leaf);
        match (region, self.generalization()) {
            (Region::Node(node), Generalization::Tree(tree)) => tree.published(*node).into_owned(),
            (Region::Node(group), Generalization::Levels(levels)) => {
                levels.published(*group).into_owned()
            }
            (Region::Interval(first, last), _) if self.is_anything(*first, *last) => "*".to_owned(),
            (Region::Interval(first, last), _) => match self.hidden_ends(*first, *last) {
                None if first == last => spelt(first).into_owned(),
                None => format!("[{}, {}]", spelt(first), spelt(last)),
                Some([low, high]) => format!("[{}, {}]", low.text, high.text),
            },
            (Region::Set(leaves), _) if leaves.len() == 1 => spelt(&leaves[0]).into_owned(),
            (Region::Set(leaves), _) if leaves.len() < self.n_leaves() => {
                write_set(&leaves.iter().map(spelt).collect::<Vec<_>>())
            }
            (Region::PartialSet(leaves, n_more), _) => {
                write_partial_set(&leaves.iter().map(spelt).collect::<Vec<_>>(), *n_more as usize)
            }
            (Region::Unknown, _) => self.unknown().to_owned(),
            _ => "*".to_owned(),
        }
    }
}
