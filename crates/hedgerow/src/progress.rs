//! Progress of a long run, with a way for its caller to stop it.

use std::time::{Duration, Instant};

use crate::{Error, Result};

/// A stage of a run, in the order in which stages happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Stage {
    /// The table is read and counted.
    Read,
    /// Hierarchies are built or read.
    Hierarchies,
    /// The anonymizer searches.
    Search,
    /// The release is written.
    Write,
    /// The written file is read again and its claims are verified.
    Verify,
    /// The cells of a grid are run; units are hundredths of runs.
    Compare,
}

impl Stage {
    /// Name of the stage in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Hierarchies => "hierarchies",
            Self::Search => "search",
            Self::Write => "write",
            Self::Verify => "verify",
            Self::Compare => "compare",
        }
    }
}

/// Receives progress from a run and can stop it.
///
/// The library does not measure how long stages take; a caller can do so here.
pub trait Progress: Sync {
    /// Called when a stage begins.
    fn stage(&self, _stage: Stage) {}

    /// Called when a method begins to search, also on a sample to compare it with others.
    fn trying(&self, _method: &str) {}

    /// Called when `done` of `total` units of the current stage are finished. `total` is 0 if
    /// unknown.
    fn advance(&self, _done: u64, _total: u64) {}

    /// Whether the run should stop as soon as possible.
    fn cancelled(&self) -> bool {
        false
    }

    /// Whether a search that can stop at any time should return the best result so far.
    fn out_of_time(&self) -> bool {
        false
    }

    /// Whether [`Progress::out_of_time`] will end a search that would otherwise go on for too long.
    fn has_time_limit(&self) -> bool {
        false
    }

    /// Whether a search that can always be improved should go on until it is out of time.
    fn goes_on(&self) -> bool {
        false
    }

    /// Number of threads that a search may use. Its result does not depend on it.
    fn threads(&self) -> usize {
        1
    }
}

/// Ignores progress and never stops a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Adds a time limit for searches, and a number of threads, to another `Progress`.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'a> {
    progress: &'a dyn Progress,
    end: Option<Instant>,
    goes_on: bool,
    threads: usize,
}

impl<'a> Deadline<'a> {
    /// Limits a search to this number of seconds from now, in addition to any limit of `progress`.
    pub(crate) fn after(seconds: Option<f64>, progress: &'a dyn Progress) -> Self {
        let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        // A time beyond the range of the clock means no limit.
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { progress, end, goes_on: false, threads: progress.threads() }
    }

    /// A search that can always be improved uses all of the time, if it is limited.
    pub(crate) fn used_up(self) -> Self {
        Self { goes_on: self.end.is_some(), ..self }
    }

    /// A search may use this number of threads; 0 means 1.
    pub(crate) fn on_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }
}

impl Progress for Deadline<'_> {
    fn stage(&self, stage: Stage) {
        self.progress.stage(stage);
    }

    fn trying(&self, method: &str) {
        self.progress.trying(method);
    }

    fn advance(&self, done: u64, total: u64) {
        self.progress.advance(done, total);
    }

    fn cancelled(&self) -> bool {
        self.progress.cancelled()
    }

    fn out_of_time(&self) -> bool {
        self.progress.out_of_time() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn has_time_limit(&self) -> bool {
        self.end.is_some() || self.progress.has_time_limit()
    }

    fn goes_on(&self) -> bool {
        self.goes_on || self.progress.goes_on()
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

/// Calls a function and returns how long it took, to count it towards a time limit.
pub(crate) fn timed<T>(function: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (function(), start.elapsed())
}

/// Number of records, tuples or classes between two checks for cancellation.
const LOOK_EVERY: usize = 1 << 10;

/// Returns an error if the caller has cancelled the run. Loops call this with the place of every
/// item; only every 1024th item asks the caller, so that fast loops stay fast.
pub(crate) fn stop_at(place: usize, progress: &dyn Progress) -> Result<()> {
    if place.is_multiple_of(LOOK_EVERY) { stop_if_cancelled(progress) } else { Ok(()) }
}

/// Returns an error if the caller has cancelled the run.
pub(crate) fn stop_if_cancelled(progress: &dyn Progress) -> Result<()> {
    if progress.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}
