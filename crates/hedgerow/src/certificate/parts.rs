//! Finds the parts of one attribute that boxes can have.

use super::allowance::{Allowance, Stop};
use crate::box_tree::{Space, Span};
use crate::hierarchy::{Hierarchy, Leaf};
use crate::table::Cohort;

/// A part of an attribute's values.
pub(super) enum Part {
    /// The cohorts at these places of a list that is sorted by leaf.
    Places(usize, usize),
    /// The cohorts with one of these bits.
    Bits(u64),
}

/// A part, and the cost of boxes so far.
pub(super) struct Choice {
    pub(super) part: Part,
    pub(super) cost: f64,
}

/// The bits of the values of a span, for attributes that are published in sets.
pub(super) fn bits_of(span: Span) -> u64 {
    u64::from(span.0) | u64::from(span.1) << 32
}

/// Finds the parts of one attribute that have enough records and a seed whose ceiling is above the
/// cost. Effort is spent on the cohorts of the parts that are found, and for ranges and sets on
/// every part that is looked at.
pub(super) struct Parts<'p, 'a, 'e> {
    pub(super) space: &'p Space<'a>,
    pub(super) at: usize,
    /// The cohorts, sorted by leaf.
    pub(super) list: &'p [Cohort],
    /// Number of records before each place of the list.
    pub(super) sizes: Vec<u64>,
    /// The places of the seeds, with their ceilings.
    pub(super) seeds: Vec<(usize, f64)>,
    /// The cost of the parts of other attributes.
    pub(super) cost: f64,
    /// The highest ceiling of a seed.
    pub(super) ceiling: f64,
    pub(super) k: u64,
    pub(super) allowance: &'p mut Allowance<'e>,
    pub(super) found: Vec<Choice>,
}

/// A value of an attribute that is published in sets.
#[derive(Debug, Clone, Copy, Default)]
struct Value {
    bit: u64,
    n_records: u64,
    n_cohorts: usize,
    /// The highest ceiling of a seed with this value.
    ceiling: f64,
}

/// A set of values that was not looked at yet.
#[derive(Clone, Copy)]
struct Set {
    bits: u64,
    n_records: u64,
    n_cohorts: usize,
    /// The place of the first value that can be added.
    next: usize,
}

impl Set {
    fn with(self, value: Value, next: usize) -> Self {
        Self {
            bits: self.bits | value.bit,
            n_records: self.n_records + value.n_records,
            n_cohorts: self.n_cohorts + value.n_cohorts,
            next,
        }
    }
}

impl Parts<'_, '_, '_> {
    fn leaf(&self, place: usize) -> u32 {
        self.space.of(self.list[place])[self.at].0
    }

    /// The place in the list at which the leaves from `leaf` on begin.
    fn start_of(&self, leaf: u32) -> usize {
        self.list.partition_point(|&cohort| self.space.of(cohort)[self.at].0 < leaf)
    }

    /// Keeps a range of places if it has enough records and costs less than `highest`, the highest
    /// ceiling of its seeds. Returns whether wider ranges can be cheap enough.
    fn keep(&mut self, start: usize, end: usize, highest: f64) -> Result<bool, Stop> {
        let span = (self.leaf(start), self.leaf(end - 1));
        let cost = self.cost + self.space.cost_of(self.at, span);
        if highest > cost && self.sizes[end] - self.sizes[start] >= self.k {
            self.allowance.spend(end - start)?;
            self.found.push(Choice { part: Part::Places(start, end), cost });
        }
        Ok(cost < self.ceiling)
    }

    /// The highest ceiling of the seeds from the one at `seed` on that are before a place.
    fn highest(&self, seed: usize, end: usize) -> f64 {
        let inside = self.seeds[seed..].iter().take_while(|&&(place, _)| place < end);
        inside.map(|seed| seed.1).fold(0.0, f64::max)
    }

    /// The seeds with different leaves: the first of each leaf, and the leaf of the seed before.
    fn first_seeds(&self) -> Vec<(usize, Option<u32>)> {
        let mut firsts: Vec<(usize, Option<u32>)> = Vec::new();
        let mut last = None;
        for (seed, &(place, _)) in self.seeds.iter().enumerate() {
            let leaf = Some(self.leaf(place));
            if leaf != last {
                firsts.push((seed, last));
                last = leaf;
            }
        }
        firsts
    }

    /// Nodes of a tree: from each seed upwards, those that have more cohorts than the one below.
    pub(super) fn nodes(&mut self, tree: &Hierarchy) -> Result<(), Stop> {
        for (seed, before) in self.first_seeds() {
            let leaf = self.leaf(self.seeds[seed].0);
            let (mut start, mut end) = (self.start_of(leaf), self.start_of(leaf + 1));
            // A node is met by its first seed only, so the seeds inside are looked at once per
            // level.
            while self.keep(start, end, self.highest(seed, end))? {
                // The next node that has more is the lower one of those that reach the neighbours.
                let left = start.checked_sub(1).map(|place| self.leaf(place));
                let right = (end < self.list.len()).then(|| self.leaf(end));
                let own = Leaf::from(leaf);
                let above = left.map(|left| tree.lowest_common_ancestor(left.into(), own));
                let other = right.map(|right| tree.lowest_common_ancestor(own, right.into()));
                // Nodes are numbered in pre-order, so of two ancestors the lower has the larger
                // number.
                let Some(node) = above.max(other) else { break };
                let leaves = tree.leaves_of(node);
                // The seed before has met this node, and all above it.
                if before.is_some_and(|before| before >= leaves.start.get()) {
                    break;
                }
                start = self.start_of(leaves.start.get());
                end = self.start_of(leaves.end.get());
            }
        }
        Ok(())
    }

    /// Ranges of leaves: all that begin after the seed before and end anywhere.
    pub(super) fn ranges(&mut self) -> Result<(), Stop> {
        for (seed, before) in self.first_seeds() {
            let mut start = self.start_of(self.leaf(self.seeds[seed].0));
            while self.ranges_from(start, seed)? {
                let Some(left) = start.checked_sub(1).map(|place| self.leaf(place)) else { break };
                if before.is_some_and(|before| left <= before) {
                    break;
                }
                start = self.start_of(left);
            }
        }
        Ok(())
    }

    /// Ranges from a place to the leaf of a seed, or to any leaf after it. Returns whether the
    /// first of them, and so perhaps one that begins further left, is cheap enough.
    fn ranges_from(&mut self, start: usize, seed: usize) -> Result<bool, Stop> {
        let mut end = self.start_of(self.leaf(self.seeds[seed].0) + 1);
        let (mut next, mut highest) = (seed, 0.0_f64);
        let mut is_any_cheap = false;
        loop {
            self.allowance.spend(1)?;
            while let Some(&(_, ceiling)) = self.seeds.get(next).filter(|seed| seed.0 < end) {
                highest = highest.max(ceiling);
                next += 1;
            }
            if !self.keep(start, end, highest)? {
                return Ok(is_any_cheap);
            }
            is_any_cheap = true;
            if end == self.list.len() {
                return Ok(true);
            }
            end = self.start_of(self.leaf(end) + 1);
        }
    }

    /// Sets of values: all with the value of a seed and none of a seed before it.
    pub(super) fn sets(&mut self) -> Result<(), Stop> {
        let values = self.values();
        for (place, &own) in values.iter().enumerate().filter(|(_, own)| own.ceiling > 0.0) {
            let nothing = Set { bits: 0, n_records: 0, n_cohorts: 0, next: 0 };
            let mut open = vec![nothing.with(own, place + 1)];
            while let Some(set) = open.pop() {
                self.allowance.spend(1)?;
                let span = (set.bits as u32, (set.bits >> 32) as u32);
                let cost = self.cost + self.space.cost_of(self.at, span);
                // Values that can be added have no higher ceilings.
                if cost >= own.ceiling {
                    continue;
                }
                if set.n_records >= self.k {
                    self.allowance.spend(set.n_cohorts)?;
                    self.found.push(Choice { part: Part::Bits(set.bits), cost });
                }
                let more = values.iter().enumerate().skip(set.next);
                open.extend(more.map(|(place, &value)| set.with(value, place + 1)));
            }
        }
        Ok(())
    }

    /// The values of the cohorts, those with the highest ceilings first.
    fn values(&self) -> Vec<Value> {
        let mut values = [Value::default(); u64::BITS as usize];
        let number = |place: usize| {
            bits_of(self.space.of(self.list[place])[self.at]).trailing_zeros() as usize
        };
        for place in 0..self.list.len() {
            let value = &mut values[number(place)];
            value.bit = 1 << number(place);
            value.n_records += self.sizes[place + 1] - self.sizes[place];
            value.n_cohorts += 1;
        }
        for &(place, ceiling) in &self.seeds {
            let value = &mut values[number(place)];
            value.ceiling = value.ceiling.max(ceiling);
        }
        let mut found: Vec<Value> = values.into_iter().filter(|value| value.bit != 0).collect();
        found.sort_by(|a, b| b.ceiling.total_cmp(&a.ceiling).then(a.bit.cmp(&b.bit)));
        found
    }
}
