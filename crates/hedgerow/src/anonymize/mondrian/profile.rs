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

/// The leaves of all attributes, cohort after cohort: a part has few cohorts far apart, so a cohort
/// should be one place in memory, not one in each column.
#[derive(Debug)]
pub(super) struct Rows {
    width: usize,
    leaves: Vec<u32>,
}

impl Rows {
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let width = problem.attributes().len();
        let mut leaves = vec![0; problem.cohorts().len() * width];
        for (place, attribute) in problem.attributes().iter().enumerate() {
            let of_cohorts = leaves.iter_mut().skip(place).step_by(width);
            of_cohorts.zip(attribute.leaves()).for_each(|(leaf, &of_cohort)| *leaf = of_cohort);
        }
        Self { width, leaves }
    }

    /// The leaf of each attribute.
    #[inline]
    pub(super) fn of(&self, cohort: u32) -> &[u32] {
        &self.leaves[cohort as usize * self.width..][..self.width]
    }
}

/// Counts records by leaf, part after part, without asking for memory each time.
#[derive(Debug)]
pub(super) struct Profiler<'a> {
    rows: &'a Rows,
    /// The least leaf of each attribute in a part, and the one behind the greatest.
    firsts: Vec<u32>,
    ends: Vec<u32>,
    /// The records of each leaf; all 0 between parts.
    counts: Vec<u64>,
    last: Profile,
    kept: Profile,
}

impl<'a> Profiler<'a> {
    pub(super) fn new(problem: &Problem<'_>, rows: &'a Rows) -> Self {
        let most = problem.attributes().iter().map(Attribute::n_leaves).max();
        Self {
            rows,
            firsts: vec![0; rows.width],
            ends: vec![0; rows.width],
            counts: vec![0; most.unwrap_or(0)],
            last: Profile::default(),
            kept: Profile::default(),
        }
    }

    /// Finds the span of each attribute in a part, which is seen faster than leaves are counted.
    pub(super) fn look_at(&mut self, part: &[Item]) {
        self.firsts.fill(u32::MAX);
        self.ends.fill(0);
        for item in part {
            let spans = self.firsts.iter_mut().zip(&mut self.ends);
            for (&leaf, (first, end)) in self.rows.of(item.cohort).iter().zip(spans) {
                // What matches anything is the greatest leaf, and behind it is 0: neither counts.
                const { assert!(ANY_LEAF == u32::MAX) }
                *first = (*first).min(leaf);
                *end = (*end).max(leaf.wrapping_add(1));
            }
        }
    }

    /// The least and the greatest leaf of an attribute in the part looked at, if they differ.
    pub(super) fn span(&self, place: usize) -> Option<(u32, u32)> {
        let (first, end) = (self.firsts[place], self.ends[place]);
        (end > 0 && end - 1 > first).then(|| (first, end - 1))
    }

    /// What an attribute costs in the part looked at; only sets need to be counted for it.
    pub(super) fn width(&mut self, part: &[Item], (place, attribute): (usize, &Attribute)) -> f64 {
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
        part: &[Item],
        (place, attribute): (usize, &Attribute),
    ) -> &Profile {
        let Self { rows, counts, last, .. } = self;
        let Profile { leaves, n_any } = last;
        leaves.clear();
        *n_any = 0;
        for item in part {
            let leaf = rows.of(item.cohort)[place];
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
