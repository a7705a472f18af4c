//! Shared parts of full-domain methods, which use one level per attribute for all records.

mod cells;
mod objective;
mod frontier;
mod search;
mod wide;

pub(super) use objective::{Objective, is_additive};
pub(super) use search::{Aim, End, Found, Search};
pub(super) use wide::Wide;

use crate::Error;
use crate::error::{Advice, Portion};
use crate::hierarchy::{Entry, Level};
use crate::lattice::{self, Nodes};
use crate::noun::counted;
use crate::problem::{Attribute, Problem, Region};
use crate::proposal::{Class, Proposal, Take};
use crate::table::Cohort;

/// Maximum number of nodes of a lattice that is searched.
const MOST_NODES: u64 = 10_000_000;

/// Losses that differ by less than this count as equal.
pub(super) const ROUNDING: f64 = 1e-12;

/// Returns the reason that a problem has no lattice that can be searched, or `None`.
pub(super) fn obstacle(problem: &Problem) -> Option<Error> {
    lattice::obstacle(problem, Some(MOST_NODES))
}

/// Whether the lattice of a problem has too many nodes to list.
pub(super) fn is_wide(problem: &Problem) -> bool {
    lattice::n_nodes(problem.attributes()).is_none_or(|n_nodes| n_nodes > MOST_NODES)
}

/// Returns the reason that a problem has no levels, or `None`.
pub(super) fn no_levels(problem: &Problem) -> Option<Error> {
    lattice::obstacle(problem, None)
}

/// Returns the reason that a method cannot infer from one node that the nodes above it are private,
/// or `None`.
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

/// Publishes every record on the levels of a node of all records; classes that are not private are
/// suppressed.
pub(super) fn proposal(nodes: &mut Nodes<'_>, levels: &[Level]) -> Proposal {
    let problem = nodes.problem();
    let attributes = problem.attributes();
    let at = nodes.ladders().iter().zip(attributes).zip(levels);
    let of_leaf = at.map(|((ladder, attribute), &level)| {
        let region = |&entry: &Entry| Region::of_entry(attribute.generalization(), entry);
        ladder.rung(level).entries.iter().map(region).collect()
    });
    let published: Vec<Vec<Region>> = of_leaf.collect();
    // Rare values that are hidden can merge classes of a node.
    let is_hidden = |(attribute, regions): (&Attribute, &Vec<Region>)| {
        attribute.hides_rare()
            && regions.iter().any(|region| attribute.without_rare(region.clone()) != *region)
    };
    if attributes.iter().zip(&published).any(is_hidden) {
        return Proposal::of_leaves(problem, &published);
    }
    let (class_of, n_classes) = nodes.assign(levels);
    // Classes are numbered in the order of their first cohorts.
    let mut numbers: Vec<Option<Class>> = vec![None; n_classes as usize];
    let mut order: Vec<usize> = Vec::with_capacity(numbers.len());
    let take = |((cohort, count), class): ((Cohort, u64), Option<u32>)| {
        let class = class.map(|class| {
            *numbers[class as usize].get_or_insert_with(|| {
                order.push(class as usize);
                Class::new(order.len() - 1)
            })
        });
        Take { cohort, class, count }
    };
    let takes: Vec<Take> = problem.cohorts().counted().zip(class_of).map(take).collect();
    let (regions, number_of): (Vec<_>, Vec<_>) = published.into_iter().map(distinct).unzip();
    let leaves: Vec<usize> = nodes.leaves_of_classes().flatten().collect();
    let width = attributes.len();
    let shape = |&class: &usize| {
        let leaves = &leaves[class * width..][..width];
        leaves.iter().zip(&number_of).map(|(&leaf, numbers): (_, &Vec<u32>)| numbers[leaf])
    };
    Proposal::of_shapes(regions, order.iter().flat_map(shape).collect(), takes)
}

/// The distinct regions of leaves, and the number of the region of each leaf. Leaves of one region
/// are adjacent.
fn distinct(of_leaf: Vec<Region>) -> (Vec<Region>, Vec<u32>) {
    let mut regions: Vec<Region> = Vec::new();
    let mut numbers = Vec::with_capacity(of_leaf.len());
    for region in of_leaf {
        if regions.last() != Some(&region) {
            regions.push(region);
        }
        numbers.push(regions.len() as u32 - 1);
    }
    (regions, numbers)
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
