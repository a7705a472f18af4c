//! Checks a proposal against its problem.

use super::{AT_ONCE, Proposal, Take};
use crate::Result;
use crate::error::Flaw;
use crate::hierarchy::Leaf;
use crate::method::Scope;
use crate::problem::{Attribute, Problem, Region, Tally};
use crate::progress::{Progress, stop_at, stop_if_cancelled};
use crate::table::Cohort;

impl Proposal {
    /// Returns why the proposal must not be published, or `None` if it can be.
    ///
    /// Each record must be in exactly one class or suppressed, and be covered by the regions of its
    /// class. Every class must satisfy the goal, and no limit may be exceeded.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`](crate::Error::Cancelled) if `progress` is cancelled.
    pub fn flaw(&self, problem: &Problem, progress: &dyn Progress) -> Result<Option<Flaw>> {
        // This comes first, because the other checks use cohorts, classes and regions as indices.
        if let Some(flaw) = self.flaw_of_indices(problem) {
            return Ok(Some(flaw));
        }
        if let Some(flaw) = self.flaw_of_counts(problem, progress)? {
            return Ok(Some(flaw));
        }
        if self.spells_out_rare(problem) {
            return Ok(Some(Flaw::RareValue));
        }
        if let Some(flaw) = self.flaw_of_cover(problem, progress)? {
            return Ok(Some(flaw));
        }
        if !self.meets_goal(problem) {
            return Ok(Some(Flaw::NotPrivate));
        }
        stop_if_cancelled(progress)?;
        Ok(self.flaw_of_scope(problem))
    }

    /// Returns a flaw if a record is taken twice or not at all, or if too many are suppressed.
    fn flaw_of_counts(&self, problem: &Problem, progress: &dyn Progress) -> Result<Option<Flaw>> {
        let mut left: Vec<u64> = problem.cohorts().counts.clone();
        for (place, take) in self.takes.iter().enumerate() {
            stop_at(place, progress)?;
            let rest = &mut left[take.cohort.index()];
            let Some(fewer) = rest.checked_sub(take.count) else {
                return Ok(Some(Flaw::TakenTwice));
            };
            *rest = fewer;
        }
        if left.iter().any(|&rest| rest > 0) {
            return Ok(Some(Flaw::NotTaken));
        }
        let is_exceeded = self.n_suppressed() > problem.most_suppressed();
        Ok(is_exceeded.then_some(Flaw::TooManySuppressed))
    }

    /// Returns a flaw if a take refers to a cohort or a class that does not exist, or a class to a
    /// region that does not exist.
    pub(crate) fn flaw_of_indices(&self, problem: &Problem) -> Option<Flaw> {
        let n_classes = self.n_classes();
        if !self.takes.iter().all(|take| is_known(take, problem, n_classes)) {
            return Some(Flaw::UnknownIndex);
        }
        let attributes = problem.attributes();
        let has_all = |(attribute, regions): (&Attribute, &Vec<Region>)| {
            regions.iter().all(|region| attribute.has(region))
        };
        let is_of_problem = self.regions.len() == attributes.len()
            && attributes.iter().zip(&self.regions).all(has_all);
        (!is_of_problem).then_some(Flaw::OtherProblem)
    }

    /// Returns a flaw if values are recoded less uniformly than the limits allow.
    fn flaw_of_scope(&self, problem: &Problem) -> Option<Flaw> {
        let asked = problem.recoding();
        // Nothing is less uniform than a local recoding, so there is nothing to look for.
        let found = (asked != Scope::Local).then(|| self.scope(problem))?;
        let flaw = Flaw::LessUniform { asked: asked.name(), found: found.name() };
        (!asked.allows(found)).then_some(flaw)
    }

    /// Whether a class publishes a region that spells out a rare value where these are hidden.
    fn spells_out_rare(&self, problem: &Problem) -> bool {
        let columns = problem.attributes().iter().zip(&self.regions).zip(self.used_regions());
        columns.into_iter().any(|((attribute, regions), is_used)| {
            let used = regions.iter().zip(is_used).filter(|(_, is_used)| *is_used);
            used.into_iter().any(|(region, _)| attribute.without_rare(region.clone()) != *region)
        })
    }

    /// Returns a flaw if the regions of a class do not cover its records or exceed a limit.
    fn flaw_of_cover(&self, problem: &Problem, progress: &dyn Progress) -> Result<Option<Flaw>> {
        let mut leaves = Vec::new();
        let published = |take: &Take| Some((take.cohort, self.shape(take.class?)));
        let attributes = problem.attributes();
        let columns = attributes.iter().zip(&self.regions);
        let n_pairs = columns.map(|(attribute, regions)| (regions.len(), attribute.n_leaves()));
        let mut checked = Checked::all(&n_pairs.collect::<Vec<_>>(), MOST_PAIRS);
        for takes in self.takes.chunks(AT_ONCE) {
            stop_if_cancelled(progress)?;
            let (cohorts, shapes): (Vec<Cohort>, Vec<usize>) =
                takes.iter().filter_map(published).unzip();
            problem.leaves_of(&cohorts, &mut leaves);
            let mut leaves = leaves.iter();
            for (place, (attribute, checked)) in attributes.iter().zip(&mut checked).enumerate() {
                // `leaves_of` lists the leaves attribute by attribute, in the order of the takes.
                for (&shape, &leaf) in shapes.iter().zip(leaves.by_ref()) {
                    // A missing value that matches anything is covered by every region.
                    let Some(known) = leaf.known() else { continue };
                    let number = self.numbers(shape)[place] as usize;
                    if checked.is_sound(number, known) {
                        continue;
                    }
                    let region = &self.regions[place][number];
                    if !attribute.covers(region, leaf) {
                        return Ok(Some(Flaw::NotCovered));
                    }
                    if !problem.allows(place, leaf, region) {
                        return Ok(Some(Flaw::BeyondLimit));
                    }
                    checked.note_sound(number, known);
                }
            }
        }
        Ok(None)
    }

    /// Whether every class satisfies the goal, and every set of classes that look the same to a
    /// reader. A proposal of another problem is not private.
    pub fn is_private(&self, problem: &Problem) -> bool {
        self.flaw_of_indices(problem).is_none() && self.meets_goal(problem)
    }

    /// Like [`Proposal::is_private`], for a proposal whose indices were checked.
    fn meets_goal(&self, problem: &Problem) -> bool {
        let goal = problem.goal();
        // Sizes take less memory than tallies, and the models are asked in either case.
        if goal.looks_only_at_sizes() {
            return self.sizes().iter().all(|&size| goal.holds_for_size(size));
        }
        let is_met = |tallies: Vec<Tally>| tallies.iter().all(|tally| goal.holds(tally));
        // Monotone goals hold for unions of classes, so only others need the second check.
        is_met(self.tallies(problem)) && (goal.is_monotone() || is_met(self.tallies_shown(problem)))
    }
}

/// Regions of an attribute and leaves in them that were checked before. The same few pairs occur in
/// most takes.
struct Checked {
    n_leaves: usize,
    /// For each region and leaf, a bit that is set if the region covers the leaf and no limit is
    /// exceeded; empty if there are too many pairs.
    is_sound: Vec<u64>,
}

/// Limit on the pairs of a region and a leaf that are remembered for all attributes together, so
/// that they take at most 16 MB.
const MOST_PAIRS: usize = 1 << 27;

impl Checked {
    /// Attributes with these numbers of regions and leaves, of which those with the fewest pairs
    /// are remembered first.
    fn all(sizes: &[(usize, usize)], most_pairs: usize) -> Vec<Self> {
        let n_pairs = |&(n_regions, n_leaves): &(usize, usize)| n_regions.saturating_mul(n_leaves);
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|&place| n_pairs(&sizes[place]));
        let (mut left, mut n_words) = (most_pairs, vec![0; sizes.len()]);
        for place in order {
            let Some(rest) = left.checked_sub(n_pairs(&sizes[place])) else { break };
            n_words[place] = (left - rest).div_ceil(u64::BITS as usize);
            left = rest;
        }
        let empty = |(&(_, n_leaves), n_words): (&(usize, usize), usize)| Self {
            n_leaves,
            is_sound: vec![0; n_words],
        };
        sizes.iter().zip(n_words).map(empty).collect()
    }

    /// The word and the bit of a pair.
    fn place(&self, region: usize, leaf: Leaf) -> (usize, u64) {
        let place = region * self.n_leaves + leaf.index();
        (place / u64::BITS as usize, 1 << (place % u64::BITS as usize))
    }

    fn is_sound(&self, region: usize, leaf: Leaf) -> bool {
        let (word, bit) = self.place(region, leaf);
        self.is_sound.get(word).is_some_and(|word| word & bit != 0)
    }

    fn note_sound(&mut self, region: usize, leaf: Leaf) {
        let (word, bit) = self.place(region, leaf);
        if let Some(word) = self.is_sound.get_mut(word) {
            *word |= bit;
        }
    }
}

/// Whether a take refers to a cohort of the problem, and to one of the first `n_classes` classes.
pub(super) fn is_known(take: &Take, problem: &Problem, n_classes: usize) -> bool {
    let is_class = take.class.is_none_or(|class| class.index() < n_classes);
    take.cohort.index() < problem.cohorts().len() && is_class
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_remembered_within_a_limit_for_all_attributes_together() {
        let mut checked = Checked::all(&[(100, 100), (3, 50), (10, 10), (70, 70)], 1000);
        let words: Vec<usize> = checked.iter().map(|one| one.is_sound.len()).collect();
        assert_eq!(words, [0, 3, 2, 0]);
        for (attribute, is_kept) in [(0, false), (1, true), (2, true)] {
            let (region, leaf) = (2, Leaf::new(9));
            checked[attribute].note_sound(region, leaf);
            assert_eq!(checked[attribute].is_sound(region, leaf), is_kept);
            assert!(!checked[attribute].is_sound(region, Leaf::new(8)));
        }
        assert!(Checked::all(&[(usize::MAX, 2)], MOST_PAIRS)[0].is_sound.is_empty());
    }
}
