//! The prosecutor, who knows that a person is in the table.

use super::{Figure, RiskModel, Sample};
use crate::method::{Described, Description};

/// An attacker who knows the quasi-identifiers of a person and that the person is in the table.
///
/// The person can be any of the `f` records that match, so each is theirs with probability `1/f`.
/// The share of records at risk at a threshold `t` is that of the records with `1/f > t`; the
/// expected share of re-identified records is the mean of `1/f`, which is the number of classes
/// divided by the number of records if no cell is `*`.
///
/// # Complexity
///
/// `O(g)` for `g` distinct class sizes.
///
/// # Guarantees
///
/// Exact: nothing is estimated. Risks are in 0..=1.
///
/// # References
///
/// \[Emam2013\] K. El Emam: Guide to the De-Identification of Personal Health Information, CRC
/// Press 2013, chapter 16; METHODS 10.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{Prosecutor, RiskModel, Sample};
/// let sample = Sample::of_sizes(&[1, 4, 5]).judged_by(&[0.2]);
/// let spread = Prosecutor.of(&sample).unwrap().spread.unwrap();
/// assert_eq!((spread.above[0].n, spread.highest.n, spread.lowest.n), (5, 1, 5));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Prosecutor;

impl Described for Prosecutor {
    const DESCRIPTION: Description = Description {
        name: "prosecutor",
        about: "an attacker who knows that the person is in the table: 1 / class size",
        reference: Some("Emam2013"),
        needs: &[],
        parameters: &[],
    };
}

impl RiskModel for Prosecutor {
    fn of(&self, sample: &Sample) -> Option<Figure> {
        let spread = sample.spread(|group| 1.0 / group.size as f64)?;
        Some(Figure::of_spread(Self::DESCRIPTION.name, sample.n(), spread))
    }
}
