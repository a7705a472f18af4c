//! The parts that remain to be cut.

use super::cut::{Cut, Sides};
use super::profile::Profile;
use crate::hierarchy::LeafOrAny;
use crate::problem::{Attribute, Goal, Problem};
use crate::table::Cohort;

/// Some records of a cohort.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) cohort: Cohort,
    pub(super) count: u64,
}

/// Number of leaves that are read and moved at a time.
pub(super) const LANES: usize = 4;

/// Some leaves of an item; the last array is padded with leaves that match anything.
pub(super) type Leaves = [LeafOrAny; LANES];

/// Records that are in the same part so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) items: &'a [Item],
    /// The leaves of each item, stored item by item so that memory is read sequentially.
    pub(super) leaves: &'a [Leaves],
    /// Number of [`Leaves`] arrays per item.
    pub(super) stride: usize,
}

impl Part<'_> {
    /// Iterates over the leaves of the attribute at `place`.
    pub(super) fn column(self, place: usize) -> impl Iterator<Item = LeafOrAny> {
        let leaves = self.leaves.iter().skip(place / LANES).step_by(self.stride);
        leaves.map(move |leaves| leaves[place % LANES])
    }
}

/// All parts that remain to be cut, stored one after another in one list.
///
/// The last part is cut next, and its sides replace it, the first side at the end. Splitting a
/// cohort makes the list longer by one item, and no recursion is needed.
#[derive(Debug)]
pub(super) struct Parts {
    items: Vec<Item>,
    leaves: Vec<Leaves>,
    stride: usize,
    /// The place at which each part begins.
    starts: Vec<usize>,
    /// For each leaf of the current cut, the sides that its records go to.
    shares: Vec<Share>,
    /// The items of the current part, with their new sides and old places.
    moved: Vec<Moved>,
    /// A copy of the leaves of the current part.
    moved_leaves: Vec<Leaves>,
}

/// An item that is being moved to a side.
#[derive(Debug, Clone, Copy)]
struct Moved {
    side: u32,
    /// Its place in the current part.
    from: u32,
    item: Item,
}

/// Division of the records of a leaf: the first `left` go to `side`, the others to the next side.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    side: u32,
    /// Number of records that still go to that side.
    left: u64,
}

impl Parts {
    /// Starts with one part of all records. If values may be split, cohorts are sorted by their
    /// leaves, so that records that are similar in other attributes stay together.
    pub(super) fn new(problem: &Problem, may_divide: bool) -> Self {
        let attributes = problem.attributes();
        let stride = attributes.len().div_ceil(LANES);
        let counts = &problem.cohorts().counts;
        let mut order: Vec<Cohort> = problem.cohorts().all().collect();
        if may_divide {
            let of = |cohort: Cohort| attributes.iter().map(move |a| a.leaves()[cohort.index()]);
            order.sort_by(|&a, &b| of(a).cmp(of(b)));
        }
        // Leaves of a cohort are adjacent, since a part is examined in all attributes at once.
        let mut leaves = vec![[LeafOrAny::ANY; LANES]; counts.len() * stride];
        for (&cohort, leaves) in order.iter().zip(leaves.chunks_mut(stride)) {
            let of_cohort = attributes.iter().map(|a| a.leaves()[cohort.index()]);
            leaves.as_flattened_mut().iter_mut().zip(of_cohort).for_each(|(to, leaf)| *to = leaf);
        }
        let item = |cohort: Cohort| Item { cohort, count: counts[cohort.index()] };
        let most = attributes.iter().map(Attribute::n_leaves).max();
        Self {
            items: order.into_iter().map(item).collect(),
            leaves,
            stride,
            starts: vec![0],
            shares: vec![Share::default(); most.unwrap_or(0)],
            moved: Vec::new(),
            moved_leaves: Vec::new(),
        }
    }

    /// Returns the part to cut next.
    pub(super) fn last(&self) -> Option<Part<'_>> {
        let &start = self.starts.last()?;
        let (items, leaves) = (&self.items[start..], &self.leaves[start * self.stride..]);
        Some(Part { items, leaves, stride: self.stride })
    }

    /// Removes the last part and returns it on its own.
    pub(super) fn take_last(&mut self) -> Self {
        let start = self.starts.pop().unwrap_or(self.items.len());
        Self {
            items: self.items.split_off(start),
            leaves: self.leaves.split_off(start * self.stride),
            stride: self.stride,
            starts: vec![0],
            shares: vec![Share::default(); self.shares.len()],
            moved: Vec::new(),
            moved_leaves: Vec::new(),
        }
    }

    /// Removes the last part.
    pub(super) fn close(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.items.truncate(start);
            self.leaves.truncate(start * self.stride);
        }
    }

    /// Replaces the last part by the sides of a cut of the attribute at `place`, unless a side
    /// fails the goal. Returns whether it was replaced.
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
        let part = Part {
            items: &self.items[start..],
            leaves: &self.leaves[start * self.stride..],
            stride: self.stride,
        };
        for ((from, &Item { cohort, count }), leaf) in (0..).zip(part.items).zip(part.column(place))
        {
            // Records that match anything all go to one side.
            let mut to_any = Share { side: cut.side_of_any, left: u64::MAX };
            let share = match leaf.known() {
                None => &mut to_any,
                Some(leaf) => &mut self.shares[leaf.index()],
            };
            // A cohort whose value is split is divided between two neighbouring sides.
            let here = count.min(share.left);
            share.left -= here;
            let sides = [(share.side, here), (share.side + 1, count - here)];
            let filled = sides.into_iter().filter(|(_, count)| *count > 0);
            let moved = |(side, count)| Moved { side, from, item: Item { cohort, count } };
            self.moved.extend(filled.map(moved));
        }
        // Cuts are chosen by size, so only other models need another check.
        let may_be = goal.looks_only_at_sizes() || self.may_be_classes(goal, n_sides);
        if may_be {
            self.place(start, n_sides);
        }
        may_be
    }

    /// Whether every side of the current part meets the goal.
    fn may_be_classes(&self, goal: &Goal, n_sides: usize) -> bool {
        let mut tallies = vec![goal.tally(); n_sides];
        for &Moved { side, item: Item { cohort, count }, .. } in &self.moved {
            goal.add(&mut tallies[side as usize], cohort, count);
        }
        tallies.iter().all(|tally| goal.holds(tally))
    }

    /// Writes the sides in place of the last part, the first side at the end so that it is cut
    /// next.
    fn place(&mut self, start: usize, n_sides: usize) {
        let mut places = vec![0; n_sides];
        self.moved.iter().for_each(|moved| places[moved.side as usize] += 1);
        self.starts.pop();
        let mut next = start;
        // Turns the size of each side into its first place.
        for place in places.iter_mut().rev() {
            self.starts.push(next);
            next += std::mem::replace(place, next);
        }
        let stride = self.stride;
        // Sides are written over the part, so its leaves are copied first.
        self.moved_leaves.clear();
        self.moved_leaves.extend_from_slice(&self.leaves[start * stride..]);
        self.items.resize(next, Item { cohort: Cohort::new(0), count: 0 });
        self.leaves.resize(next * stride, [LeafOrAny::ANY; LANES]);
        for &Moved { side, from, item } in &self.moved {
            let place = &mut places[side as usize];
            self.items[*place] = item;
            for i in 0..stride {
                self.leaves[*place * stride + i] = self.moved_leaves[from as usize * stride + i];
            }
            *place += 1;
        }
    }

    /// Notes the sides that the records of each leaf go to, and returns the number of sides.
    fn share_out(&mut self, profile: &Profile, cut: &Cut) -> usize {
        match &cut.sides {
            Sides::Two(first) => {
                // The first `first` records in the order of leaves go to side 0; one leaf may be
                // divided.
                let mut left = *first;
                for &(leaf, count) in &profile.leaves {
                    self.shares[leaf.index()] = Share { side: 0, left: left.min(count) };
                    left -= left.min(count);
                }
                2
            }
            Sides::Many(of_leaves, n_sides) => {
                for (&(leaf, _), &side) in profile.leaves.iter().zip(of_leaves) {
                    self.shares[leaf.index()] = Share { side, left: u64::MAX };
                }
                *n_sides
            }
        }
    }
}
