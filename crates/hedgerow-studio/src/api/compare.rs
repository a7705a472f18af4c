//! `GET /api/compare`: runs against each other, with charts.

use hedgerow::compare::{Comparison, Figures, Row, Weights};
use serde::Serialize;

use super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{Run, RunState, brief};
use crate::studio::Studio;

#[derive(Serialize)]
struct ComparisonView {
    rows: Vec<RowView>,
    loss_by_k: String,
    risk_by_loss: String,
    best: Option<u64>,
    why: Option<String>,
}

#[derive(Serialize)]
struct RowView {
    run: u64,
    method: String,
    hierarchies: String,
    k: u64,
    loss: Option<f64>,
    average_risk: Option<f64>,
    highest_risk: Option<f64>,
    suppressed: Option<u64>,
    seconds: f64,
    on_front: bool,
    impossible: Option<String>,
}

pub(super) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    let asked: Option<Vec<u64>> = match call.query("runs") {
        None | Some("") => None,
        Some(text) => {
            let ids = text.split(',').map(|id| id.trim().parse().ok()).collect();
            Some(Option::ok_or_else(ids, || Fault::request("runs must be numbers, as in 3,7"))?)
        }
    };
    let session = studio.session();
    let is_asked = |run: &&Run| match &asked {
        Some(ids) => ids.contains(&run.id),
        None => matches!(run.state, RunState::Done | RunState::Failed),
    };
    let runs: Vec<&Run> = session.runs.iter().filter(is_asked).collect();
    let rows = runs.iter().map(|run| {
        let seconds = brief(run, &session).seconds;
        let mut row =
            Row::of_job(run.id as usize, run.job(), &run.hierarchies, run.figures.clone());
        row.seconds.insert("search".to_owned(), seconds);
        row.impossible = run.problem.as_ref().map(|problem| problem.error.message.clone());
        row
    });
    let comparison = Comparison::of_rows(rows.collect(), Weights::default());
    drop(session);
    let charts = comparison.charts();
    let chart = |name: &str| {
        let found = charts.iter().find(|(of, _)| of.starts_with(name));
        found.map_or_else(String::new, |(_, svg)| svg.clone().finish())
    };
    let verdict = comparison.verdicts.first();
    answer(&ComparisonView {
        loss_by_k: chart("loss"),
        risk_by_loss: chart("risk"),
        best: verdict.and_then(|verdict| verdict.best).map(|best| best as u64),
        why: verdict.map(|verdict| verdict.sentence.clone()),
        rows: comparison.cells.iter().map(view).collect(),
    })
}

fn view(row: &Row) -> RowView {
    let figures = row.figures.as_ref();
    RowView {
        run: row.cell as u64,
        method: row.method.clone(),
        hierarchies: row.hierarchies.clone(),
        k: row.k,
        loss: figures.map(Figures::ntil),
        average_risk: figures.map(|figures| figures.risk.average),
        highest_risk: figures.map(|figures| figures.risk.highest),
        suppressed: figures.map(|figures| figures.suppressed),
        seconds: row.seconds.get("search").copied().unwrap_or(0.0),
        on_front: row.on_front,
        impossible: row.impossible.clone(),
    }
}
