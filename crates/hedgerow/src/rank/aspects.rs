//! The four aspects of a hierarchy; lower is better for all of them.

use super::Lexicon;
use crate::hierarchy::{Hierarchy, Leaf, Level, Node};
use crate::knowledge::Concept;

/// Generalization semantic loss: the dissimilarity of values to the nodes above them.
///
/// For each leaf of the column's values, the mean of `1 - wp(leaf, node)` over the nodes above it,
/// where `wp` is the Wu-Palmer similarity; then the mean over these leaves. The similarity of a
/// node without a concept is 0. Returns `None` if no leaf has a concept.
///
/// # Complexity
///
/// For each leaf, linear in the number of different concepts above it.
///
/// # References
///
/// \[Ayala2014b\] could not be read, so the formula is reconstructed from its name and from
/// \[Ayala2016\], section 3.3; METHODS 5.7. Deviation: leaves that do not occur in the column are
/// left out, because they are never published.
pub fn semantic(
    tree: &Hierarchy,
    concepts: &[Option<Concept>],
    leaves: &[Leaf],
    lexicon: &mut Lexicon,
) -> Option<f64> {
    let nodes = || leaves.iter().map(|&leaf| tree.leaf_node(leaf));
    if nodes().all(|node| concepts[node.index()].is_none()) {
        return None;
    }
    let depths = tree.depths();
    let others = nearest_others(tree, concepts);
    let mut sum = 0.0;
    for leaf in nodes() {
        let n_above = depths[leaf.index()];
        let mut alike = 0.0;
        let mut next = tree.parent(leaf);
        while let Some(node) = next {
            // Consecutive nodes with the same concept are handled at once.
            next = others[node.index()];
            let n_same = depths[node.index()] + 1 - next.map_or(0, |next| depths[next.index()] + 1);
            if let Some((leaf, node)) = concepts[leaf.index()].zip(concepts[node.index()]) {
                alike += f64::from(n_same) * lexicon.alike(leaf, node);
            }
        }
        // A root that is also a leaf has nothing above it and loses nothing.
        if n_above > 0 {
            sum += 1.0 - alike / f64::from(n_above);
        }
    }
    Some(sum / leaves.len() as f64)
}

/// Returns the nearest ancestor of each node that has another concept.
fn nearest_others(tree: &Hierarchy, concepts: &[Option<Concept>]) -> Vec<Option<Node>> {
    let mut others: Vec<Option<Node>> = Vec::with_capacity(tree.len());
    // Parents come before their children in pre-order.
    for node in 0..tree.len() {
        others.push(tree.parent(Node::new(node)).and_then(|parent| {
            let is_same = concepts[parent.index()] == concepts[node];
            if is_same { others[parent.index()] } else { Some(parent) }
        }));
    }
    others
}

/// Semantic variance: the overall distance of the nodes from the root.
///
/// The mean over all nodes of `sd²`, where `sd = log2(1 + d / (d + 1))` is the taxonomic distance
/// from the root of a node at depth `d`: of the `d + 1` nodes on the path to the root, `d` are not
/// shared with it. The finer a hierarchy is, the more its nodes reveal.
///
/// # Complexity
///
/// Linear in the number of nodes.
///
/// # References
///
/// \[Sanchez2015\], of which only the abstract was available; METHODS 5.7. Deviation: distances are
/// measured in the hierarchy itself, not in the knowledge, where they would shrink as nodes are
/// added, contrary to \[Ayala2016\].
pub fn privacy(tree: &Hierarchy) -> f64 {
    let square = |depth: u32| {
        let depth = f64::from(depth);
        (1.0 + depth / (depth + 1.0)).log2().powi(2)
    };
    tree.depths().into_iter().map(square).sum::<f64>() / tree.len() as f64
}

/// The lowest level on which each generalized value has `k` records, divided by the height.
///
/// Levels are those of [`Hierarchy::levels`]; `counts` has the number of records of each leaf.
/// Returns 1 if even the root has fewer than `k` records.
///
/// # Complexity
///
/// Linear in the number of nodes: a value has enough records from its lowest sufficient ancestor
/// on.
///
/// # References
///
/// \[Ayala2016\], section 3.3; METHODS 5.7.
pub fn distortion(tree: &Hierarchy, counts: &[u64], k: u64) -> f64 {
    let total: u64 = counts.iter().sum();
    // Without records, nothing has to be generalized.
    let level = if total == 0 { Some(Level::from(0)) } else { tree.level_with(counts, k) };
    level.map_or(1.0, |level| f64::from(level.get()) / f64::from(tree.height().max(1)))
}

/// Mean number of children of the inner nodes.
///
/// # Complexity
///
/// Constant: every node except the root is a child.
///
/// # References
///
/// \[Ayala2016\], section 3.3; METHODS 5.7.
pub fn interval(tree: &Hierarchy) -> f64 {
    match tree.len() - tree.n_leaves() {
        0 => 0.0,
        n_inner => (tree.len() - 1) as f64 / n_inner as f64,
    }
}
