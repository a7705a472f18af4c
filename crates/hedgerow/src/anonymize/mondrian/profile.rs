//! The values of one attribute in a part, with the number of records of each.

use std::cmp::Reverse;
use std::ops::Range;

use super::parts::{LANES, Part};
use crate::hierarchy::Leaf;
use crate::problem::{Attribute, Costs, Problem};

/// Number of records of a part for each leaf, in the order in which leaves can be cut.
///
/// This is the order of the leaves, or for sets the descending order of their frequencies, because
/// a side with few values should have many records.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// Leaves with their numbers of records; only leaves that occur.
    pub(super) leaves: Vec<(Leaf, u64)>,
    /// Number of records that match anything.
    pub(super) n_any: u64,
}

impl Profile {
    /// Returns the cost of the attribute in a class of the leaves at the given places.
    pub(super) fn cost(&self, attribute: &Attribute, places: Range<usize>) -> f64 {
        let leaves = &self.leaves[places];
        match (attribute.costs(), leaves) {
            (_, []) => 0.0,
            (costs @ Costs::Set { .. }, _) => costs.of_set(leaves.len()),
            (costs, [(first, _), .., (last, _)]) => costs.of_range(*first, *last),
            (costs, [(only, _)]) => costs.of_range(*only, *only),
        }
    }

    /// Number of records that have a value.
    pub(super) fn n_known(&self) -> u64 {
        self.leaves.iter().map(|(_, count)| count).sum()
    }
}

/// Counts records by leaf for one part after another, reusing its memory.
#[derive(Debug)]
pub(super) struct Profiler {
    /// The least leaf of each attribute in the current part.
    firsts: Vec<u32>,
    /// One more than the greatest leaf of each attribute in the current part.
    ends: Vec<u32>,
    /// Number of records of each leaf; all 0 between calls.
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

    /// Finds the span of each attribute in a part, which is faster than counting leaves.
    pub(super) fn look_at(&mut self, part: Part<'_>) {
        self.firsts.clear();
        self.ends.clear();
        for place in 0..part.stride {
            let (mut firsts, mut ends) = ([u32::MAX; LANES], [0; LANES]);
            for leaves in part.leaves.iter().skip(place).step_by(part.stride) {
                // `LeafOrAny::ANY` is the greatest number and wraps to 0, so it changes neither
                // minimum nor maximum.
                for lane in 0..LANES {
                    firsts[lane] = leaves[lane].number().min(firsts[lane]);
                    ends[lane] = leaves[lane].number_after().max(ends[lane]);
                }
            }
            self.firsts.extend(firsts);
            self.ends.extend(ends);
        }
    }

    /// Returns the least and the greatest leaf of an attribute in the current part, or `None` if
    /// there are not two different ones.
    pub(super) fn span(&self, place: usize) -> Option<(Leaf, Leaf)> {
        let (first, end) = (self.firsts[place], self.ends[place]);
        (end > 0 && end - 1 > first).then(|| (Leaf::from(first), Leaf::from(end - 1)))
    }

    /// Returns the cost of an attribute in the current part; leaves are counted only for sets.
    pub(super) fn width(&mut self, part: Part<'_>, place: usize, attribute: &Attribute) -> f64 {
        match (attribute.costs(), self.span(place)) {
            (_, None) => 0.0,
            (costs @ Costs::Set { .. }, _) => {
                costs.of_set(self.profile(part, place, attribute).leaves.len())
            }
            (costs, Some((first, last))) => costs.of_range(first, last),
        }
    }

    /// Returns the profile of the attribute at `place` in a part.
    pub(super) fn profile(
        &mut self,
        part: Part<'_>,
        place: usize,
        attribute: &Attribute,
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
            // The first record of a leaf in this part.
            if *count == 0 {
                leaves.push((leaf, 0));
            }
            *count += item.count;
        }
        // Taking the counts resets only the leaves that occurred, not the whole array.
        for (leaf, count) in leaves.iter_mut() {
            *count = std::mem::take(&mut counts[leaf.index()]);
        }
        match attribute.costs() {
            Costs::Set { .. } => leaves.sort_unstable_by_key(|&(leaf, n)| (Reverse(n), leaf)),
            _ => leaves.sort_unstable_by_key(|&(leaf, _)| leaf),
        }
        last
    }

    /// Keeps the last profile instead of the one that was kept before.
    pub(super) fn keep(&mut self) {
        std::mem::swap(&mut self.last, &mut self.kept);
    }

    /// Returns the kept profile.
    pub(super) fn kept(&self) -> &Profile {
        &self.kept
    }
}
