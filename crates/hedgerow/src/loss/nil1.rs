//! NIL1: normalized information loss, mean over classes.

use super::{Loss, Partition, ratio};

/// The mean cost of a class, large or small; suppressed records are one class that costs all.
///
/// # References
///
/// \[Campan2011\], definition 10; METHODS 3.2.
#[derive(Debug, Clone, Copy)]
pub struct Nil1;

impl Loss for Nil1 {
    fn name(&self) -> &'static str {
        "nil1"
    }

    fn about(&self) -> &'static str {
        "the same, averaged over classes instead of records"
    }

    fn of(&self, partition: &Partition) -> f64 {
        let lost = usize::from(partition.n_suppressed > 0);
        let classes = 0..partition.sizes.len();
        let total: f64 = classes.flat_map(|class| partition.class_costs(class)).sum();
        let total = total + (lost * partition.width) as f64;
        ratio(total, (partition.width * (partition.sizes.len() + lost)) as f64)
    }
}
