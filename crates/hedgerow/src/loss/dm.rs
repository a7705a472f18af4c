//! DM: discernibility.

use super::{Aspect, Counted, Loss, Partition};
use crate::method::{Described, Description};

/// The number of records that each record is indistinguishable from: the sum of the squared class
/// sizes.
///
/// A suppressed record is indistinguishable from all records, and so is a record in a class of
/// fewer than `k`, which should have been suppressed. The DCP of \[Yaseen2018\] is the same number.
///
/// # Complexity
///
/// `O(u)` for `u` classes.
///
/// # Guarantees
///
/// Between the number of records and its square. Suppressing one more record never decreases it,
/// unless its class has more than half of all records: the others of the class then become
/// indistinguishable from fewer.
///
/// # References
///
/// \[Bayardo2005\] R. J. Bayardo, R. Agrawal: Data Privacy through Optimal k-Anonymization, ICDE
/// 2005; \[Campan2011\], definition 11, for classes of `k` or more; METHODS 3.2 and
/// 7.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Dm};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
/// assert!((Dm.of(&partition).unwrap() - (4.0 + 9.0 + 6.0)).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Dm;

impl Described for Dm {
    const DESCRIPTION: Description = Description {
        name: "dm",
        about: "sum of squared class sizes; a suppressed record counts all records",
        reference: Some("Bayardo2005"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for Dm {
    fn formula(&self) -> &'static str {
        "Σ over classes of size², plus all records for each suppressed record"
    }

    fn aspect(&self) -> Aspect {
        Aspect::Classes
    }

    fn is_count(&self) -> bool {
        true
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::Discernibility)
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        let n_records = partition.n_records() as f64;
        let of_class = |&size: &u64| {
            // Bayardo2005: a class below `k` is penalized like suppression.
            let confused = if size < partition.k { n_records } else { size as f64 };
            size as f64 * confused
        };
        let squares: f64 = partition.sizes.iter().map(of_class).sum();
        Some(squares + n_records * partition.n_suppressed as f64)
    }
}
