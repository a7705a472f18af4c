//! Draws a hierarchy as an icicle: rows of nodes, each as wide as the values below it.

use crate::chart::{Block, Icicle};
use crate::hierarchy::{Hierarchy, Leaf, Levels, Node};
use crate::table::Values;

/// Maximum number of nodes in a drawing.
const MOST_NODES: usize = 2_000;

/// Prepares a drawing of a tree in which each node is coloured by its weight, from 0 to 1.
///
/// The leaves of numbers and dates are placed by their values, unless most of them would be too
/// narrow to see; other leaves are equally wide.
pub fn icicle(tree: &Hierarchy, weight: impl Fn(Node) -> f64) -> Icicle {
    let edges = edges(tree.leaves(), tree.n_leaves());
    let depths = tree.depths();
    let block = |node: Node| {
        let leaves = tree.leaves_of(node);
        Block {
            from: edges[leaves.start.index()],
            to: edges[leaves.end.index()],
            depth: depths[node.index()],
            weight: weight(node),
            label: tree.label(node).into_owned(),
        }
    };
    let spelling = |leaf: usize| tree.spelling(Leaf::new(leaf)).into_owned();
    Icicle {
        label: format!("tree of {}: the root on top, values at the bottom", tree.attribute()),
        blocks: tree.nodes().map(block).collect(),
        ends: Some([spelling(0), spelling(tree.n_leaves() - 1)]),
        most: MOST_NODES,
    }
}

/// Prepares a drawing of levels that need not nest: one row for each, the values at the bottom.
pub fn level_icicle(levels: &Levels) -> Icicle {
    let n_leaves = levels.ground().len();
    let edges = edges(levels.values(), n_leaves);
    let top = levels.top();
    let of_level = |level| levels.level(level).map(move |group| (level, group));
    let blocks = top.and_below().rev().flat_map(of_level).map(|(level, group)| {
        let leaves = levels.leaves_of(group).places();
        Block {
            from: edges[leaves.start],
            to: edges[leaves.end],
            depth: top.get() - level.get(),
            // Neighbouring rows differ, so that groups that do not nest are distinguishable.
            weight: if level.get() % 2 == 0 { 0.25 } else { 0.6 },
            label: levels.label(group).into_owned(),
        }
    });
    let spelling = |leaf: usize| levels.ground().spelling(Leaf::new(leaf)).into_owned();
    Icicle {
        label: format!(
            "levels of {}: one interval on top, values at the bottom",
            levels.ground().attribute()
        ),
        blocks: blocks.collect(),
        ends: Some([spelling(0), spelling(n_leaves - 1)]),
        most: MOST_NODES,
    }
}

/// Returns the left edge of every leaf, from 0 to 1, and the right edge of the last.
fn edges(values: &Values, n_leaves: usize) -> Vec<f64> {
    let equal = || (0..=n_leaves).map(|place| place as f64 / n_leaves as f64).collect();
    by_value(values, n_leaves).filter(|edges| are_wide(edges)).unwrap_or_else(equal)
}

/// Returns edges halfway between neighbouring values, or `None` if the leaves have no scale.
fn by_value(values: &Values, n_leaves: usize) -> Option<Vec<f64>> {
    let scale = values.scale().filter(|scale| scale.len() == n_leaves)?;
    let last = scale.len().checked_sub(1).filter(|last| *last > 0)?;
    // The first and the last leaf end as far outside as the middle of the nearest gap is inside.
    let low = scale.value(0) - (scale.value(1) - scale.value(0)) / 2.0;
    let high = scale.value(last) + (scale.value(last) - scale.value(last - 1)) / 2.0;
    let between =
        (1..scale.len()).map(|place| f64::midpoint(scale.value(place - 1), scale.value(place)));
    let all = std::iter::once(low).chain(between).chain([high]);
    Some(all.map(|edge| (edge - low) / (high - low)).collect())
}

/// Whether at least half of the leaves have a fifth of the mean width.
fn are_wide(edges: &[f64]) -> bool {
    let mean = 1.0 / (edges.len() - 1) as f64;
    let n_wide = edges.windows(2).filter(|pair| pair[1] - pair[0] >= mean / 5.0).count();
    2 * n_wide >= edges.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{HierarchyBuilder, Iotf};
    use crate::table::Table;

    fn tree(values: &[&str]) -> Hierarchy {
        let rows: Vec<[&str; 1]> = values.iter().map(|value| [*value]).collect();
        let table = Table::from_rows(&["x"], &rows).unwrap();
        Iotf.build(&table.columns()[0]).unwrap().hierarchy().unwrap().clone()
    }

    #[test]
    fn numbers_are_placed_by_value_unless_they_are_crowded() {
        let even = icicle(&tree(&["1", "2", "4"]), |_| 0.0);
        assert_eq!(even.ends, Some(["1".into(), "4".into()]));
        let narrow = even.blocks.iter().find(|block| block.label == "1").unwrap();
        // From 0.5 to 5, the first edge is at 1.5.
        assert!((narrow.to - 1.0 / 4.5).abs() < 1e-9, "{narrow:?}");
        let crowded = icicle(&tree(&["1", "2", "3", "4", "1000000"]), |_| 0.0);
        let last = crowded.blocks.iter().find(|block| block.label == "1000000").unwrap();
        assert!((last.to - last.from - 0.2).abs() < 1e-9, "{last:?}");
    }
}
