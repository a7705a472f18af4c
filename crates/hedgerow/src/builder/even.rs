//! Trees in which every leaf has the same levels above it, such as months, quarters and years.

use crate::error::Advice;
use crate::hierarchy::{Hierarchy, Leaves};
use crate::{Error, Result};

/// The groups of one level, as the first leaf of each group, ascending from 0.
pub(super) type Starts = Vec<u32>;

/// A node of a tree in which all leaves have the same levels above them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    /// The leaves that the node covers, as a half-open range.
    pub(super) range: (u32, u32),
    /// Index into the given levels; `None` for the root and the leaves.
    pub(super) level: Option<usize>,
}

/// Returns the groups that start wherever the key of a leaf differs from that of the previous leaf.
pub(super) fn starts_where_changed(n_leaves: usize, key: impl Fn(usize) -> i64) -> Starts {
    let mut before = None;
    let begins = |leaf: &u32| {
        let key = Some(key(*leaf as usize));
        std::mem::replace(&mut before, key) != key
    };
    (0..n_leaves as u32).filter(begins).collect()
}

/// Returns the nodes of a tree in pre-order, including the root and the leaves.
///
/// `levels` are ordered from fine to coarse. A level that merges nothing in the level below it, or
/// has fewer than `fewest` groups, is left out.
pub(super) fn lay_out(n_leaves: usize, levels: &[Starts], fewest: usize) -> Result<Vec<Placed>> {
    let mut n_below = n_leaves;
    let mut useful: Vec<(usize, &Starts)> = Vec::new();
    // As levels nest, a level with as many groups as the one below it has the same groups.
    for (level, starts) in levels.iter().enumerate() {
        if starts.len() >= fewest && starts.len() < n_below {
            useful.push((level, starts));
            n_below = starts.len();
        }
    }
    let n_nodes = 1 + n_leaves + useful.iter().map(|(_, starts)| starts.len()).sum::<usize>();
    if u32::try_from(n_nodes).is_err() {
        let problem = format!("the hierarchy would have {n_nodes} nodes, which is too many");
        return Err(Error::invalid(problem).advise([Advice::words("choose fewer levels")]));
    }
    let mut placed = Vec::with_capacity(n_nodes);
    placed.push(Placed { range: (0, n_leaves as u32), level: None });
    if n_leaves == 1 {
        return Ok(placed);
    }
    // Next group of each level to be opened.
    let mut next = vec![0; levels.len()];
    for leaf in 0..n_leaves as u32 {
        // The coarsest group comes first, so parents precede their children.
        for &(level, starts) in useful.iter().rev() {
            let group = &mut next[level];
            if starts.get(*group) == Some(&leaf) {
                *group += 1;
                let end = starts.get(*group).copied().unwrap_or(n_leaves as u32);
                placed.push(Placed { range: (leaf, end), level: Some(level) });
            }
        }
        placed.push(Placed { range: (leaf, leaf + 1), level: None });
    }
    Ok(placed)
}

/// Builds the tree of the placed nodes.
///
/// `label` names a group by its level and first leaf. Leaves are labelled with their values, the
/// root with `*`.
pub(super) fn tree(
    leaves: Leaves,
    placed: &[Placed],
    label: impl Fn(usize, u32) -> String,
) -> Result<Hierarchy> {
    let ranges: Vec<(u32, u32)> = placed.iter().map(|node| node.range).collect();
    let tree = Hierarchy::from_ranges(leaves, &ranges)?;
    if tree.n_leaves() == 1 {
        return Ok(tree);
    }
    // An empty label means that of the leaf's own value.
    let label_of = |node: &Placed| match node.level {
        Some(level) => label(level, node.range.0).into(),
        None => Box::default(),
    };
    let mut labels: Vec<Box<str>> = placed.iter().map(label_of).collect();
    labels[0] = "*".into();
    Ok(tree.with_labels(labels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_merge_nothing_or_everything_are_left_out() {
        let levels = [vec![0, 1, 2, 3], vec![0, 2, 3], vec![0, 2, 3], vec![0, 2], vec![0]];
        let placed = lay_out(4, &levels, 2).unwrap();
        let found = placed.iter().filter_map(|node| node.level.map(|level| (level, node.range)));
        let found: Vec<_> = found.collect();
        assert_eq!(found, [(3, (0, 2)), (1, (0, 2)), (3, (2, 4)), (1, (2, 3)), (1, (3, 4))]);
        let placed = lay_out(4, &levels[4..], 1).unwrap();
        assert_eq!(placed[1], Placed { range: (0, 4), level: Some(0) }, "one group below the root");
    }

    #[test]
    fn groups_begin_where_the_key_changes() {
        assert_eq!(starts_where_changed(5, |leaf| [7, 7, 8, 8, 7][leaf]), [0, 2, 4]);
    }
}
