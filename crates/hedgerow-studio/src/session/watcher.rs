//! Passes the progress of the engine on to the page, and cancels it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hedgerow::noun::grouped;
use hedgerow::progress::{Progress, Stage};
use serde_json::json;

use crate::studio::Studio;

/// Minimum time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(100);

/// Attacks have fewer units than this.
const MOST_ATTACKS: u64 = 100;

/// Follows one piece of work.
pub(crate) struct Watcher<'a> {
    studio: &'a Studio,
    /// The task: `opening`, `growing`, `trying`, `run`, `attacks`, `export`.
    task: &'static str,
    /// The run, if it is one.
    id: Option<u64>,
    is_cancelled: Arc<AtomicBool>,
    told: Mutex<Told>,
}

struct Told {
    at: Option<Instant>,
    stage: &'static str,
    method: String,
}

impl<'a> Watcher<'a> {
    pub(crate) fn new(studio: &'a Studio, task: &'static str) -> Self {
        Self::of_run(studio, task, None, Arc::default())
    }

    pub(crate) fn of_run(
        studio: &'a Studio,
        task: &'static str,
        id: Option<u64>,
        is_cancelled: Arc<AtomicBool>,
    ) -> Self {
        let told = Mutex::new(Told { at: None, stage: "read", method: String::new() });
        studio.begin_work();
        Self { studio, task, id, is_cancelled, told }
    }

    /// The studio that the work is done for.
    pub(crate) fn studio(&self) -> &'a Studio {
        self.studio
    }

    /// Says that the work is at an end.
    pub(crate) fn end(&self) {
        self.tell("done", Some(1.0), "done");
    }

    /// Names a step that the engine does not name itself.
    pub(crate) fn step(&self, stage: &'static str) {
        self.lock().stage = stage;
        self.tell(stage, None, doing(stage));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, stage: &str, done: Option<f64>, doing: &str) {
        let mut session = self.studio.session();
        // Other tasks about a run, such as attacks on its release, come after its end.
        if let Some(id) = self.id.filter(|_| self.task == "run")
            && let Some(run) = session.runs.iter_mut().find(|run| run.id == id)
        {
            (run.stage, run.done, run.doing) =
                (Some(stage.to_owned()), done, Some(doing.to_owned()));
        }
        let revision = session.revision;
        drop(session);
        let progress = json!({ "task": self.task, "id": self.id, "stage": stage, "done": done, "doing": doing });
        self.studio.events.progress(revision, &progress);
    }
}

/// Describes a stage in words.
fn doing(stage: &str) -> &'static str {
    match stage {
        "read" => "reading the table",
        "hierarchies" => "growing hierarchies",
        "search" => "searching for classes",
        "write" => "writing the release",
        "verify" => "counting what the release shows",
        "compare" => "comparing",
        "measure" => "measuring risk and what is still visible",
        "attack" => "trying to break the release",
        "try" => "trying candidates on a sample",
        _ => "working",
    }
}

impl Drop for Watcher<'_> {
    fn drop(&mut self) {
        self.studio.end_work();
    }
}

impl Progress for Watcher<'_> {
    fn stage(&self, stage: Stage) {
        self.step(stage.name());
    }

    fn trying(&self, method: &str) {
        method.clone_into(&mut self.lock().method);
    }

    fn advance(&self, done: u64, total: u64) {
        let (stage, text) = {
            let mut told = self.lock();
            if told.at.is_some_and(|at| at.elapsed() < PAUSE) {
                return;
            }
            told.at = Some(Instant::now());
            let what = doing(told.stage);
            let with = if told.stage == "search" && !told.method.is_empty() {
                format!(" with {}", told.method)
            } else {
                String::new()
            };
            let text = match total {
                0 => format!("{what}{with}"),
                // Reading and writing count bytes or records; attacks are a few.
                _ if told.stage == "attack" && total < MOST_ATTACKS => {
                    format!("{what}: attack {} of {total}", done + 1)
                }
                _ if matches!(told.stage, "read" | "measure" | "attack") => {
                    format!("{what}: {}%", 100 * done / total.max(1))
                }
                _ => format!("{what}{with}: {} of {}", grouped(done), grouped(total)),
            };
            (told.stage, text)
        };
        let share = (total > 0).then(|| (done as f64 / total as f64).min(1.0));
        self.tell(stage, share, &text);
    }

    fn cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed) || self.studio.is_ending()
    }
}
