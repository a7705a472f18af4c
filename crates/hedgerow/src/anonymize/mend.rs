//! Mending: merges classes that are not private yet with others, or suppresses them.

use std::collections::VecDeque;

use super::Anonymizer;
use super::cluster::Cluster;
use super::regroup::regroup;
use crate::error::{Advice, Unmet};
use crate::noun::counted;
use crate::privacy::unmet;
use crate::problem::{Problem, Tally};
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{self, Proposal, Take};
use crate::{Error, Result};

/// Number of nearest classes that are tested for making a failing class private.
const MOST_ASKED: usize = 32;

/// Makes every class of a proposal private.
///
/// Methods that form classes by size alone leave the other models to this step. Classes that
/// publish the same values are one class to a reader, so they are merged first. Of the nearest
/// classes, a failing class joins the one that makes it private at the least additional loss, or
/// the nearest one if none does, and is tested again. It is suppressed instead if that is allowed
/// and loses less. If all records end up in one failing class and the models are not monotone, the
/// records are [regrouped](regroup).
///
/// # Complexity
///
/// One pass over all classes for each class that fails, including those that fail after a merge.
///
/// # Guarantees
///
/// Every class is private, or the error names what was attained. Deterministic: ties go to the
/// class with the lowest number.
pub(super) fn mend(
    problem: &Problem,
    proposal: Proposal,
    progress: &dyn Progress,
) -> Result<Proposal> {
    let mut proposal = proposal;
    // Mended classes can publish the same values as others and fail together with them, hence the
    // loop.
    while !proposal.is_private(problem) {
        let mut mended = match round(problem, &proposal, progress) {
            Err(refusal @ Error::Unreachable { .. }) if !problem.goal().is_monotone() => {
                regroup(problem, progress)?.ok_or(refusal)?
            }
            mended => mended?,
        };
        mended.notes.splice(0..0, std::mem::take(&mut proposal.notes));
        (mended.trace, mended.early) = (proposal.trace, proposal.early);
        proposal = mended;
    }
    Ok(proposal)
}

/// Runs a method and makes every class private.
pub(super) fn mended(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Result<Proposal> {
    mend(problem, proposed(anonymizer, problem, progress)?, progress)
}

/// Runs a method and checks that its proposal refers only to cohorts and classes that exist.
pub(super) fn proposed(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Result<Proposal> {
    let proposal = anonymizer.propose(problem, progress)?;
    match proposal.flaw_of_indices(problem) {
        None => Ok(proposal),
        Some(flaw) => Err(Error::Internal(format!("method '{}': {flaw}", anonymizer.name()))),
    }
}

/// Merges classes that publish the same values, and mends those that fail.
///
/// The resulting classes may again publish the same values; if the models are not monotone, such
/// classes may fail together.
fn round(problem: &Problem, proposal: &Proposal, progress: &dyn Progress) -> Result<Proposal> {
    let mut mending = Mending::new(problem, proposal);
    while let Some(class) = mending.failing.pop_front() {
        stop_if_cancelled(progress)?;
        mending.look_at(class)?;
    }
    let mut takes = Vec::with_capacity(proposal.takes().len());
    let mut n_classes = 0;
    for class in mending.classes.into_iter().flatten() {
        let number = Some(proposal::Class::new(n_classes));
        takes.extend(class.takes.into_iter().map(|take| Take { class: number, ..take }));
        n_classes += 1;
    }
    takes.append(&mut mending.suppressed);
    Proposal::new(problem, n_classes, takes)
}

struct Class {
    cluster: Cluster,
    tally: Tally,
    /// Total cost of its records.
    cost: f64,
    takes: Vec<Take>,
}

struct Mending<'a> {
    problem: &'a Problem,
    /// The classes; `None` where a class has joined another or was suppressed.
    classes: Vec<Option<Class>>,
    failing: VecDeque<usize>,
    suppressed: Vec<Take>,
    /// Number of records that may still be suppressed.
    spare: u64,
}

impl<'a> Mending<'a> {
    fn new(problem: &'a Problem, proposal: &Proposal) -> Self {
        let goal = problem.goal();
        let empty = || Class {
            cluster: Cluster::empty(problem),
            tally: goal.tally(),
            cost: 0.0,
            takes: Vec::new(),
        };
        let mut classes: Vec<Class> = Vec::new();
        classes.resize_with(proposal.n_shapes(), empty);
        let group_of = proposal.groups(problem);
        let mut suppressed = Vec::new();
        for &take in proposal.takes() {
            let Some(class) = take.class else {
                suppressed.push(take);
                continue;
            };
            // Classes are keyed by the text they publish, which merges those that look the same.
            let class = &mut classes[group_of[proposal.shape(class)] as usize];
            class.cluster.add(problem, take.cohort, take.count);
            goal.add(&mut class.tally, take.cohort, take.count);
            class.takes.push(take);
        }
        for class in &mut classes {
            class.cost = class.cluster.size as f64 * class.cluster.cost(problem);
        }
        classes.retain(|class| !class.takes.is_empty());
        let failing = (0..classes.len()).filter(|&class| !goal.holds(&classes[class].tally));
        Self {
            problem,
            failing: failing.collect(),
            spare: problem.most_suppressed().saturating_sub(proposal.n_suppressed()),
            classes: classes.into_iter().map(Some).collect(),
            suppressed,
        }
    }

    /// Merges a failing class with another, or suppresses it.
    fn look_at(&mut self, place: usize) -> Result<()> {
        let Some(class) = self.classes[place].take() else { return Ok(()) };
        if self.problem.goal().holds(&class.tally) {
            self.classes[place] = Some(class);
            return Ok(());
        }
        let best = self.best_partner(&class);
        // Suppression costs 1 for every cell; subtract the present cost of the class.
        let cells = (class.cluster.size * self.problem.attributes().len() as u64) as f64;
        let lost_if_suppressed = cells - class.cost;
        if class.cluster.size <= self.spare
            && best.is_none_or(|(increase, _)| lost_if_suppressed < increase)
        {
            self.spare -= class.cluster.size;
            let takes = class.takes.into_iter();
            self.suppressed.extend(takes.map(|take| Take { class: None, ..take }));
            return Ok(());
        }
        let Some((increase, partner)) = best else { return Err(self.unreachable(&class)) };
        let other = self.classes[partner].as_mut().expect("a partner is a class");
        other.cluster.absorb(&class.cluster);
        other.tally.absorb(&class.tally);
        other.cost += class.cost + increase;
        let mut takes = class.takes;
        // Appending the shorter list to the longer keeps repeated merges cheap.
        if takes.len() > other.takes.len() {
            std::mem::swap(&mut takes, &mut other.takes);
        }
        other.takes.append(&mut takes);
        if !self.problem.goal().holds(&other.tally) {
            self.failing.push_back(partner);
        }
        Ok(())
    }

    /// Returns the class to join, and the additional loss of merging the two.
    fn best_partner(&self, class: &Class) -> Option<(f64, usize)> {
        let mut nearest: Vec<(f64, usize)> = Vec::with_capacity(2 * MOST_ASKED);
        let mut limit = f64::INFINITY;
        for (place, other) in self.classes.iter().enumerate() {
            let Some(other) = other else { continue };
            let size = (class.cluster.size + other.cluster.size) as f64;
            let apart = class.cost + other.cost;
            // Beyond this cost the increase exceeds the limit, so summing can stop.
            let enough = (limit + apart) / size;
            let together = class.cluster.cost_together(self.problem, &other.cluster, enough);
            let increase = size * together - apart;
            if increase >= limit {
                continue;
            }
            nearest.push((increase, place));
            // Pruning only at twice the size keeps the cost of sorting low.
            if nearest.len() == 2 * MOST_ASKED {
                nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                nearest.truncate(MOST_ASKED);
                limit = nearest[MOST_ASKED - 1].0;
            }
        }
        nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut asked = nearest.iter().take(MOST_ASKED);
        let private = asked.find(|&&(_, place)| self.is_private_with(class, place));
        private.or(nearest.first()).copied()
    }

    /// Whether a class is private together with the one at `place`.
    fn is_private_with(&self, class: &Class, place: usize) -> bool {
        let other = self.classes[place].as_ref().expect("a partner is a class");
        let mut tally = class.tally.clone();
        tally.absorb(&other.tally);
        self.problem.goal().holds(&tally)
    }

    /// The error for the case that all remaining records are in one class that fails.
    fn unreachable(&self, class: &Class) -> Error {
        let goal = self.problem.goal();
        let whole = if self.suppressed.is_empty() {
            "one class of all records".to_owned()
        } else {
            // All other classes have joined this one or were suppressed.
            let n_suppressed = self.problem.cohorts().n_records() - class.cluster.size;
            format!("the class that remains after suppressing {}", counted(n_suppressed, "record"))
        };
        let models = goal.models().iter().zip(goal.attained(&class.tally)).enumerate();
        let mut failing = models.filter_map(|(place, (model, attained))| {
            let fails = !model.holds(&goal.view(&class.tally, place));
            fails.then_some((model.as_ref(), attained))
        });
        let advice = [Advice::less(), Advice::AllowSuppression { least: None }];
        let error =
            |why| Error::unreachable(format!("no classes were found that meet the goal: {why}"));
        match failing.next() {
            None => error(format!("{whole} is not private")),
            Some((model, attained)) => {
                let what = format!("{whole} {}", model.attains());
                error(unmet(model, &what, attained)).because_of(Unmet::of(model, attained))
            }
        }
        .advise(advice)
    }
}
