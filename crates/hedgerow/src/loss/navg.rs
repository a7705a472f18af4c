//! NAVG: normalized average class size.

use super::{Aspect, Counted, Loss, Partition, ratio};
use crate::method::{Described, Description};

/// The mean size of a class in units of `k`: 1 is the finest that k-anonymity allows.
///
/// Only published records count; [`CAvg`](super::CAvg) counts all records.
///
/// # Complexity
///
/// `O(u)` for `u` classes.
///
/// # Guarantees
///
/// At least 1 if every class has `k` records, 0 without classes. Suppressing records can decrease
/// it, because it considers only classes.
///
/// # References
///
/// \[LeFevre2006\] K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Mondrian Multidimensional
/// K-Anonymity, ICDE 2006; \[Campan2011\], section 4; METHODS 3.2 and 7, where counting only
/// unsuppressed records is an option.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Navg};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
/// assert!((Navg.of(&partition).unwrap() - 5.0 / 4.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Navg;

impl Described for Navg {
    const DESCRIPTION: Description = Description {
        name: "navg",
        about: "mean class size divided by k (1 is the smallest possible)",
        reference: Some("LeFevre2006"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for Navg {
    fn formula(&self) -> &'static str {
        "published records / (classes · k)"
    }

    fn aspect(&self) -> Aspect {
        Aspect::Classes
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::ClassSize { with_suppressed: false })
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        // Without suppressed records, unlike `CAvg`.
        let n_published: u64 = partition.sizes.iter().sum();
        Some(ratio(n_published as f64, partition.sizes.len() as f64 * partition.k as f64))
    }
}
