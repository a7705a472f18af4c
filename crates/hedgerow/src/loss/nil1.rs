//! NIL1: normalized information loss, mean over classes.

use super::{Counted, Loss, Partition, ratio};
use crate::method::{Described, Description};

/// The mean cost of a class, regardless of its size.
///
/// Like NTIL, but all classes have the same weight. The suppressed records form one class with cost
/// 1.
///
/// # Complexity
///
/// `O(u p)` for `u` classes of `p` attributes.
///
/// # Guarantees
///
/// Between 0 and 1. Suppressing the last record of a costly class can decrease it, because it is a
/// mean over classes.
///
/// # References
///
/// \[Campan2011\], definition 9; METHODS 3.2. Suppression is not in the paper.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Nil1};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
/// assert!((Nil1.of(&partition).unwrap() - (0.5 + 1.25 + 2.0) / 6.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Nil1;

impl Described for Nil1 {
    const DESCRIPTION: Description = Description {
        name: "nil1",
        about: "mean share that a class loses, whatever its size",
        reference: Some("Campan2011"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for Nil1 {
    fn formula(&self) -> &'static str {
        "mean over classes and columns of cost, each class counted once"
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::MeanClass)
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        // All suppressed records together count as one class with cost 1 in every attribute.
        let lost = usize::from(partition.n_suppressed > 0);
        let classes = 0..partition.sizes.len();
        let cells = classes.flat_map(|class| partition.class_cells(class));
        let total = cells.map(|cell| cell.cost).sum::<f64>() + (lost * partition.width()) as f64;
        Some(ratio(total, (partition.width() * (partition.sizes.len() + lost)) as f64))
    }
}
