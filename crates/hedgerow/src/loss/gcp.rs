//! GCP: global certainty penalty.

use super::{CellCost, CellSum, Counted, Loss, Partition, everything, ratio};
use crate::method::{Described, Description};

/// The mean certainty penalty of a cell.
///
/// [`Ncp`](super::Ncp) divided by the number of cells, so that tables of different sizes can be
/// compared.
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
/// \[Ghinita2007\] G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis: Fast Data Anonymization with
/// Low Information Loss, VLDB 2007.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Gcp};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
/// assert!((Gcp.of(&partition).unwrap() - (2.0 * 0.5 + 3.0 * 1.25 + 2.0) / 12.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Gcp;

/// The sum of [`Ncp`](super::Ncp), divided by the number of cells.
const CELLS: CellSum = CellSum {
    cost: CellCost::Share,
    lost: everything,
    total: |sum, frame| ratio(sum, frame.n_cells()),
};

impl Described for Gcp {
    const DESCRIPTION: Description = Description {
        name: "gcp",
        about: "ncp divided by the number of cells",
        reference: Some("Ghinita2007"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for Gcp {
    fn formula(&self) -> &'static str {
        "ncp divided by records · columns"
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::Cells(CELLS))
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        Some(CELLS.of(partition))
    }
}
