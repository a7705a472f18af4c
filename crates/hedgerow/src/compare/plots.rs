//! The charts of a comparison: loss against k, risk against loss, and seconds against k.

use super::lists::distinct;
use super::{Comparison, Row};
use crate::chart::{Axis, Kind, N_COLOURS, N_SHAPES, Point, Scatter};
use crate::report::page::html::percent;

/// A chart with the name of its file, without an ending.
pub(super) struct Chart {
    pub(super) name: String,
    /// The models of its cells.
    pub(super) models: String,
    pub(super) drawn: Scatter,
}

/// The names of the charts of a set of models.
const NAMES: [&str; 3] = ["loss", "risk", "seconds"];

/// Whether a file has the name of a chart of any comparison.
pub(super) fn is_chart(file: &str) -> bool {
    let Some(name) = file.strip_suffix(".svg") else { return false };
    // The charts of several sets of models are numbered.
    let (name, number) = name.split_once('-').unwrap_or((name, "1"));
    NAMES.contains(&name) && number.parse::<usize>().is_ok()
}

/// Three charts for each set of models that has figures.
pub(super) fn charts(comparison: &Comparison) -> Vec<Chart> {
    let mut charts = Vec::new();
    for (place, verdict) in comparison.verdicts.iter().enumerate() {
        let is_own = |row: &&Row| row.models == verdict.models && row.figures.is_some();
        let rows: Vec<&Row> = comparison.cells.iter().filter(is_own).collect();
        if rows.is_empty() {
            continue;
        }
        // Files are numbered, because models have characters that file names cannot have.
        let ending =
            if comparison.verdicts.len() == 1 { String::new() } else { format!("-{}", place + 1) };
        let drawing = Drawing { comparison, rows, best: verdict.best };
        for (name, drawn) in
            NAMES.into_iter().zip([drawing.loss(), drawing.risk(), drawing.seconds()])
        {
            let models = verdict.models.clone();
            charts.push(Chart { name: format!("{name}{ending}"), models, drawn });
        }
    }
    charts
}

struct Drawing<'a> {
    comparison: &'a Comparison,
    rows: Vec<&'a Row>,
    best: Option<usize>,
}

impl Drawing<'_> {
    fn loss(&self) -> Scatter {
        let y = |row: &Row| row.figures.as_ref().map_or(0.0, super::Figures::ntil);
        let axis =
            Axis { name: "loss of the release (NTIL)".into(), is_share: true, ..Axis::default() };
        self.against_k("What more privacy costs", axis, y)
    }

    fn seconds(&self) -> Scatter {
        let most = self.rows.iter().map(|row| row.search_seconds()).fold(0.0, f64::max);
        // Below a second, an axis in seconds would have ticks such as 0.002.
        let (unit, factor) = if most < 1.0 { ("milliseconds", 1e3) } else { ("seconds", 1.0) };
        let axis = Axis { name: format!("{unit} to choose and search"), ..Axis::default() };
        self.against_k("What it takes", axis, |row| factor * row.search_seconds())
    }

    /// A chart with a line for each method and its hierarchies.
    fn against_k(&self, title: &str, y: Axis, value: impl Fn(&Row) -> f64) -> Scatter {
        let mut ks: Vec<f64> = self.rows.iter().map(|row| row.k as f64).collect();
        ks.sort_by(f64::total_cmp);
        ks.dedup();
        // Values that are far apart, such as 2, 5, 10, 50, are easier to read on a logarithmic
        // axis.
        let is_log = ks.last().zip(ks.first()).is_some_and(|(last, first)| last / first >= 8.0);
        let x = Axis { name: "k".into(), is_log, marks: ks, ..Axis::default() };
        let mut kinds = self.kinds(&|row, title| Point {
            x: row.k as f64,
            y: value(row),
            title,
            is_filled: true,
            ..Point::default()
        });
        // Points of one method at different k are a curve; in the chart of risks they are not.
        for kind in &mut kinds {
            kind.is_joined = true;
            // Runs come in any order. Those with the same k stay in it.
            kind.points.sort_by(|one, other| one.x.total_cmp(&other.x));
        }
        Scatter { title: title.into(), x, y, kinds, ..Scatter::default() }
    }

    fn risk(&self) -> Scatter {
        // Loss and risk of different methods differ by factors, so both axes are logarithmic.
        let share = |name: &str| Axis {
            name: name.into(),
            is_log: true,
            is_share: true,
            marks: Vec::new(),
        };
        // With a single k, its number next to every point adds nothing.
        let has_several = self.rows.iter().any(|row| row.k != self.rows[0].k);
        // Numbers next to points that are close together cannot be read.
        let is_roomy = self.rows.len() <= 24;
        let figures =
            |row: &Row| row.figures.as_ref().map_or((0.0, 0.0), |f| (f.ntil(), f.risk.average));
        let kinds = self.kinds(&|row, title| {
            let (x, y) = figures(row);
            let label = if has_several && is_roomy { row.k.to_string() } else { String::new() };
            let is_chosen = self.best == Some(row.cell);
            Point { x, y, title, label, is_filled: row.on_front, is_chosen }
        });
        let on_front = self.rows.iter().filter(|row| row.on_front);
        let mut front: Vec<(f64, f64)> = on_front.map(|row| figures(row)).collect();
        // The line of the front has to go from left to right.
        front.sort_by(|one, other| one.0.total_cmp(&other.0));
        Scatter {
            title: "Risk against loss".into(),
            x: share("loss of the release (NTIL)"),
            y: share("average risk"),
            kinds,
            front,
            remark: "better ↙".into(),
        }
    }

    /// One kind of points for each method and its hierarchies: the shape is the method, the colour
    /// the hierarchies. With one setting of hierarchies, the colour is the method too.
    fn kinds(&self, point: &dyn Fn(&Row, String) -> Point) -> Vec<Kind> {
        let all = &self.comparison.cells;
        // From all cells, so that a method has the same shape in the charts of every set of models.
        let methods = distinct(all.iter().map(|row| row.method.as_str()));
        let settings = distinct(all.iter().map(|row| row.hierarchies.as_str()));
        let mut kinds = Vec::new();
        for (shape, method) in methods.iter().enumerate() {
            for (place, setting) in settings.iter().enumerate() {
                let is_own = |row: &&&Row| row.method == *method && row.hierarchies == *setting;
                let own: Vec<&&Row> = self.rows.iter().filter(is_own).collect();
                if own.is_empty() {
                    continue;
                }
                let colour = if settings.len() == 1 { shape } else { place };
                kinds.push(Kind {
                    name: if settings.len() == 1 { (*method).to_owned() } else { own[0].way() },
                    // If there are more methods than shapes, some share one; names in the legend
                    // and on hovering distinguish them.
                    shape: shape % N_SHAPES,
                    colour: colour % N_COLOURS,
                    points: own.iter().map(|row| point(row, told(row))).collect(),
                    is_joined: false,
                });
            }
        }
        kinds
    }
}

/// The text that is shown on hovering over a cell.
fn told(row: &Row) -> String {
    let figures = row.figures.as_ref();
    let (loss, risk) = figures.map_or((0.0, 0.0), |figures| (figures.ntil(), figures.risk.average));
    format!(
        "{}, k = {}: loss {}, average risk {}, {:.2} s",
        row.way(),
        row.k,
        percent(loss),
        percent(risk),
        row.search_seconds()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Weights;
    use crate::job::Job;

    fn row(number: usize, k: u64) -> Row {
        let risk = serde_json::json!({ "highest": 0.5, "average": 0.1, "alone": 0 });
        let figures = serde_json::json!({ "chosen": "hedge", "used": {}, "rows": 9, "released": 9,
            "suppressed": 0, "dropped": 0, "classes": 3, "smallest_class": 3, "privacy": [],
            "loss": {}, "release_loss": { "ntil": 0.01 * k as f64 }, "risk": risk,
            "original_risk": risk });
        let job = Job { k, ..Job::default() };
        Row::of_job(number, &job, "auto", serde_json::from_value(figures).unwrap())
    }

    #[test]
    fn lines_join_points_by_k_in_any_order_of_runs() {
        let rows = [10, 2, 50, 5].into_iter().enumerate().map(|(place, k)| row(place, k));
        let comparison = Comparison::of_rows(rows.collect(), Weights::default());
        let charts = charts(&comparison);
        for name in ["loss", "seconds"] {
            let chart = charts.iter().find(|chart| chart.name == name).unwrap();
            let ks: Vec<f64> = chart.drawn.kinds[0].points.iter().map(|point| point.x).collect();
            assert_eq!(ks, [2.0, 5.0, 10.0, 50.0], "{name}");
        }
        // Runs without models have the same text as cells without models.
        assert_eq!(comparison.verdicts[0].models, "none");
    }
}
