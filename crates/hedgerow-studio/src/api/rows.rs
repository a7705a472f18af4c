//! `GET /api/rows`: a page of rows with the sizes of their classes.

use hedgerow::table::MissingPolicy;
use serde::Serialize;

use super::{Answer, Call, answer};
use crate::fault::Done;
use crate::session::{Classes, OUT, Stored};
use crate::studio::Studio;

#[derive(Serialize)]
struct Page {
    from: u64,
    total: u64,
    next: Option<u64>,
    columns: Vec<String>,
    rows: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    row: u64,
    shared_by: Option<u32>,
    cells: Vec<String>,
}

pub(super) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    let from = call.whole("from", 0, 0, u64::MAX)?;
    let count = call.whole("count", 50, 1, 500)?;
    let alone = call.flag("alone")?;
    let (opened, job) = {
        let session = studio.session();
        (session.table()?, session.job.clone())
    };
    let quasi: Vec<&Stored> = job
        .quasi
        .iter()
        .filter_map(|name| opened.column(name))
        .filter(|stored| stored.column.is_some())
        .collect();
    let n_rows = opened.rows as usize;
    let classes = Classes::of(&quasi, n_rows, job.missing == MissingPolicy::Drop);
    let sizes = classes.sizes();
    let shared_by = |row: usize| {
        let class = classes.of_row[row];
        (class != OUT).then(|| sizes[class as usize])
    };
    let is_shown = |row: &usize| !alone || shared_by(*row) == Some(1);
    let total = if alone { (0..n_rows).filter(is_shown).count() as u64 } else { opened.rows };
    let rows: Vec<Line> = (0..n_rows)
        .filter(is_shown)
        .skip(usize::try_from(from).unwrap_or(usize::MAX))
        .take(count as usize)
        .map(|row| Line {
            row: row as u64,
            shared_by: shared_by(row),
            cells: opened.columns.iter().map(|stored| stored.text(row)).collect(),
        })
        .collect();
    let after = from.saturating_add(rows.len() as u64);
    let next = (after < total && !rows.is_empty()).then_some(after);
    answer(&Page { from, total, next, columns: opened.header.clone(), rows })
}
