//! Population uniqueness by the slide negative binomial model.

use super::{Figure, RiskModel, Sample};
use crate::method::{Described, Description, Need};

/// The share of the population that is unique, if class sizes of the population less one have a
/// negative binomial distribution.
///
/// A class of the population has `1 + X` members, with `X` negative binomial with parameters
/// `alpha > 0` and `0 < beta < 1`, so `K beta^alpha` of its `K` classes are unique. `K` is
/// estimated by Shlosser's estimator from the sample, and the parameters are those with which the
/// expected numbers of classes with one and with two records in the sample are the observed ones.
/// The fit is then compared with the one thing that is known of the population: if the classes add
/// up to less than half or more than twice its size, the model does not describe it and gives no
/// estimate.
///
/// # Complexity
///
/// `O(g)` for `g` class sizes, and a search for the parameters that does not depend on the sample.
///
/// # Guarantees
///
/// Deterministic. Equal to the sample uniqueness if the table is the population. Does not apply if
/// the equations have no solution or the fit contradicts the size of the population.
///
/// # References
///
/// \[Chen1998\] G. Chen, S. Keller-McNulty: Estimation of identification disclosure risk in
/// microdata, Journal of Official Statistics, 1998; \[Haas1998\] P. J. Haas, L. Stokes:
/// Estimating the number of classes in a finite population, Journal of the American Statistical
/// Association 93, 1998, for Shlosser's estimator in its modified form, as \[Dankar2012\] uses it;
/// METHODS 10. The comparison with the size of the population is ours: on Adult the equations have
/// solutions that would give it an eighth of its members. ARX 3.9.2 finds no solution there.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{RiskModel, Sample, Snb};
/// let sizes = [[1; 36].as_slice(), &[2; 25], &[3; 14], &[4; 7], &[5; 3], &[6, 7]].concat();
/// let found = Snb.of(&Sample::of_sizes(&sizes).drawn(0.5)).unwrap();
/// assert!(found.share > 0.0 && found.share < 36.0 / 186.0);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Snb;

impl Described for Snb {
    const DESCRIPTION: Description = Description {
        name: "snb",
        about: "population uniqueness by the slide negative binomial model, where it fits",
        reference: Some("Chen1998"),
        needs: &[Need::Population],
        parameters: &[],
    };
}

impl RiskModel for Snb {
    fn of(&self, sample: &Sample) -> Option<Figure> {
        let population = sample.n_population?;
        if sample.is_whole() {
            return Some(Figure::of_uniques("snb", sample, 0.0));
        }
        let model = Model::of(sample)?;
        let (alpha, beta) = model.solve()?;
        // A class has 1 + alpha (1 - beta) / beta members on average.
        let fitted = model.n_classes * (1.0 + alpha * (1.0 - beta) / beta);
        let fits = (population / 2.0..=population * 2.0).contains(&fitted);
        let uniques = model.n_classes * beta.powf(alpha);
        fits.then(|| Figure::of_uniques("snb", sample, uniques / population))
    }
}

/// Number of values of `beta` that are tried, and the range of their log-odds.
const N_TRIED: u32 = 140;
const LOG_ODDS: (f64, f64) = (-20.0, 15.0);

/// Number of halvings of an interval that contains a solution.
const N_HALVINGS: usize = 100;

/// The equations of the model for one sample.
struct Model {
    /// The sampling fraction.
    fraction: f64,
    /// Number of classes with one record, and with two.
    ones: f64,
    twos: f64,
    /// Estimated number of classes in the population.
    n_classes: f64,
}

impl Model {
    /// The equations, or `None` if no class has one record, or none has two.
    fn of(sample: &Sample) -> Option<Self> {
        let (histogram, fraction) = (sample.histogram(), sample.sampling_fraction()?);
        let of_size = |size| histogram.iter().find(|class| class.0 == size).map(|class| class.1);
        let (ones, twos) = (of_size(1)?, of_size(2)?);
        Some(Self { fraction, ones, twos, n_classes: shlosser(&histogram, ones, fraction) })
    }

    /// The parameters `alpha` and `beta`, or `None` if the equations have no solution.
    fn solve(&self) -> Option<(f64, f64)> {
        // E(m_1) is K f for alpha = 0 and log-concave in alpha: exactly one alpha explains fewer
        // than K f classes with one record, while more have no alpha or two.
        if self.ones >= self.n_classes * self.fraction {
            return None;
        }
        let (low, high) = LOG_ODDS;
        let beta = |tried: u32| {
            // Evenly spaced log-odds cover values of beta near 0 and near 1 alike.
            let odds = low + (high - low) * f64::from(tried) / f64::from(N_TRIED);
            1.0 / (1.0 + (-odds).exp())
        };
        let excess: Vec<f64> = (0..=N_TRIED).map(|tried| self.excess(beta(tried))).collect();
        let crosses = |tried: &u32| {
            let place = *tried as usize;
            (excess[place] > 0.0) != (excess[place + 1] > 0.0)
        };
        // The first change of sign brackets a solution, which bisection then finds.
        let first = (0..N_TRIED).find(crosses)?;
        let rises = excess[first as usize] <= 0.0;
        let is_before = |beta: f64| (self.excess(beta) <= 0.0) == rises;
        let found = halved(beta(first), beta(first + 1), is_before);
        Some((self.alpha(found), found))
    }

    /// The log-ratio of the expected to the observed number of classes with two records, for the
    /// `alpha` that explains those with one.
    fn excess(&self, beta: f64) -> f64 {
        let (alpha, fraction) = (self.alpha(beta), self.fraction);
        let d = (1.0 - fraction) * (1.0 - beta);
        // E(m_2) = K f^2 alpha beta^alpha (1-beta) (2 - (1-alpha) d) / (2 (1-d)^(alpha+2))
        let factor = self.n_classes * fraction * fraction * alpha * (1.0 - beta) / 2.0;
        (factor * (2.0 - (1.0 - alpha) * d)).ln() + alpha * (beta / (1.0 - d)).ln()
            - 2.0 * (1.0 - d).ln()
            - self.twos.ln()
    }

    /// The `alpha` with which the expected number of classes with one record is the observed one.
    fn alpha(&self, beta: f64) -> f64 {
        let d = (1.0 - self.fraction) * (1.0 - beta);
        let (base, weight) = ((beta / (1.0 - d)).ln(), d / (1.0 - d));
        let wanted = (self.ones / (self.n_classes * self.fraction)).ln();
        // E(m_1) = K f (beta / (1-d))^alpha (1 + alpha d / (1-d)), which is K f at 0 and tends to
        // 0.
        let is_before = |alpha: f64| alpha * base + (alpha * weight).ln_1p() > wanted;
        let mut high = 1.0;
        while is_before(high) && high < f64::MAX / 4.0 {
            high *= 2.0;
        }
        halved(0.0, high, is_before)
    }
}

/// The place where `is_before` ceases to hold, which it does once between `low` and `high`.
fn halved(mut low: f64, mut high: f64, is_before: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..N_HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_before(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Shlosser's estimate of the number of classes in the population, as Haas and Stokes modify it.
fn shlosser(histogram: &[(u64, f64)], ones: f64, fraction: f64) -> f64 {
    let (square, rest) = (fraction * fraction, 1.0 - fraction);
    let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
        histogram.iter().map(|&(size, n)| n * term(size as f64)).sum()
    };
    let n_classes = sum(&|_| 1.0);
    // The second sum is that of (1-f)^i ((1+f)^i - 1).
    let upper = sum(&|i| i * square * (1.0 - square).powf(i - 1.0));
    let lower = sum(&|i| (1.0 - square).powf(i) - rest.powf(i));
    let unseen = sum(&|i| rest.powf(i));
    let single = sum(&|i| i * fraction * rest.powf(i - 1.0));
    // K = m + m_1 (upper / lower) (unseen / single)^2
    n_classes + ones * (upper / lower) * (unseen / single).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::risk::tests::{THIRD, adult};

    /// Figures of a program in Python that sums the expected numbers of classes over the sizes of
    /// the population instead of using their closed forms.
    #[test]
    fn the_parameters_are_those_of_summing_over_the_population() {
        let sample = adult(&THIRD, usize::MAX);
        for (fraction, classes, alpha, beta) in [
            (0.5, 7_111.485_078_105, 0.304_406_894_8, 0.075_755_528_4),
            (0.8, 5_775.993_199_519, 0.351_989_321_3, 0.112_732_035_5),
            (0.9, 5_468.118_445_356, 0.364_130_092_8, 0.125_059_405_4),
        ] {
            let drawn = sample.clone().drawn(fraction);
            let model = Model::of(&drawn).unwrap();
            let found = model.solve().unwrap();
            let near = |found: f64, wanted: f64| ((found - wanted) / wanted).abs() < 1e-6;
            assert!(near(model.n_classes, classes), "{fraction}: {}", model.n_classes);
            assert!(near(found.0, alpha) && near(found.1, beta), "{fraction}: {found:?}");
            // With these, the population would have less than half of its members.
            assert_eq!(Snb.of(&drawn), None, "{fraction}");
        }
    }
}
