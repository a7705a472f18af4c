//! LM: the loss metric.

use super::{CellCost, CellSum, Counted, Loss, Partition, everything, ratio};
use crate::method::{Described, Description};

/// The mean cost of a cell in each attribute, summed over attributes.
///
/// A word that is published as one of `m` of the `M` words of its hierarchy costs `(m - 1) / (M -
/// 1)`, a number costs the share of the range, and a suppressed cell costs 1. With `p` attributes
/// it is `p` times [`Ntil`](super::Ntil), which uses the same costs.
///
/// # Complexity
///
/// `O(u p)` for `u` classes of `p` attributes.
///
/// # Guarantees
///
/// Between 0 and the number of attributes. Suppressing one more record never decreases it.
///
/// # References
///
/// \[Iyengar2002\] V. S. Iyengar: Transforming Data to Satisfy Privacy Constraints, KDD 2002;
/// as read in METHODS 7.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Lm};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
/// assert!((Lm.of(&partition).unwrap() - (2.0 * 0.5 + 3.0 * 1.25 + 2.0) / 6.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Lm;

/// A suppressed record loses 1 in each of its columns.
const CELLS: CellSum = CellSum {
    cost: CellCost::Cost,
    lost: everything,
    total: |sum, frame| ratio(sum, frame.n_records),
};

impl Described for Lm {
    const DESCRIPTION: Description = Description {
        name: "lm",
        about: "mean share that a cell loses, summed over attributes",
        reference: Some("Iyengar2002"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for Lm {
    fn formula(&self) -> &'static str {
        "Σ over columns of the mean cost of a cell"
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::Cells(CELLS))
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        Some(CELLS.of(partition))
    }
}
