//! People with several records, for methods that form classes by size.

use hashbrown::HashMap;

use crate::Result;
use crate::problem::Problem;
use crate::proposal::{Proposal, Take};
use crate::table::{Code, Cohort};

/// Runs a method that forms classes by size so that it counts people rather than their records.
///
/// Records of a person with the same quasi-identifiers gain nothing from being in different
/// classes. The method is given one record for all of them, which the others follow. A person with
/// several different records still counts once for each of them; mending takes care of classes that
/// have too few people.
///
/// # Complexity
///
/// One pass over the cohorts, besides that of the method.
pub(super) fn one_by_one(
    problem: &Problem,
    propose: impl FnOnce(&Problem) -> Result<Proposal>,
) -> Result<Proposal> {
    let Some(people) = problem.table().people() else { return propose(problem) };
    let cohorts = problem.cohorts();
    let n_quasi = problem.attributes().len();
    let mut leaders: Vec<Cohort> = Vec::new();
    let mut known: HashMap<(&[Code], Code), usize> = HashMap::new();
    let mut leader_of: Vec<usize> = Vec::with_capacity(cohorts.len());
    for (cohort, &person) in cohorts.all().zip(&people) {
        let key = (&cohorts.tuple(cohort)[..n_quasi], person);
        let leader = *known.entry(key).or_insert_with(|| {
            leaders.push(cohort);
            leaders.len() - 1
        });
        leader_of.push(leader);
    }
    // Each leader counts one record, however many the person has.
    let table = problem.table().with(leaders.iter().map(|&leader| (leader, 1)));
    let part = problem.part(&table, &leaders, problem.most_suppressed());
    let found = propose(&part)?;
    let mut class_of = vec![None; leaders.len()];
    for take in found.takes() {
        class_of[take.cohort.index()] = take.class;
    }
    // All records of a person with these values follow their leader.
    let takes = cohorts.counted().zip(&leader_of).map(|((cohort, count), &leader)| Take {
        cohort,
        class: class_of[leader],
        count,
    });
    let mut proposal = Proposal::new(problem, found.n_classes(), takes.collect())?;
    (proposal.notes, proposal.early) = (found.notes, found.early);
    Ok(proposal)
}
