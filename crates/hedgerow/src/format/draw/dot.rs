//! Draws a hierarchy for Graphviz.

use std::fmt::Write;

use super::visible;
use crate::hierarchy::{Hierarchy, Node};

/// Formats the tree in the DOT language, down to `depth` if given.
pub fn dot(tree: &Hierarchy, depth: Option<u32>) -> String {
    let mut out = String::from(
        "digraph hierarchy {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n",
    );
    let has_counts = tree.count(Node::ROOT) > 0;
    for node in visible(tree, depth) {
        // DOT reads a backslash in quotes as the start of an escape.
        let label = tree.label(node).replace('\\', "\\\\").replace('"', "\\\"");
        let count = if has_counts { format!("\\n{}", tree.count(node)) } else { String::new() };
        let _ = writeln!(out, "  n{node} [label=\"{label}{count}\"];");
        if let Some(parent) = tree.parent(node) {
            let _ = writeln!(out, "  n{parent} -> n{node};");
        }
    }
    out.push_str("}\n");
    out
}
