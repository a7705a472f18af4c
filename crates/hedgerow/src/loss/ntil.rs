//! NTIL: normalized total information loss.

use super::{CellCost, CellSum, Counted, Loss, Partition, everything, ratio};
use crate::method::{Described, Description};

/// The mean cost of a cell: the costs of each class times its records, divided by the number of
/// cells.
///
/// A number or date costs the share of the column's range that is published; a word costs the share
/// of the other words that it could be; a suppressed cell costs 1.
///
/// # Complexity
///
/// `O(u p)` for `u` classes of `p` attributes.
///
/// # Guarantees
///
/// Between 0 and 1. Suppressing one more record never decreases it; merging classes that publish
/// the same does not change it.
///
/// # References
///
/// \[Campan2011\], definitions 7 and 8; METHODS 3.2. Suppression is not in the paper.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Ntil};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
/// assert!((Ntil.of(&partition).unwrap() - (2.0 * 0.5 + 3.0 * 1.25 + 2.0) / 12.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Ntil;

/// Definition 8 divides by n · p; suppression, which the paper lacks, costs 1 for each cell.
pub(super) const CELLS: CellSum = CellSum {
    cost: CellCost::Cost,
    lost: everything,
    total: |sum, frame| ratio(sum, frame.n_cells()),
};

impl Described for Ntil {
    const DESCRIPTION: Description = Description {
        name: "ntil",
        about: "mean share of its range that a cell loses",
        reference: Some("Campan2011"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for Ntil {
    fn formula(&self) -> &'static str {
        "Σ over classes of records · Σ over columns of cost, divided by records · columns"
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::Cells(CELLS))
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        Some(CELLS.of(partition))
    }
}
