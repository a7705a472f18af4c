//! A combination of a method and hierarchies, and the combinations that are worth a trial.

use super::column::{Built, Open};
use super::cost::{Size, draft};
use crate::anonymize::from_spec;
use crate::hierarchy::Generalization;
use crate::method::{Need, Spec};

/// A method with one hierarchy for every column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arm {
    pub(super) method: Spec,
    /// The position of each column's hierarchy among its candidates.
    pub(super) picks: Vec<usize>,
}

/// Returns the hierarchies of all columns, for each combination that a method accepts: the first
/// candidate of each column, then, for every other method of hierarchies, that one wherever it is a
/// candidate.
pub(super) fn combinations(columns: &[Open], method: &Spec) -> Vec<Vec<usize>> {
    let needs_levels = needs_levels(method);
    let suits = |built: &Built| !needs_levels || built.has_levels();
    let first: Vec<usize> =
        columns.iter().map(|open| open.built.iter().position(suits).unwrap_or(0)).collect();
    // In the order of first occurrence, so that ties between combinations are stable.
    let mut names: Vec<&str> = Vec::new();
    for built in columns.iter().flat_map(|open| open.built.iter().filter(|built| suits(built))) {
        if !names.contains(&built.spec.name.as_str()) {
            names.push(&built.spec.name);
        }
    }
    let with = |name: &&str| -> Vec<usize> {
        let picks = columns.iter().zip(&first);
        picks.map(|(open, &usual)| open.position(name).unwrap_or(usual)).collect()
    };
    let mut all = vec![first.clone()];
    for picks in names.iter().map(with) {
        if !all.contains(&picks) {
            all.push(picks);
        }
    }
    all
}

pub(super) fn needs_levels(method: &Spec) -> bool {
    from_spec(method).is_ok_and(|method| method.needs(Need::Levels))
}

pub(super) fn picked(columns: &[Open], picks: &[usize]) -> Vec<Generalization> {
    let built = columns.iter().zip(picks).map(|(open, &pick)| &open.built[pick]);
    built.map(|built| built.generalization.clone()).collect()
}

/// All changes of the first combination that help, at once; the best change of a column wins.
pub(super) fn union(better: &[Arm], first: &Arm) -> Option<Arm> {
    let of_first: Vec<&Arm> = better.iter().filter(|other| other.method == first.method).collect();
    let mut union = first.clone();
    // `better` has the best first, so going backwards lets the best change be the last to be set.
    for arm in of_first.iter().rev() {
        let changes = arm.picks.iter().zip(&first.picks).enumerate();
        for (place, (&pick, _)) in changes.filter(|(_, (pick, usual))| pick != usual) {
            union.picks[place] = pick;
        }
    }
    // The union of one change is that change, which was already tried.
    (of_first.len() > 1 && !better.contains(&union)).then_some(union)
}

/// The work of a draft of each combination, in relation to a search with the first.
pub(super) fn work(arms: &[Arm]) -> f64 {
    arms.iter().map(|arm| Size::weight(&draft(&arm.method), &arms[0].method)).sum()
}
