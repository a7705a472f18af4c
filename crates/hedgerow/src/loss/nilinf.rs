//! NILinf: normalized information loss, worst class.

use super::{Counted, Loss, Partition, ratio};
use crate::method::{Described, Description};

/// The largest cost of any class in each attribute, averaged over attributes.
///
/// One bad class determines it: it shows how far generalization had to go at worst. It is 1 if any
/// record is suppressed, because that record loses everything.
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
/// \[Campan2011\], definition 10; METHODS 3.2. Suppression is not in the paper.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, NilInf};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 0);
/// assert!((NilInf.of(&partition).unwrap() - (1.0 + 0.25) / 2.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NilInf;

impl Described for NilInf {
    const DESCRIPTION: Description = Description {
        name: "nilinf",
        about: "share that the worst class loses, mean over attributes",
        reference: Some("Campan2011"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for NilInf {
    fn formula(&self) -> &'static str {
        "mean over columns of the greatest cost of any class; 1 if a record is suppressed"
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::WorstClass)
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        if partition.n_suppressed > 0 {
            return Some(1.0);
        }
        // Definition 10: the maximum over classes first, then the mean over attributes.
        let mut worst = vec![0.0_f64; partition.width()];
        for class in 0..partition.sizes.len() {
            let cells = worst.iter_mut().zip(partition.class_cells(class));
            cells.for_each(|(worst, cell)| *worst = worst.max(cell.cost));
        }
        Some(ratio(worst.iter().sum(), partition.width() as f64))
    }
}
