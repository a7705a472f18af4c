//! `C_AVG`: average class size over all records.

use super::{Aspect, Counted, Loss, Partition, ratio};
use crate::method::{Described, Description};

/// The number of all records divided by the number of classes, in units of `k`.
///
/// Like [`Navg`](super::Navg), but suppressed records count too, so suppression cannot improve it.
/// Without classes, it is the value for one class of all records.
///
/// # Complexity
///
/// `O(u)` for `u` classes.
///
/// # Guarantees
///
/// At least 1 if every class has `k` records. Suppressing one more record never decreases it.
///
/// # References
///
/// \[LeFevre2006\] K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Mondrian Multidimensional
/// K-Anonymity, ICDE 2006; METHODS 7.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, CAvg};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
/// assert!((CAvg.of(&partition).unwrap() - 6.0 / 4.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CAvg;

impl Described for CAvg {
    const DESCRIPTION: Description = Description {
        name: "c-avg",
        about: "all records over classes times k: navg including suppressed records",
        reference: Some("LeFevre2006"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for CAvg {
    fn formula(&self) -> &'static str {
        "all records / (classes · k)"
    }

    fn aspect(&self) -> Aspect {
        Aspect::Classes
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::ClassSize { with_suppressed: true })
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        // With everything suppressed, the records are as good as one class.
        let n_classes = partition.sizes.len().max(1) as f64;
        Some(ratio(partition.n_records() as f64, n_classes * partition.k as f64))
    }
}
