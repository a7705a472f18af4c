//! Constrained k-anonymity: any method, where values may be generalized only so far.

use std::collections::BTreeMap;

use super::selection;
use crate::error::Advice;
use crate::noun::counted;
use crate::privacy::Number;
use crate::problem::{Compartment, Problem};
use crate::proposal::{Early, Proposal};
use crate::{Error, Result};

/// Runs a method in each compartment: the records whose values may become the same highest nodes.
///
/// All its values lie below those nodes, so what a method generalizes further is published as the
/// node itself. A compartment that cannot be made private is suppressed as a whole. Of what else may be
/// suppressed, each of the others gets what it needs, as far as that is known, and they share the rest;
/// if that was too much, those that were not made private are taken out first, and the rest share anew.
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
        if n_out == n_out_before || n_records_out > most {
            let n_suppressed = whole.n_suppressed();
            let problem = format!(
                "the limits divide the records into {}, of which {n_out} with {} cannot be made private; \
                 {} would be suppressed, but only {most} may be",
                counted(compartments.len(), "group"),
                counted(n_records_out, "record"),
                counted(n_suppressed, "record")
            );
            let records = Some(n_suppressed);
            return Err(Error::unreachable(problem)
                .advise([Advice::LoosenLimits, Advice::AllowSuppression { records }]));
        }
    };
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

/// In how many compartments the search was not sure of its result, and how far off it may be at most;
/// one line for each reason.
fn cut_short(decided: &[(&[u32], Proposal)]) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for Early { why, gap } in decided.iter().filter_map(|(_, part)| part.early) {
        by_reason.entry(why).or_default().push(gap);
    }
    let told = |(why, gaps): (&str, Vec<Option<f64>>)| {
        let (n_early, groups) = (gaps.len(), counted(decided.len(), "group"));
        let gaps: Option<Vec<f64>> = gaps.into_iter().collect();
        let gap = match gaps.and_then(|gaps| gaps.into_iter().reduce(f64::max)) {
            Some(largest) => format!("largest gap {}", Number(largest)),
            None => "the gap to the best possible loss is not known".to_owned(),
        };
        format!("in {n_early} of {groups} {why}; {gap}")
    };
    by_reason.into_iter().map(told).collect()
}

fn size(part: &Compartment) -> u64 {
    part.table.cohorts().n_records()
}

/// Compartments, and how many records of each must be suppressed at least, as far as that is known.
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

    /// Solves each compartment that is not out; those that are not made private are out then.
    fn decide(
        &self,
        is_out: &mut [bool],
        solve: impl Fn(&Problem) -> Result<Proposal>,
    ) -> Result<Vec<(&'a [u32], Proposal)>> {
        let Self { problem, compartments, needed } = self;
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

/// Whether no class of a compartment can be private: it is too small, or fails a model as a whole
/// that fails in some part of whatever fails.
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
