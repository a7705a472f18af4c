//! Generalization sets along a walk of a balanced search tree.

use serde::{Deserialize, Serialize};

use super::binary::Binary;
use super::{Generalization, HierarchyBuilder, Walk};
use crate::Result;
use crate::method::{Described, Description, Need};
use crate::table::Column;

/// Collects consecutive values of an AVL tree walk into sets of at least `k` records.
///
/// Values are inserted in the order of their first records, smaller keys to the left, others to the
/// right; rotations rebalance the tree after each insertion. Along the walk, values with fewer than
/// `k` records are collected into sets (rules 1 to 4). An in-order walk gives the same sets as
/// [`Bst`](super::Bst).
///
/// # Complexity
///
/// `O(m log m)` time and `O(m)` memory for `m` distinct values.
///
/// # Guarantees
///
/// Every set and every value outside sets has at least `k` records. Not optimal. Deterministic.
///
/// # References
///
/// \[Hernandez2018\], section III; METHODS 2. The paper's figures, which would show the key that
/// the tree compares, cannot be read: `key=value` is our interpretation, `key=frequency` the
/// alternative. A double rotation is made if the inner grandchild is strictly higher than the outer
/// one.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Avl, HierarchyBuilder, Order, Walk};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["47"], ["42"], ["35"], ["51"]])?;
/// let avl = Avl(Walk { order: Order::Pre, k: Some(2), ..Walk::default() });
/// let tree = avl.build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "*({42-35}(42,35),{47-51}(47,51))");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Avl(pub Walk);

impl Described for Avl {
    const DESCRIPTION: Description = Description {
        name: "avl",
        about: "any kind: sets of k records along a walk of a balanced search tree",
        reference: Some("Hernandez2018"),
        needs: &[Need::K],
        parameters: Walk::PARAMETERS,
    };
}

impl HierarchyBuilder for Avl {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        self.0.build("avl", column, tree)
    }

    fn for_k(&mut self, k: u64) -> bool {
        self.0.for_k(k)
    }
}

/// Builds the AVL tree of at least one item; items are inserted in the order of their numbers.
pub(super) fn tree(sorted: &[u32]) -> Binary {
    let mut ranks = vec![0; sorted.len()];
    for (rank, &item) in (0u32..).zip(sorted) {
        ranks[item as usize] = rank;
    }
    let tree = Binary::unlinked(sorted.len());
    let mut growing = Growing { tree, ranks, heights: vec![1; sorted.len()], path: Vec::new() };
    (1..sorted.len() as u32).for_each(|item| growing.insert(item));
    growing.tree
}

/// An AVL tree during construction.
struct Growing {
    tree: Binary,
    ranks: Vec<u32>,
    /// Height of the subtree of each node, counting the node itself.
    heights: Vec<u8>,
    /// The path from the root to the last insertion.
    path: Vec<u32>,
}

impl Growing {
    fn insert(&mut self, item: u32) {
        let rank = self.ranks[item as usize];
        self.path.clear();
        let mut at = Some(self.tree.root);
        while let Some(node) = at {
            self.path.push(node);
            at = *self.side(node, rank);
        }
        if let Some(&parent) = self.path.last() {
            *self.side(parent, rank) = Some(item);
        }
        // Rebalance from the new leaf towards the root.
        while let Some(node) = self.path.pop() {
            let before = self.heights[node as usize];
            let top = self.balanced(node);
            match self.path.last() {
                Some(&parent) => *self.side(parent, rank) = Some(top),
                None => self.tree.root = top,
            }
            if self.heights[top as usize] == before {
                return; // an unchanged height leaves all ancestors balanced
            }
        }
    }

    /// Returns the child link of a node on the side where a key of this rank belongs.
    fn side(&mut self, node: u32, rank: u32) -> &mut Option<u32> {
        let is_left = rank < self.ranks[node as usize];
        let children = if is_left { &mut self.tree.left } else { &mut self.tree.right };
        &mut children[node as usize]
    }

    fn height(&self, node: Option<u32>) -> u8 {
        node.map_or(0, |node| self.heights[node as usize])
    }

    /// Balances a node whose children are balanced; returns the new root of its subtree.
    fn balanced(&mut self, node: u32) -> u32 {
        let (left, right) = (self.tree.left[node as usize], self.tree.right[node as usize]);
        match (left, right) {
            (Some(child), _) if self.height(left) > self.height(right) + 1 => {
                let outer = self.tree.left[child as usize];
                let inner = self.tree.right[child as usize];
                // A single rotation would leave a higher inner grandchild at the same depth, so it
                // is rotated outwards first.
                let lifted = inner.filter(|_| self.height(inner) > self.height(outer));
                let top = lifted.map_or(child, |inner| self.rotated_left(child, inner));
                self.rotated_right(node, top)
            }
            (_, Some(child)) if self.height(right) > self.height(left) + 1 => {
                let inner = self.tree.left[child as usize];
                let outer = self.tree.right[child as usize];
                let lifted = inner.filter(|_| self.height(inner) > self.height(outer));
                let top = lifted.map_or(child, |inner| self.rotated_right(child, inner));
                self.rotated_left(node, top)
            }
            _ => {
                self.measure(node);
                node
            }
        }
    }

    /// Rotates `top`, the left child of a node, above the node and returns it.
    fn rotated_right(&mut self, node: u32, top: u32) -> u32 {
        self.tree.left[node as usize] = self.tree.right[top as usize];
        self.tree.right[top as usize] = Some(node);
        self.measure(node);
        self.measure(top);
        top
    }

    /// Rotates `top`, the right child of a node, above the node and returns it.
    fn rotated_left(&mut self, node: u32, top: u32) -> u32 {
        self.tree.right[node as usize] = self.tree.left[top as usize];
        self.tree.left[top as usize] = Some(node);
        self.measure(node);
        self.measure(top);
        top
    }

    fn measure(&mut self, node: u32) {
        let (left, right) = (self.tree.left[node as usize], self.tree.right[node as usize]);
        self.heights[node as usize] = 1 + self.height(left).max(self.height(right));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Order;
    use super::*;

    #[test]
    fn dataset_j_is_the_tree_of_methods() {
        let tree = tree(&Binary::sorted_items());
        assert_eq!(tree.values(Order::Pre), [42, 35, 33, 37, 36, 38, 47, 51]);
        assert_eq!(tree.values(Order::In), [33, 35, 36, 37, 38, 42, 47, 51]);
        assert_eq!(tree.values(Order::Post), [33, 36, 38, 37, 35, 51, 47, 42]);
    }

    #[test]
    fn sorted_values_make_a_perfect_tree() {
        let sorted: Vec<u32> = (0..7).collect();
        assert_eq!(tree(&sorted).walk(Order::Pre), [3, 1, 0, 2, 5, 4, 6]);
        let backwards: Vec<u32> = (0..7).rev().collect();
        assert_eq!(tree(&backwards).walk(Order::Pre), [3, 5, 6, 4, 1, 2, 0]);
    }
}
