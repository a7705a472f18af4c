//! What regions of an attribute lose, in every way that losses ask for.

use super::{Cell, Whole};
use crate::hierarchy::Generalization;
use crate::problem::{ANY_LEAF, Attribute, Region};

/// An attribute of a problem, prepared for many regions.
pub(super) struct Facts<'a> {
    attribute: &'a Attribute,
    /// Records before each leaf, and in all.
    running: Vec<u64>,
    /// How high each node stands, 0 to 1, and its distortion; empty without levels.
    levels: Vec<f64>,
    distortions: Vec<f64>,
    whole: Whole,
}

impl<'a> Facts<'a> {
    pub(super) fn of(attribute: &'a Attribute, counts: &[u64]) -> Self {
        let of_leaf = attribute.leaf_counts(counts);
        let is_known = !attribute.leaves().contains(&ANY_LEAF);
        let (levels, distortions, root) = match attribute.generalization() {
            Generalization::Tree(tree) => {
                let distortions = tree.distortions();
                let root = distortions[0];
                (tree.relative_levels(), distortions, Some(root))
            }
            Generalization::Levels(levels) => {
                let distortions = levels.distortions().to_vec();
                let root = distortions[levels.root() as usize];
                (levels.relative_levels(), distortions, Some(root))
            }
            Generalization::Interval(_) | Generalization::Set(_) => (Vec::new(), Vec::new(), None),
        };
        let log_counts = is_known.then(|| log_counts(&of_leaf));
        let whole = Whole { distortion: root, log_counts };
        Self { attribute, running: running(&of_leaf), levels, distortions, whole }
    }

    pub(super) fn whole(&self) -> Whole {
        self.whole
    }

    /// How many records have one of the `n` rarest values.
    fn rarest(&self, n: usize) -> u64 {
        let mut counts: Vec<u64> =
            self.running.windows(2).map(|pair| pair[1] - pair[0]).filter(|&n| n > 0).collect();
        counts.sort_unstable();
        counts.iter().take(n).sum()
    }

    /// How many records lie between the ends that a region shows, where these were moved outward
    /// to hide rare values.
    fn shown_mass(&self, region: &Region) -> Option<u64> {
        let scale = self.attribute.values().scale().filter(|_| self.attribute.hides_rare())?;
        let (low, high) = match (region, self.attribute.generalization()) {
            (Region::Node(node), Generalization::Tree(tree)) if *node > 0 => tree.bounds(*node)?,
            (Region::Interval(first, last), _) if !self.attribute.is_anything(*first, *last) => {
                let [low, high] = self.attribute.hidden_ends(*first, *last)?;
                (low.value, high.value)
            }
            _ => return None,
        };
        let first = scale.partition_point(|value| value < low);
        let end = scale.partition_point(|value| value <= high);
        Some(self.running[end] - self.running[first])
    }

    pub(super) fn cell(&self, region: &Region) -> Cell {
        let cost = self.attribute.cost(region);
        let of_range = |first: u32, end: u32| {
            (self.running[end as usize] - self.running[first as usize], (end - first) as usize)
        };
        let (mass, n_leaves) = match (region, self.attribute.generalization()) {
            (Region::Node(node), Generalization::Tree(tree)) => {
                let leaves = tree.leaves_of(*node);
                of_range(leaves.start, leaves.end)
            }
            (Region::Node(group), Generalization::Levels(levels)) => {
                let leaves = levels.leaves_of(*group);
                of_range(leaves.start, leaves.end)
            }
            (Region::Interval(first, last), _) => of_range(*first, last + 1),
            (Region::PartialSet(leaves, n_more), _) => {
                let named: u64 = leaves.iter().map(|&leaf| of_range(leaf, leaf + 1).0).sum();
                let n_more = *n_more as usize;
                (named + self.rarest(n_more), leaves.len() + n_more)
            }
            (Region::Set(leaves), _) => {
                (leaves.iter().map(|&leaf| of_range(leaf, leaf + 1).0).sum(), leaves.len())
            }
            _ => (0, 0),
        };
        let of_node = |numbers: &[f64]| match region {
            Region::Node(node) => numbers.get(*node as usize).copied().unwrap_or(0.0),
            _ => 0.0,
        };
        let is_numeric = self.attribute.values().scale().is_some();
        let n_all = self.attribute.n_leaves();
        let mass = self.shown_mass(region).unwrap_or(mass);
        Cell {
            cost,
            share: if is_numeric { cost } else { share(cost, n_leaves, n_all) },
            level: of_node(&self.levels),
            distortion: of_node(&self.distortions),
            mass,
        }
    }
}

/// The share of all values that some are: 0 for one, 1 for what costs everything.
pub(crate) fn share(cost: f64, n_values: usize, n_all: usize) -> f64 {
    match n_values {
        _ if cost >= 1.0 => 1.0,
        0 | 1 => 0.0,
        n => n as f64 / n_all as f64,
    }
}

/// `c log2 c`, summed over counts.
pub(crate) fn log_counts(counts: &[u64]) -> f64 {
    counts.iter().filter(|&&count| count > 0).map(|&c| c as f64 * (c as f64).log2()).sum()
}

/// How many are before each place, and in all.
pub(crate) fn running(counts: &[u64]) -> Vec<u64> {
    let mut total = 0;
    let sums = counts.iter().map(|count| {
        total += count;
        total
    });
    std::iter::once(0).chain(sums).collect()
}
