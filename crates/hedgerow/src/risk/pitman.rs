//! Population uniqueness by the Ewens-Pitman model.

use super::gamma::{digamma, ln_gamma, trigamma};
use super::{Figure, RiskModel, Sample};
use crate::method::{Described, Description, Need};

/// The share of the population that is unique, if both class sizes are distributed as Pitman's
/// generalization of the Ewens sampling formula says.
///
/// The model has two parameters, `alpha < 1` and `theta > -alpha`. With `alpha < 0` the number of
/// classes is finite, `-theta / alpha`, and at least that of the sample. The parameters are
/// estimated from the sample by maximum likelihood, and a population of `N` then has
/// `gamma(theta + 1) / gamma(theta + alpha) N^alpha` uniques.
///
/// # Complexity
///
/// `O((m + g) s)` for `m` classes of `g` different sizes and `s` steps of Newton's method, at most
/// 100 from each of three starts.
///
/// # Guarantees
///
/// Deterministic. Does not apply if the likelihood has no maximum inside the range, as with no
/// uniques or nothing else; equal to the sample uniqueness if the table is the population.
///
/// # References
///
/// \[Hoshino2001\] N. Hoshino: Applying Pitman's sampling formula to microdata disclosure risk
/// assessment, Journal of Official Statistics, 2001; METHODS 10. That Newton's method halves steps
/// which do not increase the likelihood is hedgerow's own.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{Pitman, RiskModel, Sample};
/// let sizes = [[1; 20].as_slice(), &[2; 6], &[3; 3], &[5, 8, 20]].concat();
/// let found = Pitman.of(&Sample::of_sizes(&sizes).drawn(0.1)).unwrap();
/// assert!(found.share > 0.0 && found.share < 20.0 / 74.0);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Pitman;

impl Described for Pitman {
    const DESCRIPTION: Description = Description {
        name: "pitman",
        about: "population uniqueness by the Ewens-Pitman model, fitted by maximum likelihood",
        reference: Some("Hoshino2001"),
        needs: &[Need::Population],
        parameters: &[],
    };
}

impl RiskModel for Pitman {
    fn of(&self, sample: &Sample) -> Option<Figure> {
        let population = sample.n_population?;
        if sample.is_whole() {
            return Some(Figure::of_uniques("pitman", sample, 0.0));
        }
        let Point { theta, alpha } = Likelihood::of(sample).maximum()?;
        // E(population uniques) = Γ(θ+1) / Γ(θ+α) N^α, in logarithms because Γ overflows.
        let log_uniques = ln_gamma(theta + 1.0) - ln_gamma(theta + alpha) + alpha * population.ln();
        Some(Figure::of_uniques("pitman", sample, log_uniques.exp() / population))
    }
}

/// The most steps of Newton's method from one start.
const MOST_STEPS: usize = 100;

/// The most times that a step is halved.
const MOST_HALVINGS: usize = 50;

/// The parameters of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    theta: f64,
    alpha: f64,
}

/// First and second derivatives of the log-likelihood.
#[derive(Debug, Clone, Copy, Default)]
struct Slope {
    theta: f64,
    alpha: f64,
    theta_theta: f64,
    theta_alpha: f64,
    alpha_alpha: f64,
}

/// The log-likelihood of a sample: the sum of `ln(theta + i alpha)` over `i` from 1 to `m - 1`,
/// less that of `ln(theta + i)` to `n - 1`, plus that of `ln(i - alpha)` to `f - 1` for each class
/// of `f` records.
struct Likelihood {
    n: f64,
    n_classes: u64,
    histogram: Vec<(u64, f64)>,
}

impl Likelihood {
    fn of(sample: &Sample) -> Self {
        let histogram = sample.histogram();
        let n_classes: f64 = histogram.iter().map(|class| class.1).sum();
        Self { n: sample.n() as f64, n_classes: n_classes.round() as u64, histogram }
    }

    /// Whether parameters are possible: with a negative `alpha`, the model has at least the classes
    /// of the sample.
    fn allows(&self, Point { theta, alpha }: Point) -> bool {
        let last = self.n_classes.saturating_sub(1) as f64;
        alpha < 1.0 && theta + alpha > 0.0 && theta + last * alpha > 0.0
    }

    /// The parameters of greatest likelihood, or `None` if none was found inside the range.
    fn maximum(&self) -> Option<Point> {
        let classes = self.n_classes as f64;
        let fixed = [Point { theta: classes / 10.0, alpha: 0.2 }, Point { theta: 1.0, alpha: 0.5 }];
        // Hoshino's estimate first, and fixed points if it is out of range or leads to no maximum.
        let starts = self.moments().into_iter().chain(fixed);
        starts.into_iter().find_map(|start| self.climb(start))
    }

    /// Hoshino's estimate from the numbers of classes of one and of two records, if it is inside
    /// the range.
    fn moments(&self) -> Option<Point> {
        let of_size = |size| self.histogram.iter().find(|class| class.0 == size).map(|c| c.1);
        let (one, two) = (of_size(1)?, of_size(2)?);
        let (n, classes) = (self.n, self.n_classes as f64);
        // Hoshino's closed form: solves the expected numbers of classes of one and two records.
        let c = one * (one - 1.0) / two;
        let theta = (n * classes * c - one * (n - 1.0) * (2.0 * classes + c))
            / (2.0 * one * classes + one * c - n * c);
        let alpha = (theta * (one - n) + (n - 1.0) * one) / (n * classes);
        Some(Point { theta, alpha }).filter(|&point| self.allows(point))
    }

    /// Climbs to the maximum with Newton's method.
    fn climb(&self, start: Point) -> Option<Point> {
        let (mut point, mut height) = (start, self.height(start));
        for _ in 0..MOST_STEPS {
            let step = self.slope(point).step()?;
            // A full step can overshoot or leave the range; a shorter one in the same direction
            // does not.
            let mut share = 1.0;
            let next = (0..MOST_HALVINGS).find_map(|_| {
                let next = Point {
                    theta: point.theta + share * step.theta,
                    alpha: point.alpha + share * step.alpha,
                };
                share /= 2.0;
                let is_higher = self.allows(next) && self.height(next) >= height;
                is_higher.then_some(next)
            });
            let is_small =
                step.theta.abs() <= 1e-9 * (1.0 + point.theta.abs()) && step.alpha.abs() <= 1e-11;
            match next {
                _ if is_small => return Some(point),
                Some(next) => (point, height) = (next, self.height(next)),
                None => return None,
            }
        }
        None
    }

    fn height(&self, Point { theta, alpha }: Point) -> f64 {
        let classes: f64 = (1..self.n_classes).map(|i| (theta + i as f64 * alpha).ln()).sum();
        let records = ln_gamma(theta + self.n) - ln_gamma(theta + 1.0);
        let of_size =
            |&(size, n): &(u64, f64)| n * (ln_gamma(size as f64 - alpha) - ln_gamma(1.0 - alpha));
        classes - records + self.histogram.iter().map(of_size).sum::<f64>()
    }

    fn slope(&self, Point { theta, alpha }: Point) -> Slope {
        let mut slope = Slope::default();
        for i in (1..self.n_classes).map(|i| i as f64) {
            // Derivatives of the sum of ln(θ + iα) over classes.
            let part = 1.0 / (theta + i * alpha);
            slope.theta += part;
            slope.alpha += i * part;
            slope.theta_theta -= part * part;
            slope.theta_alpha -= i * part * part;
            slope.alpha_alpha -= i * i * part * part;
        }
        // Sums of 1/(θ+i) and 1/(i-α) are differences of digammas, those of squares of trigammas.
        slope.theta -= digamma(theta + self.n) - digamma(theta + 1.0);
        slope.theta_theta += trigamma(theta + 1.0) - trigamma(theta + self.n);
        for &(size, n) in &self.histogram {
            let size = size as f64;
            slope.alpha -= n * (digamma(size - alpha) - digamma(1.0 - alpha));
            slope.alpha_alpha += n * (trigamma(size - alpha) - trigamma(1.0 - alpha));
        }
        slope
    }
}

impl Slope {
    /// The step of Newton's method, or one uphill where the likelihood is not concave.
    fn step(&self) -> Option<Point> {
        // Newton: the inverse of the Hessian times the gradient, negated.
        let determinant = self.theta_theta * self.alpha_alpha - self.theta_alpha * self.theta_alpha;
        let is_concave = self.theta_theta < 0.0 && determinant > 0.0;
        let step = if is_concave {
            Point {
                theta: (self.theta_alpha * self.alpha - self.alpha_alpha * self.theta)
                    / determinant,
                alpha: (self.theta_alpha * self.theta - self.theta_theta * self.alpha)
                    / determinant,
            }
        } else {
            // If the Hessian is not negative definite, each coordinate moves up its own slope.
            let theta = self.theta / self.theta_theta.abs().max(f64::MIN_POSITIVE);
            Point { theta, alpha: self.alpha / self.alpha_alpha.abs().max(f64::MIN_POSITIVE) }
        };
        (step.theta.is_finite() && step.alpha.is_finite()).then_some(step)
    }
}
