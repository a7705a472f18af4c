//! Enumerates the boxes of a problem that cost little, with the cohorts in them.

use super::Proof;
use crate::Result;
use crate::box_tree::{BoxTree, Space, Span};
use crate::hierarchy::{Generalization, Hierarchy, Leaf};
use crate::problem::{Attribute, Costs, Problem};
use crate::progress::{Progress, stop_at, stop_if_cancelled};
use crate::table::Cohort;

/// Number of cohorts whose boxes are enumerated together. One enumeration for all cohorts meets
/// every box once, but looks at many cohorts that have nothing to do with each other.
const CELL: usize = 1024;

/// Sums of costs that differ by less than this count as equal.
const ROUNDING: f64 = 1e-12;

/// A visitor of boxes.
pub(super) trait Visitor {
    /// Cohorts are visited with the boxes that cost less than this.
    fn ceiling(&self, cohort: Cohort) -> f64;

    /// A box with its cost and its cohorts. `is_seed` says for which of them boxes are enumerated
    /// at the moment.
    fn meet(&mut self, cost: f64, members: &[Cohort], is_seed: &dyn Fn(Cohort) -> bool);

    /// The effort did not suffice for these cohorts, which may not have met all of their boxes.
    /// Returns whether the boxes of other cohorts are still wanted.
    fn give_up(&mut self, seeds: &[Cohort]) -> bool;
}

/// The boxes of a problem.
pub(super) struct Boxes<'a> {
    space: &'a Space<'a>,
    attributes: &'a [Attribute],
    counts: &'a [u64],
    k: u64,
    tree: BoxTree<()>,
    /// The attributes, those with many values first: they leave few cohorts to the others.
    order: Vec<usize>,
    /// The cell of each cohort: its boxes are enumerated with those of its cell.
    cell_of: Vec<u32>,
    cells: Vec<Vec<Cohort>>,
    effort: u64,
}

/// A part of an attribute's values.
enum Part {
    /// The cohorts at these places of a list that is sorted by leaf.
    Places(usize, usize),
    /// The cohorts with one of these bits.
    Bits(u64),
}

/// A part, and the cost of boxes so far.
struct Choice {
    part: Part,
    cost: f64,
}

/// The cohorts in the parts that were chosen so far, and the parts of the next attribute.
struct Step {
    list: Vec<Cohort>,
    choices: std::vec::IntoIter<Choice>,
}

impl<'a> Boxes<'a> {
    pub(super) fn new(problem: &'a Problem, space: &'a Space<'a>, effort: u64) -> Self {
        let attributes = problem.attributes();
        let mut order: Vec<usize> = (0..attributes.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(attributes[at].n_leaves()));
        let tree = space.boxes(());
        let mut cell_of = vec![0; problem.cohorts().len()];
        let mut cells = Vec::new();
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            match tree.halves(number) {
                Some(halves) if tree.places(number).len() > CELL => open.extend(halves),
                _ => {
                    let members = tree.cohorts()[tree.places(number)].to_vec();
                    members.iter().for_each(|c| cell_of[c.index()] = cells.len() as u32);
                    cells.push(members);
                }
            }
        }
        let (counts, k) = (&problem.cohorts().counts, problem.least_size());
        Self { space, attributes, counts, k, tree, order, cell_of, cells, effort }
    }

    /// Visits every box with at least `k` records that costs less than the ceiling of one of its
    /// cohorts. Returns whether the effort sufficed.
    pub(super) fn visit(
        &self,
        visitor: &mut impl Visitor,
        progress: &dyn Progress,
    ) -> Result<bool> {
        let mut left = self.effort;
        let mut is_complete = true;
        for (cell, seeds) in self.cells.iter().enumerate() {
            stop_if_cancelled(progress)?;
            // A cell may use twice its share of what is left, so that no cell uses up all of it.
            let share = (2 * left / (self.cells.len() - cell) as u64).min(left);
            let walk = Walk { boxes: self, cell: cell as u32, left: share };
            let used = walk.run(seeds, visitor, progress)?;
            left -= used.unwrap_or(share);
            is_complete &= used.is_some();
            if used.is_none() && !visitor.give_up(seeds) {
                break;
            }
        }
        Ok(is_complete)
    }
}

/// The enumeration of the boxes of one cell.
struct Walk<'w, 'a> {
    boxes: &'w Boxes<'a>,
    cell: u32,
    /// Number of cohorts that may still be looked at.
    left: u64,
}

impl Walk<'_, '_> {
    /// Returns how many cohorts were looked at, or `None` if the effort did not suffice.
    fn run(
        mut self,
        seeds: &[Cohort],
        visitor: &mut impl Visitor,
        progress: &dyn Progress,
    ) -> Result<Option<u64>> {
        let before = self.left;
        let ceiling = seeds.iter().map(|&c| visitor.ceiling(c)).fold(0.0, f64::max);
        if ceiling <= 0.0 {
            return Ok(Some(0));
        }
        let width = self.boxes.order.len();
        let start = self.within(seeds, ceiling);
        let mut steps = vec![self.step(start, 0.0, 0, visitor)];
        let mut n_met = 0;
        loop {
            let depth = steps.len();
            let Some(step) = steps.last_mut() else { break };
            let Some(choice) = step.choices.next() else {
                steps.pop();
                continue;
            };
            let list = self.boxes.part(step, &choice.part, depth - 1);
            let Some(left) = self.left.checked_sub(list.len() as u64) else { return Ok(None) };
            self.left = left;
            n_met += 1;
            stop_at(n_met, progress)?;
            // A cheaper box has the same cohorts, whatever is chosen for the other attributes.
            let hull = self.hull(&list, depth);
            if hull < choice.cost - ROUNDING {
                continue;
            }
            if depth < width {
                steps.push(self.step(list, choice.cost, depth, visitor));
            } else {
                visitor.meet(hull, &list, &|cohort| self.is_seed(cohort));
            }
        }
        Ok(Some(before - self.left))
    }

    /// The cohorts that can be in a box with one of the seeds.
    fn within(&self, seeds: &[Cohort], ceiling: f64) -> Vec<Cohort> {
        let Boxes { space, tree, .. } = self.boxes;
        let mut spans = space.nothing();
        seeds.iter().for_each(|&seed| space.widen(&mut spans, space.of(seed)));
        let mut found = Vec::new();
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            if space.least_distance(&spans, tree.spans(number)) >= ceiling {
                continue;
            }
            match tree.halves(number) {
                Some(halves) => open.extend(halves),
                None => {
                    let members = tree.cohorts()[tree.places(number)].iter().copied();
                    found.extend(
                        members.filter(|&c| space.least_distance(&spans, space.of(c)) < ceiling),
                    );
                }
            }
        }
        found
    }

    fn is_seed(&self, cohort: Cohort) -> bool {
        self.boxes.cell_of[cohort.index()] == self.cell
    }

    /// The cost of the smallest box around some cohorts, in the first `depth` attributes.
    fn hull(&self, list: &[Cohort], depth: usize) -> f64 {
        let space = self.boxes.space;
        let of_attribute = |&at: &usize| {
            let spans = list.iter().map(|&cohort| space.of(cohort)[at]);
            spans
                .reduce(|some, other| space.join(at, some, other))
                .map_or(0.0, |s| space.cost_of(at, s))
        };
        self.boxes.order[..depth].iter().map(of_attribute).sum()
    }

    /// Chooses the parts of the attribute at `depth`: those with enough records, in which a seed
    /// has a ceiling above the cost.
    fn step(&self, mut list: Vec<Cohort>, cost: f64, depth: usize, visitor: &impl Visitor) -> Step {
        let space = self.boxes.space;
        let at = self.boxes.order[depth];
        let position = |cohort: Cohort| space.of(cohort)[at];
        list.sort_unstable_by_key(|&cohort| (position(cohort), cohort));
        let mut sizes = vec![0; list.len() + 1];
        for (place, cohort) in list.iter().enumerate() {
            sizes[place + 1] = sizes[place] + self.boxes.counts[cohort.index()];
        }
        let seeds = list.iter().enumerate().filter(|&(_, &c)| self.is_seed(c));
        let seeds = seeds.map(|(place, &cohort)| (place, visitor.ceiling(cohort)));
        let seeds: Vec<(usize, f64)> = seeds.filter(|&(_, ceiling)| ceiling > cost).collect();
        let ceiling = seeds.iter().map(|seed| seed.1).fold(0.0, f64::max);
        let mut parts = Parts {
            space,
            at,
            list: &list,
            sizes,
            seeds,
            cost,
            ceiling,
            k: self.boxes.k,
            found: Vec::new(),
        };
        match (self.boxes.attributes[at].costs(), self.boxes.attributes[at].generalization()) {
            (Costs::Set { .. }, _) => parts.sets(),
            (_, Generalization::Tree(tree)) => parts.nodes(tree),
            _ => parts.ranges(),
        }
        let choices = parts.found.into_iter();
        Step { list, choices }
    }
}

impl Boxes<'_> {
    /// The cohorts of a list that are in a part of the attribute at `depth`.
    fn part(&self, step: &Step, part: &Part, depth: usize) -> Vec<Cohort> {
        match *part {
            Part::Places(start, end) => step.list[start..end].to_vec(),
            Part::Bits(bits) => {
                let at = self.order[depth];
                let has = |cohort: &&Cohort| bits_of(self.space.of(**cohort)[at]) & bits != 0;
                step.list.iter().filter(has).copied().collect()
            }
        }
    }
}

fn bits_of(span: Span) -> u64 {
    u64::from(span.0) | u64::from(span.1) << 32
}

/// Finds the parts of one attribute.
struct Parts<'p, 'a> {
    space: &'p Space<'a>,
    at: usize,
    /// The cohorts, sorted by leaf.
    list: &'p [Cohort],
    /// Number of records before each place of the list.
    sizes: Vec<u64>,
    /// The places of the seeds, with their ceilings.
    seeds: Vec<(usize, f64)>,
    /// The cost of the parts of other attributes.
    cost: f64,
    /// The highest ceiling of a seed.
    ceiling: f64,
    k: u64,
    found: Vec<Choice>,
}

impl Parts<'_, '_> {
    fn leaf(&self, place: usize) -> u32 {
        self.space.of(self.list[place])[self.at].0
    }

    /// Where the leaves from `leaf` on begin in the list.
    fn start_of(&self, leaf: u32) -> usize {
        self.list.partition_point(|&cohort| self.space.of(cohort)[self.at].0 < leaf)
    }

    /// Keeps a range of places if it has enough records and a seed, from the one at `seed` on, whose
    /// ceiling is above the cost. Returns whether wider ranges can be cheap enough.
    fn keep(&mut self, start: usize, end: usize, seed: usize) -> bool {
        let span = (self.leaf(start), self.leaf(end - 1));
        let cost = self.cost + self.space.cost_of(self.at, span);
        let inside = self.seeds[seed..].iter().take_while(|&&(place, _)| place < end);
        let is_wanted = inside.map(|seed| seed.1).fold(0.0, f64::max) > cost;
        if is_wanted && self.sizes[end] - self.sizes[start] >= self.k {
            self.found.push(Choice { part: Part::Places(start, end), cost });
        }
        cost < self.ceiling
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
    fn nodes(&mut self, tree: &Hierarchy) {
        for (seed, before) in self.first_seeds() {
            let leaf = self.leaf(self.seeds[seed].0);
            let (mut start, mut end) = (self.start_of(leaf), self.start_of(leaf + 1));
            while self.keep(start, end, seed) {
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
    }

    /// Ranges of leaves: all that begin after the seed before and end anywhere.
    fn ranges(&mut self) {
        for (seed, before) in self.first_seeds() {
            let leaf = self.leaf(self.seeds[seed].0);
            let mut start = self.start_of(leaf);
            loop {
                let mut end = self.start_of(leaf + 1);
                let mut is_cheap = self.keep(start, end, seed);
                if !is_cheap {
                    break;
                }
                while is_cheap && end < self.list.len() {
                    end = self.start_of(self.leaf(end) + 1);
                    is_cheap = self.keep(start, end, seed);
                }
                let Some(left) = start.checked_sub(1).map(|place| self.leaf(place)) else { break };
                if before.is_some_and(|before| left <= before) {
                    break;
                }
                start = self.start_of(left);
            }
        }
    }

    /// Sets of values: all with the value of a seed and none of a seed before it.
    fn sets(&mut self) {
        let bits = |place: usize| bits_of(self.space.of(self.list[place])[self.at]);
        let all = (0..self.list.len()).map(bits).fold(0, |all, bit| all | bit);
        let mut seeds: Vec<u64> = self.seeds.iter().map(|&(place, _)| bits(place)).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let mut others = all;
        for own in seeds {
            others &= !own;
            // Sets that were not extended yet, with the values that can still be added.
            let mut open = vec![(own, others)];
            while let Some((set, mut rest)) = open.pop() {
                if !self.keep_set(set) {
                    continue;
                }
                while rest != 0 {
                    let bit = rest & rest.wrapping_neg();
                    rest &= !bit;
                    open.push((set | bit, rest));
                }
            }
        }
    }

    /// Keeps a set like [`Self::keep`] keeps a range.
    fn keep_set(&mut self, set: u64) -> bool {
        let cost = self.cost + self.space.cost_of(self.at, (set as u32, (set >> 32) as u32));
        let has = |place: usize| bits_of(self.space.of(self.list[place])[self.at]) & set != 0;
        let is_wanted = self.seeds.iter().any(|&(place, ceiling)| ceiling > cost && has(place));
        let members = (0..self.list.len()).filter(|&place| has(place));
        let size: u64 = members.map(|place| self.sizes[place + 1] - self.sizes[place]).sum();
        if is_wanted && size >= self.k {
            self.found.push(Choice { part: Part::Bits(set), cost });
        }
        is_wanted
    }
}

/// Finds the cheapest box of each cohort.
pub(super) struct Cheapest {
    /// Costs that the cheapest box cannot be below.
    least: Vec<f64>,
    /// The cost of the cheapest box so far.
    costs: Vec<f64>,
    has_given_up: bool,
}

impl Cheapest {
    /// Starts with the cost of some box of each cohort.
    pub(super) fn new(least: Vec<f64>, costs: Vec<f64>) -> Self {
        Self { least, costs, has_given_up: false }
    }

    /// The cost of the cheapest box of each cohort, or a lower bound of it.
    pub(super) fn prices(self) -> (Vec<f64>, Proof) {
        (self.costs, if self.has_given_up { Proof::Nearest } else { Proof::CheapestBox })
    }
}

impl Visitor for Cheapest {
    fn ceiling(&self, cohort: Cohort) -> f64 {
        let cost = self.costs[cohort.index()];
        // Nothing is cheaper than the lower bound.
        if cost > self.least[cohort.index()] { cost } else { 0.0 }
    }

    fn meet(&mut self, cost: f64, members: &[Cohort], is_seed: &dyn Fn(Cohort) -> bool) {
        for &member in members.iter().filter(|&&member| is_seed(member)) {
            let least = &mut self.costs[member.index()];
            *least = least.min(cost);
        }
    }

    fn give_up(&mut self, seeds: &[Cohort]) -> bool {
        seeds.iter().for_each(|c| self.costs[c.index()] = self.least[c.index()]);
        self.has_given_up = true;
        true
    }
}

/// Collects boxes with their cohorts.
pub(super) struct Collected {
    pub(super) ceilings: Vec<f64>,
    pub(super) costs: Vec<f64>,
    /// Where the cohorts of each box begin in `members`; one more at the end.
    pub(super) starts: Vec<usize>,
    pub(super) members: Vec<Cohort>,
}

impl Collected {
    pub(super) fn new(ceilings: Vec<f64>) -> Self {
        Self { ceilings, costs: Vec::new(), starts: vec![0], members: Vec::new() }
    }

    /// The cohorts of a box.
    #[inline]
    pub(super) fn members_of(&self, number: usize) -> &[Cohort] {
        &self.members[self.starts[number]..self.starts[number + 1]]
    }
}

impl Visitor for Collected {
    fn ceiling(&self, cohort: Cohort) -> f64 {
        self.ceilings[cohort.index()]
    }

    fn meet(&mut self, cost: f64, members: &[Cohort], is_seed: &dyn Fn(Cohort) -> bool) {
        // The box is met once in every cell that has a cohort with a higher ceiling; the cell of the
        // first of these cohorts keeps it.
        let above = members.iter().copied().filter(|&c| self.ceilings[c.index()] > cost);
        if above.min().is_some_and(is_seed) {
            self.costs.push(cost);
            self.members.extend_from_slice(members);
            self.starts.push(self.members.len());
        }
    }

    fn give_up(&mut self, _: &[Cohort]) -> bool {
        false
    }
}
