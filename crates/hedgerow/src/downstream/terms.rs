//! The nodes of a tree as terms: their meanings and distances.

use std::sync::Arc;

use crate::hierarchy::{Hierarchy, Node};
use crate::knowledge::{Ancestors, Concept, Knowledge, Mode};
use crate::noun::counted;
use crate::{Error, Result};

/// A tree whose nodes represent concepts.
#[derive(Debug, Clone)]
pub struct Terms<'a> {
    knowledge: &'a Knowledge,
    tree: Arc<Hierarchy>,
    depths: Vec<u32>,
    /// The concept of each node, with all its ancestors.
    meanings: Vec<Option<Ancestors>>,
}

impl<'a> Terms<'a> {
    /// Creates the terms of a tree from the concept of each node.
    pub fn new(
        knowledge: &'a Knowledge,
        tree: Arc<Hierarchy>,
        concepts: &[Option<Concept>],
    ) -> Result<Self> {
        if concepts.len() != tree.len() {
            return Err(Error::invalid(format!(
                "{} given for the {} of the hierarchy of '{}'; each node needs an entry, which may be none",
                counted(concepts.len(), "concept"),
                counted(tree.len(), "node"),
                tree.attribute()
            )));
        }
        let meanings = concepts.iter().map(|concept| concept.map(|c| knowledge.ancestors(c)));
        Ok(Self { knowledge, depths: tree.depths(), meanings: meanings.collect(), tree })
    }

    /// The tree.
    pub fn tree(&self) -> &Arc<Hierarchy> {
        &self.tree
    }

    /// The similarity of the meanings of two nodes (Wu and Palmer), from 0 to 1. A node without a
    /// concept is similar only to itself.
    pub fn alike(&self, a: Node, b: Node) -> f64 {
        match (&self.meanings[a.index()], &self.meanings[b.index()]) {
            _ if a == b => 1.0,
            (Some(a), Some(b)) => self.knowledge.wu_palmer(a, b, Mode::default()),
            _ => 0.0,
        }
    }

    /// The distance of two nodes in the tree, from 0 to 1: the share of their ancestors, including
    /// themselves, that they do not have in common, on a logarithmic scale.
    ///
    /// # References
    ///
    /// \[Sanchez2012\]; METHODS 5.7, item 2. Deviation: ancestors are those in the tree.
    pub fn apart(&self, a: Node, b: Node) -> f64 {
        let n_above = |node: Node| f64::from(self.depths[node.index()] + 1);
        let shared = n_above(self.lowest_common(a, b));
        let all = n_above(a) + n_above(b) - shared;
        // log2(1 + (|A or B| - |A and B|) / |A or B|) over the sets of ancestors A and B.
        (1.0 + (all - shared) / all).log2()
    }

    /// The lowest common ancestor of two nodes, which can be one of them.
    fn lowest_common(&self, a: Node, b: Node) -> Node {
        // In pre-order an ancestor comes first, and its leaves do not end before those of a
        // descendant.
        let (first, last) = (a.min(b), a.max(b));
        let (of_first, of_last) = (self.tree.leaves_of(first), self.tree.leaves_of(last));
        if of_last.end <= of_first.end {
            return first;
        }
        self.tree.lowest_common_ancestor(of_first.start, of_last.start)
    }

    /// The terms of a tree to which a new root and a leaf for missing values were added.
    pub(super) fn with_missing(&self, tree: &Arc<Hierarchy>) -> Self {
        let meanings = [None].into_iter().chain(self.meanings.iter().cloned()).chain([None]);
        Self {
            knowledge: self.knowledge,
            depths: tree.depths(),
            meanings: meanings.collect(),
            tree: Arc::clone(tree),
        }
    }
}
