//! `PATCH /api/job` and `/api/job/text`: roles, the goal, and the job file as text.

use serde::{Deserialize, Serialize};

use super::{Answer, Call, answer, state};
use crate::fault::{Done, Problem};
use crate::session::{self, JobChange};
use crate::studio::Studio;

#[derive(Serialize)]
struct JobText {
    path: Option<String>,
    toml: String,
    problem: Option<Problem>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JobTextChange {
    toml: String,
    #[serde(default)]
    drop_runs: bool,
}

/// Changes roles or the goal, and saves the job file.
pub(super) fn change(studio: &Studio, call: &Call) -> Done<Answer> {
    let change: JobChange = call.json()?;
    let must_read = {
        let session = studio.session();
        let job = change.applied(&session, studio)?;
        let is_same = session.opened.as_ref().is_none_or(|opened| opened.is_read_like(&job));
        drop(session);
        studio.change(&["job"], |session| {
            session.job = job;
            session.save();
        });
        !is_same
    };
    if must_read {
        session::reload(studio)?;
    }
    state::answered(studio)
}

pub(super) fn text(studio: &Studio, _: &Call) -> Done<Answer> {
    let session = studio.session();
    let told = match &session.broken_job {
        Some(broken) => JobText {
            path: Some(studio.folder.relative(&broken.path)),
            toml: broken.text.clone(),
            problem: Some(broken.problem.clone()),
        },
        None => JobText {
            path: session.job_path.as_ref().map(|path| studio.folder.relative(path)),
            toml: session.text(),
            problem: None,
        },
    };
    answer(&told)
}

/// Replaces the job file; an error has a line, and nothing is changed.
pub(super) fn replace(studio: &Studio, call: &Call) -> Done<Answer> {
    let JobTextChange { toml, drop_runs } = call.json()?;
    session::open_job_text(studio, &toml, drop_runs)?;
    studio.change(&["job"], |session| {
        session.broken_job = None;
        session.save();
    });
    state::answered(studio)
}
