//! The open table, its job, hierarchies with their edits, and runs.

mod events;
mod folder;
mod opened;
mod classes;
mod edits;
mod hierarchies;
mod trial;
mod inputs;
mod comments;
mod job;
mod open;
mod watcher;
mod detail;
mod runs;
mod sweep;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hedgerow::job::Job;

pub(crate) use classes::{Asked, Classes, OUT};
pub(crate) use detail::{Attacks, Detail};
pub(crate) use edits::{Edits, Shelf, about, replace};
pub(crate) use events::Events;
pub(crate) use folder::{Folder, Upload};
pub(crate) use hierarchies::{
    Candidate, CandidateView, Family, LevelCount, address, file_part, file_spec, findings,
    leaf_counts, levels, lowest_level, path_of,
};
pub(crate) use inputs::{Frozen, Texts, placed, senses_of};
pub(crate) use job::{JobChange, JobView, SpecChange, check_paths, check_spec, role_of, spec_of};
pub(crate) use open::{is_shown, kind_of, open_job_text, open_path, open_upload, reload};
pub(crate) use opened::{Opened, Stored};
#[cfg(test)]
pub(crate) use runs::Work;
pub(crate) use runs::{Brief, New, Queue, Run, RunState, brief, start_queue};
pub(crate) use trial::{Setting, Trial, Tried, column_costs, usual};
pub(crate) use watcher::Watcher;

use crate::fault::{Done, Fault, Problem};
use crate::studio::Studio;

/// The state that all pages share.
#[derive(Default)]
pub(crate) struct Session {
    /// Grows with every change.
    pub(crate) revision: u64,
    pub(crate) opened: Option<Arc<Opened>>,
    /// Whether the file of the table changed since it was read.
    pub(crate) is_stale: bool,
    /// The job; its paths are relative to `base`.
    pub(crate) job: Job,
    /// The folder of the job file.
    pub(crate) base: PathBuf,
    /// The job file; `None` without a table, and for one that was uploaded.
    pub(crate) job_path: Option<PathBuf>,
    pub(crate) is_saved: bool,
    /// The text of the job file, whose comments are kept.
    pub(crate) written: String,
    /// The reason why the job file could not be written.
    pub(crate) unsaved: Option<String>,
    /// The edits and senses that the job reads, as they are now.
    pub(crate) texts: Texts,
    /// A job file with errors that was to be opened, and why it was not.
    pub(crate) broken_job: Option<BrokenJob>,
    pub(crate) families: BTreeMap<String, Family>,
    pub(crate) runs: Vec<Run>,
    pub(crate) chosen_run: Option<u64>,
    pub(crate) n_sweeps: u64,
}

/// A job file that cannot be used.
#[derive(Clone)]
pub(crate) struct BrokenJob {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) problem: Problem,
}

impl Session {
    /// The open table.
    pub(crate) fn table(&self) -> Done<Arc<Opened>> {
        self.opened.clone().ok_or_else(|| {
            Fault::conflict("no table is open").advise("open a table or a job file first")
        })
    }

    /// The job with paths that do not depend on the working directory.
    pub(crate) fn absolute_job(&self) -> Job {
        self.job.clone().in_folder(&self.base)
    }

    /// Prefix of the names of files that belong to the job: the name of the job file, or of an
    /// uploaded table.
    pub(crate) fn stem(&self) -> String {
        let path = self.job_path.as_deref().or(self.opened.as_ref().map(|opened| &*opened.path));
        let name = path.and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let stem = name.strip_suffix(".job.toml").or_else(|| name.strip_suffix(".toml"));
        let stem = stem.or_else(|| name.split('.').next()).filter(|stem| !stem.is_empty());
        stem.unwrap_or("table").to_owned()
    }

    /// A run by its number.
    pub(crate) fn run(&self, id: u64) -> Done<&Run> {
        let found = self.runs.iter().find(|run| run.id == id);
        found.ok_or_else(|| Fault::missing(format!("there is no run {id}")))
    }

    /// The run that reports and exports are about: the chosen one, or the last that has a release.
    pub(crate) fn current_run(&self) -> Option<&Run> {
        // Runs of a sweep have figures only.
        let has_release = |run: &&Run| run.detail.is_some();
        let chosen = self.chosen_run.and_then(|id| self.runs.iter().find(|run| run.id == id));
        chosen.filter(has_release).or_else(|| self.runs.iter().rev().find(has_release))
    }
}

/// Starts the thread of runs, and opens the table or job that the studio was started with.
pub(crate) fn start(studio: &Arc<Studio>) {
    start_queue(studio);
    if let Some(path) = studio.options.open.clone() {
        let studio = Arc::clone(studio);
        std::thread::spawn(move || {
            let path = path.to_string_lossy().into_owned();
            if let Err(fault) = open_path(&studio, &path, None, false) {
                let problem = fault.refusal().problem;
                // The page shows it; the file may be corrected and opened again.
                studio.change(&["table", "job"], |session| {
                    if session.broken_job.is_none() {
                        let (path, text) = (path.into(), String::new());
                        session.broken_job = Some(BrokenJob { path, text, problem });
                    }
                });
            }
        });
    }
}

/// Notices that the file of the table changed.
pub(crate) fn watch(studio: &Studio) {
    let opened = studio.session().opened.clone();
    let Some(opened) = opened else { return };
    let is_stale = opened.is_stale();
    if studio.session().is_stale != is_stale {
        studio.change(&["table"], |session| session.is_stale = is_stale);
    }
}
