//! Counts the classes of any node of a lattice, in any order.

use std::collections::BTreeMap;

use super::groups::{Counted, Groups, Merger, by_values};
use super::ladder::Rung;
use super::{Ladder, ladders};
use crate::hierarchy::Level;
use crate::problem::Problem;
use crate::table::Cohort;

/// Limit on the groups in snapshots, in multiples of the groups of the table. More snapshots cost
/// more to create than they save.
const MOST_KEPT: usize = 10;

/// A lattice whose nodes are counted on demand.
///
/// Counts come from *snapshots*: groups in which every attribute is at one of three levels, the
/// lowest, the middle or the highest. A node is counted from the smallest snapshot below it. Nodes
/// near the top have few classes and are therefore cheap, and nodes can be visited in any order.
#[derive(Debug)]
pub(crate) struct Nodes<'a> {
    problem: &'a Problem,
    ladders: Vec<Ladder>,
    n_records: u64,
    /// The group of each member at level 0.
    group_of: Vec<u32>,
    merger: Merger,
    /// The attributes, those with many values first.
    order: Vec<usize>,
    /// The snapshots; the first is the table itself.
    snapshots: Vec<Snapshot>,
    /// The snapshot to start from when a node is above it; otherwise the table.
    ground: usize,
    place_of: BTreeMap<Vec<Level>, usize>,
    /// Total number of groups in all snapshots.
    n_kept: usize,
    now: Groups,
    holds: Vec<bool>,
}

#[derive(Debug)]
struct Snapshot {
    levels: Vec<Level>,
    groups: Groups,
}

impl Snapshot {
    fn counted(&self) -> Counted<'_> {
        Counted { groups: &self.groups, levels: &self.levels }
    }
}

/// The classes of a node.
pub(crate) struct Classes<'a> {
    nodes: &'a Nodes<'a>,
    levels: &'a [Level],
    n_failing: u64,
}

impl<'a> Nodes<'a> {
    /// The lattice of some records of cohorts, for a problem without an
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
            snapshots: vec![Snapshot { levels: vec![Level::VALUES; ladders.len()], groups }],
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

    /// Whether records that fail at a node also fail at all nodes below it, so that a search that
    /// tolerates up to `most_failing` failing records can prune.
    pub(crate) fn is_monotone(&self, most_failing: u64) -> bool {
        self.problem.goal().prunes(most_failing) && self.ladders.iter().all(|ladder| ladder.nested)
    }

    /// Makes counting cheaper for a search that tolerates at most `most_failing` failing records:
    /// levels at which a single attribute already has more rare records need no counts.
    pub(crate) fn allow(&mut self, most_failing: u64) {
        let floor: Vec<Level> = self.ladders.iter().map(|l| l.floor(most_failing)).collect();
        if self.is_monotone(most_failing) && floor != self.snapshots[0].levels {
            self.ground = self.keep(0, &floor);
        }
    }

    /// A lower bound on the number of records that fail at a node, without counting: the records
    /// that are too rare in a single attribute.
    pub(crate) fn least_failing(&self, levels: &[Level]) -> u64 {
        let rungs = self.ladders.iter().zip(levels).map(|(ladder, &at)| ladder.rung(at));
        rungs.map(|rung| rung.n_rare).max().unwrap_or(0)
    }

    /// Counts the classes of a node.
    pub(crate) fn count<'s>(&'s mut self, levels: &'s [Level]) -> Classes<'s> {
        let from = self.snapshot_below(levels);
        let below = self.snapshots[from].counted();
        self.merger.raise(&below, &self.ladders, levels, &mut self.now);
        self.find_holding(from);
        let classes = self.now.counts.iter().zip(&self.holds);
        let n_failing = classes.filter(|(_, holds)| !**holds).map(|(count, _)| count).sum();
        Classes { nodes: self, levels, n_failing }
    }

    /// The class of each member at a node, or `None` if its class fails, and the number of classes
    /// that satisfy the goal.
    pub(crate) fn assign(&mut self, levels: &[Level]) -> (Vec<Option<u32>>, u32) {
        // Start from the table, because `group_of` refers to its groups.
        let table = self.snapshots[0].counted();
        self.merger.raise(&table, &self.ladders, levels, &mut self.now);
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
    /// Raises one attribute after another to its snapshot level, those with many values first, and
    /// keeps the resulting snapshots while there is room.
    fn snapshot_below(&mut self, levels: &[Level]) -> usize {
        let most_kept = self.snapshots[0].groups.counts.len().saturating_mul(MOST_KEPT);
        // The ground serves only nodes that are at or above all its levels.
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

    /// Makes a snapshot from another one and keeps it.
    fn keep(&mut self, from: usize, levels: &[Level]) -> usize {
        let below = &self.snapshots[from].groups;
        let mut groups = Groups::default();
        self.merger.raise(&self.snapshots[from].counted(), &self.ladders, levels, &mut groups);
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

    /// Determines which of the classes counted last satisfy the goal.
    fn find_holding(&mut self, from: usize) {
        let goal = self.problem.goal();
        self.holds.clear();
        if goal.looks_only_at_sizes() {
            self.holds.extend(self.now.counts.iter().map(|&count| count >= goal.least_size()));
            return;
        }
        let places = self.merger.places();
        // Groups that were merged into the same class, one class after another.
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

/// The highest snapshot level that is not above `level`.
fn rest_below(ladder: &Ladder, level: Level) -> Level {
    let (top, middle) = (ladder.top(), Level::new(ladder.top().index().div_ceil(2)));
    match level {
        // The top level contains a single group, so it can be reached even if levels are not
        // nested.
        _ if level == top => top,
        _ if level >= middle && ladder.nested => middle,
        _ => Level::VALUES,
    }
}

impl Classes<'_> {
    /// Number of records in classes that fail.
    pub(crate) fn n_failing(&self) -> u64 {
        self.n_failing
    }

    /// The discernibility penalty; equal to that of [`Dm`](crate::loss::Dm).
    pub(crate) fn discernibility(&self) -> f64 {
        let Nodes { now, holds, n_records, .. } = self.nodes;
        let published = now.counts.iter().zip(holds).filter(|(_, holds)| **holds);
        let squares: f64 = published.map(|(&count, _)| count as f64 * count as f64).sum();
        squares + *n_records as f64 * self.n_failing as f64
    }

    /// The cost of all cells, if a suppressed record costs as much as `n_lost` cells.
    pub(crate) fn cost(&self, n_lost: usize) -> f64 {
        let Nodes { now, holds, ladders, .. } = self.nodes;
        let rungs: Vec<&Rung> =
            ladders.iter().zip(self.levels).map(|(l, &at)| l.rung(at)).collect();
        // Start from the cost of all records and correct it for the failing classes.
        let all: f64 = rungs.iter().map(|rung| rung.cost()).sum();
        let failing = (0..holds.len()).filter(|&group| !holds[group]);
        let more = failing.map(|group| {
            now.counts[group] as f64 * (n_lost as f64 - self.cost_of_record(&rungs, group))
        });
        all + more.sum::<f64>()
    }

    /// The cost of the cells of one record of a group.
    #[inline]
    fn cost_of_record(&self, rungs: &[&Rung], group: usize) -> f64 {
        let Nodes { now, merger, .. } = self.nodes;
        let cells = rungs.iter().enumerate();
        cells.map(|(a, rung)| rung.costs[merger.packing().leaf(now, group, a)]).sum()
    }
}
