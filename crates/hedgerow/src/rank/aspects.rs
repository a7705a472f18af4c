//! The four aspects of a hierarchy; of each, less is better.

use super::Lexicon;
use crate::hierarchy::{Hierarchy, Leaf, Node};
use crate::knowledge::Concept;

/// Generalization semantic loss: how unlike values are to what stands above them.
///
/// The mean over the leaves of a column's values of the mean over the nodes above each of
/// `1 - wp(leaf, node)`, `wp` that of Wu and Palmer. What stands for nothing is like nothing. None if
/// no leaf stands for anything.
///
/// # Complexity
///
/// For each leaf, linear in the different concepts above it.
///
/// # References
///
/// \[Ayala2014b\], not readable, so the formula is reconstructed from its name and from
/// \[Ayala2016\], section 3.3; METHODS 5.7. Leaves that the column does not have are left out: they are never published.
pub fn semantic(
    tree: &Hierarchy,
    concepts: &[Option<Concept>],
    leaves: &[Leaf],
    lexicon: &mut Lexicon,
) -> Option<f64> {
    let nodes = || leaves.iter().map(|&leaf| tree.leaf_node(leaf));
    if nodes().all(|node| concepts[node as usize].is_none()) {
        return None;
    }
    let depths = tree.depths();
    let others = nearest_others(tree, concepts);
    let mut sum = 0.0;
    for leaf in nodes() {
        let n_above = depths[leaf as usize];
        let mut alike = 0.0;
        let mut next = tree.parent(leaf);
        while let Some(node) = next {
            // Nodes one above the other that stand for the same are taken at once.
            next = others[node as usize];
            let n_same =
                depths[node as usize] + 1 - next.map_or(0, |next| depths[next as usize] + 1);
            if let Some((leaf, node)) = concepts[leaf as usize].zip(concepts[node as usize]) {
                alike += f64::from(n_same) * lexicon.alike(leaf, node);
            }
        }
        if n_above > 0 {
            sum += 1.0 - alike / f64::from(n_above);
        }
    }
    Some(sum / leaves.len() as f64)
}

/// The nearest node above each that stands for something else.
fn nearest_others(tree: &Hierarchy, concepts: &[Option<Concept>]) -> Vec<Option<Node>> {
    let mut others: Vec<Option<Node>> = Vec::with_capacity(tree.len());
    for node in 0..tree.len() {
        others.push(tree.parent(node as Node).and_then(|parent| {
            let is_same = concepts[parent as usize] == concepts[node];
            if is_same { others[parent as usize] } else { Some(parent) }
        }));
    }
    others
}

/// Semantic variance: how far nodes are from the root, on the whole.
///
/// The mean over all nodes of `sd²`, `sd = log2(1 + d / (d + 1))` the taxonomic distance of a node at
/// depth `d` from the root: of the `d + 1` nodes from it up to the root, `d` are not shared. The finer a hierarchy,
/// the more its nodes tell.
///
/// # Complexity
///
/// Linear in the nodes.
///
/// # References
///
/// \[Sanchez2015\], of which only the abstract could be read; METHODS 5.7. Distances are those in the
/// hierarchy itself, not in the knowledge: there they shrink as nodes are added, against what \[Ayala2016\] says.
pub fn privacy(tree: &Hierarchy) -> f64 {
    let square = |depth: u32| {
        let depth = f64::from(depth);
        (1.0 + depth / (depth + 1.0)).log2().powi(2)
    };
    tree.depths().into_iter().map(square).sum::<f64>() / tree.len() as f64
}

/// The lowest level on which each generalized value has `k` records, as a share of the height.
///
/// Levels are those of [`Hierarchy::levels`]; `counts` has the records of each leaf. 1 if not even the
/// root has so many.
///
/// # Complexity
///
/// Linear in the nodes: a value has enough records from the lowest node above it on that has.
///
/// # References
///
/// \[Ayala2016\], section 3.3; METHODS 5.7.
pub fn distortion(tree: &Hierarchy, counts: &[u64], k: u64) -> f64 {
    let mut running = vec![0];
    running.extend(counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    }));
    let total = running[counts.len()];
    if total > 0 && total < k {
        return 1.0;
    }
    let depths = tree.depths();
    let height = depths.iter().copied().max().unwrap_or(0);
    // The level from which on each node, or what is above it, has enough.
    let mut levels: Vec<u32> = Vec::with_capacity(tree.len());
    for node in 0..tree.len() as Node {
        let leaves = tree.leaves_of(node);
        let count: u64 = running[leaves.end.index()] - running[leaves.start.index()];
        levels.push(match tree.parent(node) {
            Some(parent) if count < k => levels[parent as usize],
            _ if tree.as_leaf(node).is_some() => 0,
            _ => height - depths[node as usize],
        });
    }
    let occurring = Leaf::first(tree.n_leaves()).filter(|leaf| counts[leaf.index()] > 0);
    let level = occurring.map(|leaf| levels[tree.leaf_node(leaf) as usize]).max().unwrap_or(0);
    f64::from(level) / f64::from(height.max(1))
}

/// The mean number of children of the nodes that have some.
///
/// # Complexity
///
/// Constant: every node but the root is a child.
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
