//! The distance of the result of a search from the optimum.

use super::Study;
use crate::anonymize::{self, Anonymizer, Optimal, Solved};
use crate::certificate::{Certificate, Certified, Proof};
use crate::loss::{Choice, Loss, Ntil, Partition};
use crate::method::Scope;
use crate::problem::{Attribute, Problem};
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::{Error, Result};

/// Least number of nodes that the search for a bound of full-domain generalizations may count.
const LEAST_NODES: u64 = 100;

impl Study {
    /// Proves how near the loss of a result is to what every release with the same hierarchies and
    /// requirements must lose. The result of a full-domain method is compared with the optimal
    /// full-domain generalization, if that or a bound of it can be found.
    ///
    /// # Errors
    ///
    /// Those of [`Certificate::of`].
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::prelude::*;
    /// use hedgerow::study::{Demands, Study};
    /// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
    /// let study = Study::new(&table, Demands { k: 2, ..Demands::default() }, None, &Silent)?;
    /// let solved = study.search(&"hedge".parse()?, None, &Silent)?;
    /// let certified = study.certify(&solved, &Silent)?;
    /// assert!(certified.ratio.unwrap() < 1.000_001);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn certify(&self, solved: &Solved, progress: &dyn Progress) -> Result<Certified> {
        let problem = self.problem();
        let loss = loss(problem, &solved.recoding);
        if let Some(bound) = least_of_levels(problem, solved, progress)? {
            return Certified::new(loss, bound, Proof::Lattice, None);
        }
        Certificate::of(problem, Certificate::EFFORT, progress)?.certifies(loss)
    }
}

fn loss(problem: &Problem, recoding: &Proposal) -> f64 {
    // Every problem has this loss; it never lacks anything it needs.
    Ntil.of(&Partition::of(problem, recoding)).unwrap_or(1.0)
}

/// A loss that no full-domain generalization is below, for the result of a full-domain method.
/// `None` if none is known.
fn least_of_levels(
    problem: &Problem,
    solved: &Solved,
    progress: &dyn Progress,
) -> Result<Option<f64>> {
    let of_method = anonymize::recoding(&solved.method.name);
    // Limits of generalization are met part by part, so that the levels can differ. Groups that
    // hide rare values can be larger than those of their level, and levels have no class from which
    // only some records are suppressed.
    if of_method != Some(Scope::FullDomain)
        || solved.recoding.scope() != Scope::FullDomain
        || problem.is_capped()
        || problem.attributes().iter().any(Attribute::hides_rare)
        || solved.recoding.is_class_divided(problem)
    {
        return Ok(None);
    }
    let method = anonymize::from_spec(&solved.method)?;
    let is_optimal = solved.method.name == "optimal" && method.loss() == Choice::default();
    if is_optimal && solved.recoding.early.is_none() {
        return Ok(Some(loss(problem, &solved.recoding)));
    }
    let budget = (Certificate::EFFORT / problem.cohorts().len().max(1) as u64).max(LEAST_NODES);
    let optimal = Optimal { loss: Choice::default(), budget: Some(budget) };
    // The search alone: what it does not find must not be made up for by selecting records.
    match optimal.propose(problem, progress) {
        Ok(best) => {
            let gap = best.early.map_or(Some(0.0), |early| early.gap);
            Ok(gap.map(|gap| loss(problem, &best) - gap))
        }
        Err(Error::Cancelled) => Err(Error::Cancelled),
        // No node meets the goal, or the budget ended before one was found: nothing is known.
        Err(_) => Ok(None),
    }
}
