//! Nodes, and which node stands for each leaf on each level.

/// The number of a node; nodes are numbered in pre-order, the root is 0.
pub type Node = u32;

/// The levels of a hierarchy as full-domain methods see them.
#[derive(Debug, Clone)]
pub struct LevelFunction {
    /// The node or group of each leaf, level by level; level 0 are the leaves.
    pub nodes: Vec<Vec<Node>>,
    /// How far each node or group is from the values themselves.
    pub distortions: Vec<f64>,
    /// Whether every level is nested in the next, so that what a level groups stays together.
    pub is_nested: bool,
}
