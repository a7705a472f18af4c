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
    /// Begins a folder. One that exists is in the way unless it is empty; with `force` it is replaced if
    /// it has a file named `mark`, which only such folders have.
    pub fn create(path: &Path, mark: &str, force: bool) -> Result<Self> {
        let is_marked = path.join(mark).is_file();
        if path.exists() && !path.is_dir() {
            return Err(Error::file(path, "this is no folder; name another"));
        }
        if path.is_dir() && !is_empty(path) && !(force && is_marked) {
            let advice = if is_marked { "replace it with --force" } else { "empty it first" };
            return Err(Error::file(
                path,
                format!("the folder is not empty; choose another name, or {advice}"),
            ));
        }
        let above = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(above).map_err(Error::io("create", above))?;
        let folder = tempfile::Builder::new().prefix(".hedgerow-").tempdir_in(above);
        Ok(Self { path: path.to_owned(), folder: folder.map_err(Error::io("write", path))? })
    }

    /// Writes a file into it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.path().join(name);
        std::fs::write(path, bytes).map_err(Error::io("write", &self.path.join(name)))
    }

    /// Gives the folder its name, in the place of what was there.
    pub fn finish(self) -> Result<()> {
        let Self { path, folder } = self;
        set_usual_permissions(folder.path()).map_err(Error::io("write", &path))?;
        if path.is_dir() {
            std::fs::remove_dir_all(&path).map_err(Error::io("replace", &path))?;
        }
        std::fs::rename(folder.path(), &path).map_err(Error::io("write", &path))?;
        let _ = folder.keep(); // it is elsewhere now
        Ok(())
    }
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
            let folder = OutputFolder::create(&path, "mark", force)?;
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
