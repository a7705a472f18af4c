//! The loss that a search minimises, as nodes of a lattice see it.

use super::proposal;
use crate::Result;
use crate::lattice::Nodes;
use crate::loss::{Choice, Partition};
use crate::problem::{Attribute, Problem};
use crate::proposal::{Class, Proposal, Take};

/// A loss, and a way to know it from the counts of a node alone, where there is one.
#[derive(Clone, Copy)]
pub(crate) struct Objective {
    loss: Choice,
    way: Way,
    /// How many attributes of a suppressed record cost nothing.
    n_constant: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The mean cost of a cell, where one that is suppressed costs 1.
    MeanCell,
    /// The same, but the means of the attributes are added up.
    SumOfMeans,
    /// The discernibility penalty.
    Discernibility,
    /// Each node's partition is made and measured.
    Partition,
}

impl Objective {
    /// The objective for a problem, if the loss applies to it; what is known from counts always does.
    pub(crate) fn new(loss: Choice, problem: &Problem) -> Result<Self> {
        let objective = Self::of(loss);
        if objective.is_counted() {
            return Ok(objective);
        }
        let all = problem.cohorts().counted();
        let all =
            all.map(|(cohort, count)| Take { cohort, class: Some(Class::new(0)), count }).collect();
        loss.penalty(&Partition::of(problem, &Proposal::new(problem, 1, all)))?;
        Ok(objective)
    }

    /// The objective, whether or not it applies to some problem.
    pub(crate) fn of(loss: Choice) -> Self {
        let way = match loss.name() {
            "ntil" | "gen-iloss" => Way::MeanCell,
            "lm" => Way::SumOfMeans,
            "dm" => Way::Discernibility,
            _ => Way::Partition,
        };
        Self { loss, way, n_constant: 0 }
    }

    /// The objective of a search whose suppressed records are generalized later: an attribute with the
    /// same value everywhere will cost nothing then, so it must not count before.
    pub(crate) fn for_rounds(self, problem: &Problem) -> Self {
        let is_constant = |attribute: &&Attribute| attribute.is_constant();
        Self { n_constant: problem.attributes().iter().filter(is_constant).count(), ..self }
    }

    /// Whether it is known from counts, which also bound it.
    pub(crate) fn is_counted(&self) -> bool {
        self.way != Way::Partition
    }

    /// How many records fail on a node, and what is lost if those are no more than may be.
    pub(crate) fn of_node(
        &self,
        nodes: &mut Nodes<'_>,
        levels: &[u32],
        most_failing: u64,
    ) -> (u64, Option<f64>) {
        let n_records = nodes.n_records() as f64;
        let classes = nodes.count(levels);
        let n_failing = classes.n_failing();
        if n_failing > most_failing {
            return (n_failing, None);
        }
        let n_lost = levels.len() - self.n_constant;
        let loss = match self.way {
            Way::MeanCell => classes.cost(n_lost) / (n_records * levels.len() as f64),
            Way::SumOfMeans => classes.cost(n_lost) / n_records,
            Way::Discernibility => classes.discernibility(),
            Way::Partition => self.of_recoding(nodes.problem(), &proposal(nodes, levels)),
        };
        (n_failing, Some(loss))
    }

    /// What is lost by what was decided; for a gain, what it lacks.
    pub(crate) fn of_recoding(&self, problem: &Problem, proposal: &Proposal) -> f64 {
        // A loss that applies to one class of all records applies to any.
        self.loss.penalty(&Partition::of(problem, proposal)).unwrap_or(f64::INFINITY)
    }

    /// No less is lost on a node on which at least so many records fail.
    ///
    /// Records that do not fail cost what their level costs, so the least is lost when those that
    /// do are the dearest; and each of them is in a class that is large enough.
    pub(crate) fn bound(&self, nodes: &Nodes<'_>, levels: &[u32], n_failing: u64) -> f64 {
        let n_records = nodes.n_records() as f64;
        let cost = || {
            let rungs = nodes.ladders().iter().zip(levels).map(|(ladder, &at)| ladder.rung(at));
            let published: f64 = rungs.map(|r| r.cost() - r.most_cost(n_failing)).sum();
            published + (levels.len() - self.n_constant) as f64 * n_failing as f64
        };
        match self.way {
            Way::MeanCell => cost() / (n_records * levels.len() as f64),
            Way::SumOfMeans => cost() / n_records,
            Way::Discernibility => {
                let least = nodes.problem().least_size() as f64;
                let n_failing = n_failing as f64;
                (n_records - n_failing) * least + n_failing * n_records
            }
            Way::Partition => f64::NEG_INFINITY,
        }
    }
}
