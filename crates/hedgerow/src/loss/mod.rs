//! Losses: what a partition of the records costs, defined once, to choose and to report.

mod ntil;
mod nil1;
mod nilinf;
mod dm;
mod navg;
mod sets;

use std::collections::BTreeMap;

pub use dm::Dm;
pub use navg::Navg;
pub use nil1::Nil1;
pub use nilinf::NilInf;
pub use ntil::Ntil;
pub use sets::{SET_LOSSES, SetLoss, Sets};

use crate::problem::Problem;
use crate::recoding::Recoding;

/// A number that says what was lost; less is better.
pub trait Loss: Sync {
    /// The one word users write.
    fn name(&self) -> &'static str;

    /// What the number means, in one line.
    fn about(&self) -> &'static str;

    /// Whether the number counts something, rather than being a ratio.
    fn is_count(&self) -> bool {
        false
    }

    /// The loss of a partition.
    fn of(&self, partition: &Partition) -> f64;
}

/// Every loss.
pub const ALL: &[&dyn Loss] = &[&Ntil, &Nil1, &NilInf, &Dm, &Navg];

/// All that losses need to know: how large classes are, and what each costs in each attribute.
///
/// It comes from a search, from a release whose equal classes are merged, or from files alone; a
/// loss does not know the difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// The `k` that was asked for.
    pub k: u64,
    /// How many quasi-identifiers.
    pub width: usize,
    /// How many records each class has.
    pub sizes: Vec<u64>,
    /// The shape of each class; classes of one shape cost the same.
    pub shapes: Vec<u32>,
    /// The cost of each attribute, 0 to 1, shape by shape.
    pub costs: Vec<f64>,
    /// How many records are suppressed: in no class, and wholly lost.
    pub n_suppressed: u64,
}

impl Partition {
    /// The partition that an anonymizer decided on.
    pub fn of(problem: &Problem<'_>, recoding: &Recoding) -> Self {
        let attributes = problem.attributes();
        let costs = (0..recoding.n_shapes())
            .flat_map(|shape| attributes.iter().zip(recoding.regions(shape)))
            .map(|(attribute, region)| attribute.cost(region))
            .collect();
        Self {
            k: problem.least_size(),
            width: attributes.len(),
            sizes: recoding.sizes(),
            shapes: (0..recoding.n_classes()).map(|class| recoding.shape(class) as u32).collect(),
            costs,
            n_suppressed: recoding.n_suppressed(),
        }
    }

    /// The same records with classes joined that publish the same; `groups` numbers what each shape
    /// publishes, from 0 in order of first appearance.
    #[must_use]
    pub fn merged(&self, groups: &[u32]) -> Self {
        let n_groups = groups.iter().max().map_or(0, |last| last + 1);
        let mut sizes = vec![0; n_groups as usize];
        for (&size, &shape) in self.sizes.iter().zip(&self.shapes) {
            sizes[groups[shape as usize] as usize] += size;
        }
        let mut costs = Vec::with_capacity(sizes.len() * self.width);
        for (shape, &group) in groups.iter().enumerate() {
            if group as usize * self.width == costs.len() {
                costs.extend_from_slice(&self.costs[shape * self.width..][..self.width]);
            }
        }
        let Self { k, width, n_suppressed, .. } = *self;
        Self { k, width, sizes, shapes: (0..n_groups).collect(), costs, n_suppressed }
    }

    /// How many records, suppressed ones included.
    pub fn n_records(&self) -> u64 {
        self.sizes.iter().sum::<u64>() + self.n_suppressed
    }

    /// What a class costs, attribute by attribute.
    pub fn class_costs(&self, class: usize) -> &[f64] {
        &self.costs[self.shapes[class] as usize * self.width..][..self.width]
    }

    /// Every loss by its name.
    pub fn losses(&self) -> BTreeMap<&'static str, f64> {
        ALL.iter().map(|loss| (loss.name(), loss.of(self))).collect()
    }
}

/// Division in which nothing of nothing is nothing.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two classes of two and three records over two attributes, and one suppressed record.
    fn partition() -> Partition {
        let costs = vec![0.5, 0.0, 1.0, 0.25];
        Partition { k: 2, width: 2, sizes: vec![2, 3], shapes: vec![0, 1], costs, n_suppressed: 1 }
    }

    #[test]
    fn losses_count_suppressed_records_as_wholly_lost() {
        let losses = partition().losses();
        let ntil = (2.0 * 0.5 + 3.0 * 1.25 + 2.0) / 12.0;
        assert!((losses["ntil"] - ntil).abs() < 1e-12);
        assert!((losses["nil1"] - (0.5 + 1.25 + 2.0) / 6.0).abs() < 1e-12);
        assert!((losses["nilinf"] - 1.0).abs() < 1e-12);
        assert!((losses["dm"] - (4.0 + 9.0 + 6.0)).abs() < 1e-12);
        assert!((losses["navg"] - 5.0 / 4.0).abs() < 1e-12);
    }

    #[test]
    fn merging_changes_sizes_but_not_what_a_record_costs() {
        let mut before = partition();
        before.costs = vec![0.5, 0.0, 0.5, 0.0];
        let after = before.merged(&[0, 0]);
        assert_eq!((after.sizes.as_slice(), after.costs.as_slice()), (&[5][..], &[0.5, 0.0][..]));
        assert!((before.losses()["ntil"] - after.losses()["ntil"]).abs() < 1e-12);
    }
}
