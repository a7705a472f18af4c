//! The boxes around two of a few cohorts, with the cohorts in them.

use crate::box_tree::{Space, Span};
use crate::table::Cohort;

/// Costs that differ by less than this count as equal.
const ROUNDING: f64 = 1e-12;

/// A set of cohorts, one bit for each.
pub(super) type Mask = u64;

/// A box with its cost and the cohorts in it.
#[derive(Clone, Copy)]
pub(super) struct Hull {
    pub(super) cost: f64,
    pub(super) members: Mask,
}

/// Iterates over the places of the bits of a set.
pub(super) fn members_of(mut mask: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(place)
    })
}

/// The boxes around one or two cohorts that cost at most `most`. Of boxes with the same cohorts,
/// the cheapest.
pub(super) fn hulls(space: &Space<'_>, cohorts: &[Cohort], most: f64) -> Vec<Hull> {
    let regions: Vec<Regions> =
        (0..space.width()).map(|at| Regions::new(space, cohorts, at)).collect();
    let mut found: Vec<Hull> = Vec::with_capacity(cohorts.len() * (cohorts.len() + 1) / 2);
    for first in 0..cohorts.len() {
        for second in first..cohorts.len() {
            let (mut cost, mut members) = (0.0, Mask::MAX);
            for regions in &regions {
                let region = regions.around(first, second);
                cost += region.cost;
                members &= region.members;
                if cost > most {
                    break;
                }
            }
            if cost <= most {
                found.push(Hull { cost, members });
            }
        }
    }
    found.sort_unstable_by(|a, b| a.members.cmp(&b.members).then(a.cost.total_cmp(&b.cost)));
    found.dedup_by(|later, earlier| later.members == earlier.members);
    found
}

/// The smallest regions around two values of one attribute.
struct Regions {
    /// The value of each cohort.
    value_of: Vec<usize>,
    n_values: usize,
    /// The region of each pair of values, the lower value first.
    of_pairs: Vec<Hull>,
}

impl Regions {
    fn new(space: &Space<'_>, cohorts: &[Cohort], at: usize) -> Self {
        let span = |&cohort: &Cohort| space.of(cohort)[at];
        let mut values: Vec<Span> = cohorts.iter().map(span).collect();
        values.sort_unstable();
        values.dedup();
        let mut with_value: Vec<Mask> = vec![0; values.len()];
        let mut value_of = Vec::with_capacity(cohorts.len());
        for (place, cohort) in cohorts.iter().enumerate() {
            let value = values.partition_point(|value| *value < span(cohort));
            with_value[value] |= 1 << place;
            value_of.push(value);
        }
        let n_values = values.len();
        let mut of_pairs = vec![Hull { cost: 0.0, members: 0 }; n_values * n_values];
        for first in 0..n_values {
            for second in first..n_values {
                let joined = space.join(at, values[first], values[second]);
                let cost = space.cost_of(at, joined);
                // A value is in the region if it costs nothing to add it.
                let is_inside = |value: Span| {
                    space.cost_of(at, space.join(at, joined, value)) <= cost + ROUNDING
                };
                let inside = values.iter().zip(&with_value).filter(|(value, _)| is_inside(**value));
                let members = inside.fold(0, |members, (_, with_value)| members | with_value);
                of_pairs[first * n_values + second] = Hull { cost, members };
            }
        }
        Self { value_of, n_values, of_pairs }
    }

    /// The smallest region around the values of two cohorts.
    fn around(&self, first: usize, second: usize) -> Hull {
        let (x, y) = (self.value_of[first], self.value_of[second]);
        self.of_pairs[x.min(y) * self.n_values + x.max(y)]
    }
}
