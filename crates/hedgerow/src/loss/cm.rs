//! CM: the classification metric.

use super::{Aspect, Histogram, Loss, Partition, ratio};
use crate::method::{Described, Description, Need};

/// The share of records whose label is not the majority label of their class.
///
/// The best guess for a record, given only what is published, is the most frequent label of its
/// class. If several labels are equally frequent, the smallest one is the majority, so the records
/// of one of them count as right. A suppressed record always counts as wrong.
///
/// # Complexity
///
/// `O(l)`, where `l` is the sum over classes of their numbers of distinct labels.
///
/// # Guarantees
///
/// Between 0 and 1. Suppressing one more record never decreases it. `None` without a column to
/// predict.
///
/// # References
///
/// \[Iyengar2002\] V. S. Iyengar: Transforming Data to Satisfy Privacy Constraints, KDD 2002;
/// as read in METHODS 7. ARX counts all records of a tie as wrong.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::{Loss, Partition, Cm};
/// use hedgerow::table::Code;
/// let mut partition = Partition::of_costs(2, &[(4, &[0.5]), (4, &[0.5])], 0);
/// let [no, yes] = [0, 1].map(Code::new);
/// partition.labels = Some(vec![vec![(no, 3), (yes, 1)], vec![(no, 2), (yes, 2)]]);
/// assert!((Cm.of(&partition).unwrap() - 3.0 / 8.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Cm;

impl Described for Cm {
    const DESCRIPTION: Description = Description {
        name: "cm",
        about: "share of records whose label is not the most frequent of their class",
        reference: Some("Iyengar2002"),
        needs: &[Need::Class],
        parameters: &[],
    };
}

impl Loss for Cm {
    fn formula(&self) -> &'static str {
        "records whose label is not the most frequent of their class, divided by records"
    }

    fn aspect(&self) -> Aspect {
        Aspect::Prediction
    }

    fn of(&self, partition: &Partition) -> Option<f64> {
        let labels = partition.labels.as_ref()?;
        // Iyengar2002: everyone but the majority of a class is penalized.
        let of_class = |counts: &Histogram| {
            let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
            counts.iter().map(|&(_, count)| count).sum::<u64>() - most
        };
        let wrong = labels.iter().map(of_class).sum::<u64>() + partition.n_suppressed;
        Some(ratio(wrong as f64, partition.n_records() as f64))
    }
}
