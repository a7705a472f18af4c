//! Lowest common ancestors of ranges of leaves, in constant time and linear memory.

use super::node::Node;

/// Number of gaps that share one entry of the coarse table.
const BLOCK: usize = 32;

/// The lowest common ancestor of each pair of adjacent leaves, with range minima over these.
///
/// Nodes are numbered in pre-order, so an ancestor has a smaller number than its descendants, and
/// the lowest common ancestor of the leaves `a..=b` is the least node in the gaps `a..b`. A sparse
/// table over blocks answers that in two lookups and at most two short scans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gaps {
    joints: Vec<Node>,
    /// `coarse[i][b]` is the minimum over the blocks `b..b + 2^i`.
    coarse: Vec<Vec<Node>>,
}

impl Gaps {
    pub(super) fn new(joints: Vec<Node>) -> Self {
        let minimum = |block: &[Node]| block.iter().copied().min();
        let mut coarse = vec![joints.chunks(BLOCK).filter_map(minimum).collect::<Vec<Node>>()];
        let mut reach = 1;
        // Doubling: the minimum over `2 * reach` blocks is the lesser of the minima of its two
        // halves.
        while reach * 2 <= coarse[0].len() {
            let finer = &coarse[coarse.len() - 1];
            let wider = finer.iter().zip(&finer[reach..]).map(|(&a, &b)| a.min(b)).collect();
            coarse.push(wider);
            reach *= 2;
        }
        Self { joints, coarse }
    }

    /// Returns the lowest common ancestor of the leaves `first..=last`, where `first < last`.
    pub(super) fn joint(&self, first: usize, last: usize) -> Node {
        let scan = |from: usize, to: usize| self.joints[from..to].iter().copied().min();
        // Blocks `from..to` lie completely inside the range; the gaps around them are scanned.
        let (from, to) = (first.div_ceil(BLOCK), last / BLOCK);
        if from >= to {
            return scan(first, last).expect("there is a gap between two leaves");
        }
        // Two overlapping runs of `2^level` blocks cover all whole blocks; overlap does not matter
        // for a minimum.
        let level = (to - from).ilog2() as usize;
        let blocks = self.coarse[level][from].min(self.coarse[level][to - (1 << level)]);
        let ends = scan(first, from * BLOCK).into_iter().chain(scan(to * BLOCK, last));
        ends.fold(blocks, Node::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_has_its_least_joint() {
        // A multiplicative walk gives unordered joints over several blocks.
        let joint = |i: u32| Node::from(i.wrapping_mul(2_654_435_761) >> 7);
        let joints: Vec<Node> = (0..257).map(joint).collect();
        let gaps = Gaps::new(joints.clone());
        for first in 0..joints.len() {
            for last in first + 1..=joints.len() {
                let least = joints[first..last].iter().copied().min().unwrap();
                assert_eq!(gaps.joint(first, last), least, "{first}..{last}");
            }
        }
    }
}
