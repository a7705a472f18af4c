//! A growing cluster: the leaves it spans, and its cost with more records.

use crate::hierarchy::{Leaf, LeafOrAny};
use crate::problem::{Costs, Problem};
use crate::table::Cohort;

/// A cluster of records, described by the leaves they span in each attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Cluster {
    pub(super) size: u64,
    spans: Vec<Span>,
}

/// The leaves of one attribute that a cluster spans.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Span {
    /// No leaf: all records so far have a missing value that matches anything.
    Nothing,
    /// All leaves from the first to the second, for trees and intervals.
    Range(Leaf, Leaf),
    /// Exactly these leaves in ascending order, for sets.
    Leaves(Vec<Leaf>),
}

impl Cluster {
    /// Makes a cluster without records.
    pub(super) fn empty(problem: &Problem) -> Self {
        Self { size: 0, spans: vec![Span::Nothing; problem.attributes().len()] }
    }

    /// Makes a cluster of one record.
    pub(super) fn of(problem: &Problem, cohort: Cohort) -> Self {
        let mut cluster = Self::empty(problem);
        cluster.add(problem, cohort, 1);
        cluster
    }

    /// Adds `count` records of a cohort.
    pub(super) fn add(&mut self, problem: &Problem, cohort: Cohort, count: u64) {
        self.size += count;
        for (span, attribute) in self.spans.iter_mut().zip(problem.attributes()) {
            // Only sets depend on the individual leaves; for trees and intervals a range is enough.
            let is_set = matches!(attribute.costs(), Costs::Set { .. });
            if let Some(leaf) = attribute.leaves()[cohort.index()].known() {
                span.add(leaf, is_set);
            }
        }
    }

    /// Returns the cost of the cluster with one more record, summed over the attributes.
    pub(super) fn cost_with(
        &self,
        problem: &Problem,
        leaves: impl Iterator<Item = LeafOrAny>,
    ) -> f64 {
        let attributes = problem.attributes().iter().zip(&self.spans);
        attributes
            .zip(leaves)
            .map(|((attribute, span), leaf)| span.cost(attribute.costs(), leaf.known()))
            .sum()
    }

    /// Adds all records of another cluster.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.size += other.size;
        self.spans.iter_mut().zip(&other.spans).for_each(|(span, other)| span.absorb(other));
    }

    /// Returns the cost of the cluster, summed over the attributes.
    pub(super) fn cost(&self, problem: &Problem) -> f64 {
        self.cost_with(problem, std::iter::repeat(LeafOrAny::ANY))
    }

    /// Returns the cost of two clusters merged, summed over the attributes. The sum stops early
    /// once it exceeds `enough`.
    pub(super) fn cost_together(&self, problem: &Problem, other: &Self, enough: f64) -> f64 {
        let mut cost = 0.0;
        let spans = self.spans.iter().zip(&other.spans);
        for (attribute, (span, other)) in problem.attributes().iter().zip(spans) {
            cost += span.cost_together(attribute.costs(), other);
            if cost > enough {
                break;
            }
        }
        cost
    }

    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }
}

impl Span {
    fn add(&mut self, leaf: Leaf, is_set: bool) {
        match self {
            Self::Nothing if is_set => *self = Self::Leaves(vec![leaf]),
            Self::Nothing => *self = Self::Range(leaf, leaf),
            Self::Range(first, last) => (*first, *last) = (leaf.min(*first), leaf.max(*last)),
            Self::Leaves(leaves) => {
                if let Err(place) = leaves.binary_search(&leaf) {
                    leaves.insert(place, leaf);
                }
            }
        }
    }

    fn absorb(&mut self, other: &Self) {
        match (&mut *self, other) {
            (_, Self::Nothing) => {}
            (Self::Range(first, last), Self::Range(low, high)) => {
                (*first, *last) = ((*first).min(*low), (*last).max(*high));
            }
            (Self::Leaves(_), Self::Leaves(others)) => {
                others.iter().for_each(|&leaf| self.add(leaf, true));
            }
            _ => *self = other.clone(),
        }
    }

    fn cost_together(&self, costs: &Costs, other: &Self) -> f64 {
        match (self, other) {
            (one, Self::Nothing) | (Self::Nothing, one) => one.cost(costs, None),
            (Self::Leaves(some), Self::Leaves(others)) => {
                let n_new = others.iter().filter(|leaf| some.binary_search(leaf).is_err()).count();
                costs.of_set(some.len() + n_new)
            }
            (Self::Range(first, last), Self::Range(low, high)) => {
                costs.of_range(*first.min(low), *last.max(high))
            }
            _ => 1.0, // unreachable: spans of one attribute have the same kind
        }
    }

    /// Returns the cost of the attribute with one more leaf, or with one that matches any value.
    #[inline]
    pub(super) fn cost(&self, costs: &Costs, leaf: Option<Leaf>) -> f64 {
        match self {
            Self::Nothing => 0.0,
            Self::Range(first, last) => match leaf {
                None => costs.of_range(*first, *last),
                Some(leaf) => costs.of_range(leaf.min(*first), leaf.max(*last)),
            },
            Self::Leaves(leaves) => {
                let is_new = leaf.is_some_and(|leaf| leaves.binary_search(&leaf).is_err());
                costs.of_set(leaves.len() + usize::from(is_new))
            }
        }
    }

    /// Returns the least and the greatest cost of the attribute with one more leaf from
    /// `low..=high`.
    ///
    /// The cost of a range grows as it widens, so the minimum is at the leaf of the box nearest to
    /// the span and the maximum at one end of the box. A set grows by one unless it already has the
    /// leaf.
    #[inline]
    pub(super) fn bounds(&self, costs: &Costs, low: u32, high: u32) -> (f64, f64) {
        let (low, high) = (Leaf::from(low), Leaf::from(high));
        match self {
            Self::Nothing => (0.0, 0.0),
            Self::Leaves(leaves) => {
                // The least cost adds no leaf if the set has any leaf of the box; the greatest only
                // if that is the only leaf of the box.
                let next = leaves.partition_point(|&leaf| leaf < low);
                let has_one = leaves.get(next).is_some_and(|&leaf| leaf <= high);
                let has_all = has_one && low == high;
                let cost = |is_new: bool| costs.of_set(leaves.len() + usize::from(is_new));
                (cost(!has_one), cost(!has_all))
            }
            Self::Range(first, last) => {
                // Clamps the start of the span to the box, which gives the leaf nearest to the
                // span.
                let nearest = first.max(&low).min(&high);
                let at = |leaf: Leaf| costs.of_range(leaf.min(*first), leaf.max(*last));
                (at(*nearest), at(low).max(at(high)))
            }
        }
    }
}
