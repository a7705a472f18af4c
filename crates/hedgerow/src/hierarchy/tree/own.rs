//! Properties of nodes that the tree stores, and locks.

use super::{Hierarchy, Leaf, Node, Origin};
use crate::hierarchy::Level;

/// The properties that a tree stores for its nodes; a property that is not stored is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "any of the four can be stored without the others"
)]
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
    pub(crate) fn locks(&self) -> &[Node] {
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

    /// Returns the lowest level on which each generalized value has `k` records, or `None` if all
    /// values together have fewer. Levels are those of [`Self::levels`].
    ///
    /// `counts` has the number of records of each leaf; leaves without records are not published.
    pub(crate) fn level_with(&self, counts: &[u64], k: u64) -> Option<Level> {
        let mut running = vec![0u64];
        running.extend(counts.iter().scan(0u64, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
        if running[counts.len()] < k {
            return None;
        }
        let depths = self.depths();
        let height = depths.iter().copied().max().unwrap_or(0);
        // The lowest level on which each node, or an ancestor of it, has enough records.
        let mut levels: Vec<u32> = Vec::with_capacity(self.len());
        for node in self.nodes() {
            let leaves = self.leaves_of(node);
            let count = running[leaves.end.index()] - running[leaves.start.index()];
            levels.push(match self.parent(node) {
                Some(parent) if count < k => levels[parent.index()],
                _ if self.as_leaf(node).is_some() => 0,
                _ => height - depths[node.index()],
            });
        }
        let occurring = Leaf::first(self.n_leaves()).filter(|leaf| counts[leaf.index()] > 0);
        let level = occurring.map(|leaf| levels[self.leaf_node(leaf).index()]).max();
        Some(Level::from(level.unwrap_or(0)))
    }
}
