//! Optimal: the full-domain generalization of least loss.

use serde::{Deserialize, Serialize};

use super::Anonymizer;
use super::full_domain::{self, Aim, End, Found, Objective, Search, Wide};
use crate::error::Advice;
use crate::lattice::Nodes;
use crate::loss::{self, Choice};
use crate::method::{Described, Description, Need, Parameter, Scope, Type};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::{Early, Proposal};
use crate::{Error, Result};

/// Finds the full-domain generalization of least loss, where classes that are not private are
/// suppressed.
///
/// Nodes of the lattice are visited from the top down. Records in classes that are too small, and a
/// share of those in other failing classes that depends on the model
/// ([`PrivacyModel::lost_share`](crate::privacy::PrivacyModel::lost_share)), also fail on every
/// node below. So the number that fails directly above a node is known to fail on the node before
/// it is counted. That number may already exceed the limit. Otherwise it gives a lower bound of the
/// node's loss: failing records lose everything, the others lose what their levels cost. A steepest
/// descent at the start gives a loss to compare the bounds with. Nodes are counted from snapshots,
/// which makes nodes near the top cheap. If no record may fail, groups of records whose classes
/// were too small on other nodes rule out nodes without a count. If levels are not nested, nothing
/// is inferred from the nodes above.
///
/// A lattice that is too large to list needs a budget or a time limit. Descents then lead to local
/// optima, from which the search goes on, the best first. The lower bound is the sum of what
/// disjoint sets of attributes must lose on their own.
///
/// # Complexity
///
/// `O(N w)` for `N` nodes over `w` attributes, plus `O(g)` for each node that is counted from a
/// snapshot of `g` groups; memory `O(N)` plus up to ten times the cohorts. Of a lattice that is too
/// large to list, only the nodes that are counted take time and memory.
///
/// # Guarantees
///
/// Optimal among full-domain generalizations unless the budget or the time limit ends the search;
/// then a note gives the largest possible distance from the optimum. Of equal nodes, the result is
/// the first one visited, or a node below it that loses no more, so nothing is generalized without
/// need. Deterministic unless a time limit is set.
///
/// # References
///
/// \[Kohlmayer2012\] F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn: Flash: Efficient,
/// Stable and Optimal K-Anonymity, PASSAT 2012, for snapshots and predictive tagging, and
/// \[Samarati2001\] for the suppression limit. The order of visits and the bounds from suppressed
/// records are our own.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::Optimal;
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::table::Table;
/// let rows = [["20", "1"], ["21", "1"], ["30", "1"], ["31", "2"]];
/// let table = Table::from_rows(&["age", "rooms"], &rows)?;
/// let built = table.columns().iter().map(|c| builder::build(&"iotf".parse()?, c, None));
/// let built = built.collect::<Result<_, hedgerow::Error>>()?;
/// let problem = Problem::new(&table, built, vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&Optimal::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default(), &Silent)?;
/// assert_eq!(release.rows(RowOrder::Input, &Silent)?[2], ["[30, 31]", "*"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Optimal {
    /// The loss to minimise.
    pub loss: Choice,
    /// Maximum number of nodes to count; the best of those counted is taken. No limit by default.
    pub budget: Option<u64>,
}

impl Described for Optimal {
    const RECODING: Option<Scope> = Some(Scope::FullDomain);

    const DESCRIPTION: Description = Description {
        name: "optimal",
        about: "the levels of least loss",
        reference: Some("Kohlmayer2012"),
        needs: &[Need::Levels],
        parameters: &[
            Parameter::new("loss", Type::Loss(loss::names), "the loss to minimise").or("ntil"),
            Parameter::new(
                "budget",
                Type::at_least(1),
                "maximum number of lattice nodes to count; the best of them is taken",
            ),
        ],
    };
}

impl Anonymizer for Optimal {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let mut nodes = Nodes::of_all(problem);
        let objective = Objective::new(self.loss, problem)?;
        let (most_failing, budget) = (problem.most_suppressed(), self.budget);
        let aim = Aim { objective: &objective, most_failing, budget, progress };
        let found = if full_domain::is_wide(problem) {
            Wide::new(&mut nodes, aim).run()?
        } else {
            Search::new(&mut nodes, aim).run()?
        };
        let found = found.shown(&objective);
        let mut proposal = full_domain::proposal(&mut nodes, &found.levels);
        proposal.notes.push(format!("levels: {}", full_domain::written(&nodes, &found.levels)));
        proposal.notes.push(told(self.loss, &found));
        proposal.early = early(&found);
        Ok(proposal)
    }

    fn loss(&self) -> Choice {
        self.loss
    }

    fn obstacle(&self, problem: &Problem) -> Option<Error> {
        if self.budget.is_some() {
            return full_domain::no_levels(problem);
        }
        let budget = Advice::ChooseMethod { method: "optimal:budget=10000".to_owned() };
        full_domain::obstacle(problem)
            .map(|error| error.advise([Advice::AllowTime { seconds: 60 }, budget]))
    }

    fn obstacle_in_time(&self, problem: &Problem) -> Option<Error> {
        full_domain::no_levels(problem)
    }

    fn defines_suppression(&self) -> bool {
        true
    }

    fn is_anytime(&self) -> bool {
        true
    }
}

/// Returns the reason that a search ended before its result was proved optimal, or `None` if it was
/// proved.
fn early(found: &Found) -> Option<Early> {
    let why = match found.end {
        End::Proved => return None,
        End::Budget => "the budget ended",
        End::Time => Early::OUT_OF_TIME.why,
        End::Tried => "nothing near the best nodes is left to try",
        End::Full => "the best nodes are too many to keep, so not all nodes near them were tried",
    };
    // The bound is negative infinity if the loss cannot be bounded from counts.
    let gap = found.loss - found.bound;
    Some(Early { why, gap: gap.is_finite().then_some(gap) })
}

/// Formats the note of a search about its result.
fn told(name: Choice, found: &Found) -> String {
    let Found { loss, bound, n_counted, n_nodes, .. } = found;
    let nodes = n_nodes.map_or("more than 2^64 nodes".to_owned(), |n| counted(n, "node"));
    let counted = format!("{n_counted} of {nodes} counted");
    let Some(Early { why, gap }) = early(found) else {
        return format!("{} {name} of all full-domain generalizations; {counted}", name.best());
    };
    let best = name.written_penalty(*loss);
    let Some(gap) = gap else {
        return format!(
            "{why}: {counted}; best {name} {best}, and no bound is known for the others"
        );
    };
    // A gain is shown as a gain, so its bound is an upper one.
    let side = if name.is_gain() { "above" } else { "below" };
    let (bound, gap) = (name.written_penalty(*bound), name.written(gap));
    format!("{why}: {counted}; best {name} {best}, none is {side} {bound}, a gap of {gap}")
}
