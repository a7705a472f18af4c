//! Points of several kinds, distinguished by shape and colour, with lines or a Pareto front.

use std::fmt::Write;

use super::ruler::{Axis, Ruler};
use super::svg::{Svg, short, shortened};

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 22.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 52.0;
/// Height of a line of the legend.
const LINE: f64 = 18.0;

/// Number of shapes.
pub const N_SHAPES: usize = 6;

/// Number of colours.
pub const N_COLOURS: usize = 7;

/// Points of one kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Kind {
    /// Name in the legend.
    pub name: String,
    /// Shape of the points: a number below [`N_SHAPES`].
    pub shape: usize,
    /// Colour of the points: a number below [`N_COLOURS`].
    pub colour: usize,
    /// The points.
    pub points: Vec<Point>,
    /// Whether a line joins them, in their order.
    pub is_joined: bool,
}

/// A point.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Point {
    /// Its value on the x axis.
    pub x: f64,
    /// Its value on the y axis.
    pub y: f64,
    /// Text that is shown on hovering.
    pub title: String,
    /// A short text next to it, such as a number.
    pub label: String,
    /// Whether its shape is filled.
    pub is_filled: bool,
    /// Whether it has a ring around it.
    pub is_chosen: bool,
}

/// A chart of points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scatter {
    /// Title of the chart.
    pub title: String,
    /// The x axis.
    pub x: Axis,
    /// The y axis.
    pub y: Axis,
    /// The kinds of points.
    pub kinds: Vec<Kind>,
    /// The points of a Pareto front by ascending x, drawn as a staircase: between two points
    /// nothing better is known.
    pub front: Vec<(f64, f64)>,
    /// A remark in the lower left corner, such as which direction is better.
    pub remark: String,
}

impl Scatter {
    /// Draws the chart; [`Svg::standalone`] makes a file of it.
    ///
    /// ```
    /// use hedgerow::chart::{Kind, Point, Scatter};
    /// let point = Point { x: 0.1, y: 0.2, title: "hedge".into(), ..Point::default() };
    /// let kind = Kind { name: "hedge".into(), points: vec![point], ..Kind::default() };
    /// let svg = Scatter { kinds: vec![kind], ..Scatter::default() }.svg().standalone();
    /// assert!(svg.contains("<title>hedge</title>"));
    /// ```
    pub fn svg(&self) -> Svg {
        let n_lines = self.kinds.len().div_ceil(2);
        let height = HEIGHT + LINE * n_lines as f64;
        let mut svg = Svg::new(WIDTH, height, &self.title);
        svg.text("head", [14.0, 22.0], &self.title);
        let points = || self.kinds.iter().flat_map(|kind| &kind.points);
        let (xs, ys): (Vec<f64>, Vec<f64>) = points().map(|point| (point.x, point.y)).unzip();
        let frame = Frame { x: Ruler::new(&self.x, &xs), y: Ruler::new(&self.y, &ys) };
        frame.draw(&mut svg, &self.x.name, &self.y.name);
        // The front is drawn before the points, so that it does not hide them.
        frame.staircase(&mut svg, &self.front);
        for kind in &self.kinds {
            frame.kind(&mut svg, kind);
        }
        if !self.remark.is_empty() {
            svg.text("ink small", [LEFT + 6.0, HEIGHT - BOTTOM - 7.0], &self.remark);
        }
        for (place, kind) in self.kinds.iter().enumerate() {
            let (column, line) = (place % 2, place / 2);
            let at = [LEFT + 208.0 * column as f64, HEIGHT + LINE * line as f64];
            svg.mark(&format!("c{}", kind.colour % N_COLOURS), &shape(kind.shape, at), "");
            svg.text("ink", [at[0] + 12.0, at[1] + 4.0], &shortened(&kind.name, 31));
        }
        svg
    }
}

/// The two axes.
struct Frame {
    x: Ruler,
    y: Ruler,
}

impl Frame {
    fn place(&self, x: f64, y: f64) -> [f64; 2] {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        [LEFT + self.x.share(x) * (right - LEFT), bottom - self.y.share(y) * (bottom - TOP)]
    }

    fn draw(&self, svg: &mut Svg, x_name: &str, y_name: &str) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for (mark, text) in &self.x.marks {
            let [x, _] = self.place(*mark, 0.0);
            svg.path("grid", &format!("M{} {TOP}V{bottom}", short(x)));
            svg.text("mid", [x, bottom + 17.0], text);
        }
        for (mark, text) in &self.y.marks {
            let [_, y] = self.place(0.0, *mark);
            svg.path("grid", &format!("M{LEFT} {}H{right}", short(y)));
            svg.text("end", [LEFT - 8.0, y + 4.0], text);
        }
        svg.text("mid", [f64::midpoint(LEFT, right), bottom + 36.0], x_name);
        svg.upright_text("mid", [14.0, f64::midpoint(TOP, bottom)], y_name);
    }

    /// Draws a front from the upper to the right edge of the chart.
    fn staircase(&self, svg: &mut Svg, front: &[(f64, f64)]) {
        let mut path = String::new();
        for &(x, y) in front {
            let [x, y] = self.place(x, y).map(short);
            let _ = if path.is_empty() {
                write!(path, "M{x} {TOP}V{y}")
            } else {
                // Horizontal first: until the next point, the y of the last one is the best that is
                // known.
                write!(path, "H{x}V{y}")
            };
        }
        if !path.is_empty() {
            let _ = write!(path, "H{}", WIDTH - RIGHT);
            svg.path("pareto", &path);
        }
    }

    fn kind(&self, svg: &mut Svg, kind: &Kind) {
        let colour = format!("c{}", kind.colour % N_COLOURS);
        if kind.is_joined {
            let mut path = String::new();
            for point in &kind.points {
                let [x, y] = self.place(point.x, point.y).map(short);
                let _ = write!(path, "{}{x} {y}", if path.is_empty() { "M" } else { "L" });
            }
            // The line first, so that points are drawn over it.
            svg.path(&format!("{colour} front"), &path);
        }
        for point in &kind.points {
            let [x, y] = self.place(point.x, point.y);
            let fill = if point.is_filled { "" } else { " hollow" };
            svg.mark(&format!("{colour}{fill}"), &shape(kind.shape, [x, y]), &point.title);
            if point.is_chosen {
                svg.circle("ring", [x, y, 9.0], "");
            }
            if !point.label.is_empty() {
                // Below the ring, if there is one.
                let below = if point.is_chosen { 20.0 } else { 15.0 };
                svg.text("small mid", [x, y + below], &point.label);
            }
        }
    }
}

/// The path of a shape around a point: circle, square, triangle, diamond, triangle downwards,
/// cross.
fn shape(number: usize, at: [f64; 2]) -> String {
    let [x, y] = at;
    let points: &[[f64; 2]] = match number % N_SHAPES {
        0 => {
            let [left, y] = [x - 4.2, y].map(short);
            // Two half circles, because an SVG arc cannot end where it starts.
            return format!("M{left} {y}a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0Z");
        }
        1 => &[[-3.8, -3.8], [3.8, -3.8], [3.8, 3.8], [-3.8, 3.8]],
        2 => &[[0.0, -5.0], [4.8, 3.6], [-4.8, 3.6]],
        3 => &[[0.0, -5.4], [5.4, 0.0], [0.0, 5.4], [-5.4, 0.0]],
        4 => &[[0.0, 5.0], [4.8, -3.6], [-4.8, -3.6]],
        _ => {
            const CROSS: [[f64; 2]; 12] = [
                [-1.6, -4.8],
                [1.6, -4.8],
                [1.6, -1.6],
                [4.8, -1.6],
                [4.8, 1.6],
                [1.6, 1.6],
                [1.6, 4.8],
                [-1.6, 4.8],
                [-1.6, 1.6],
                [-4.8, 1.6],
                [-4.8, -1.6],
                [-1.6, -1.6],
            ];
            &CROSS
        }
    };
    let corner = |corner: &[f64; 2]| format!("{} {}", short(x + corner[0]), short(y + corner[1]));
    format!("M{}Z", points.iter().map(corner).collect::<Vec<_>>().join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, y: f64) -> Point {
        Point { x, y, title: "<a>".into(), label: "5".into(), is_filled: true, is_chosen: true }
    }

    #[test]
    fn kinds_have_shapes_and_the_front_is_a_staircase() {
        let kinds = (0..=N_SHAPES).map(|n| Kind {
            name: format!("kind {n}"),
            shape: n,
            colour: n,
            points: vec![point(0.1, 0.5), point(0.2, 0.1)],
            is_joined: true,
        });
        let front = vec![(0.1, 0.5), (0.2, 0.1)];
        let chart = Scatter { kinds: kinds.collect(), front, ..Scatter::default() };
        let drawn = chart.svg().finish();
        assert!(drawn.contains("class=\"pareto\" d=\"M") && drawn.contains("&lt;a&gt;"), "{drawn}");
        assert!(!drawn.contains("style=") && !drawn.contains("NaN"), "{drawn}");
        let paths: std::collections::BTreeSet<String> =
            (0..N_SHAPES).map(|n| shape(n, [0.0, 0.0])).collect();
        assert_eq!(paths.len(), N_SHAPES);
    }

    #[test]
    fn a_chart_without_points_is_empty_but_whole() {
        let drawn = Scatter::default().svg().standalone();
        assert!(drawn.contains("</svg>") && !drawn.contains("NaN"), "{drawn}");
    }
}
