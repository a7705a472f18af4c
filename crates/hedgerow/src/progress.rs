//! How a long run tells its caller where it is, and learns that it should stop.

use crate::{Error, Result};

/// A stage of a run, in the order in which they happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
/// The library never reads a clock: whoever wants times takes them here.
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

/// Ends a run whose caller wants it to stop.
pub(crate) fn stop_if_cancelled(progress: &dyn Progress) -> Result<()> {
    if progress.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}
