//! A node of a tree that is being edited.

use crate::hierarchy::{Hierarchy, Leaf, Node, Origin};

/// Note of nodes that an operation made or changed.
pub(super) const EDITED: &str = "edited";

/// The data of a node.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Item {
    /// Positions of its children, in order.
    pub(super) children: Vec<usize>,
    /// The leaf of the tree that the node is, or `None` for a group.
    pub(super) leaf: Option<Leaf>,
    /// Its label; empty if it is computed from the leaves.
    pub(super) label: Box<str>,
    /// The range of values that it represents, if that is stored.
    pub(super) bounds: Option<(f64, f64)>,
    pub(super) distortion: Option<f64>,
    pub(super) origin: Origin,
    pub(super) is_locked: bool,
}

impl Item {
    /// Describes a node of a tree, without its children.
    pub(super) fn of(tree: &Hierarchy, node: Node) -> Self {
        Self {
            children: Vec::new(),
            leaf: tree.as_leaf(node),
            label: tree.own_label(node).into(),
            bounds: tree.own_bounds(node),
            distortion: tree.own_distortion(node),
            origin: tree.own_origin(node),
            is_locked: tree.is_locked(node),
        }
    }

    /// A new group.
    pub(super) fn group(label: &str, children: Vec<usize>) -> Self {
        let item = Self { children, label: label.into(), ..Self::default() };
        Self { origin: edited(&item.origin), ..item }
    }
}

/// Returns the origin of a node that was edited.
pub(super) fn edited(origin: &Origin) -> Origin {
    let note = match origin.note.as_deref().filter(|note| !note.is_empty()) {
        None => EDITED.into(),
        Some(note) if is_edited(origin) => note.into(),
        Some(note) => format!("{note}; {EDITED}").into(),
    };
    Origin { note: Some(note), ..origin.clone() }
}

/// Whether a node was edited.
pub(super) fn is_edited(origin: &Origin) -> bool {
    origin.note.as_deref().is_some_and(|note| note.split("; ").any(|part| part == EDITED))
}
