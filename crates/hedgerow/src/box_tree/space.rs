//! The space of records: spans of leaves and their costs.

use super::{BOX_SIZE, BoxTree, Span};
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

/// Number of cohorts that are sampled to decide how to divide a box.
const SAMPLE: usize = 64;

/// The quasi-identifiers of a problem, cohort by cohort.
pub(crate) struct Space<'a> {
    attributes: &'a [Attribute],
    /// Whether each attribute is generalized to sets.
    is_set: Vec<bool>,
    /// The spans of each cohort.
    spans: Vec<Span>,
    /// Minimum number of records of a class.
    k: u64,
}

impl<'a> Space<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
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

    /// All cohorts in nested boxes, each with the given note.
    pub(crate) fn boxes<N: Copy>(&self, note: N) -> BoxTree<N> {
        BoxTree::new(self.n_cohorts(), self.width(), note, |cohorts, spans| {
            spans.extend(spans_of(self, cohorts));
            // `cut` is called for small boxes too, because it also orders the cohorts of a box.
            cut(self, cohorts).filter(|_| cohorts.len() > BOX_SIZE)
        })
    }

    /// Number of records that a class of this size is missing.
    pub(crate) fn need(&self, size: u64) -> u64 {
        self.k.saturating_sub(size)
    }

    /// Number of records that a class of this size can spare.
    pub(crate) fn spare(&self, size: u64) -> u64 {
        size.saturating_sub(self.k)
    }

    /// Number of attributes.
    pub(crate) fn width(&self) -> usize {
        self.attributes.len()
    }

    pub(crate) fn n_cohorts(&self) -> usize {
        self.spans.len() / self.width()
    }

    /// The spans of a cohort.
    pub(crate) fn of(&self, cohort: Cohort) -> &[Span] {
        &self.spans[cohort.index() * self.width()..][..self.width()]
    }

    /// The spans of no records.
    pub(crate) fn nothing(&self) -> Box<[Span]> {
        self.is_set.iter().map(|&is_set| span(LeafOrAny::ANY, is_set)).collect()
    }

    /// The span of all leaves of an attribute.
    pub(crate) fn everything(&self, attribute: usize) -> Span {
        let last = self.attributes[attribute].n_leaves().saturating_sub(1) as u32;
        if self.is_set[attribute] { ALL_BITS } else { (0, last) }
    }

    /// Widens spans to include others.
    pub(crate) fn widen(&self, spans: &mut [Span], by: &[Span]) {
        for (attribute, (span, &by)) in spans.iter_mut().zip(by).enumerate() {
            *span = self.join(attribute, *span, by);
        }
    }

    /// Returns the cost of a record in a class with these spans.
    pub(crate) fn cost(&self, spans: &[Span]) -> f64 {
        spans.iter().enumerate().map(|(attribute, &span)| self.cost_of(attribute, span)).sum()
    }

    /// Returns the cost of a record in a class that joins two lists of spans.
    #[inline]
    pub(crate) fn cost_together(&self, some: &[Span], others: &[Span]) -> f64 {
        let both = some.iter().zip(others).enumerate();
        both.map(|(attribute, (&x, &y))| self.cost_of(attribute, self.join(attribute, x, y))).sum()
    }

    /// Returns a lower bound of the cost of a record in a class that joins some spans with any
    /// record of a box.
    #[inline]
    pub(crate) fn least_cost(&self, some: &[Span], of_box: &[Span]) -> f64 {
        let both = some.iter().zip(of_box).enumerate();
        both.map(|(attribute, (&x, &y))| self.cost_of(attribute, self.reach(attribute, x, y))).sum()
    }

    /// Returns a lower bound of the cost of a record in a class that has a record of each of two
    /// boxes.
    pub(crate) fn least_distance(&self, some: &[Span], others: &[Span]) -> f64 {
        let both = some.iter().zip(others).enumerate();
        both.map(|(attribute, (&x, &y))| self.cost_of(attribute, self.gap(attribute, x, y))).sum()
    }

    /// The smallest span with a value of each of two spans, or an empty one if they share a value.
    fn gap(&self, attribute: usize, x: Span, y: Span) -> Span {
        match self.is_set[attribute] {
            true if x.0 & y.0 | x.1 & y.1 != 0 => (0, 0),
            // Any two values cost the same.
            true => (1, 1),
            false => (x.1.min(y.1), x.0.max(y.0)),
        }
    }

    #[inline]
    pub(crate) fn join(&self, attribute: usize, x: Span, y: Span) -> Span {
        if self.is_set[attribute] { (x.0 | y.0, x.1 | y.1) } else { (x.0.min(y.0), x.1.max(y.1)) }
    }

    #[expect(
        clippy::inline_always,
        reason = "the innermost step of the search: calls instead take 13% more instructions on Adult"
    )]
    #[inline(always)]
    pub(crate) fn cost_of(&self, attribute: usize, span: Span) -> f64 {
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
    pub(crate) fn position(&self, attribute: usize, span: Span) -> u32 {
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

/// Returns the spans of some cohorts; a missing value that matches anything spans everything.
fn spans_of(space: &Space<'_>, cohorts: &[Cohort]) -> impl Iterator<Item = Span> {
    let nothing = space.nothing();
    let mut spans = nothing.clone();
    let mut matches_anything = vec![false; nothing.len()];
    for &cohort in cohorts {
        let of_cohort = space.of(cohort);
        space.widen(&mut spans, of_cohort);
        for (flag, (span, nothing)) in
            matches_anything.iter_mut().zip(of_cohort.iter().zip(&nothing))
        {
            *flag |= span == nothing;
        }
    }
    let everything: Vec<Span> = (0..space.width()).map(|a| space.everything(a)).collect();
    let spans = spans.into_iter().zip(everything).zip(matches_anything);
    spans.map(|((span, everything), is_any)| if is_any { everything } else { span })
}

/// Divides cohorts in two and returns where the second part begins, or `None` if they cannot be
/// divided.
///
/// The attribute is the one with the highest total cost of a sample merged with its median. Cohorts
/// with the same leaf stay together: the cut is before or after those at the median, whichever is
/// nearer to the middle.
fn cut(space: &Space<'_>, cohorts: &mut [Cohort]) -> Option<usize> {
    let position = |at: usize, cohort: Cohort| space.position(at, space.of(cohort)[at]);
    // A sample suffices to find the widest attribute.
    let step = cohorts.len().div_ceil(SAMPLE);
    let mut sample: Vec<Cohort> = cohorts.iter().copied().step_by(step).collect();
    let mut widest = (0.0, 0);
    for at in 0..space.width() {
        let middle = sample.len() / 2;
        sample.select_nth_unstable_by_key(middle, |&c| (position(at, c), c));
        let median = space.of(sample[middle])[at];
        let together = |&c: &Cohort| space.cost_of(at, space.join(at, median, space.of(c)[at]));
        let costs: f64 = sample.iter().map(together).sum();
        if costs > widest.0 {
            widest = (costs, at);
        }
    }
    let at = widest.1;
    let middle = cohorts.len() / 2;
    cohorts.select_nth_unstable_by_key(middle, |&c| (position(at, c), c));
    let median = position(at, cohorts[middle]);
    // Sorting by cohort within each of the three parts makes the order deterministic.
    cohorts.sort_unstable_by_key(|&c| (position(at, c).cmp(&median), c));
    let before = cohorts.partition_point(|&c| position(at, c) < median);
    let after = cohorts.partition_point(|&c| position(at, c) <= median);
    let cuts = [before, after].into_iter().filter(|&cut| cut > 0 && cut < cohorts.len());
    cuts.min_by_key(|cut| cut.abs_diff(middle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::hierarchy::Generalization;
    use crate::method::Spec;
    use crate::privacy::KAnonymity;
    use crate::problem::Problem;
    use crate::table::Table;

    #[test]
    fn no_box_promises_more_than_its_nearest_cohort_costs() {
        let row = |i: u32| [i * 7 % 41, i * i % 29, i * 13 % 97].map(|x| x.to_string());
        let rows: Vec<[String; 3]> = (0..200).map(row).collect();
        let table = Table::from_rows(&["a", "b", "c"], &rows).unwrap();
        let build = |(place, method): (usize, &str)| {
            builder::build(&Spec::named(method), &table.columns()[place], None).unwrap()
        };
        let mut built: Vec<Generalization> = [(0, "iotf"), (1, "free")].map(build).into();
        // A set with more than 64 values: some of them share a bit.
        built.push(Generalization::Set(build((2, "free")).values().clone()));
        let model = KAnonymity::new(2).unwrap();
        let problem = Problem::new(&table, built, vec![Box::new(model)]).unwrap();
        let space = Space::new(&problem);
        let tree = space.boxes(());
        assert!(tree.n_boxes() > 20);
        for number in 0..tree.n_boxes() as u32 {
            let spans = tree.spans(number);
            for cohort in problem.cohorts().all() {
                let promise = space.least_cost(space.of(cohort), spans);
                for &other in &tree.cohorts()[tree.places(number)] {
                    let cost = space.cost_together(space.of(cohort), space.of(other));
                    assert!(promise <= cost + 1e-12, "{cohort:?} {other:?}: {promise} {cost}");
                }
            }
        }
    }
}
