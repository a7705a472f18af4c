//! Local: repeats a full-domain search on the records that the previous round suppressed.

use std::ops::Bound;

use serde::{Deserialize, Serialize};

use super::Anonymizer;
use super::full_domain::{self, Aim, Found, Objective, Search};
use super::mend::mend;
use crate::hierarchy::Level;
use crate::lattice::Nodes;
use crate::loss::{self, Choice};
use crate::method::{Described, Description, Need, Parameter, Scope, Type};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::{Class, Proposal, Take};
use crate::table::Cohort;
use crate::{Error, Result};

/// Searches for the best levels and suppresses the records that do not fit, then repeats this on
/// the suppressed records.
///
/// A few outliers force a whole table to high levels. If they are suppressed for now, the others
/// stay on low levels, and the suppressed records form a smaller table that is treated in the same
/// way. Each round is the search of [`Optimal`](super::Optimal). The rounds end when no private
/// class is found. The records that are left then join existing classes, or are suppressed if that
/// is allowed and loses less. Three ways are tried, and the result that loses least is taken. In
/// two of them a suppressed record counts as lost, and the first round has a limit: the number of
/// records that may be suppressed in the end, or none. In the third, each round takes the levels of
/// least generalization on which at least a `share` of the remaining records is private, whatever
/// it suppresses. Classes publish the smallest regions that cover their records, which may be below
/// the levels that were found.
///
/// # Complexity
///
/// That of [`Optimal`](super::Optimal) for each round; a handful of rounds is usual, and about `ln
/// n / share` in the third way for `n` records. Then one pass over all classes for each remaining
/// distinct record.
///
/// # Guarantees
///
/// Loses no more than [`Optimal`](super::Optimal) if the loss is a mean of cell costs. Not optimal
/// among local recodings. Deterministic. Adding a constant column does not change the result,
/// unless records may be suppressed, because a suppressed record loses that value too.
///
/// # References
///
/// \[Prasser2020\] F. Prasser, J. Eicher, H. Spengler, R. Bild, K. A. Kuhn: Flexible Data
/// Anonymization Using ARX: Current Status and Challenges Ahead, Software: Practice and Experience
/// 50(7), 2020, for the idea of local recoding by repeated transformation, and for rounds that
/// ignore suppression. The limits of the first round, the treatment of the remaining records and
/// the smallest regions are our own.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::Local;
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["20"], ["20"], ["30"], ["31"]])?;
/// let built = builder::build(&"iotf".parse()?, &table.columns()[0], None)?;
/// let problem = Problem::new(&table, vec![built], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&Local::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default(), &Silent)?;
/// let published: Vec<_> = release.rows(RowOrder::Input, &Silent)?.iter().map(|cells| cells[0].as_str()).collect();
/// assert_eq!(published, ["20", "20", "[30, 31]", "[30, 31]"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Local {
    /// The loss that each round minimises: `ntil` (the default), or another loss that can be
    /// computed from the counts of a node.
    pub loss: Choice,
    /// The share of the remaining records that each round of the third way publishes at least;
    /// above 0, at most 1.
    pub share: f64,
}

impl Default for Local {
    fn default() -> Self {
        Self { loss: Choice::default(), share: 0.05 }
    }
}

impl Described for Local {
    const RECODING: Option<Scope> = Some(Scope::Local);

    const DESCRIPTION: Description = Description {
        name: "local",
        about: "levels of least loss, then again for the records they suppress",
        reference: Some("Prasser2020"),
        needs: &[Need::Levels],
        parameters: &[
            Parameter::new(
                "loss",
                Type::Loss(counted_losses),
                "the loss that each round minimises; the method optimal accepts all losses",
            )
            .or("ntil"),
            Parameter::new(
                "share",
                SHARE,
                "share of the remaining records that a round publishes at least; less is slower and loses less",
            )
            .or("0.05"),
        ],
    };
}

/// A share above 0.
const SHARE: Type = Type::Number { least: Bound::Excluded(0.0), most: Bound::Included(1.0) };

/// Names of the losses that can be computed for a part of the records.
fn counted_losses() -> Vec<&'static str> {
    let is_counted = |name: &&str| name.parse().is_ok_and(full_domain::is_additive);
    loss::names().into_iter().filter(is_counted).collect()
}

impl Anonymizer for Local {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        // Records that a round suppresses are published later, without loss in constant attributes.
        let objective = Objective::new(self.loss, problem)?.for_rounds(problem);
        let levels = objective.of_levels();
        let most = [problem.most_suppressed(), problem.cohorts().n_records()];
        let mut ways: Vec<Way<'_>> =
            most.map(|most| Way { objective: &objective, limit: Limit::First(most) }).to_vec();
        // Another loss than a sum over cells has no generalization of its own.
        ways.extend(
            levels.iter().map(|objective| Way { objective, limit: Limit::Share(self.share) }),
        );
        let mut best: Option<(f64, Proposal)> = None;
        for way in ways {
            let found = match Rounds::new(problem, progress).run(way) {
                // The other ways need not find what the first one found.
                Err(Error::Unreachable { .. }) if best.is_some() => continue,
                found => found?,
            };
            let loss = objective.of_recoding(problem, &found);
            if best.as_ref().is_none_or(|(least, _)| loss < least - full_domain::ROUNDING) {
                best = Some((loss, found));
            }
        }
        best.map(|(_, found)| found).ok_or_else(|| Error::Internal("no way was tried".to_owned()))
    }

    fn loss(&self) -> Choice {
        self.loss
    }

    fn obstacle(&self, problem: &Problem) -> Option<Error> {
        full_domain::obstacle(problem).or_else(|| full_domain::monotone_obstacle(problem))
    }
}

/// Number of rounds that notes list.
const MOST_LISTED: usize = 10;

/// The objective and the limit of the searches of all rounds.
#[derive(Debug, Clone, Copy)]
struct Way<'o> {
    objective: &'o Objective,
    limit: Limit,
}

/// A limit on the records that a round suppresses.
#[derive(Debug, Clone, Copy)]
enum Limit {
    /// A number of records in the first round; later rounds have no limit, because rounds after
    /// them take care of the rest.
    First(u64),
    /// In every round, all but this share of the records.
    Share(f64),
}

impl Limit {
    /// Number of `n_left` records that may fail.
    fn most_failing(self, n_left: u64, is_first: bool) -> u64 {
        match self {
            Self::First(most) => {
                if is_first {
                    most
                } else {
                    u64::MAX
                }
            }
            Self::Share(share) => n_left - ((n_left as f64 * share).ceil() as u64).clamp(1, n_left),
        }
    }
}

/// Rounds of searches, each on the records that the previous one suppressed.
struct Rounds<'p> {
    problem: &'p Problem,
    progress: &'p dyn Progress,
    /// The records that have no class yet.
    left: Vec<(Cohort, u64)>,
    takes: Vec<Take>,
    n_classes: u32,
    notes: Vec<String>,
}

impl<'p> Rounds<'p> {
    fn new(problem: &'p Problem, progress: &'p dyn Progress) -> Self {
        let left = problem.cohorts().counted().collect();
        let (takes, notes) = (Vec::new(), Vec::new());
        Self { problem, progress, left, takes, n_classes: 0, notes }
    }

    /// Runs all rounds and returns the mended proposal.
    fn run(mut self, way: Way<'_>) -> Result<Proposal> {
        while !self.left.is_empty() {
            let mut nodes = Nodes::of(self.problem, &self.left);
            let n_left = nodes.n_records();
            let most_failing = way.limit.most_failing(n_left, self.n_classes == 0);
            let (objective, progress) = (way.objective, self.progress);
            let aim = Aim { objective, most_failing, budget: None, progress };
            let Found { levels, .. } = match Search::new(&mut nodes, aim).run() {
                // The first round must succeed; a later one may find that no private class is left.
                Err(Error::Unreachable { .. }) if self.n_classes > 0 => break,
                found => found?,
            };
            self.publish(&mut nodes, &levels);
            let written = full_domain::written(&nodes, &levels);
            self.notes.push(format!("{} left, levels: {written}", counted(n_left, "record")));
        }
        self.finished()
    }

    /// Puts the records that are private on the given levels into classes.
    fn publish(&mut self, nodes: &mut Nodes<'_>, levels: &[Level]) {
        let (class_of, n_classes) = nodes.assign(levels);
        let mut left = Vec::new();
        for (&(cohort, count), class) in self.left.iter().zip(class_of) {
            match class {
                Some(class) => {
                    let class = Some(Class::from(self.n_classes + class));
                    self.takes.push(Take { cohort, class, count });
                }
                None => left.push((cohort, count)),
            }
        }
        self.n_classes += n_classes;
        self.left = left;
    }

    /// Returns the mended proposal; each remaining cohort enters mending as a class of its own.
    fn finished(mut self) -> Result<Proposal> {
        if self.notes.len() > MOST_LISTED {
            let more = self.notes.split_off(MOST_LISTED - 1).len();
            self.notes.push(counted(more as u64, "more round"));
        }
        let n_left: u64 = self.left.iter().map(|(_, count)| count).sum();
        if n_left > 0 {
            let left = counted(n_left, "record");
            self.notes.push(format!("{left} left over, merged with nearby classes or suppressed"));
        }
        for (cohort, count) in self.left {
            // Mending merges these classes with others or suppresses them.
            self.takes.push(Take { cohort, class: Some(self.n_classes.into()), count });
            self.n_classes += 1;
        }
        let mut proposal = Proposal::new(self.problem, self.n_classes as usize, self.takes)?;
        proposal.notes = self.notes;
        mend(self.problem, proposal, self.progress)
    }
}
