//! NCP: normalized certainty penalty.

use super::{Loss, Partition};
use crate::method::{Described, Description};

/// The share of its attribute that each cell takes in, summed over all cells.
///
/// A number costs the share of the range, as in [`Ntil`](super::Ntil). A word that became one of
/// `m` words costs `m / M` of all `M` leaves of its hierarchy, and 0 if it is the only one. A
/// suppressed cell costs 1. Attributes weigh the same.
///
/// # Complexity
///
/// `O(u p)` for `u` classes of `p` attributes.
///
/// # Guarantees
///
/// Between 0 and the number of cells. Never less when one more record is suppressed.
///
/// # References
///
/// \[Xu2006\] J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu: Utility-Based Anonymization
/// Using Local Proposal, KDD 2006. Weights of attributes are 1; a group of one word
/// costs 0, as in \[Ghinita2007\].
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Ncp};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
/// assert!((Ncp.of(&partition).unwrap() - (2.0 * 0.5 + 3.0 * 1.25 + 2.0)).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Ncp;

impl Described for Ncp {
    const DESCRIPTION: Description = Description {
        name: "ncp",
        about: "share of all values that a cell may be, summed over cells",
        reference: Some("Xu2006"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for Ncp {
    fn of(&self, partition: &Partition) -> Option<f64> {
        let suppressed = partition.n_suppressed as f64 * partition.width() as f64;
        Some(partition.sum(|cell| cell.share) + suppressed)
    }
}
