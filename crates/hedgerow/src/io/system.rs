//! What file systems can do beyond std: files without a name, folders that change places, and data
//! that is on the disk.

use std::fs::File;
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

#[cfg(test)]
thread_local! {
    /// What this thread waited for, of each whether it is a folder.
    pub(super) static SYNCED: std::cell::RefCell<Vec<bool>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Waits until a file is on the disk. File systems that cannot say so are believed.
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

/// Waits until the names in a folder are on the disk, if the folder may be opened.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    match File::open(folder) {
        Ok(folder) => sync(&folder),
        Err(_) => Ok(()), // a folder in which one may write but not look, or a system that opens none
    }
}

/// Creates a file without a name, which vanishes with the process however that ends. Returns it
/// with the path under which this process can open it again, or `None` where the system or the file
/// system has no such files.
#[cfg(target_os = "linux")]
pub(super) fn unnamed_file(folder: &Path) -> Option<(File, PathBuf)> {
    use rustix::fs::{Mode, OFlags};
    use std::os::fd::AsRawFd;

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    // As any new file: the umask takes away what others may not do.
    let file = File::from(rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    path.is_file().then_some((file, path)) // not without /proc
}

/// Gives a file of [`unnamed_file`] a name that nothing has yet.
#[cfg(target_os = "linux")]
pub(super) fn link(unnamed: &Path, name: &Path) -> Result<()> {
    use rustix::fs::{AtFlags, CWD};
    Ok(rustix::fs::linkat(CWD, unnamed, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

/// Lets two files or folders change names in one step.
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
