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
    /// The lowest level of each attribute.
    lows: Vec<Level>,
    /// The highest level of each attribute.
    tops: Vec<Level>,
    /// The difference between the numbers of two adjacent levels of each attribute.
    strides: Vec<usize>,
    n_nodes: usize,
}

impl Grid {
    pub(crate) fn new(ladders: &[Ladder]) -> Self {
        Self::above_of(ladders, vec![Level::VALUES; ladders.len()])
    }

    /// Numbers the nodes at or above the levels `lows`.
    pub(crate) fn above_of(ladders: &[Ladder], lows: Vec<Level>) -> Self {
        let tops: Vec<Level> = ladders.iter().map(Ladder::top).collect();
        let mut strides = vec![1; tops.len()];
        let mut n_nodes = 1;
        for (stride, (top, low)) in strides.iter_mut().zip(tops.iter().zip(&lows)).rev() {
            *stride = n_nodes;
            n_nodes *= top.index() + 1 - low.index();
        }
        Self { lows, tops, strides, n_nodes }
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
        let lows = self.lows.iter().zip(self.heights_of(node));
        lows.map(|(low, height)| Level::new(low.index() + height)).collect()
    }

    /// The height of each attribute above its lowest level at a node.
    fn heights_of(&self, node: Vertex) -> impl Iterator<Item = usize> + '_ {
        let ends = self.strides.iter().zip(self.tops.iter().zip(&self.lows));
        ends.map(move |(stride, (top, low))| {
            node.index() / stride % (top.index() + 1 - low.index())
        })
    }

    /// The number of the node with these levels.
    fn number(&self, levels: &[Level]) -> usize {
        let heights = levels.iter().zip(&self.lows).map(|(level, low)| level.index() - low.index());
        heights.zip(&self.strides).map(|(height, stride)| height * stride).sum()
    }

    /// The node at these heights above the lowest levels.
    pub(crate) fn at(&self, heights: &[usize]) -> Vertex {
        Vertex::new(heights.iter().zip(&self.strides).map(|(height, stride)| height * stride).sum())
    }

    /// The lowest level of each attribute.
    pub(crate) fn lows(&self) -> &[Level] {
        &self.lows
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
        let attributes = self.strides.iter().zip(levels.iter().zip(&self.lows));
        let lowered = attributes.filter(|(_, (level, low))| level > low);
        lowered.map(move |(stride, _)| Vertex::new(node - stride))
    }

    /// The nodes one level lower than a node in one attribute.
    pub(crate) fn below_of(&self, node: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let lowered = self.strides.iter().zip(self.heights_of(node)).filter(|(_, at)| *at > 0);
        lowered.map(move |(stride, _)| Vertex::new(node.index() - stride))
    }

    /// The nodes by height, which is the sum of their levels; nodes of equal height in ascending
    /// order.
    pub(crate) fn layers(&self) -> Vec<Vec<Vertex>> {
        let of_node = |node: Vertex| self.heights_of(node).sum::<usize>();
        let mut layers = vec![Vec::new(); of_node(self.top()) + 1];
        for node in (0..self.n_nodes).map(Vertex::new) {
            layers[of_node(node)].push(node);
        }
        layers
    }
}
