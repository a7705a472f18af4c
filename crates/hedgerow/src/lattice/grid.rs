//! Numbering of the nodes of a lattice: one level per attribute, the last varies fastest.

use super::Ladder;
use crate::hierarchy::Level;
use crate::index::index;

index! {
    /// A node of a lattice that is small enough to list; the last attribute's level varies fastest.
    pub(crate) Vertex
}

/// Numbers the nodes of a lattice that is small enough to list.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// The highest level of each attribute.
    tops: Vec<Level>,
    /// The difference between the numbers of two adjacent levels of each attribute.
    strides: Vec<usize>,
    n_nodes: usize,
}

impl Grid {
    pub(crate) fn new(ladders: &[Ladder]) -> Self {
        let tops: Vec<Level> = ladders.iter().map(Ladder::top).collect();
        let mut strides = vec![1; tops.len()];
        let mut n_nodes = 1;
        for (stride, top) in strides.iter_mut().zip(&tops).rev() {
            *stride = n_nodes;
            n_nodes *= top.index() + 1;
        }
        Self { tops, strides, n_nodes }
    }

    /// The node at the highest level of each attribute.
    pub(crate) fn top(&self) -> Vertex {
        Vertex::new(self.n_nodes - 1)
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.n_nodes
    }

    /// The level of each attribute at a node.
    pub(crate) fn levels(&self, node: Vertex) -> Vec<Level> {
        let of = |(stride, top): (&usize, &Level)| node.index() / stride % (top.index() + 1);
        self.strides.iter().zip(&self.tops).map(of).map(Level::new).collect()
    }

    /// The number of the node with these levels.
    fn number(&self, levels: &[Level]) -> usize {
        levels.iter().zip(&self.strides).map(|(level, stride)| level.index() * stride).sum()
    }

    /// The nodes one level higher in one attribute.
    pub(crate) fn above<'a>(&'a self, levels: &'a [Level]) -> impl Iterator<Item = Vertex> + 'a {
        let node = self.number(levels);
        let attributes = self.strides.iter().zip(levels.iter().zip(&self.tops));
        let raised = attributes.filter(|(_, (level, top))| level < top);
        raised.map(move |(stride, _)| Vertex::new(node + stride))
    }

    /// The nodes one level lower in one attribute.
    pub(crate) fn below<'a>(&'a self, levels: &'a [Level]) -> impl Iterator<Item = Vertex> + 'a {
        let node = self.number(levels);
        let attributes = self.strides.iter().zip(levels);
        let lowered = attributes.filter(|&(_, &level)| level > Level::VALUES);
        lowered.map(move |(stride, _)| Vertex::new(node - stride))
    }

    /// The nodes by height, which is the sum of their levels; nodes of equal height in ascending
    /// order.
    pub(crate) fn layers(&self) -> Vec<Vec<Vertex>> {
        let height: usize = self.tops.iter().map(|top| top.index()).sum();
        let mut layers = vec![Vec::new(); height + 1];
        let mut levels = vec![Level::VALUES; self.tops.len()];
        let mut height = 0;
        for node in 0..self.n_nodes {
            layers[height].push(Vertex::new(node));
            for (level, &top) in levels.iter_mut().zip(&self.tops).rev() {
                // Count up like an odometer and keep track of the sum of the levels.
                if *level < top {
                    *level = level.above();
                    height += 1;
                    break;
                }
                height -= std::mem::replace(level, Level::VALUES).index();
            }
        }
        layers
    }
}
