//! Runs: a queue, one after the other on a thread of their own, each with its progress.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hedgerow::Error;
use hedgerow::compare::{Figures, Grid};
use hedgerow::job::Job;
use serde::Serialize;

use super::opened::Stamp;
use super::sweep::sweep;
use super::{Detail, Frozen, Opened, Session, Texts, Watcher};
use crate::fault::{Fault, Problem, Refusal};
use crate::studio::Studio;

/// Runs whose releases stay in memory; older ones keep their figures.
const MOST_DETAILS: usize = 8;

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunState {
    Queued,
    Running,
    Done,
    Failed,
    Cancelled,
}

/// A run of the session.
#[derive(Clone)]
pub(crate) struct Run {
    pub(crate) id: u64,
    pub(crate) state: RunState,
    /// The job that it runs, with absolute paths and copies of its edits and senses.
    pub(crate) frozen: Frozen,
    /// The same with the paths of the job file, which say what changed since.
    pub(crate) told: Job,
    /// The edits and senses, for the same purpose.
    texts: Texts,
    /// The table that it read.
    pub(crate) read: Option<Stamp>,
    /// Name of its hierarchies: `chosen`, or a setting of a sweep.
    pub(crate) hierarchies: String,
    pub(crate) sweep: Option<u64>,
    pub(crate) stage: Option<String>,
    pub(crate) done: Option<f64>,
    pub(crate) doing: Option<String>,
    started: Option<Instant>,
    seconds: f64,
    /// The figures of a run that is done.
    pub(crate) figures: Option<Figures>,
    pub(crate) problem: Option<Problem>,
    pub(crate) detail: Option<Arc<Detail>>,
    pub(super) is_cancelled: Arc<AtomicBool>,
}

/// Summary of a run for the list of the page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Brief {
    pub(crate) id: u64,
    pub(crate) state: RunState,
    pub(crate) title: String,
    pub(crate) method: String,
    pub(crate) k: u64,
    pub(crate) hierarchies: String,
    pub(crate) models: String,
    pub(crate) sweep: Option<u64>,
    pub(crate) stage: Option<String>,
    pub(crate) done: Option<f64>,
    pub(crate) doing: Option<String>,
    pub(crate) seconds: f64,
    pub(crate) loss: Option<f64>,
    pub(crate) average_risk: Option<f64>,
    pub(crate) highest_risk: Option<f64>,
    pub(crate) suppressed: Option<u64>,
    pub(crate) classes: Option<u64>,
    pub(crate) smallest_class: Option<u64>,
    pub(crate) on_front: bool,
    pub(crate) stale: bool,
    pub(crate) error: Option<Problem>,
}

/// Numbers of runs that wait.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    tasks: VecDeque<Task>,
    /// Number of runs so far; they count from 1.
    n_runs: u64,
}

/// The next task of the thread of runs.
enum Task {
    /// One run, and the work that makes its release.
    Single(u64, Work),
    /// The cells of a grid, and the runs that they are.
    Sweep(Box<Grid>, Vec<u64>),
}

/// Makes the release of a job.
pub(crate) type Work = fn(&Job, &Watcher<'_>) -> hedgerow::Result<Detail>;

impl Run {
    /// Stops the run at the next look of the engine.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// The same run again, as a single one.
    pub(crate) fn again(&self) -> New {
        New {
            frozen: self.frozen.clone(),
            told: self.told.clone(),
            texts: self.texts.clone(),
            hierarchies: self.hierarchies.clone(),
            sweep: None,
        }
    }

    /// The job that it runs, with absolute paths.
    pub(crate) fn job(&self) -> &Job {
        &self.frozen.job
    }

    /// Whether it read the records that an open table has, in the same order.
    pub(crate) fn is_of(&self, opened: &Opened) -> bool {
        self.read == Some(opened.stamp) && opened.is_read_like(self.job())
    }

    fn has_ended(&self) -> bool {
        matches!(self.state, RunState::Done | RunState::Failed | RunState::Cancelled)
    }

    fn seconds(&self) -> f64 {
        match self.started {
            Some(started) if !self.has_ended() => started.elapsed().as_secs_f64(),
            _ => self.seconds,
        }
    }
}

impl Queue {
    /// Queues a run of a job as it is.
    pub(crate) fn single(&self, session: &mut Session, new: New) -> u64 {
        self.made(session, new, Detail::make)
    }

    /// Queues a run whose release is made by `work`.
    pub(crate) fn made(&self, session: &mut Session, new: New, work: Work) -> u64 {
        let id = self.add(session, new);
        self.push(Task::Single(id, work));
        id
    }

    /// Queues all cells of a grid. `new` says what they have in common.
    pub(crate) fn sweep(
        &self,
        session: &mut Session,
        grid: Grid,
        new: &New,
    ) -> hedgerow::Result<Vec<u64>> {
        let cells = grid.cells()?;
        let mut ids = Vec::with_capacity(cells.len());
        for cell in &cells {
            let job = cell.job(&grid.base);
            let told = Job { k: job.k, method: job.method.clone(), ..new.told.clone() };
            let frozen = new.frozen.with_job(job);
            ids.push(self.add(session, New { frozen, told, ..new.clone() }));
        }
        self.push(Task::Sweep(Box::new(grid), ids.clone()));
        Ok(ids)
    }

    fn add(&self, session: &mut Session, new: New) -> u64 {
        let id = {
            let mut waiting = self.lock();
            waiting.n_runs += 1;
            waiting.n_runs
        };
        session.runs.push(Run {
            id,
            state: RunState::Queued,
            frozen: new.frozen,
            told: new.told,
            texts: new.texts,
            read: None,
            hierarchies: new.hierarchies,
            sweep: new.sweep,
            stage: None,
            done: None,
            doing: None,
            started: None,
            seconds: 0.0,
            figures: None,
            problem: None,
            detail: None,
            is_cancelled: Arc::default(),
        });
        id
    }

    fn push(&self, task: Task) {
        self.lock().tasks.push_back(task);
        self.changed.notify_all();
    }

    /// Waits for the next task; `None` if the studio ends meanwhile.
    fn next(&self, studio: &Studio) -> Option<Task> {
        let mut waiting = self.lock();
        loop {
            if studio.is_ending() {
                return None;
            }
            if let Some(task) = waiting.tasks.pop_front() {
                return Some(task);
            }
            let wait = self.changed.wait_timeout(waiting, Duration::from_millis(200));
            waiting = wait.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run that is to be queued.
#[derive(Clone)]
pub(crate) struct New {
    pub(crate) frozen: Frozen,
    /// The job as its file says it.
    pub(crate) told: Job,
    /// The edits and senses that it reads.
    pub(crate) texts: Texts,
    /// Name of its hierarchies.
    pub(crate) hierarchies: String,
    pub(crate) sweep: Option<u64>,
}

/// Starts the thread that runs one task after the other.
pub(crate) fn start_queue(studio: &Arc<Studio>) {
    let studio = Arc::clone(studio);
    std::thread::spawn(move || {
        while let Some(task) = studio.queue.next(&studio) {
            match task {
                Task::Single(id, work) => single(&studio, id, work),
                Task::Sweep(grid, ids) => sweep(&studio, &grid, &ids),
            }
        }
    });
}

/// Marks a run as running; `None` if it was cancelled or removed before. `stamp` gives the stamp of
/// the table that it reads.
pub(super) fn begin(
    studio: &Studio,
    id: u64,
    stamp: impl FnOnce(&Path) -> Option<Stamp>,
) -> Option<(Job, Arc<AtomicBool>)> {
    let begun = studio.change(&["runs"], |session| {
        let run = session.runs.iter_mut().find(|run| run.id == id)?;
        if run.state != RunState::Queued || run.is_cancelled.load(Ordering::Relaxed) {
            return None;
        }
        (run.state, run.started) = (RunState::Running, Some(Instant::now()));
        run.read = stamp(&run.job().input);
        Some((run.job().clone(), Arc::clone(&run.is_cancelled)))
    });
    tell(studio, id);
    begun
}

/// The result of a run.
pub(super) struct Ended {
    pub(super) figures: Option<Figures>,
    pub(super) detail: Option<Arc<Detail>>,
    pub(super) problem: Option<Problem>,
    pub(super) is_cancelled: bool,
}

pub(super) fn end(studio: &Studio, id: u64, ended: Ended) {
    studio.change(&["runs"], |session| {
        let Some(run) = session.runs.iter_mut().find(|run| run.id == id) else { return };
        run.seconds = run.seconds();
        run.state = match (&ended.problem, ended.is_cancelled) {
            (_, true) => RunState::Cancelled,
            (Some(_), false) => RunState::Failed,
            (None, false) => RunState::Done,
        };
        (run.stage, run.done, run.doing) = (None, None, None);
        run.figures = ended.figures;
        run.detail = ended.detail;
        run.problem = ended.problem;
        let with_detail: Vec<u64> =
            session.runs.iter().filter(|run| run.detail.is_some()).map(|run| run.id).collect();
        let n_old = with_detail.len().saturating_sub(MOST_DETAILS);
        let chosen = session.chosen_run;
        for run in session.runs.iter_mut().filter(|run| with_detail[..n_old].contains(&run.id)) {
            if Some(run.id) != chosen {
                run.detail = None;
            }
        }
    });
    tell(studio, id);
}

/// Reports the state of a run to the pages.
fn tell(studio: &Studio, id: u64) {
    let session = studio.session();
    let found = session.runs.iter().find(|run| run.id == id).map(|run| brief(run, &session));
    let revision = session.revision;
    drop(session);
    if let Some(value) = found.and_then(|brief| serde_json::to_value(brief).ok()) {
        studio.events.run(revision, &value);
    }
}

fn single(studio: &Studio, id: u64, work: Work) {
    let Some((job, is_cancelled)) = begin(studio, id, Stamp::of) else { return };
    let job = Job { threads: studio.run_threads(), ..job };
    let watcher = Watcher::of_run(studio, "run", Some(id), is_cancelled);
    // A fault in a method must not end the server.
    let done = catch_unwind(AssertUnwindSafe(|| work(&job, &watcher)));
    let ended = match done {
        Ok(Ok(detail)) => Ended {
            figures: Figures::of(detail.kept.outcome()),
            detail: Some(Arc::new(detail)),
            problem: None,
            is_cancelled: false,
        },
        Ok(Err(error)) => {
            let told = studio.session().run(id).ok().map(|run| run.told.clone());
            failed(&error, told.as_ref())
        }
        Err(_) => panicked(),
    };
    end(studio, id, ended);
}

/// The end of a run with an error; of a single run, `told` is the job as its file says it.
pub(super) fn failed(error: &Error, told: Option<&Job>) -> Ended {
    let is_cancelled = matches!(error, Error::Cancelled);
    let problem = Some(Refusal::of_run(error, told).problem);
    Ended { figures: None, detail: None, problem: problem.filter(|_| !is_cancelled), is_cancelled }
}

pub(super) fn panicked() -> Ended {
    let fault = Fault::internal("a fault of hedgerow ended this run; the studio goes on")
        .advise("report the method and its parameters, without the data");
    let problem = Some(fault.refusal().problem);
    Ended { figures: None, detail: None, problem, is_cancelled: false }
}

/// Summarizes a run for the list of the page.
pub(crate) fn brief(run: &Run, session: &Session) -> Brief {
    let figures = run.figures.as_ref();
    let models: Vec<String> = run.job().privacy.iter().map(ToString::to_string).collect();
    let method = run.job().method.to_string();
    let k = run.job().k;
    let chosen = figures.map(|figures| figures.chosen.clone()).filter(|chosen| *chosen != method);
    let said = chosen.map_or_else(|| method.clone(), |chosen| format!("{method} ({chosen})"));
    Brief {
        id: run.id,
        state: run.state,
        title: format!("{said}, k = {k}, {} hierarchies", run.hierarchies),
        method,
        k,
        hierarchies: run.hierarchies.clone(),
        models: models.join(", "),
        sweep: run.sweep,
        stage: run.stage.clone(),
        done: run.done,
        doing: run.doing.clone(),
        seconds: run.seconds(),
        loss: figures.map(Figures::ntil),
        average_risk: figures.map(|figures| figures.risk.average),
        highest_risk: figures.map(|figures| figures.risk.highest),
        suppressed: figures.map(|figures| figures.suppressed),
        classes: figures.map(|figures| figures.classes),
        smallest_class: figures.map(|figures| figures.smallest_class),
        on_front: is_on_front(run, session),
        stale: is_stale(run, session),
        error: run.problem.clone(),
    }
}

/// Whether no other run with the same models has both less loss and less risk.
fn is_on_front(run: &Run, session: &Session) -> bool {
    let Some(own) = &run.figures else { return false };
    let point = |figures: &Figures| (figures.ntil(), figures.risk.average);
    let (loss, risk) = point(own);
    let others = session.runs.iter().filter(|other| other.job().privacy == run.job().privacy);
    !others.filter_map(|other| other.figures.as_ref()).map(point).any(|(other_loss, other_risk)| {
        other_loss <= loss && other_risk <= risk && (other_loss < loss || other_risk < risk)
    })
}

/// Whether the table, the job, or edits and senses that it reads changed since the run was queued,
/// apart from method and `k`, which runs differ in.
fn is_stale(run: &Run, session: &Session) -> bool {
    let same = |job: &Job| Job { k: 0, method: run.job().method.clone(), ..job.clone() };
    let is_of_table = session.opened.as_ref().is_some_and(|opened| run.is_of(opened));
    let is_of_other = run.read.is_some() && !is_of_table;
    is_of_other || run.texts != session.texts || same(&run.told) != same(&session.job)
}
