//! Fitness of a bit string: the loss of its release.

use hashbrown::HashTable;
use twox_hash::XxHash3_64;

use super::strands::Strands;
use crate::hierarchy::Leaf;
use crate::problem::{Costs, Problem};
use crate::table::Cohort;

/// Fitness of a solution; less is better. Fields are compared in order.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Fitness {
    /// Number of suppressed records beyond the limit.
    n_excess: u64,
    /// Total cost of all cells.
    loss: f64,
}

impl Fitness {
    /// Total cost of all cells, where each cell of a suppressed record costs 1.
    #[cfg(test)]
    pub(super) fn loss(self) -> f64 {
        self.loss
    }
}

/// Computes the fitness of bit strings.
///
/// Classes are distinguished by a sum of hashes, one for each group of each attribute. Two classes
/// can have the same sum, though very rarely, so the release itself must be counted exactly.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    problem: &'a Problem,
    strands: &'a Strands,
    /// The leaves of each cohort, one cohort after the other.
    rows: Vec<Leaf>,
    /// The published form of each leaf of each attribute in the current string.
    shown: Vec<Vec<Shown>>,
    classes: Vec<Class>,
    /// The classes by their hashes.
    index: HashTable<u32>,
}

/// The published form of a leaf: the hash of its group, and the cost of the group.
#[derive(Debug, Clone, Copy, Default)]
struct Shown {
    number: u64,
    cost: f64,
}

#[derive(Debug)]
struct Class {
    number: u64,
    size: u64,
    /// One of its cohorts.
    cohort: Cohort,
}

impl<'a> Judge<'a> {
    pub(super) fn new(problem: &'a Problem, strands: &'a Strands) -> Self {
        let leaves = |cohort| strands.all().iter().map(move |strand| strand.leaf(cohort));
        let shown = problem.attributes().iter();
        Self {
            problem,
            strands,
            rows: problem.cohorts().all().flat_map(leaves).collect(),
            shown: shown.map(|a| vec![Shown::default(); a.n_leaves().max(1)]).collect(),
            classes: Vec::new(),
            index: HashTable::new(),
        }
    }

    pub(super) fn fitness(&mut self, bits: &[bool]) -> Fitness {
        self.show(bits);
        let class_of = self.count();
        let is_lost = self.lost(&class_of);
        let width = self.shown.len() as f64;
        let mut n_suppressed = 0;
        let mut loss = 0.0;
        for (class, is_lost) in self.classes.iter().zip(is_lost) {
            let size = class.size as f64;
            if is_lost {
                n_suppressed += class.size;
                // A suppressed record loses all its cells.
                loss += size * width;
            } else {
                loss += size * self.shown_of(class.cohort).map(|shown| shown.cost).sum::<f64>();
            }
        }
        let n_excess = n_suppressed.saturating_sub(self.problem.most_suppressed());
        Fitness { n_excess, loss }
    }

    /// Records the published form of each leaf.
    fn show(&mut self, bits: &[bool]) {
        for (place, (strand, shown)) in self.strands.all().iter().zip(&mut self.shown).enumerate() {
            for run in strand.runs(bits) {
                let leaves = &strand.leaves[run];
                let (first, last) = (leaves[0], leaves[leaves.len() - 1]);
                let cost = match strand.attribute().costs() {
                    costs @ Costs::Set { .. } => costs.of_set(leaves.len()),
                    costs => costs.of_range(first, last),
                };
                // The first and last leaf identify a group of an attribute within one string.
                let key = [place as u32, first.get(), last.get()].map(u32::to_le_bytes).concat();
                let number = XxHash3_64::oneshot(&key);
                leaves.iter().for_each(|&leaf| shown[leaf.index()] = Shown { number, cost });
            }
        }
    }

    fn shown_of(&self, cohort: Cohort) -> impl Iterator<Item = Shown> {
        let leaves = &self.rows[cohort.index() * self.shown.len()..][..self.shown.len()];
        leaves.iter().zip(&self.shown).map(|(&leaf, shown)| shown[leaf.index()])
    }

    /// Counts the records of each class and returns the class of each cohort.
    fn count(&mut self) -> Vec<u32> {
        // Reuses the memory of the previous string.
        let mut classes = std::mem::take(&mut self.classes);
        let mut index = std::mem::take(&mut self.index);
        classes.clear();
        index.clear();
        let mut class_of = Vec::with_capacity(self.problem.cohorts().len());
        for (cohort, count) in self.problem.cohorts().counted() {
            let number =
                self.shown_of(cohort).fold(0u64, |sum, shown| sum.wrapping_add(shown.number));
            let is_same = |&class: &u32| classes[class as usize].number == number;
            let class = if let Some(&class) = index.find(number, is_same) {
                classes[class as usize].size += count;
                class
            } else {
                let next = classes.len() as u32;
                classes.push(Class { number, size: count, cohort });
                *index.insert_unique(number, next, |&class| classes[class as usize].number).get()
            };
            class_of.push(class);
        }
        (self.classes, self.index) = (classes, index);
        class_of
    }

    /// Returns whether each class is not private and therefore suppressed.
    fn lost(&self, class_of: &[u32]) -> Vec<bool> {
        let goal = self.problem.goal();
        if goal.looks_only_at_sizes() {
            return self.classes.iter().map(|class| class.size < goal.least_size()).collect();
        }
        let mut tallies = vec![goal.tally(); self.classes.len()];
        for ((cohort, count), &class) in self.problem.cohorts().counted().zip(class_of) {
            goal.add(&mut tallies[class as usize], cohort, count);
        }
        tallies.iter().map(|tally| !goal.holds(tally)).collect()
    }
}
