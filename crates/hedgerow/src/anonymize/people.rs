//! People with several records, for methods that form classes by size.

use hashbrown::HashMap;

use crate::Result;
use crate::problem::Problem;
use crate::proposal::{Proposal, Take};
use crate::table::{Code, Cohort};

/// One record for each person and tuple of quasi-identifiers, which the person's other records
/// with these values follow.
pub(super) struct Leaders {
    /// The problem with the leaders as its only records.
    problem: Problem,
    /// For each cohort, the number of its leader.
    leader_of: Vec<usize>,
}

impl Leaders {
    /// Finds the leaders; `None` if every record is a person.
    pub(super) fn of(problem: &Problem) -> Option<Self> {
        let people = problem.table().people()?;
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
        let problem = problem.part(&table, &leaders, problem.most_suppressed());
        Some(Self { problem, leader_of })
    }

    /// The problem with the leaders as its only records.
    pub(super) fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The proposal for all records of a problem, given that for their leaders.
    pub(super) fn followed(&self, problem: &Problem, found: Proposal) -> Result<Proposal> {
        let mut class_of = vec![None; self.problem.cohorts().len()];
        for take in found.takes() {
            class_of[take.cohort.index()] = take.class;
        }
        let cohorts = problem.cohorts().counted().zip(&self.leader_of);
        let takes = cohorts.map(|((cohort, count), &leader)| Take {
            cohort,
            class: class_of[leader],
            count,
        });
        let mut proposal = Proposal::new(problem, found.n_classes(), takes.collect())?;
        (proposal.notes, proposal.early) = (found.notes, found.early);
        Ok(proposal)
    }
}

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
    match Leaders::of(problem) {
        None => propose(problem),
        Some(leaders) => leaders.followed(problem, propose(leaders.problem())?),
    }
}
