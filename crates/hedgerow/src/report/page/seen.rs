//! Information about each quasi-identifier that is still visible in the release.

use super::html::{Table, count, name, percent, with_code};
use crate::release::IntervalStyle;
use crate::report::{self, ColumnEvidence, Evidence, Flavour};

/// Columns after these have no chart, so that pages of wide tables stay small.
const MOST_CHARTS: usize = 40;

pub(super) fn body(evidence: &Evidence) -> String {
    let public = match evidence.flavour {
        Flavour::Internal => "",
        Flavour::Public => {
            " Values that fewer than k records have are not shown, nor parts of an axis with fewer."
        }
    };
    let mut out = format!(
        "<p>{} of {} cells of the quasi-identifiers are unchanged. In the charts, bars are the release and \
         lines the original. A cell that says [32, 35] counts as an equal share of each value of the \
         original that it covers: a quarter of each, if there are four.{public}</p>\n{}",
        count(evidence.cells_unchanged),
        count(evidence.cells),
        style(evidence.interval_style)
    );
    let heads = ["Column", ">Cells unchanged", ">Distribution moved", "Original and release"];
    let mut table = Table::new("stack seen", "", &heads);
    for (place, column) in evidence.columns.iter().enumerate() {
        table.row(&row(evidence, column, place < MOST_CHARTS));
    }
    out.push_str(&table.finish());
    out.push_str(
        "<details><summary>How this is measured</summary><p>“Distribution moved” is the total variation \
         distance, half the sum of the absolute differences of shares over all values: the share of records \
         that would have to change their value. “Hellinger” is √(1 − Σ √(p·q)), and “earth mover’s”, for \
         numbers and dates, the mean distance that records would have to move, as a share of the range.</p></details>\n",
    );
    out
}

/// Describes the cells that the file shows instead of ranges, in a sentence.
fn style(style: IntervalStyle) -> String {
    let instead = match style {
        IntervalStyle::Brackets | IntervalStyle::Dash => return String::new(),
        IntervalStyle::Midpoint => "the midpoints of ranges of numbers",
        IntervalStyle::Bounds => "ranges of numbers as two columns, of least and greatest values",
    };
    format!(
        "<p>The file of the release shows {instead}. This section, the attacks and the losses are about the ranges \
         that its cells represent.</p>\n"
    )
}

fn row(evidence: &Evidence, column: &ColumnEvidence, has_chart: bool) -> [String; 4] {
    // Every released record has one cell of the column.
    let n_cells = evidence.accounting.released.max(1) as f64;
    let example = column.example.as_ref();
    let example = example.map_or_else(String::new, |cell| {
        format!("<br/><span class=\"mute small\">for example {}</span>", name(cell))
    });
    let distances = &column.distances;
    let moved = distances.earth_movers.map_or_else(String::new, |moved| {
        format!("<br/><span class=\"mute small\">earth mover’s {}</span>", percent(moved))
    });
    let chart = if has_chart && !column.chart.is_empty() {
        column.chart.svg(&column.name)
    } else {
        String::new()
    };
    [
        format!(
            "{}<br/><span class=\"mute small\">{}</span>{example}",
            name(&column.name),
            with_code(&report::precision(&column.detail))
        ),
        percent(column.cells_unchanged as f64 / n_cells),
        format!(
            "{}<br/><span class=\"mute small\">Hellinger {}</span>{moved}",
            percent(distances.total_variation),
            percent(distances.hellinger)
        ),
        chart,
    ]
}
