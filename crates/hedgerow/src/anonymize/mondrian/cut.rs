//! Finds where one attribute of a part can be cut.

use super::profile::Profile;
use crate::hierarchy::{Hierarchy, Leaf};
use crate::problem::Attribute;

/// A cut of one attribute.
#[derive(Debug)]
pub(super) struct Cut {
    /// Total decrease of the cost of this attribute over all records of the part.
    pub(super) saved: f64,
    pub(super) sides: Sides,
    /// Side of the records that match anything: the one with the fewest other records.
    pub(super) side_of_any: u32,
}

/// Assigns records to sides.
#[derive(Debug)]
pub(super) enum Sides {
    /// Number of records on the first side, in the order of the profile. This may split the records
    /// of a value.
    Two(u64),
    /// The side of each leaf of the profile, and the number of sides.
    Many(Vec<u32>, usize),
}

/// Finds the cut of one attribute of a part.
#[derive(Debug)]
pub(super) struct Cutter<'a> {
    attribute: &'a Attribute,
    profile: &'a Profile,
    n_known: u64,
    /// Minimum number of records of a class.
    least: u64,
}

impl<'a> Cutter<'a> {
    pub(super) fn new(attribute: &'a Attribute, profile: &'a Profile, least: u64) -> Self {
        Self { attribute, profile, n_known: profile.n_known(), least }
    }

    /// Whether `size` records are enough for a class.
    fn may_be_class(&self, size: u64) -> bool {
        size >= self.least
    }

    /// Cuts after the least value such that at least half of the records do not exceed it (METHODS
    /// 6.4).
    pub(super) fn median(&self) -> Option<Cut> {
        let (place, first) = self.ends().find(|(_, end)| 2 * end >= self.n_known)?;
        self.cut(place, first, false)
    }

    /// Cuts after half of the records, even within a value.
    pub(super) fn half(&self) -> Option<Cut> {
        let first = self.n_known / 2;
        let (place, end) = self.ends().find(|(_, end)| *end >= first)?;
        self.cut(place, first, end > first)
    }

    /// Cuts where the loss falls most; of equal cuts, takes the most balanced one, then the first.
    ///
    /// A relaxed cut may also split a value, so that one side has just enough records.
    pub(super) fn least_loss(&self, is_relaxed: bool) -> Option<Cut> {
        // Within a value, the loss is linear in the number of records on the first side, so only
        // the two points that leave one side just large enough can be best.
        let need = self.least.saturating_sub(self.profile.n_any).max(1);
        let within = [need, self.n_known.saturating_sub(need)];
        let mut start = 0;
        let mut best: Option<(Cut, u64)> = None;
        for (place, end) in self.ends() {
            let inner = within.into_iter().filter(|&f| is_relaxed && start < f && f < end);
            for first in inner.chain([end]) {
                let Some(cut) = self.cut(place, first, first < end) else { continue };
                let smaller = first.min(self.n_known - first);
                if best.as_ref().is_none_or(|(b, s)| (b.saved, *s) < (cut.saved, smaller)) {
                    best = Some((cut, smaller));
                }
            }
            start = end;
        }
        best.map(|(cut, _)| cut)
    }

    /// Cuts between the children of the lowest common ancestor of all leaves.
    ///
    /// Children with too few records are put together; if they are still too few, they join the
    /// smallest of the other children.
    pub(super) fn children(&self, tree: &Hierarchy) -> Option<Cut> {
        let leaves = &self.profile.leaves;
        let node = tree.lowest_common_ancestor(leaves.first()?.0, leaves.last()?.0);
        // Neighbouring leaves are below the same child if their common ancestor is below `node`.
        let is_one =
            |a: &(Leaf, u64), b: &(Leaf, u64)| tree.lowest_common_ancestor(a.0, b.0) != node;
        let groups: Vec<&[(Leaf, u64)]> = leaves.chunk_by(is_one).collect();
        let sizes: Vec<u64> =
            groups.iter().map(|group| group.iter().map(|(_, count)| count).sum()).collect();
        let large = || sizes.iter().copied().filter(|&size| self.may_be_class(size));
        let rest = self.n_known - large().sum::<u64>();
        let n_large = large().count() as u32;
        let mut n_sides = n_large;
        let mut side_of_rest =
            (0..).zip(large()).min_by_key(|(_, size)| *size).map(|(side, _)| side);
        // Together the small children are large enough for a side of their own.
        if rest > 0 && self.may_be_class(rest + self.profile.n_any) {
            side_of_rest = Some(n_large);
            n_sides += 1;
        }
        let mut next = 0..n_large;
        let mut of_leaves = Vec::with_capacity(leaves.len());
        for (group, &size) in groups.iter().zip(&sizes) {
            let own = if self.may_be_class(size) { next.next() } else { None };
            of_leaves.extend(std::iter::repeat_n(own.or(side_of_rest)?, group.len()));
        }
        self.many(of_leaves, n_sides as usize)
    }

    /// Returns the cut that assigns each leaf to a side.
    fn many(&self, of_leaves: Vec<u32>, n_sides: usize) -> Option<Cut> {
        if n_sides < 2 {
            return None;
        }
        let mut sides = vec![(0, usize::MAX, 0); n_sides];
        for (place, (&side, (_, count))) in of_leaves.iter().zip(&self.profile.leaves).enumerate() {
            let (size, first, last) = &mut sides[side as usize];
            *size += count;
            (*first, *last) = (place.min(*first), place);
        }
        let side_of_any = (0..).zip(&sides).min_by_key(|(_, (size, ..))| *size)?.0;
        sides[side_of_any as usize].0 += self.profile.n_any;
        let cost = |from, to| self.profile.cost(self.attribute, from..to);
        let all = (self.n_known + self.profile.n_any) as f64 * cost(0, of_leaves.len());
        let left: f64 =
            sides.iter().map(|&(n, first, last)| n as f64 * cost(first, last + 1)).sum();
        Some(Cut { saved: all - left, sides: Sides::Many(of_leaves, n_sides), side_of_any })
    }

    /// Iterates over the places of the leaves, with the number of records up to and including each.
    fn ends(&self) -> impl Iterator<Item = (usize, u64)> {
        let leaves = self.profile.leaves.iter().enumerate();
        leaves.scan(0, |end, (place, (_, count))| {
            *end += count;
            Some((place, *end))
        })
    }

    /// Returns the cut with `first` records on the first side. The last of them have the leaf at
    /// `place`; if the cut is within that value, the other side has some of its records too.
    fn cut(&self, place: usize, first: u64, is_within: bool) -> Option<Cut> {
        let (mut sizes, n_any) = ([first, self.n_known - first], self.profile.n_any);
        let side_of_any = usize::from(sizes[1] < sizes[0]);
        let is_cut = sizes.iter().all(|&size| size > 0);
        sizes[side_of_any] += n_any;
        if !is_cut || !sizes.iter().all(|&size| self.may_be_class(size)) {
            return None;
        }
        let n_leaves = self.profile.leaves.len();
        // If a value is split, its leaf counts on both sides.
        let second = if is_within { place } else { place + 1 };
        let cost = |from, to| self.profile.cost(self.attribute, from..to);
        let saved = (self.n_known + n_any) as f64 * cost(0, n_leaves)
            - sizes[0] as f64 * cost(0, place + 1)
            - sizes[1] as f64 * cost(second, n_leaves);
        Some(Cut { saved, sides: Sides::Two(first), side_of_any: side_of_any as u32 })
    }
}
