//! Generalization sets along a walk of a binary search tree.

use serde::{Deserialize, Serialize};

use super::binary::Binary;
use super::{Generalization, HierarchyBuilder, Walk};
use crate::Result;
use crate::method::{Described, Description, Need};
use crate::table::Column;

/// Collects consecutive values of a binary search tree walk into sets of at least `k` records.
///
/// Values are inserted in the order of their first records, smaller keys to the left, others to the
/// right. Along the walk, values with fewer than `k` records are collected into sets (rules 1 to
/// 4).
///
/// The tree is not built by insertion, which takes quadratic time on sorted values. In the order of
/// keys, the subtree of a node is the longest run around it of values that were inserted later, so
/// a single pass with a stack finds the same tree.
///
/// # Complexity
///
/// `O(m log m)` time for sorting and `O(m)` memory for `m` distinct values, in any insertion order.
///
/// # Guarantees
///
/// Every set and every value outside sets has at least `k` records. Not optimal. Deterministic.
///
/// # References
///
/// \[Hernandez2018\], section III; METHODS 2. The paper's figures, which would show the key that
/// the tree compares, cannot be read: `key=value` is our interpretation, `key=frequency` the
/// alternative.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Bst, HierarchyBuilder, Order, Walk};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["47"], ["42"], ["35"], ["51"]])?;
/// let bst = Bst(Walk { order: Order::Pre, k: Some(2), ..Walk::default() });
/// let tree = bst.build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "*({47-42}(47,42),{35-51}(35,51))");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bst(pub Walk);

impl Described for Bst {
    const DESCRIPTION: Description = Description {
        name: "bst",
        about: "any kind: sets of k records along a walk of a search tree",
        reference: Some("Hernandez2018"),
        needs: &[Need::K],
        parameters: Walk::PARAMETERS,
    };
}

impl HierarchyBuilder for Bst {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        self.0.build("bst", column, tree)
    }

    fn for_k(&mut self, k: u64) -> bool {
        self.0.for_k(k)
    }
}

/// Builds the search tree of at least one item; items were inserted in the order of their numbers.
pub(super) fn tree(sorted: &[u32]) -> Binary {
    let mut tree = Binary::unlinked(sorted.len());
    // The path from the root to the greatest key so far, which follows right children only.
    let mut spine: Vec<u32> = Vec::new();
    for &item in sorted {
        let mut below = None;
        // Items that were inserted later than this one belong below it.
        while let Some(later) = spine.pop_if(|above| *above > item) {
            below = Some(later);
        }
        tree.left[item as usize] = below;
        if let Some(&above) = spine.last() {
            tree.right[above as usize] = Some(item);
        }
        spine.push(item);
    }
    tree // item 0 was inserted first and is the root
}

#[cfg(test)]
mod tests {
    use super::super::Order;
    use super::*;

    #[test]
    fn dataset_j_is_the_tree_of_methods() {
        let tree = tree(&Binary::sorted_items());
        assert_eq!(tree.values(Order::Pre), [47, 42, 35, 33, 37, 36, 38, 51]);
        assert_eq!(tree.values(Order::In), [33, 35, 36, 37, 38, 42, 47, 51]);
        assert_eq!(tree.values(Order::Post), [33, 36, 38, 37, 35, 42, 51, 47]);
    }

    #[test]
    fn a_chain_of_a_million_is_no_trouble() {
        let sorted: Vec<u32> = (0..1_000_000).collect();
        let walk = tree(&sorted).walk(Order::Post);
        assert!(walk.iter().rev().eq(&sorted));
    }
}
