//! Individual risk with sampling weights.

use super::{Figure, Group, RiskModel, Sample};
use crate::method::{Described, Description, Need};

/// The risk of each record if it is known how many members of the population it represents.
///
/// The weights of the `f` records of a class add up to an estimate `F` of its members in the
/// population. Given the sample, the true number has a negative binomial distribution with success
/// probability `p = f / F`, and the risk is the mean of its inverse: `p/(1-p) ln(1/p)` for
/// `f = 1`, `p/(1-p) - (p/(1-p))^2 ln(1/p)` for `f = 2`, and `p / (f - (1-p))` for larger
/// classes. The global risk is the mean of the individual risks, and their sum the expected number
/// of re-identifications.
///
/// # Complexity
///
/// `O(g)` for `g` groups of records with the same figures.
///
/// # Guarantees
///
/// Risks are in 0..=1 and at most `1/f`, which they are if the weights add up to `f` or less.
///
/// # References
///
/// \[Franconi2004\] L. Franconi, S. Polettini: Individual risk estimation in mu-Argus: a review,
/// Privacy in Statistical Databases 2004, LNCS 3050, for the model of R. Benedetti and L. Franconi,
/// 1998; METHODS 10. For classes of more than two records it is an approximation, which the review
/// gives too.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::individual_risk;
/// assert!((individual_risk(2, 360.0) - 0.00542452).abs() < 1e-8);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Individual;

impl Described for Individual {
    const DESCRIPTION: Description = Description {
        name: "individual",
        about: "risk of each record by its sampling weight, and their sum (Benedetti and Franconi)",
        reference: Some("Franconi2004"),
        needs: &[Need::Weights],
        parameters: &[],
    };
}

impl RiskModel for Individual {
    fn of(&self, sample: &Sample) -> Option<Figure> {
        sample.groups.first()?.weight?;
        let risk =
            |group: &Group| individual_risk(group.size, group.weight.unwrap_or(group.size as f64));
        let spread = sample.spread(risk)?;
        Some(Figure::of_spread("individual", sample.n(), spread))
    }
}

/// The difference of 1 and `p` below which a class is as large as in the population.
const CERTAIN: f64 = 1e-6;

/// The risk of a record in a class of `size` records whose weights add up to `weight`.
pub fn individual_risk(size: u64, weight: f64) -> f64 {
    let f = size as f64;
    // p = f / F, the rate at which the class was sampled.
    let p = f / weight;
    let rest = 1.0 - p;
    if rest < CERTAIN {
        return 1.0 / f;
    }
    let (odds, log) = (p / rest, -(-rest).ln_1p());
    match size {
        1 => odds * log,
        2 => odds - odds * odds * log,
        _ => p / (f - rest),
    }
}
