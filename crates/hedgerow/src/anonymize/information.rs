//! Counts of class labels and their entropy.

use std::collections::BTreeMap;

use crate::error::Advice;
use crate::hierarchy::{Hierarchy, LeafOrAny, Node};
use crate::problem::{Attribute, Problem};
use crate::table::Code;
use crate::{Error, Result};

/// Number of records with each class label.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Labels {
    counts: BTreeMap<Code, u64>,
    n_records: u64,
}

impl Labels {
    pub(super) fn add(&mut self, label: Code, count: u64) {
        *self.counts.entry(label).or_default() += count;
        self.n_records += count;
    }

    pub(super) fn absorb(&mut self, other: &Self) {
        other.counts.iter().for_each(|(&label, &count)| self.add(label, count));
    }

    pub(super) fn remove(&mut self, other: &Self) {
        for (label, count) in &other.counts {
            self.counts.entry(*label).and_modify(|own| *own -= count);
        }
        self.counts.retain(|_, count| *count > 0);
        self.n_records -= other.n_records;
    }

    pub(super) fn n_records(&self) -> u64 {
        self.n_records
    }

    /// Whether the records have more than one label.
    pub(super) fn is_mixed(&self) -> bool {
        self.counts.len() > 1
    }

    /// Info(R): the entropy of the labels in bits.
    pub(super) fn info(&self) -> f64 {
        let n = self.n_records as f64;
        let term = |&count: &u64| count as f64 / n * (n / count as f64).log2();
        self.counts.values().map(term).sum()
    }

    /// Returns Info(R) minus the weighted mean Info of the parts of R, in bits: the information
    /// lost when the parts are merged, or gained when R is split into them.
    pub(super) fn gap<'a>(parts: impl Iterator<Item = &'a Self> + Clone) -> f64 {
        let mut whole = Self::default();
        parts.clone().for_each(|part| whole.absorb(part));
        if whole.n_records == 0 {
            return 0.0;
        }
        let weighted = |part: &Self| part.n_records as f64 * part.info();
        // Rounding errors can make a difference of zero slightly negative.
        (whole.info() - parts.map(weighted).sum::<f64>() / whole.n_records as f64).max(0.0)
    }
}

/// Counts the labels of the records of each leaf; without a class column all labels are equal.
pub(super) fn of_leaves(problem: &Problem, attribute: &Attribute) -> Vec<Labels> {
    let mut of_leaves = vec![Labels::default(); attribute.n_leaves()];
    for (leaf, (cohort, count)) in attribute.leaves().iter().zip(problem.cohorts().counted()) {
        let Some(leaf) = leaf.known() else { continue };
        let label = problem.class().map_or(Code::new(0), |class| class.of_cohort()[cohort.index()]);
        of_leaves[leaf.index()].add(label, count);
    }
    of_leaves
}

/// Returns the tree of an attribute, or the reason why it has none in which a cut can be made.
pub(super) fn tree_of(attribute: &Attribute) -> Result<&Hierarchy> {
    let name = attribute.name();
    if attribute.leaves().contains(&LeafOrAny::ANY) {
        let problem = "it has missing values that match anything, which have no place in a tree";
        return Err(Error::column(name, problem).advise([Advice::OtherMissingPolicy]));
    }
    attribute.generalization().hierarchy().ok_or_else(|| {
        Error::column(name, "it has no tree").advise([Advice::hierarchy_method(name)])
    })
}

/// Returns the first node after a node and all its descendants in pre-order.
pub(super) fn end_of(tree: &Hierarchy, node: Node) -> Node {
    tree.leaf_node(tree.leaves_of(node).greatest()).next()
}

/// Iterates over the children of a node.
pub(super) fn children(tree: &Hierarchy, node: Node) -> impl Iterator<Item = Node> + Clone {
    // In pre-order, the first child follows its parent and each sibling follows the descendants of
    // the previous one.
    let end = end_of(tree, node);
    let within = move |child: &Node| *child < end;
    let next = move |&child: &Node| Some(end_of(tree, child)).filter(within);
    std::iter::successors(Some(node.next()).filter(within), next)
}

/// Resolution of comparisons between losses or scores: numbers that are equal after rounding to a
/// multiple of `1 / PARTS` are ties.
const PARTS: f64 = 1e12;

/// Rounds a loss or score to an integer that can be ordered.
pub(super) fn rank(number: f64) -> u64 {
    (number * PARTS).round() as u64
}
