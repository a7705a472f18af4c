//! Plots of points and lines as SVG.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 56.0;

/// Colours that are distinguishable with colour blindness (Okabe and Ito).
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];

/// Points of one kind, and a line.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points, each with the text that is shown on hovering.
    pub points: Vec<(f64, f64, String)>,
    /// The points of a line: stepped on a logarithmic axis, straight on a linear one.
    pub line: Vec<(f64, f64)>,
}

/// A plot with a logarithmic or linear x axis. The y axis starts at 0, or below if there are
/// negative values.
#[derive(Debug, Clone, Default)]
pub struct Plot {
    /// Title of the plot.
    pub title: String,
    /// Label of the x axis, whose values are positive.
    pub x: String,
    /// Whether the x axis is linear and starts at 0.
    pub is_linear: bool,
    /// Label of the y axis.
    pub y: String,
    /// The points and lines.
    pub series: Vec<Series>,
}

impl Plot {
    /// Draws the plot.
    ///
    /// ```
    /// use hedgerow::plot::{Plot, Series};
    /// let series = Series { points: vec![(10.0, 0.5, "here".into())], ..Series::default() };
    /// let svg = Plot { series: vec![series], ..Plot::default() }.svg();
    /// assert!(svg.starts_with("<svg") && svg.contains("<title>here</title>"));
    /// ```
    pub fn svg(&self) -> String {
        let axes = Axes::of(&self.series, self.is_linear);
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}</text>",
            escape(&self.title)
        );
        axes.draw(&mut out, &escape(&self.x), &escape(&self.y));
        for (place, series) in self.series.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            axes.draw_series(&mut out, series, colour);
            let (x, y) = (WIDTH - RIGHT + 24.0, TOP + 18.0 * place as f64 + 8.0);
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text>",
                x + 10.0,
                y + 4.0,
                escape(&series.name)
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

/// The ranges of the axes.
struct Axes {
    x: XAxis,
    /// Distance between two marks on the y axis.
    y_step: f64,
    /// Lower end of the y axis.
    y_bottom: f64,
    /// Upper end of the y axis.
    y_top: f64,
}

enum XAxis {
    /// This number of powers of ten, from 1.
    Decades(f64),
    /// From 0 to `top`, with a mark every `step`.
    Linear { step: f64, top: f64 },
}

impl Axes {
    fn of(series: &[Series], is_linear: bool) -> Self {
        let points = || series.iter().flat_map(|series| &series.points);
        let x_most = points().map(|point| point.0).fold(10.0, f64::max);
        let y_most = points().map(|point| point.1).fold(0.0, f64::max);
        let y_least = points().map(|point| point.1).fold(0.0, f64::min);
        let y_step = marks(y_most - y_least).0;
        // The tolerance prevents an additional mark caused by rounding errors.
        let y_bottom = (y_least / y_step + 1e-9).floor() * y_step;
        let y_top = ((y_most / y_step - 1e-9).ceil() * y_step).max(y_step);
        let x = if is_linear {
            let (step, top) = marks(points().map(|point| point.0).fold(0.0, f64::max));
            XAxis::Linear { step, top }
        } else {
            XAxis::Decades(x_most.log10().ceil())
        };
        Self { x, y_step, y_bottom, y_top }
    }

    fn x(&self, value: f64) -> f64 {
        let share = match self.x {
            XAxis::Decades(decades) => value.max(1.0).log10() / decades,
            XAxis::Linear { top, .. } => value / top,
        };
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.y_bottom) / (self.y_top - self.y_bottom);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn draw(&self, out: &mut String, x_name: &str, y_name: &str) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let x_marks: Vec<f64> = match self.x {
            XAxis::Decades(decades) => (0..=decades as i32).map(|n| 10f64.powi(n)).collect(),
            XAxis::Linear { step, top } => every(step, 0.0, top).collect(),
        };
        for value in x_marks {
            let x = self.x(value);
            let _ = writeln!(
                out,
                "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
                bottom + 18.0
            );
        }
        for value in every(self.y_step, self.y_bottom, self.y_top) {
            let y = self.y(value);
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value:.2}</text>",
                LEFT - 8.0,
                y + 4.0
            );
        }
        let (middle_x, middle_y) = (f64::midpoint(LEFT, right), f64::midpoint(TOP, bottom));
        let _ = writeln!(
            out,
            "<text x=\"{middle_x}\" y=\"{}\" text-anchor=\"middle\">{x_name}</text>\
             <text transform=\"translate(18 {middle_y}) rotate(-90)\" text-anchor=\"middle\">{y_name}</text>",
            HEIGHT - 14.0
        );
    }

    fn draw_series(&self, out: &mut String, series: &Series, colour: &str) {
        let mut path = String::new();
        for (place, &(x, y)) in series.line.iter().enumerate() {
            let (x, y) = (self.x(x), self.y(y));
            let _ = match (place, &self.x) {
                (0, _) => write!(path, "M{x:.1} {y:.1}"),
                (_, XAxis::Decades(_)) => write!(path, "V{y:.1}H{x:.1}"),
                (_, XAxis::Linear { .. }) => write!(path, "L{x:.1} {y:.1}"),
            };
        }
        if !path.is_empty() {
            let _ = writeln!(
                out,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
            );
        }
        for (x, y, text) in &series.points {
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\" \
                 fill-opacity=\"0.45\"><title>{}</title></circle>",
                self.x(*x),
                self.y(*y),
                escape(text)
            );
        }
    }
}

/// Returns the distance of marks on an axis up to `most`, and the first mark that is not below
/// `most`. There are at most six marks, at round numbers.
fn marks(most: f64) -> (f64, f64) {
    let most = if most > 0.0 { most } else { 1.0 };
    // The greatest power of ten that is at most a fifth of the axis.
    let unit = 10f64.powf((most / 5.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|n| n * unit);
    let is_enough = |step: &&f64| (most / **step - 1e-9).ceil() <= 5.0;
    let step = *steps.iter().find(is_enough).unwrap_or(&steps[4]);
    (step, step * (most / step - 1e-9).ceil())
}

fn every(step: f64, bottom: f64, top: f64) -> impl Iterator<Item = f64> {
    let [first, last] = [bottom, top].map(|end| (end / step).round() as i32);
    (first..=last).map(move |n| f64::from(n) * step)
}

/// Escapes text for SVG.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
}
