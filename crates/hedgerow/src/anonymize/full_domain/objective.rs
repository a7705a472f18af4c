//! The loss that a search minimises, evaluated on the nodes of a lattice.

use super::cells::Cells;
use super::proposal;
use crate::Result;
use crate::hierarchy::Level;
use crate::lattice::{Ladder, Nodes, Rung};
use crate::loss::{Choice, Counted, Partition};
use crate::problem::Problem;
use crate::proposal::{Class, Proposal, Take};

/// A loss, with a way to compute it from the counts of a node alone if there is one.
#[derive(Debug, Clone)]
pub(crate) struct Objective {
    loss: Choice,
    way: Way,
}

/// The way in which a loss is computed.
#[derive(Debug, Clone)]
enum Way {
    /// From the costs of all cells.
    Cells(Cells),
    /// From the costs of all cells as if no record were suppressed.
    Levels(Cells),
    Discernibility,
    ClassSize {
        with_suppressed: bool,
        k: f64,
    },
    MeanClass,
    WorstClass,
    /// The partition of each node is built and measured.
    Partition,
}

/// Bounds that are known for a node before it is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    /// Lower bound on the number of records that fail.
    pub(crate) n_failing: u64,
    /// Upper bound on the number of classes.
    pub(crate) most_classes: u64,
    /// Number of records that may fail.
    pub(crate) most_failing: u64,
}

/// Result of counting a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evaluated {
    /// Number of records that fail.
    pub(crate) n_failing: u64,
    /// Lower bound on the number of records that fail at each node below, if levels are nested.
    pub(crate) n_lost: u64,
    /// Upper bound on the number of classes at each node below, if levels are nested.
    pub(crate) most_classes: u64,
    /// The loss, if the number of failing records is within the limit.
    pub(crate) loss: Option<f64>,
}

/// Whether a loss is a sum over records, so that it can be computed for a part of them.
pub(crate) fn is_additive(loss: Choice) -> bool {
    matches!(loss.counted(), Some(Counted::Cells(_) | Counted::Discernibility))
}

impl Objective {
    /// Makes the objective for a problem. Fails if the loss does not apply to it; a loss that is
    /// computed from counts always applies.
    pub(crate) fn new(loss: Choice, problem: &Problem) -> Result<Self> {
        let way = match loss.counted() {
            Some(Counted::Cells(sum)) => Way::Cells(Cells::new(sum, problem)),
            Some(Counted::Discernibility) => Way::Discernibility,
            Some(Counted::ClassSize { with_suppressed }) => {
                Way::ClassSize { with_suppressed, k: problem.k() as f64 }
            }
            Some(Counted::MeanClass) => Way::MeanClass,
            Some(Counted::WorstClass) => Way::WorstClass,
            None => Way::Partition,
        };
        if matches!(way, Way::Partition) {
            // Trying one class of all records shows whether the loss applies to this problem.
            let class = Some(Class::new(0));
            let all = problem.cohorts().counted();
            let takes = all.map(|(cohort, count)| Take { cohort, class, count }).collect();
            loss.penalty(&Partition::of(problem, &Proposal::new(problem, 1, takes)?))?;
        }
        Ok(Self { loss, way })
    }

    /// Adapts the objective to a search whose suppressed records are generalized in later rounds. A
    /// constant attribute will cost nothing then, so it must not count as lost now.
    pub(crate) fn for_rounds(self, problem: &Problem) -> Self {
        let way = match self.way {
            Way::Cells(cells) => Way::Cells(cells.for_rounds(problem)),
            other => other,
        };
        Self { way, ..self }
    }

    /// The objective of the generalization alone, regardless of suppression; `None` if the loss is
    /// not a sum over cells.
    pub(crate) fn of_levels(&self) -> Option<Self> {
        match &self.way {
            Way::Cells(cells) => Some(Self { loss: self.loss, way: Way::Levels(cells.clone()) }),
            _ => None,
        }
    }

    /// Gives nodes the costs of this loss.
    pub(crate) fn price(&self, nodes: &mut Nodes<'_>) {
        if let Way::Cells(cells) | Way::Levels(cells) = &self.way {
            cells.price(nodes);
        }
    }

    /// Whether the counts of nodes give a lower bound.
    pub(crate) fn has_bound(&self) -> bool {
        !matches!(self.way, Way::Partition)
    }

    /// Whether the number of classes gives a lower bound.
    pub(crate) fn counts_classes(&self) -> bool {
        matches!(self.way, Way::Discernibility | Way::ClassSize { .. })
    }

    /// The amount that each attribute adds to the loss of a node at each of its levels from `lows`
    /// on, if no record is suppressed; `None` if the loss is not a sum over the attributes.
    pub(crate) fn of_levels_alone(
        &self,
        nodes: &Nodes<'_>,
        lows: &[Level],
    ) -> Option<Vec<Vec<f64>>> {
        if !matches!(self.way, Way::Cells(_) | Way::Levels(_)) {
            return None;
        }
        let n_cells = nodes.n_records() as f64 * lows.len() as f64;
        let of_ladder = |(ladder, low): (&Ladder, &Level)| {
            let levels = (low.index()..=ladder.top().index()).map(Level::new);
            levels.map(|level| ladder.rung(level).cost() / n_cells).collect()
        };
        Some(nodes.ladders().iter().zip(lows).map(of_ladder).collect())
    }

    /// Whether the loss is a sum over the attributes.
    pub(crate) fn is_sum_over_attributes(&self) -> bool {
        matches!(self.way, Way::Cells(_))
    }

    /// A lower bound of the loss of some attributes on any node on which at most `most_failing`
    /// records fail, given a lower bound of the losses of nodes with the others at the top.
    pub(crate) fn least_of(
        &self,
        nodes: &Nodes<'_>,
        block: &[usize],
        least: f64,
        most_failing: u64,
    ) -> f64 {
        match &self.way {
            Way::Cells(cells) => cells.least_of(nodes, block, least, most_failing),
            _ => f64::NEG_INFINITY,
        }
    }

    /// The loss as reports show it, given the number that searches compare.
    pub(crate) fn penalty(&self, number: f64) -> f64 {
        match &self.way {
            Way::Cells(cells) => cells.penalty(number),
            _ => number,
        }
    }

    /// Counts a node, and computes its loss if no more than `most_failing` records fail.
    pub(crate) fn of_node(
        &self,
        nodes: &mut Nodes<'_>,
        levels: &[Level],
        most_failing: u64,
    ) -> Evaluated {
        let (n_records, least) = (nodes.n_records(), nodes.problem().least_size());
        let classes = nodes.count(levels);
        let (n_failing, n_lost) = (classes.n_failing(), classes.n_lost());
        let counts_classes = self.counts_classes();
        let most_classes = if counts_classes { classes.most_classes(least) } else { u64::MAX };
        if n_failing > most_failing {
            return Evaluated { n_failing, n_lost, most_classes, loss: None };
        }
        let width = levels.len() as f64;
        let loss = match &self.way {
            Way::Cells(cells) => classes.cost(cells.lost()) / (n_records as f64 * width),
            Way::Levels(_) => generalization(nodes, levels),
            Way::Discernibility => classes.discernibility(),
            Way::ClassSize { with_suppressed, k } => {
                let n_of = if *with_suppressed { n_records } else { n_records - n_failing };
                n_of as f64 / (classes.n_classes().max(1) as f64 * k)
            }
            Way::MeanClass => {
                // All suppressed records together are one class that loses everything.
                let lost = f64::from(n_failing > 0);
                let n_classes = classes.n_classes() as f64 + lost;
                (classes.cost_of_classes() + lost * width) / (n_classes * width)
            }
            Way::WorstClass => worst(nodes, levels, n_failing),
            Way::Partition => self.of_recoding(nodes.problem(), &proposal(nodes, levels)),
        };
        Evaluated { n_failing, n_lost, most_classes, loss: Some(loss) }
    }

    /// Returns the loss of a proposal; for a gain, its shortfall.
    pub(crate) fn of_recoding(&self, problem: &Problem, proposal: &Proposal) -> f64 {
        // A loss that applies to one class of all records applies to any.
        self.loss.penalty(&Partition::of(problem, proposal)).unwrap_or(f64::INFINITY)
    }

    /// Returns a lower bound of the loss on a node.
    ///
    /// A record that does not fail costs what its levels cost, so the bound assumes that the
    /// failing records are the most expensive ones. Sizes of classes are at least the required
    /// size, and the classes are no more than the combinations of groups.
    pub(crate) fn bound(&self, nodes: &Nodes<'_>, levels: &[Level], known: Known) -> f64 {
        let (n_records, n_failing) = (nodes.n_records() as f64, known.n_failing as f64);
        let least = nodes.problem().least_size() as f64;
        let rungs = nodes.ladders().iter().zip(levels).map(|(ladder, &at)| ladder.rung(at));
        let width = levels.len() as f64;
        let most_classes = || {
            let groups: f64 = rungs.clone().map(|rung| rung.n_used as f64).product();
            let by_size = ((n_records - n_failing) / least).floor();
            groups.min(by_size).min(known.most_classes as f64).max(1.0)
        };
        match &self.way {
            Way::Cells(cells) => {
                let published: f64 =
                    rungs.map(|rung| rung.cost() - rung.most_cost(known.n_failing)).sum();
                (published + cells.lost() * n_failing) / (n_records * width)
            }
            Way::Levels(_) => generalization(nodes, levels),
            Way::Discernibility => {
                // Of classes that are no more than `most`, equal ones have the least squares. A
                // suppressed record counts as if its class were the whole table. That costs more
                // than publishing it, unless all records are in one class.
                let most = most_classes();
                let total = |n_failing: f64, size: f64| {
                    (n_records - n_failing) * size + n_failing * n_records
                };
                let best = (n_records * (1.0 - most / 2.0)).min(known.most_failing as f64);
                let best = best.max(n_failing);
                total(n_failing, least).max(total(best, (n_records - best) / most))
            }
            Way::ClassSize { with_suppressed, k } => {
                let most_failing = if *with_suppressed { 0.0 } else { known.most_failing as f64 };
                (n_records - most_failing).max(0.0) / (most_classes() * k)
            }
            Way::MeanClass => rungs.map(|rung| rung.extremes.0).sum::<f64>() / width,
            Way::WorstClass => worst(nodes, levels, known.n_failing),
            Way::Partition => f64::NEG_INFINITY,
        }
    }
}

/// The mean cost of a cell if no record is suppressed.
fn generalization(nodes: &Nodes<'_>, levels: &[Level]) -> f64 {
    let rungs = nodes.ladders().iter().zip(levels).map(|(ladder, &at)| ladder.rung(at));
    rungs.map(Rung::cost).sum::<f64>() / (nodes.n_records() as f64 * levels.len() as f64)
}

/// The mean over the attributes of the greatest cost; 1 if records fail.
fn worst(nodes: &Nodes<'_>, levels: &[Level], n_failing: u64) -> f64 {
    if n_failing > 0 {
        return 1.0;
    }
    let rungs = nodes.ladders().iter().zip(levels).map(|(ladder, &at)| ladder.rung(at));
    rungs.map(|rung| rung.extremes.1).sum::<f64>() / levels.len() as f64
}
