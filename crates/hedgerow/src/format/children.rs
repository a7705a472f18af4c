//! The children of each node of a draft.

use super::draft::Given;
use crate::table::Reading;

/// Children of all nodes in one flat list.
pub(crate) struct Children {
    pub(crate) roots: Vec<usize>,
    starts: Vec<usize>,
    list: Vec<usize>,
}

impl Children {
    pub(crate) fn of(nodes: &[Given]) -> Self {
        let roots = (0..nodes.len()).filter(|&node| nodes[node].parent.is_none()).collect();
        // Counting sort by parent: count, sum up, then fill. Siblings keep their order.
        let mut starts = vec![0; nodes.len() + 1];
        for parent in nodes.iter().filter_map(|node| node.parent) {
            starts[parent + 1] += 1;
        }
        for node in 0..nodes.len() {
            starts[node + 1] += starts[node];
        }
        let mut list = vec![0; starts[nodes.len()]];
        // `filled[p]` is the place of the next child of `p`.
        let mut filled = starts.clone();
        for (node, given) in nodes.iter().enumerate() {
            if let Some(parent) = given.parent {
                list[filled[parent]] = node;
                filled[parent] += 1;
            }
        }
        Self { roots, starts, list }
    }

    pub(crate) fn below(&self, node: usize) -> &[usize] {
        &self.list[self.starts[node]..self.starts[node + 1]]
    }

    pub(crate) fn is_leaf(&self, node: usize) -> bool {
        self.starts[node] == self.starts[node + 1]
    }

    /// Sorts children by their least leaf, if all leaves can be parsed as numbers or dates.
    pub(super) fn sort_by_value(
        &mut self,
        nodes: &[Given],
        read: impl Fn(&str) -> Option<Reading>,
    ) {
        let mut least = vec![f64::INFINITY; nodes.len()];
        for node in (0..nodes.len()).filter(|&node| self.is_leaf(node)) {
            match read(&nodes[node].label) {
                Some(reading) => least[node] = reading.value(),
                // One label that is not a number keeps the order of the file for all.
                None => return,
            }
        }
        for &node in self.preorder().iter().rev() {
            if let Some(parent) = nodes[node].parent {
                least[parent] = least[parent].min(least[node]);
            }
        }
        for ends in self.starts.windows(2) {
            self.list[ends[0]..ends[1]].sort_by(|&a, &b| least[a].total_cmp(&least[b]));
        }
    }

    /// Returns the nodes below all roots in pre-order. Nodes in or below a cycle are not among
    /// them.
    pub(crate) fn preorder(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.starts.len() - 1);
        // Reversed, because the stack returns the last node first.
        let mut open: Vec<usize> = self.roots.iter().rev().copied().collect();
        while let Some(node) = open.pop() {
            order.push(node);
            open.extend(self.below(node).iter().rev());
        }
        order
    }
}
