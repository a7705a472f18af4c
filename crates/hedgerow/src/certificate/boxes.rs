//! Enumerates the boxes of a problem that cost little, with the cohorts in them.

use super::allowance::{Allowance, Stop};
use super::parts::{Choice, Part, Parts, bits_of};
use crate::Result;
use crate::box_tree::{BoxTree, Space};
use crate::hierarchy::Generalization;
use crate::problem::{Attribute, Costs, Problem};
use crate::progress::Progress;
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

    /// A box with its cost and its cohorts. `is_seed` is true for the cohorts whose boxes are
    /// enumerated at the moment.
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
            // A cell may use twice its share of the remaining effort, so that no cell uses up all
            // of it.
            let share = (2 * left / (self.cells.len() - cell) as u64).min(left);
            let allowance = Allowance::new(share, progress);
            match (Walk { boxes: self, cell: cell as u32, allowance }).run(seeds, visitor) {
                Ok(unused) => left -= share - unused,
                Err(Stop::Failed(error)) => return Err(error),
                Err(Stop::Exhausted) => {
                    left -= share;
                    is_complete = false;
                    if !visitor.give_up(seeds) {
                        break;
                    }
                }
            }
        }
        Ok(is_complete)
    }
}

/// The enumeration of the boxes of one cell.
struct Walk<'w, 'a> {
    boxes: &'w Boxes<'a>,
    cell: u32,
    allowance: Allowance<'w>,
}

impl Walk<'_, '_> {
    /// Returns the effort that was not needed.
    fn run(mut self, seeds: &[Cohort], visitor: &mut impl Visitor) -> Result<u64, Stop> {
        self.allowance.check()?;
        let ceiling = seeds.iter().map(|&c| visitor.ceiling(c)).fold(0.0, f64::max);
        if ceiling <= 0.0 {
            return Ok(self.allowance.left());
        }
        let width = self.boxes.order.len();
        let start = self.within(seeds, ceiling);
        let mut steps = vec![self.step(start, 0.0, 0, visitor)?];
        loop {
            let depth = steps.len();
            let Some(step) = steps.last_mut() else { break };
            let Some(choice) = step.choices.next() else {
                steps.pop();
                continue;
            };
            // The effort for the cohorts of a part was spent when the part was found.
            let list = self.boxes.part(step, &choice.part, depth - 1);
            // A cheaper box has the same cohorts, regardless of the parts of the other attributes.
            let hull = self.hull(&list, depth);
            if hull < choice.cost - ROUNDING {
                continue;
            }
            if depth < width {
                steps.push(self.step(list, choice.cost, depth, visitor)?);
            } else {
                visitor.meet(hull, &list, &|cohort| self.is_seed(cohort));
            }
        }
        Ok(self.allowance.left())
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
    fn step(
        &mut self,
        mut list: Vec<Cohort>,
        cost: f64,
        depth: usize,
        visitor: &impl Visitor,
    ) -> Result<Step, Stop> {
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
            allowance: &mut self.allowance,
            found: Vec::new(),
        };
        let attribute = &self.boxes.attributes[at];
        match (attribute.costs(), attribute.generalization()) {
            (Costs::Set { .. }, _) => parts.sets()?,
            (_, Generalization::Tree(tree)) => parts.nodes(tree)?,
            _ => parts.ranges()?,
        }
        let choices = parts.found.into_iter();
        Ok(Step { list, choices })
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

/// Finds the cheapest box of each cohort.
pub(super) struct Cheapest {
    /// Costs that the cheapest box cannot be below.
    least: Vec<f64>,
    /// The cost of the cheapest box so far.
    costs: Vec<f64>,
    seen: Seen,
}

/// The extent of a search for the cheapest boxes.
#[derive(Default)]
pub(super) struct Seen {
    /// Number of boxes that were met, each counted once for each of their cells.
    pub(super) n_boxes: usize,
    /// Number of cohorts that may not have met their cheapest box.
    pub(super) n_nearest: usize,
}

impl Cheapest {
    /// Starts with the cost of some box of each cohort.
    pub(super) fn new(least: Vec<f64>, costs: Vec<f64>) -> Self {
        Self { least, costs, seen: Seen::default() }
    }

    /// The cost of the cheapest box of each cohort, or a lower bound of it.
    pub(super) fn prices(self) -> (Vec<f64>, Seen) {
        (self.costs, self.seen)
    }
}

impl Visitor for Cheapest {
    fn ceiling(&self, cohort: Cohort) -> f64 {
        let cost = self.costs[cohort.index()];
        // Nothing is cheaper than the lower bound.
        if cost > self.least[cohort.index()] { cost } else { 0.0 }
    }

    fn meet(&mut self, cost: f64, members: &[Cohort], is_seed: &dyn Fn(Cohort) -> bool) {
        self.seen.n_boxes += 1;
        for &member in members.iter().filter(|&&member| is_seed(member)) {
            let least = &mut self.costs[member.index()];
            *least = least.min(cost);
        }
    }

    fn give_up(&mut self, seeds: &[Cohort]) -> bool {
        seeds.iter().for_each(|c| self.costs[c.index()] = self.least[c.index()]);
        self.seen.n_nearest += seeds.len();
        true
    }
}

/// Collects boxes with their cohorts.
pub(super) struct Collected {
    pub(super) ceilings: Vec<f64>,
    pub(super) costs: Vec<f64>,
    /// The place in `members` at which the cohorts of each box begin; one more at the end.
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
        // The box is met once in every cell that has a cohort with a higher ceiling; the cell of
        // the first of these cohorts keeps it.
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
