//! Trees with other nodes: one more for missing values, or without some.

use super::{Hierarchy, Node};
use crate::hierarchy::gaps::Gaps;
use crate::hierarchy::origin::Origin;

impl Hierarchy {
    /// Adds a leaf for missing values and a new root above it and everything else: a missing value
    /// is as unlike any other as two values can be.
    #[must_use]
    pub(crate) fn with_missing(mut self, label: &str, count: u64) -> Self {
        let n_leaves = self.n_leaves() as u32;
        self.parents.iter_mut().skip(1).for_each(|parent| *parent = parent.next());
        self.parents.insert(0, Node::ROOT);
        self.starts.insert(0, 0);
        self.ends.insert(0, n_leaves);
        if !self.labels.is_empty() {
            self.labels.insert(0, "*".into());
        }
        if let Some(&root) = self.bounds.first() {
            self.bounds.insert(0, root);
        }
        if let Some(&root) = self.distortions.first() {
            self.distortions.insert(0, root);
        }
        if !self.origins.is_empty() {
            self.origins.insert(0, Origin::default());
        }
        self.leaf_nodes.iter_mut().for_each(|node| *node = node.next());
        self.with_last_leaf(label, count)
    }

    /// Adds a leaf for missing values as a child of the root that there is, so that the distances
    /// between all other values stay as they are.
    #[must_use]
    pub(crate) fn with_missing_below_root(mut self, label: &str, count: u64) -> Self {
        if self.as_leaf(Node::ROOT).is_some() {
            return self.with_missing(label, count);
        }
        if self.labels.is_empty() {
            // The root keeps the name it had without missing values.
            let labels = self.nodes().map(|node| self.label(node).into()).collect();
            self = self.with_labels(labels);
        }
        self.with_last_leaf(label, count)
    }

    /// Adds a last child of the root that stands for missing values.
    fn with_last_leaf(mut self, label: &str, count: u64) -> Self {
        let n_leaves = self.n_leaves() as u32;
        self.leaf_nodes.push(Node::new(self.len()));
        self.parents.push(Node::ROOT);
        self.starts.push(n_leaves);
        self.ends.push(n_leaves + 1);
        self.ends[0] = n_leaves + 1;
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

    /// The tree without some of its inner nodes; what was below one is below the next above it. The
    /// root and the leaves must be kept.
    #[must_use]
    pub(crate) fn pruned(mut self, keep: &[bool]) -> Self {
        let mut numbers = Vec::with_capacity(self.len());
        let mut parents = Vec::with_capacity(self.len());
        for (node, &is_kept) in keep.iter().enumerate() {
            let above = numbers.get(self.parents[node].index()).copied().unwrap_or(Node::ROOT);
            numbers.push(if is_kept { Node::new(parents.len()) } else { above });
            if is_kept {
                parents.push(above);
            }
        }
        self.parents = parents;
        self.leaf_nodes.iter_mut().for_each(|node| *node = numbers[node.index()]);
        retain(&mut self.starts, keep);
        retain(&mut self.ends, keep);
        retain(&mut self.labels, keep);
        retain(&mut self.bounds, keep);
        retain(&mut self.distortions, keep);
        retain(&mut self.origins, keep);
        self.gaps = self.gaps_between_leaves();
        self
    }

    /// The node that joins each leaf with the next.
    fn gaps_between_leaves(&self) -> Gaps {
        let mut joints = vec![Node::ROOT; self.leaf_nodes.len() - 1];
        for node in 1..self.len() {
            let parent = self.parents[node];
            if self.starts[node] > self.starts[parent.index()] {
                joints[self.starts[node] as usize - 1] = parent;
            }
        }
        Gaps::new(joints)
    }
}

/// Keeps some of what there is for each node; there may be nothing for any.
fn retain<T>(of_nodes: &mut Vec<T>, keep: &[bool]) {
    let mut kept = keep.iter();
    of_nodes.retain(|_| kept.next().is_none_or(|&kept| kept));
}
