//! Distortion ratio.

use super::{CellCost, CellSum, Counted, Loss, Partition, ratio};
use crate::method::{Described, Description, Need};

/// The distortion of all cells, as a share of the distortion with every cell at the root.
///
/// Some hierarchies define how far their nodes are from the values (`cgh`, `dbgh`, `cbgh`); for the
/// others, the distortion is the level. A suppressed cell counts as the root.
///
/// # Complexity
///
/// `O(u p)` for `u` classes of `p` attributes.
///
/// # Guarantees
///
/// Between 0 and 1. Suppressing one more record never decreases it. `None` if an attribute has no
/// levels.
///
/// # References
///
/// \[Yaseen2018\] Yaseen et al.: Improved Generalization for Secure Data Publishing, IEEE Access
/// 6, 2018, definition 9; METHODS 7.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Distortion};
/// let mut partition = Partition::of_costs(2, &[(2, &[0.7]), (3, &[0.0])], 1);
/// partition.cells[0].distortion = 0.5;
/// partition.columns[0].distortion = Some(4.0);
/// assert!((Distortion.of(&partition).unwrap() - (2.0 * 0.5 + 4.0) / (6.0 * 4.0)).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Distortion;

/// A suppressed cell has the distortion of the root of its column.
const CELLS: CellSum = CellSum {
    cost: CellCost::Distortion,
    lost: |column, _| column.distortion.unwrap_or(0.0),
    total: |sum, frame| ratio(sum, frame.n_records * frame.root_distortion()),
};

impl Described for Distortion {
    const DESCRIPTION: Description = Description {
        name: "distortion",
        about: "distortion of all cells as a share of the distortion of the roots",
        reference: Some("Yaseen2018"),
        needs: &[Need::Levels],
        parameters: &[],
    };
}

impl Loss for Distortion {
    fn formula(&self) -> &'static str {
        "Σ over all cells of distortion, divided by that with every cell at the root"
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::Cells(CELLS))
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        // Only attributes with levels have a root distortion.
        partition.root_distortions()?;
        Some(CELLS.of(partition))
    }
}
