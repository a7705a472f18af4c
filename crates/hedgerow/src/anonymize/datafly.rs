//! Datafly: generalizes the attribute with the most values until few enough records fail.

use serde::{Deserialize, Serialize};

use super::{Anonymizer, full_domain};
use crate::error::{Advice, Portion};
use crate::hierarchy::Level;
use crate::lattice::Nodes;
use crate::method::{Described, Description, Need, Parameter, Scope, Type};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::Proposal;
use crate::{Error, Result};

/// Repeatedly raises the attribute with the most distinct values by one level, for the whole table,
/// until the records in classes that are not private are few enough to be suppressed.
///
/// An attribute with many values distinguishes most people, so it is made coarser first. Only one
/// path through the lattice is examined.
///
/// # Complexity
///
/// `O(h c w)` for `h` levels in all, `c` cohorts and `w` attributes.
///
/// # Guarantees
///
/// Every class is private and no more records are suppressed than allowed; as in the paper, records
/// are suppressed as soon as they are few enough. Neither minimal nor optimal. Deterministic: of
/// attributes with equally many values, the first is raised.
///
/// # References
///
/// \[Sweeney2002b\] L. Sweeney: Achieving k-Anonymity Privacy Protection Using Generalization and
/// Suppression, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5),
/// 2002; METHODS 6.1. Deviations: any privacy model takes the place of `k`; an attribute with a
/// single value is skipped; and the threshold never exceeds the suppression limit.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::Datafly;
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["20"], ["21"], ["30"], ["31"]])?;
/// let built = builder::build(&"iotf".parse()?, &table.columns()[0], None)?;
/// let problem = Problem::new(&table, vec![built], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&Datafly::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default(), &Silent)?;
/// assert_eq!(release.rows(RowOrder::Input, &Silent)?[0], ["[20, 21]"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Datafly {
    /// Number of records that may be left in failing classes and are suppressed. The default is the
    /// smallest allowed class size (`k` for k-anonymity), or the suppression limit if that is
    /// lower.
    pub threshold: Option<u64>,
}

impl Described for Datafly {
    const RECODING: Option<Scope> = Some(Scope::FullDomain);

    const DESCRIPTION: Description = Description {
        name: "datafly",
        about: "raises the attribute with the most values first; fast, not minimal",
        reference: Some("Sweeney2002b"),
        needs: &[Need::Levels],
        parameters: &[Parameter::new(
            "threshold",
            Type::WHOLE,
            "records that may be left to suppress; by default k, but no more than may be suppressed",
        )],
    };
}

impl Anonymizer for Datafly {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let threshold = self.threshold(problem)?;
        let mut nodes = Nodes::of_all(problem);
        let mut levels = vec![Level::VALUES; nodes.ladders().len()];
        let mut least_failing = u64::MAX;
        loop {
            stop_if_cancelled(progress)?;
            let n_failing = nodes.count(&levels).n_failing();
            if n_failing <= threshold {
                break;
            }
            // Raising levels can increase the number of failing records if a model is not monotone.
            least_failing = least_failing.min(n_failing);
            let Some(widest) = widest(&nodes, &levels) else {
                return Err(self.unreachable(problem, threshold, least_failing));
            };
            levels[widest] = levels[widest].above();
        }
        let mut proposal = full_domain::proposal(&mut nodes, &levels);
        proposal.notes.push(format!("levels: {}", full_domain::written(&nodes, &levels)));
        Ok(proposal)
    }

    fn is_told_where_to_stop(&self) -> bool {
        self.threshold.is_some()
    }

    fn obstacle(&self, problem: &Problem) -> Option<Error> {
        full_domain::no_levels(problem)
    }

    fn defines_suppression(&self) -> bool {
        true
    }
}

impl Datafly {
    fn threshold(&self, problem: &Problem) -> Result<u64> {
        let most = full_domain::most_failing(problem);
        let n_records = problem.cohorts().n_records();
        match self.threshold {
            // Sweeney2002b: a number of records up to `k` may be left and is suppressed.
            None => Ok(problem.least_size().min(most)),
            Some(threshold) if threshold <= most => Ok(threshold),
            Some(threshold) => {
                let problem = format!("only {} may be suppressed", counted(most, "record"));
                let value = threshold.to_string();
                let least = Portion { records: threshold, of: n_records };
                Err(Error::parameter("datafly", "threshold", Some(&value), problem).advise([
                    Advice::AllowSuppression { least: Some(least) },
                    Advice::words("lower the threshold"),
                ]))
            }
        }
    }

    /// The error for a search that reached the roots without few enough failing records on any
    /// step.
    fn unreachable(&self, problem: &Problem, threshold: u64, least_failing: u64) -> Error {
        let n_records = problem.cohorts().n_records();
        let (may, most) = (problem.most_suppressed(), full_domain::most_failing(problem));
        let models: Vec<&str> = problem.goal().models().iter().map(|model| model.name()).collect();
        let source = match self.threshold {
            Some(_) => "as given",
            None if threshold < most => "the least size of a class, because none was given",
            None => "the number of records that may be suppressed",
        };
        // The threshold that would have sufficed, if the limits allow it.
        let advice = if least_failing <= most {
            Advice::ChooseMethod { method: format!("datafly:threshold={least_failing}") }
        } else if least_failing < n_records {
            Advice::Together(vec![
                Advice::AllowSuppression {
                    least: Some(Portion { records: least_failing, of: n_records }),
                },
                Advice::ChooseMethod { method: format!("datafly:threshold={least_failing}") },
            ])
        } else {
            Advice::less()
        };
        let problem = format!(
            "datafly generalized one column after another up to the roots, and at least {least_failing} \
             of {} were always in classes that fail {}; its threshold is {threshold} ({source}), and \
             {may} may be suppressed",
            counted(n_records, "record"),
            models.join(" or ")
        );
        Error::unreachable(problem).advise([advice])
    }
}

/// Returns the attribute with the most distinct values among those that can be raised.
fn widest(nodes: &Nodes<'_>, levels: &[Level]) -> Option<usize> {
    let n_used = |place: usize| nodes.ladders()[place].rung(levels[place]).n_used;
    let can_rise = |&place: &usize| levels[place] < nodes.ladders()[place].top();
    // `max_by_key` returns the last maximum, so the reversed order makes the first attribute win
    // ties.
    (0..levels.len()).filter(can_rise).rev().max_by_key(|&place| n_used(place))
}
