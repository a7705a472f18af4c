//! The gamma function and its logarithmic derivatives, which the standard library lacks.

/// Below this, arguments are raised by recurrence before a series is used. The series then have
/// errors below 1e-15.
const LEAST: f64 = 15.0;

/// The logarithm of the gamma function of a positive number.
pub(super) fn ln_gamma(x: f64) -> f64 {
    let (x, product) = raised(x, 1.0, |product, x| product * x);
    let square = 1.0 / (x * x);
    // Stirling's series
    let far = 1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0);
    let series = (1.0 / 12.0 - square * (1.0 / 360.0 - square * far)) / x;
    let half_log_two_pi = 0.5 * std::f64::consts::TAU.ln();
    (x - 0.5) * x.ln() - x + half_log_two_pi + series - product.ln()
}

/// The first derivative of [`ln_gamma`].
pub(super) fn digamma(x: f64) -> f64 {
    let (x, sum) = raised(x, 0.0, |sum, x| sum + 1.0 / x);
    let square = 1.0 / (x * x);
    // Asymptotic series with Bernoulli numbers: ln x - 1/(2x) - 1/(12x^2) + 1/(120x^4) - ...
    let far = 1.0 / 252.0 - square * (1.0 / 240.0 - square / 132.0);
    let series = square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * far));
    x.ln() - 0.5 / x - series - sum
}

/// The second derivative of [`ln_gamma`].
pub(super) fn trigamma(x: f64) -> f64 {
    let (x, sum) = raised(x, 0.0, |sum, x| sum + 1.0 / (x * x));
    let square = 1.0 / (x * x);
    // The derivative of that series, term by term: 1/x + 1/(2x^2) + 1/(6x^3) - 1/(30x^5) + ...
    let far = 1.0 / 42.0 - square * (1.0 / 30.0 - square * 5.0 / 66.0);
    let series = 1.0 / 6.0 - square * (1.0 / 30.0 - square * far);
    1.0 / x + square / 2.0 + square / x * series + sum
}

/// Raises an argument by 1 until the series apply, and folds the arguments that it passes.
fn raised(mut x: f64, start: f64, fold: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let mut folded = start;
    while x < LEAST {
        folded = fold(folded, x);
        x += 1.0;
    }
    (x, folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let half = std::f64::consts::PI.sqrt().ln();
        assert!((ln_gamma(0.5) - half).abs() < 1e-13);
        assert!((ln_gamma(101.0) - 363.739_375_555_563_5).abs() < 1e-10);
        assert!((digamma(1.0) + 0.577_215_664_901_532_9).abs() < 1e-14);
        assert!((trigamma(1.0) - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-14);
    }

    #[test]
    fn derivatives_are_those_of_the_logarithm() {
        for x in [0.01, 0.7, 3.2, 14.9, 15.1, 900.5] {
            let h = 1e-5 * x;
            let slope = (ln_gamma(x + h) - ln_gamma(x - h)) / (2.0 * h);
            assert!((slope - digamma(x)).abs() < 1e-6 * (1.0 + slope.abs()), "{x}");
            let slope = (digamma(x + h) - digamma(x - h)) / (2.0 * h);
            assert!((slope - trigamma(x)).abs() < 1e-6 * (1.0 + slope.abs()), "{x}");
        }
    }
}
