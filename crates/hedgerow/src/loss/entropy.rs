//! Non-uniform entropy.

use super::{CellCost, CellSum, Counted, Frame, Loss, Partition, ratio};
use crate::method::{Described, Description, Need};

/// The bits needed to guess the original values from the published ones, as a share of the bits
/// needed without the release.
///
/// A value `v` published as `R` costs `-log2(count(v) / mass(R))`, with the counts of the whole
/// column. The sum over the records is the sum of `log2 mass(R)` over published cells minus the sum
/// of `c log2 c` over the counts `c` of the column, so the classes and the column's counts suffice.
/// A suppressed cell costs as much as the root.
///
/// # Complexity
///
/// `O(u p)` for `u` classes of `p` attributes.
///
/// # Guarantees
///
/// Between 0 and 1; 0 if every column has a single value, so that nothing needs to be guessed.
/// Suppressing one more record never decreases it. `None` if missing values match anything, because
/// then their original values are unknown.
///
/// # References
///
/// \[Gionis2009\] A. Gionis, T. Tassa: k-Anonymization with Minimal Loss of Information, IEEE
/// TKDE 21(2), 2009; \[Waal1999\] T. de Waal, L. Willenborg: Information Loss through Global
/// Recoding and Local Suppression, Netherlands Official Statistics 14, 1999. hedgerow divides by
/// the cost of suppressing every record.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Entropy};
/// let mut partition = Partition::of_costs(2, &[(2, &[0.5]), (2, &[0.0])], 0);
/// // a b c c: a and b are published as one of two, c stays.
/// (partition.cells[0].mass, partition.cells[1].mass) = (2, 2);
/// partition.columns[0].log_counts = Some(0.0 + 0.0 + 2.0);
/// assert!((Entropy.of(&partition).unwrap() - 2.0 / 6.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Entropy;

/// Sums that differ by at most this share of either are considered equal.
const NOISE: f64 = 1e-12;

/// A suppressed cell has the mass of its whole column.
const CELLS: CellSum =
    CellSum { cost: CellCost::Bits, lost: |_, frame| all_bits(frame), total: share_of_bits };

impl Described for Entropy {
    const DESCRIPTION: Description = Description {
        name: "entropy",
        about: "bits needed to guess a value, as a share of the bits without the release",
        reference: Some("Gionis2009"),
        needs: &[Need::NoWildcards],
        parameters: &[],
    };
}

impl Loss for Entropy {
    fn formula(&self) -> &'static str {
        "Σ over all cells of log2(records that the cell covers / records with the value), divided by that with every cell suppressed"
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::Cells(CELLS))
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        // Without wildcards, every column has a sum over its counts.
        let is_known = partition.columns.iter().all(|column| column.log_counts.is_some());
        is_known.then(|| CELLS.of(partition))
    }
}

/// The bits of a cell that could be any record of the table.
fn all_bits(frame: &Frame<'_>) -> f64 {
    frame.n_records.max(1.0).log2()
}

/// The share of the bits that are lost, given the sum of `log2 mass(R)` over all cells.
fn share_of_bits(sum: f64, frame: &Frame<'_>) -> f64 {
    let known: f64 = frame.columns.iter().filter_map(|column| column.log_counts).sum();
    let at_most = frame.n_cells() * all_bits(frame);
    // If the sums are equal up to rounding, nothing can be lost.
    let whole = Some(at_most - known).filter(|whole| *whole > NOISE * at_most);
    ratio((sum - known).max(0.0), whole.unwrap_or(0.0)).min(1.0)
}
