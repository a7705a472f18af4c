//! The start folder: everything that is opened or written is below it.

use std::fs::{self, File};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hedgerow::{Error, Result};
use tempfile::TempDir;

use crate::fault::{Done, Fault};

/// The longest path that a request may name.
const LONGEST: usize = 4096;

/// The start folder, and a folder for uploads and drafts that only this user can read.
pub(crate) struct Folder {
    root: PathBuf,
    private: Mutex<Private>,
}

/// A temporary folder.
#[derive(Default)]
enum Private {
    /// Nothing was written yet.
    #[default]
    Unused,
    Used(TempDir),
    /// The server ends, so nothing more is created.
    Removed,
}

/// A file that the browser sends.
pub(crate) struct Upload {
    pub(crate) file: File,
    /// The folder of the file, which is removed with this value.
    pub(crate) folder: TempDir,
    pub(crate) path: PathBuf,
    /// Its name without folders.
    pub(crate) name: String,
}

impl Folder {
    pub(crate) fn new(path: &Path) -> Result<Self> {
        let problem = |cause: std::io::Error| Error::file(path, format!("cannot be used: {cause}"));
        let root = path.canonicalize().map_err(problem)?;
        if !root.is_dir() {
            return Err(Error::file(path, "this is not a folder"));
        }
        Ok(Self { root, private: Mutex::default() })
    }

    /// The start folder itself.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The last part of its path, for the page.
    pub(crate) fn name(&self) -> String {
        self.root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into())
    }

    /// The path of a file or folder that exists below the start folder.
    pub(crate) fn existing(&self, path: &str) -> Done<PathBuf> {
        let asked = self.joined(path)?;
        let found = asked.canonicalize().map_err(|_| {
            Fault::missing("there is no such file below the start folder")
                .advise("name a file below the folder that the studio was started in")
        })?;
        // After symbolic links were followed: a link must not lead out of the folder.
        if found.starts_with(&self.root) { Ok(found) } else { Err(outside()) }
    }

    /// The path of a file that can be written below the start folder. Folders above it are created
    /// by the caller, who asks for them with [`Folder::prepare`].
    pub(crate) fn writable(&self, path: &str) -> Done<PathBuf> {
        let asked = self.joined(path)?;
        if asked.file_name().is_none() || asked == self.root || path.ends_with(['/', '\\']) {
            return Err(Fault::input("this is a folder, not a file").advise("name a file"));
        }
        // The nearest folder that exists decides where the path leads.
        let mut above = asked.as_path();
        while !above.exists() {
            if above.symlink_metadata().is_ok() {
                return Err(outside()); // a link to nothing would be followed when it is written
            }
            above = above.parent().ok_or_else(outside)?;
        }
        let found = above.canonicalize().map_err(|_| outside())?;
        if !found.starts_with(&self.root) {
            return Err(outside());
        }
        let rest = asked.strip_prefix(above).map_err(|_| outside())?;
        let path = found.join(rest);
        // Joining an empty rest would add a slash.
        Ok(if rest.as_os_str().is_empty() { found } else { path })
    }

    /// Creates the folders above a file that [`Folder::writable`] allowed.
    pub(crate) fn prepare(path: &Path) -> Done<()> {
        let parent = path.parent().ok_or_else(outside)?;
        fs::create_dir_all(parent)
            .map_err(|cause| Fault::input(format!("the folder cannot be created: {cause}")))
    }

    /// Refuses a path, from a job file or the parameters of a method, that leads out of the folder.
    /// Uploaded tables are allowed.
    pub(crate) fn check(&self, path: &Path) -> Done<()> {
        let found = path
            .canonicalize()
            .map_err(|_| Fault::missing(format!("there is no file '{}'", shown(path))))?;
        let is_upload = || {
            let private = self.private.lock().unwrap_or_else(PoisonError::into_inner);
            let Private::Used(folder) = &*private else { return false };
            folder.path().canonicalize().is_ok_and(|folder| found.starts_with(folder))
        };
        if found.starts_with(&self.root) || is_upload() { Ok(()) } else { Err(outside()) }
    }

    /// The path of a file as the page shows it: relative to the start folder.
    pub(crate) fn relative(&self, path: &Path) -> String {
        let relative = path.strip_prefix(&self.root).ok();
        let text = relative.map_or_else(|| shown(path), |path| path.to_string_lossy().into_owned());
        text.replace('\\', "/")
    }

    /// Starts a file for an upload.
    pub(crate) fn upload(&self, name: &str) -> Done<Upload> {
        let name = Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_plain = |c: char| !c.is_control() && c != '/' && c != '\\';
        if name.is_empty() || name.len() > 255 || !name.chars().all(is_plain) {
            return Err(Fault::request("the name of the file is missing or cannot be used"));
        }
        let failed =
            |cause: std::io::Error| Fault::input(format!("the upload cannot be stored: {cause}"));
        // A folder of its own for each, so that the file keeps its name.
        let folder = self.in_private("upload-").map_err(failed)?;
        let path = folder.path().join(name);
        let file = File::create_new(&path).map_err(failed)?;
        Ok(Upload { file, folder, path, name: name.to_owned() })
    }

    /// A folder for drafts, which is removed with this value, and at the latest with the server.
    pub(crate) fn scratch(&self) -> Result<TempDir> {
        let failed = |cause| Error::invalid(format!("there is no temporary folder: {cause}"));
        self.in_private("draft-").map_err(failed)
    }

    fn in_private(&self, prefix: &str) -> std::io::Result<TempDir> {
        let mut private = self.private.lock().unwrap_or_else(PoisonError::into_inner);
        if let Private::Unused = *private {
            *private = Private::Used(private_folder()?);
        }
        match &*private {
            Private::Used(folder) => {
                tempfile::Builder::new().prefix(prefix).tempdir_in(folder.path())
            }
            _ => Err(std::io::Error::other("the studio ends")),
        }
    }

    /// Removes uploads and drafts. No more are made.
    pub(crate) fn remove_private(&self) {
        let mut private = self.private.lock().unwrap_or_else(PoisonError::into_inner);
        *private = Private::Removed;
    }

    /// Joins a path of a request to the start folder.
    fn joined(&self, path: &str) -> Done<PathBuf> {
        if path.len() > LONGEST || path.contains('\0') {
            return Err(Fault::request("the path is too long or has characters that no path has"));
        }
        let path = Path::new(path);
        let mut parts = path.components();
        // Even a path that comes back below the folder has no reason to leave it.
        if !parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(outside());
        }
        Ok(self.root.join(path))
    }
}

/// The name of a file without its folders.
fn shown(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn outside() -> Fault {
    Fault::refused(403, "request", "this path leads out of the folder that the studio works in")
        .advise("name a file below it, or start the studio in another folder")
}

/// A temporary folder that only this user can read.
fn private_folder() -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("hedgerow-");
    // Without this, other users could read it: the default is what the umask allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(fault: Done<PathBuf>) -> Option<u16> {
        match fault {
            Err(Fault::Refused(refusal)) => Some(refusal.status),
            _ => None,
        }
    }

    #[test]
    fn paths_stay_below_the_folder() {
        let (inside, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(inside.path().join("a.csv"), "x").unwrap();
        fs::write(other.path().join("b.csv"), "x").unwrap();
        let folder = Folder::new(inside.path()).unwrap();
        assert!(folder.existing("a.csv").is_ok());
        assert!(folder.writable("sub/new.csv").is_ok());
        for bad in ["../b.csv", "/etc/passwd", "sub/../../b.csv"] {
            assert_eq!(status(folder.existing(bad)), Some(403), "{bad}");
            assert_eq!(status(folder.writable(bad)), Some(403), "{bad}");
        }
        assert_eq!(status(folder.existing("none.csv")), Some(404));
        assert_eq!(status(folder.existing("a\0b")), Some(400));
        assert_eq!(status(folder.writable("")), Some(422));
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        let (inside, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(other.path().join("b.csv"), "x").unwrap();
        std::os::unix::fs::symlink(other.path(), inside.path().join("out")).unwrap();
        let away = other.path().join("none.csv");
        std::os::unix::fs::symlink(away, inside.path().join("dangling.csv")).unwrap();
        let folder = Folder::new(inside.path()).unwrap();
        assert_eq!(status(folder.existing("out/b.csv")), Some(403));
        assert_eq!(status(folder.writable("out/new.csv")), Some(403));
        assert_eq!(status(folder.writable("dangling.csv")), Some(403));
    }

    #[cfg(unix)]
    #[test]
    fn uploads_are_for_this_user_alone_and_go_away() {
        use std::os::unix::fs::PermissionsExt;
        let inside = tempfile::tempdir().unwrap();
        let folder = Folder::new(inside.path()).unwrap();
        let upload = folder.upload("../../evil.csv").unwrap();
        assert_eq!(upload.name, "evil.csv");
        let root = upload.path.parent().unwrap().parent().unwrap().to_owned();
        assert_eq!(fs::metadata(&root).unwrap().permissions().mode() & 0o777, 0o700);
        let draft = folder.scratch().unwrap();
        assert!(draft.path().starts_with(&root));
        folder.remove_private();
        assert!(!root.exists());
        assert!(folder.scratch().is_err() && !root.exists());
    }
}
