//! Numbering of the nodes of a lattice: one level per attribute, the last varies fastest.

use super::Ladder;

/// Numbers the nodes of a lattice that is small enough to list.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// The highest level of each attribute.
    tops: Vec<u32>,
    /// The difference between the numbers of two adjacent levels of each attribute.
    strides: Vec<usize>,
    n_nodes: usize,
}

impl Grid {
    pub(crate) fn new(ladders: &[Ladder]) -> Self {
        let tops: Vec<u32> = ladders.iter().map(Ladder::top).collect();
        let mut strides = vec![1; tops.len()];
        let mut n_nodes = 1;
        for (stride, top) in strides.iter_mut().zip(&tops).rev() {
            *stride = n_nodes;
            n_nodes *= *top as usize + 1;
        }
        Self { tops, strides, n_nodes }
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.n_nodes
    }

    /// The level of each attribute at a node.
    pub(crate) fn levels(&self, node: usize) -> Vec<u32> {
        let of = |(stride, top): (&usize, &u32)| (node / stride % (*top as usize + 1)) as u32;
        self.strides.iter().zip(&self.tops).map(of).collect()
    }

    /// The number of the node with these levels.
    pub(crate) fn number(&self, levels: &[u32]) -> usize {
        levels.iter().zip(&self.strides).map(|(&level, stride)| level as usize * stride).sum()
    }

    /// The nodes one level higher in one attribute.
    pub(crate) fn above<'a>(&'a self, levels: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
        let node = self.number(levels);
        let attributes = self.strides.iter().zip(levels.iter().zip(&self.tops));
        attributes.filter(|(_, (level, top))| level < top).map(move |(stride, _)| node + stride)
    }

    /// The nodes one level lower in one attribute.
    pub(crate) fn below<'a>(&'a self, levels: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
        let node = self.number(levels);
        let attributes = self.strides.iter().zip(levels);
        attributes.filter(|&(_, &level)| level > 0).map(move |(stride, _)| node - stride)
    }

    /// The nodes by height, which is the sum of their levels; nodes of equal height in ascending
    /// order.
    pub(crate) fn layers(&self) -> Vec<Vec<u32>> {
        let height: u32 = self.tops.iter().sum();
        let mut layers = vec![Vec::new(); height as usize + 1];
        let mut levels = vec![0; self.tops.len()];
        let mut height = 0;
        for node in 0..self.n_nodes as u32 {
            layers[height as usize].push(node);
            for (level, &top) in levels.iter_mut().zip(&self.tops).rev() {
                // Count up like an odometer and keep track of the sum of the levels.
                if *level < top {
                    *level += 1;
                    height += 1;
                    break;
                }
                height -= std::mem::take(level);
            }
        }
        layers
    }
}
