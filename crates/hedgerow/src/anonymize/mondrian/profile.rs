//! The values of one attribute in a part, with their records.

use std::cmp::Reverse;
use std::ops::Range;

use super::parts::Item;
use crate::problem::{ANY_LEAF, Attribute, Costs, Problem};

/// How many records of a part have which leaf, in the order in which leaves may be cut.
///
/// That is the order of the leaves, or for sets that of their records, the most frequent first: a
/// side of few values should have many records.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// Leaves with their records; no leaf is without.
    pub(super) leaves: Vec<(u32, u64)>,
    /// Records that match anything.
    pub(super) n_any: u64,
}

impl Profile {
    /// What the attribute costs in a class of some of the leaves, given by their places.
    pub(super) fn cost(&self, attribute: &Attribute, places: Range<usize>) -> f64 {
        let leaves = &self.leaves[places];
        match (attribute.costs(), leaves) {
            (_, []) => 0.0,
            (costs @ Costs::Set { .. }, _) => costs.of_set(leaves.len()),
            (costs, [(first, _), .., (last, _)]) => costs.of_range(*first, *last),
            (costs, [(only, _)]) => costs.of_range(*only, *only),
        }
    }

    /// How many records have a value.
    pub(super) fn n_known(&self) -> u64 {
        self.leaves.iter().map(|(_, count)| count).sum()
    }
}

/// Counts records by leaf, part after part, without asking for memory each time.
#[derive(Debug)]
pub(super) struct Profiler {
    /// The records of each leaf; all 0 between parts.
    counts: Vec<u64>,
    last: Profile,
    kept: Profile,
}

impl Profiler {
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let most = problem.attributes().iter().map(Attribute::n_leaves).max();
        let counts = vec![0; most.unwrap_or(0)];
        Self { counts, last: Profile::default(), kept: Profile::default() }
    }

    /// The profile of an attribute in a part; it is empty if there is but one value.
    pub(super) fn profile(&mut self, part: &[Item], attribute: &Attribute) -> &Profile {
        let Self { counts, last, .. } = self;
        let Profile { leaves, n_any } = last;
        leaves.clear();
        *n_any = 0;
        let leaf_of = |item: &Item| attribute.leaves()[item.cohort as usize];
        // Most columns of a small part have one value, and that is seen faster than counted.
        if let [first, others @ ..] = part
            && others.iter().all(|other| leaf_of(other) == leaf_of(first))
        {
            return last;
        }
        for item in part {
            let leaf = leaf_of(item);
            if leaf == ANY_LEAF {
                *n_any += item.count;
                continue;
            }
            let count = &mut counts[leaf as usize];
            if *count == 0 {
                leaves.push((leaf, 0));
            }
            *count += item.count;
        }
        for (leaf, count) in leaves.iter_mut() {
            *count = std::mem::take(&mut counts[*leaf as usize]);
        }
        match attribute.costs() {
            Costs::Set { .. } => leaves.sort_unstable_by_key(|&(leaf, n)| (Reverse(n), leaf)),
            _ => leaves.sort_unstable_by_key(|&(leaf, _)| leaf),
        }
        last
    }

    /// Keeps the last profile in the place of the one that was kept.
    pub(super) fn keep(&mut self) {
        std::mem::swap(&mut self.last, &mut self.kept);
    }

    /// The profile that was kept.
    pub(super) fn kept(&self) -> &Profile {
        &self.kept
    }
}
