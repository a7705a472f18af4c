//! A class that is being built.

use crate::box_tree::{Space, Span};
use crate::table::Cohort;

/// Some records of some cohorts, with their spans and the cost per record.
#[derive(Debug, Clone)]
pub(super) struct Class {
    pub(super) size: u64,
    pub(super) cost: f64,
    pub(super) spans: Box<[Span]>,
    /// Cohorts with the number of their records in this class.
    pub(super) members: Vec<(Cohort, u64)>,
}

impl Class {
    /// Makes a class of `count` records of one cohort.
    pub(super) fn of(space: &Space<'_>, cohort: Cohort, count: u64) -> Self {
        Self {
            size: count,
            cost: 0.0,
            spans: space.of(cohort).into(),
            members: vec![(cohort, count)],
        }
    }

    /// Makes a class without records.
    pub(super) fn empty(space: &Space<'_>) -> Self {
        Self { size: 0, cost: 0.0, spans: space.nothing(), members: Vec::new() }
    }

    /// Total cost of all records (definition 7 of \[Campan2011\]).
    pub(super) fn loss(&self) -> f64 {
        self.size as f64 * self.cost
    }

    pub(super) fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the growth of the loss when `count` records with the given spans join.
    #[inline]
    pub(super) fn growth(&self, space: &Space<'_>, spans: &[Span], count: u64) -> f64 {
        (self.size + count) as f64 * space.cost_together(&self.spans, spans) - self.loss()
    }

    /// Adds all records of another class.
    pub(super) fn join(&mut self, space: &Space<'_>, mut other: Self) {
        self.size += other.size;
        space.widen(&mut self.spans, &other.spans);
        self.cost = space.cost(&self.spans);
        // Appending the shorter list to the longer keeps repeated merges cheap.
        if self.members.len() < other.members.len() {
            std::mem::swap(&mut self.members, &mut other.members);
        }
        self.members.append(&mut other.members);
    }

    /// Adds `count` records of a cohort.
    pub(super) fn add(&mut self, space: &Space<'_>, cohort: Cohort, count: u64) {
        match self.members.iter_mut().find(|member| member.0 == cohort) {
            Some(member) => member.1 += count,
            None => self.members.push((cohort, count)),
        }
        self.size += count;
        space.widen(&mut self.spans, space.of(cohort));
        self.cost = space.cost(&self.spans);
    }

    /// Removes `count` records of the member at `place`.
    pub(super) fn remove(&mut self, space: &Space<'_>, place: usize, count: u64) {
        self.size -= count;
        self.members[place].1 -= count;
        if self.members[place].1 == 0 {
            self.members.remove(place);
            // Spans cannot shrink step by step, so they are computed again from the other members.
            self.spans = space.nothing();
            self.members.iter().for_each(|m| space.widen(&mut self.spans, space.of(m.0)));
            self.cost = space.cost(&self.spans);
        }
    }

    /// Returns, for each member, the spans and the cost of all other members.
    pub(super) fn rests(&self, space: &Space<'_>) -> Rests {
        let width = space.width();
        let mut spans: Vec<Span> = Vec::with_capacity(self.members.len() * width);
        // Prefix spans from the left, suffix spans from the right: linear instead of quadratic.
        let mut before = space.nothing();
        for &(cohort, _) in &self.members {
            spans.extend_from_slice(&before);
            space.widen(&mut before, space.of(cohort));
        }
        let mut after = space.nothing();
        for (place, &(cohort, _)) in self.members.iter().enumerate().rev() {
            space.widen(&mut spans[place * width..][..width], &after);
            space.widen(&mut after, space.of(cohort));
        }
        let costs = spans.chunks(width).map(|spans| space.cost(spans)).collect();
        Rests { width, spans, costs }
    }
}

/// The rest of a class without one of its members, for each member.
#[derive(Debug)]
pub(super) struct Rests {
    width: usize,
    spans: Vec<Span>,
    costs: Vec<f64>,
}

impl Rests {
    pub(super) fn spans(&self, place: usize) -> &[Span] {
        &self.spans[place * self.width..][..self.width]
    }

    pub(super) fn cost(&self, place: usize) -> f64 {
        self.costs[place]
    }
}
