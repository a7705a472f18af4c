//! `GET /api/state`: the open table, the job, and all runs.

use serde::Serialize;

use super::{Answer, Call, answer};
use crate::fault::{Done, Problem};
use crate::session::{Brief, JobView, Session, brief};
use crate::studio::Studio;

#[derive(Serialize)]
struct State {
    revision: u64,
    version: &'static str,
    folder: String,
    table: Option<TableBrief>,
    job: JobView,
    job_problem: Option<Problem>,
    runs: Vec<Brief>,
    chosen_run: Option<u64>,
    features: Features,
}

#[derive(Serialize)]
struct TableBrief {
    name: String,
    path: String,
    rows: u64,
    columns: usize,
    stale: bool,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each feature is there or not")]
struct Features {
    wordnet: bool,
    excel: bool,
    parquet: bool,
    edits: bool,
}

pub(super) fn get(studio: &Studio, _: &Call) -> Done<Answer> {
    answer(&state(studio, &studio.session()))
}

/// The state as an answer, for endpoints that change it.
pub(super) fn answered(studio: &Studio) -> Done<Answer> {
    answer(&state(studio, &studio.session()))
}

fn state(studio: &Studio, session: &Session) -> State {
    let table = session.opened.as_ref().map(|opened| TableBrief {
        name: opened.name.clone(),
        path: studio.folder.relative(&opened.path),
        rows: opened.rows,
        columns: opened.header.len(),
        stale: session.is_stale,
    });
    State {
        revision: session.revision,
        version: env!("CARGO_PKG_VERSION"),
        folder: studio.folder.name(),
        table,
        job: JobView::of(session, &studio.folder),
        job_problem: session.broken_job.as_ref().map(|broken| broken.problem.clone()),
        runs: session.runs.iter().map(|run| brief(run, session)).collect(),
        chosen_run: session.current_run().map(|run| run.id),
        features: Features {
            wordnet: cfg!(feature = "wordnet"),
            excel: cfg!(feature = "excel"),
            parquet: cfg!(feature = "parquet"),
            edits: true,
        },
    }
}
