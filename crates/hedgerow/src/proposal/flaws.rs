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
        let mut checked: Vec<Checked> = columns
            .map(|(attribute, regions)| Checked::new(regions.len(), attribute.n_leaves()))
            .collect();
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
        if goal.looks_only_at_sizes() {
            return self.sizes().iter().all(|&size| size >= goal.least_size());
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
    /// For each region and leaf, whether the region covers the leaf and no limit is exceeded; empty
    /// if there are too many pairs.
    is_sound: Vec<bool>,
}

/// Limit on the pairs of a region and a leaf that are remembered for an attribute.
const MOST_PAIRS: usize = 1 << 24;

impl Checked {
    fn new(n_regions: usize, n_leaves: usize) -> Self {
        let n_pairs = Some(n_regions.saturating_mul(n_leaves)).filter(|&n| n <= MOST_PAIRS);
        Self { n_leaves, is_sound: vec![false; n_pairs.unwrap_or(0)] }
    }

    fn is_sound(&self, region: usize, leaf: Leaf) -> bool {
        self.is_sound.get(region * self.n_leaves + leaf.index()).is_some_and(|&is_sound| is_sound)
    }

    fn note_sound(&mut self, region: usize, leaf: Leaf) {
        if let Some(is_sound) = self.is_sound.get_mut(region * self.n_leaves + leaf.index()) {
            *is_sound = true;
        }
    }
}

/// Whether a take refers to a cohort of the problem, and to one of the first `n_classes` classes.
pub(super) fn is_known(take: &Take, problem: &Problem, n_classes: usize) -> bool {
    let is_class = take.class.is_none_or(|class| class.index() < n_classes);
    take.cohort.index() < problem.cohorts().len() && is_class
}
