//! Suppression as the last resort: what a method finds with it, without it, and at last.

use super::mend::{mend, mended, proposed};
use super::{Anonymizer, selection};
use crate::loss::Choice;
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::table::Cohort;
use crate::{Error, Result};

/// Losses closer than this are equal.
const ROUNDING: f64 = 1e-12;

/// Runs a method on a problem in which records may be suppressed.
///
/// What suppresses nothing is taken as it is. Otherwise the method also runs without suppression, and
/// what loses less is taken, unless the method [defines](Anonymizer::defines_suppression) what is
/// suppressed. If it finds nothing either way, and all records in one class are not private, records
/// are [chosen](selection::remaining) without which the others are, and the method runs on these.
///
/// # Complexity
///
/// One run of the method where nothing is suppressed, else two; where both find nothing, a third.
///
/// # Guarantees
///
/// Where all models are monotone and the method finds one class of all records, it refuses no goal
/// that a selection of records could meet, as far as [`selection::remaining`] finds it.
pub(super) fn solve(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Result<Proposal> {
    if problem.most_suppressed() == 0 {
        return mended(anonymizer, problem, progress);
    }
    let obstacle = anonymizer.obstacle(problem);
    let raw = match &obstacle {
        None => reached(proposed(anonymizer, problem, progress))?,
        Some(obstacle) => Err(obstacle.clone()),
    };
    let is_enough =
        |found: &Proposal| found.n_suppressed() == 0 || anonymizer.defines_suppression();
    let with = match &raw {
        Ok(raw) if !raw.is_private(problem) => reached(mend(problem, raw.clone(), progress))?,
        Ok(found) if is_enough(found) => return raw.map_err(Error::Unreachable),
        raw => raw.clone(),
    };
    if with.as_ref().is_ok_and(is_enough) {
        return with.map_err(Error::Unreachable);
    }
    let strict = problem.strict();
    let without = match raw {
        // What a definition with suppression refuses, it refuses without.
        Err(message) if obstacle.is_none() && anonymizer.defines_suppression() => Err(message),
        // Only mending suppressed something, so only mending has to be done again.
        Ok(raw) if raw.n_suppressed() == 0 => reached(mend(&strict, raw, progress))?,
        _ => reached(mended(anonymizer, &strict, progress))?,
    };
    match (with, without) {
        (Ok(with), Ok(without)) => better(anonymizer.loss(), problem, with, without),
        (Ok(found), Err(_)) | (Err(_), Ok(found)) => Ok(found),
        (Err(with), Err(without)) => match without_some(anonymizer, problem, progress) {
            Err(Error::Unreachable(_)) => {
                Err(Error::Unreachable(if obstacle.is_none() { with } else { without }))
            }
            found => found,
        },
    }
}

/// Keeps the message of a goal that was not reached apart from other errors.
fn reached(result: Result<Proposal>) -> Result<Result<Proposal, String>> {
    match result {
        Ok(proposal) => Ok(Ok(proposal)),
        Err(Error::Unreachable(message)) => Ok(Err(message)),
        Err(error) => Err(error),
    }
}

/// Of two proposals the one that loses less; if equal, the one with suppression, as it was asked for.
fn better(
    loss: Choice,
    problem: &Problem,
    with: Proposal,
    mut without: Proposal,
) -> Result<Proposal> {
    let of_with = loss.published_penalty(problem, &with)?;
    let of_without = loss.published_penalty(problem, &without)?;
    if of_without >= of_with - ROUNDING {
        return Ok(with);
    }
    without.notes.push(format!(
        "{} suppressed would lose more: {loss} {} instead of {}",
        counted(with.n_suppressed(), "record"),
        loss.written_penalty(of_with),
        loss.written_penalty(of_without)
    ));
    Ok(without)
}

/// Runs a method on the records that remain when others are chosen to be suppressed.
fn without_some(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Result<Proposal> {
    let remaining = selection::remaining(problem)
        .ok_or_else(|| Error::Unreachable("no records to suppress were found".into()))?;
    let table = problem.table().with(remaining.iter().copied());
    let cohorts: Vec<Cohort> = remaining.iter().map(|&(cohort, _)| cohort).collect();
    let part = problem.part(&table, &cohorts, 0);
    let found = mended(anonymizer, &part, progress)?;
    let (trace, early) = (found.trace.clone(), found.early);
    let mut proposal = Proposal::of_parts(problem, vec![(&cohorts, found)]);
    (proposal.trace, proposal.early) = (trace, early);
    proposal.notes.push(format!(
        "{} suppressed so that the others together meet the goal",
        counted(proposal.n_suppressed(), "record")
    ));
    Ok(proposal)
}
