//! Marks of axes at round numbers.

/// The width of a band of points, as a share of the greatest value, below which an axis does not start
/// at 0.
const NARROW: f64 = 0.5;

/// Returns the distance of marks on an axis up to `most`, and the first mark that is not below
/// `most`. There are at most six marks, at round numbers.
pub(crate) fn marks(most: f64) -> (f64, f64) {
    let most = if most > 0.0 { most } else { 1.0 };
    // The greatest power of ten that is at most a fifth of the axis.
    let unit = 10f64.powf((most / 5.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|n| n * unit);
    let is_enough = |step: &&f64| (most / **step - 1e-9).ceil() <= 5.0;
    let step = *steps.iter().find(is_enough).unwrap_or(&steps[4]);
    (step, step * (most / step - 1e-9).ceil())
}

/// Returns the distance of marks on an axis of points from `least` to `most`, which are not negative,
/// and the marks at its ends. It starts at 0 unless the points are in a narrow band far from it.
pub(crate) fn span(least: f64, most: f64) -> (f64, f64, f64) {
    let width = most - least;
    if width >= NARROW * most || least <= 0.0 {
        let (step, top) = marks(most);
        return (step, 0.0, top);
    }
    // Equal values have no width; a tenth of the value keeps marks around them readable.
    let (step, _) = marks(if width > 0.0 { width } else { 0.1 * most });
    let bottom = step * (least / step + 1e-9).floor();
    let top = step * (most / step - 1e-9).ceil();
    if top > bottom { (step, bottom, top) } else { (step, bottom - step, top + step) }
}

/// Iterates over the multiples of `step` from `bottom` to `top`.
pub(crate) fn every(step: f64, bottom: f64, top: f64) -> impl Iterator<Item = f64> {
    let [first, last] = [bottom, top].map(|end| (end / step).round() as i64);
    (first..=last).map(move |n| n as f64 * step)
}

/// Formats a mark with the decimals that its step needs.
pub(crate) fn spelt(mark: f64, step: f64) -> String {
    let n_decimals = (0..6).find(|&n| {
        let scaled = step * 10f64.powi(n);
        (scaled - scaled.round()).abs() < 1e-6 * scaled
    });
    let text = format!("{mark:.*}", n_decimals.unwrap_or(6) as usize);
    if text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) {
        "0".into()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_reach_the_greatest_value() {
        let close = |most, (step, top): (f64, f64)| {
            let found = marks(most);
            (found.0 - step).abs() < 1e-9 && (found.1 - top).abs() < 1e-9
        };
        assert!(close(1.0, (0.2, 1.0)) && close(4.91, (1.0, 5.0)) && close(30.0, (10.0, 30.0)));
        assert!(close(0.0, (0.2, 1.0)) && close(0.037, (0.01, 0.04)));
    }

    #[test]
    fn an_axis_starts_at_zero_unless_its_points_are_in_a_narrow_band() {
        let close = |(least, most), expected: [f64; 3]| {
            let (step, bottom, top) = span(least, most);
            [step, bottom, top].iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9)
        };
        assert!(close((0.3, 0.9), [0.2, 0.0, 1.0]));
        assert!(close((0.812, 0.887), [0.02, 0.8, 0.9]));
        assert!(close((0.0, 0.0), [0.2, 0.0, 1.0]));
        let (step, bottom, top) = span(5.0, 5.0);
        assert!(bottom < 5.0 && 5.0 < top && step > 0.0, "{bottom} to {top} by {step}");
    }

    #[test]
    fn marks_have_the_decimals_of_their_step() {
        let shown: Vec<String> = every(0.25, 0.0, 0.5).map(|mark| spelt(mark, 0.25)).collect();
        assert_eq!(shown, ["0", "0.25", "0.50"]);
        assert_eq!(spelt(2e6, 1e6), "2000000");
        assert_eq!(spelt(-0.1 + 0.1, 0.1), "0");
    }
}
