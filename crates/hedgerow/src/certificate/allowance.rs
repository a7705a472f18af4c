//! The work that an enumeration may take.

use crate::Error;
use crate::progress::{Progress, stop_at, stop_if_cancelled};

/// Number of cohorts, or of parts of attributes, that may still be looked at.
pub(super) struct Allowance<'a> {
    left: u64,
    n_spent: usize,
    progress: &'a dyn Progress,
}

/// The reason that an enumeration stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// The allowance did not suffice.
    Exhausted,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl<'a> Allowance<'a> {
    pub(super) fn new(left: u64, progress: &'a dyn Progress) -> Self {
        Self { left, n_spent: 0, progress }
    }

    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Stops if the run was cancelled.
    pub(super) fn check(&self) -> Result<(), Stop> {
        Ok(stop_if_cancelled(self.progress)?)
    }

    /// Stops if less than this is left, or if the run was cancelled.
    pub(super) fn spend(&mut self, n: usize) -> Result<(), Stop> {
        self.left = self.left.checked_sub(n as u64).ok_or(Stop::Exhausted)?;
        self.n_spent += 1;
        Ok(stop_at(self.n_spent, self.progress)?)
    }
}
