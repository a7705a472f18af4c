//! Draws a hierarchy in the terminal.

use std::fmt::Write;

use super::visible;
use crate::hierarchy::{Hierarchy, Node};
use crate::noun::counted;

/// Maximum number of indents. A tree with more is cut at `MOST_DEPTH`.
const MOST_INDENTS: u64 = 20_000_000;
const MOST_DEPTH: u32 = 100;

/// Draws the tree with box characters, one node per line, with its count and the distortion that
/// its builder set. `depth` limits the depth.
///
/// ```
/// use hedgerow::format::draw;
/// use hedgerow::builder::{HierarchyBuilder, Iotf};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["2"], ["9"]])?;
/// let tree = Iotf.build(&table.columns()[0])?;
/// assert_eq!(
///     draw::text(tree.hierarchy().unwrap(), None),
///     "[1, 9]  3\n├── [1, 2]  2\n│   ├── 1  1\n│   └── 2  1\n└── 9  1\n"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn text(tree: &Hierarchy, depth: Option<u32>) -> String {
    let mut out = String::new();
    let mut open: Vec<Node> = Vec::new();
    let has_counts = tree.count(Node::ROOT) > 0;
    let distortions = tree.distortions();
    let shown = visible(tree, depth.or_else(|| too_deep(tree).then_some(MOST_DEPTH)));
    for (place, &node) in shown.iter().enumerate() {
        // Keep only the path that leads to this node.
        while open.last().is_some_and(|&above| Some(above) != tree.parent(node)) {
            open.pop();
        }
        draw_branches(&mut out, tree, &open, node);
        out.push_str(&tree.label(node));
        if has_counts {
            let _ = write!(out, "  {}", tree.count(node));
        }
        if tree.has_distortions() && tree.as_leaf(node).is_none() {
            let _ = write!(out, "  distortion {:.4}", distortions[node.index()]);
        }
        // A group without children in the drawing was cut off by the depth.
        let next_is_child =
            shown.get(place + 1).is_some_and(|&next| tree.parent(next) == Some(node));
        if tree.as_leaf(node).is_none() && !next_is_child {
            let _ = write!(out, "  … {}", counted(tree.leaves_of(node).len(), "value"));
        }
        out.push('\n');
        open.push(node);
    }
    out
}

/// Draws the lines that lead to a node, given the path from the root to its parent.
fn draw_branches(out: &mut String, tree: &Hierarchy, path: &[Node], node: Node) {
    for &above in path.iter().skip(1) {
        out.push_str(if is_last(tree, above) { "    " } else { "│   " });
    }
    if node > Node::ROOT {
        out.push_str(if is_last(tree, node) { "└── " } else { "├── " });
    }
}

/// Whether a node is the last child of its parent: both end with the same leaf.
fn is_last(tree: &Hierarchy, node: Node) -> bool {
    let parent = tree.parent(node).unwrap_or(Node::ROOT);
    tree.leaves_of(node).end == tree.leaves_of(parent).end
}

/// Whether the indents alone would exhaust the memory, as in a chain of many values.
fn too_deep(tree: &Hierarchy) -> bool {
    let n_indents: u64 = tree.depths().into_iter().map(u64::from).sum();
    n_indents > MOST_INDENTS
}
