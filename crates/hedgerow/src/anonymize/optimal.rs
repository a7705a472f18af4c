//! Optimal: the full-domain generalization that loses least.

use serde::{Deserialize, Serialize};

use super::Anonymizer;
use super::full_domain::{self, End, Found, Objective, Search};
use crate::lattice::Nodes;
use crate::loss::{self, Choice};
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::{Early, Proposal};
use crate::{Error, Result};

/// Finds the full-domain generalization of least loss, with classes that are not private
/// suppressed.
///
/// The idea: nodes of the lattice are visited from the top down. What is not private on a node is
/// not private below it either, so the records that fail on the nodes just above a node are known
/// to fail on it before it is counted. They alone may be more than may be suppressed; and since
/// they are wholly lost, while the others lose what their levels cost, they give a lower bound of
/// the node's loss. A descent along the steepest path gives a loss to compare bounds with. Nodes are
/// counted from snapshots, which makes those near the top cheap. Where levels are not nested or a
/// privacy model is not monotone, nothing is concluded from above.
///
/// # Complexity
///
/// `O(N w)` for `N` nodes over `w` attributes, and `O(g)` for each of the nodes that are counted
/// from a snapshot of `g` groups; memory `O(N)` and ten times the cohorts.
///
/// # Guarantees
///
/// Optimal among full-domain generalizations unless a budget or the caller's time ends the search;
/// then a note says how far from the optimum it can be. Of equal nodes, the first that was visited,
/// or one below it that loses no more, so nothing is generalized in vain. Deterministic, but with a
/// limit of time.
///
/// # References
///
/// \[Kohlmayer2012\] F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn: Flash: Efficient,
/// Stable and Optimal K-Anonymity, PASSAT 2012, for snapshots and predictive tagging, and
/// \[Samarati2001\] for the limit of suppression. The order of visits and the bounds by suppressed
/// records are ours.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::Optimal;
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, Style};
/// use hedgerow::table::Table;
/// let rows = [["20", "1"], ["21", "1"], ["30", "1"], ["31", "2"]];
/// let table = Table::from_rows(&["age", "rooms"], &rows)?;
/// let built = table.columns().iter().map(|c| builder::build(&"iotf".parse()?, c, None));
/// let built = built.collect::<Result<_, hedgerow::Error>>()?;
/// let problem = Problem::new(&table, built, vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&Optimal::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default())?;
/// assert_eq!(release.rows()?[2], ["[30, 31]", "*"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Optimal {
    /// The loss to minimise.
    pub loss: Choice,
    /// How many nodes may be counted; the best of them is taken.
    pub budget: Option<u64>,
}

impl Described for Optimal {
    const DESCRIPTION: Description = Description {
        name: "optimal",
        about: "full-domain: the levels of least loss",
        reference: Some("Kohlmayer2012"),
        needs: &[Need::Levels],
        parameters: &[
            Parameter::new("loss", Type::Loss(loss::names), "the loss to minimise").or("ntil"),
            Parameter::new(
                "budget",
                Type::at_least(1),
                "how many nodes of the lattice may be counted; the best of them is taken",
            ),
        ],
    };
}

impl Anonymizer for Optimal {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let mut nodes = Nodes::of_all(problem);
        let objective = Objective::new(self.loss, problem)?;
        let search = Search::new(&mut nodes, objective, problem.most_suppressed(), progress);
        let found = search.with_budget(self.budget).run()?;
        let mut proposal = full_domain::proposal(&nodes, &found.levels);
        proposal.notes.push(format!("levels: {}", full_domain::written(&nodes, &found.levels)));
        proposal.notes.push(told(self.loss, &found));
        proposal.early = early(&found);
        Ok(proposal)
    }

    fn loss(&self) -> Choice {
        self.loss
    }

    fn obstacle(&self, problem: &Problem) -> Option<Error> {
        full_domain::obstacle(problem)
    }

    fn defines_suppression(&self) -> bool {
        true
    }

    fn is_anytime(&self) -> bool {
        true
    }
}

/// Why a search ended before it was sure, if it did.
fn early(found: &Found) -> Option<Early> {
    let why = match found.end {
        End::Proved => return None,
        End::Budget => "the budget ended",
        End::Time => "the time was up, so the result depends on the machine",
    };
    let gap = found.loss - found.bound;
    Some(Early { why, gap: gap.is_finite().then_some(gap) })
}

/// What a search has to say about its result.
fn told(name: Choice, found: &Found) -> String {
    let Found { loss, bound, n_counted, n_nodes, .. } = found;
    let counted = format!("{n_counted} of {} counted", counted(*n_nodes, "node"));
    let Some(Early { why, gap }) = early(found) else {
        return format!("{} {name} of all full-domain generalizations; {counted}", name.best());
    };
    let best = name.written_penalty(*loss);
    let Some(gap) = gap else {
        return format!("{why}: {counted}; best {name} {best}, and no bound is known for the others");
    };
    let side = if name.is_gain() { "above" } else { "below" };
    let (bound, gap) = (name.written_penalty(*bound), name.written(gap));
    format!("{why}: {counted}; best {name} {best}, none is {side} {bound}, a gap of {gap}")
}
