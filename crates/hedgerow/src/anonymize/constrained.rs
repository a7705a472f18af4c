//! Constrained k-anonymity: any method, where values may be generalized only so far.

use super::{Anonymizer, mended};
use crate::noun::counted;
use crate::problem::{Compartment, Problem};
use crate::progress::Progress;
use crate::recoding::Recoding;
use crate::{Error, Result};

/// Runs a method in each compartment: the records whose values may become the same highest nodes.
///
/// All its values lie below those nodes, so what a method generalizes further is published as the
/// node itself. A compartment that cannot be made private is suppressed as a whole. What else may be
/// suppressed is shared by the others; if that was too much, those that were not made private are
/// taken out first, and the rest share anew.
///
/// # Complexity
///
/// One pass over the cohorts to divide them, and what the method takes in each compartment, at most
/// once for each compartment that is not made private.
///
/// # Guarantees
///
/// No value is published above its limit, every class is private, and no more records are suppressed
/// than may be. Not optimal, even if the method is: compartments share what may be suppressed by
/// their sizes. Deterministic where the method is; compartments come in the order of their first
/// cohorts.
///
/// # References
///
/// \[Miller2008\], as read in METHODS 6.9: compartments are the classes of the maximum allowed
/// microdata, those below `k` are what the paper calls OUT. Deviation: the paper runs k-member in
/// each; here any method.
pub(super) fn solve(
    anonymizer: &dyn Anonymizer,
    problem: &Problem<'_>,
    progress: &dyn Progress,
) -> Result<Recoding> {
    let compartments = problem.compartments();
    let most = problem.most_suppressed();
    let mut is_out: Vec<bool> =
        compartments.iter().map(|part| is_hopeless(problem, part)).collect();
    let (mut whole, n_out, n_records_out) = loop {
        let n_out_before = is_out.iter().filter(|is_out| **is_out).count();
        let decided = decide(anonymizer, problem, (&compartments, &mut is_out), progress)?;
        let whole = Recoding::of_parts(problem, decided);
        let out = || compartments.iter().zip(&is_out).filter(|(_, is_out)| **is_out);
        let n_records_out: u64 = out().map(|(part, _)| size(part)).sum();
        let n_out = out().count();
        if whole.n_suppressed() <= most {
            break (whole, n_out, n_records_out);
        }
        if n_out == n_out_before || n_records_out > most {
            return Err(Error::Unreachable(format!(
                "the limits divide the records into {}, of which {n_out} with {} were not made private; \
                 {} would be suppressed, and {most} may be; loosen the limits, or allow more with --suppress",
                counted(compartments.len(), "group"),
                counted(n_records_out, "record"),
                counted(whole.n_suppressed(), "record")
            )));
        }
    };
    whole.notes =
        vec![format!("limits divide the records into {}", counted(compartments.len(), "group"))];
    if n_out > 0 {
        whole.notes.push(format!(
            "groups that were not made private and are suppressed: {n_out}, with {}",
            counted(n_records_out, "record")
        ));
    }
    Ok(whole)
}

fn size(part: &Compartment) -> u64 {
    part.table.cohorts().n_records()
}

/// Runs a method in each compartment that is not out; those that it does not make private are out
/// then.
fn decide<'a>(
    anonymizer: &dyn Anonymizer,
    problem: &Problem<'_>,
    (compartments, is_out): (&'a [Compartment], &mut [bool]),
    progress: &dyn Progress,
) -> Result<Vec<(&'a [u32], Recoding)>> {
    let out = compartments.iter().zip(is_out.iter()).filter(|(_, is_out)| **is_out);
    let n_records_out: u64 = out.map(|(part, _)| size(part)).sum();
    let spare = problem.most_suppressed().saturating_sub(n_records_out);
    let n_others = (problem.cohorts().n_records() - n_records_out).max(1);
    let mut decided = Vec::new();
    for (part, is_out) in compartments.iter().zip(is_out).filter(|(_, is_out)| !**is_out) {
        let share = u128::from(spare) * u128::from(size(part)) / u128::from(n_others);
        let of_part = problem.part(&part.table, &part.cohorts, share as u64);
        match mended(anonymizer, &of_part, progress) {
            Ok(mut recoding) => {
                recoding.lower(problem, &part.tops);
                decided.push((part.cohorts.as_slice(), recoding));
            }
            Err(Error::Unreachable(_)) => *is_out = true,
            Err(error) => return Err(error),
        }
    }
    Ok(decided)
}

/// Whether no class of a compartment can be private: it is too small, or fails a model as a whole
/// that fails in some part of whatever fails.
fn is_hopeless(problem: &Problem<'_>, part: &Compartment) -> bool {
    let goal = problem.goal();
    let mut tally = goal.tally();
    for (&cohort, &count) in part.cohorts.iter().zip(&part.table.cohorts().counts) {
        goal.add(&mut tally, cohort, count);
    }
    let mut models = goal.models().iter().enumerate();
    tally.size() < goal.least_size()
        || models
            .any(|(place, model)| model.fails_in_parts() && !model.holds(&goal.view(&tally, place)))
}
