//! A growing cluster: which leaves it spans, and what it would cost with more records.

use crate::hierarchy::{Leaf, LeafOrAny};
use crate::problem::{Costs, Problem};
use crate::table::Cohort;

/// A cluster of records, by the leaves they have of each attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Cluster {
    pub(super) size: u64,
    spans: Vec<Span>,
}

/// The leaves of one attribute that a cluster has.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Span {
    /// Every record matches anything so far.
    Nothing,
    /// Leaves between two, as trees and intervals need it.
    Range(Leaf, Leaf),
    /// Exactly these, as sets need it; ascending.
    Leaves(Vec<Leaf>),
}

impl Cluster {
    /// A cluster of no record.
    pub(super) fn empty(problem: &Problem) -> Self {
        Self { size: 0, spans: vec![Span::Nothing; problem.attributes().len()] }
    }

    /// A cluster of one record.
    pub(super) fn of(problem: &Problem, cohort: Cohort) -> Self {
        let mut cluster = Self::empty(problem);
        cluster.add(problem, cohort, 1);
        cluster
    }

    /// Takes in some records of a cohort.
    pub(super) fn add(&mut self, problem: &Problem, cohort: Cohort, count: u64) {
        self.size += count;
        for (span, attribute) in self.spans.iter_mut().zip(problem.attributes()) {
            let is_set = matches!(attribute.costs(), Costs::Set { .. });
            if let Some(leaf) = attribute.leaves()[cohort.index()].known() {
                span.add(leaf, is_set);
            }
        }
    }

    /// The sum over attributes of what the cluster costs with one more record.
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

    /// Takes in all records of another cluster.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.size += other.size;
        self.spans.iter_mut().zip(&other.spans).for_each(|(span, other)| span.absorb(other));
    }

    /// The sum over attributes of what the cluster costs.
    pub(super) fn cost(&self, problem: &Problem) -> f64 {
        self.cost_with(problem, std::iter::repeat(LeafOrAny::ANY))
    }

    /// The sum over attributes of what two clusters cost together; no more than `enough` is added up.
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
            _ => 1.0, // an attribute is either of sets or not
        }
    }

    /// What the attribute costs with one more leaf, or with one that matches anything.
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

    /// The least and the most that the attribute can cost with one more leaf of `first..=last`.
    ///
    /// The cost of a range grows as it widens, so the least is at the end of the box that is next
    /// to the span, the most at one of its ends. A set grows by one unless it has the leaf.
    #[inline]
    pub(super) fn bounds(&self, costs: &Costs, (low, high): (u32, u32)) -> (f64, f64) {
        let (low, high) = (Leaf::from(low), Leaf::from(high));
        match self {
            Self::Nothing => (0.0, 0.0),
            Self::Leaves(leaves) => {
                let next = leaves.partition_point(|&leaf| leaf < low);
                let has_one = leaves.get(next).is_some_and(|&leaf| leaf <= high);
                let has_all = has_one && low == high;
                let cost = |is_new: bool| costs.of_set(leaves.len() + usize::from(is_new));
                (cost(!has_one), cost(!has_all))
            }
            Self::Range(first, last) => {
                let nearest = first.max(&low).min(&high);
                let at = |leaf: Leaf| costs.of_range(leaf.min(*first), leaf.max(*last));
                (at(*nearest), at(low).max(at(high)))
            }
        }
    }
}
