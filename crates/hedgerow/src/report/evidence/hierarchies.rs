//! The generalization of each quasi-identifier, and the levels that were published.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use serde::Serialize;

use super::Case;
use crate::chart::Icicle;
use crate::format::draw;
use crate::hierarchy::{Hierarchy, Node};
use crate::table::Column;

/// The generalization of a quasi-identifier.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct HierarchyEvidence {
    /// The column.
    pub column: String,
    /// The method that built the hierarchy; empty if it is not known.
    pub method: String,
    /// Number of nodes; 0 without a tree.
    pub nodes: usize,
    /// Number of edges from the root to the deepest leaf.
    pub height: u32,
    /// The reason for the choice, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Number of records that are published on each level of the tree; level 0 are the values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelShare>,
    /// The tree, coloured by the share of its records that each node was published for.
    #[serde(skip)]
    pub picture: Option<Icicle>,
}

/// Records that are published on a level of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LevelShare {
    /// The level; 0 are the values, the greatest is the root.
    pub level: u32,
    /// Number of its nodes that are published.
    pub nodes: usize,
    /// Number of records.
    pub records: u64,
}

/// Describes the hierarchies of all quasi-identifiers.
pub(super) fn all(case: &Case<'_>) -> Vec<HierarchyEvidence> {
    let columns = case.original.columns().iter().zip(case.release.columns());
    columns.map(|(column, shown)| of_column(case, column, shown)).collect()
}

fn of_column(case: &Case<'_>, column: &Column, shown: &Column) -> HierarchyEvidence {
    let name = &column.name;
    let outcome = case.facts.outcome.as_ref().and_then(|outcome| outcome.hierarchies.get(name));
    let tree = case.hierarchies.get(name).copied();
    let by = tree.and_then(Hierarchy::builder).map(ToString::to_string);
    let published = tree.map(|tree| published(tree, shown));
    HierarchyEvidence {
        column: name.clone(),
        method: outcome.map(|outcome| outcome.method.clone()).or(by).unwrap_or_default(),
        nodes: tree.map_or(0, Hierarchy::len),
        height: tree.map_or(0, Hierarchy::height),
        why: outcome.and_then(|outcome| outcome.why.clone()),
        levels: (tree.zip(published.as_ref()))
            .map_or_else(Vec::new, |(tree, published)| levels(tree, published)),
        picture: tree.zip(published).map(|(tree, published)| picture(tree, column, &published)),
    }
}

/// Number of records that are published as each node.
fn published(tree: &Hierarchy, shown: &Column) -> Vec<u64> {
    let mut records = vec![0; tree.len()];
    let mut nodes: HashMap<String, Node> = HashMap::new();
    // A label that several nodes have counts for the highest, which is the first in pre-order.
    for node in tree.nodes() {
        nodes.entry(tree.published(node).into_owned()).or_insert(node);
    }
    for code in shown.domain.codes() {
        // Cells that no node publishes, such as missing values, are on no level.
        if let Some(node) = nodes.get(&*shown.domain.spelling(code)) {
            records[node.index()] += shown.domain.count(code);
        }
    }
    records
}

fn levels(tree: &Hierarchy, published: &[u64]) -> Vec<LevelShare> {
    let (depths, height) = (tree.depths(), tree.height());
    let mut levels: BTreeMap<u32, LevelShare> = BTreeMap::new();
    for node in tree.nodes().filter(|node| published[node.index()] > 0) {
        // Leaves can be at different depths; all of them are values.
        let level = if tree.as_leaf(node).is_some() { 0 } else { height - depths[node.index()] };
        let found = levels.entry(level).or_insert(LevelShare { level, nodes: 0, records: 0 });
        found.nodes += 1;
        found.records += published[node.index()];
    }
    levels.into_values().collect()
}

/// Draws the tree; a node is as strong as the share of its records that are published as it.
fn picture(tree: &Hierarchy, column: &Column, published: &[u64]) -> Icicle {
    let domain = &column.domain;
    let mut below = vec![0u64; tree.n_leaves() + 1];
    for leaf in crate::hierarchy::Leaf::first(tree.n_leaves()) {
        let code = domain.code_of(&tree.spelling(leaf));
        // Prefix sums of the records of leaves, so that any node is one difference.
        below[leaf.index() + 1] = below[leaf.index()] + code.map_or(0, |code| domain.count(code));
    }
    draw::icicle(tree, |node| {
        let leaves = tree.leaves_of(node).places();
        let records = below[leaves.end] - below[leaves.start];
        if records == 0 { 0.0 } else { published[node.index()] as f64 / records as f64 }
    })
}
