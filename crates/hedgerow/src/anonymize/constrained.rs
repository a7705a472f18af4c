//! Constrained k-anonymity: runs any method while respecting upper limits on generalization.

use std::collections::BTreeMap;

use super::selection;
use crate::error::{Advice, Portion};
use crate::noun::counted;
use crate::privacy::Number;
use crate::problem::{Compartment, Problem};
use crate::proposal::{Early, Proposal};
use crate::table::Cohort;
use crate::{Error, Result};

/// Runs a method in each compartment: the records whose values share the same highest allowed
/// nodes.
///
/// All values of a compartment lie below those nodes, so a value that the method generalizes
/// further is published as the node itself. A compartment that cannot be made private is suppressed
/// as a whole. Every other compartment may suppress its estimated need, plus a share of the
/// remaining budget. If the total exceeds the limit, the compartments that could not be made
/// private are excluded and the budget is divided again among the rest.
///
/// # Complexity
///
/// One pass over the cohorts to divide them, plus one run of the method in each compartment,
/// repeated at most once for each compartment that cannot be made private.
///
/// # Guarantees
///
/// No value is published above its limit, every class is private, and no more records are
/// suppressed than the limit allows. Not optimal, even if the method is, because the suppression
/// budget is shared in proportion to the sizes of the compartments. Deterministic if the method is;
/// compartments are processed in the order of their first cohorts.
///
/// # References
///
/// \[Miller2008\], as read in METHODS 6.9: compartments are the classes of the maximum allowed
/// microdata, and those smaller than `k` are called OUT in the paper. Deviation: the paper runs
/// k-member in each compartment; here any method can run.
pub(super) fn solve(
    problem: &Problem,
    solve_part: impl Fn(&Problem) -> Result<Proposal>,
) -> Result<Proposal> {
    let compartments = problem.compartments();
    let most = problem.most_suppressed();
    let mut is_out: Vec<bool> =
        compartments.iter().map(|part| is_hopeless(problem, part)).collect();
    let parts = Parts::of(problem, &compartments);
    let (mut whole, n_out, n_records_out, cut_short) = loop {
        let n_out_before = is_out.iter().filter(|is_out| **is_out).count();
        let decided = parts.decide(&mut is_out, &solve_part)?;
        let cut_short = cut_short(&decided);
        let whole = Proposal::of_parts(problem, decided);
        let out = || compartments.iter().zip(&is_out).filter(|(_, is_out)| **is_out);
        let n_records_out: u64 = out().map(|(part, _)| size(part)).sum();
        let n_out = out().count();
        if whole.n_suppressed() <= most {
            break (whole, n_out, n_records_out, cut_short);
        }
        // Another round can help only if this one excluded a compartment, and if the excluded
        // records alone fit into the limit.
        if n_out == n_out_before || n_records_out > most {
            let n_suppressed = whole.n_suppressed();
            let least = Portion { records: n_suppressed, of: problem.cohorts().n_records() };
            let problem = format!(
                "the limits divide the records into {}, of which {n_out} with {} cannot be made private; \
                 {} would be suppressed, but only {most} may be",
                counted(compartments.len(), "group"),
                counted(n_records_out, "record"),
                counted(n_suppressed, "record")
            );
            return Err(Error::unreachable(problem)
                .advise([Advice::LoosenLimits, Advice::AllowSuppression { least: Some(least) }]));
        }
    };
    // Classes of different compartments can publish the same text, so they must also meet the goal
    // together.
    if !whole.is_private(problem) {
        let problem = "the privacy models hold for each class, but not for classes that have the same \
                       text although limits keep them apart";
        return Err(Error::unreachable(problem).advise([Advice::LoosenLimits]));
    }
    whole.notes =
        vec![format!("limits divide the records into {}", counted(compartments.len(), "group"))];
    if n_out > 0 {
        whole.notes.push(format!(
            "groups that could not be made private and were suppressed: {n_out}, with {}",
            counted(n_records_out, "record")
        ));
    }
    whole.notes.extend(cut_short);
    Ok(whole)
}

/// Notes on the compartments whose search stopped before its result was proved, with the largest
/// gap; one line for each reason.
fn cut_short(decided: &[(&[Cohort], Proposal)]) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for Early { why, gap } in decided.iter().filter_map(|(_, part)| part.early) {
        by_reason.entry(why).or_default().push(gap);
    }
    let groups = counted(decided.len(), "group");
    by_reason
        .into_iter()
        .map(|(why, gaps)| format!("in {} of {groups} {why}; {}", gaps.len(), largest_gap(&gaps)))
        .collect()
}

/// The largest gap in words. It is known only if every gap is.
fn largest_gap(gaps: &[Option<f64>]) -> String {
    let known: Option<Vec<f64>> = gaps.iter().copied().collect();
    match known.and_then(|gaps| gaps.into_iter().reduce(f64::max)) {
        Some(largest) => format!("largest gap {}", Number(largest)),
        None => "the gap to the best possible loss is not known".to_owned(),
    }
}

fn size(part: &Compartment) -> u64 {
    part.table.cohorts().n_records()
}

/// The compartments, and an estimate of the number of records of each that must be suppressed.
struct Parts<'a> {
    problem: &'a Problem,
    compartments: &'a [Compartment],
    needed: Vec<u64>,
}

impl<'a> Parts<'a> {
    fn of(problem: &'a Problem, compartments: &'a [Compartment]) -> Self {
        let most = problem.most_suppressed();
        let n_needed = |part: &Compartment| {
            selection::n_needed(&problem.part(&part.table, &part.cohorts, most))
        };
        Self { problem, compartments, needed: compartments.iter().map(n_needed).collect() }
    }

    /// Solves every compartment that is not excluded, and excludes those that cannot be made
    /// private.
    fn decide(
        &self,
        is_out: &mut [bool],
        solve: impl Fn(&Problem) -> Result<Proposal>,
    ) -> Result<Vec<(&'a [Cohort], Proposal)>> {
        let Self { problem, compartments, needed } = self;
        // Excluded records and estimated needs come first; the rest is shared by size.
        let out = compartments.iter().zip(is_out.iter()).filter(|(_, is_out)| **is_out);
        let n_records_out: u64 = out.map(|(part, _)| size(part)).sum();
        let others = needed.iter().zip(is_out.iter()).filter(|(_, is_out)| !**is_out);
        let n_bound = n_records_out + others.map(|(needed, _)| *needed).sum::<u64>();
        let spare = problem.most_suppressed().saturating_sub(n_bound);
        let n_others = (problem.cohorts().n_records() - n_records_out).max(1);
        let mut decided = Vec::new();
        for (place, part) in compartments.iter().enumerate() {
            if is_out[place] {
                continue;
            }
            let share = u128::from(spare) * u128::from(size(part)) / u128::from(n_others);
            let most = needed[place] + share as u64;
            match solve(&problem.part(&part.table, &part.cohorts, most)) {
                Ok(mut proposal) => {
                    // The method may have gone above the limits, but all records of the part are
                    // below them.
                    proposal.lower(problem, &part.tops);
                    decided.push((part.cohorts.as_slice(), proposal));
                }
                Err(Error::Unreachable { .. }) => is_out[place] = true,
                Err(error) => return Err(error),
            }
        }
        Ok(decided)
    }
}

/// Whether no class of a compartment can be private: it has too few records, or as a whole it fails
/// a model for which every subset of a failing class also fails.
fn is_hopeless(problem: &Problem, part: &Compartment) -> bool {
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
