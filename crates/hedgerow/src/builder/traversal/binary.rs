//! Binary trees of items, and their traversal.

use super::Order;

/// A binary tree. Its first nodes are the items; a Huffman tree has further nodes without items.
#[derive(Debug, Clone)]
pub(super) struct Binary {
    pub(super) root: u32,
    /// The children of each node.
    pub(super) left: Vec<Option<u32>>,
    pub(super) right: Vec<Option<u32>>,
}

impl Binary {
    /// Returns nodes without children, the first of which is the root.
    pub(super) fn unlinked(n_nodes: usize) -> Self {
        Self { root: 0, left: vec![None; n_nodes], right: vec![None; n_nodes] }
    }

    /// Returns the nodes in the order of a walk, without recursion because a search tree may be a
    /// chain.
    pub(super) fn walk(&self, order: Order) -> Vec<u32> {
        let mut walk = Vec::with_capacity(self.left.len());
        // A stack of pending steps: visit a node alone (true), or its whole subtree (false).
        let mut open = vec![(self.root, false)];
        while let Some((node, is_alone)) = open.pop() {
            if is_alone {
                walk.push(node);
                continue;
            }
            let own = Some((node, true));
            let left = self.left[node as usize].map(|child| (child, false));
            let right = self.right[node as usize].map(|child| (child, false));
            // The stack is last in, first out, so the steps are listed in reverse.
            let steps = match order {
                Order::Pre => [right, left, own],
                Order::In => [right, own, left],
                Order::Post => [own, right, left],
            };
            open.extend(steps.into_iter().flatten());
        }
        walk
    }
}

/// Dataset J of METHODS 2.1 in the order of first appearance, for tests of the trees.
#[cfg(test)]
pub(super) const J: [(u32, u64); 8] =
    [(47, 1), (42, 1), (51, 2), (35, 1), (33, 2), (37, 1), (38, 1), (36, 1)];

#[cfg(test)]
impl Binary {
    /// Returns the values of J along a walk.
    pub(super) fn values(&self, order: Order) -> Vec<u32> {
        self.walk(order).into_iter().filter_map(|node| J.get(node as usize)).map(|j| j.0).collect()
    }

    /// Returns the items of J in the order of their values.
    pub(super) fn sorted_items() -> Vec<u32> {
        let mut items: Vec<u32> = (0..J.len() as u32).collect();
        items.sort_by_key(|&item| J[item as usize].0);
        items
    }
}
