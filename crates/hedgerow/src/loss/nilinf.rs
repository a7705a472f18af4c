//! NILinf: normalized information loss, worst class.

use super::{Loss, Partition, ratio};

/// The greatest cost of any class in each attribute, averaged over attributes.
///
/// # References
///
/// \[Campan2011\], definition 11; METHODS 3.2.
#[derive(Debug, Clone, Copy)]
pub struct NilInf;

impl Loss for NilInf {
    fn name(&self) -> &'static str {
        "nilinf"
    }

    fn about(&self) -> &'static str {
        "the worst class of each attribute, averaged over attributes"
    }

    fn of(&self, partition: &Partition) -> f64 {
        if partition.n_suppressed > 0 {
            return 1.0;
        }
        let worst = |attribute: usize| {
            let costs = partition.costs.iter().skip(attribute).step_by(partition.width);
            costs.copied().fold(0.0, f64::max)
        };
        ratio((0..partition.width).map(worst).sum(), partition.width as f64)
    }
}
