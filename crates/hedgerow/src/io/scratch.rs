//! What an interrupted process would leave behind, and the moment at which outputs get their names.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Error, Result};

/// Temporary files and folders that have a name, and what became of the outputs, in the whole process.
struct Scratch {
    names: Vec<PathBuf>,
    n_placed: usize,
    is_closed: bool,
}

static SCRATCH: Mutex<Scratch> =
    Mutex::new(Scratch { names: Vec::new(), n_placed: 0, is_closed: false });

/// Ends all writing of this process: removes the temporary files that have a name, and lets no
/// further output get its final name. Returns whether an output got its name before.
///
/// A program calls this right before it exits while a run is still busy, for example because the run
/// did not react to a cancelled [`Progress`](crate::progress::Progress) in time. Whatever the run does
/// afterwards ends in [`Error::Cancelled`].
pub fn abandon() -> bool {
    let mut scratch = lock();
    scratch.is_closed = true;
    for name in std::mem::take(&mut scratch.names) {
        remove(&name);
    }
    scratch.n_placed > 0
}

/// Gives an output its final name with `place`, unless everything was abandoned.
pub(super) fn commit(place: impl FnOnce() -> Result<()>) -> Result<()> {
    let mut scratch = lock();
    if scratch.is_closed {
        return Err(Error::Cancelled);
    }
    place()?;
    scratch.n_placed += 1;
    Ok(())
}

/// A temporary name that [`abandon`] removes as long as this value lives.
#[derive(Debug)]
pub(super) struct Registered(PathBuf);

impl Registered {
    pub(super) fn new(name: &Path) -> Self {
        // The working directory may be another by the time it is removed.
        let name = std::path::absolute(name).unwrap_or_else(|_| name.to_owned());
        lock().names.push(name.clone());
        Self(name)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        lock().names.retain(|name| *name != self.0);
    }
}

fn lock() -> MutexGuard<'static, Scratch> {
    SCRATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a file or folder, even if another thread is still writing into the folder.
fn remove(name: &Path) {
    const TRIES: usize = 10;
    for _ in 0..TRIES {
        let removed =
            if name.is_dir() { std::fs::remove_dir_all(name) } else { std::fs::remove_file(name) };
        if removed.is_ok() || !name.exists() {
            return;
        }
    }
}
