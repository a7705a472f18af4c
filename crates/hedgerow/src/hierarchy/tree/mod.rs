//! The arena tree, in which every node covers a contiguous range of leaves.

mod reshape;
mod own;

pub(crate) use own::Stored;

use std::borrow::Cow;

use super::gaps::Gaps;
use super::ground::{Ground, Leaves};
use super::leaf::{Leaf, LeafRange};
use super::node::{LevelFunction, Node};
use super::origin::Origin;
use crate::error::Misuse;
use crate::method::Spec;
use crate::table::{Kind, Scale, Values};
use crate::{Error, Result};

/// A generalization hierarchy: a tree whose leaves are the values of an attribute.
///
/// Leaves are in tree order (for numbers, in the order of their values), so whether a node covers a
/// value takes two comparisons, and the lowest common ancestor of a set of leaves is that of its
/// least and its greatest leaf. Trees can be ragged, deep and large; nothing here recurses.
#[derive(Debug, Clone, PartialEq)]
pub struct Hierarchy {
    ground: Ground,
    parents: Vec<Node>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Labels of all nodes; empty if they are intervals. A leaf whose label is its spelling has an
    /// empty one.
    labels: Vec<Box<str>>,
    /// Least and greatest value that each node represents; empty if these are the values of its
    /// leaves.
    bounds: Vec<(f64, f64)>,
    /// Distortions of all nodes; empty if these are their levels.
    distortions: Vec<f64>,
    /// Origins of all nodes; empty if unknown.
    origins: Vec<Origin>,
    /// Nodes above which the values below them are not generalized, in pre-order.
    locks: Vec<Node>,
    leaf_nodes: Vec<Node>,
    gaps: Gaps,
}

impl Hierarchy {
    /// Builds a tree from the leaf ranges of its nodes in pre-order.
    ///
    /// The range of a node must lie within that of its parent, and every leaf needs a range of its
    /// own.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] with [`Misuse::NotATree`] if that does not hold, or if the leaves do not
    /// have one count each.
    pub fn from_ranges(leaves: Leaves, ranges: &[(u32, u32)]) -> Result<Self> {
        let n_leaves = leaves.values.len();
        let n_counts = leaves.counts.len();
        if n_counts > 0 && n_counts != n_leaves {
            return Err(not_a_tree(format!("{n_counts} counts are given for {n_leaves} leaves")));
        }
        let parents = parents_of(ranges, n_leaves)?;
        // `joints[i]` is the lowest common ancestor of the leaves `i` and `i + 1`.
        let mut lowest: Vec<Option<Node>> = vec![None; n_leaves];
        let mut joints = vec![Node::ROOT; n_leaves.saturating_sub(1)];
        for (node, (&(start, end), &parent)) in ranges.iter().zip(&parents).enumerate() {
            // A child that does not start its parent's range has a sibling before it, and the
            // parent joins the leaves on both sides of this gap.
            if start > ranges[parent.index()].0 {
                joints[start as usize - 1] = parent;
            }
            if end - start == 1 {
                // In a chain of nodes over the same leaf, the lowest comes last.
                lowest[start as usize] = Some(Node::new(node));
            }
        }
        let leaf_nodes = lowest
            .into_iter()
            .collect::<Option<Vec<Node>>>()
            .ok_or_else(|| not_a_tree("a leaf has no node of its own".to_owned()))?;
        Ok(Self {
            ground: Ground::new(leaves),
            parents,
            starts: ranges.iter().map(|range| range.0).collect(),
            ends: ranges.iter().map(|range| range.1).collect(),
            labels: Vec::new(),
            bounds: Vec::new(),
            distortions: Vec::new(),
            origins: Vec::new(),
            locks: Vec::new(),
            leaf_nodes,
            gaps: Gaps::new(joints),
        })
    }

    /// Sets the labels of all nodes, in pre-order.
    #[must_use]
    pub(crate) fn with_labels(mut self, labels: Vec<Box<str>>) -> Self {
        debug_assert_eq!(labels.len(), self.len(), "one label for each node");
        self.labels = labels;
        for leaf in Leaf::first(self.n_leaves()) {
            // An empty label means the spelling, which saves a copy of every value.
            let node = self.leaf_node(leaf).index();
            if *self.labels[node] == *self.spelling(leaf) {
                self.labels[node] = Box::default();
            }
        }
        self
    }

    /// Sets the label of the root of a tree whose nodes have names.
    #[must_use]
    pub(crate) fn with_root_label(mut self, label: String) -> Self {
        if let Some(root) = self.labels.first_mut() {
            *root = label.into();
        }
        self
    }

    /// Sets the range of values that each node represents, in pre-order.
    #[must_use]
    pub(crate) fn with_bounds(mut self, bounds: Vec<(f64, f64)>) -> Self {
        debug_assert_eq!(bounds.len(), self.len(), "bounds for each node");
        self.bounds = bounds;
        self
    }

    /// Sets the distortion of each node from the original values, in pre-order.
    #[must_use]
    pub(crate) fn with_distortions(mut self, distortions: Vec<f64>) -> Self {
        debug_assert_eq!(distortions.len(), self.len(), "a distortion for each node");
        self.distortions = distortions;
        self
    }

    /// Sets the origins of all nodes, in pre-order.
    #[must_use]
    pub(crate) fn with_origins(mut self, origins: Vec<Origin>) -> Self {
        debug_assert_eq!(origins.len(), self.len(), "an origin for each node");
        self.origins = origins;
        self
    }

    /// Records the builder of the tree.
    #[must_use]
    pub(crate) fn built_by(mut self, builder: Spec) -> Self {
        self.ground.set_builder(builder);
        self
    }

    /// The leaves, independent of the nodes above them.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Name of the attribute.
    pub fn attribute(&self) -> &str {
        self.ground.attribute()
    }

    /// The builder of the tree, if known.
    pub fn builder(&self) -> Option<&Spec> {
        self.ground.builder()
    }

    /// The kind of the leaves.
    pub fn kind(&self) -> Kind {
        self.ground.values().kind()
    }

    /// The values of the leaves in tree order; the leaf for missing values comes after them.
    pub fn leaves(&self) -> &Values {
        self.ground.values()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The nodes in pre-order.
    pub fn nodes(
        &self,
    ) -> impl DoubleEndedIterator<Item = Node> + ExactSizeIterator + Clone + use<> {
        (0..self.len()).map(Node::new)
    }

    /// Always false: a tree has at least a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Number of leaves, including the one for missing values.
    pub fn n_leaves(&self) -> usize {
        self.leaf_nodes.len()
    }

    /// Returns the parent of a node, or `None` for the root.
    pub fn parent(&self, node: Node) -> Option<Node> {
        (node != Node::ROOT).then(|| self.parents[node.index()])
    }

    /// Returns the leaves below a node.
    pub fn leaves_of(&self, node: Node) -> LeafRange {
        let (start, end) = (self.starts[node.index()], self.ends[node.index()]);
        LeafRange { start: start.into(), end: end.into() }
    }

    /// Returns the node of a leaf.
    pub fn leaf_node(&self, leaf: Leaf) -> Node {
        self.leaf_nodes[leaf.index()]
    }

    /// Returns the leaf of a node, or `None` for inner nodes.
    pub fn as_leaf(&self, node: Node) -> Option<Leaf> {
        let start = Leaf::from(self.starts[node.index()]);
        (self.leaf_node(start) == node).then_some(start)
    }

    /// Returns the lowest common ancestor of the leaves from `first` to `last`.
    pub fn lowest_common_ancestor(&self, first: Leaf, last: Leaf) -> Node {
        if first == last {
            return self.leaf_node(first);
        }
        self.gaps.joint(first.index(), last.index())
    }

    /// Number of records below a node; 0 if counts are unknown.
    pub fn count(&self, node: Node) -> u64 {
        self.ground.count(&self.leaves_of(node))
    }

    /// Returns the depth of every node; the root has 0.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.len()];
        // In pre-order a parent comes before its children.
        for node in 1..self.len() {
            depths[node] = depths[self.parents[node].index()] + 1;
        }
        depths
    }

    /// Number of edges from the root to the deepest leaf.
    pub fn height(&self) -> u32 {
        self.depths().into_iter().max().unwrap_or(0)
    }

    /// Returns the node of each leaf on each level, from level 0, the leaf itself, to level
    /// [`Self::height`], the root.
    ///
    /// A leaf above the maximum depth is repeated on the levels below it (METHODS 0.2), so an inner
    /// node is on level `height - depth`.
    pub fn levels(&self) -> LevelFunction<Node> {
        let depths = self.depths();
        let height = depths.iter().copied().max().unwrap_or(0);
        let mut nodes = vec![self.leaf_nodes.clone()];
        for level in 1..=height {
            let below = &nodes[nodes.len() - 1];
            let above = |&node: &Node| {
                // Nodes on this level have at most depth `height - level`; a leaf above it stays.
                let is_below = depths[node.index()] > height - level;
                if is_below { self.parents[node.index()] } else { node }
            };
            nodes.push(below.iter().map(above).collect());
        }
        LevelFunction { nodes, distortions: self.distortions(), is_nested: true }
    }

    /// Returns the distortion of every node: how far it is from the original values. It is set by
    /// the builder or else the level of the node (see [`Self::levels`]); leaves have 0.
    pub(crate) fn distortions(&self) -> Vec<f64> {
        if !self.distortions.is_empty() {
            return self.distortions.clone();
        }
        let height = f64::from(self.height());
        // Rounding restores the whole levels that were divided by the height.
        self.relative_levels().into_iter().map(|level| (level * height).round()).collect()
    }

    /// Returns the level of every node (see [`Self::levels`]) divided by the height; leaves have 0.
    ///
    /// If an only child has the label of its parent, both are one value to the reader of a release.
    /// Such nodes have the highest of their levels, or 0 if the lowest of them is a leaf.
    pub(crate) fn relative_levels(&self) -> Vec<f64> {
        let depths = self.depths();
        let height = f64::from(depths.iter().copied().max().unwrap_or(0));
        let mut is_value: Vec<bool> =
            self.nodes().map(|node| self.as_leaf(node).is_some()).collect();
        let repeats: Vec<bool> = self.nodes().map(|node| self.repeats(node)).collect();
        // Backwards through pre-order, children come before parents.
        for node in (1..self.len()).rev().filter(|&node| repeats[node]) {
            is_value[self.parents[node].index()] = is_value[node];
        }
        let mut levels = vec![0.0; self.len()];
        for node in (0..self.len()).filter(|&node| !is_value[node]) {
            levels[node] = if repeats[node] {
                levels[self.parents[node].index()]
            } else {
                (height - f64::from(depths[node])) / height
            };
        }
        levels
    }

    /// Whether a node is the only child of its parent and is published under the same label.
    fn repeats(&self, node: Node) -> bool {
        self.parent(node).is_some_and(|parent| {
            self.leaves_of(node) == self.leaves_of(parent)
                && self.published(node) == self.published(parent)
        })
    }

    /// Returns the origin of a node, if known.
    pub fn origin(&self, node: Node) -> Option<&Origin> {
        self.origins.get(node.index()).filter(|origin| !origin.is_empty())
    }

    /// Whether the builder set distortions.
    pub(crate) fn has_distortions(&self) -> bool {
        !self.distortions.is_empty()
    }

    /// Whether nodes have bounds that can exceed the values below them.
    pub(crate) fn has_bounds(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// Whether nodes have names instead of intervals.
    pub(crate) fn has_names(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Returns the label of a node: its name, or its interval.
    pub fn label(&self, node: Node) -> Cow<'_, str> {
        if let Some(label) = self.labels.get(node.index()).filter(|label| !label.is_empty()) {
            return Cow::Borrowed(label);
        }
        let leaves = self.leaves_of(node);
        // Without bounds of its own, a group of one leaf is labelled like that leaf.
        if self.as_leaf(node).is_some() || (leaves.len() == 1 && self.bounds.is_empty()) {
            return self.spelling(leaves.start);
        }
        if leaves.end.index() > self.leaves().len() {
            return Cow::Borrowed("*"); // numbers and missing values share only this label
        }
        match (self.bounds.get(node.index()), self.leaves().scale()) {
            (Some(&(low, high)), Some(scale)) => Cow::Owned(scale.interval(low, high)),
            _ => {
                let [first, last] =
                    [leaves.start, leaves.greatest()].map(|leaf| self.spelling(leaf));
                Cow::Owned(self.leaves().interval(&first, &last))
            }
        }
    }

    /// Returns the published text of a node: its label, or `*` for a root of a tree without names.
    pub fn published(&self, node: Node) -> Cow<'_, str> {
        if node == Node::ROOT && self.labels.is_empty() && self.n_leaves() > 1 {
            return Cow::Borrowed("*");
        }
        self.label(node)
    }

    /// Returns the spelling of a leaf.
    pub fn spelling(&self, leaf: Leaf) -> Cow<'_, str> {
        self.ground.spelling(leaf)
    }

    /// Returns the least and the greatest value that a node represents, if leaves are numbers or
    /// dates.
    pub fn bounds(&self, node: Node) -> Option<(f64, f64)> {
        if let Some(&bounds) = self.bounds.get(node.index()) {
            // NaN bounds mark the leaf of missing values.
            return (!bounds.0.is_nan()).then_some(bounds);
        }
        let scale = self.leaves().scale()?;
        let leaves = self.leaves_of(node).places();
        if leaves.start >= scale.len() {
            return None;
        }
        // The leaf of missing values comes after the last number and has no place on the scale.
        let last = leaves.end.min(scale.len()) - 1;
        Some((scale.value(leaves.start), scale.value(last)))
    }

    /// Returns the cost of each node: its size divided by the root's size.
    ///
    /// The size of a numeric node is the width of its range; that of any other node is its number
    /// of leaves minus one. A leaf costs 0, the root of two or more leaves 1 (METHODS 3.2, 7).
    /// Ranges set by a builder are clipped to the least and the greatest value, whereas ranges from
    /// a hierarchy file count as their labels state them (METHODS 1.10). Ranges of dates are always
    /// clipped, because calendar periods are the same in every hierarchy. Every inner node with the
    /// label `*` costs 1.
    pub fn costs(&self) -> Vec<f64> {
        let is_clipped = self.builder().is_some() || self.kind() == Kind::Date;
        let ends = self.leaves().scale().and_then(Scale::ends).filter(|_| is_clipped);
        let (least, greatest) = ends.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let sizes: Vec<f64> = match self.leaves().scale() {
            _ if !self.bounds.is_empty() => {
                self.bounds.iter().map(|(lo, hi)| hi.min(greatest) - lo.max(least)).collect()
            }
            Some(scale) => {
                let positions = scale.positions();
                let last = |end: u32| positions[(end as usize).min(positions.len()) - 1];
                let size = |(&start, &end): (&u32, &u32)| {
                    positions.get(start as usize).map_or(0.0, |first| last(end) - first)
                };
                self.starts.iter().zip(&self.ends).map(size).collect()
            }
            None => self.starts.iter().zip(&self.ends).map(|(s, e)| f64::from(e - s - 1)).collect(),
        };
        // METHODS 3.2: the share of the root's size. A root of equal values has size 0.
        let of_root = sizes[0];
        let cost = |(node, size): (usize, &f64)| match self.as_leaf(Node::new(node)) {
            None if self.labels.get(node).is_some_and(|label| is_anything(label)) => 1.0,
            None if of_root > 0.0 => (size / of_root).min(1.0),
            None if node == 0 && self.n_leaves() > 1 => 1.0,
            _ => 0.0,
        };
        sizes.iter().enumerate().map(cost).collect()
    }

    /// Formats the tree in one line, as METHODS writes it: `[1-4]([1-2](1,2),4)`.
    pub fn outline(&self) -> String {
        let mut text = String::new();
        let mut open: Vec<Node> = Vec::new();
        for node in self.nodes() {
            let mut is_sibling = false;
            // The first pop removes the previous node, a leaf; each further pop closes an inner
            // node.
            while open.last().is_some_and(|&above| Some(above) != self.parent(node)) {
                open.pop();
                if is_sibling {
                    text.push(')');
                }
                is_sibling = true;
            }
            text.push_str(if is_sibling {
                ","
            } else if node > Node::ROOT {
                "("
            } else {
                ""
            });
            text.push_str(&self.label(node).replace(", ", "-"));
            open.push(node);
        }
        text.push_str(&")".repeat(open.len() - 1));
        text
    }
}

/// Returns the parent of each node, given the leaf ranges of all nodes in pre-order. The root is
/// its own parent.
fn parents_of(ranges: &[(u32, u32)], n_leaves: usize) -> Result<Vec<Node>> {
    let mut parents = Vec::with_capacity(ranges.len());
    // The path from the root to the previous node; in pre-order the parent of a node is always on
    // it.
    let mut open: Vec<Node> = Vec::new();
    for (node, &(start, end)) in ranges.iter().enumerate() {
        while open.last().is_some_and(|&above| ranges[above.index()].1 <= start) {
            open.pop();
        }
        let parent = open.last().copied().unwrap_or(Node::ROOT);
        let above = ranges[parent.index()];
        if start >= end || end as usize > n_leaves || start < above.0 || end > above.1 {
            let problem = format!("node {node} covers {start}..{end}, which is not in its parent");
            return Err(not_a_tree(problem));
        }
        parents.push(parent);
        open.push(Node::new(node));
    }
    Ok(parents)
}

fn not_a_tree(problem: String) -> Error {
    Error::misuse(Misuse::NotATree { problem })
}

/// Whether a label consists of stars only.
fn is_anything(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|byte| byte == b'*')
}
