//! The release of a run in memory, with the evidence on it, and attacks that run when asked for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hedgerow::Error;
use hedgerow::job::{Job, Kept, Sides};

use super::Watcher;
use crate::fault::{Fault, Problem, Refusal};
use crate::studio::Studio;

/// The release of a run.
pub(crate) struct Detail {
    pub(crate) kept: Kept,
    evidence: Mutex<Arc<Sides>>,
    attacks: Mutex<Attacks>,
}

/// Progress of the attacks on a release.
#[derive(Clone, Default)]
pub(crate) enum Attacks {
    /// Not requested.
    #[default]
    None,
    /// Running; setting the flag stops them.
    Running(Arc<AtomicBool>),
    /// Finished; the evidence has the results.
    Done,
    Failed(Problem),
}

impl Attacks {
    /// The state as the page reads it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Running(_) => "running",
            Self::Done => "done",
            Self::Failed(_) => "failed",
        }
    }
}

impl Detail {
    /// Makes the release of a job, and measures it against the original.
    pub(crate) fn make(job: &Job, watcher: &Watcher<'_>) -> hedgerow::Result<Self> {
        let kept = Kept::of(job, watcher)?;
        watcher.step("measure");
        let folder = watcher.studio().folder.scratch()?;
        let sides = kept.unattacked(folder.path(), watcher)?;
        let evidence = Mutex::new(Arc::new(sides));
        Ok(Self { kept, evidence, attacks: Mutex::default() })
    }

    /// The evidence on the release; it has attacks once these are done.
    pub(crate) fn evidence(&self) -> Arc<Sides> {
        Arc::clone(&lock(&self.evidence))
    }

    /// The state of the attacks.
    pub(crate) fn attacks(&self) -> Attacks {
        lock(&self.attacks).clone()
    }

    /// Starts the attacks in the background, unless they run or are done.
    pub(crate) fn attack(self: &Arc<Self>, studio: &Studio, id: u64) {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        {
            let mut attacks = lock(&self.attacks);
            if matches!(*attacks, Attacks::Running(_) | Attacks::Done) {
                return;
            }
            *attacks = Attacks::Running(Arc::clone(&is_cancelled));
        }
        let detail = Arc::clone(self);
        studio.in_background(move |studio| {
            let watcher = Watcher::of_run(studio, "attacks", Some(id), is_cancelled);
            watcher.step("attack");
            // A fault in an attack must not leave it running for ever.
            let done = catch_unwind(AssertUnwindSafe(|| detail.attacked(&watcher)));
            let after = match done {
                Ok(Ok(())) => Attacks::Done,
                Ok(Err(Error::Cancelled)) => Attacks::None,
                Ok(Err(error)) => Attacks::Failed(Refusal::of(&error).problem),
                Err(_) => {
                    let fault = Fault::internal("a fault of hedgerow ended the attacks");
                    Attacks::Failed(fault.refusal().problem)
                }
            };
            *lock(&detail.attacks) = after;
            watcher.end();
            studio.change(&["runs"], |_| ());
        });
    }

    /// Stops the attacks if they run.
    pub(crate) fn stop_attacks(&self) {
        if let Attacks::Running(is_cancelled) = &*lock(&self.attacks) {
            is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn attacked(&self, watcher: &Watcher<'_>) -> hedgerow::Result<()> {
        let folder = watcher.studio().folder.scratch()?;
        let sides = self.kept.evidence(folder.path(), watcher)?;
        *lock(&self.evidence) = Arc::new(sides);
        Ok(())
    }
}

fn lock<T>(content: &Mutex<T>) -> MutexGuard<'_, T> {
    content.lock().unwrap_or_else(PoisonError::into_inner)
}
