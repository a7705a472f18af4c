//! The parts that are still to be cut.

use super::cut::{Cut, Sides};
use super::profile::{Profile, Rows};
use crate::problem::{ANY_LEAF, Attribute, Goal, Problem};

/// Some records of a cohort.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) cohort: u32,
    pub(super) count: u64,
}

/// All parts that are still to be cut, one behind the other in one list.
///
/// The last part is cut next, and its sides take its place, the first side last. So a cohort that
/// is divided just makes the list one longer, and nothing recurses.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    rows: &'a Rows,
    items: Vec<Item>,
    /// Where each part begins.
    starts: Vec<usize>,
    /// Where the records of each leaf go, as far as the cut at hand has the leaf.
    shares: Vec<Share>,
    /// The items of the part at hand with their sides.
    moved: Vec<(u32, Item)>,
}

/// Some records go to one side, the others to the next.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    side: u32,
    /// How many records are still to go to that side.
    left: u64,
}

impl<'a> Parts<'a> {
    /// One part of all records, in the order of their leaves where values may be divided: so
    /// records stay together that are alike in other attributes.
    pub(super) fn new(problem: &Problem<'_>, rows: &'a Rows, may_divide: bool) -> Self {
        let counts = (0..).zip(&problem.cohorts().counts);
        let mut items: Vec<Item> = counts.map(|(cohort, &count)| Item { cohort, count }).collect();
        if may_divide {
            items.sort_unstable_by_key(|item| (rows.of(item.cohort), item.cohort));
        }
        let most = problem.attributes().iter().map(Attribute::n_leaves).max();
        Self {
            rows,
            items,
            starts: vec![0],
            shares: vec![Share::default(); most.unwrap_or(0)],
            moved: Vec::new(),
        }
    }

    /// The part to look at next.
    pub(super) fn last(&self) -> Option<&[Item]> {
        self.starts.last().map(|&start| &self.items[start..])
    }

    /// Removes the last part.
    pub(super) fn close(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.items.truncate(start);
        }
    }

    /// Puts the sides of a cut of an attribute, given by its place, where the last part was, if each
    /// of them may be a class.
    pub(super) fn divide(
        &mut self,
        goal: &Goal,
        place: usize,
        profile: &Profile,
        cut: &Cut,
    ) -> bool {
        let n_sides = self.share_out(profile, cut);
        let Some(&start) = self.starts.last() else { return false };
        self.moved.clear();
        for &Item { cohort, count } in &self.items[start..] {
            let leaf = self.rows.of(cohort)[place];
            let mut to_any = Share { side: cut.side_of_any, left: u64::MAX };
            let share = match leaf {
                ANY_LEAF => &mut to_any,
                leaf => &mut self.shares[leaf as usize],
            };
            let here = count.min(share.left);
            share.left -= here;
            let sides = [(share.side, here), (share.side + 1, count - here)];
            let sides = sides.into_iter().filter(|(_, count)| *count > 0);
            self.moved.extend(sides.map(|(side, count)| (side, Item { cohort, count })));
        }
        let may_be = goal.looks_only_at_sizes() || self.may_be_classes(goal, n_sides);
        if may_be {
            self.place(start, n_sides);
        }
        may_be
    }

    /// Whether each side of the part at hand may be a class.
    fn may_be_classes(&self, goal: &Goal, n_sides: usize) -> bool {
        let mut tallies = vec![goal.tally(); n_sides];
        for &(side, Item { cohort, count }) in &self.moved {
            goal.add(&mut tallies[side as usize], cohort, count);
        }
        tallies.iter().all(|tally| goal.holds(tally))
    }

    /// Writes the sides where the last part was, the first side last, so that it is cut next.
    fn place(&mut self, start: usize, n_sides: usize) {
        let mut places = vec![0; n_sides];
        self.moved.iter().for_each(|(side, _)| places[*side as usize] += 1);
        self.starts.pop();
        let mut next = start;
        for place in places.iter_mut().rev() {
            self.starts.push(next);
            next += std::mem::replace(place, next);
        }
        self.items.resize(next, Item { cohort: 0, count: 0 });
        for &(side, item) in &self.moved {
            let place = &mut places[side as usize];
            self.items[*place] = item;
            *place += 1;
        }
    }

    /// Notes where the records of each leaf go; returns how many sides there are.
    fn share_out(&mut self, profile: &Profile, cut: &Cut) -> usize {
        match &cut.sides {
            Sides::Two(first) => {
                let mut left = *first;
                for &(leaf, count) in &profile.leaves {
                    self.shares[leaf as usize] = Share { side: 0, left: left.min(count) };
                    left -= left.min(count);
                }
                2
            }
            Sides::Many(of_leaves, n_sides) => {
                for (&(leaf, _), &side) in profile.leaves.iter().zip(of_leaves) {
                    self.shares[leaf as usize] = Share { side, left: u64::MAX };
                }
                *n_sides
            }
        }
    }
}
