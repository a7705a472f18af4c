//! The values of one attribute in a part, with their records.

use std::cmp::Reverse;
use std::ops::Range;

use super::parts::{LANES, Part};
use crate::hierarchy::Leaf;
use crate::problem::{Attribute, Costs, Problem};

/// How many records of a part have which leaf, in the order in which leaves may be cut.
///
/// That is the order of the leaves, or for sets that of their records, the most frequent first: a
/// side of few values should have many records.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// Leaves with their records; no leaf is without.
    pub(super) leaves: Vec<(Leaf, u64)>,
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
    /// The least leaf of each attribute in a part, and the one behind the greatest.
    firsts: Vec<u32>,
    ends: Vec<u32>,
    /// The records of each leaf; all 0 between parts.
    counts: Vec<u64>,
    last: Profile,
    kept: Profile,
}

impl Profiler {
    pub(super) fn new(problem: &Problem) -> Self {
        let most = problem.attributes().iter().map(Attribute::n_leaves).max();
        Self {
            firsts: Vec::new(),
            ends: Vec::new(),
            counts: vec![0; most.unwrap_or(0)],
            last: Profile::default(),
            kept: Profile::default(),
        }
    }

    /// Finds the span of each attribute in a part, which is seen faster than leaves are counted.
    pub(super) fn look_at(&mut self, part: Part<'_>) {
        self.firsts.clear();
        self.ends.clear();
        for place in 0..part.stride {
            let (mut firsts, mut ends) = ([u32::MAX; LANES], [0; LANES]);
            for leaves in part.leaves.iter().skip(place).step_by(part.stride) {
                // What matches anything has the greatest number, and 0 after it: neither counts.
                for lane in 0..LANES {
                    firsts[lane] = leaves[lane].number().min(firsts[lane]);
                    ends[lane] = leaves[lane].number_after().max(ends[lane]);
                }
            }
            self.firsts.extend(firsts);
            self.ends.extend(ends);
        }
    }

    /// The least and the greatest leaf of an attribute in the part looked at, if they differ.
    pub(super) fn span(&self, place: usize) -> Option<(Leaf, Leaf)> {
        let (first, end) = (self.firsts[place], self.ends[place]);
        (end > 0 && end - 1 > first).then(|| (Leaf::from(first), Leaf::from(end - 1)))
    }

    /// What an attribute costs in the part looked at; only sets need to be counted for it.
    pub(super) fn width(&mut self, part: Part<'_>, (place, attribute): (usize, &Attribute)) -> f64 {
        match (attribute.costs(), self.span(place)) {
            (_, None) => 0.0,
            (costs @ Costs::Set { .. }, _) => {
                costs.of_set(self.profile(part, (place, attribute)).leaves.len())
            }
            (costs, Some((first, last))) => costs.of_range(first, last),
        }
    }

    /// The profile of an attribute, given by its place, in a part.
    pub(super) fn profile(
        &mut self,
        part: Part<'_>,
        (place, attribute): (usize, &Attribute),
    ) -> &Profile {
        let Self { counts, last, .. } = self;
        let Profile { leaves, n_any } = last;
        leaves.clear();
        *n_any = 0;
        for (item, leaf) in part.items.iter().zip(part.column(place)) {
            let Some(leaf) = leaf.known() else {
                *n_any += item.count;
                continue;
            };
            let count = &mut counts[leaf.index()];
            if *count == 0 {
                leaves.push((leaf, 0));
            }
            *count += item.count;
        }
        for (leaf, count) in leaves.iter_mut() {
            *count = std::mem::take(&mut counts[leaf.index()]);
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
