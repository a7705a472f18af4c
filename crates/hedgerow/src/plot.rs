//! Plots of points and lines, as SVG.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 56.0;

/// Colours that people who do not see red or green can tell apart (Okabe and Ito).
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];

/// Points of one kind, and a line through some of them.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// Points, each with what a reader sees who rests on it.
    pub points: Vec<(f64, f64, String)>,
    /// A line in steps: from each corner on, until the next.
    pub line: Vec<(f64, f64)>,
}

/// A plot: numbers on a logarithmic x axis, and a y axis from 0.
#[derive(Debug, Clone, Default)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// What x is; positive.
    pub x: String,
    /// What y is.
    pub y: String,
    /// The points.
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
        let axes = Axes::of(&self.series);
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

/// What the axes span: powers of ten in x, 0 to `y_top` in y.
struct Axes {
    x_decades: f64,
    y_top: f64,
}

impl Axes {
    fn of(series: &[Series]) -> Self {
        let points = || series.iter().flat_map(|series| &series.points);
        let x_most = points().map(|point| point.0).fold(10.0, f64::max);
        let y_most = points().map(|point| point.1).fold(0.0, f64::max);
        let y_top = if y_most > 0.0 { y_most } else { 1.0 };
        Self { x_decades: x_most.log10().ceil(), y_top }
    }

    fn x(&self, value: f64) -> f64 {
        let share = value.max(1.0).log10() / self.x_decades;
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - value / self.y_top * (HEIGHT - TOP - BOTTOM)
    }

    fn draw(&self, out: &mut String, x_name: &str, y_name: &str) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for decade in 0..=self.x_decades as i32 {
            let value = 10f64.powi(decade);
            let x = self.x(value);
            let _ = writeln!(
                out,
                "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
                bottom + 18.0
            );
        }
        for step in 0..=5 {
            let value = self.y_top * f64::from(step) / 5.0;
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
            let _ = match place {
                0 => write!(path, "M{x:.1} {y:.1}"),
                _ => write!(path, "V{y:.1}H{x:.1}"),
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

/// Text that may stand in SVG.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
