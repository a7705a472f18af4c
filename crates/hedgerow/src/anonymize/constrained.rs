//! Constrained k-anonymity: any method, where values may be generalized only so far.

use super::{Anonymizer, mended};
use crate::problem::{Compartment, Problem};
use crate::progress::Progress;
use crate::recoding::Recoding;
use crate::{Error, Result};

/// Runs a method in each compartment: the records whose values may become the same highest nodes.
///
/// All its values lie below those nodes, so what a method generalizes further is published as the
/// node itself. A compartment that is not private even as one class is suppressed as a whole; if more records
/// are in such compartments than may be suppressed, the limits cannot be met.
///
/// # References
///
/// \[Miller2008\], sections 3 and 4: compartments are the classes of the maximum allowed
/// microdata, those below `k` are what the paper calls OUT; METHODS 6.9. Deviation: the paper runs
/// k-member in each; here any method.
pub(super) fn solve(
    anonymizer: &dyn Anonymizer,
    problem: &Problem<'_>,
    progress: &dyn Progress,
) -> Result<Recoding> {
    let compartments = problem.compartments();
    let (inside, out): (Vec<_>, Vec<_>) =
        compartments.iter().partition(|part| is_private(problem, part));
    let n_records = |parts: &[&Compartment]| {
        parts.iter().map(|part| part.table.cohorts().n_records()).sum::<u64>()
    };
    let (n_inside, n_out) = (n_records(&inside), n_records(&out));
    let spare = problem.most_suppressed().checked_sub(n_out).ok_or_else(|| {
        Error::Unreachable(format!(
            "under the limits {n_out} records are in {} groups that are not private even as one class \
             each, and {} records may be suppressed; loosen the limits, or allow more with --suppress",
            out.len(),
            problem.most_suppressed()
        ))
    })?;
    let solve_part = |part: &&'_ Compartment| {
        let size = part.table.cohorts().n_records();
        let share = u128::from(spare) * u128::from(size) / u128::from(n_inside.max(1));
        let of_part = problem.part(&part.table, &part.cohorts, share as u64);
        let mut recoding = mended(anonymizer, &of_part, progress)?;
        recoding.lower(problem, &part.tops);
        Ok(recoding)
    };
    let decided: Vec<Recoding> = inside.iter().map(solve_part).collect::<Result<_>>()?;
    let parts = inside.iter().map(|part| part.cohorts.as_slice()).zip(decided).collect();
    let mut whole = Recoding::of_parts(problem, parts);
    whole.notes = vec![format!("limits divide the records into {} groups", compartments.len())];
    if n_out > 0 {
        let n_groups = out.len();
        whole.notes.push(format!(
            "groups that are too small and suppressed: {n_groups}, with {n_out} records"
        ));
    }
    Ok(whole)
}

fn is_private(problem: &Problem<'_>, part: &Compartment) -> bool {
    let goal = problem.goal();
    let mut tally = goal.tally();
    for (&cohort, &count) in part.cohorts.iter().zip(&part.table.cohorts().counts) {
        goal.add(&mut tally, cohort, count);
    }
    goal.holds(&tally)
}
