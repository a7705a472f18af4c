//! Finds the node of least loss in a lattice, from the top down, and prunes by lower bounds.

use super::frontier::Frontier;
use super::objective::{Evaluated, Known};
use super::{Objective, ROUNDING, unreachable};
use crate::error::Advice;
use crate::hierarchy::Level;
use crate::lattice::{Grid, Nodes, Vertex};
use crate::noun::counted;
use crate::progress::{Progress, stop_at, stop_if_cancelled};
use crate::{Error, Result};

/// Number of failed nodes that are kept, because a node is compared with each of them. With more of
/// them, a sweep is faster, which asks only the nodes directly above.
const MOST_FAILED: usize = 4_096;

/// The objective and the limits of a search.
#[derive(Clone, Copy)]
pub(crate) struct Aim<'s> {
    pub(crate) objective: &'s Objective,
    /// Number of records that may fail.
    pub(crate) most_failing: u64,
    /// Maximum number of nodes to count.
    pub(crate) budget: Option<u64>,
    pub(crate) progress: &'s dyn Progress,
}

impl Aim<'_> {
    /// Prepares nodes for a search. At least one record must be published.
    pub(super) fn prepare(mut self, nodes: &mut Nodes<'_>) -> Self {
        self.most_failing = self.most_failing.min(nodes.n_records().saturating_sub(1));
        nodes.allow(self.most_failing);
        self.objective.price(nodes);
        self
    }
}

/// A search for the node of least loss.
pub(crate) struct Search<'s, 'p> {
    nodes: &'s mut Nodes<'p>,
    aim: Aim<'s>,
    grid: Grid,
    /// A lower bound of the number of failing records, for each node.
    failing: Vec<u64>,
    /// An upper bound of the number of classes, for each node; empty if classes are not counted.
    most_classes: Vec<u64>,
    is_counted: Vec<bool>,
    /// The levels of nodes that are known to fail, where no record may; at most [`MOST_FAILED`].
    failed: Vec<Level>,
    /// Whether more nodes are known to fail than are kept.
    is_full: bool,
    inference: Inference,
    n_counted: u64,
    /// The least number of failing records on a node that was counted.
    least_failing: u64,
    best: Option<(f64, Vertex)>,
    end: End,
}

/// The conclusion that the count of a node allows about the nodes below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inference {
    /// Nothing, because levels are not nested.
    Nothing,
    /// Records that fail however their class is divided also fail below.
    Lost,
    /// If records fail, some also fail below, where none may.
    Failing,
}

impl Inference {
    fn new(nodes: &Nodes<'_>, most_failing: u64) -> Self {
        match nodes.is_nested() {
            false => Self::Nothing,
            true if nodes.problem().goal().prunes(most_failing) => Self::Failing,
            true => Self::Lost,
        }
    }
}

/// The result of a search.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// The levels of the node.
    pub(crate) levels: Vec<Level>,
    /// Its loss, as searches compare it.
    pub(crate) loss: f64,
    /// A lower bound of the loss of all nodes, as searches compare it.
    pub(crate) bound: f64,
    /// Number of nodes that were counted.
    pub(crate) n_counted: u64,
    /// Number of nodes of the lattice; `None` if that is 2^64 or more.
    pub(crate) n_nodes: Option<u64>,
    pub(crate) end: End,
}

/// The reason that a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Every node was counted or ruled out, so the result is optimal.
    Proved,
    /// The budget of counted nodes is used up.
    Budget,
    /// The time limit of the caller is reached.
    Time,
    /// Nothing is left to try, but that proves nothing.
    Tried,
    /// Only the nodes near some of the local optima were tried, because there are too many to keep.
    Full,
}

impl Found {
    /// The result with the losses that reports show.
    pub(crate) fn shown(self, objective: &Objective) -> Self {
        let [loss, bound] = [self.loss, self.bound].map(|number| objective.penalty(number));
        Self { loss, bound, ..self }
    }
}

impl<'s, 'p> Search<'s, 'p> {
    pub(crate) fn new(nodes: &'s mut Nodes<'p>, aim: Aim<'s>) -> Self {
        let lows = vec![Level::VALUES; nodes.ladders().len()];
        Self::above(nodes, aim, lows)
    }

    /// A search of the nodes at or above the levels `lows`.
    pub(crate) fn above(nodes: &'s mut Nodes<'p>, aim: Aim<'s>, lows: Vec<Level>) -> Self {
        let grid = Grid::above_of(nodes.ladders(), lows);
        let aim = aim.prepare(nodes);
        let n_bounded = if aim.objective.counts_classes() { grid.len() } else { 0 };
        Self {
            failing: vec![0; grid.len()],
            most_classes: vec![u64::MAX; n_bounded],
            is_counted: vec![false; grid.len()],
            failed: Vec::new(),
            is_full: false,
            inference: Inference::new(nodes, aim.most_failing),
            grid,
            nodes,
            aim,
            n_counted: 0,
            least_failing: u64::MAX,
            best: None,
            end: End::Proved,
        }
    }

    /// Runs the search.
    pub(crate) fn run(mut self) -> Result<Found> {
        self.visit(self.grid.top())?;
        // Without bounds from counts, a good loss to start with cannot prune anything.
        if self.aim.objective.has_bound() {
            self.descend()?;
        }
        let bound = if self.is_proved_by_frontier()? { f64::INFINITY } else { self.sweep()? };
        self.lower()?;
        self.found(bound)
    }

    /// Visits the frontier of the best node until every node of it fails. `false` if that proves
    /// nothing here, or if the search has ended before.
    fn is_proved_by_frontier(&mut self) -> Result<bool> {
        if !self.is_strict() {
            return Ok(false);
        }
        let Some(frontier) = Frontier::of(self.aim.objective, self.nodes, &self.grid) else {
            return Ok(false);
        };
        while let Some((least, best)) = self.best {
            let mut all_fail = true;
            let Some(nodes) = frontier.below(least, &self.grid, self.aim.progress)? else {
                return Ok(false);
            };
            for node in nodes {
                stop_if_cancelled(self.aim.progress)?;
                if self.is_full {
                    return Ok(false);
                }
                if self.is_below_failed(node) {
                    // Nodes that are ruled out without a count take time, too.
                    self.advance();
                    self.may_count();
                } else {
                    self.visit(node)?;
                    // A node that was given up for its loss proves nothing about those below.
                    all_fail &= self.failing[node.index()] > self.aim.most_failing;
                }
                if self.end != End::Proved {
                    return Ok(false);
                }
            }
            if self.best.is_some_and(|(_, node)| node == best) {
                return Ok(all_fail);
            }
            self.descend()?;
        }
        Ok(false)
    }

    /// Visits all nodes that are not ruled out, and returns a lower bound of those that were not
    /// counted because the search has ended.
    fn sweep(&mut self) -> Result<f64> {
        let mut bound = f64::INFINITY;
        let mut layer = vec![self.grid.top()];
        let mut is_met = vec![false; self.grid.len()];
        let mut n_visited = 0;
        // Layer by layer, so that all nodes directly above a node are visited before it.
        while !layer.is_empty() {
            let mut next = Vec::new();
            for node in layer {
                stop_at(n_visited, self.aim.progress)?;
                n_visited += 1;
                bound = bound.min(self.visit(node)?);
                if self.is_dead_below(node) {
                    continue;
                }
                let below = self.grid.below_of(node);
                next.extend(below.filter(|b| !std::mem::replace(&mut is_met[b.index()], true)));
            }
            next.sort_unstable();
            layer = next;
        }
        Ok(bound)
    }

    /// Moves down from the best node while the loss does not rise, so nothing is generalized
    /// without need.
    fn lower(&mut self) -> Result<()> {
        while self.end == End::Proved
            && let Some((least, node)) = self.best
        {
            let levels = self.grid.levels(node);
            // Tries the nodes directly below until one is as good, then continues from that one.
            let mut below = self.grid.below(&levels).collect::<Vec<_>>().into_iter();
            let equal = loop {
                let Some(node) = below.next() else { return Ok(()) };
                let levels = self.grid.levels(node);
                let bound = self.aim.objective.bound(self.nodes, &levels, self.known(node));
                if self.failing[node.index()] > self.aim.most_failing || bound > least + ROUNDING {
                    continue;
                }
                stop_if_cancelled(self.aim.progress)?;
                let loss =
                    self.aim.objective.of_node(self.nodes, &levels, self.aim.most_failing).loss;
                self.n_counted +=
                    u64::from(!std::mem::replace(&mut self.is_counted[node.index()], true));
                if let Some(loss) = loss.filter(|&loss| loss <= least + ROUNDING) {
                    break (loss, node);
                }
            };
            self.best = Some(equal);
        }
        Ok(())
    }

    /// Descends from the best node, each time to the node of least loss, so that the search has a
    /// good upper bound.
    fn descend(&mut self) -> Result<()> {
        let mut next = self.best;
        while let Some((_, node)) = next {
            let levels = self.grid.levels(node);
            for below in self.grid.below(&levels).collect::<Vec<_>>() {
                self.visit(below)?;
            }
            next = self.best.filter(|&(_, best)| best != node);
        }
        Ok(())
    }

    /// Counts a node unless it is ruled out. Returns the node's lower bound if it should be counted
    /// but the search has ended, otherwise infinity.
    ///
    /// Records that fail however their class is divided also fail below, so at least as many
    /// records fail here as on any node directly above. That number may exceed the limit or make
    /// the lower bound too large.
    fn visit(&mut self, node: Vertex) -> Result<f64> {
        if self.is_counted[node.index()] {
            return Ok(f64::INFINITY);
        }
        let levels = self.grid.levels(node);
        self.infer(node, &levels);
        // The top is always counted, so that an error can state the number of records that fail
        // there.
        if self.failing[node.index()] > self.aim.most_failing && self.n_counted > 0 {
            return Ok(f64::INFINITY);
        }
        let bound = self.aim.objective.bound(self.nodes, &levels, self.known(node));
        if self.is_beaten(bound) {
            return Ok(f64::INFINITY);
        }
        if !self.may_count() {
            return Ok(bound);
        }
        self.count(node, &levels)?;
        Ok(f64::INFINITY)
    }

    /// Whether too many records fail on every node below a node.
    fn is_dead_below(&self, node: Vertex) -> bool {
        self.inference != Inference::Nothing && self.failing[node.index()] > self.aim.most_failing
    }

    /// Whether one class that is too small rules a node out, with all nodes below it.
    fn is_strict(&self) -> bool {
        self.inference == Inference::Failing && self.aim.most_failing == 0
    }

    /// Whether a node is below one that fails, or is one.
    fn is_below_failed(&self, node: Vertex) -> bool {
        let levels = self.grid.levels(node);
        let mut failed = self.failed.chunks(levels.len());
        failed.any(|failed| levels.iter().zip(failed).all(|(level, failed)| level <= failed))
    }

    /// Notes the conclusions from the nodes directly above a node.
    fn infer(&mut self, node: Vertex, levels: &[Level]) {
        let mut failing = self.nodes.least_failing(levels);
        if self.inference != Inference::Nothing {
            let above = self.grid.above(levels).map(|above| self.failing[above.index()]);
            failing = above.fold(failing, u64::max);
            if !self.most_classes.is_empty() {
                let above = self.grid.above(levels).map(|above| self.most_classes[above.index()]);
                self.most_classes[node.index()] = above.fold(u64::MAX, u64::min);
            }
        }
        self.failing[node.index()] = failing;
    }

    fn known(&self, node: Vertex) -> Known {
        let most_classes = self.most_classes.get(node.index()).copied();
        Known {
            n_failing: self.failing[node.index()],
            most_classes: most_classes.unwrap_or(u64::MAX),
            most_failing: self.aim.most_failing,
        }
    }

    fn is_beaten(&self, bound: f64) -> bool {
        self.best.is_some_and(|(best, _)| bound >= best - ROUNDING)
    }

    fn may_count(&mut self) -> bool {
        if self.end == End::Proved {
            if self.aim.budget.is_some_and(|budget| self.n_counted >= budget) {
                self.end = End::Budget;
            } else if self.n_counted > 0 && self.aim.progress.out_of_time() {
                self.end = End::Time;
            }
        }
        self.end == End::Proved
    }

    fn count(&mut self, node: Vertex, levels: &[Level]) -> Result<()> {
        stop_if_cancelled(self.aim.progress)?;
        let is_strict = self.is_strict();
        if is_strict && self.n_counted > 0 && self.nodes.has_small(levels) {
            self.failing[node.index()] = self.nodes.n_records();
            self.is_counted[node.index()] = true;
            self.note_failed(levels);
            return Ok(());
        }
        let Evaluated { n_failing, n_lost, most_classes, loss } =
            self.aim.objective.of_node(self.nodes, levels, self.aim.most_failing);
        self.failing[node.index()] = match self.inference {
            Inference::Nothing => 0,
            Inference::Lost => n_lost.max(self.failing[node.index()]),
            Inference::Failing => n_failing,
        };
        if let (Some(most), true) =
            (self.most_classes.get_mut(node.index()), self.inference != Inference::Nothing)
        {
            *most = most_classes.min(*most);
        }
        if is_strict && n_failing > 0 {
            self.nodes.note_small(levels);
            self.note_failed(levels);
        }
        self.is_counted[node.index()] = true;
        self.n_counted += 1;
        self.least_failing = self.least_failing.min(n_failing);
        self.advance();
        if let Some(loss) = loss.filter(|&loss| !self.is_beaten(loss)) {
            self.best = Some((loss, node));
        }
        Ok(())
    }

    /// Keeps the levels of a node that fails, unless there are too many.
    fn note_failed(&mut self, levels: &[Level]) {
        if self.failed.len() < MOST_FAILED * levels.len() {
            self.failed.extend(levels);
        } else {
            self.is_full = true;
        }
    }

    /// Reports the number of nodes that were counted.
    fn advance(&self) {
        self.aim.progress.advance(self.n_counted, self.grid.len() as u64);
    }

    fn found(self, bound: f64) -> Result<Found> {
        let Some((loss, node)) = self.best else {
            return Err(match self.end {
                End::Proved => unreachable(self.nodes.problem(), self.least_failing),
                End::Budget | End::Time | End::Tried | End::Full => {
                    let of = counted(self.grid.len(), "node");
                    let problem = format!("no release was found in {} of {of}", self.n_counted);
                    Error::unreachable(problem).advise([Advice::words("allow more time or nodes")])
                }
            });
        };
        Ok(Found {
            levels: self.grid.levels(node),
            loss,
            bound: bound.min(loss),
            n_counted: self.n_counted,
            n_nodes: Some(self.grid.len() as u64),
            end: self.end,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::builder;
    use crate::loss::Choice;
    use crate::privacy::KAnonymity;
    use crate::problem::Problem;
    use crate::progress::Silent;
    use crate::table::Table;

    /// A caller who cancels the search at some time.
    #[derive(Default)]
    struct Fickle {
        has_cancelled: AtomicBool,
    }

    impl Progress for Fickle {
        fn cancelled(&self) -> bool {
            self.has_cancelled.load(Ordering::Relaxed)
        }
    }

    fn problem() -> Problem {
        let table = Table::from_rows(&["a", "b"], &[["1", "2"], ["3", "4"]]).unwrap();
        let build = |column| builder::build(&"iotf".parse().unwrap(), column, None).unwrap();
        let built = table.columns().iter().map(build).collect();
        let model = Box::new(KAnonymity::new(2).unwrap());
        Problem::new(&table, built, vec![model]).unwrap()
    }

    #[test]
    fn a_sweep_that_counts_nothing_more_can_be_cancelled() {
        let problem = problem();
        let objective = Objective::new(Choice::default(), &problem).unwrap();
        let progress = Fickle::default();
        let aim = Aim { objective: &objective, most_failing: 0, budget: None, progress: &progress };
        let mut nodes = Nodes::of_all(&problem);
        let mut search = Search::new(&mut nodes, aim);
        // Only the top does not fail, and it is counted already.
        search.visit(search.grid.top()).unwrap();
        search.sweep().unwrap();
        assert_eq!(search.n_counted, 1);
        progress.has_cancelled.store(true, Ordering::Relaxed);
        assert!(matches!(search.sweep(), Err(Error::Cancelled)));
    }

    #[test]
    fn the_nodes_that_are_known_to_fail_are_limited() {
        let problem = problem();
        let objective = Objective::new(Choice::default(), &problem).unwrap();
        let aim = Aim { objective: &objective, most_failing: 0, budget: None, progress: &Silent };
        let mut nodes = Nodes::of_all(&problem);
        let mut search = Search::new(&mut nodes, aim);
        for _ in 0..=MOST_FAILED {
            assert!(!search.is_full);
            search.note_failed(&[Level::VALUES; 2]);
        }
        assert!(search.is_full && search.failed.len() == 2 * MOST_FAILED);
    }
}
