//! Drawings of hierarchies: in the terminal, for Graphviz, and as SVG.

mod dot;
mod icicle;
mod levels;
mod svg;
mod text;

pub use dot::dot;
pub use icicle::{icicle, level_icicle};
pub use levels::levels;
pub use svg::svg;
pub use text::text;

use crate::hierarchy::{Hierarchy, Node};

/// Returns the nodes in pre-order, down to `depth` if given.
fn visible(tree: &Hierarchy, depth: Option<u32>) -> Vec<Node> {
    let Some(depth) = depth else {
        return tree.nodes().collect();
    };
    let depths = tree.depths();
    tree.nodes().filter(|&node| depths[node.index()] <= depth).collect()
}
