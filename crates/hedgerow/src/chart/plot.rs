//! Plots of points and lines.

use std::fmt::Write;

use super::axis::{every, marks, span, spelt};
use super::svg::{Svg, short, shortened};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 56.0;

/// Number of classes `c0`, `c1` and so on.
const N_COLOURS: usize = 7;

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
/// negative values. Linear axes of points in a narrow band start near them.
#[derive(Debug, Clone, Default)]
pub struct Plot {
    /// Title of the plot.
    pub title: String,
    /// Label of the x axis, whose values are positive.
    pub x: String,
    /// Whether the x axis is linear.
    pub is_linear: bool,
    /// Label of the y axis.
    pub y: String,
    /// The points and lines.
    pub series: Vec<Series>,
    /// Texts next to points.
    pub labels: Vec<(f64, f64, String)>,
    /// A point with a ring around it.
    pub ringed: Option<[f64; 2]>,
}

impl Plot {
    /// Draws the plot; [`Svg::standalone`] makes a file of it.
    ///
    /// ```
    /// use hedgerow::chart::{Plot, Series};
    /// let series = Series { points: vec![(10.0, 0.5, "here".into())], ..Series::default() };
    /// let svg = Plot { series: vec![series], ..Plot::default() }.svg().standalone();
    /// assert!(svg.starts_with("<svg") && svg.contains("<title>here</title>"));
    /// ```
    pub fn svg(&self) -> Svg {
        self.svg_with(&[])
    }

    /// Draws the plot with vertical bars: for each series, their places and ends.
    ///
    /// ```
    /// use hedgerow::chart::{Plot, Series};
    /// let series = Series { points: vec![(1.0, 0.5, String::new())], ..Series::default() };
    /// let plot = Plot { is_linear: true, series: vec![series], ..Plot::default() };
    /// let bars = [vec![(1.0, 0.25, 0.75)]];
    /// assert_eq!(plot.svg_with(&bars).finish().matches("c0 front").count(), 1);
    /// ```
    pub fn svg_with(&self, bars: &[Vec<(f64, f64, f64)>]) -> Svg {
        let ends = bars.iter().flatten().flat_map(|&(x, low, high)| [(x, low), (x, high)]);
        let axes = Axes::of(&self.series, &ends.collect::<Vec<_>>(), self.is_linear);
        let mut svg = Svg::new(WIDTH, HEIGHT, &self.title);
        svg.text("head", [LEFT, 24.0], &self.title);
        axes.draw(&mut svg, &self.x, &self.y);
        for (place, series) in self.series.iter().enumerate() {
            let colour = place % N_COLOURS;
            axes.draw_series(&mut svg, series, colour);
            for &(x, low, high) in bars.get(place).into_iter().flatten() {
                let [x, low, high] = [axes.x(x), axes.y(low), axes.y(high)].map(short);
                svg.path(&format!("c{colour} front"), &format!("M{x} {low}V{high}"));
            }
            let (x, y) = (WIDTH - RIGHT + 24.0, TOP + 18.0 * place as f64 + 8.0);
            svg.circle(&format!("c{colour}"), [x, y, 4.0], "");
            svg.text("ink", [x + 10.0, y + 4.0], &shortened(&series.name, 24));
        }
        for (x, y, text) in &self.labels {
            svg.text("ink", [axes.x(*x) + 6.0, axes.y(*y) - 5.0], text);
        }
        if let Some([x, y]) = self.ringed {
            svg.circle("ring", [axes.x(x), axes.y(y), 8.0], "");
        }
        svg
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
    /// From `bottom` to `top`, with a mark every `step`.
    Linear { step: f64, bottom: f64, top: f64 },
}

impl Axes {
    /// The axes for all points of the series and some more.
    fn of(series: &[Series], more: &[(f64, f64)], is_linear: bool) -> Self {
        let of_series = || series.iter().flat_map(|series| &series.points);
        let points = || of_series().map(|point| (point.0, point.1)).chain(more.iter().copied());
        // At least one decade, so that the logarithm is not 0.
        let x_most = points().map(|point| point.0).fold(10.0, f64::max);
        let y_most = points().map(|point| point.1).fold(0.0, f64::max);
        let y_least = points().map(|point| point.1).fold(0.0, f64::min);
        let ends = |values: Vec<f64>| {
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            span(
                if values.is_empty() { 0.0 } else { least },
                values.into_iter().fold(0.0, f64::max),
            )
        };
        let (y_step, y_bottom, y_top) = if is_linear && y_least >= 0.0 {
            ends(points().map(|point| point.1).collect())
        } else {
            let step = marks(y_most - y_least).0;
            // The tolerance prevents an additional mark caused by rounding errors.
            let bottom = (y_least / step + 1e-9).floor() * step;
            (step, bottom, ((y_most / step - 1e-9).ceil() * step).max(step))
        };
        let x = if is_linear {
            let (step, bottom, top) = ends(points().map(|point| point.0).collect());
            XAxis::Linear { step, bottom, top }
        } else {
            XAxis::Decades(x_most.log10().ceil())
        };
        Self { x, y_step, y_bottom, y_top }
    }

    fn x(&self, value: f64) -> f64 {
        let share = match self.x {
            // The axis begins at 1, so smaller values are drawn at its left end.
            XAxis::Decades(decades) => value.max(1.0).log10() / decades,
            XAxis::Linear { bottom, top, .. } => (value - bottom) / (top - bottom),
        };
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.y_bottom) / (self.y_top - self.y_bottom);
        // In SVG, y grows downwards.
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn draw(&self, svg: &mut Svg, x_name: &str, y_name: &str) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let x_marks: Vec<(f64, String)> = match self.x {
            XAxis::Decades(decades) => {
                let powers = (0..=decades as i32).map(|n| 10f64.powi(n));
                powers.map(|value| (value, value.to_string())).collect()
            }
            XAxis::Linear { step, bottom, top } => {
                every(step, bottom, top).map(|value| (value, spelt(value, step))).collect()
            }
        };
        for (value, text) in x_marks {
            let x = self.x(value);
            svg.path("grid", &format!("M{} {TOP}V{bottom}", short(x)));
            svg.text("mid", [x, bottom + 18.0], &text);
        }
        for value in every(self.y_step, self.y_bottom, self.y_top) {
            let y = self.y(value);
            svg.path("grid", &format!("M{LEFT} {}H{right}", short(y)));
            svg.text("end", [LEFT - 8.0, y + 4.0], &spelt(value, self.y_step));
        }
        svg.text("mid", [f64::midpoint(LEFT, right), HEIGHT - 14.0], x_name);
        svg.upright_text("mid", [18.0, f64::midpoint(TOP, bottom)], y_name);
    }

    fn draw_series(&self, svg: &mut Svg, series: &Series, colour: usize) {
        let mut path = String::new();
        for (place, &(x, y)) in series.line.iter().enumerate() {
            let [x, y] = [self.x(x), self.y(y)].map(short);
            let _ = match (place, &self.x) {
                (0, _) => write!(path, "M{x} {y}"),
                // A front is a staircase: between two points nothing better is known.
                (_, XAxis::Decades(_)) => write!(path, "V{y}H{x}"),
                (_, XAxis::Linear { .. }) => write!(path, "L{x} {y}"),
            };
        }
        if !path.is_empty() {
            svg.path(&format!("c{colour} front"), &path);
        }
        for (x, y, text) in &series.points {
            svg.circle(&format!("c{colour} dot"), [self.x(*x), self.y(*y), 3.0], text);
        }
    }
}
