//! Files that do not have their final name yet.

use std::fs::File;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::scratch::{self, Registered};
use super::system;
use crate::{Error, Result};

/// Prefix of all temporary names.
const PREFIX: &str = ".hedgerow-";

/// A file that does not have its final name yet. Dropping it removes it.
#[derive(Debug)]
pub(super) enum Temporary {
    /// A file without any name, of which nothing remains however the process ends.
    Unnamed { file: File, path: PathBuf },
    /// A file with a temporary name, where unnamed files are not supported.
    Named { file: NamedTempFile, _registered: Registered },
}

impl Temporary {
    pub(super) fn create_in(folder: &Path) -> std::io::Result<Self> {
        match system::unnamed_file(folder) {
            Some((file, path)) => Ok(Self::Unnamed { file, path }),
            None => Self::named(folder),
        }
    }

    /// Like [`Temporary::create_in`], but only the owner can read the file, even if it needs a
    /// name.
    pub(super) fn create_private_in(folder: &Path) -> std::io::Result<Self> {
        match system::unnamed_file(folder) {
            Some((file, path)) => Ok(Self::Unnamed { file, path }),
            None => Self::private(folder),
        }
    }

    fn named(folder: &Path) -> std::io::Result<Self> {
        // `tempfile` makes files private, but a release must be as readable as any new file.
        let temporary = Self::private(folder)?;
        if let Self::Named { file, .. } = &temporary {
            set_usual_permissions(file)?;
        }
        Ok(temporary)
    }

    fn private(folder: &Path) -> std::io::Result<Self> {
        let create = || names().tempfile_in(folder);
        let (file, registered) = Registered::create(create, NamedTempFile::path)?;
        Ok(Self::Named { file, _registered: registered })
    }

    pub(super) fn file(&self) -> &File {
        match self {
            Self::Unnamed { file, .. } => file,
            Self::Named { file, .. } => file.as_file(),
        }
    }

    /// Path under which this process can open the file.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Unnamed { path, .. } => path,
            Self::Named { file, .. } => file.path(),
        }
    }

    /// Gives the file its final name once its content is on disk. `replace` allows it to replace
    /// another file.
    pub(super) fn persist(self, path: &Path, replace: bool) -> Result<()> {
        let folder = folder_of(path);
        // The content must be on disk before the name, or a crash leaves an empty file under the
        // final name.
        system::sync(self.file()).map_err(Error::io("write", path))?;
        scratch::commit(|| self.place(path, replace).map_err(Error::io("write", path)))?;
        system::sync_folder(folder).map_err(Error::io("write", path))
    }

    fn place(self, path: &Path, replace: bool) -> std::io::Result<()> {
        match self {
            Self::Unnamed { path: unnamed, .. } if replace => {
                // An unnamed file cannot replace another, so it gets a temporary name first.
                let link = |name: &Path| system::link(&unnamed, name);
                Ok(names().make_in(folder_of(path), link)?.persist(path).map(drop)?)
            }
            // `link` fails if the name is taken, so no file of another process is replaced.
            Self::Unnamed { path: unnamed, .. } => system::link(&unnamed, path),
            Self::Named { file, .. } if replace => Ok(file.persist(path).map(drop)?),
            Self::Named { file, .. } => Ok(file.persist_noclobber(path).map(drop)?),
        }
    }
}

/// Settings for the names of temporary files and folders.
pub(super) fn names() -> tempfile::Builder<'static, 'static> {
    let mut names = tempfile::Builder::new();
    names.prefix(PREFIX);
    names
}

/// Returns the folder of a path.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Gives a file the permissions of any new file; a temporary one is private to its owner.
#[cfg(unix)]
fn set_usual_permissions(file: &NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let probe = names()
        .permissions(PermissionsExt::from_mode(0o666))
        .tempfile_in(folder_of(file.path()))?;
    file.as_file().set_permissions(probe.as_file().metadata()?.permissions())
}

#[cfg(not(unix))]
fn set_usual_permissions(_file: &NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn writes_and_replaces(create: impl Fn(&Path) -> std::io::Result<Temporary>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let written = |text: &str| {
            let temporary = create(folder.path()).unwrap();
            temporary.file().write_all(text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(temporary.path()).unwrap(), text);
            temporary
        };
        drop(written("dropped"));
        assert!(names_in(folder.path()).is_empty());
        written("first").persist(&path, false).unwrap();
        assert!(written("second").persist(&path, false).is_err());
        system::SYNCED.take();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first");
        written("third").persist(&path, true).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "third");
        // The content is synced before the file is renamed, and the folder after that.
        assert_eq!(system::SYNCED.take(), [false, true]);
        assert_eq!(names_in(folder.path()), ["out"]);
    }

    #[test]
    fn a_file_gets_its_name_at_the_end_and_replaces_another_only_if_asked() {
        writes_and_replaces(Temporary::create_in);
    }

    #[cfg(unix)]
    #[test]
    fn a_private_one_is_read_by_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let private = Temporary::private(folder.path()).unwrap();
        assert_eq!(private.file().metadata().unwrap().permissions().mode() & 0o077, 0);
    }

    #[test]
    fn so_does_one_that_needs_a_temporary_name() {
        writes_and_replaces(Temporary::named);
    }
}
