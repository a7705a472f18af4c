//! Merging: small classes merge with others, the cheapest offers first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::class::Class;
use super::index::{Aim, Index};
use crate::Result;
use crate::box_tree::Space;
use crate::parallel::in_parallel;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal;

/// Factor on the price of borrowing, because the lent records will be missed. Measured on Adult.
const LENT: f64 = 1.5;

/// Number of members of a class that are considered for lending.
const MOST_ASKED: usize = 64;

/// Classes that need another offer search for it in batches of one of this number of all small
/// classes, on several threads.
const BATCHES: usize = 64;

/// Maximum number of classes of a batch.
const MOST_OPEN: usize = 4096;

/// Least number of searches for which a thread is started.
const LEAST_OF_THREAD: usize = 32;

/// Share by which an offer may be more expensive than that of the first class that waits for
/// another.
const PATIENCE: f64 = 0.05;

/// The way in which a small class gets more records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// It merges with the other class.
    Join,
    /// It borrows the records it needs from a member of the other class.
    Borrow(u32),
}

/// A way to give a small class more records, and its price. Offers are ordered by price.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    /// A number that sorts like the price.
    price: u64,
    /// The small class.
    class: proposal::Class,
    other: proposal::Class,
    way: Way,
}

/// Merges classes until none is too small.
pub(super) fn merge(
    space: &Space<'_>,
    classes: &mut [Class],
    index: &mut Index,
    progress: &dyn Progress,
) -> Result<()> {
    // Neighbours are processed one after another, because they use the same boxes.
    let numbers = index.cohorts().iter().map(|cohort| proposal::Class::new(cohort.index()));
    let is_small = |class: &proposal::Class| space.need(classes[class.index()].size) > 0;
    let mut open: Vec<proposal::Class> = numbers.filter(is_small).collect();
    let total = open.len();
    let mut merger = Merger { space, classes, index, n_small: total, offers: BinaryHeap::new() };
    let most_open = (total / BATCHES).clamp(1, MOST_OPEN);
    while !(open.is_empty() && merger.offers.is_empty()) {
        stop_if_cancelled(progress)?;
        progress.advance((total - merger.n_small) as u64, total as u64);
        for part in open.chunks(MOST_OPEN) {
            stop_if_cancelled(progress)?;
            let site = &merger;
            let found = in_parallel(progress.threads(), part.len(), LEAST_OF_THREAD, |range| {
                part[range].iter().filter_map(|&class| site.best_offer(class)).collect()
            });
            merger.offers.extend(found.into_iter().map(Reverse));
        }
        open = merger.accept_cheapest(most_open);
    }
    Ok(())
}

/// The classes that are being merged.
struct Merger<'a> {
    space: &'a Space<'a>,
    classes: &'a mut [Class],
    index: &'a mut Index,
    /// Number of classes that are too small.
    n_small: usize,
    /// The best offer of each small class.
    offers: BinaryHeap<Reverse<Offer>>,
}

impl Merger<'_> {
    /// Accepts offers, the cheapest first. Returns the classes that need another offer as soon as
    /// there are `most` of them, or the next offer exceeds the price of the first of them by more
    /// than [`PATIENCE`].
    fn accept_cheapest(&mut self, most: usize) -> Vec<proposal::Class> {
        let mut open: Vec<proposal::Class> = Vec::new();
        let mut limit = f64::INFINITY;
        while open.len() < most
            && let Some(Reverse(found)) = self.offers.pop()
        {
            let Offer { price, class, other, way } = found;
            if f64::from_bits(price) > limit {
                self.offers.push(Reverse(found));
                break;
            }
            let (small, partner) = (&self.classes[class.index()], &self.classes[other.index()]);
            if small.is_empty() {
                continue;
            }
            // The partner has changed since the offer was made, so the class searches again.
            let is_valid = !partner.is_empty() && offer(self.space, small, partner) == (price, way);
            if is_valid {
                self.n_small -= usize::from(self.space.need(partner.size) > 0);
                accept(self.space, self.classes, self.index, found);
            }
            if self.space.need(self.classes[class.index()].size) == 0 {
                self.n_small -= 1;
                continue;
            }
            if open.is_empty() {
                limit = f64::from_bits(price) * (1.0 + PATIENCE);
            }
            open.push(class);
        }
        // Some of them have since become part of other classes.
        open.retain(|class| !self.classes[class.index()].is_empty());
        open
    }

    fn best_offer(&self, class: proposal::Class) -> Option<Offer> {
        let (space, classes) = (self.space, &*self.classes);
        let mut partner = Partner { space, classes, class, best: None };
        self.index.search(space, &classes[class.index()].spans, &mut partner);
        partner.best
    }
}

/// Carries out an offer.
fn accept(
    space: &Space<'_>,
    classes: &mut [Class],
    index: &mut Index,
    Offer { class, other, way, .. }: Offer,
) {
    let empty = Class::empty(space);
    let mut partner = std::mem::replace(&mut classes[other.index()], empty);
    // The small class keeps its number; a merged partner becomes empty.
    let small = &mut classes[class.index()];
    match way {
        Way::Join => {
            small.join(space, partner);
            index.leave(other);
        }
        Way::Borrow(place) => {
            let need = space.need(small.size);
            small.add(space, partner.members[place as usize].0, need);
            partner.remove(space, place as usize, need);
            index.note(other, &partner);
            classes[other.index()] = partner;
        }
    }
    index.note_cost(class, classes[class.index()].cost);
}

/// Returns the price for a class to get records from another, for each record helped, and the
/// cheaper way.
fn offer(space: &Space<'_>, class: &Class, other: &Class) -> (u64, Way) {
    let need = space.need(class.size);
    let n_helped = class.size + if space.need(other.size) > 0 { other.size } else { 0 };
    // IL(a + b) - IL(a) - IL(b): the growth of the total loss.
    let growth = class.growth(space, &other.spans, other.size) - other.loss();
    let mut best = (growth / weight(n_helped), Way::Join);
    if space.spare(other.size) >= need {
        for (place, &(cohort, count)) in (0..).zip(&other.members).take(MOST_ASKED) {
            let growth = class.growth(space, space.of(cohort), need) - need as f64 * other.cost;
            let price = LENT * growth / weight(class.size);
            if count >= need && price < best.0 {
                best = (price, Way::Borrow(place));
            }
        }
    }
    (sortable(best.0), best.1)
}

/// Weight of the number of records helped, `n^(3/4)`. It is sublinear, so that the larger of two
/// classes does not always come first.
fn weight(n_helped: u64) -> f64 {
    let root = (n_helped as f64).sqrt();
    root * root.sqrt()
}

/// Converts a price to an integer with the same order.
fn sortable(price: f64) -> u64 {
    price.max(0.0).to_bits()
}

/// The search for the partner with the lowest price.
struct Partner<'a> {
    space: &'a Space<'a>,
    classes: &'a [Class],
    class: proposal::Class,
    best: Option<Offer>,
}

impl Aim for Partner<'_> {
    fn wants(&self, least_cost: f64, most_cost: f64) -> bool {
        let class = &self.classes[self.class.index()];
        let growth = least_cost - class.cost;
        let growth_of_other = (least_cost - most_cost).clamp(0.0, growth.max(0.0));
        // In the best case the other class is just as large and is helped as well. A larger small
        // class makes its own offer.
        let least = f64::midpoint(growth, growth_of_other) * class.size as f64 / weight(class.size);
        self.best.is_none_or(|best| sortable(least) < best.price)
    }

    /// A small class must get an offer, or it would stay small.
    fn may_end(&self) -> bool {
        self.best.is_some()
    }

    fn meet(&mut self, other: proposal::Class) {
        if other == self.class {
            return;
        }
        let (class, partner) = (&self.classes[self.class.index()], &self.classes[other.index()]);
        let (price, way) = offer(self.space, class, partner);
        let found = Offer { price, class: self.class, other, way };
        self.best = Some(self.best.map_or(found, |best| best.min(found)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::privacy::KAnonymity;
    use crate::problem::Problem;
    use crate::progress::Silent;
    use crate::table::Table;
    use twox_hash::XxHash3_64;

    const WIDTH: usize = 24;
    const N_VALUES: u64 = 40;

    /// With this many columns and values, hundreds of large boxes seem nearer than any small one.
    #[test]
    fn no_class_stays_small_in_wide_tables() {
        let value = |row: u64, column: usize| {
            XxHash3_64::oneshot_with_seed(row, &[column as u8]) % N_VALUES
        };
        let row = |row| (0..WIDTH).map(|column| format!("v{:02}", value(row, column))).collect();
        let rows: Vec<Vec<String>> = (0..2500).map(row).collect();
        let names: Vec<String> = (0..WIDTH).map(|column| format!("c{column}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let table = Table::from_rows(&names, &rows).unwrap();
        let flat: String = (0..N_VALUES).map(|value| format!("v{value:02};*\n")).collect();
        let read = |name: &&str| Format::named("arx").unwrap().read(&flat, Some(name)).unwrap();
        let trees = names.iter().map(|name| read(name).into()).collect();
        let model = Box::new(KAnonymity::new(5).unwrap());
        let problem = Problem::new(&table, trees, vec![model]).unwrap();
        let space = Space::new(&problem);
        let mut index = Index::new(&space);
        let cohorts = problem.cohorts().all();
        let mut classes: Vec<Class> = cohorts.clone().map(|c| Class::of(&space, c, 1)).collect();
        let numbers = proposal::Class::first(classes.len());
        numbers.zip(cohorts).for_each(|(class, home)| index.settle(class, home));
        merge(&space, &mut classes, &mut index, &Silent).unwrap();
        let is_small = |class: &&Class| !class.is_empty() && space.need(class.size) > 0;
        assert_eq!(classes.iter().filter(is_small).count(), 0);
    }
}
