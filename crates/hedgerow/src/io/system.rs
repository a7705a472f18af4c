//! File system features beyond std: unnamed files, swapping folders, and syncing to disk.

use std::fs::File;
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

#[cfg(test)]
thread_local! {
    /// The syncs of this thread; true for folders.
    pub(super) static SYNCED: std::cell::RefCell<Vec<bool>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Waits until a file is on disk. File systems that do not support this are trusted.
pub(super) fn sync(file: &File) -> Result<()> {
    #[cfg(test)]
    SYNCED.with_borrow_mut(|synced| synced.push(file.metadata().is_ok_and(|data| data.is_dir())));
    match file.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        done => done,
    }
}

/// Waits until the names in a folder are on disk, if the folder can be opened.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    match File::open(folder) {
        Ok(folder) => sync(&folder),
        Err(_) => Ok(()), // the folder is not readable, or the system cannot open folders
    }
}

/// Creates an unnamed file, which disappears with the process however that ends.
///
/// Returns it with the path under which this process can open it again, or `None` if the system or
/// the file system does not support unnamed files.
#[cfg(target_os = "linux")]
pub(super) fn unnamed_file(folder: &Path) -> Option<(File, PathBuf)> {
    use rustix::fs::{Mode, OFlags};
    use std::os::fd::AsRawFd;

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    // As for any new file, the umask removes permissions.
    let file = File::from(rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    path.is_file().then_some((file, path)) // false without /proc
}

/// Gives a file from [`unnamed_file`] a name that is not in use.
#[cfg(target_os = "linux")]
pub(super) fn link(unnamed: &Path, name: &Path) -> Result<()> {
    use rustix::fs::{AtFlags, CWD};
    Ok(rustix::fs::linkat(CWD, unnamed, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

/// Swaps the names of two files or folders in one step.
#[cfg(target_os = "linux")]
pub(super) fn exchange(one: &Path, other: &Path) -> Result<()> {
    use rustix::fs::{CWD, RenameFlags};
    Ok(rustix::fs::renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn unnamed_file(_folder: &Path) -> Option<(File, PathBuf)> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn link(_unnamed: &Path, _name: &Path) -> Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn exchange(_one: &Path, _other: &Path) -> Result<()> {
    Err(ErrorKind::Unsupported.into())
}
