//! DM: discernibility.

use super::{Loss, Partition};

/// With how many records each record is confused: the squares of the class sizes, and all records
/// for each suppressed one.
///
/// # References
///
/// \[Bayardo2005\] R. J. Bayardo, R. Agrawal: Data Privacy through Optimal k-Anonymization, ICDE
/// 2005; \[Campan2011\], definition 12; METHODS 3.2 and 7.
#[derive(Debug, Clone, Copy)]
pub struct Dm;

impl Loss for Dm {
    fn name(&self) -> &'static str {
        "dm"
    }

    fn about(&self) -> &'static str {
        "sum of squared class sizes; a suppressed record counts all records"
    }

    fn is_count(&self) -> bool {
        true
    }

    fn of(&self, partition: &Partition) -> f64 {
        let squares: f64 = partition.sizes.iter().map(|&size| size as f64 * size as f64).sum();
        squares + partition.n_records() as f64 * partition.n_suppressed as f64
    }
}
