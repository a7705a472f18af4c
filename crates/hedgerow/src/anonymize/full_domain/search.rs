//! Finds the node of least loss in a lattice, from the top down, and prunes by lower bounds.

use super::{Objective, ROUNDING, unreachable};
use crate::error::Advice;
use crate::hierarchy::Level;
use crate::lattice::{Grid, Nodes, Vertex};
use crate::noun::counted;
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// A search for the node of least loss.
pub(crate) struct Search<'s, 'p> {
    nodes: &'s mut Nodes<'p>,
    objective: Objective,
    /// Number of records that may fail.
    most_failing: u64,
    /// Maximum number of nodes to count.
    budget: Option<u64>,
    progress: &'s dyn Progress,
    grid: Grid,
    /// A lower bound of the number of failing records, for each node.
    failing: Vec<u64>,
    is_counted: Vec<bool>,
    is_monotone: bool,
    n_counted: u64,
    best: Option<(f64, Vertex)>,
    end: End,
}

/// The result of a search.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// The levels of the node.
    pub(crate) levels: Vec<Level>,
    /// Its loss.
    pub(crate) loss: f64,
    /// A lower bound of the loss of all nodes.
    pub(crate) bound: f64,
    /// Number of nodes that were counted.
    pub(crate) n_counted: u64,
    /// Number of nodes of the lattice.
    pub(crate) n_nodes: usize,
    pub(crate) end: End,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Every node was counted or ruled out, so the result is optimal.
    Proved,
    /// The budget of counted nodes is used up.
    Budget,
    /// The time limit of the caller is reached.
    Time,
}

impl<'s, 'p> Search<'s, 'p> {
    pub(crate) fn new(
        nodes: &'s mut Nodes<'p>,
        objective: Objective,
        most_failing: u64,
        progress: &'s dyn Progress,
    ) -> Self {
        let grid = Grid::new(nodes.ladders());
        // At least one record must be published.
        let most_failing = most_failing.min(nodes.n_records().saturating_sub(1));
        nodes.allow(most_failing);
        Self {
            objective,
            most_failing,
            budget: None,
            progress,
            failing: vec![0; grid.len()],
            is_counted: vec![false; grid.len()],
            is_monotone: nodes.is_monotone(most_failing),
            grid,
            nodes,
            n_counted: 0,
            best: None,
            end: End::Proved,
        }
    }

    /// Limits the number of nodes that are counted.
    pub(crate) fn with_budget(mut self, budget: Option<u64>) -> Self {
        self.budget = budget;
        self
    }

    /// Runs the search.
    pub(crate) fn run(mut self) -> Result<Found> {
        self.descend()?;
        let mut bound = f64::INFINITY;
        // Layer by layer, so that all nodes directly above a node are visited before it.
        for node in self.grid.layers().into_iter().rev().flatten() {
            bound = bound.min(self.visit(node)?);
        }
        self.lower()?;
        self.found(bound)
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
                let bound = self.objective.bound(self.nodes, &levels, self.failing[node.index()]);
                if self.failing[node.index()] > self.most_failing || bound > least + ROUNDING {
                    continue;
                }
                stop_if_cancelled(self.progress)?;
                let (_, loss) = self.objective.of_node(self.nodes, &levels, self.most_failing);
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

    /// Descends from the top, each time to the node of least loss, to start with a good upper
    /// bound.
    fn descend(&mut self) -> Result<()> {
        self.visit(self.grid.top())?;
        // Without bounds from counts, a good loss to start with cannot prune anything.
        let mut next = self.best.filter(|_| self.objective.is_counted());
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
    /// If records that fail on a node also fail below it, at least as many records fail here as on
    /// any node directly above. That number may exceed the limit or make the lower bound too large.
    fn visit(&mut self, node: Vertex) -> Result<f64> {
        if self.is_counted[node.index()] {
            return Ok(f64::INFINITY);
        }
        let levels = self.grid.levels(node);
        if self.is_monotone {
            let above = self.grid.above(&levels).map(|above| self.failing[above.index()]);
            self.failing[node.index()] = above.fold(self.nodes.least_failing(&levels), u64::max);
        }
        // The top is always counted, so that an error can name how many records fail there.
        if self.failing[node.index()] > self.most_failing && self.n_counted > 0 {
            return Ok(f64::INFINITY);
        }
        let bound = self.objective.bound(self.nodes, &levels, self.failing[node.index()]);
        if self.is_beaten(bound) {
            return Ok(f64::INFINITY);
        }
        if !self.may_count() {
            return Ok(bound);
        }
        self.count(node, &levels)?;
        Ok(f64::INFINITY)
    }

    fn is_beaten(&self, bound: f64) -> bool {
        self.best.is_some_and(|(best, _)| bound >= best - ROUNDING)
    }

    fn may_count(&mut self) -> bool {
        if self.end == End::Proved {
            if self.budget.is_some_and(|budget| self.n_counted >= budget) {
                self.end = End::Budget;
            } else if self.n_counted > 0 && self.progress.out_of_time() {
                self.end = End::Time;
            }
        }
        self.end == End::Proved
    }

    fn count(&mut self, node: Vertex, levels: &[Level]) -> Result<()> {
        stop_if_cancelled(self.progress)?;
        let (n_failing, loss) = self.objective.of_node(self.nodes, levels, self.most_failing);
        self.failing[node.index()] = n_failing;
        self.is_counted[node.index()] = true;
        self.n_counted += 1;
        self.progress.advance(self.n_counted, self.grid.len() as u64);
        if let Some(loss) = loss.filter(|&loss| !self.is_beaten(loss)) {
            self.best = Some((loss, node));
        }
        Ok(())
    }

    fn found(self, bound: f64) -> Result<Found> {
        let Some((loss, node)) = self.best else {
            // For nodes that were not counted, only lower bounds are known.
            let known = self.failing.iter().zip(&self.is_counted).filter(|(_, is)| **is);
            let least = known.map(|(failing, _)| *failing).min().unwrap_or(0);
            return Err(match self.end {
                End::Proved => unreachable(self.nodes.problem(), least),
                End::Budget | End::Time => {
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
            n_nodes: self.grid.len(),
            end: self.end,
        })
    }
}
