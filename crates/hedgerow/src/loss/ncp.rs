//! NCP: normalized certainty penalty.

use super::{CellCost, CellSum, Counted, Loss, Partition, everything};
use crate::method::{Described, Description};

/// The share of its attribute that each cell covers, summed over all cells.
///
/// A number costs the share of the range, as in [`Ntil`](super::Ntil). A word that is published as
/// one of `m` words costs `m / M`, where `M` is the number of leaves of its hierarchy, and 0 if it
/// is published alone. A suppressed cell costs 1. All attributes have the same weight.
///
/// # Complexity
///
/// `O(u p)` for `u` classes of `p` attributes.
///
/// # Guarantees
///
/// Between 0 and the number of cells. Suppressing one more record never decreases it.
///
/// # References
///
/// \[Xu2006\] J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu: Utility-Based Anonymization
/// Using Local Recoding, KDD 2006. Weights of attributes are 1; a group of one word costs 0, as in
/// \[Ghinita2007\].
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

/// A suppressed cell covers its whole column.
const CELLS: CellSum = CellSum { cost: CellCost::Share, lost: everything, total: |sum, _| sum };

impl Described for Ncp {
    const DESCRIPTION: Description = Description {
        name: "ncp",
        about: "share of all values that a cell covers, summed over cells",
        reference: Some("Xu2006"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for Ncp {
    fn formula(&self) -> &'static str {
        "Σ over all cells of the share of the column that the cell covers"
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::Cells(CELLS))
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        Some(CELLS.of(partition))
    }
}
