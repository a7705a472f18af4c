//! Counts the classes of any node of a lattice, in any order.

use std::collections::BTreeMap;

use super::groups::{Groups, Merger, by_values};
use super::{Ladder, ladders};
use crate::problem::Problem;
use crate::table::Cohort;

/// Snapshots may hold so many times the groups of the table itself. More of them cost more to make
/// than they save.
const MOST_KEPT: usize = 10;

/// A lattice whose nodes are counted one by one.
///
/// Counts come from *snapshots*: groups in which every attribute rests on one of three levels, the
/// lowest, the middle or the highest. A node is counted from the smallest snapshot below it. So nodes
/// near the top, of few classes, cost little, and no order of visits is asked for.
#[derive(Debug)]
pub(crate) struct Nodes<'a> {
    problem: &'a Problem,
    ladders: Vec<Ladder>,
    n_records: u64,
    /// The group of each cohort, on level 0.
    group_of: Vec<u32>,
    merger: Merger,
    /// Attributes, those of many values first.
    order: Vec<usize>,
    /// The first is the table itself.
    snapshots: Vec<Snapshot>,
    /// The snapshot that others rest on.
    ground: usize,
    place_of: BTreeMap<Vec<u32>, usize>,
    /// How many groups all snapshots have.
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
    pub(crate) fn of(problem: &'a Problem, members: &[(Cohort, u64)]) -> Self {
        let mut merger = Merger::new(problem);
        let (groups, group_of) = merger.base(problem, members);
        let ladders: Vec<Ladder> =
            ladders(problem, members).into_iter().map(Ladder::for_search).collect();
        Self {
            problem,
            group_of,
            n_records: groups.counts.iter().sum(),
            n_kept: groups.counts.len(),
            snapshots: vec![Snapshot { levels: vec![0; ladders.len()], groups }],
            ground: 0,
            ladders,
            merger,
            order: by_values(problem.attributes()),
            place_of: BTreeMap::new(),
            now: Groups::default(),
            holds: Vec::new(),
        }
    }

    /// The lattice of all records.
    pub(crate) fn of_all(problem: &'a Problem) -> Self {
        let members: Vec<(Cohort, u64)> = problem.cohorts().counted().collect();
        Self::of(problem, &members)
    }

    pub(crate) fn problem(&self) -> &'a Problem {
        self.problem
    }

    pub(crate) fn ladders(&self) -> &[Ladder] {
        &self.ladders
    }

    pub(crate) fn n_records(&self) -> u64 {
        self.n_records
    }

    /// Whether what fails on a node fails below it, so that a search in which so many records may
    /// fail may prune.
    pub(crate) fn is_monotone(&self, most_failing: u64) -> bool {
        self.problem.goal().prunes(most_failing) && self.ladders.iter().all(|ladder| ladder.nested)
    }

    /// Makes counting cheaper for a search that may leave no more than some records behind: on
    /// levels where one attribute alone has more that are too rare, there is nothing to count.
    pub(crate) fn allow(&mut self, most_failing: u64) {
        let floor: Vec<u32> = self.ladders.iter().map(|l| l.floor(most_failing)).collect();
        if self.is_monotone(most_failing) && floor != self.snapshots[0].levels {
            self.ground = self.keep(0, &floor);
        }
    }

    /// A number of records that fail on a node, known without counting it: those that are too rare
    /// in one attribute alone.
    pub(crate) fn least_failing(&self, levels: &[u32]) -> u64 {
        let rungs = self.ladders.iter().zip(levels).map(|(ladder, &at)| ladder.rung(at));
        rungs.map(|rung| rung.n_rare).max().unwrap_or(0)
    }

    /// Counts the classes of a node.
    pub(crate) fn count<'s>(&'s mut self, levels: &'s [u32]) -> Classes<'s> {
        let from = self.snapshot_below(levels);
        let Snapshot { levels: at, groups } = &self.snapshots[from];
        self.merger.raise((groups, at), &self.ladders, levels, &mut self.now);
        self.find_holding(from);
        let classes = self.now.counts.iter().zip(&self.holds);
        let n_failing = classes.filter(|(_, holds)| !**holds).map(|(count, _)| count).sum();
        Classes { nodes: self, levels, n_failing }
    }

    /// The class of each cohort that the lattice was made of, if it is private on a node; and how
    /// many such classes there are.
    pub(crate) fn assign(&mut self, levels: &[u32]) -> (Vec<Option<u32>>, u32) {
        let Snapshot { levels: at, groups } = &self.snapshots[0];
        self.merger.raise((groups, at), &self.ladders, levels, &mut self.now);
        self.find_holding(0);
        let mut n_classes = 0;
        let number = |&holds: &bool| {
            n_classes += u32::from(holds);
            holds.then(|| n_classes - 1)
        };
        let numbers: Vec<Option<u32>> = self.holds.iter().map(number).collect();
        let class_of = |&group: &u32| numbers[self.merger.places()[group as usize] as usize];
        (self.group_of.iter().map(class_of).collect(), n_classes)
    }

    /// The smallest snapshot that a node can be counted from.
    ///
    /// One attribute after the other is raised to its rest, those of many values first. What that
    /// gives is kept, as long as there is room.
    fn snapshot_below(&mut self, levels: &[u32]) -> usize {
        let most_kept = self.snapshots[0].groups.counts.len().saturating_mul(MOST_KEPT);
        let is_above = self.snapshots[self.ground].levels.iter().zip(levels).all(|(a, b)| a <= b);
        let mut from = if is_above { self.ground } else { 0 };
        let mut at = self.snapshots[from].levels.clone();
        for place in 0..levels.len() {
            let attribute = self.order[place];
            let rest = rest_below(&self.ladders[attribute], levels[attribute]);
            if rest <= at[attribute] {
                continue;
            }
            at[attribute] = rest;
            from = match self.place_of.get(&at) {
                Some(&place) => place,
                None if self.n_kept > most_kept => break,
                None => self.keep(from, &at),
            };
        }
        from
    }

    /// Makes a snapshot from another, and keeps it.
    fn keep(&mut self, from: usize, levels: &[u32]) -> usize {
        let Snapshot { levels: at, groups: below } = &self.snapshots[from];
        let mut groups = Groups::default();
        self.merger.raise((below, at), &self.ladders, levels, &mut groups);
        if !below.tallies.is_empty() {
            groups.tallies = vec![self.problem.goal().tally(); groups.counts.len()];
            for (tally, &place) in below.tallies.iter().zip(self.merger.places()) {
                groups.tallies[place as usize].absorb(tally);
            }
        }
        self.n_kept += groups.counts.len();
        self.snapshots.push(Snapshot { levels: levels.to_vec(), groups });
        self.place_of.insert(levels.to_vec(), self.snapshots.len() - 1);
        self.snapshots.len() - 1
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

/// The level at or below another on which snapshots are made.
fn rest_below(ladder: &Ladder, level: u32) -> u32 {
    let (top, middle) = (ladder.top(), ladder.top().div_ceil(2));
    match level {
        _ if level == top => top,
        _ if level >= middle && ladder.nested => middle,
        _ => 0,
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

    /// The cost of all cells, if a suppressed record costs as much as `n_lost` cells.
    pub(crate) fn cost(&self, n_lost: usize) -> f64 {
        let Nodes { now, holds, ladders, merger, .. } = self.nodes;
        let rungs: Vec<_> = ladders.iter().zip(self.levels).map(|(l, &at)| l.rung(at)).collect();
        // Failing classes are taken out of the sum over all records.
        let all: f64 = rungs.iter().map(|rung| rung.cost()).sum();
        let failing = (0..holds.len()).filter(|&group| !holds[group]).map(|group| {
            let cells = rungs.iter().enumerate();
            let cost = |(a, rung): (usize, &&super::ladder::Rung)| {
                rung.costs[merger.packing().leaf(now, group, a)]
            };
            now.counts[group] as f64 * (n_lost as f64 - cells.map(cost).sum::<f64>())
        });
        all + failing.sum::<f64>()
    }
}
