//! The space of records: spans of leaves and their costs.

use crate::box_tree::Span;
use crate::hierarchy::LeafOrAny;
use crate::problem::{Attribute, Costs, Problem};
use crate::table::Cohort;

/// Number of bits of a set. In larger domains, values that share a bit are treated as equal.
const N_BITS: u32 = 64;

/// The span of a missing value that matches anything, in a range: the neutral element of
/// [`Space::join`]. An `Option` would need a branch in the innermost step of the search.
const NO_LEAF: Span = (u32::MAX, 0);

/// The set of all values: every bit.
const ALL_BITS: Span = (!0, !0);

/// The quasi-identifiers of a problem, cohort by cohort.
pub(super) struct Space<'a> {
    attributes: &'a [Attribute],
    /// Whether each attribute is generalized to sets.
    is_set: Vec<bool>,
    /// The spans of each cohort.
    spans: Vec<Span>,
    /// Minimum number of records of a class.
    k: u64,
}

impl<'a> Space<'a> {
    pub(super) fn new(problem: &'a Problem) -> Self {
        let attributes = problem.attributes();
        let is_set: Vec<bool> =
            attributes.iter().map(|a| matches!(a.costs(), Costs::Set { .. })).collect();
        let mut spans = Vec::with_capacity(problem.cohorts().len() * attributes.len());
        for cohort in problem.cohorts().all() {
            let leaves = attributes.iter().map(|attribute| attribute.leaves()[cohort.index()]);
            spans.extend(leaves.zip(&is_set).map(|(leaf, &is_set)| span(leaf, is_set)));
        }
        Self { attributes, is_set, spans, k: problem.least_size() }
    }

    /// Number of records that a class of this size is missing.
    pub(super) fn need(&self, size: u64) -> u64 {
        self.k.saturating_sub(size)
    }

    /// Number of records that a class of this size can spare.
    pub(super) fn spare(&self, size: u64) -> u64 {
        size.saturating_sub(self.k)
    }

    /// Number of attributes.
    pub(super) fn width(&self) -> usize {
        self.attributes.len()
    }

    pub(super) fn n_cohorts(&self) -> usize {
        self.spans.len() / self.width()
    }

    /// The spans of a cohort.
    pub(super) fn of(&self, cohort: Cohort) -> &[Span] {
        &self.spans[cohort.index() * self.width()..][..self.width()]
    }

    /// The spans of no records.
    pub(super) fn nothing(&self) -> Box<[Span]> {
        self.is_set.iter().map(|&is_set| span(LeafOrAny::ANY, is_set)).collect()
    }

    /// The span of all leaves of an attribute.
    pub(super) fn everything(&self, attribute: usize) -> Span {
        let last = self.attributes[attribute].n_leaves().saturating_sub(1) as u32;
        if self.is_set[attribute] { ALL_BITS } else { (0, last) }
    }

    /// Widens spans to include others.
    pub(super) fn widen(&self, spans: &mut [Span], by: &[Span]) {
        for (attribute, (span, &by)) in spans.iter_mut().zip(by).enumerate() {
            *span = self.join(attribute, *span, by);
        }
    }

    /// Returns the cost of a record in a class with these spans.
    pub(super) fn cost(&self, spans: &[Span]) -> f64 {
        spans.iter().enumerate().map(|(attribute, &span)| self.cost_of(attribute, span)).sum()
    }

    /// Returns the cost of a record in a class that joins two lists of spans.
    #[inline]
    pub(super) fn cost_together(&self, some: &[Span], others: &[Span]) -> f64 {
        let both = some.iter().zip(others).enumerate();
        both.map(|(attribute, (&x, &y))| self.cost_of(attribute, self.join(attribute, x, y))).sum()
    }

    /// Returns a lower bound of the cost of a record in a class that joins some spans with any
    /// record of a box.
    #[inline]
    pub(super) fn least_cost(&self, some: &[Span], of_box: &[Span]) -> f64 {
        let both = some.iter().zip(of_box).enumerate();
        both.map(|(attribute, (&x, &y))| self.cost_of(attribute, self.reach(attribute, x, y))).sum()
    }

    #[inline]
    pub(super) fn join(&self, attribute: usize, x: Span, y: Span) -> Span {
        if self.is_set[attribute] { (x.0 | y.0, x.1 | y.1) } else { (x.0.min(y.0), x.1.max(y.1)) }
    }

    #[expect(
        clippy::inline_always,
        reason = "the innermost step of the search: calls instead take 13% more instructions on Adult"
    )]
    #[inline(always)]
    pub(super) fn cost_of(&self, attribute: usize, span: Span) -> f64 {
        let costs = self.attributes[attribute].costs();
        if self.is_set[attribute] {
            costs.of_set((span.0.count_ones() + span.1.count_ones()) as usize)
        } else if span.0 < span.1 {
            costs.of_range(span.0.into(), span.1.into())
        } else {
            0.0
        }
    }

    /// Returns the position of a span in the order of leaves.
    pub(super) fn position(&self, attribute: usize, span: Span) -> u32 {
        match span {
            (low, high) if self.is_set[attribute] => {
                (u64::from(low) | u64::from(high) << 32).trailing_zeros()
            }
            // An empty span: a missing value that matches anything.
            (first, last) if first > last => 0,
            (first, _) => first,
        }
    }

    /// Widens a span as little as needed to include some leaf of a box.
    #[inline]
    fn reach(&self, attribute: usize, span: Span, of_box: Span) -> Span {
        if !self.is_set[attribute] {
            return (span.0.min(of_box.1), span.1.max(of_box.0));
        }
        // The set already shares a value with the box, or is empty and costs nothing with one
        // value.
        if span.0 & of_box.0 | span.1 & of_box.1 != 0 || (span.0 | span.1) == 0 {
            return span;
        }
        // The lowest bit of the box; any other single bit would cost the same.
        let mask = u64::from(of_box.0) | u64::from(of_box.1) << 32;
        let lacks = mask & mask.wrapping_neg();
        (span.0 | lacks as u32, span.1 | (lacks >> 32) as u32)
    }
}

/// Returns the span of one leaf; empty for a missing value that matches anything.
fn span(leaf: LeafOrAny, is_set: bool) -> Span {
    match (leaf.known(), is_set) {
        (None, true) => (0, 0),
        (None, false) => NO_LEAF,
        (Some(leaf), true) => {
            let bit = 1u64 << (leaf.get() % N_BITS);
            (bit as u32, (bit >> 32) as u32)
        }
        (Some(leaf), false) => (leaf.get(), leaf.get()),
    }
}
