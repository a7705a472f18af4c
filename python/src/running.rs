//! Runs work of the library in a thread, while the calling thread listens to Python.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use hedgerow::progress::{Progress, Stage};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::raised;

/// Time between two checks of the calling thread for Ctrl-C, which also report progress.
const PAUSE: Duration = Duration::from_millis(50);
/// Searches run in a thread with as much stack as a main thread has.
const STACK: usize = 8 << 20;

/// Runs `work` without the GIL. Ctrl-C cancels it.
///
/// `listener` is called as `listener(stage, method, done, total)` about twenty times a second.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    listener: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Progress) -> hedgerow::Result<T> + Send,
) -> PyResult<T> {
    let shared = Shared::default();
    let done = std::thread::scope(|scope| {
        let progress = &shared;
        let body = move || {
            let _end = End(progress);
            work(progress)
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, body)?;
        let mut interrupted = None;
        while !py.detach(|| shared.waits()) {
            if interrupted.is_none() {
                interrupted = py.check_signals().and_then(|()| shared.tell(listener)).err();
                shared.is_cancelled.store(interrupted.is_some(), Ordering::Relaxed);
            }
        }
        let result = py.detach(|| thread.join()).unwrap_or_else(|panic| resume_unwind(panic));
        match interrupted {
            Some(error) => Err(error),
            None => result.map_err(|error| raised(py, &error)),
        }
    })?;
    shared.tell(listener)?;
    Ok(done)
}

/// State that the two threads share.
#[derive(Default)]
struct Shared {
    is_cancelled: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
    now: Mutex<(Option<Stage>, String)>,
    has_ended: Mutex<bool>,
    ended: Condvar,
}

/// Says that the work has ended, also if it panicked.
struct End<'a>(&'a Shared);

impl Drop for End<'_> {
    fn drop(&mut self) {
        *self.0.has_ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.ended.notify_all();
    }
}

impl Shared {
    /// Waits for a moment, and returns whether the work has ended.
    fn waits(&self) -> bool {
        let has_ended = self.has_ended.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ended.wait_timeout_while(has_ended, PAUSE, |has_ended| !*has_ended);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Reports the progress to Python.
    fn tell(&self, listener: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let Some(listener) = listener else { return Ok(()) };
        let (stage, method) = self.now.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(stage) = stage else { return Ok(()) };
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        listener.call1((stage.name(), method, count(&self.done), count(&self.total)))?;
        Ok(())
    }

    fn note(&self, change: impl FnOnce(&mut (Option<Stage>, String))) {
        change(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner));
        self.advance(0, 0);
    }
}

impl Progress for Shared {
    fn stage(&self, stage: Stage) {
        self.note(|now| *now = (Some(stage), String::new()));
    }

    fn trying(&self, method: &str) {
        self.note(|now| method.clone_into(&mut now.1));
    }

    fn advance(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// The exception for something that cannot happen.
pub(crate) fn bug(problem: &str) -> PyErr {
    PyRuntimeError::new_err(problem.to_owned())
}
