//! The loss that a search minimises, evaluated on the nodes of a lattice.

use super::proposal;
use crate::Result;
use crate::hierarchy::Level;
use crate::lattice::Nodes;
use crate::loss::{Choice, Counted, Partition};
use crate::problem::{Attribute, Problem};
use crate::proposal::{Class, Proposal, Take};

/// A loss, with a way to compute it from the counts of a node alone if there is one.
#[derive(Clone, Copy)]
pub(crate) struct Objective {
    loss: Choice,
    /// How to compute the loss from counts; if `None`, the partition of each node is built and
    /// measured.
    counted: Option<Counted>,
    /// Number of attributes that cost nothing even in a suppressed record.
    n_constant: usize,
}

impl Objective {
    /// Makes the objective for a problem. Fails if the loss does not apply to it; a loss that is
    /// computed from counts always applies.
    pub(crate) fn new(loss: Choice, problem: &Problem) -> Result<Self> {
        let objective = Self::of(loss);
        if objective.is_counted() {
            return Ok(objective);
        }
        // Trying one class of all records shows whether the loss applies to this problem.
        let class = Some(Class::new(0));
        let all = problem.cohorts().counted();
        let takes = all.map(|(cohort, count)| Take { cohort, class, count }).collect();
        loss.penalty(&Partition::of(problem, &Proposal::new(problem, 1, takes)?))?;
        Ok(objective)
    }

    /// Makes the objective without checking whether it applies to a problem.
    pub(crate) fn of(loss: Choice) -> Self {
        Self { loss, counted: loss.counted(), n_constant: 0 }
    }

    /// Adapts the objective to a search whose suppressed records are generalized in later rounds. A
    /// constant attribute will cost nothing then, so it must not count as lost now.
    pub(crate) fn for_rounds(self, problem: &Problem) -> Self {
        let is_constant = |attribute: &&Attribute| attribute.is_constant();
        Self { n_constant: problem.attributes().iter().filter(is_constant).count(), ..self }
    }

    /// Whether the loss is computed from counts, which also give a lower bound.
    pub(crate) fn is_counted(&self) -> bool {
        self.counted.is_some()
    }

    /// Returns the number of records that fail on a node, and the loss if no more than
    /// `most_failing` do.
    pub(crate) fn of_node(
        &self,
        nodes: &mut Nodes<'_>,
        levels: &[Level],
        most_failing: u64,
    ) -> (u64, Option<f64>) {
        let n_records = nodes.n_records() as f64;
        let classes = nodes.count(levels);
        let n_failing = classes.n_failing();
        if n_failing > most_failing {
            return (n_failing, None);
        }
        // Number of cells that a suppressed record loses.
        let n_lost = levels.len() - self.n_constant;
        let loss = match self.counted {
            Some(Counted::MeanCell) => classes.cost(n_lost) / (n_records * levels.len() as f64),
            Some(Counted::SumOfMeans) => classes.cost(n_lost) / n_records,
            Some(Counted::Discernibility) => classes.discernibility(),
            None => self.of_recoding(nodes.problem(), &proposal(nodes, levels)),
        };
        (n_failing, Some(loss))
    }

    /// Returns the loss of a proposal; for a gain, its shortfall.
    pub(crate) fn of_recoding(&self, problem: &Problem, proposal: &Proposal) -> f64 {
        // A loss that applies to one class of all records applies to any.
        self.loss.penalty(&Partition::of(problem, proposal)).unwrap_or(f64::INFINITY)
    }

    /// Returns a lower bound of the loss on a node where at least `n_failing` records fail.
    ///
    /// A record that does not fail costs what its levels cost, so the bound assumes that the
    /// failing records are the most expensive ones. For the discernibility penalty, every other
    /// record is in a class of at least the required size.
    pub(crate) fn bound(&self, nodes: &Nodes<'_>, levels: &[Level], n_failing: u64) -> f64 {
        let n_records = nodes.n_records() as f64;
        let cost = || {
            let rungs = nodes.ladders().iter().zip(levels).map(|(ladder, &at)| ladder.rung(at));
            let published: f64 = rungs.map(|r| r.cost() - r.most_cost(n_failing)).sum();
            published + (levels.len() - self.n_constant) as f64 * n_failing as f64
        };
        match self.counted {
            Some(Counted::MeanCell) => cost() / (n_records * levels.len() as f64),
            Some(Counted::SumOfMeans) => cost() / n_records,
            Some(Counted::Discernibility) => {
                // A suppressed record counts as if its class were the whole table.
                let least = nodes.problem().least_size() as f64;
                let n_failing = n_failing as f64;
                (n_records - n_failing) * least + n_failing * n_records
            }
            None => f64::NEG_INFINITY,
        }
    }
}
