//! What nodes have of their own, as the tree stores it, and locks.

use super::{Hierarchy, Node, Origin};

/// The properties that a tree stores for its nodes; a property that is not stored is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stored {
    pub(crate) labels: bool,
    pub(crate) bounds: bool,
    pub(crate) distortions: bool,
    pub(crate) origins: bool,
}

impl Hierarchy {
    /// Locks nodes: the values below a locked node are never generalized above it. The nodes must
    /// be in pre-order, and none may be below another.
    #[must_use]
    pub(crate) fn with_locks(mut self, locks: Vec<Node>) -> Self {
        self.locks = locks;
        self
    }

    /// The locked nodes, in pre-order. The values below a locked node are never generalized above
    /// it.
    pub fn locks(&self) -> &[Node] {
        &self.locks
    }

    /// Whether a node is locked.
    pub fn is_locked(&self, node: Node) -> bool {
        self.locks.binary_search(&node).is_ok()
    }

    /// The properties that the tree stores.
    pub(crate) fn stored(&self) -> Stored {
        Stored {
            labels: !self.labels.is_empty(),
            bounds: !self.bounds.is_empty(),
            distortions: !self.distortions.is_empty(),
            origins: !self.origins.is_empty(),
        }
    }

    /// The stored label of a node; empty if its label is computed.
    pub(crate) fn own_label(&self, node: Node) -> &str {
        self.labels.get(node.index()).map_or("", |label| label)
    }

    /// The stored bounds of a node.
    pub(crate) fn own_bounds(&self, node: Node) -> Option<(f64, f64)> {
        self.bounds.get(node.index()).copied()
    }

    /// The stored distortion of a node.
    pub(crate) fn own_distortion(&self, node: Node) -> Option<f64> {
        self.distortions.get(node.index()).copied()
    }

    /// The stored origin of a node; empty if unknown.
    pub(crate) fn own_origin(&self, node: Node) -> Origin {
        self.origin(node).cloned().unwrap_or_default()
    }
}
