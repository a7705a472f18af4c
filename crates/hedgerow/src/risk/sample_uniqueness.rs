//! Sample uniqueness: records that match only themselves.

use super::{Figure, RiskModel, Sample};
use crate::method::{Described, Description};

/// The share of records that match no other record of the table.
///
/// It bounds the share of records that are unique in the population, and is reached if the table is
/// the population.
///
/// # Complexity
///
/// `O(g)` for `g` groups of records with the same figures.
///
/// # Guarantees
///
/// Exact: nothing is estimated.
///
/// # References
///
/// \[Dankar2012\] F. K. Dankar, K. El Emam, A. Neisa, T. Roffey: Estimating the re-identification
/// risk of clinical data sets, BMC Medical Informatics and Decision Making 12:66, 2012; METHODS 10.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{RiskModel, Sample, SampleUniqueness};
/// let found = SampleUniqueness.of(&Sample::of_sizes(&[1, 1, 2])).unwrap();
/// assert!((found.share - 0.5).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SampleUniqueness;

impl Described for SampleUniqueness {
    const DESCRIPTION: Description = Description {
        name: "sample-uniqueness",
        about: "records that match no other record of the table",
        reference: Some("Dankar2012"),
        needs: &[],
        parameters: &[],
    };
}

impl RiskModel for SampleUniqueness {
    fn of(&self, sample: &Sample) -> Option<Figure> {
        let (alone, n) = (sample.alone() as f64, sample.n() as f64);
        let share = alone / n;
        Some(Figure { model: "sample-uniqueness", share, expected: alone, spread: None, how: None })
    }
}
