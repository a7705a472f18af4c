//! Mending: classes that are not private yet are put together with others, or suppressed.

use std::collections::VecDeque;

use super::Anonymizer;
use super::cluster::Cluster;
use super::regroup::regroup;
use crate::error::{Advice, Unmet};
use crate::noun::counted;
use crate::privacy::unmet;
use crate::problem::{Problem, Tally};
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{Proposal, Take};
use crate::{Error, Result};

/// How many of the nearest classes are asked whether they would make a class private.
const MOST_ASKED: usize = 32;

/// Makes every class of a proposal private.
///
/// Methods that form classes by size alone leave the other models to this step. Classes that publish
/// the same are one to a reader, so they are put together first. A class that fails
/// joins the class with which it loses least among the nearest that make it private, or just the
/// nearest, and is looked at again; where it may be and where that loses less, it is suppressed. If
/// everything ends in one class that fails, and the models are not monotone, records are
/// [grouped anew](regroup).
///
/// # Complexity
///
/// One pass over all classes for each that fails, also for those that fail since another joined them.
///
/// # Guarantees
///
/// Every class is private, or the error says what was attained. Deterministic: ties go to the
/// lowest class.
pub(super) fn mend(
    problem: &Problem,
    proposal: Proposal,
    progress: &dyn Progress,
) -> Result<Proposal> {
    let mut proposal = proposal;
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

/// What a method proposes, with every class private.
pub(super) fn mended(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Result<Proposal> {
    mend(problem, proposed(anonymizer, problem, progress)?, progress)
}

/// What a method proposes, if that is about the problem at all.
pub(super) fn proposed(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Result<Proposal> {
    let proposal = anonymizer.propose(problem, progress)?;
    match proposal.flaw_of_takes(problem) {
        None => Ok(proposal),
        Some(flaw) => Err(Error::Internal(format!("method '{}': {flaw}", anonymizer.name()))),
    }
}

/// Puts classes that publish the same together, and mends what fails. That may give classes that
/// publish the same again, and if the models are not monotone, these may fail together.
fn round(problem: &Problem, proposal: &Proposal, progress: &dyn Progress) -> Result<Proposal> {
    let mut mending = Mending::new(problem, proposal);
    while let Some(class) = mending.failing.pop_front() {
        stop_if_cancelled(progress)?;
        mending.look_at(class)?;
    }
    let mut takes = Vec::with_capacity(proposal.takes().len());
    let mut n_classes = 0;
    for class in mending.classes.into_iter().flatten() {
        takes.extend(class.takes.into_iter().map(|take| Take { class: n_classes, ..take }));
        n_classes += 1;
    }
    takes.append(&mut mending.suppressed);
    Ok(Proposal::new(problem, n_classes as usize, takes))
}

struct Class {
    cluster: Cluster,
    tally: Tally,
    /// What all its records cost.
    cost: f64,
    takes: Vec<Take>,
}

struct Mending<'a> {
    problem: &'a Problem,
    /// The classes; none where one has joined another.
    classes: Vec<Option<Class>>,
    failing: VecDeque<usize>,
    suppressed: Vec<Take>,
    /// How many more records may be suppressed.
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
            if take.class == Take::SUPPRESSED {
                suppressed.push(take);
                continue;
            }
            let class = &mut classes[group_of[proposal.shape(take.class as usize)] as usize];
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

    /// Puts a class that fails together with another, or suppresses it.
    fn look_at(&mut self, place: usize) -> Result<()> {
        let Some(class) = self.classes[place].take() else { return Ok(()) };
        if self.problem.goal().holds(&class.tally) {
            self.classes[place] = Some(class);
            return Ok(());
        }
        let best = self.best_partner(&class);
        let cells = (class.cluster.size * self.problem.attributes().len() as u64) as f64;
        let lost_if_suppressed = cells - class.cost;
        if class.cluster.size <= self.spare
            && best.is_none_or(|(increase, _)| lost_if_suppressed < increase)
        {
            self.spare -= class.cluster.size;
            let takes = class.takes.into_iter();
            self.suppressed.extend(takes.map(|take| Take { class: Take::SUPPRESSED, ..take }));
            return Ok(());
        }
        let Some((increase, partner)) = best else { return Err(self.unreachable(&class)) };
        let other = self.classes[partner].as_mut().expect("a partner is a class");
        other.cluster.absorb(&class.cluster);
        other.tally.absorb(&class.tally);
        other.cost += class.cost + increase;
        let mut takes = class.takes;
        if takes.len() > other.takes.len() {
            std::mem::swap(&mut takes, &mut other.takes);
        }
        other.takes.append(&mut takes);
        if !self.problem.goal().holds(&other.tally) {
            self.failing.push_back(partner);
        }
        Ok(())
    }

    /// The class to join, and how much more the two lose together.
    fn best_partner(&self, class: &Class) -> Option<(f64, usize)> {
        let mut nearest: Vec<(f64, usize)> = Vec::with_capacity(2 * MOST_ASKED);
        let mut limit = f64::INFINITY;
        for (place, other) in self.classes.iter().enumerate() {
            let Some(other) = other else { continue };
            let size = (class.cluster.size + other.cluster.size) as f64;
            let apart = class.cost + other.cost;
            let enough = (limit + apart) / size;
            let together = class.cluster.cost_together(self.problem, &other.cluster, enough);
            let increase = size * together - apart;
            if increase >= limit {
                continue;
            }
            nearest.push((increase, place));
            if nearest.len() == 2 * MOST_ASKED {
                nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                nearest.truncate(MOST_ASKED);
                limit = nearest[MOST_ASKED - 1].0;
            }
        }
        nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let makes_private = |&&(_, place): &&(f64, usize)| {
            let other = self.classes[place].as_ref().expect("a partner is a class");
            let mut tally = class.tally.clone();
            tally.absorb(&other.tally);
            self.problem.goal().holds(&tally)
        };
        nearest.iter().take(MOST_ASKED).find(makes_private).or(nearest.first()).copied()
    }

    /// All records that are left are in one class, and it fails.
    fn unreachable(&self, class: &Class) -> Error {
        let goal = self.problem.goal();
        let whole = if self.suppressed.is_empty() {
            "one class of all records".to_owned()
        } else {
            let n_suppressed = self.problem.cohorts().n_records() - class.cluster.size;
            format!("the class that remains after suppressing {}", counted(n_suppressed, "record"))
        };
        let models = goal.models().iter().zip(goal.attained(&class.tally)).enumerate();
        let mut failing = models.filter_map(|(place, (model, attained))| {
            let fails = !model.holds(&goal.view(&class.tally, place));
            fails.then_some((model.as_ref(), attained))
        });
        let advice = [Advice::less(), Advice::AllowSuppression { records: None }];
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
