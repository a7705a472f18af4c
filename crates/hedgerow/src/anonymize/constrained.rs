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
/// node itself. A compartment that cannot be made private is suppressed as a whole; if that are more
/// records than may be suppressed, the limits cannot be met.
///
/// # Complexity
///
/// One pass over the cohorts to divide them, and what the method takes in each compartment.
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
    let size = |part: &Compartment| part.table.cohorts().n_records();
    let n_hopeless: u64 =
        compartments.iter().filter(|part| is_hopeless(problem, part)).map(size).sum();
    let spare = problem.most_suppressed().saturating_sub(n_hopeless);
    let n_others = (problem.cohorts().n_records() - n_hopeless).max(1);
    let mut decided: Vec<(&[u32], Recoding)> = Vec::new();
    let (mut n_out, mut n_records_out) = (0, 0);
    for part in &compartments {
        let share = u128::from(spare) * u128::from(size(part)) / u128::from(n_others);
        let of_part = problem.part(&part.table, &part.cohorts, share as u64);
        let found = (!is_hopeless(problem, part)).then(|| mended(anonymizer, &of_part, progress));
        match found.transpose() {
            Ok(Some(mut recoding)) => {
                recoding.lower(problem, &part.tops);
                decided.push((&part.cohorts, recoding));
            }
            Ok(None) | Err(Error::Unreachable(_)) => {
                n_out += 1;
                n_records_out += size(part);
            }
            Err(error) => return Err(error),
        }
    }
    let mut whole = Recoding::of_parts(problem, decided);
    let (n_suppressed, most) = (whole.n_suppressed(), problem.most_suppressed());
    if n_suppressed > most {
        return Err(Error::Unreachable(format!(
            "the limits divide the records into {}, of which {n_out} with {} cannot be made private; {} \
             would be suppressed, and {most} may be; loosen the limits, or allow more with --suppress",
            counted(compartments.len(), "group"),
            counted(n_records_out, "record"),
            counted(n_suppressed, "record")
        )));
    }
    whole.notes =
        vec![format!("limits divide the records into {}", counted(compartments.len(), "group"))];
    if n_out > 0 {
        whole.notes.push(format!(
            "groups that cannot be made private and are suppressed: {n_out}, with {}",
            counted(n_records_out, "record")
        ));
    }
    Ok(whole)
}

/// Whether no class of a compartment can be private: it is too small, or fails a monotone model as
/// a whole.
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
