//! Output folders that appear whole or not at all.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::{Error, Result};

/// A folder that is filled under a temporary name beside its place, and renamed when it is done.
///
/// Dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    folder: TempDir,
}

impl OutputFolder {
    /// Begins a folder. One that exists is in the way unless it is empty, or `may_go` says that it was
    /// made by this program and has nothing else in it.
    pub fn create(path: &Path, force: bool, may_go: impl Fn(&Path) -> bool) -> Result<Self> {
        if path.exists() && !path.is_dir() {
            return Err(Error::file(path, "this is no folder; name another"));
        }
        if path.is_dir() && !is_empty(path) {
            let advice = match may_go(path) {
                true if force => None,
                true => Some("replace it with --force"),
                false => Some("empty it first: it has files that are not ours"),
            };
            if let Some(advice) = advice {
                let message = format!("the folder is not empty; choose another name, or {advice}");
                return Err(Error::file(path, message));
            }
        }
        // Also if it is called `.` or by a link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let above = above(&path);
        std::fs::create_dir_all(above).map_err(Error::io("create", above))?;
        let folder = temporary(above).map_err(Error::io("write", &path))?;
        Ok(Self { path, folder })
    }

    /// Writes a file into it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.path().join(name);
        std::fs::write(path, bytes).map_err(Error::io("write", &self.path.join(name)))
    }

    /// Gives the folder its name; what was there is gone then, and not before.
    pub fn finish(self) -> Result<()> {
        let Self { path, folder } = self;
        let fault = |error| Error::io("write", &path)(error);
        set_usual_permissions(folder.path()).map_err(fault)?;
        let aside = temporary(above(&path)).map_err(fault)?;
        let before = aside.path().join("before");
        let is_replaced = path.is_dir();
        if is_replaced {
            std::fs::rename(&path, &before).map_err(fault)?;
        }
        if let Err(error) = std::fs::rename(folder.path(), &path) {
            if is_replaced {
                std::fs::rename(&before, &path).map_err(fault)?;
            }
            return Err(fault(error));
        }
        let _ = folder.keep(); // it is elsewhere now
        Ok(())
    }
}

fn above(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn temporary(above: &Path) -> std::io::Result<TempDir> {
    tempfile::Builder::new().prefix(".hedgerow-").tempdir_in(above)
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// A temporary folder is private to its owner; a finished one is what any new folder would be.
#[cfg(unix)]
fn set_usual_permissions(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join("probe");
    std::fs::create_dir(&probe)?;
    let usual = std::fs::metadata(&probe)?.permissions();
    std::fs::remove_dir(&probe)?;
    std::fs::set_permissions(folder, usual)
}

#[cfg(not(unix))]
fn set_usual_permissions(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_appears_whole_and_replaces_only_its_like() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b");
        let fill = |force| -> Result<()> {
            let folder = OutputFolder::create(&path, force, |path| path.join("mark").exists())?;
            folder.write("mark", b"1")?;
            assert!(force || !path.exists());
            folder.finish()
        };
        fill(false).unwrap();
        assert!(fill(false).unwrap_err().to_string().contains("replace it with --force"));
        fill(true).unwrap();
        std::fs::remove_file(path.join("mark")).unwrap();
        std::fs::write(path.join("mine"), "").unwrap();
        assert!(fill(true).unwrap_err().to_string().contains("empty it first"));
        assert!(path.join("mine").exists());
        assert_eq!(std::fs::read_dir(place.path().join("a")).unwrap().count(), 1);
    }
}
