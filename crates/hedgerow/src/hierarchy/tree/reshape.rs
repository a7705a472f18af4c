//! Trees with a leaf added for missing values, or with inner nodes removed.

use super::{Hierarchy, Node};
use crate::hierarchy::gaps::Gaps;
use crate::hierarchy::origin::Origin;

impl Hierarchy {
    /// Adds a leaf for missing values below a new root, so that a missing value is at the maximum
    /// distance from every other.
    #[must_use]
    pub(crate) fn with_missing(mut self, label: &str, count: u64) -> Self {
        let n_leaves = self.n_leaves() as u32;
        // The new root gets number 0, so the numbers of all other nodes grow by 1. The old root's
        // parent entry is 0, which becomes the new root.
        self.parents.iter_mut().skip(1).for_each(|parent| *parent = parent.next());
        self.parents.insert(0, Node::ROOT);
        self.starts.insert(0, 0);
        self.ends.insert(0, n_leaves);
        if !self.labels.is_empty() {
            self.labels.insert(0, "*".into());
        }
        if let Some(&root) = self.bounds.first() {
            // The new root represents the same numbers; missing values have no bounds.
            self.bounds.insert(0, root);
        }
        if let Some(&root) = self.distortions.first() {
            self.distortions.insert(0, root);
        }
        if !self.origins.is_empty() {
            self.origins.insert(0, Origin::default());
        }
        self.leaf_nodes.iter_mut().for_each(|node| *node = node.next());
        self.locks.iter_mut().for_each(|node| *node = node.next());
        self.with_last_leaf(label, count)
    }

    /// Adds a leaf for missing values as a child of the existing root, so that the distances
    /// between all other values do not change.
    #[must_use]
    pub(crate) fn with_missing_below_root(mut self, label: &str, count: u64) -> Self {
        if self.as_leaf(Node::ROOT).is_some() {
            return self.with_missing(label, count);
        }
        if self.labels.is_empty() {
            // Without a name, a root that covers missing values would be labelled `*`.
            let labels = self.nodes().map(|node| self.label(node).into()).collect();
            self = self.with_labels(labels);
        }
        self.with_last_leaf(label, count)
    }

    /// Adds a last child of the root that represents missing values.
    fn with_last_leaf(mut self, label: &str, count: u64) -> Self {
        let n_leaves = self.n_leaves() as u32;
        self.leaf_nodes.push(Node::new(self.len()));
        self.parents.push(Node::ROOT);
        self.starts.push(n_leaves);
        self.ends.push(n_leaves + 1);
        self.ends[0] = n_leaves + 1;
        // Properties that no node has stay empty.
        if !self.labels.is_empty() {
            self.labels.push(label.into());
        }
        if !self.bounds.is_empty() {
            self.bounds.push((f64::NAN, f64::NAN));
        }
        if !self.distortions.is_empty() {
            self.distortions.push(0.0);
        }
        if !self.origins.is_empty() {
            self.origins.push(Origin::default());
        }
        self.ground.add_missing(label, count);
        self.gaps = self.gaps_between_leaves();
        self
    }

    /// Removes inner nodes. The children of a removed node become children of its lowest remaining
    /// ancestor. The root and the leaves must be kept.
    #[must_use]
    pub(crate) fn pruned(mut self, keep: &[bool]) -> Self {
        let mut numbers = Vec::with_capacity(self.len());
        let mut parents = Vec::with_capacity(self.len());
        for (node, &is_kept) in keep.iter().enumerate() {
            // In pre-order the parent already has its new number; a removed node passes on the
            // number of its lowest kept ancestor.
            let above = numbers.get(self.parents[node].index()).copied().unwrap_or(Node::ROOT);
            numbers.push(if is_kept { Node::new(parents.len()) } else { above });
            if is_kept {
                parents.push(above);
            }
        }
        self.parents = parents;
        self.leaf_nodes.iter_mut().for_each(|node| *node = numbers[node.index()]);
        // A lock on a removed node is dropped, because callers read the locks before they prune.
        self.locks.retain(|node| keep[node.index()]);
        self.locks.iter_mut().for_each(|node| *node = numbers[node.index()]);
        retain(&mut self.starts, keep);
        retain(&mut self.ends, keep);
        retain(&mut self.labels, keep);
        retain(&mut self.bounds, keep);
        retain(&mut self.distortions, keep);
        retain(&mut self.origins, keep);
        self.gaps = self.gaps_between_leaves();
        self
    }

    /// Computes the lowest common ancestor of each pair of adjacent leaves.
    fn gaps_between_leaves(&self) -> Gaps {
        let mut joints = vec![Node::ROOT; self.leaf_nodes.len() - 1];
        for node in 1..self.len() {
            let parent = self.parents[node];
            // As in `from_ranges`: a parent joins the leaves on both sides of the start of a later
            // child.
            if self.starts[node] > self.starts[parent.index()] {
                joints[self.starts[node] as usize - 1] = parent;
            }
        }
        Gaps::new(joints)
    }
}

/// Keeps the elements of the kept nodes. The vector may be empty.
fn retain<T>(of_nodes: &mut Vec<T>, keep: &[bool]) {
    let mut kept = keep.iter();
    of_nodes.retain(|_| kept.next().is_none_or(|&kept| kept));
}
