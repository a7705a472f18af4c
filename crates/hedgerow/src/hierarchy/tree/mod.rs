//! The arena tree: every node covers a contiguous range of leaves.

mod reshape;

use std::borrow::Cow;

use super::gaps::Gaps;
use super::ground::{Ground, Leaves};
use super::leaf::{Leaf, LeafRange};
use super::node::{LevelFunction, Node};
use super::origin::Origin;
use crate::method::Spec;
use crate::table::{Kind, Scale, Values};
use crate::{Error, Result};

/// A generalization hierarchy: a tree whose leaves are the values of an attribute.
///
/// Leaves lie in tree order (for numbers, value order), so "does this node cover that value" is
/// two comparisons and the lowest common ancestor of a set of leaves is that of its least and
/// greatest. Trees may be ragged, deep and huge; nothing here recurses.
#[derive(Debug, Clone, PartialEq)]
pub struct Hierarchy {
    ground: Ground,
    parents: Vec<Node>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Labels of all nodes; empty when they are intervals. The label of a leaf that is called as it
    /// is spelt is empty.
    labels: Vec<Box<str>>,
    /// Least and greatest value a node stands for; empty when that is no more than its leaves.
    bounds: Vec<(f64, f64)>,
    /// How far nodes are from the values themselves; empty when that is their level.
    distortions: Vec<f64>,
    /// Where nodes come from; empty when nobody knows.
    origins: Vec<Origin>,
    leaf_nodes: Vec<Node>,
    gaps: Gaps,
}

impl Hierarchy {
    /// Makes a tree of the leaf ranges of its nodes, given in pre-order.
    ///
    /// A range lies within the one it belongs under; every single leaf has a range of its own.
    pub fn from_ranges(leaves: Leaves, ranges: &[(u32, u32)]) -> Result<Self> {
        let n_leaves = leaves.values.len();
        let mut parents = Vec::with_capacity(ranges.len());
        let mut leaf_nodes = vec![Node::MAX; n_leaves];
        let mut joints = vec![0; n_leaves.saturating_sub(1)];
        let mut open: Vec<Node> = Vec::new();
        for (node, &(start, end)) in ranges.iter().enumerate() {
            while open.last().is_some_and(|&above| ranges[above as usize].1 <= start) {
                open.pop();
            }
            let parent = open.last().copied().unwrap_or(0);
            let above = ranges[parent as usize];
            if start >= end || end as usize > n_leaves || start < above.0 || end > above.1 {
                return Err(Error::Internal(format!("node {node} covers {start}..{end}")));
            }
            if start > above.0 {
                joints[start as usize - 1] = parent;
            }
            if end - start == 1 {
                leaf_nodes[start as usize] = node as Node; // the lowest of a chain comes last
            }
            parents.push(parent);
            open.push(node as Node);
        }
        if leaf_nodes.contains(&Node::MAX) {
            return Err(Error::Internal("a leaf has no node".into()));
        }
        Ok(Self {
            ground: Ground::new(leaves),
            parents,
            starts: ranges.iter().map(|range| range.0).collect(),
            ends: ranges.iter().map(|range| range.1).collect(),
            labels: Vec::new(),
            bounds: Vec::new(),
            distortions: Vec::new(),
            origins: Vec::new(),
            leaf_nodes,
            gaps: Gaps::new(joints),
        })
    }

    /// Gives the nodes labels of their own, in pre-order.
    #[must_use]
    pub fn with_labels(mut self, labels: Vec<Box<str>>) -> Self {
        debug_assert_eq!(labels.len(), self.len(), "one label for each node");
        self.labels = labels;
        for leaf in Leaf::first(self.n_leaves()) {
            let node = self.leaf_node(leaf) as usize;
            if *self.labels[node] == *self.spelling(leaf) {
                self.labels[node] = Box::default();
            }
        }
        self
    }

    /// Says which range of values each node's label speaks of, in pre-order.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Vec<(f64, f64)>) -> Self {
        debug_assert_eq!(bounds.len(), self.len(), "bounds for each node");
        self.bounds = bounds;
        self
    }

    /// Says how far each node is from the values themselves, in pre-order.
    #[must_use]
    pub fn with_distortions(mut self, distortions: Vec<f64>) -> Self {
        debug_assert_eq!(distortions.len(), self.len(), "a distortion for each node");
        self.distortions = distortions;
        self
    }

    /// Says where each node comes from, in pre-order.
    #[must_use]
    pub fn with_origins(mut self, origins: Vec<Origin>) -> Self {
        debug_assert_eq!(origins.len(), self.len(), "an origin for each node");
        self.origins = origins;
        self
    }

    /// Notes how the tree was made.
    #[must_use]
    pub fn built_by(mut self, builder: Spec) -> Self {
        self.ground.set_builder(builder);
        self
    }

    /// The leaves, whatever stands above them.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The attribute's name.
    pub fn attribute(&self) -> &str {
        self.ground.attribute()
    }

    /// How the tree was made, where that is known.
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

    /// How many nodes.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// A tree has at least a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many leaves, that for missing values included.
    pub fn n_leaves(&self) -> usize {
        self.leaf_nodes.len()
    }

    /// The parent of a node; the root has none.
    pub fn parent(&self, node: Node) -> Option<Node> {
        (node != 0).then(|| self.parents[node as usize])
    }

    /// The leaves below a node.
    pub fn leaves_of(&self, node: Node) -> LeafRange {
        let (start, end) = (self.starts[node as usize], self.ends[node as usize]);
        LeafRange { start: start.into(), end: end.into() }
    }

    /// The node of a leaf.
    pub fn leaf_node(&self, leaf: Leaf) -> Node {
        self.leaf_nodes[leaf.index()]
    }

    /// The leaf that a node is, if it is one.
    pub fn as_leaf(&self, node: Node) -> Option<Leaf> {
        let start = Leaf::from(self.starts[node as usize]);
        (self.leaf_node(start) == node).then_some(start)
    }

    /// The lowest node above all leaves from `first` to `last`.
    pub fn lowest_common_ancestor(&self, first: Leaf, last: Leaf) -> Node {
        if first == last {
            return self.leaf_node(first);
        }
        self.gaps.joint(first.index(), last.index())
    }

    /// How many records lie below a node; 0 when counts are unknown.
    pub fn count(&self, node: Node) -> u64 {
        self.ground.count(&self.leaves_of(node))
    }

    /// The depth of every node; the root has 0.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.len()];
        for node in 1..self.len() {
            depths[node] = depths[self.parents[node] as usize] + 1;
        }
        depths
    }

    /// The number of edges from the root to the deepest leaf.
    pub fn height(&self) -> u32 {
        self.depths().into_iter().max().unwrap_or(0)
    }

    /// What stands for each leaf on each level: level 0 is the leaf, level [`Self::height`] the
    /// root. A leaf that lies higher than others repeats on the lower levels (METHODS 0.2), so a node
    /// stands on level `height - depth`.
    pub fn levels(&self) -> LevelFunction {
        let depths = self.depths();
        let height = depths.iter().copied().max().unwrap_or(0);
        let mut nodes = vec![self.leaf_nodes.clone()];
        for level in 1..=height {
            let below = &nodes[nodes.len() - 1];
            let above = |&node: &Node| {
                let is_below = depths[node as usize] > height - level;
                if is_below { self.parents[node as usize] } else { node }
            };
            nodes.push(below.iter().map(above).collect());
        }
        LevelFunction { nodes, distortions: self.distortions(), is_nested: true }
    }

    /// How far every node is from the values themselves: what its method says, else its level
    /// (see [`Self::levels`]); leaves have 0.
    pub fn distortions(&self) -> Vec<f64> {
        if !self.distortions.is_empty() {
            return self.distortions.clone();
        }
        let height = f64::from(self.height());
        self.relative_levels().into_iter().map(|level| (level * height).round()).collect()
    }

    /// The level on which every node stands (see [`Self::levels`]), as a share of the height; leaves
    /// have 0. A label that repeats from a node to its only child is one value for the reader of a
    /// release: it has the highest of its levels, and 0 if the value itself has that label.
    pub(crate) fn relative_levels(&self) -> Vec<f64> {
        let depths = self.depths();
        let height = f64::from(depths.iter().copied().max().unwrap_or(0));
        let mut is_value: Vec<bool> =
            (0..self.len() as Node).map(|node| self.as_leaf(node).is_some()).collect();
        let repeats: Vec<bool> = (0..self.len() as Node).map(|node| self.repeats(node)).collect();
        for node in (1..self.len()).rev().filter(|&node| repeats[node]) {
            is_value[self.parents[node] as usize] = is_value[node];
        }
        let mut levels = vec![0.0; self.len()];
        for node in (0..self.len()).filter(|&node| !is_value[node]) {
            levels[node] = if repeats[node] {
                levels[self.parents[node] as usize]
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

    /// Where a node comes from, as far as that is known.
    pub fn origin(&self, node: Node) -> Option<&Origin> {
        self.origins.get(node as usize).filter(|origin| !origin.is_empty())
    }

    /// Whether a method says how far nodes are from the values themselves.
    pub(crate) fn has_distortions(&self) -> bool {
        !self.distortions.is_empty()
    }

    /// Whether nodes stand for more than the values below them.
    pub(crate) fn has_bounds(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// Whether nodes have names of their own, rather than intervals.
    pub(crate) fn has_names(&self) -> bool {
        !self.labels.is_empty()
    }

    /// A node's label: its own, or the interval it stands for.
    pub fn label(&self, node: Node) -> Cow<'_, str> {
        if let Some(label) = self.labels.get(node as usize).filter(|label| !label.is_empty()) {
            return Cow::Borrowed(label);
        }
        let leaves = self.leaves_of(node);
        if self.as_leaf(node).is_some() || (leaves.len() == 1 && self.bounds.is_empty()) {
            return self.spelling(leaves.start);
        }
        if leaves.end.index() > self.leaves().len() {
            return Cow::Borrowed("*"); // numbers and missing values have only this in common
        }
        match (self.bounds.get(node as usize), self.leaves().scale()) {
            (Some(&(low, high)), Some(scale)) => Cow::Owned(scale.interval(low, high)),
            _ => {
                let [first, last] =
                    [leaves.start, leaves.greatest()].map(|leaf| self.spelling(leaf));
                Cow::Owned(format!("[{first}, {last}]"))
            }
        }
    }

    /// What a release shows for a node: its label, and `*` for a root without a name of its own.
    pub fn published(&self, node: Node) -> Cow<'_, str> {
        if node == 0 && self.labels.is_empty() && self.n_leaves() > 1 {
            return Cow::Borrowed("*");
        }
        self.label(node)
    }

    /// How a leaf is written.
    pub fn spelling(&self, leaf: Leaf) -> Cow<'_, str> {
        self.ground.spelling(leaf)
    }

    /// The least and greatest value a node stands for, where leaves are numbers or dates.
    pub fn bounds(&self, node: Node) -> Option<(f64, f64)> {
        if let Some(&bounds) = self.bounds.get(node as usize) {
            return (!bounds.0.is_nan()).then_some(bounds);
        }
        let scale = self.leaves().scale()?;
        let leaves = self.leaves_of(node).places();
        if leaves.start >= scale.len() {
            return None;
        }
        let last = leaves.end.min(scale.len()) - 1;
        Some((scale.value(leaves.start), scale.value(last)))
    }

    /// What each node costs: its share of the root's size.
    ///
    /// The size of a numeric node is the width of its range, of any other the number of its leaves
    /// less one; a leaf costs 0, the root of two or more leaves 1 (METHODS 3.2, 7). The ranges of a
    /// method count as far as they lie between the least and the greatest value, those of
    /// somebody's file as their labels say (METHODS 1.10); the parts of the calendar are the same
    /// whoever names them, so ranges of dates count as those of a method. Whatever is called `*`
    /// costs 1.
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
        let of_root = sizes[0];
        let cost = |(node, size): (usize, &f64)| match self.as_leaf(node as Node) {
            None if self.labels.get(node).is_some_and(|label| is_anything(label)) => 1.0,
            None if of_root > 0.0 => (size / of_root).min(1.0),
            None if node == 0 && self.n_leaves() > 1 => 1.0,
            _ => 0.0,
        };
        sizes.iter().enumerate().map(cost).collect()
    }

    /// The tree in one line, as METHODS writes it: `[1-4]([1-2](1,2),4)`.
    pub fn outline(&self) -> String {
        let mut text = String::new();
        let mut open: Vec<Node> = Vec::new();
        for node in 0..self.len() as Node {
            let mut is_sibling = false;
            while open.last().is_some_and(|&above| Some(above) != self.parent(node)) {
                open.pop();
                if is_sibling {
                    text.push(')');
                }
                is_sibling = true;
            }
            text.push_str(if is_sibling {
                ","
            } else if node > 0 {
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

/// Whether a label is `*`, or stars only.
fn is_anything(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|byte| byte == b'*')
}
