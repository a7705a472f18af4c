//! Generalization sets along the leaves of a Huffman tree.

use serde::{Deserialize, Serialize};

use super::binary::Binary;
use super::{Generalization, HierarchyBuilder, Items, Order, stated_k};
use crate::Result;
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::table::Column;

/// Collects neighbouring leaves of a Huffman tree into sets of at least `k` records.
///
/// The two lightest trees are merged repeatedly, starting with the leaves of rare values; the first
/// one taken becomes the left child. Only leaves contain values, so all three walks give the same
/// order. Along it, values with fewer than `k` records are collected into sets (rules 1 to 4).
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
/// \[Hernandez2018\], section III; METHODS 2. The paper does not define how ties are broken. Its
/// example is reproduced, element for element, if ties are broken as in the binary heap of
/// `java.util.PriorityQueue`, filled in the order of first records, so this file implements that
/// heap.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, Huffman};
/// use hedgerow::hierarchy::Node;
/// use hedgerow::table::Table;
/// let ages = ["24", "46", "51", "28", "28", "23", "55", "45", "35", "40"];
/// let table = Table::from_rows(&["age"], &ages.map(|age| [age]))?;
/// let huffman = Huffman { k: Some(4), ..Huffman::default() };
/// let tree = huffman.build(&table.columns()[0])?;
/// let tree = tree.hierarchy().unwrap();
/// assert_eq!(tree.label(Node::new(1)), "{24, 40, 55, 51}");
/// assert_eq!(tree.label(Node::new(6)), "{45, 23, 28, 46, 35}");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Huffman {
    /// The order of the walk; all three give the same sets.
    pub order: Order,
    /// Least number of records in a set; defaults to the `k` of the release.
    pub k: Option<u64>,
}

impl Described for Huffman {
    const DESCRIPTION: Description = Description {
        name: "huffman",
        about: "any kind: sets of k records along the leaves of a Huffman tree",
        reference: Some("Hernandez2018"),
        needs: &[Need::K],
        parameters: &[
            Parameter::new(
                "order",
                Type::Choice(&["pre", "in", "post"]),
                "when the walk visits a node; all three give the same sets",
            )
            .or("in"),
            Parameter::new(
                "k",
                Type::at_least(1),
                "least number of records in a set; that of the release if not given",
            ),
        ],
    };
}

impl HierarchyBuilder for Huffman {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let k = stated_k("huffman", self.k)?;
        let items = Items::of(column)?;
        let mut walk = tree(&items.counts).walk(self.order);
        // Inner nodes have no values.
        walk.retain(|&node| (node as usize) < items.counts.len());
        items.generalized(&walk, k)
    }

    fn for_k(&mut self, k: u64) -> bool {
        self.k.get_or_insert(k);
        true
    }
}

/// Builds the Huffman tree of at least one weight; the leaves come first, then the inner nodes.
pub(super) fn tree(weights: &[u64]) -> Binary {
    let n_nodes = 2 * weights.len() - 1;
    let mut tree = Binary::unlinked(n_nodes);
    let mut heap = Heap(Vec::with_capacity(weights.len()));
    weights.iter().zip(0..).for_each(|(&weight, leaf)| heap.add(Weighed { weight, node: leaf }));
    // `m` leaves take `m - 1` merges; the last one makes the root.
    for node in weights.len()..n_nodes {
        let (left, right) = (heap.poll(), heap.poll());
        (tree.left[node], tree.right[node]) = (Some(left.node), Some(right.node));
        heap.add(Weighed { weight: left.weight + right.weight, node: node as u32 });
    }
    tree.root = n_nodes as u32 - 1;
    tree
}

/// A binary heap of weights and nodes that breaks ties like Java's.
///
/// The order of two equal elements depends on how elements move within the heap, so these moves are
/// part of the method (METHODS 2.1).
struct Heap(Vec<Weighed>);

/// A node with the weight of the leaves below it.
#[derive(Debug, Clone, Copy)]
struct Weighed {
    weight: u64,
    node: u32,
}

impl Heap {
    /// Adds an element at the end and moves heavier parents down.
    fn add(&mut self, new: Weighed) {
        let mut place = self.0.len();
        self.0.push(new);
        while place > 0 {
            let above = (place - 1) / 2;
            // `>=` keeps a new element below an equal parent.
            if new.weight >= self.0[above].weight {
                break;
            }
            self.0[place] = self.0[above];
            place = above;
        }
        self.0[place] = new;
    }

    /// Removes and returns the lightest element of a non-empty heap.
    ///
    /// The last element takes its place, and lighter children move up.
    fn poll(&mut self) -> Weighed {
        let last = self.0.pop().expect("two trees are left to merge");
        let Some(&lightest) = self.0.first() else {
            return last;
        };
        let n_left = self.0.len();
        let mut place = 0;
        while place < n_left / 2 {
            let mut child = 2 * place + 1;
            // Of two equal children the left one moves up, as in Java.
            if child + 1 < n_left && self.0[child].weight > self.0[child + 1].weight {
                child += 1;
            }
            if last.weight <= self.0[child].weight {
                break;
            }
            self.0[place] = self.0[child];
            place = child;
        }
        self.0[place] = last;
        lightest
    }
}

#[cfg(test)]
mod tests {
    use super::super::binary::J;
    use super::*;

    /// Writes the tree with its leaves, in the notation of METHODS.
    fn outline(tree: &Binary, node: u32, values: &[u32]) -> String {
        match tree.left[node as usize].zip(tree.right[node as usize]) {
            None => values[node as usize].to_string(),
            Some((left, right)) => {
                format!("({} {})", outline(tree, left, values), outline(tree, right, values))
            }
        }
    }

    #[test]
    fn ties_fall_as_in_the_papers_example() {
        let values = [24, 46, 51, 28, 23, 55, 45, 35, 40];
        let tree = tree(&[1, 1, 1, 2, 1, 1, 1, 1, 1]);
        let found = outline(&tree, tree.root, &values);
        assert_eq!(found, "(((24 40) (55 51)) ((45 23) (28 (46 35))))");
    }

    #[test]
    fn dataset_j_is_the_tree_of_methods() {
        let tree = tree(&J.map(|j| j.1));
        let found = outline(&tree, tree.root, &J.map(|j| j.0));
        assert_eq!(found, "((33 (35 37)) ((38 42) ((47 36) 51)))");
        for order in [Order::Pre, Order::In, Order::Post] {
            assert_eq!(tree.values(order), [33, 35, 37, 38, 42, 47, 36, 51]);
        }
    }

    #[test]
    fn one_value_is_the_root() {
        assert_eq!(tree(&[5]).walk(Order::In), [0]);
    }
}
