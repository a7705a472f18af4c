//! How a long run tells its caller where it is, and learns that it should stop.

use std::time::{Duration, Instant};

use crate::{Error, Result};

/// A stage of a run, in the order in which they happen.
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
    /// The written file is read again and its claims are counted.
    Verify,
}

impl Stage {
    /// The stage's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Hierarchies => "hierarchies",
            Self::Search => "search",
            Self::Write => "write",
            Self::Verify => "verify",
        }
    }
}

/// What a caller may watch, and the way to stop a run.
///
/// The library measures no times: a caller who wants them takes them here.
pub trait Progress: Sync {
    /// A stage begins.
    fn stage(&self, _stage: Stage) {}

    /// `done` of `total` units of the current stage are finished; `total` is 0 when unknown.
    fn advance(&self, _done: u64, _total: u64) {}

    /// Whether the run should end as soon as it can.
    fn cancelled(&self) -> bool {
        false
    }

    /// Whether a search that can end at any time should end with the best it has.
    fn out_of_time(&self) -> bool {
        false
    }
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Another progress with a time after which a search that can ends with the best it has.
#[derive(Clone, Copy)]
pub struct Deadline<'a> {
    progress: &'a dyn Progress,
    end: Option<Instant>,
}

impl<'a> Deadline<'a> {
    /// Lets a search last so many seconds from now on; without a number, as long as `progress` says.
    pub fn after(seconds: Option<f64>, progress: &'a dyn Progress) -> Self {
        let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        // A time beyond what a clock can show is no limit.
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { progress, end }
    }
}

impl Progress for Deadline<'_> {
    fn stage(&self, stage: Stage) {
        self.progress.stage(stage);
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
}

/// Ends a run whose caller wants it to stop.
pub(crate) fn stop_if_cancelled(progress: &dyn Progress) -> Result<()> {
    if progress.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}
