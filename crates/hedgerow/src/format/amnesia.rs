//! Amnesia's text files: a few header lines, then `parent has child child ...`.
//!
//! Verified against Amnesia's `HierarchyImplString` and `HierarchyImplRangesNumbers`. The first
//! line is `distinct` or `range`, followed by `name`, `type` and `height` (the number of levels).
//! Then come the lowest parents, a blank line, the parents of the next level, and so on up to the
//! root. Nodes are identified by their labels, which are separated by blanks. Nodes of ranges are
//! written `low,high`, including both ends.

use std::io::Write;

use super::WriteError;
use crate::error::Advice;
use crate::format::draft::{Draft, Links};
use crate::hierarchy::{Hierarchy, Leaf, Node, finite_range};
use crate::table::Kind;
use crate::{Error, Result};

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    let mut links = Links::default();
    let mut name = String::new();
    // The header comes first, so the kind of nodes is known when they are read.
    let mut sort = Sort::Distinct;
    for (line, words) in (1..).zip(text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>())) {
        match words[..] {
            [parent, "has", ..] => {
                let parent = node(&mut links, parent, line, sort);
                links.nodes[parent].is_group = true;
                for child in &words[2..] {
                    let child = node(&mut links, child, line, sort);
                    links.link(child, parent, line);
                }
            }
            ["distinct"] => sort = Sort::Distinct,
            ["range"] => sort = Sort::Range,
            // `type` follows the line with the sort, so the sort is known here.
            ["type", "int"] if sort == Sort::Range => sort = Sort::RangeOfInts,
            ["name", ..] => name = words[1..].join(" "),
            [] | ["type" | "height", ..] => {}
            _ => {
                let problem = "this is not 'parent has child child ...'";
                return Err(Error::syntax(line, problem)
                    .advise([Advice::words("write labels without blanks")]));
            }
        }
    }
    if links.nodes.is_empty() {
        return Err(Error::syntax(None, "there is no line 'parent has child child ...'"));
    }
    Ok(links.into_draft().of_attribute(attribute.unwrap_or(&name)))
}

/// The kind of nodes in a file.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Distinct,
    Range,
    /// Ranges of whole numbers, although Amnesia writes them as 25.0.
    RangeOfInts,
}

/// Returns the node with a label. `0,25` is the range `[0, 25]`, and `3,3` is the value 3.
fn node<'a>(links: &mut Links<'a>, word: &'a str, line: u64, sort: Sort) -> usize {
    let place = links.node(word, line);
    let plain = |end: &'a str| match sort {
        Sort::RangeOfInts => end.strip_suffix(".0").unwrap_or(end),
        Sort::Distinct | Sort::Range => end,
    };
    let label = match word.split_once(',').filter(|_| sort != Sort::Distinct) {
        Some((lo, hi)) if lo == hi => plain(lo).to_owned(),
        Some((lo, hi)) => format!("[{}, {}]", plain(lo), plain(hi)),
        None => word.to_owned(),
    };
    links.nodes[place].bounds = finite_range(&label);
    links.nodes[place].label = label.into();
    place
}

/// Whether a tree is written as ranges, because all its labels are intervals of its own numbers.
fn is_range(tree: &Hierarchy) -> bool {
    let is_whole = tree.leaves().len() == tree.n_leaves();
    let is_derived = !tree.has_names() && !tree.has_bounds();
    tree.kind() == Kind::Number && is_whole && is_derived && tree.len() > 1
}

pub(super) fn spell(tree: &Hierarchy, label: &str) -> String {
    match label {
        label if is_range(tree) => label.to_owned(),
        "has" => "has_".to_owned(),
        label => label.replace(char::is_whitespace, "_"),
    }
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    let depths = tree.depths();
    let height = depths.iter().copied().max().unwrap_or(0);
    write_header(tree, height, out)?;
    let mut children: Vec<Vec<Node>> = vec![Vec::new(); tree.len()];
    for node in tree.nodes().skip(1) {
        children[tree.parent(node).unwrap_or(Node::ROOT).index()].push(node);
    }
    // A tree of a single node still needs a line.
    let mut parents: Vec<Node> =
        tree.nodes().filter(|&node| tree.as_leaf(node).is_none() || tree.len() == 1).collect();
    // Lowest parents first. The sort is stable, so nodes of one level keep their order.
    parents.sort_by_key(|&node| std::cmp::Reverse(depths[node.index()]));
    let mut depth = None;
    for node in parents {
        // A blank line separates the levels.
        if depth.replace(depths[node.index()]) != Some(depths[node.index()]) {
            writeln!(out)?;
        }
        write!(out, "{} has", written(tree, node))?;
        for &child in &children[node.index()] {
            write!(out, " {}", written(tree, child))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the lines before the nodes.
fn write_header(tree: &Hierarchy, height: u32, out: &mut dyn Write) -> std::io::Result<()> {
    let is_whole = |leaf| !tree.spelling(leaf).contains(['.', 'e', 'E']);
    let (sort, kind) = match is_range(tree) {
        true if Leaf::first(tree.n_leaves()).all(is_whole) => ("range", "int"),
        true => ("range", "decimal"),
        false => ("distinct", "string"),
    };
    let attribute = tree.attribute().replace(char::is_whitespace, "_");
    let name = if attribute.is_empty() { "hierarchy" } else { &attribute };
    write!(out, "{sort}\nname {name}\ntype {kind}\nheight {}\n", height + 1)
}

/// Returns a node as a file has it: its label, or `low,high` for a range.
fn written(tree: &Hierarchy, node: Node) -> String {
    if !is_range(tree) {
        return tree.published(node).into_owned();
    }
    let leaves = tree.leaves_of(node);
    format!("{},{}", tree.spelling(leaves.start), tree.spelling(leaves.greatest()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sorts_of_files_are_read() {
        let text =
            "distinct\nname job\ntype string\nheight 3\n\nA has a b \nB has c \n\n* has B A \n";
        let draft = parse(text, None).unwrap();
        assert_eq!(draft.attribute(), "job");
        assert_eq!(draft.assemble().unwrap().outline(), "*(B(c),A(a,b))");
        let text = "range\nname age\ntype int\nheight 2\n\n0.0,50.0 has 0.0,25.0 26.0,50.0 \n";
        let tree = parse(text, None).unwrap().assemble().unwrap();
        assert_eq!(tree.outline(), "[0-50]([0-25],[26-50])");
    }

    #[test]
    fn faults_name_their_line() {
        let error = |text: &str| match parse(text, None).and_then(|draft| draft.assemble()) {
            Ok(tree) => panic!("{}", tree.outline()),
            Err(error) => error.to_string(),
        };
        assert!(error("distinct\n\nNew York has a\n").contains("line 3: this is not 'parent has"));
        let twice = "distinct\n\nA has a\nB has a\n\n* has A B\n";
        assert!(error(twice).contains("line 4: 'a' has two parents, 'B' here and 'A' on line 3"));
        assert!(error("distinct\n\nA has a\nB has b\n").contains("line 4: 'B' is a second root"));
        assert!(error("distinct\n").contains("there is no line"));
    }
}
