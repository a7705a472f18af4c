//! What full-domain methods share: one level for each attribute, the same for every record.

mod objective;
mod search;

pub(super) use objective::Objective;
pub(super) use search::{End, Found, Search};

use crate::Error;
use crate::error::Advice;
use crate::lattice::{self, Nodes};
use crate::noun::counted;
use crate::problem::{Problem, Region};
use crate::proposal::Proposal;

/// A lattice with more nodes than this is not searched.
const MOST_NODES: u64 = 10_000_000;

/// Losses closer than this are equal.
pub(super) const ROUNDING: f64 = 1e-12;

/// Why a problem has no lattice that can be searched, if it has none.
pub(super) fn obstacle(problem: &Problem) -> Option<Error> {
    lattice::obstacle(problem, Some(MOST_NODES))
}

/// Why a problem has no levels, if it has none.
pub(super) fn no_levels(problem: &Problem) -> Option<Error> {
    lattice::obstacle(problem, None)
}

/// Why a method cannot conclude from one node on those above it, if it cannot.
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
    let is_loose = |place: &usize| levels(place).is_some_and(|levels| !levels.is_nested);
    let loose = (0..problem.attributes().len()).find(is_loose)?;
    let column = problem.attributes()[loose].name();
    Some(Error::column(column, "its levels are not nested, and the method relies on that"))
}

/// How many records may fail: no more than may be suppressed, and never all.
pub(super) fn most_failing(problem: &Problem) -> u64 {
    problem.most_suppressed().min(problem.cohorts().n_records() - 1)
}

/// Publishes every record on the levels of a node; classes that are not private are suppressed.
pub(super) fn proposal(nodes: &Nodes<'_>, levels: &[u32]) -> Proposal {
    let at = nodes.ladders().iter().zip(levels);
    let published: Vec<Vec<Region>> = at
        .map(|(ladder, &level)| {
            ladder.rung(level).nodes.iter().copied().map(Region::Node).collect()
        })
        .collect();
    Proposal::global(nodes.problem(), &published)
}

/// A node as people read it: `sex 0/1, age 3/4`.
pub(super) fn written(nodes: &Nodes<'_>, levels: &[u32]) -> String {
    let at = nodes.ladders().iter().zip(levels);
    let at =
        at.map(|(ladder, level)| format!("{} {level}/{}", ladder.column, ladder.levels.len() - 1));
    at.collect::<Vec<_>>().join(", ")
}

/// No node suppresses few enough records; the least that one does is given.
pub(super) fn unreachable(problem: &Problem, least_failing: u64) -> Error {
    let (most, n_records) = (problem.most_suppressed(), problem.cohorts().n_records());
    let asked: Vec<&str> = problem.goal().models().iter().map(|model| model.name()).collect();
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
    let records = Some(least_failing);
    Error::unreachable(problem).advise([Advice::AllowSuppression { records }, Advice::less()])
}
