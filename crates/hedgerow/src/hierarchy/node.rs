//! Nodes, and the node that replaces each leaf on each level.

/// Number of a node. Nodes are numbered in pre-order, and the root is 0.
pub type Node = u32;

/// The levels of a hierarchy as full-domain methods see them.
#[derive(Debug, Clone)]
pub struct LevelFunction {
    /// The node or group of each leaf, level by level. Level 0 has the leaves themselves.
    pub nodes: Vec<Vec<Node>>,
    /// Distortion of each node or group: how far it is from the original values.
    pub distortions: Vec<f64>,
    /// Whether every level is nested in the next, so that leaves grouped on a level stay together
    /// above.
    pub is_nested: bool,
}
