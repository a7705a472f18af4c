//! Classes in a tree of boxes, to find those nearby without visiting all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::class::Class;
use crate::box_tree::{BoxTree, Space, Span};
use crate::proposal;
use crate::table::Cohort;

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
        let tree = space.boxes(homes);
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
