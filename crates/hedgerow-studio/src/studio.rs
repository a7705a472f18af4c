//! State that all requests share: options, the session, and the listeners to events.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use hedgerow::job::Job;
use hedgerow::report::{Flavour, Outcome};

use crate::session::{Events, Folder, Queue, Session};

/// Options of the studio.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder that tables are opened in and outputs are written to.
    pub folder: PathBuf,
    /// A table or a job file below the folder that is opened at once.
    pub open: Option<PathBuf>,
    /// The port; 0 chooses a free one.
    pub port: u16,
    /// A folder with the files of the page, which are read at every request instead of those in
    /// the binary.
    pub assets: Option<PathBuf>,
    /// Number of threads for reading and looking at a table; 0 means 1. Runs and sweeps use one
    /// less, if there are several, so that requests are answered meanwhile.
    pub threads: usize,
    /// Limits of requests.
    pub limits: Limits,
    /// Spells the command that verifies a release, if the program that serves the studio has one.
    pub verify: Option<VerifyCommand>,
}

/// Spells the command that verifies the release of a job, given the outcome of its run, for the
/// readers of a report.
pub type VerifyCommand = fn(&Job, &Outcome, Flavour) -> String;

/// Limits of requests.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum size of a request, except for uploads.
    pub body: usize,
    /// Maximum size of an upload.
    pub upload: u64,
    /// A request that sends nothing for this long is refused.
    pub pause: Duration,
    /// An upload that takes longer than a pause must have sent this many bytes for each second
    /// after that.
    pub rate: u64,
    /// A request other than an upload must have arrived after this time.
    pub whole: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 2 << 20,
            upload: 4 << 30,
            pause: Duration::from_secs(20),
            rate: 16 << 10,
            whole: Duration::from_secs(30),
        }
    }
}

/// The running studio.
pub(crate) struct Studio {
    pub(crate) options: Options,
    pub(crate) folder: Folder,
    pub(crate) events: Events,
    pub(crate) queue: Queue,
    /// Set when the server ends, which cancels everything.
    ended: AtomicBool,
    /// Number of pieces of work that the engine does.
    n_working: AtomicUsize,
    session: Mutex<Session>,
    /// Held by the thread of [`Studio::one_by_one`].
    alone: Mutex<()>,
    /// Whether another thread waits for it.
    is_waiting: AtomicBool,
    /// The studio itself, for threads that go on after a request.
    own: Weak<Self>,
}

impl Studio {
    pub(crate) fn new(options: Options, folder: Folder) -> Arc<Self> {
        Arc::new_cyclic(|own| Self {
            own: Weak::clone(own),
            n_working: AtomicUsize::new(0),
            options,
            folder,
            events: Events::default(),
            queue: Queue::default(),
            ended: AtomicBool::new(false),
            session: Mutex::default(),
            alone: Mutex::default(),
            is_waiting: AtomicBool::new(false),
        })
    }

    /// Does something on a thread of its own, after the request that asks for it was answered.
    pub(crate) fn in_background(&self, work: impl FnOnce(&Self) + Send + 'static) {
        // Only a studio that ends has no owner.
        let Some(own) = self.own.upgrade() else { return };
        std::thread::spawn(move || work(&own));
    }

    /// Does work on a thread of its own, after the work that this function was given before.
    /// Nothing is added while something waits.
    pub(crate) fn one_by_one(&self, work: fn(&Self)) {
        if self.is_waiting.swap(true, Ordering::Relaxed) {
            return;
        }
        self.in_background(move |studio| {
            // A panic leaves nothing half done that the next work would build on.
            let _alone = studio.alone.lock().unwrap_or_else(PoisonError::into_inner);
            studio.is_waiting.store(false, Ordering::Relaxed);
            work(studio);
        });
    }

    /// Number of threads of a run or sweep; one is left to requests if there are several.
    pub(crate) fn run_threads(&self) -> usize {
        self.options.threads.saturating_sub(1).max(1)
    }

    pub(crate) fn begin_work(&self) {
        self.n_working.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end_work(&self) {
        self.n_working.fetch_sub(1, Ordering::Relaxed);
    }

    /// Waits until the engine has removed what it left unfinished, but not longer than `most`.
    pub(crate) fn wait_for_work(&self, most: Duration) {
        let start = Instant::now();
        while self.n_working.load(Ordering::Relaxed) > 0 && start.elapsed() < most {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The session. The lock is held for moments only, never while the engine works.
    pub(crate) fn session(&self) -> MutexGuard<'_, Session> {
        // A panic leaves the session as it was: changes are made at the end of a request.
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the session, and notifies every open page of the change.
    pub(crate) fn change<T>(&self, what: &[&str], change: impl FnOnce(&mut Session) -> T) -> T {
        let mut session = self.session();
        let done = change(&mut session);
        session.revision += 1;
        self.events.changed(session.revision, what);
        done
    }

    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}
