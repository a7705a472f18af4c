//! The results of a grid as CSV: a row for each cell, a column for each figure.

use std::collections::BTreeSet;

use super::{Comparison, Repeat, Row};
use crate::io::RowWriter;
use crate::loss;
use crate::statistics::deviation;

/// Formats the rows. Figures that a cell does not have are empty.
pub(super) fn csv(comparison: &Comparison) -> String {
    let columns = columns(comparison);
    let mut writer = RowWriter::new(b',');
    // The writer of releases quotes cells where needed, so specs with commas stay one cell.
    let mut row = |cells: Vec<String>| {
        cells.iter().for_each(|cell| writer.field(cell.as_bytes()));
        writer.end_row();
    };
    row(columns.iter().map(|column| column.name.clone()).collect());
    for cell in &comparison.cells {
        row(columns.iter().map(|column| (column.of)(cell).unwrap_or_default()).collect());
    }
    String::from_utf8_lossy(&writer.into_bytes()).into_owned()
}

/// The text of a figure of a cell, if it has one.
type Of = dyn Fn(&Row) -> Option<String>;

/// A column of the table.
struct Column {
    name: String,
    of: Box<Of>,
}

fn column(name: &str, of: impl Fn(&Row) -> Option<String> + 'static) -> Column {
    Column { name: name.to_owned(), of: Box::new(of) }
}

fn columns(comparison: &Comparison) -> Vec<Column> {
    let mut columns = vec![
        column("cell", |row| Some(row.cell.to_string())),
        column("k", |row| Some(row.k.to_string())),
        column("method", |row| Some(row.method.clone())),
        column("hierarchies", |row| Some(row.hierarchies.clone())),
        column("models", |row| Some(row.models.clone())),
        // A word instead of empty cells, so that rows can be filtered without knowing which figures
        // exist.
        column("status", |row| {
            Some(if row.figures.is_some() { "done" } else { "impossible" }.to_owned())
        }),
        column("chosen", |row| Some(row.figures.as_ref()?.chosen.clone())),
        column("rows", |row| Some(row.figures.as_ref()?.rows.to_string())),
        column("released", |row| Some(row.figures.as_ref()?.released.to_string())),
        column("suppressed", |row| Some(row.figures.as_ref()?.suppressed.to_string())),
        column("classes", |row| Some(row.figures.as_ref()?.classes.to_string())),
        column("smallest_class", |row| Some(row.figures.as_ref()?.smallest_class.to_string())),
        column("risk_highest", |row| Some(row.figures.as_ref()?.risk.highest.to_string())),
        column("risk_average", |row| Some(row.figures.as_ref()?.risk.average.to_string())),
        column("risk_alone", |row| Some(row.figures.as_ref()?.risk.alone.to_string())),
    ];
    columns.extend(of_models(comparison));
    // From the registry: a loss that is added has its columns at once.
    for name in loss::names() {
        columns.push(column(&format!("loss_{name}"), move |row| {
            Some(row.figures.as_ref()?.loss.get(name)?.to_string())
        }));
        columns.push(column(&format!("release_loss_{name}"), move |row| {
            Some(row.figures.as_ref()?.release_loss.get(name)?.to_string())
        }));
    }
    // Columns exist even without repetitions, so that scripts find them in every file.
    columns.extend(of_repeats());
    columns.extend(["hierarchies", "search", "verify", "total"].map(|stage| {
        column(&format!("seconds_{stage}"), move |row| Some(row.seconds.get(stage)?.to_string()))
    }));
    columns.push(column("score", |row| Some(row.score?.to_string())));
    columns.push(column("on_front", |row| row.figures.is_some().then(|| row.on_front.to_string())));
    columns.push(column("notes", |row| Some(row.notes.join("; "))));
    columns.push(column("reason", |row| row.impossible.clone()));
    columns
}

/// The values that models attain: a column for each model and sensitive column that occurs.
fn of_models(comparison: &Comparison) -> Vec<Column> {
    let figures = comparison.cells.iter().filter_map(|row| row.figures.as_ref());
    let claims = figures.flat_map(|figures| &figures.privacy);
    // Over all cells, because each may have other models; the order of a set does not depend on the
    // grid.
    let known: BTreeSet<(String, Option<String>)> =
        claims.map(|claim| (claim.model.clone(), claim.column.clone())).collect();
    let of_model = |(model, sensitive): (String, Option<String>)| {
        let of = sensitive.as_ref().map_or_else(String::new, |column| format!("_{column}"));
        column(&format!("attained_{model}{of}"), move |row| {
            let mut claims = row.figures.as_ref()?.privacy.iter();
            let is_same = |claim: &&super::Claim| claim.model == model && claim.column == sensitive;
            Some(claims.find(is_same)?.attained?.to_string())
        })
    };
    known.into_iter().map(of_model).collect()
}

/// Standard deviations of loss and risk over seeds and samples, and the number of runs.
fn of_repeats() -> Vec<Column> {
    let mut columns = Vec::new();
    for name in ["seeds", "samples"] {
        let runs = move |row: &Row| -> Option<Vec<Repeat>> {
            let repeats = if name == "seeds" { &row.seeds } else { &row.samples };
            Some(repeats.as_ref()?.iter().flatten().copied().collect())
        };
        columns.push(column(name, move |row| Some(runs(row)?.len().to_string())));
        columns.push(column(&format!("{name}_loss_sd"), move |row| {
            deviation(&runs(row)?.iter().map(|run| run.loss).collect::<Vec<f64>>())
                .map(|sd| sd.to_string())
        }));
        columns.push(column(&format!("{name}_risk_sd"), move |row| {
            deviation(&runs(row)?.iter().map(|run| run.risk).collect::<Vec<f64>>())
                .map(|sd| sd.to_string())
        }));
    }
    columns
}
