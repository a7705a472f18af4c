//! Counts the classes of any node of a lattice, in any order.

use super::groups::{Groups, Merger};
use super::{Ladder, ladders};
use crate::problem::Problem;

/// Snapshots may hold so many times the groups of the table itself.
const MOST_KEPT: usize = 8;

/// A lattice whose nodes are counted one by one.
///
/// Counts come from *snapshots*: groups in which every attribute is either as it is or on its
/// highest level, where it tells nothing apart. A node is counted from the smallest snapshot below
/// it. So nodes near the top, of few classes, cost little, and no order of visits is asked for.
#[derive(Debug)]
pub(crate) struct Nodes<'a> {
    problem: &'a Problem<'a>,
    ladders: Vec<Ladder>,
    n_records: u64,
    merger: Merger,
    snapshots: Vec<Snapshot>,
    n_kept: usize,
    now: Groups,
    holds: Vec<bool>,
}

#[derive(Debug)]
struct Snapshot {
    levels: Vec<u32>,
    groups: Groups,
}

/// The classes of a node.
pub(crate) struct Classes<'a> {
    nodes: &'a Nodes<'a>,
    levels: &'a [u32],
    n_failing: u64,
}

impl<'a> Nodes<'a> {
    /// The lattice of some records of some cohorts, of a problem without an
    /// [obstacle](super::obstacle).
    pub(crate) fn of(problem: &'a Problem<'a>, members: &[(u32, u64)]) -> Self {
        let mut merger = Merger::new(problem);
        let groups = merger.base(problem, members);
        let ladders = ladders(problem, members);
        Self {
            problem,
            n_records: groups.counts.iter().sum(),
            n_kept: groups.counts.len(),
            snapshots: vec![Snapshot { levels: vec![0; ladders.len()], groups }],
            ladders,
            merger,
            now: Groups::default(),
            holds: Vec::new(),
        }
    }

    /// The lattice of all records.
    pub(crate) fn of_all(problem: &'a Problem<'a>) -> Self {
        let members: Vec<(u32, u64)> = (0..).zip(problem.cohorts().counts.iter().copied()).collect();
        Self::of(problem, &members)
    }

    pub(crate) fn problem(&self) -> &'a Problem<'a> {
        self.problem
    }

    pub(crate) fn ladders(&self) -> &[Ladder] {
        &self.ladders
    }

    pub(crate) fn n_records(&self) -> u64 {
        self.n_records
    }

    /// Whether what fails on a node fails below it, so that a search may prune.
    pub(crate) fn is_monotone(&self) -> bool {
        self.problem.goal().is_monotone() && self.ladders.iter().all(|ladder| ladder.nested)
    }

    /// Counts the classes of a node.
    pub(crate) fn count<'s>(&'s mut self, levels: &'s [u32]) -> Classes<'s> {
        self.keep_below(levels);
        let from = self.source(levels);
        let Snapshot { levels: at, groups } = &self.snapshots[from];
        self.merger.raise((groups, at), &self.ladders, levels, &mut self.now);
        self.find_holding(from);
        let classes = self.now.counts.iter().zip(&self.holds);
        let n_failing = classes.filter(|(_, holds)| !**holds).map(|(count, _)| count).sum();
        Classes { nodes: self, levels, n_failing }
    }

    /// Makes the snapshot that belongs to a node, unless there are enough.
    fn keep_below(&mut self, levels: &[u32]) {
        let floor = levels.iter().zip(&self.ladders);
        let floor = floor.map(|(&level, ladder)| if level == ladder.top() { level } else { 0 });
        let floor: Vec<u32> = floor.collect();
        let base = self.snapshots[0].groups.counts.len();
        let is_known = self.snapshots.iter().any(|snapshot| snapshot.levels == floor);
        if is_known || self.n_kept > base.saturating_mul(MOST_KEPT) {
            return;
        }
        let from = &self.snapshots[self.source(&floor)];
        let mut groups = Groups::default();
        self.merger.raise((&from.groups, &from.levels), &self.ladders, &floor, &mut groups);
        if !from.groups.tallies.is_empty() {
            groups.tallies = vec![self.problem.goal().tally(); groups.counts.len()];
            for (tally, &place) in from.groups.tallies.iter().zip(self.merger.places()) {
                groups.tallies[place as usize].absorb(tally);
            }
        }
        self.n_kept += groups.counts.len();
        self.snapshots.push(Snapshot { levels: floor, groups });
    }

    /// The smallest snapshot that a node can be counted from.
    fn source(&self, levels: &[u32]) -> usize {
        let is_below = |snapshot: &Snapshot| snapshot.levels.iter().zip(levels).all(|(a, b)| a <= b);
        let below = (0..self.snapshots.len()).filter(|&place| is_below(&self.snapshots[place]));
        below.min_by_key(|&place| self.snapshots[place].groups.counts.len()).unwrap_or(0)
    }

    /// Finds out which of the classes just counted hold.
    fn find_holding(&mut self, from: usize) {
        let goal = self.problem.goal();
        self.holds.clear();
        if goal.looks_only_at_sizes() {
            self.holds.extend(self.now.counts.iter().map(|&count| count >= goal.least_size()));
            return;
        }
        let places = self.merger.places();
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        order.sort_by_key(|&group| places[group as usize]);
        let tallies = &self.snapshots[from].groups.tallies;
        let mut tally = goal.tally();
        for members in order.chunk_by(|&a, &b| places[a as usize] == places[b as usize]) {
            tally.clear();
            members.iter().for_each(|&group| tally.absorb(&tallies[group as usize]));
            self.holds.push(goal.holds(&tally));
        }
    }
}

impl Classes<'_> {
    /// How many records are in classes that are not private.
    pub(crate) fn n_failing(&self) -> u64 {
        self.n_failing
    }

    /// The discernibility penalty: see [`Dm`](crate::loss::Dm), which counts the same.
    pub(crate) fn discernibility(&self) -> f64 {
        let Nodes { now, holds, n_records, .. } = self.nodes;
        let published = now.counts.iter().zip(holds).filter(|(_, holds)| **holds);
        let squares: f64 = published.map(|(&count, _)| count as f64 * count as f64).sum();
        squares + *n_records as f64 * self.n_failing as f64
    }

    /// The cost of all cells; one that is suppressed costs 1.
    pub(crate) fn cost(&self) -> f64 {
        let Nodes { now, holds, ladders, merger, .. } = self.nodes;
        let rungs: Vec<_> = ladders.iter().zip(self.levels).map(|(l, &at)| l.rung(at)).collect();
        // Failing classes are taken out of the sum over all records.
        let all: f64 = rungs.iter().map(|rung| rung.cost()).sum();
        let failing = (0..holds.len()).filter(|&group| !holds[group]).map(|group| {
            let cells = rungs.iter().enumerate();
            let cost = |(a, rung): (usize, &&super::ladder::Rung)| {
                rung.costs[merger.packing().leaf(now, group, a)]
            };
            now.counts[group] as f64 * (rungs.len() as f64 - cells.map(cost).sum::<f64>())
        });
        all + failing.sum::<f64>()
    }
}
