//! Temporary names that an interrupted process would leave behind, and the step in which outputs
//! get their final names.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{Error, Result};

/// Temporary files and folders of this process that have a name; `None` once they are removed.
static NAMES: Mutex<Option<Vec<PathBuf>>> = Mutex::new(Some(Vec::new()));

/// Outputs get their final names one at a time through this lock. It is taken before [`NAMES`] if
/// both are needed.
static GATE: Mutex<Gate> = Mutex::new(Gate { n_passed: 0, is_closed: false });

struct Gate {
    n_passed: usize,
    is_closed: bool,
}

/// Ends all writing of this process: removes temporary files that have a name and prevents further
/// outputs from getting their final names. Returns whether an output got its final name before.
///
/// A program calls this right before it exits while a run is still busy, for example because the
/// run did not react to a cancelled [`Progress`](crate::progress::Progress) in time. Outputs that
/// the run finishes afterwards fail with [`Error::Cancelled`].
pub fn abandon() -> bool {
    let mut gate = lock(&GATE);
    gate.is_closed = true;
    let names = lock(&NAMES).take();
    names.into_iter().flatten().for_each(|name| remove(&name));
    gate.n_passed > 0
}

/// Runs `place`, which gives an output its final name, unless [`abandon`] was called.
pub(super) fn commit(place: impl FnOnce() -> Result<()>) -> Result<()> {
    let mut gate = lock(&GATE);
    if gate.is_closed {
        return Err(Error::Cancelled);
    }
    place()?;
    gate.n_passed += 1;
    Ok(())
}

/// A temporary name that [`abandon`] removes while this value is alive.
#[derive(Debug)]
pub(super) struct Registered(PathBuf);

impl Registered {
    /// Creates a file or folder with a temporary name, unless [`abandon`] was called.
    pub(super) fn create<T>(
        create: impl FnOnce() -> std::io::Result<T>,
        name: impl FnOnce(&T) -> &Path,
    ) -> std::io::Result<(T, Self)> {
        let mut registered = lock(&NAMES);
        let names = registered.as_mut().ok_or(std::io::ErrorKind::Interrupted)?;
        let created = create()?;
        // The working directory may change before the file is removed.
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

/// Removes a file or folder, even if another thread is still writing to the folder.
fn remove(name: &Path) {
    const TRIES: usize = 200;
    const PAUSE: Duration = Duration::from_millis(1);
    for _ in 0..TRIES {
        let removed =
            if name.is_dir() { std::fs::remove_dir_all(name) } else { std::fs::remove_file(name) };
        if removed.is_ok() || !name.exists() {
            return;
        }
        // A file was created after the folder was listed. Without a pause, a writer that waits for
        // the processor would outlast all tries.
        std::thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_removed_although_a_thread_writes_to_it() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("folder");
        std::fs::create_dir(&folder).unwrap();
        let path = folder.clone();
        // The writer ends when the folder is gone.
        let writer = std::thread::spawn(move || {
            for number in 0..200_000 {
                if std::fs::write(path.join(number.to_string()), "x").is_err() {
                    return;
                }
            }
        });
        while std::fs::read_dir(&folder).unwrap().next().is_none() {}
        remove(&folder);
        writer.join().unwrap();
        assert!(!folder.exists());
    }
}
