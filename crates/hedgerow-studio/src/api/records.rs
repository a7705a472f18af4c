//! `/api/runs/{run}/classes` and `/records`: the records of each class, before and after.

use std::collections::BTreeMap;
use std::sync::Arc;

use hedgerow::proposal::Class;
use hedgerow::table::Cohort;
use serde::Serialize;

use super::run::detail;
use super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{Detail, Opened, role_of};
use crate::studio::Studio;

/// Maximum number of records of a class that are shown.
const MOST_RECORDS: usize = 500;

#[derive(Serialize)]
struct ClassesView {
    from: u64,
    total: u64,
    columns: Vec<String>,
    classes: Vec<ClassView>,
    next: Option<u64>,
}

#[derive(Serialize)]
struct ClassView {
    class: u64,
    size: u64,
    cells: Vec<String>,
    loss: f64,
}

#[derive(Serialize)]
struct ClassRecords {
    class: u64,
    size: u64,
    columns: Vec<String>,
    published: Vec<String>,
    records: Vec<Record>,
}

#[derive(Serialize)]
struct Record {
    row: u64,
    cells: Vec<String>,
}

#[derive(Serialize)]
struct SidesView {
    columns: Vec<String>,
    roles: Vec<&'static str>,
    records: Vec<Pair>,
}

#[derive(Serialize)]
struct Pair {
    row: u64,
    class: Option<u64>,
    size: Option<u64>,
    original: Vec<String>,
    released: Vec<Option<String>>,
}

/// The classes of a release, those that lose most first.
pub(super) fn classes(studio: &Studio, call: &Call) -> Done<Answer> {
    let detail = detail(studio, call.number("run")?)?;
    let from = call.whole("from", 0, 0, u64::MAX)?;
    let count = call.whole("count", 50, 1, 500)?;
    let release = detail.kept.release();
    let recoding = release.recoding();
    let partition = hedgerow::loss::Partition::of(recoding.problem(), recoding);
    let width = partition.width().max(1);
    let loss = |class: usize| {
        let shown = &partition.shown[partition.shapes[class] as usize * width..][..width];
        shown.iter().map(|&cell| partition.cells[cell as usize].cost).sum::<f64>() / width as f64
    };
    let mut order: Vec<(usize, f64)> =
        (0..partition.sizes.len()).map(|class| (class, loss(class))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let view = |&(class, loss): &(usize, f64)| ClassView {
        class: class as u64,
        size: partition.sizes[class],
        cells: release.cells(Some(Class::new(class))).into_iter().cloned().collect(),
        loss,
    };
    let start = usize::try_from(from).unwrap_or(usize::MAX).min(order.len());
    let classes: Vec<ClassView> = order[start..].iter().take(count as usize).map(view).collect();
    let total = order.len() as u64;
    let after = start as u64 + classes.len() as u64;
    let next = (after < total).then_some(after);
    answer(&ClassesView { from, total, columns: published_columns(&detail), classes, next })
}

/// The records of a class.
pub(super) fn class(studio: &Studio, call: &Call) -> Done<Answer> {
    let detail = detail(studio, call.number("run")?)?;
    let number = call.number("class")?;
    let release = detail.kept.release();
    if number >= release.recoding().n_classes() as u64 {
        return Err(Fault::missing(format!("there is no class {number}")));
    }
    let class = Class::new(number as usize);
    let opened = read_by(studio, call.number("run")?)?;
    let rows: Vec<usize> = (assigned(&detail)?.into_iter().enumerate())
        .filter(|(_, of)| *of == Some(Some(class)))
        .map(|(row, _)| row)
        .collect();
    let quasi: Vec<String> =
        release.recoding().problem().attributes().iter().map(|of| of.name().to_owned()).collect();
    let cells = |row: usize| quasi.iter().map(|name| text(&opened, name, row)).collect();
    let records = rows.iter().take(MOST_RECORDS);
    answer(&ClassRecords {
        class: number,
        size: rows.len() as u64,
        published: release.cells(Some(class)).into_iter().cloned().collect(),
        records: records.map(|&row| Record { row: row as u64, cells: cells(row) }).collect(),
        columns: quasi,
    })
}

/// Some records before and after.
pub(super) fn sides(studio: &Studio, call: &Call) -> Done<Answer> {
    let detail = detail(studio, call.number("run")?)?;
    let from = call.whole("from", 0, 0, u64::MAX)?;
    let count = call.whole("count", 20, 1, 200)?;
    let opened = read_by(studio, call.number("run")?)?;
    let job = studio.session().run(call.number("run")?)?.job().clone();
    let release = detail.kept.release();
    let assigned = assigned(&detail)?;
    let sizes = release.recoding().sizes();
    // A quasi-identifier can be published as two columns, which are shown as one.
    let mut cell_of: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut start = 0;
    let attributes = release.recoding().problem().attributes();
    for (place, attribute) in attributes.iter().enumerate() {
        let width = release.columns(place).len();
        cell_of.insert(attribute.name(), (start, width));
        start += width;
    }
    let is_in = |name: &String| role_of(&job, name).is_published();
    let released = |row: usize| -> Vec<Option<String>> {
        let cells = assigned[row].map(|class| release.cells(class));
        let of_column = |name: &String| {
            let cells = cells.as_ref().filter(|_| is_in(name))?;
            match cell_of.get(name.as_str()) {
                Some(&(start, width)) => {
                    let cells = cells[start..start + width].iter().map(|cell| cell.as_str());
                    Some(cells.collect::<Vec<_>>().join(" to "))
                }
                None => Some(text(&opened, name, row)),
            }
        };
        opened.header.iter().map(of_column).collect()
    };
    let n_rows = opened.rows as usize;
    let first = usize::try_from(from).unwrap_or(usize::MAX).min(n_rows);
    let pair = |row: usize| {
        let class = assigned[row].flatten();
        Pair {
            row: row as u64,
            class: class.map(|class| class.index() as u64),
            size: class.map(|class| sizes[class.index()]),
            original: opened.columns.iter().map(|stored| stored.text(row)).collect(),
            released: released(row),
        }
    };
    let records = (first..n_rows.min(assigned.len())).take(count as usize).map(pair).collect();
    let roles = opened.header.iter().map(|name| role_of(&job, name).name()).collect();
    answer(&SidesView { columns: opened.header.clone(), roles, records })
}

/// The open table, if it is the one that a run read.
fn read_by(studio: &Studio, run: u64) -> Done<Arc<Opened>> {
    let session = studio.session();
    let opened = session.table()?;
    if session.run(run)?.is_of(&opened) {
        return Ok(opened);
    }
    Err(Fault::refused(
        409,
        "stale",
        "the run and the open table are of different states of the file",
    )
    .advise("read the table again and make the release again"))
}

fn text(opened: &Opened, name: &str, row: usize) -> String {
    opened.column(name).map_or_else(String::new, |stored| stored.text(row))
}

fn published_columns(detail: &Detail) -> Vec<String> {
    let release = detail.kept.release();
    let n = release.recoding().problem().attributes().len();
    (0..n).flat_map(|place| release.columns(place).to_vec()).collect()
}

#[expect(clippy::option_option, reason = "left out and suppressed differ")]
/// The class of every record: `None` if it was left out, `Some(None)` if it is suppressed.
fn assigned(detail: &Detail) -> Done<Vec<Option<Option<Class>>>> {
    let release = detail.kept.release();
    let table = release.recoding().problem().table();
    let rows = table.rows().ok_or_else(|| Fault::internal("the run kept no rows"))?;
    let mut assigner = release.assigner();
    let mut of = |cohort: Cohort| assigner.take_of_next(cohort).map(|take| take.class);
    Ok(rows.iter().map(|cohort| cohort.and_then(&mut of)).collect())
}
