//! The inverse of an operation, with the former state of its nodes.

use twox_hash::XxHash3_64;

use super::item::Item;
use crate::hierarchy::{Hierarchy, Node, Stored};
use crate::method::Spec;

/// The inverse of an operation: the former state of the nodes that it changed or removed.
///
/// A patch belongs to the tree that the operation returned. It holds only the differences, so that
/// long histories of large trees stay small.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// Name of the operation that it takes back.
    pub(super) of: &'static str,
    /// The tree that it can be applied to.
    pub(super) print: u64,
    pub(super) root: Place,
    /// Nodes of the tree as they were. Leaves stay leaves.
    pub(super) changed: Vec<(Node, Former)>,
    /// Groups that the tree does not have any more.
    pub(super) removed: Vec<Former>,
    pub(super) stored: Stored,
    pub(super) builder: Option<Spec>,
}

/// A node as it was. Its children are not those of the item.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Former {
    pub(super) item: Item,
    pub(super) children: Vec<Place>,
}

/// A node of the tree, or a removed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Node(Node),
    Removed(usize),
}

/// Hashes the shape and the labels of a tree.
pub(super) fn print(tree: &Hierarchy) -> u64 {
    let mut hash = XxHash3_64::oneshot(tree.attribute().as_bytes());
    for node in tree.nodes() {
        let leaves = tree.leaves_of(node);
        let range = u64::from(leaves.start.get()) << 32 | u64::from(leaves.end.get());
        hash = XxHash3_64::oneshot_with_seed(hash ^ range, tree.own_label(node).as_bytes());
    }
    for leaf in crate::hierarchy::Leaf::first(tree.n_leaves()) {
        hash = XxHash3_64::oneshot_with_seed(hash, tree.spelling(leaf).as_bytes());
    }
    hash
}
