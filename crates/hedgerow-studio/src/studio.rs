//! What all requests share: options, what is open, and who listens to events.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::fault::Spell;
use crate::session::{Events, Folder, Queue, Session};

/// How the studio is started.
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
    /// How advice in errors and warnings is written.
    pub spell: Spell,
    /// Number of threads for reading, writing and sweeps; 0 means 1.
    pub threads: usize,
    /// What a request may take.
    pub limits: Limits,
}

/// Limits of requests.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum size of a request, except for uploads.
    pub body: usize,
    /// Maximum size of an upload.
    pub upload: u64,
    /// A request that sends nothing for this long is refused.
    pub pause: Duration,
    /// A request other than an upload must have arrived after this time.
    pub whole: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 2 << 20,
            upload: 4 << 30,
            pause: Duration::from_secs(20),
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
    session: Mutex<Session>,
}

impl Studio {
    pub(crate) fn new(options: Options, folder: Folder) -> Self {
        Self {
            options,
            folder,
            events: Events::default(),
            queue: Queue::default(),
            ended: AtomicBool::new(false),
            session: Mutex::default(),
        }
    }

    /// What is open. The lock is held for moments only, never while the engine works.
    pub(crate) fn session(&self) -> MutexGuard<'_, Session> {
        // A panic leaves the session as it was: changes are made at the end of a request.
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the session, and tells every open page what changed.
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
