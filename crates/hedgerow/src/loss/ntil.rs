//! NTIL: normalized total information loss.

use super::{Loss, Partition, ratio};

/// The mean cost of a cell: each class's costs times its records, over all cells.
///
/// # References
///
/// \[Campan2011\], definitions 7 to 9; METHODS 3.2.
#[derive(Debug, Clone, Copy)]
pub struct Ntil;

impl Loss for Ntil {
    fn name(&self) -> &'static str {
        "ntil"
    }

    fn about(&self) -> &'static str {
        "mean share of its range that a cell lost (0 nothing, 1 everything)"
    }

    fn of(&self, partition: &Partition) -> f64 {
        let of_class = |(class, &size): (usize, &u64)| {
            size as f64 * partition.class_costs(class).iter().sum::<f64>()
        };
        let total: f64 = partition.sizes.iter().enumerate().map(of_class).sum();
        let suppressed = (partition.n_suppressed * partition.width as u64) as f64;
        ratio(total + suppressed, (partition.n_records() * partition.width as u64) as f64)
    }
}
