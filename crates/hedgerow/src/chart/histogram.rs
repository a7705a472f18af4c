//! Histograms: bars of a release with the original as a line.

use std::fmt::Write;

use super::svg::{Svg, short};

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 92.0;
const BOTTOM: f64 = 18.0;
const MARGIN: f64 = 14.0;
/// Average width of a character.
const CHARACTER: f64 = 6.4;

/// A part of an axis with the shares of records in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// Lower end.
    pub from: f64,
    /// Upper end.
    pub to: f64,
    /// Share of the original.
    pub before: f64,
    /// Share of the release.
    pub after: f64,
}

/// Bars of a release on the axis of its values, with the original as a line.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    /// Text for screen readers.
    pub label: String,
    /// The bins, ascending.
    pub bins: Vec<Bin>,
    /// Marks of the axis.
    pub ticks: Vec<(f64, String)>,
}

impl Histogram {
    /// Draws the histogram.
    ///
    /// ```
    /// use hedgerow::chart::{Bin, Histogram};
    /// let bins = vec![Bin { from: 0.0, to: 10.0, before: 0.25, after: 0.5 }];
    /// let svg = Histogram { bins, ticks: vec![(5.0, "5".into())], ..Histogram::default() }.svg();
    /// assert!(svg.contains("class=\"after\"") && svg.contains("class=\"before\""));
    /// ```
    pub fn svg(&self) -> String {
        let mut svg = Svg::new(WIDTH, HEIGHT, &self.label);
        let least = self.bins.first().map_or(0.0, |bin| bin.from);
        let greatest = self.bins.last().map_or(1.0, |bin| bin.to);
        // Heights are shares per width, so that bins of different width can be compared.
        let density = |share: f64, bin: &Bin| share / (bin.to - bin.from).max(f64::MIN_POSITIVE);
        let tallest = |bin: &Bin| density(bin.before.max(bin.after), bin);
        let most = self.bins.iter().map(tallest).fold(f64::MIN_POSITIVE, f64::max);
        let width = (greatest - least).max(f64::MIN_POSITIVE);
        let x = |value: f64| MARGIN + (value - least) / width * (WIDTH - 2.0 * MARGIN);
        let base = HEIGHT - BOTTOM;
        let y = |share: f64, bin: &Bin| base - density(share, bin) / most * (base - 4.0);
        let (mut bars, mut line) = (String::new(), String::new());
        for bin in &self.bins {
            let (from, to) = (x(bin.from), x(bin.to));
            if bin.after > 0.0 {
                let [left, top, wide] =
                    // A gap of half a pixel separates bars; narrow bars keep at least that width.
                    [from, y(bin.after, bin), (to - from - 0.5).max(0.5)].map(short);
                let _ = write!(bars, "M{left} {}V{top}h{wide}V{}z", short(base), short(base));
            }
            let command = if line.is_empty() { "M" } else { "L" };
            let (from, to, top) = (short(from), short(to), short(y(bin.before, bin)));
            let _ = write!(line, "{command}{from} {top}H{to}");
        }
        svg.path("after", &bars);
        svg.path("axis", &format!("M{MARGIN} {base}H{}", WIDTH - MARGIN));
        svg.path("before", &line);
        let mut free_from = 0.0;
        for (value, text) in &self.ticks {
            // Labels stay inside the drawing, and one that would touch the label before it is left
            // out.
            let half = text.chars().count() as f64 * CHARACTER / 2.0;
            let middle = x(*value).clamp(half, WIDTH - half);
            if middle - half >= free_from {
                svg.text("mid", [middle, HEIGHT - 5.0], text);
                free_from = middle + half + CHARACTER;
            }
        }
        svg.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_an_axis_stay_inside_and_apart() {
        let bins = vec![Bin { from: 0.0, to: 10.0, before: 1.0, after: 1.0 }];
        let ticks = [0.0, 1.0, 5.0, 10.0].map(|at| (at, format!("2024-01-{at:02}"))).to_vec();
        let svg = Histogram { bins, ticks, ..Histogram::default() }.svg();
        assert!(svg.contains("x=\"32\" y=\"87\">2024-01-00<"), "{svg}");
        assert!(svg.contains("x=\"308\" y=\"87\">2024-01-10<"), "{svg}");
        assert!(!svg.contains("2024-01-01"), "{svg}");
    }

    #[test]
    fn a_bin_of_twice_the_width_is_half_as_high() {
        let bins = vec![
            Bin { from: 0.0, to: 1.0, before: 0.5, after: 0.5 },
            Bin { from: 1.0, to: 3.0, before: 0.5, after: 0.5 },
        ];
        let svg = Histogram { bins, ..Histogram::default() }.svg();
        // The base line is at 74, the highest bar at 4: half of it is at 39.
        assert!(svg.contains("V4h") && svg.contains("V39h"), "{svg}");
    }
}
