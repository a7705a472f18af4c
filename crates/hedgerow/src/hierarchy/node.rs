//! Nodes, groups and levels, and the node or group that replaces each leaf on each level.

use serde::Serialize;

use crate::index::index;

index! {
    /// A node of a tree; nodes are numbered in pre-order.
    Node
}

impl Node {
    /// The root of every tree.
    pub const ROOT: Self = Self(0);

    /// Returns the next node in pre-order, which need not exist.
    #[inline]
    #[must_use]
    pub(crate) const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl std::fmt::Display for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

index! {
    /// A group of levels that need not nest; groups are numbered level by level, the finest first.
    Group
}

index! {
    /// A node of a tree or a group of levels, depending on the hierarchy. It is also the position
    /// of the cost and the distortion of that node or group.
    Entry
}

impl From<Node> for Entry {
    #[inline]
    fn from(node: Node) -> Self {
        Self(node.0)
    }
}

impl Entry {
    /// Returns the node; the hierarchy must be a tree.
    #[inline]
    pub const fn node(self) -> Node {
        Node(self.0)
    }

    /// Returns the group; the hierarchy must consist of levels.
    #[inline]
    pub const fn group(self) -> Group {
        Group(self.0)
    }
}

impl From<Group> for Entry {
    #[inline]
    fn from(group: Group) -> Self {
        Self(group.0)
    }
}

index! {
    /// A level of a hierarchy.
    #[derive(Serialize)]
    Level
}

impl Level {
    /// The level of the values themselves.
    pub(crate) const VALUES: Self = Self(0);

    /// Returns the next higher level, which need not exist.
    #[inline]
    #[must_use]
    pub const fn above(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the next lower level, or `None` for the level of the values.
    #[inline]
    pub const fn below(self) -> Option<Self> {
        match self.0 {
            0 => None,
            level => Some(Self(level - 1)),
        }
    }

    /// Returns the levels from that of the values up to this one.
    pub fn and_below(self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..=self.0).map(Self)
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The levels of a hierarchy as full-domain methods see them.
#[derive(Debug, Clone)]
pub struct LevelFunction<N = Entry> {
    /// The node or group of each leaf, level by level. Level 0 has the leaves themselves.
    pub nodes: Vec<Vec<N>>,
    /// Distortion of each node or group: how far it is from the original values.
    pub distortions: Vec<f64>,
    /// Whether every level is nested in the next, so that leaves grouped on a level stay together
    /// above.
    pub is_nested: bool,
}

impl<N: Into<Entry>> LevelFunction<N> {
    /// Converts the nodes or groups into entries, which are the same type for any hierarchy.
    pub(super) fn of_entries(self) -> LevelFunction {
        let Self { nodes, distortions, is_nested } = self;
        let entries = |nodes: Vec<N>| nodes.into_iter().map(Into::into).collect();
        LevelFunction { nodes: nodes.into_iter().map(entries).collect(), distortions, is_nested }
    }
}
