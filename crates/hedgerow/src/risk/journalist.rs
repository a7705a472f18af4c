//! The journalist, who wants to re-identify anybody of the population.

use super::{Figure, RiskModel, Sample};
use crate::method::{Described, Description};

/// An attacker who does not know whether a person is in the table, only that the table is a sample
/// of a population.
///
/// A record that matches `F` members of the population belongs to each of them with probability
/// `1/F`. The expected share of re-identified records is the larger of two ways to attack: choosing
/// members of the population and looking for them in the table, `m / sum F` over the `m` classes
/// of the table, and choosing records and looking for them in the population, the mean of `1/F`.
/// Without a population table the table is used as the population, so `F` is the class size and
/// the risk is that of the [prosecutor](super::Prosecutor), its upper bound.
///
/// # Complexity
///
/// `O(g)` for `g` groups of records with the same figures.
///
/// # Guarantees
///
/// Never above the prosecutor's risk, because a population contains its sample: a record that
/// matches fewer members of the population than records of the table counts with the latter.
///
/// # References
///
/// \[Emam2013\] K. El Emam: Guide to the De-Identification of Personal Health Information, CRC
/// Press 2013, chapter 16; METHODS 10.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{Journalist, RiskModel, Sample};
/// let sample = Sample::of_sizes(&[1, 3]);
/// assert!((Journalist.of(&sample).unwrap().share - 0.5).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Journalist;

impl Described for Journalist {
    const DESCRIPTION: Description = Description {
        name: "journalist",
        about: "an attacker who looks for anybody of the population: 1 / matches in the population",
        reference: Some("Emam2013"),
        needs: &[],
        parameters: &[],
    };
}

impl RiskModel for Journalist {
    fn of(&self, sample: &Sample) -> Option<Figure> {
        let spread = sample.spread(|group| 1.0 / group.population)?;
        let (mut n_classes, mut members) = (0.0, 0.0);
        for group in &sample.groups {
            // A class of size f has f records, so this sums over classes.
            let classes = group.n as f64 / group.size as f64;
            n_classes += classes;
            members += classes * group.population;
        }
        // The larger of both attacks: the mean of 1/F, and m / sum F.
        let share = spread.average.max(n_classes / members);
        let expected = share * sample.n() as f64;
        let how = (!sample.is_counted).then(|| match sample.n_population {
            None => "the table is taken for the population".to_owned(),
            Some(_) => {
                "the table is taken for the population, because the size of a population does not \
                        say whom its members match"
                    .to_owned()
            }
        });
        Some(Figure { share, expected, how, ..Figure::of_spread("journalist", sample.n(), spread) })
    }
}
