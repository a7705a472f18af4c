//! Classes in a tree of boxes, to find those nearby without visiting all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::class::Class;
use super::space::Space;
use crate::box_tree::{BOX_SIZE, BoxTree, Span};
use crate::proposal;
use crate::table::Cohort;

/// Number of cohorts that are sampled to decide how to divide a box.
const SAMPLE: usize = 64;

/// Maximum number of boxes that a search opens. Doubling it lowers the loss by about 1% on Adult
/// with eight attributes at k = 20, and takes 50% more time.
const MOST_OPENED: usize = 256;

/// The classes of a box.
#[derive(Debug, Clone, Copy)]
struct Homes {
    /// Number of classes with their home in the box.
    count: u32,
    /// The highest cost that any of them has had; it never decreases.
    most_cost: f64,
}

/// All cohorts in nested boxes, and the classes that have their homes there.
///
/// The home of a class is one of its cohorts. Merging with the class therefore costs at least as
/// much as merging with the nearest point of any box around its home, and a box that is too far
/// away need not be opened.
pub(super) struct Index {
    tree: BoxTree<Homes>,
    /// The first class with its home at each cohort.
    first_class: Vec<Option<proposal::Class>>,
    /// The next class with the same home.
    next_class: Vec<Option<proposal::Class>>,
    /// The home of each class.
    homes: Vec<Option<Cohort>>,
}

/// A box to open, with a lower bound of the cost of a class in it; the nearest box is the greatest.
type Found = (Reverse<u64>, u32);

/// The target of a search.
pub(super) trait Aim {
    /// Whether a class is wanted that costs at least `least_cost` when merged, and at most
    /// `most_cost` by itself.
    fn wants(&self, least_cost: f64, most_cost: f64) -> bool;

    /// Whether the search may end before all wanted boxes are opened.
    fn may_end(&self) -> bool;

    /// Visits a class.
    fn meet(&mut self, number: proposal::Class);
}

impl Index {
    /// Makes an index of all cohorts without any class.
    pub(super) fn new(space: &Space<'_>) -> Self {
        let n_cohorts = space.n_cohorts();
        let homes = Homes { count: 0, most_cost: 0.0 };
        let tree = BoxTree::new(n_cohorts, space.width(), homes, |cohorts, spans| {
            spans.extend(spans_of(space, cohorts));
            // `cut` is called for small boxes too, because it also orders the cohorts of a box.
            cut(space, cohorts).filter(|_| cohorts.len() > BOX_SIZE)
        });
        let first_class = vec![None; n_cohorts];
        Self { tree, first_class, next_class: Vec::new(), homes: Vec::new() }
    }

    /// The cohorts, ordered so that neighbours are near each other.
    pub(super) fn cohorts(&self) -> &[Cohort] {
        self.tree.cohorts()
    }

    /// Updates a class after a change: its cost, and its home if it has no more records there.
    pub(super) fn note(&mut self, number: proposal::Class, class: &Class) {
        let home = self.home(number);
        // Moving a home updates all boxes around it, so it stays as long as it is valid.
        if home.is_none_or(|home| class.members.iter().all(|member| member.0 != home)) {
            self.leave(number);
            class.members.first().into_iter().for_each(|member| self.settle(number, member.0));
        }
        self.note_cost(number, class.cost);
    }

    /// Sets the home of a class.
    pub(super) fn settle(&mut self, number: proposal::Class, home: Cohort) {
        if self.homes.len() <= number.index() {
            self.homes.resize(number.index() + 1, None);
            self.next_class.resize(number.index() + 1, None);
        }
        self.homes[number.index()] = Some(home);
        let next = self.first_class[home.index()].replace(number);
        self.next_class[number.index()] = next;
        self.count(home, |n_homes| n_homes + 1);
    }

    /// Removes the home of a class.
    pub(super) fn leave(&mut self, number: proposal::Class) {
        let Some(home) = self.homes.get_mut(number.index()).and_then(Option::take) else {
            return;
        };
        let next = self.next_class[number.index()].take();
        // Classes with the same home form a linked list: the link to this class now leads to the
        // next one.
        let mut link = &mut self.first_class[home.index()];
        while let Some(before) = link.filter(|&class| class != number) {
            link = &mut self.next_class[before.index()];
        }
        *link = next;
        self.count(home, |n_homes| n_homes - 1);
    }

    /// The home of a class, if it has one.
    fn home(&self, number: proposal::Class) -> Option<Cohort> {
        self.homes.get(number.index()).copied().flatten()
    }

    /// Raises the cost notes of all boxes around the home of a class.
    pub(super) fn note_cost(&mut self, number: proposal::Class, cost: f64) {
        if let Some(home) = self.home(number) {
            self.tree.climb(home, |tree, number| {
                let homes = tree.note(number);
                (homes.most_cost < cost).then_some(Homes { most_cost: cost, ..homes })
            });
        }
    }

    fn count(&mut self, home: Cohort, change: impl Fn(u32) -> u32) {
        self.tree.climb(home, |tree, number| {
            let homes = tree.note(number);
            Some(Homes { count: change(homes.count), ..homes })
        });
    }

    /// Visits the wanted classes near some spans, those of nearer boxes first, until all other
    /// boxes are too far, or the limit of opened boxes is reached and the aim allows an early end.
    ///
    /// In many dimensions nearly all boxes can be equally near, and those opened first may all be
    /// large ones. If the aim still needs more, the search descends directly into the nearest of
    /// the remaining boxes, which takes as many steps as the tree has levels.
    pub(super) fn search(&self, space: &Space<'_>, spans: &[Span], aim: &mut impl Aim) {
        let mut open = BinaryHeap::from([(Reverse(0), 0)]);
        let mut n_opened = 0;
        while n_opened < MOST_OPENED
            && let Some((Reverse(bits), number)) = open.pop()
        {
            if aim.wants(f64::from_bits(bits), self.tree.note(number).most_cost) {
                n_opened += 1;
                for half in self.halves(number, aim) {
                    open.extend(self.wanted(space, spans, half, aim));
                }
            }
        }
        if !aim.may_end() {
            self.dive(space, spans, open, aim);
        }
    }

    /// Descends directly into the nearest open box, then into the next, until the aim may end.
    #[cold]
    fn dive(
        &self,
        space: &Space<'_>,
        spans: &[Span],
        mut open: BinaryHeap<Found>,
        aim: &mut impl Aim,
    ) {
        while !aim.may_end()
            && let Some((_, number)) = open.pop()
        {
            let mut next = Some(number);
            while let Some(number) = next.take() {
                let halves = self.halves(number, aim);
                let wanted = halves.filter_map(|half| self.wanted(space, spans, half, aim));
                // Descends into the nearer half and keeps the other one for later.
                let mut halves: Vec<Found> = wanted.collect();
                halves.sort_unstable();
                next = halves.pop().map(|nearest| nearest.1);
                open.extend(halves);
            }
        }
    }

    /// Opens a box: visits its classes if it is not divided, otherwise returns its halves.
    #[inline]
    fn halves(
        &self,
        number: u32,
        aim: &mut impl Aim,
    ) -> std::iter::Flatten<std::option::IntoIter<[u32; 2]>> {
        let halves = self.tree.halves(number);
        if halves.is_none() {
            for &cohort in &self.tree.cohorts()[self.tree.places(number)] {
                let mut class = self.first_class[cohort.index()];
                while let Some(number) = class {
                    aim.meet(number);
                    class = self.next_class[number.index()];
                }
            }
        }
        halves.into_iter().flatten()
    }

    /// Returns a box with the lower bound of its costs, or `None` if it is not wanted.
    #[expect(clippy::inline_always, reason = "it is called for every box of a search")]
    #[inline(always)]
    fn wanted(
        &self,
        space: &Space<'_>,
        spans: &[Span],
        number: u32,
        aim: &impl Aim,
    ) -> Option<Found> {
        let homes = self.tree.note(number);
        let least_cost = space.least_cost(spans, self.tree.spans(number));
        let is_wanted = homes.count > 0 && aim.wants(least_cost, homes.most_cost);
        // The bit patterns of non-negative floats sort like the floats.
        is_wanted.then_some((Reverse(least_cost.to_bits()), number))
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
        let index = Index::new(&space);
        assert!(index.tree.n_boxes() > 20);
        for number in 0..index.tree.n_boxes() as u32 {
            let spans = index.tree.spans(number);
            for cohort in problem.cohorts().all() {
                let promise = space.least_cost(space.of(cohort), spans);
                for &other in &index.cohorts()[index.tree.places(number)] {
                    let cost = space.cost_together(space.of(cohort), space.of(other));
                    assert!(promise <= cost + 1e-12, "{cohort:?} {other:?}: {promise} {cost}");
                }
            }
        }
    }
}
