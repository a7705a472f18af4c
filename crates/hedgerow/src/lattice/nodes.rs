//! Counts the classes of any node of a lattice, in any order.

use std::collections::BTreeMap;

use super::groups::{Counted, Groups, Merger, by_values};
use super::ladder::Rung;
use super::witness::{Ground, Witnesses};
use super::{Ladder, ladders};
use crate::hierarchy::Level;
use crate::problem::{Merged, Problem, Verdicts};
use crate::table::Cohort;

/// Limit on the groups in snapshots, in multiples of the groups of the table. More snapshots cost
/// more to create than they save.
const MOST_KEPT: usize = 10;

/// Limit on the groups in snapshots that a long search adds to that, because of their memory.
const MOST_EARNED: usize = 1_000_000;

/// Number of counted nodes after which snapshots may have as many groups more as the table. A
/// search of many nodes uses each snapshot more often.
const COUNTS_PER_TABLE: usize = 30;

/// Number of snapshots on the way from the table to the one that a node is counted from, if few
/// nodes are counted. Otherwise every attribute is a step, because more nodes share them.
const FEW_STEPS: usize = 2;

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
    /// Number of nodes that were counted.
    n_counts: usize,
    /// Whether few nodes will be counted, because a single class that is too small rules a node
    /// out.
    counts_few: bool,
    now: Groups,
    verdicts: Verdicts,
    witnesses: Witnesses,
}

#[derive(Debug)]
struct Snapshot {
    levels: Vec<Level>,
    groups: Groups,
}

impl Snapshot {
    /// The groups, if a node is at or above all levels of the snapshot.
    fn groups_below(&self, levels: &[Level]) -> Option<&Groups> {
        let is_above = self.levels.iter().zip(levels).all(|(a, b)| a <= b);
        is_above.then_some(&self.groups)
    }

    fn counted(&self) -> Counted<'_> {
        Counted { groups: &self.groups, levels: &self.levels }
    }
}

/// The classes of a node.
pub(crate) struct Classes<'a> {
    nodes: &'a Nodes<'a>,
    levels: &'a [Level],
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
            n_counts: 0,
            counts_few: false,
            snapshots: vec![Snapshot { levels: vec![Level::VALUES; ladders.len()], groups }],
            ground: 0,
            ladders,
            merger,
            order: by_values(problem.attributes()),
            place_of: BTreeMap::new(),
            now: Groups::default(),
            verdicts: Verdicts::default(),
            witnesses: Witnesses::default(),
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

    /// Replaces the costs of cells, given those of the nodes or groups of each attribute.
    pub(crate) fn price(&mut self, of_entries: &[Vec<f64>]) {
        let ladders = self.ladders.iter_mut().zip(of_entries);
        ladders.for_each(|(ladder, of_entry)| ladder.price(of_entry));
    }

    /// Whether all levels are nested, so that a class is divided at the nodes below.
    pub(crate) fn is_nested(&self) -> bool {
        self.ladders.iter().all(|ladder| ladder.nested)
    }

    /// Makes counting cheaper for a search that tolerates at most `most_failing` failing records:
    /// levels at which a single attribute already has more rare records need no counts.
    pub(crate) fn allow(&mut self, most_failing: u64) {
        self.counts_few = most_failing == 0;
        let floor: Vec<Level> = self.ladders.iter().map(|l| l.floor(most_failing)).collect();
        if self.is_nested() && floor != self.snapshots[0].levels {
            let known = self.place_of.get(&floor).copied();
            let ground = known.unwrap_or_else(|| self.keep(0, &floor));
            if ground != self.ground {
                self.ground = ground;
                self.witnesses.clear();
            }
        }
    }

    /// A lower bound on the number of records that fail at a node, without counting: the records
    /// that are too rare in a single attribute.
    pub(crate) fn least_failing(&self, levels: &[Level]) -> u64 {
        let rungs = self.ladders.iter().zip(levels).map(|(ladder, &at)| ladder.rung(at));
        rungs.map(|rung| rung.n_rare).max().unwrap_or(0)
    }

    /// Whether a class of a node is known to be too small, without counting, from the nodes that
    /// were passed to [`Nodes::note_small`]. All levels must be nested.
    pub(crate) fn has_small(&mut self, levels: &[Level]) -> bool {
        let Self { problem, ladders, merger, snapshots, witnesses, .. } = self;
        let Some(groups) = snapshots[self.ground].groups_below(levels) else { return false };
        let ground = Ground { groups, packing: merger.packing(), ladders };
        witnesses.find_small(ground, levels, problem.least_size())
    }

    /// Remembers the smallest class of the node that was counted last, if it is too small.
    pub(crate) fn note_small(&mut self, levels: &[Level]) {
        let smallest = (0..self.now.counts.len()).min_by_key(|&class| self.now.counts[class]);
        let is_small = |&class: &usize| self.now.counts[class] < self.problem.least_size();
        let Some(class) = smallest.filter(is_small) else { return };
        let Self { ladders, merger, snapshots, now, witnesses, .. } = self;
        let packing = merger.packing();
        let leaves: Vec<usize> =
            (0..levels.len()).map(|place| packing.leaf(now, class, place)).collect();
        let Some(groups) = snapshots[self.ground].groups_below(levels) else { return };
        witnesses.add(Ground { groups, packing, ladders }, levels, &leaves);
    }

    /// Counts the classes of a node.
    pub(crate) fn count<'s>(&'s mut self, levels: &'s [Level]) -> Classes<'s> {
        self.n_counts += 1;
        let from = self.snapshot_below(levels);
        let below = self.snapshots[from].counted();
        self.merger.raise(&below, &self.ladders, levels, &mut self.now);
        self.find_holding(from);
        Classes { nodes: self, levels }
    }

    /// The class of each member at a node, or `None` if its class fails, and the number of classes
    /// that satisfy the goal.
    pub(crate) fn assign(&mut self, levels: &[Level]) -> (Vec<Option<u32>>, u32) {
        self.count_from_table(levels);
        let mut n_classes = 0;
        let number = |&holds: &bool| {
            n_classes += u32::from(holds);
            holds.then(|| n_classes - 1)
        };
        let numbers: Vec<Option<u32>> = self.verdicts.holds.iter().map(number).collect();
        let class_of = |&group: &u32| numbers[self.merger.places()[group as usize] as usize];
        (self.group_of.iter().map(class_of).collect(), n_classes)
    }

    /// Counts a node from the table, because `group_of` refers to its groups.
    fn count_from_table(&mut self, levels: &[Level]) {
        let table = self.snapshots[0].counted();
        self.merger.raise(&table, &self.ladders, levels, &mut self.now);
        self.find_holding(0);
    }

    /// The leaves of each attribute in the classes of a node, for those that satisfy the goal; each
    /// leaf is the first one of its group.
    pub(crate) fn leaves_of_classes(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let holding = self.verdicts.holds.iter().enumerate().filter(|(_, holds)| **holds);
        let packing = self.merger.packing();
        holding.map(move |(class, _)| {
            (0..self.ladders.len()).map(move |place| packing.leaf(&self.now, class, place))
        })
    }

    /// The smallest snapshot that a node can be counted from.
    ///
    /// Raises the attributes to their snapshot levels in steps, those with many values first, and
    /// keeps the resulting snapshots within a limit of groups.
    fn snapshot_below(&mut self, levels: &[Level]) -> usize {
        let n_groups = self.snapshots[0].groups.counts.len();
        let earned = n_groups.saturating_mul(self.n_counts / COUNTS_PER_TABLE).min(MOST_EARNED);
        let most_kept = n_groups.saturating_mul(MOST_KEPT).max(earned);
        // The ground serves only nodes that are at or above all its levels.
        let is_above = self.snapshots[self.ground].groups_below(levels).is_some();
        let mut from = if is_above { self.ground } else { 0 };
        let mut at = self.snapshots[from].levels.clone();
        // Many nodes share the first snapshots, and the last ones are made from smaller ones.
        let n_at_once = if self.counts_few { levels.len().div_ceil(FEW_STEPS) } else { 1 };
        for start in (0..levels.len()).step_by(n_at_once) {
            let mut is_raised = false;
            for place in start..levels.len().min(start + n_at_once) {
                let attribute = self.order[place];
                let rest = rest_below(&self.ladders[attribute], levels[attribute]);
                is_raised |= rest > at[attribute];
                at[attribute] = at[attribute].max(rest);
            }
            if !is_raised {
                continue;
            }
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
        let (goal, places) = (self.problem.goal(), self.merger.places());
        groups.tallies = below.tallies.merged(goal, places, groups.counts.len());
        self.n_kept += groups.counts.len();
        self.snapshots.push(Snapshot { levels: levels.to_vec(), groups });
        self.place_of.insert(levels.to_vec(), self.snapshots.len() - 1);
        self.snapshots.len() - 1
    }

    /// Determines which of the classes counted last satisfy the goal.
    fn find_holding(&mut self, from: usize) {
        let tallies = &self.snapshots[from].groups.tallies;
        let merged = Merged { tallies, places: self.merger.places(), sizes: &self.now.counts };
        self.verdicts.judge(self.problem.goal(), &merged);
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
        self.nodes.verdicts.n_failing
    }

    /// A lower bound on the number of records that fail at every node below, if levels are nested.
    pub(crate) fn n_lost(&self) -> u64 {
        self.nodes.verdicts.n_lost
    }

    /// Number of classes that satisfy the goal.
    pub(crate) fn n_classes(&self) -> usize {
        self.nodes.verdicts.holds.iter().filter(|holds| **holds).count()
    }

    /// An upper bound on the number of classes that satisfy the goal at every node below, if levels
    /// are nested: each has at least `least` records of one class here.
    pub(crate) fn most_classes(&self, least: u64) -> u64 {
        self.nodes.now.counts.iter().map(|count| count / least).sum()
    }

    /// The indices of the classes that satisfy the goal, or of those that do not.
    fn that(&self, holds: bool) -> impl Iterator<Item = usize> {
        let of_classes = self.nodes.verdicts.holds.iter().enumerate();
        of_classes.filter(move |(_, of_class)| **of_class == holds).map(|(class, _)| class)
    }

    /// The discernibility penalty; equal to that of [`Dm`](crate::loss::Dm).
    pub(crate) fn discernibility(&self) -> f64 {
        let Nodes { now, n_records, .. } = self.nodes;
        let squares: f64 =
            self.that(true).map(|class| now.counts[class] as f64 * now.counts[class] as f64).sum();
        squares + *n_records as f64 * self.n_failing() as f64
    }

    /// The cost of all cells, if a suppressed record costs `lost`.
    pub(crate) fn cost(&self, lost: f64) -> f64 {
        let rungs = self.rungs();
        // Start from the cost of all records and correct it for the failing classes.
        let all: f64 = rungs.iter().map(|rung| rung.cost()).sum();
        if self.n_failing() == 0 {
            return all;
        }
        let counts = &self.nodes.now.counts;
        let more = self
            .that(false)
            .map(|group| counts[group] as f64 * (lost - self.cost_of_record(&rungs, group)));
        all + more.sum::<f64>()
    }

    /// The cost of one record of each class that satisfies the goal, added up.
    pub(crate) fn cost_of_classes(&self) -> f64 {
        let rungs = self.rungs();
        self.that(true).map(|group| self.cost_of_record(&rungs, group)).sum()
    }

    fn rungs(&self) -> Vec<&Rung> {
        self.nodes.ladders.iter().zip(self.levels).map(|(l, &at)| l.rung(at)).collect()
    }

    /// The cost of the cells of one record of a group.
    #[inline]
    fn cost_of_record(&self, rungs: &[&Rung], group: usize) -> f64 {
        let Nodes { now, merger, .. } = self.nodes;
        let cells = rungs.iter().enumerate();
        cells.map(|(a, rung)| rung.costs[merger.packing().leaf(now, group, a)]).sum()
    }
}
