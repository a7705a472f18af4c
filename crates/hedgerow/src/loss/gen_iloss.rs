//! `GenILoss`: generalized information loss.

use super::{Counted, Loss, Ntil, Partition, ntil};
use crate::method::{Described, Description};

/// The mean over all cells of the share of the domain that is published.
///
/// Words are numbered in the order of the hierarchy, so a group of `m` of `M` words spans `(m - 1)
/// / (M - 1)`. This is the mean of [`Lm`](super::Lm) over attributes, and with the costs used here
/// it equals [`Ntil`](super::Ntil). It is registered separately so that users find it by its name.
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
/// \[Ayala2014\] V. Ayala-Rivera, P. `McDonagh`, T. Cerqueus, L. Murphy: A Systematic Comparison
/// and Evaluation of k-Anonymization Algorithms for Practitioners, Transactions on Data Privacy
/// 7(3), 2014; as read in METHODS 7. Two public implementations count children instead of leaves,
/// which gives the same result on the lowest level only.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, GenIloss};
/// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
/// let wanted = (2.0 * 0.5 + 3.0 * 1.25 + 2.0) / 12.0;
/// assert!((GenIloss.of(&partition).unwrap() - wanted).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct GenIloss;

impl Described for GenIloss {
    const DESCRIPTION: Description = Description {
        name: "gen-iloss",
        about: "mean of lm over attributes",
        reference: Some("Ayala2014"),
        needs: &[],
        parameters: &[],
    };
}

impl Loss for GenIloss {
    fn formula(&self) -> &'static str {
        "mean over all cells of (greatest - least) / (range of the column)"
    }

    fn counted(&self) -> Option<Counted> {
        Some(Counted::Cells(ntil::CELLS))
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        // Equal for these costs: (upper - lower) / (max - min) with words numbered from 1.
        Ntil.of(partition)
    }
}
