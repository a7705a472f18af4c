//! Class labels of some records, and how uncertain they leave the class.

use std::collections::BTreeMap;

use crate::hierarchy::{Hierarchy, LeafOrAny, Node};
use crate::problem::{Attribute, Problem};
use crate::table::Code;

/// How many records have each class label.
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

    /// Whether records differ in their label.
    pub(super) fn is_mixed(&self) -> bool {
        self.counts.len() > 1
    }

    /// Info(R): the entropy of the labels in bits.
    pub(super) fn info(&self) -> f64 {
        let n = self.n_records as f64;
        let term = |&count: &u64| count as f64 / n * (n / count as f64).log2();
        self.counts.values().map(term).sum()
    }

    /// What is lost in bits when these parts become one, or gained when one is divided into them:
    /// Info(R) less the mean Info of its parts.
    pub(super) fn gap<'a>(parts: impl Iterator<Item = &'a Self> + Clone) -> f64 {
        let mut whole = Self::default();
        parts.clone().for_each(|part| whole.absorb(part));
        if whole.n_records == 0 {
            return 0.0;
        }
        let weighted = |part: &Self| part.n_records as f64 * part.info();
        (whole.info() - parts.map(weighted).sum::<f64>() / whole.n_records as f64).max(0.0)
    }
}

/// The labels of the records of each leaf; all alike where no column is a class.
pub(super) fn of_leaves(problem: &Problem, attribute: &Attribute) -> Vec<Labels> {
    let mut of_leaves = vec![Labels::default(); attribute.n_leaves()];
    for (leaf, (cohort, count)) in attribute.leaves().iter().zip(problem.cohorts().counted()) {
        let Some(leaf) = leaf.known() else { continue };
        let label = problem.class().map_or(Code::new(0), |class| class.of_cohort()[cohort.index()]);
        of_leaves[leaf.index()].add(label, count);
    }
    of_leaves
}

/// The tree of an attribute, or why there is none that cuts could be made in.
pub(super) fn tree_of(attribute: &Attribute) -> Result<&Hierarchy, String> {
    let name = attribute.name();
    if attribute.leaves().contains(&LeafOrAny::ANY) {
        return Err(format!(
            "column '{name}' has missing values that match anything, which have no place in a tree \
             (choose another --missing)"
        ));
    }
    attribute.generalization().hierarchy().ok_or_else(|| {
        format!("column '{name}' has no tree (choose one with --hierarchy {name}=METHOD)")
    })
}

/// The first node behind a node and all that lie below it.
pub(super) fn end_of(tree: &Hierarchy, node: Node) -> Node {
    tree.leaf_node(tree.leaves_of(node).greatest()) + 1
}

/// The children of a node.
pub(super) fn children(tree: &Hierarchy, node: Node) -> impl Iterator<Item = Node> + Clone {
    let end = end_of(tree, node);
    let within = move |child: &Node| *child < end;
    let next = move |&child: &Node| Some(end_of(tree, child)).filter(within);
    std::iter::successors(Some(node + 1).filter(within), next)
}

/// Losses and scores are compared to so many parts of 1: those that are equal in all these are ties.
const PARTS: f64 = 1e12;

/// A loss or score that can be ordered.
pub(super) fn rank(number: f64) -> u64 {
    (number * PARTS).round() as u64
}
