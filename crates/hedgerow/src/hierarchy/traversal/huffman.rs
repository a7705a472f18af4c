//! Generalization sets along the leaves of a Huffman tree.

use serde::Deserialize;

use super::binary::Binary;
use super::{Generalization, HierarchyBuilder, Items, Order, stated_k};
use crate::Result;
use crate::table::Column;

/// Puts values that stand side by side in a Huffman tree together until they have `k` records.
///
/// The two lightest trees are merged again and again, first the leaves of rare values; the first
/// taken becomes the left child. Values sit in leaves only, so all three orders are the same. Along
/// that order, values with fewer than `k` records are collected into sets (rules 1 to 4).
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
/// \[Hernandez2018\], section III; METHODS 2. The paper names no rule for ties. Its example comes
/// out, element for element, if ties fall as in the binary heap of `java.util.PriorityQueue`, filled
/// in the order of first records, so that heap is built here.
///
/// # Examples
///
/// ```
/// use hedgerow::hierarchy::{HierarchyBuilder, Huffman};
/// use hedgerow::table::Table;
/// let ages = ["24", "46", "51", "28", "28", "23", "55", "45", "35", "40"];
/// let table = Table::from_rows(&["age"], &ages.map(|age| [age]))?;
/// let huffman = Huffman { k: Some(4), ..Huffman::default() };
/// let tree = huffman.build(&table.columns()[0])?;
/// let tree = tree.hierarchy().unwrap();
/// assert_eq!(tree.label(1), "{24, 40, 55, 51}");
/// assert_eq!(tree.label(6), "{45, 23, 28, 46, 35}");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Huffman {
    /// The order of the walk; all three are the same here.
    pub order: Order,
    /// How many records a set has at least; that of the release if not given.
    pub k: Option<u64>,
}

impl HierarchyBuilder for Huffman {
    fn build(&self, column: &Column) -> Result<Generalization> {
        let k = stated_k("huffman", self.k)?;
        let items = Items::of(column)?;
        let mut walk = tree(&items.counts).walk(self.order);
        walk.retain(|&node| (node as usize) < items.counts.len());
        items.generalized(&walk, k)
    }

    fn for_k(&mut self, k: u64) -> bool {
        self.k.get_or_insert(k);
        true
    }
}

/// The Huffman tree of some weights, at least one: leaves are the weights, inner nodes follow.
fn tree(weights: &[u64]) -> Binary {
    let n_nodes = 2 * weights.len() - 1;
    let mut tree = Binary::unlinked(n_nodes);
    let mut heap = Heap { weights: weights.to_vec(), nodes: Vec::with_capacity(weights.len()) };
    (0..weights.len() as u32).for_each(|leaf| heap.add(leaf));
    for node in weights.len()..n_nodes {
        let (left, right) = (heap.poll(), heap.poll());
        (tree.left[node], tree.right[node]) = (left, right);
        heap.weights.push(heap.weight(left) + heap.weight(right));
        heap.add(node as u32);
    }
    tree.root = n_nodes as u32 - 1;
    tree
}

/// A binary heap that breaks ties as Java's does: which of two equals comes first is a matter of
/// how elements move, and that is part of the method (METHODS 2.1).
struct Heap {
    weights: Vec<u64>,
    nodes: Vec<u32>,
}

impl Heap {
    fn weight(&self, node: u32) -> u64 {
        self.weights[node as usize]
    }

    /// Adds a node at the end; heavier parents move down.
    fn add(&mut self, node: u32) {
        let mut place = self.nodes.len();
        self.nodes.push(node);
        while place > 0 {
            let above = (place - 1) / 2;
            if self.weight(node) >= self.weight(self.nodes[above]) {
                break;
            }
            self.nodes[place] = self.nodes[above];
            place = above;
        }
        self.nodes[place] = node;
    }

    /// Takes the lightest node, of which there is one; the last takes its place, and lighter
    /// children move up.
    fn poll(&mut self) -> u32 {
        let last = self.nodes.pop().expect("two trees are left to merge");
        let Some(&lightest) = self.nodes.first() else {
            return last;
        };
        let n_left = self.nodes.len();
        let mut place = 0;
        while place < n_left / 2 {
            let mut child = 2 * place + 1;
            let is_right_lighter = child + 1 < n_left
                && self.weight(self.nodes[child]) > self.weight(self.nodes[child + 1]);
            child += usize::from(is_right_lighter);
            if self.weight(last) <= self.weight(self.nodes[child]) {
                break;
            }
            self.nodes[place] = self.nodes[child];
            place = child;
        }
        self.nodes[place] = last;
        lightest
    }
}

#[cfg(test)]
mod tests {
    use super::super::binary::{J, NONE};
    use super::*;

    /// The tree with its leaves spelt out, as METHODS writes it.
    fn outline(tree: &Binary, node: u32, values: &[u32]) -> String {
        let (left, right) = (tree.left[node as usize], tree.right[node as usize]);
        if left == NONE {
            return values[node as usize].to_string();
        }
        format!("({} {})", outline(tree, left, values), outline(tree, right, values))
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
