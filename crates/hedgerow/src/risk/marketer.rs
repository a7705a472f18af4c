//! The marketer, who wants to re-identify as many records as possible.

use super::{Figure, RiskModel, Sample};
use crate::method::{Described, Description};

/// An attacker who links all records of the table to the population and is content if many of the
/// links are right.
///
/// A record that matches `F` members of the population is linked to the right one with probability
/// `1/F`, so the expected share of right links is the mean of `1/F` over records. Without a
/// population table `F` is the class size.
///
/// # Complexity
///
/// `O(g)` for `g` groups of records with the same figures.
///
/// # Guarantees
///
/// Never above the [journalist](super::Journalist)'s or the [prosecutor](super::Prosecutor)'s
/// expected share.
///
/// # References
///
/// \[Emam2013\] K. El Emam: Guide to the De-Identification of Personal Health Information, CRC
/// Press 2013, chapter 16; METHODS 10.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{Marketer, RiskModel, Sample};
/// let sample = Sample::of_sizes(&[1, 3]);
/// assert!((Marketer.of(&sample).unwrap().share - 0.5).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Marketer;

impl Described for Marketer {
    const DESCRIPTION: Description = Description {
        name: "marketer",
        about: "an attacker who links all records at once: mean of 1 / matches in the population",
        reference: Some("Emam2013"),
        needs: &[],
        parameters: &[],
    };
}

impl RiskModel for Marketer {
    fn of(&self, sample: &Sample) -> Option<Figure> {
        let share = sample.spread(|group| 1.0 / group.population)?.average;
        let how = (!sample.is_counted).then(|| "the table is taken for the population".to_owned());
        let expected = share * sample.n() as f64;
        Some(Figure { model: "marketer", share, expected, spread: None, how })
    }
}
