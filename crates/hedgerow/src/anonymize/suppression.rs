//! Suppression as a last resort: compares solutions with suppression, without it, and by selection.

use super::mend::{mend, mended, proposed};
use super::{Anonymizer, selection};
use crate::loss::Choice;
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::table::Cohort;
use crate::{Error, Result};

/// Losses that differ by less than this count as equal.
const ROUNDING: f64 = 1e-12;

/// Runs a method on a problem in which records may be suppressed.
///
/// A result that suppresses nothing is final. Otherwise the method also runs without suppression,
/// and the result that loses less is taken, unless the method
/// [defines](Anonymizer::defines_suppression) what is suppressed. If both runs fail and one class
/// of all records is not private, a [selection](selection::remaining) of records is suppressed so
/// that the others are private as one class, and the method runs on those others.
///
/// # Complexity
///
/// One run of the method if nothing is suppressed, otherwise two; a third run if both fail.
///
/// # Guarantees
///
/// If all models are monotone and the method can always fall back to one class of all records, the
/// goal is refused only if [`selection::remaining`] finds no selection that meets it.
pub(super) fn solve(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Result<Proposal> {
    if problem.most_suppressed() == 0 {
        return mended(anonymizer, problem, progress);
    }
    let obstacle = super::obstacle(anonymizer, problem, progress.has_time_limit());
    let mut refusal = None;
    let mut raw = match &obstacle {
        None => reached(proposed(anonymizer, problem, progress), &mut refusal)?,
        Some(_) => None,
    };
    let is_enough =
        |found: &Proposal| found.n_suppressed() == 0 || anonymizer.defines_suppression();
    if let Some(found) = raw.take_if(|found| found.is_private(problem) && is_enough(found)) {
        return Ok(found);
    }
    let mut with = match &raw {
        Some(raw) if !raw.is_private(problem) => {
            reached(mend(problem, raw.clone(), progress), &mut refusal)?
        }
        raw => raw.clone(),
    };
    if let Some(found) = with.take_if(|found| is_enough(found)) {
        return Ok(found);
    }
    let strict = problem.strict();
    let without = match raw {
        // A method that defines suppression and fails with it also fails without it.
        None if obstacle.is_none() && anonymizer.defines_suppression() => None,
        // Only mending suppressed something, so only mending needs to be repeated.
        Some(raw) if raw.n_suppressed() == 0 => {
            reached(mend(&strict, raw, progress), &mut refusal)?
        }
        _ => reached(mended(anonymizer, &strict, progress), &mut refusal)?,
    };
    match (with, without) {
        (Some(with), Some(without)) => better(anonymizer.loss(), problem, with, without),
        (Some(found), None) | (None, Some(found)) => Ok(found),
        // Both failed: as a last resort, records are selected for suppression.
        (None, None) => match without_some(anonymizer, problem, progress) {
            Err(unreachable @ Error::Unreachable { .. }) => Err(refusal.unwrap_or(unreachable)),
            found => found,
        },
    }
}

/// Makes the classes of a proposal that suppresses nothing private, as [`solve`] does after a
/// search: with suppression if that loses less.
pub(super) fn settled(
    loss: Choice,
    problem: &Problem,
    raw: Proposal,
    progress: &dyn Progress,
) -> Result<Proposal> {
    let with = mend(problem, raw.clone(), progress);
    let is_final = match &with {
        Ok(found) => found.n_suppressed() == 0,
        Err(error) => !matches!(error, Error::Unreachable { .. }),
    };
    if is_final || problem.most_suppressed() == 0 {
        return with;
    }
    match (with, mend(&problem.strict(), raw, progress)) {
        (Ok(with), Ok(without)) => better(loss, problem, with, without),
        (Ok(found), Err(Error::Unreachable { .. })) | (Err(_), Ok(found)) => Ok(found),
        (_, Err(error)) => Err(error),
    }
}

/// Separates a goal that was not reached from other errors; the first such refusal is kept.
fn reached(result: Result<Proposal>, refusal: &mut Option<Error>) -> Result<Option<Proposal>> {
    match result {
        Ok(proposal) => Ok(Some(proposal)),
        Err(error @ Error::Unreachable { .. }) => {
            refusal.get_or_insert(error);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Returns the proposal that loses less; of equal losses the one with suppression, which was
/// allowed.
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

/// Selects records to suppress and runs the method on the others.
fn without_some(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Result<Proposal> {
    let remaining = selection::remaining(problem)
        .ok_or_else(|| Error::unreachable("no set of records was found whose suppression helps"))?;
    let table = problem.table().with(remaining.iter().copied());
    let cohorts: Vec<Cohort> = remaining.iter().map(|&(cohort, _)| cohort).collect();
    // The selection is final, so the method may not suppress more.
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
