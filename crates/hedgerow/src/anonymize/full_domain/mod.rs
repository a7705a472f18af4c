//! Shared parts of full-domain methods, which use one level per attribute for all records.

mod objective;
mod search;

pub(super) use objective::Objective;
pub(super) use search::{End, Found, Search};

use crate::Error;
use crate::error::{Advice, Portion};
use crate::hierarchy::{Entry, Level};
use crate::lattice::{self, Nodes};
use crate::noun::counted;
use crate::problem::{Problem, Region};
use crate::proposal::Proposal;

/// Maximum number of nodes of a lattice that is searched.
const MOST_NODES: u64 = 10_000_000;

/// Losses that differ by less than this count as equal.
pub(super) const ROUNDING: f64 = 1e-12;

/// Returns why a problem has no lattice that can be searched, or `None`.
pub(super) fn obstacle(problem: &Problem) -> Option<Error> {
    lattice::obstacle(problem, Some(MOST_NODES))
}

/// Returns why a problem has no levels, or `None`.
pub(super) fn no_levels(problem: &Problem) -> Option<Error> {
    lattice::obstacle(problem, None)
}

/// Returns why a method cannot infer from one node that the nodes above it are private, or `None`.
pub(super) fn monotone_obstacle(problem: &Problem) -> Option<Error> {
    let not_monotone = problem.goal().not_monotone();
    if !not_monotone.is_empty() {
        return Some(Error::invalid(format!(
            "it relies on classes staying private when they grow, which {} does not guarantee",
            not_monotone.join(" and ")
        )));
    }
    if !problem.goal().prunes(problem.most_suppressed()) {
        let why = "it relies on every subset of a failing class failing too, which these models do not \
                   guarantee if records may be suppressed";
        return Some(Error::invalid(why).advise([Advice::ForbidSuppression]));
    }
    let levels = |place: &usize| problem.attributes()[*place].generalization().levels();
    // Levels are nested if every group of a level lies within one group of the next.
    let is_loose = |place: &usize| levels(place).is_some_and(|levels| !levels.is_nested);
    let loose = (0..problem.attributes().len()).find(is_loose)?;
    let column = problem.attributes()[loose].name();
    Some(Error::column(column, "its levels are not nested, and the method relies on that"))
}

/// Number of records that may fail: those that may be suppressed, but never all records.
pub(super) fn most_failing(problem: &Problem) -> u64 {
    problem.most_suppressed().min(problem.cohorts().n_records() - 1)
}

/// Publishes every record on the levels of a node; classes that are not private are suppressed.
pub(super) fn proposal(nodes: &Nodes<'_>, levels: &[Level]) -> Proposal {
    let attributes = nodes.problem().attributes();
    let at = nodes.ladders().iter().zip(attributes).zip(levels);
    let published: Vec<Vec<Region>> = at
        .map(|((ladder, attribute), &level)| {
            let region = |&entry: &Entry| Region::of_entry(attribute.generalization(), entry);
            ladder.rung(level).entries.iter().map(region).collect()
        })
        .collect();
    Proposal::of_leaves(nodes.problem(), &published)
}

/// Formats a node for people to read: `sex 0/1, age 3/4`.
pub(super) fn written(nodes: &Nodes<'_>, levels: &[Level]) -> String {
    let at = nodes.ladders().iter().zip(levels);
    let at =
        at.map(|(ladder, level)| format!("{} {level}/{}", ladder.column, ladder.levels.len() - 1));
    at.collect::<Vec<_>>().join(", ")
}

/// The error for a lattice in which every node has too many failing records; `least_failing` is the
/// least number of failing records on any node.
pub(super) fn unreachable(problem: &Problem, least_failing: u64) -> Error {
    let (most, n_records) = (problem.most_suppressed(), problem.cohorts().n_records());
    let asked: Vec<&str> = problem.goal().models().iter().map(|model| model.name()).collect();
    // Suppressing every record leaves no release, so allowing more suppression would not help.
    if least_failing >= n_records {
        let problem = format!(
            "no full-domain generalization was found with a class that meets {}, so all records would \
             be suppressed",
            asked.join(" and ")
        );
        return Error::unreachable(problem).advise([Advice::less()]);
    }
    let problem = format!(
        "no full-domain generalization was found that meets {}: the best suppresses {least_failing} of \
         {}, but only {most} may be suppressed",
        asked.join(" and "),
        counted(n_records, "record")
    );
    let least = Some(Portion { records: least_failing, of: n_records });
    Error::unreachable(problem).advise([Advice::AllowSuppression { least }, Advice::less()])
}
