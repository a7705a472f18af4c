//! The records of some dissolved classes, from which new classes are formed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::class::Class;
use super::hulls::{Hull, Mask, hulls, members_of};
use crate::box_tree::Space;
use crate::random::Random;
use crate::table::Cohort;

/// Values that differ by less than this count as equal.
const ROUNDING: f64 = 1e-12;

/// Number of ways in which the records are divided; the best is taken.
const TRIES: usize = 3;

/// The records of some classes.
pub(super) struct Pool<'a> {
    space: &'a Space<'a>,
    /// The cohorts, with the number of their records and the price that each of them pays.
    given: Vec<Given>,
    boxes: Vec<Hull>,
}

/// Records of one cohort.
struct Given {
    cohort: Cohort,
    count: u64,
    /// The mean cost of their classes.
    paid: f64,
}

impl<'a> Pool<'a> {
    /// Maximum number of different cohorts.
    pub(super) const MOST: usize = Mask::BITS as usize;

    /// Takes the records of some classes. Returns `None` if they have too many cohorts.
    pub(super) fn new(space: &'a Space<'a>, taken: &[&Class]) -> Option<Self> {
        let mut found: Vec<(Cohort, u64, f64)> = taken
            .iter()
            .flat_map(|class| class.members.iter().map(|&(cohort, n)| (cohort, n, class.cost)))
            .collect();
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.2.total_cmp(&b.2)));
        let mut given: Vec<Given> = Vec::with_capacity(found.len());
        // Records of a cohort that are in several classes are together again.
        for of_cohort in found.chunk_by(|a, b| a.0 == b.0) {
            let count = of_cohort.iter().map(|&(_, n, _)| n).sum();
            let paid: f64 = of_cohort.iter().map(|&(_, n, cost)| n as f64 * cost).sum();
            given.push(Given { cohort: of_cohort[0].0, count, paid: paid / count as f64 });
        }
        if given.len() > Self::MOST {
            return None;
        }
        let cohorts: Vec<Cohort> = given.iter().map(|given| given.cohort).collect();
        let most = given.iter().map(|given| given.paid).fold(0.0, f64::max);
        // Boxes that cost much more than the classes did are of no use.
        let boxes = hulls(space, &cohorts, 2.0 * most);
        Some(Self { space, given, boxes })
    }

    /// Forms classes of all records in several ways and returns the one that loses least: records
    /// are expected to cost what they pay, what all pay on average, or something between. With
    /// `noise`, each expectation is multiplied by a random number between 1/2 and 3/2.
    pub(super) fn divide(&self, mut noise: Option<Random>) -> Option<Vec<Class>> {
        let n_records: u64 = self.given.iter().map(|given| given.count).sum();
        let paid: f64 = self.given.iter().map(|given| given.count as f64 * given.paid).sum();
        let mean = paid / n_records as f64;
        let mut best: Option<(f64, Vec<Class>)> = None;
        for attempt in 0..TRIES {
            let share = attempt as f64 / (TRIES - 1) as f64;
            let left = self.given.iter().map(|given| {
                let noise = noise.as_mut().map_or(1.0, |noise| 0.5 + noise.unit());
                let price = ((1.0 - share) * given.paid + share * mean) * noise;
                Left { cohort: given.cohort, count: given.count, price, open: f64::INFINITY }
            });
            let left: Vec<Left> = left.collect();
            let division =
                Division { space: self.space, boxes: &self.boxes, left, chosen: Vec::new() };
            let Some(new) = division.run() else { continue };
            let loss = new.iter().map(Class::loss).sum();
            if best.as_ref().is_none_or(|best| loss < best.0 - ROUNDING) {
                best = Some((loss, new));
            }
        }
        best.map(|best| best.1)
    }
}

/// The records of a pool while classes are formed.
struct Division<'a> {
    space: &'a Space<'a>,
    boxes: &'a [Hull],
    left: Vec<Left>,
    /// The members of a box, those that are worth most first.
    chosen: Vec<(f64, usize)>,
}

/// Records of one cohort that are in no class yet.
struct Left {
    cohort: Cohort,
    count: u64,
    /// The expected cost of each record.
    price: f64,
    /// The cost of the cheapest new class around it.
    open: f64,
}

impl Left {
    /// The gain of a record from joining a class without cost.
    fn worth(&self) -> f64 {
        self.price.min(self.open)
    }
}

impl Division<'_> {
    /// Opens the box of least value again and again, until none gains anything and every record
    /// that is left is in an open box. Returns `None` if no box could be opened.
    fn run(mut self) -> Option<Vec<Class>> {
        let mut new: Vec<Class> = Vec::new();
        let mut queue = BinaryHeap::new();
        for place in 0..self.boxes.len() {
            queue.extend(self.value(place).map(|value| Reverse((value, place, 0))));
        }
        while let Some(Reverse((value, place, n_opened))) = queue.pop() {
            // Values only rise as records are taken, so only the least one is computed again.
            if n_opened == new.len() {
                let is_covered = |left: &Left| left.count == 0 || left.open.is_finite();
                if value > sortable(ROUNDING) && self.left.iter().all(is_covered) {
                    break;
                }
                new.push(self.open(place));
            }
            queue.extend(self.value(place).map(|value| Reverse((value, place, new.len()))));
        }
        self.place_leftovers(new)
    }

    /// `k` times the cost of a box less the greatest total worth of `k` of its records, as a number
    /// that sorts like it. `None` if it has too few records.
    fn value(&mut self, place: usize) -> Option<i64> {
        if !self.choose(place) {
            return None;
        }
        let mut need = self.space.need(0);
        let mut value = need as f64 * self.boxes[place].cost;
        for &(worth, member) in &self.chosen {
            let count = self.left[member].count.min(need);
            value -= count as f64 * worth;
            need -= count;
            if need == 0 {
                break;
            }
        }
        Some(sortable(value))
    }

    /// Sorts the members of a box by their worth. Returns whether they are enough.
    fn choose(&mut self, place: usize) -> bool {
        self.chosen.clear();
        let mut size = 0;
        for member in members_of(self.boxes[place].members) {
            let left = &self.left[member];
            if left.count > 0 {
                size += left.count;
                self.chosen.push((left.worth(), member));
            }
        }
        if self.space.need(size) > 0 {
            return false;
        }
        self.chosen.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        true
    }

    /// Forms a class of the `k` records of a box that are worth most.
    fn open(&mut self, place: usize) -> Class {
        let mut new = Class::empty(self.space);
        self.choose(place);
        for &(_, member) in &self.chosen {
            let left = &mut self.left[member];
            let count = left.count.min(self.space.need(new.size));
            if count > 0 {
                new.add(self.space, left.cohort, count);
                left.count -= count;
            }
            left.open = left.open.min(self.boxes[place].cost);
        }
        new
    }

    /// Adds the records that are left to the classes that grow least.
    fn place_leftovers(self, mut new: Vec<Class>) -> Option<Vec<Class>> {
        for left in self.left.iter().filter(|left| left.count > 0) {
            let spans = self.space.of(left.cohort);
            let growths = new
                .iter()
                .enumerate()
                .map(|(place, class)| (class.growth(self.space, spans, left.count), place));
            let (_, place) = growths.min_by(|a, b| a.0.total_cmp(&b.0))?;
            new[place].add(self.space, left.cohort, left.count);
        }
        (!new.is_empty()).then_some(new)
    }
}

/// Converts a value to an integer with the same order.
fn sortable(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    // The bits of negative numbers sort in reverse.
    if bits < 0 { bits ^ i64::MAX } else { bits }
}
