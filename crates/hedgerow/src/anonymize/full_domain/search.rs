//! The least loss over a lattice: from the top down, leaving out what bounds rule out.

use super::{Objective, ROUNDING, unreachable};
use crate::error::Advice;
use crate::lattice::{Grid, Nodes};
use crate::noun::counted;
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// A search for the node of least loss.
pub(crate) struct Search<'s, 'p> {
    nodes: &'s mut Nodes<'p>,
    objective: Objective,
    /// How many records may fail.
    most_failing: u64,
    /// How many nodes may be counted.
    budget: Option<u64>,
    progress: &'s dyn Progress,
    grid: Grid,
    /// For each node, a number of records that fail there at least.
    failing: Vec<u64>,
    is_counted: Vec<bool>,
    is_monotone: bool,
    n_counted: u64,
    best: Option<(f64, usize)>,
    end: End,
}

/// What was found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// The node.
    pub(crate) levels: Vec<u32>,
    /// Its loss.
    pub(crate) loss: f64,
    /// No node loses less than this.
    pub(crate) bound: f64,
    /// How many nodes were counted, of how many.
    pub(crate) n_counted: u64,
    pub(crate) n_nodes: usize,
    pub(crate) end: End,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Every node was counted or ruled out.
    Proved,
    /// As many nodes were counted as may be.
    Budget,
    /// The caller's time is up.
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
        // A release of nothing is no release.
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

    /// Ends the search when so many nodes are counted.
    pub(crate) fn with_budget(mut self, budget: Option<u64>) -> Self {
        self.budget = budget;
        self
    }

    /// Searches.
    pub(crate) fn run(mut self) -> Result<Found> {
        self.descend()?;
        let mut bound = f64::INFINITY;
        for node in self.grid.layers().into_iter().rev().flatten() {
            bound = bound.min(self.visit(node as usize)?);
        }
        self.lower()?;
        self.found(bound)
    }

    /// Goes down from the best node as long as no more is lost there: nothing is generalized in vain.
    fn lower(&mut self) -> Result<()> {
        while self.end == End::Proved
            && let Some((least, node)) = self.best
        {
            let levels = self.grid.levels(node);
            let mut below = self.grid.below(&levels).collect::<Vec<_>>().into_iter();
            let equal = loop {
                let Some(node) = below.next() else { return Ok(()) };
                let levels = self.grid.levels(node);
                let bound = self.objective.bound(self.nodes, &levels, self.failing[node]);
                if self.failing[node] > self.most_failing || bound > least + ROUNDING {
                    continue;
                }
                stop_if_cancelled(self.progress)?;
                let (_, loss) = self.objective.of_node(self.nodes, &levels, self.most_failing);
                self.n_counted += u64::from(!std::mem::replace(&mut self.is_counted[node], true));
                if let Some(loss) = loss.filter(|&loss| loss <= least + ROUNDING) {
                    break (loss, node);
                }
            };
            self.best = Some(equal);
        }
        Ok(())
    }

    /// Goes down from the top, each time to the node of least loss, for a good loss to begin with.
    fn descend(&mut self) -> Result<()> {
        let top = self.grid.len() - 1;
        self.visit(top)?;
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

    /// Counts a node, unless it is ruled out; gives its bound if it should be but may not be
    /// counted, else infinity.
    ///
    /// Where what fails above also fails below, the most that fails on a node just above fails here
    /// too. That alone may be too much, or make the loss too large to be the least.
    fn visit(&mut self, node: usize) -> Result<f64> {
        if self.is_counted[node] {
            return Ok(f64::INFINITY);
        }
        let levels = self.grid.levels(node);
        if self.is_monotone {
            let above = self.grid.above(&levels).map(|above| self.failing[above]);
            self.failing[node] = above.fold(self.nodes.least_failing(&levels), u64::max);
        }
        // The top is counted in any case: if it fails, it is known by how much.
        if self.failing[node] > self.most_failing && self.n_counted > 0 {
            return Ok(f64::INFINITY);
        }
        let bound = self.objective.bound(self.nodes, &levels, self.failing[node]);
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

    fn count(&mut self, node: usize, levels: &[u32]) -> Result<()> {
        stop_if_cancelled(self.progress)?;
        let (n_failing, loss) = self.objective.of_node(self.nodes, levels, self.most_failing);
        self.failing[node] = n_failing;
        self.is_counted[node] = true;
        self.n_counted += 1;
        self.progress.advance(self.n_counted, self.grid.len() as u64);
        if let Some(loss) = loss.filter(|&loss| !self.is_beaten(loss)) {
            self.best = Some((loss, node));
        }
        Ok(())
    }

    fn found(self, bound: f64) -> Result<Found> {
        let Some((loss, node)) = self.best else {
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
