//! NAVG: normalized average class size.

use super::{Loss, Partition, ratio};

/// The mean size of a class in units of `k`: 1 is as fine as k-anonymity allows.
///
/// # References
///
/// \[LeFevre2006\] K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Mondrian Multidimensional
/// K-Anonymity, ICDE 2006; \[Campan2011\], section 4; METHODS 3.2.
#[derive(Debug, Clone, Copy)]
pub struct Navg;

impl Loss for Navg {
    fn name(&self) -> &'static str {
        "navg"
    }

    fn about(&self) -> &'static str {
        "mean class size divided by k (1 is the least possible)"
    }

    fn of(&self, partition: &Partition) -> f64 {
        let n_published: u64 = partition.sizes.iter().sum();
        ratio(n_published as f64, (partition.sizes.len() as u64 * partition.k) as f64)
    }
}
