//! Merging: small classes join others, those that are cheapest to finish first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::class::Class;
use super::index::{Aim, Index};
use super::space::Space;
use crate::Result;
use crate::progress::{Progress, stop_if_cancelled};

/// How a small class gets more records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// The other class joins it.
    Join,
    /// A member of the other class lends it what it needs.
    Borrow(u32),
}

/// Merges classes until none is too small.
pub(super) fn merge(
    space: &Space<'_>,
    classes: &mut [Class],
    index: &mut Index,
    progress: &dyn Progress,
) -> Result<()> {
    let mut offers = BinaryHeap::new();
    let small = (0..classes.len() as u32).filter(|&c| space.need(classes[c as usize].size) > 0);
    for class in small {
        offers.extend(best_offer(space, classes, index, class).map(Reverse));
    }
    let mut n_steps = 0;
    while let Some(Reverse((urgency, class, other, way))) = offers.pop() {
        n_steps += 1;
        if n_steps % 1024 == 0 {
            stop_if_cancelled(progress)?;
        }
        let (found, partner) = (&classes[class as usize], &classes[other as usize]);
        if found.is_empty() {
            continue;
        }
        if partner.is_empty() || offer(space, found, partner) != (urgency, way) {
            offers.extend(best_offer(space, classes, index, class).map(Reverse));
            continue;
        }
        match way {
            Way::Join => {
                let members = std::mem::take(&mut classes[other as usize].members);
                classes[other as usize].size = 0;
                index.note(other, &classes[other as usize]);
                let found = &mut classes[class as usize];
                members.iter().for_each(|&(cohort, count)| found.add(space, cohort, count));
            }
            Way::Borrow(place) => {
                let need = space.need(found.size);
                let cohort = partner.members[place as usize].0;
                classes[other as usize].remove(space, place as usize, need);
                classes[class as usize].add(space, cohort, need);
                index.note(other, &classes[other as usize]);
            }
        }
        index.note(class, &classes[class as usize]);
        if space.need(classes[class as usize].size) > 0 {
            offers.extend(best_offer(space, classes, index, class).map(Reverse));
        }
    }
    Ok(())
}

type Offer = (u64, u32, u32, Way);

fn best_offer(space: &Space<'_>, classes: &[Class], index: &Index, class: u32) -> Option<Offer> {
    let mut partner = Partner { space, classes, class, best: None };
    index.search(space, &classes[class as usize].spans, &mut partner);
    partner.best
}

/// What it costs each record that is helped if a class gets records of another, and in which way.
fn offer(space: &Space<'_>, class: &Class, other: &Class) -> (u64, Way) {
    let need = space.need(class.size);
    let n_helped = class.size + if space.need(other.size) > 0 { other.size } else { 0 };
    let growth = class.growth(space, &other.spans, other.size) - other.loss();
    let mut best = (growth / n_helped as f64, Way::Join);
    if space.spare(other.size) >= need {
        for (place, &(cohort, count)) in (0..).zip(&other.members) {
            let growth = class.growth(space, space.of(cohort), need) - need as f64 * other.cost;
            let price = growth / class.size as f64;
            if count >= need && price < best.0 {
                best = (price, Way::Borrow(place));
            }
        }
    }
    (sortable(best.0), best.1)
}

/// A price as a number that sorts like it.
fn sortable(price: f64) -> u64 {
    price.max(0.0).to_bits()
}

/// The search for the partner with whom the loss grows least.
struct Partner<'a> {
    space: &'a Space<'a>,
    classes: &'a [Class],
    class: u32,
    best: Option<Offer>,
}

impl Aim for Partner<'_> {
    fn wants(&self, least_cost: f64, most_cost: f64) -> bool {
        let growth = least_cost - self.classes[self.class as usize].cost;
        let growth_of_other = (least_cost - most_cost).clamp(0.0, growth.max(0.0));
        // At best the other is just as large, and helped as well; a larger one looks for itself.
        let least = f64::midpoint(growth, growth_of_other);
        self.best.is_none_or(|best| sortable(least) < best.0)
    }

    fn meet(&mut self, other: u32) {
        if other == self.class {
            return;
        }
        let (class, partner) = (&self.classes[self.class as usize], &self.classes[other as usize]);
        let (urgency, way) = offer(self.space, class, partner);
        let found = (urgency, self.class, other, way);
        self.best = Some(self.best.map_or(found, |best| best.min(found)));
    }
}
