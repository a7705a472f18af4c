//! The results of a comparison as one page, in the style of a report.

use std::fmt::Write;

use super::lists::distinct;
use super::{Comparison, Figures, Grid, Row, Verdict, plots};
use crate::noun::counted;
use crate::report::page::html::{Table, count, escaped, name, percent};
use crate::report::page::{Section, document};
use crate::report::short;

/// Maximum number of cells on the page; all are in the files.
const MOST_ROWS: usize = 200;

/// Renders a page that needs no script and no network.
pub(super) fn page(comparison: &Comparison, grid: &Grid) -> String {
    let title = match comparison.input.name.as_str() {
        "" => "Comparison of releases".to_owned(),
        name => format!("Comparison on {name}"),
    };
    // `None` leaves a section out, for example if every cell is possible.
    let section = |id, title, body| Section { id, title, body };
    let sections = [
        section("charts", "Loss, risk and time", charts(comparison)),
        section("cells", "Cells", cells(comparison)),
        section("impossible", "What is not possible", impossible(comparison)),
        section("figures", "What the figures mean", Some(meanings(comparison))),
        section("repeat", "To repeat it", Some(repeat(comparison, grid))),
    ];
    document(&title, &top(comparison, &title), &sections, comparison.hedgerow)
}

fn top(comparison: &Comparison, title: &str) -> String {
    let n_cells = comparison.cells.len();
    let mut out = format!(
        "<div class=\"top\"><span>hedgerow {} · comparison</span>\
         <span class=\"flavour\">Internal: not for publication</span></div>\n<h1>{}</h1>\n\
         <p class=\"mute\">{} of {} records with {}: {}. {} {} possible.</p>\n",
        comparison.hedgerow,
        escaped(title),
        counted(n_cells, "cell"),
        count(comparison.records),
        counted(comparison.quasi.len(), "quasi-identifier"),
        name(&comparison.quasi.join(", ")),
        comparison.n_done(),
        if comparison.n_done() == 1 { "is" } else { "are" },
    );
    for verdict in &comparison.verdicts {
        // The text shows it too, because not every reader can rely on colours.
        let class = if verdict.best.is_some() { "verdict" } else { "verdict fails" };
        let _ = writeln!(
            out,
            "<div class=\"{class}\" role=\"status\"><b>{}</b><p>{}</p></div>",
            escaped(&headline(comparison, verdict)),
            escaped(&verdict.sentence)
        );
    }
    // With several sets of models there are several best cells, and four figures would belong to
    // one of them.
    if let [verdict] = comparison.verdicts.as_slice() {
        let best = verdict.best.and_then(|number| comparison.cell(number));
        out.extend(best.and_then(|row| row.figures.as_ref()).map(four));
    }
    out
}

/// The best cell in a few words.
fn headline(comparison: &Comparison, verdict: &Verdict) -> String {
    let among = match verdict.models.as_str() {
        "none" => String::new(),
        models => format!(" ({models})"),
    };
    match verdict.best.and_then(|number| comparison.cell(number)) {
        Some(best) => format!("Best: {}, k = {}{among}", best.way(), best.k),
        None => format!("Nothing is possible{among}"),
    }
}

/// Four figures of the best cell.
fn four(figures: &Figures) -> String {
    let (before, after) = (&figures.original_risk, &figures.risk);
    let items = [
        (percent(figures.ntil()), "information lost (NTIL)".to_owned()),
        (
            format!("{} → {}", percent(before.average), percent(after.average)),
            "average risk".into(),
        ),
        (
            format!("{} → {}", percent(before.highest), percent(after.highest)),
            "risk of the most exposed record".into(),
        ),
        (
            count(figures.classes),
            format!("classes, the smallest of {}", count(figures.smallest_class)),
        ),
    ];
    let item = |(figure, what): &(String, String)| {
        format!("<li><b>{figure}</b><span>{what}</span></li>\n")
    };
    format!("<ul class=\"four\">\n{}</ul>\n", items.iter().map(item).collect::<String>())
}

fn charts(comparison: &Comparison) -> Option<String> {
    let charts = plots::charts(comparison);
    let mut out = String::new();
    for verdict in &comparison.verdicts {
        // A set of models of which every cell is impossible has no charts.
        let mut own = charts.iter().filter(|chart| chart.models == verdict.models).peekable();
        if own.peek().is_none() {
            continue;
        }
        if comparison.verdicts.len() > 1 {
            let _ = writeln!(out, "<h3>Models: {}</h3>", name(&verdict.models));
        }
        out.push_str("<div class=\"pair\">\n");
        for chart in own {
            let drawn = chart.drawn.svg().finish();
            let _ = writeln!(out, "<figure>{drawn}</figure>");
        }
        out.push_str("</div>\n");
    }
    let caption = "<p class=\"mute small\">A filled shape is on the Pareto front: no other cell has both less \
        loss and less average risk. The ring is the best cell. Numbers next to shapes are values of k. \
        Times are those of choosing and searching, with several cells running at once.</p>\n";
    (!out.is_empty()).then(|| out + caption)
}

fn cells(comparison: &Comparison) -> Option<String> {
    let mut rows: Vec<(&Row, &Figures)> =
        comparison.cells.iter().filter_map(|row| Some((row, row.figures.as_ref()?))).collect();
    // The best first; of equal scores in the order of the grid.
    rows.sort_by(|one, other| one.0.score.unwrap_or(0.0).total_cmp(&other.0.score.unwrap_or(0.0)));
    // A column with one value in all rows would only take space.
    let has_models = comparison.verdicts.len() > 1;
    let mut heads = vec!["Method", "Hierarchies"];
    heads.extend(has_models.then_some("Models"));
    heads.extend([
        ">k",
        ">Loss",
        ">Average risk",
        ">Highest",
        ">Suppressed",
        ">Classes",
        ">Seconds",
        ">Score",
    ]);
    let mut table = Table::new("stack", "The best first", &heads);
    for (row, figures) in rows.iter().take(MOST_ROWS) {
        let mut cells = vec![method(comparison, row, figures), name(&row.hierarchies)];
        cells.extend(has_models.then(|| name(&row.models)));
        cells.extend(numbers(row, figures));
        table.row(&cells);
    }
    let mut out = table.finish();
    if rows.len() > MOST_ROWS {
        let _ = writeln!(out, "<p>And {} more in cells.csv.</p>", rows.len() - MOST_ROWS);
    }
    out.push_str(&notes(comparison));
    (!rows.is_empty()).then_some(out)
}

/// The numbers of a cell, in the order of the headings.
fn numbers(row: &Row, figures: &Figures) -> [String; 8] {
    [
        row.k.to_string(),
        percent(figures.ntil()),
        percent(figures.risk.average),
        percent(figures.risk.highest),
        count(figures.suppressed),
        count(figures.classes),
        short(row.search_seconds()),
        format!("{:.4}", row.score.unwrap_or(0.0)),
    ]
}

/// The method of a cell, the choice of `auto`, and whether the cell is best or on the front.
fn method(comparison: &Comparison, row: &Row, figures: &Figures) -> String {
    let is_best = comparison.verdicts.iter().any(|verdict| verdict.best == Some(row.cell));
    let mut out = name(&row.method);
    // `auto` chooses a method, and parameters that were left out have defaults.
    if figures.chosen != row.method {
        let _ = write!(out, " <span class=\"small mute\">{}</span>", name(&figures.chosen));
    }
    match (is_best, row.on_front) {
        (true, _) => out.push_str(" <span class=\"flavour\">best</span>"),
        (false, true) => out.push_str(" <span class=\"small mute\">on the front</span>"),
        (false, false) => {}
    }
    out
}

/// The columns that got other hierarchies than their setting requests, each once.
fn notes(comparison: &Comparison) -> String {
    let of_row =
        |row: &Row| row.notes.iter().map(|note| format!("{}: {note}", row.hierarchies)).collect();
    // The same note holds for every k and method of a setting, so it is shown once.
    let told = distinct(comparison.cells.iter().flat_map::<Vec<String>, _>(of_row));
    let items: String = told.iter().map(|note| format!("<li>{}</li>\n", escaped(note))).collect();
    match told.len() {
        0 => String::new(),
        _ => format!(
            "<h3>Columns with other hierarchies than the setting</h3>\n<ul>\n{items}</ul>\n"
        ),
    }
}

fn impossible(comparison: &Comparison) -> Option<String> {
    let reasons = comparison.reasons();
    let mut table = Table::new("stack", "Each reason with its cells", &["Reason", "Cells"]);
    for (reason, cells) in &reasons {
        table.row(&[
            escaped(reason).into_owned(),
            escaped(&crate::noun::listed(cells)).into_owned(),
        ]);
    }
    (!reasons.is_empty()).then(|| table.finish())
}

fn meanings(comparison: &Comparison) -> String {
    let repeats = match comparison.repeat {
        0 => "No cell was repeated.".to_owned(),
        n => format!(
            "Each cell was run again with {} if it uses the seed, and on {}: as many records as the table \
             has, drawn with replacement, the same samples for all cells of the same models, with the \
             hierarchies of the whole table. A difference counts as larger than chance if a fair coin would \
             give such a result in at most 5% of cases.",
            counted(n, "other seed"),
            counted(n, "bootstrap sample")
        ),
    };
    format!(
        "<dl>\n<dt>Loss</dt><dd>NTIL of the release: the mean share of its column's range or values that a \
         cell covers.</dd>\n<dt>Risk</dt><dd>For an attacker who knows that a person is in the table: one \
         divided by the number of records that match; highest and mean over all records.</dd>\n\
         <dt>Score</dt><dd>The weighted mean of the figures, by the weights {}. Seconds are divided by those of \
         the slowest cell. The least is best.</dd>\n<dt>Front</dt><dd>Cells for which no other cell of the same \
         models has both less loss and less average risk.</dd>\n<dt>Repetitions</dt><dd>{repeats}</dd>\n\
         <dt>Single runs</dt><dd>All figures equal those of a single run with the same options. Nothing was \
         published, so columns without a role were not examined.</dd>\n</dl>\n",
        escaped(&comparison.weights.to_string())
    )
}

fn repeat(comparison: &Comparison, grid: &Grid) -> String {
    let plain = Grid {
        // The name without its folders: the page may be passed on, and paths name users and
        // projects.
        base: crate::job::Job { input: comparison.input.name.clone().into(), ..grid.base.clone() },
        ..grid.clone()
    };
    format!(
        "<p>The grid as a file:</p>\n<pre>{}</pre>\n<p>SHA-256 of {}: <code>{}</code></p>\n",
        escaped(plain.to_toml().trim_end()),
        name(&comparison.input.name),
        name(&comparison.input.sha256)
    )
}
