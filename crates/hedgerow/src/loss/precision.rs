//! Precision: the depth of the published values in their hierarchies. A gain, not a loss.

use super::{CellCost, CellSum, Counted, Loss, Partition, everything, ratio};
use crate::method::{Described, Description, Need};

/// 1 minus the mean level of a cell relative to the height: 1 for the original, 0 for a release
/// without information.
///
/// A leaf has level 0 at any depth of a ragged tree; other nodes have the level of METHODS 0.2. A
/// suppressed cell has the level of the root. Precision is a *gain*: searches minimise
/// [`Loss::penalty`], which is 1 minus the precision.
///
/// # Complexity
///
/// `O(u p)` for `u` classes of `p` attributes.
///
/// # Guarantees
///
/// Between 0 and 1. Suppressing one more record never increases it. `None` if an attribute has no
/// levels.
///
/// # References
///
/// \[Sweeney2002b\] L. Sweeney: Achieving k-Anonymity Privacy Protection Using Generalization and
/// Suppression, IJUFKS 10(5), 2002; METHODS 7.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Precision};
/// let mut partition = Partition::of_costs(2, &[(2, &[0.7]), (3, &[0.0])], 1);
/// partition.cells[0].level = 0.5;
/// partition.columns[0].distortion = Some(2.0);
/// assert!((Precision.of(&partition).unwrap() - (1.0 - (2.0 * 0.5 + 1.0) / 6.0)).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Precision;

/// The mean level of a cell, which is 1 minus the precision.
const CELLS: CellSum = CellSum {
    cost: CellCost::Level,
    lost: everything,
    total: |sum, frame| ratio(sum, frame.n_cells()),
};

impl Described for Precision {
    const DESCRIPTION: Description = Description {
        name: "precision",
        about: "MORE is better: 1 minus the mean level of a cell over the height",
        reference: Some("Sweeney2002b"),
        needs: &[Need::Levels],
        parameters: &[],
    };
}

impl Loss for Precision {
    fn formula(&self) -> &'static str {
        "1 - mean over all cells of level / height of the hierarchy"
    }

    fn is_gain(&self) -> bool {
        true
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::Cells(CELLS))
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        // Only attributes with levels have a root distortion.
        partition.root_distortions()?;
        Some(1.0 - CELLS.of(partition))
    }
}
