//! What an interrupted process would leave behind, and the moment at which outputs get their names.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Error, Result};

/// The temporary files and folders of this process that have a name; `None` once they are removed.
static NAMES: Mutex<Option<Vec<PathBuf>>> = Mutex::new(Some(Vec::new()));

/// Through which outputs get their final names, one at a time. Locked before [`NAMES`] where both are.
static GATE: Mutex<Gate> = Mutex::new(Gate { n_passed: 0, is_closed: false });

struct Gate {
    n_passed: usize,
    is_closed: bool,
}

/// Ends all writing of this process: removes the temporary files that have a name, and lets no
/// further output get its final name. Returns whether an output got its name before.
///
/// A program calls this right before it exits while a run is still busy, for example because the run
/// did not react to a cancelled [`Progress`](crate::progress::Progress) in time. Whatever the run does
/// afterwards ends in [`Error::Cancelled`].
pub fn abandon() -> bool {
    let mut gate = lock(&GATE);
    gate.is_closed = true;
    let names = lock(&NAMES).take();
    names.into_iter().flatten().for_each(|name| remove(&name));
    gate.n_passed > 0
}

/// Gives an output its final name with `place`, unless everything was abandoned.
pub(super) fn commit(place: impl FnOnce() -> Result<()>) -> Result<()> {
    let mut gate = lock(&GATE);
    if gate.is_closed {
        return Err(Error::Cancelled);
    }
    place()?;
    gate.n_passed += 1;
    Ok(())
}

/// A temporary name that [`abandon`] removes as long as this value lives.
#[derive(Debug)]
pub(super) struct Registered(PathBuf);

impl Registered {
    /// Creates something that has a temporary name, unless everything was abandoned.
    pub(super) fn create<T>(
        create: impl FnOnce() -> std::io::Result<T>,
        name: impl FnOnce(&T) -> &Path,
    ) -> std::io::Result<(T, Self)> {
        let mut names = lock(&NAMES);
        let names = names.as_mut().ok_or(std::io::ErrorKind::Interrupted)?;
        let created = create()?;
        // The working directory may be another by the time it is removed.
        let name = std::path::absolute(name(&created))?;
        names.push(name.clone());
        Ok((created, Self(name)))
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        if let Some(names) = lock(&NAMES).as_mut() {
            names.retain(|name| *name != self.0);
        }
    }
}

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
