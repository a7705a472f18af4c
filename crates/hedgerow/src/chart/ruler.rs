//! An axis of a chart: from values to places, linear or logarithmic, with marks at round numbers.

use super::axis::{every, span, spelt};

/// Settings of an axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// Whether it is logarithmic. Values that are not positive are at its lower end.
    pub is_log: bool,
    /// Whether values are shares, shown as percentages.
    pub is_share: bool,
    /// The values at which it has marks; empty for round numbers.
    pub marks: Vec<f64>,
}

/// An axis with its range.
#[derive(Debug)]
pub(super) struct Ruler {
    low: f64,
    high: f64,
    is_log: bool,
    pub(super) marks: Vec<(f64, String)>,
}

/// Maximum number of marks that fit.
const MOST_MARKS: usize = 8;

impl Ruler {
    /// The range of an axis for some values. A linear axis starts at 0 unless its marks are
    /// given or the values are in a narrow band.
    pub(super) fn new(axis: &Axis, values: &[f64]) -> Self {
        let positive = values.iter().copied().filter(|&value| value > 0.0 && value.is_finite());
        let least = positive.clone().fold(f64::INFINITY, f64::min);
        let most = positive.fold(0.0, f64::max);
        // Without a positive value, any range gives an axis that can be drawn.
        let (least, most) = if most > 0.0 { (least, most) } else { (0.1, 1.0) };
        let own = || thinned(&axis.marks).into_iter().map(|mark| (mark, text(mark, axis, 1.0)));
        if axis.is_log {
            // A small margin, so that marks are not cut off by the frame.
            let room = (most / least).powf(0.06).max(1.15);
            let (low, high) = (least / room, most * room);
            let marks = if axis.marks.is_empty() {
                let found = decades(low, high);
                found.into_iter().map(|mark| (mark, text(mark, axis, mark))).collect()
            } else {
                own().collect()
            };
            return Self { low, high, is_log: true, marks };
        }
        if !axis.marks.is_empty() {
            // A single value needs some width around it.
            let (low, high) = if least < most { (least, most) } else { (least - 1.0, most + 1.0) };
            let room = 0.05 * (high - low);
            return Self {
                low: low - room,
                high: high + room,
                is_log: false,
                marks: own().collect(),
            };
        }
        // Values that are not positive are not in `least`.
        let has_zero = values.iter().any(|&value| value <= 0.0);
        let (step, low, high) = span(if has_zero { 0.0 } else { least }, most);
        let marks = every(step, low, high).map(|mark| (mark, text(mark, axis, step)));
        Self { low, high, is_log: false, marks: marks.collect() }
    }

    /// The place of a value as a share of the axis.
    pub(super) fn share(&self, value: f64) -> f64 {
        let share = if self.is_log {
            // Values that are not positive have no logarithm and are placed at the lower end.
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }
}

/// Some of the marks, if they are too many: every second, every third and so on.
fn thinned(marks: &[f64]) -> Vec<f64> {
    marks.iter().copied().step_by(marks.len().div_ceil(MOST_MARKS).max(1)).collect()
}

/// The marks of a logarithmic axis: the coarsest of these series that has at least three in the
/// range.
fn decades(low: f64, high: f64) -> Vec<f64> {
    const SERIES: [&[f64]; 4] = [
        &[1.0],
        &[1.0, 3.0],
        &[1.0, 2.0, 5.0],
        &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
    ];
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let of = |series: &[f64]| -> Vec<f64> {
        let all =
            powers.clone().flat_map(|power| series.iter().map(move |n| n * 10f64.powi(power)));
        all.filter(|mark| (low..=high).contains(mark)).collect()
    };
    let found = SERIES.iter().map(|series| of(series)).find(|marks| marks.len() >= 3);
    thinned(&found.unwrap_or_else(|| of(SERIES[3])))
}

fn text(mark: f64, axis: &Axis, step: f64) -> String {
    if axis.is_share {
        format!("{}%", spelt(100.0 * mark, 100.0 * step))
    } else {
        spelt(mark, step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(axis: &Axis, values: &[f64]) -> Vec<String> {
        let ruler = Ruler::new(axis, values);
        ruler.marks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn logarithmic_marks_are_round_and_few() {
        let axis = Axis { is_log: true, is_share: true, ..Axis::default() };
        assert_eq!(shown(&axis, &[0.004, 0.6]), ["0.3%", "1%", "3%", "10%", "30%"]);
        assert_eq!(shown(&axis, &[0.0009, 0.9]), ["0.1%", "1%", "10%", "100%"]);
        assert_eq!(shown(&axis, &[0.02, 0.03]), ["2%", "3%"]);
        assert!(!shown(&axis, &[]).is_empty());
    }

    #[test]
    fn marks_that_are_given_are_thinned() {
        let axis = Axis { marks: (2..=20).map(f64::from).collect(), ..Axis::default() };
        assert_eq!(shown(&axis, &[2.0, 20.0]), ["2", "5", "8", "11", "14", "17", "20"]);
        let axis = Axis::default();
        assert_eq!(shown(&axis, &[0.3, 0.9]), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    #[test]
    fn values_are_placed_in_their_range() {
        let axis = Axis { is_log: true, ..Axis::default() };
        let ruler = Ruler::new(&axis, &[1.0, 100.0]);
        assert!((ruler.share(10.0) - 0.5).abs() < 1e-9);
        assert!(ruler.share(0.0).abs() < 1e-9 && ruler.share(1.0) > 0.0);
    }
}
