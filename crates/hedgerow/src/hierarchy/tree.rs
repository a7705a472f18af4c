//! The arena tree: every node covers a contiguous range of leaves.

use std::borrow::Cow;
use std::ops::Range;

use super::gaps::Gaps;
use crate::method::Spec;
use crate::table::{Domain, Kind, Values};
use crate::{Error, Result};

/// The number of a node; nodes are numbered in pre-order, the root is 0.
pub type Node = u32;

/// A generalization hierarchy: a tree whose leaves are the values of an attribute.
///
/// Leaves lie in tree order (for numbers, value order), so "does this node cover that value" is
/// two comparisons and the lowest common ancestor of a set of leaves is that of its least and
/// greatest. Trees may be ragged, deep and huge; nothing here recurses.
#[derive(Debug, Clone, PartialEq)]
pub struct Hierarchy {
    attribute: String,
    builder: Option<Spec>,
    leaves: Values,
    /// The label of an additional last leaf that stands for missing values.
    missing: Option<Box<str>>,
    /// Records per leaf, as running sums; all zero when unknown.
    running_counts: Vec<u64>,
    parents: Vec<Node>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Labels of all nodes; empty when they are the intervals of their leaves.
    labels: Vec<Box<str>>,
    /// Least and greatest value a node's label speaks of, where that is more than its leaves.
    bounds: Vec<(f64, f64)>,
    leaf_nodes: Vec<Node>,
    gaps: Gaps,
}

/// What a hierarchy is made of, besides its shape.
#[derive(Debug, Clone)]
pub struct Leaves {
    /// The attribute's name.
    pub attribute: String,
    /// The leaves in tree order.
    pub values: Values,
    /// Records per leaf; empty when unknown.
    pub counts: Vec<u64>,
}

impl Leaves {
    /// The values of a column.
    pub fn of(attribute: &str, domain: &Domain) -> Self {
        let (values, counts) = (domain.values.clone(), domain.counts.clone());
        Self { attribute: attribute.to_owned(), values, counts }
    }
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
        let mut running_counts = vec![0; n_leaves + 1];
        for (leaf, count) in leaves.counts.iter().enumerate() {
            running_counts[leaf + 1] = u64::saturating_add(running_counts[leaf], *count);
        }
        Ok(Self {
            attribute: leaves.attribute,
            builder: None,
            leaves: leaves.values,
            missing: None,
            running_counts,
            parents,
            starts: ranges.iter().map(|range| range.0).collect(),
            ends: ranges.iter().map(|range| range.1).collect(),
            labels: Vec::new(),
            bounds: Vec::new(),
            leaf_nodes,
            gaps: Gaps::new(joints),
        })
    }

    /// Gives the nodes labels of their own, in pre-order.
    #[must_use]
    pub fn with_labels(mut self, labels: Vec<Box<str>>) -> Self {
        debug_assert_eq!(labels.len(), self.len(), "one label for each node");
        self.labels = labels;
        self
    }

    /// Says which range of values each node's label speaks of, in pre-order.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Vec<(f64, f64)>) -> Self {
        debug_assert_eq!(bounds.len(), self.len(), "bounds for each node");
        self.bounds = bounds;
        self
    }

    /// Names the attribute.
    #[must_use]
    pub fn of_attribute(mut self, attribute: &str) -> Self {
        attribute.clone_into(&mut self.attribute);
        self
    }

    /// Notes how the tree was made.
    #[must_use]
    pub fn built_by(mut self, builder: Spec) -> Self {
        self.builder = Some(builder);
        self
    }

    /// Puts a leaf for missing values beside everything else, under a new root.
    #[must_use]
    pub fn with_missing(self, label: &str, count: u64) -> Self {
        let n_leaves = self.n_leaves() as u32;
        let mut tree = self;
        for parent in &mut tree.parents {
            *parent += 1;
        }
        tree.parents[0] = 0;
        tree.parents.insert(0, 0);
        tree.parents.push(0);
        tree.starts.insert(0, 0);
        tree.starts.push(n_leaves);
        tree.ends.insert(0, n_leaves + 1);
        tree.ends.push(n_leaves + 1);
        if !tree.labels.is_empty() {
            tree.labels.insert(0, "*".into());
            tree.labels.push(label.into());
        }
        if let Some(&root) = tree.bounds.first() {
            tree.bounds.insert(0, root);
            tree.bounds.push((f64::NAN, f64::NAN));
        }
        tree.leaf_nodes.iter_mut().for_each(|node| *node += 1);
        tree.leaf_nodes.push(tree.parents.len() as Node - 1);
        let total = tree.running_counts[tree.running_counts.len() - 1];
        tree.running_counts.push(total + count);
        tree.missing = Some(label.into());
        let mut joints = vec![0; n_leaves as usize];
        for node in 1..tree.parents.len() {
            let parent = tree.parents[node];
            if tree.starts[node] > tree.starts[parent as usize] {
                joints[tree.starts[node] as usize - 1] = parent;
            }
        }
        tree.gaps = Gaps::new(joints);
        tree
    }

    /// The attribute's name.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// How the tree was made, where that is known.
    pub fn builder(&self) -> Option<&Spec> {
        self.builder.as_ref()
    }

    /// The kind of the leaves.
    pub fn kind(&self) -> Kind {
        self.leaves.kind()
    }

    /// The values of the leaves in tree order; the leaf for missing values comes after them.
    pub fn leaves(&self) -> &Values {
        &self.leaves
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
    pub fn leaves_of(&self, node: Node) -> Range<u32> {
        self.starts[node as usize]..self.ends[node as usize]
    }

    /// The node of a leaf.
    pub fn leaf_node(&self, leaf: u32) -> Node {
        self.leaf_nodes[leaf as usize]
    }

    /// The leaf that a node is, if it is one.
    pub fn as_leaf(&self, node: Node) -> Option<u32> {
        let start = self.starts[node as usize];
        (self.leaf_nodes[start as usize] == node).then_some(start)
    }

    /// The lowest node above all leaves from `first` to `last`.
    pub fn lowest_common_ancestor(&self, first: u32, last: u32) -> Node {
        if first == last {
            return self.leaf_node(first);
        }
        self.gaps.joint(first as usize, last as usize)
    }

    /// How many records lie below a node; 0 when counts are unknown.
    pub fn count(&self, node: Node) -> u64 {
        let Range { start, end } = self.leaves_of(node);
        self.running_counts[end as usize] - self.running_counts[start as usize]
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

    /// The node that stands for a leaf on a level: level 0 is the leaf, level [`Self::height`] the
    /// root. A leaf that lies higher than others repeats on the lower levels (METHODS 0.2), so
    /// a node stands on level `height - depth`. `depths` are those of [`Self::depths`].
    pub fn at_level(&self, leaf: u32, level: u32, depths: &[u32], height: u32) -> Node {
        let mut node = self.leaf_node(leaf);
        while depths[node as usize] > height - level {
            node = self.parents[node as usize];
        }
        node
    }

    /// Whether nodes have labels of their own, rather than the intervals of their leaves.
    pub fn has_names(&self) -> bool {
        !self.labels.is_empty()
    }

    /// A node's label: its own, or the interval of its leaves.
    pub fn label(&self, node: Node) -> Cow<'_, str> {
        if let Some(label) = self.labels.get(node as usize) {
            return Cow::Borrowed(label);
        }
        let Range { start, end } = self.leaves_of(node);
        if end - start == 1 {
            return self.spelling(start);
        }
        if end as usize > self.leaves.len() {
            return Cow::Borrowed("*"); // numbers and missing values have only this in common
        }
        Cow::Owned(format!("[{}, {}]", self.spelling(start), self.spelling(end - 1)))
    }

    /// What a release shows for a node: its label, and `*` for a root without a name of its own.
    pub fn published(&self, node: Node) -> Cow<'_, str> {
        if node == 0 && self.labels.is_empty() && self.n_leaves() > 1 {
            return Cow::Borrowed("*");
        }
        self.label(node)
    }

    /// How a leaf is written.
    pub fn spelling(&self, leaf: u32) -> Cow<'_, str> {
        match &self.missing {
            Some(label) if leaf as usize == self.leaves.len() => Cow::Borrowed(label),
            _ => self.leaves.spelling(leaf as usize),
        }
    }

    /// The least and greatest value a node stands for, where leaves are numbers or dates.
    pub fn bounds(&self, node: Node) -> Option<(f64, f64)> {
        if let Some(&bounds) = self.bounds.get(node as usize) {
            return (!bounds.0.is_nan()).then_some(bounds);
        }
        let scale = self.leaves.scale()?;
        let Range { start, end } = self.leaves_of(node);
        if start as usize >= scale.len() {
            return None;
        }
        let last = (end as usize).min(scale.len()) - 1;
        Some((scale.value(start as usize), scale.value(last)))
    }

    /// What each node costs: its share of the root's size.
    ///
    /// The size of a numeric node is the width of its range, of any other the number of its leaves
    /// less one; a leaf costs 0, the root of two or more leaves 1 (METHODS 3.2, 7).
    pub fn costs(&self) -> Vec<f64> {
        let sizes: Vec<f64> = match self.leaves.scale() {
            _ if !self.bounds.is_empty() => self.bounds.iter().map(|(lo, hi)| hi - lo).collect(),
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
        let n_leaves = self.n_leaves() as u32;
        (sizes.iter().zip(self.starts.iter().zip(&self.ends)))
            .map(|(size, (start, end))| match end - start {
                1 => 0.0,
                all if all == n_leaves => 1.0,
                _ if of_root > 0.0 => (size / of_root).min(1.0),
                _ => 0.0,
            })
            .collect()
    }

    /// The leaf of every code of a column, or the first value that the tree does not have.
    pub fn bind(&self, domain: &Domain) -> Result<Vec<u32>> {
        let found = self.leaves_for(domain);
        let lost =
            found.iter().enumerate().filter(|(_, leaf)| leaf.is_none()).map(|(code, _)| code);
        let n_lost = lost.clone().count();
        if let Some(first) = lost.min_by_key(|&code| domain.first_rows[code]) {
            return Err(Error::NotInHierarchy {
                column: self.attribute.clone(),
                value: domain.values.spelling(first).into_owned(),
                row: domain.first_rows[first] + 1,
                more: n_lost - 1,
            });
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// The leaf of every code of a column, where the tree has it.
    pub(crate) fn leaves_for(&self, domain: &Domain) -> Vec<Option<u32>> {
        let by_spelling: hashbrown::HashMap<Cow<'_, str>, u32> = match &self.leaves {
            values if values.scale().is_some() && values.kind() == domain.values.kind() => {
                hashbrown::HashMap::new()
            }
            _ => (0..self.n_leaves() as u32).map(|leaf| (self.spelling(leaf), leaf)).collect(),
        };
        let leaf_of = |code: usize| {
            let spelling = domain.values.spelling(code);
            match (self.leaves.scale(), self.leaves.read(&spelling)) {
                (Some(scale), Some(reading)) => scale.place_of(reading).map(|leaf| leaf as u32),
                _ => by_spelling.get(&spelling).copied(),
            }
        };
        (0..domain.len()).map(leaf_of).collect()
    }

    /// The leaf with this spelling, if there is one.
    pub fn leaf_spelt(&self, spelling: &str) -> Option<u32> {
        (0..self.n_leaves() as u32).find(|&leaf| self.spelling(leaf) == spelling)
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
