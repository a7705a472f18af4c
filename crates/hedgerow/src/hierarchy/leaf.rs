//! The leaves of a hierarchy, which number its values in order.

use std::ops::Range;

use crate::index::index;

index! {
    /// The position of a leaf in the order of its hierarchy, or of a value in a column that is
    /// generalized without one. The leaf for missing values is the last.
    Leaf
}

impl Leaf {
    /// Returns the first `n` leaves in order.
    #[inline]
    pub const fn first(n: usize) -> LeafRange {
        LeafRange { start: Self(0), end: Self::new(n) }
    }

    /// Returns the leaf after this one, which need not exist.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A half-open range of leaves: from `start` up to, but not including, `end`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeafRange {
    /// The first leaf.
    pub start: Leaf,
    /// The leaf after the last one.
    pub end: Leaf,
}

impl LeafRange {
    /// Whether a leaf is in the range.
    #[inline]
    pub fn contains(&self, leaf: Leaf) -> bool {
        self.start <= leaf && leaf < self.end
    }

    /// Whether the range contains all leaves of another.
    #[inline]
    pub fn covers(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the last leaf of a range that is not empty.
    #[inline]
    pub fn greatest(&self) -> Leaf {
        Leaf(self.end.0 - 1)
    }

    /// Returns the positions of the leaves in an array of all leaves.
    #[inline]
    pub fn places(&self) -> Range<usize> {
        self.start.index()..self.end.index()
    }
}

impl Iterator for LeafRange {
    type Item = Leaf;

    #[inline]
    fn next(&mut self) -> Option<Leaf> {
        let leaf = self.start;
        (leaf < self.end).then(|| {
            self.start = leaf.next();
            leaf
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.places().len();
        (n, Some(n))
    }
}

impl DoubleEndedIterator for LeafRange {
    #[inline]
    fn next_back(&mut self) -> Option<Leaf> {
        (self.start < self.end).then(|| {
            self.end = self.greatest();
            self.end
        })
    }
}

impl ExactSizeIterator for LeafRange {}

/// The leaf of a cohort, or [`ANY`](Self::ANY) for a missing value that matches every leaf.
///
/// It has the size of a [`Leaf`]; `ANY` is greater than all leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeafOrAny(u32);

impl LeafOrAny {
    /// Matches every leaf.
    pub const ANY: Self = Self(u32::MAX);

    /// Returns the leaf, or `None` for [`ANY`](Self::ANY).
    #[inline]
    pub fn known(self) -> Option<Leaf> {
        (self != Self::ANY).then_some(Leaf(self.0))
    }

    /// Whether it matches every leaf.
    #[inline]
    pub(crate) fn is_any(self) -> bool {
        self == Self::ANY
    }

    /// Returns the number of the leaf plus 1, or 0 for [`ANY`](Self::ANY).
    #[inline]
    pub(crate) fn number_after(self) -> u32 {
        self.0.wrapping_add(1)
    }

    /// Returns the number of the leaf; that of [`ANY`](Self::ANY) is greater than all others.
    #[inline]
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

impl From<Leaf> for LeafOrAny {
    #[inline]
    fn from(leaf: Leaf) -> Self {
        Self(leaf.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_gives_its_leaves_from_both_ends() {
        let mut range = LeafRange { start: Leaf::new(2), end: Leaf::new(5) };
        assert_eq!((range.len(), range.greatest()), (3, Leaf::new(4)));
        assert_eq!((range.next(), range.next_back()), (Some(Leaf::new(2)), Some(Leaf::new(4))));
        assert_eq!(range.collect::<Vec<_>>(), [Leaf::new(3)]);
        assert_eq!(Leaf::first(0).next(), None);
    }

    #[test]
    fn any_leaf_is_known_as_none_and_comes_last() {
        let leaf = LeafOrAny::from(Leaf::new(7));
        assert_eq!((leaf.known(), LeafOrAny::ANY.known()), (Some(Leaf::new(7)), None));
        assert!(leaf < LeafOrAny::ANY);
        assert_eq!(size_of::<LeafOrAny>(), size_of::<Leaf>());
    }
}
