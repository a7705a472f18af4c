//! Output folders that appear complete or not at all.

use std::fs::File;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use super::scratch::{self, Registered};
use super::system;
use super::temporary::{folder_of, names};
use crate::error::Advice;
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// A folder of files that appears once all of them are on disk.
///
/// Files are kept in memory until the end. Only then is a folder with a temporary name created next
/// to the final path, and it exists only while the files are written. Where the system supports it,
/// an older folder and the new one swap names in one step. Elsewhere the older folder is moved away
/// first, and moved back if the new one cannot take its place.
pub struct OutputFolder<'a> {
    path: PathBuf,
    force: bool,
    may_go: &'a dyn Fn(&Path) -> bool,
    files: Vec<(String, Vec<u8>)>,
}

impl<'a> OutputFolder<'a> {
    /// Starts a folder. It is an error if the folder exists and is not empty, unless `force` is set
    /// and `may_go` returns true because the folder contains nothing that must be kept.
    pub fn create(path: &Path, force: bool, may_go: &'a dyn Fn(&Path) -> bool) -> Result<Self> {
        let folder = Self { path: path.to_owned(), force, may_go, files: Vec::new() };
        folder.check()?;
        Ok(folder)
    }

    /// Adds a file.
    pub fn write(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.push((name.to_owned(), bytes));
    }

    /// Writes the folder and renames it to its final path. Until then, an older folder remains
    /// unchanged.
    pub fn finish(self, progress: &dyn Progress) -> Result<()> {
        self.check()?; // files may have been added since
        // A path such as `.` or a symbolic link cannot be renamed itself.
        let path = &self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let (root, rest) = first_missing(path)?;
        let fault = |error| Error::io("write", path)(error);
        let folder = TemporaryFolder::beside(root).map_err(fault)?;
        let inside = folder.path().join(rest);
        std::fs::create_dir_all(&inside).map_err(fault)?;
        for (name, bytes) in &self.files {
            stop_if_cancelled(progress)?;
            write_synced(&inside.join(name), bytes)
                .map_err(Error::io("write", &path.join(name)))?;
        }
        set_usual_permissions(folder.path()).map_err(fault)?;
        // Every new folder is synced, from the innermost outward, so that all names survive a
        // crash.
        for created in inside.ancestors().take_while(|created| *created != folder_of(folder.path()))
        {
            system::sync_folder(created).map_err(fault)?;
        }
        scratch::commit(|| folder.take_place(root))?;
        system::sync_folder(folder_of(root)).map_err(fault)
    }

    fn check(&self) -> Result<()> {
        let path = &self.path;
        let parents = path.ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
        let is_below_file = parents.take_while(|parent| !parent.is_dir()).any(Path::exists);
        // A link to a missing folder does not exist for `exists`, but its name is taken.
        if (path.exists() && !path.is_dir())
            || (path.is_symlink() && !path.exists())
            || is_below_file
        {
            let advice = [Advice::words("choose another name")];
            return Err(Error::file(path, "this is not a folder").advise(advice));
        }
        if !path.exists() || is_empty(path) {
            return Ok(());
        }
        // `force` alone is not enough: files that this run would not write again must survive.
        let advice = match (self.may_go)(path) {
            true if self.force => return Ok(()),
            true => Advice::Overwrite,
            false => Advice::words(
                "empty it first, because it has files that would not be written again",
            ),
        };
        Err(Error::file(path, "the folder is not empty")
            .advise([Advice::words("choose another name"), advice]))
    }
}

/// Returns a file name for each column: the column's name without characters that have a meaning in
/// paths.
pub(crate) fn file_names(columns: &[&str], ending: &str) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    columns.iter().map(|column| free_name(column, ending, &mut taken)).collect()
}

/// Returns the file name of a column, with a number if the name is among those already `taken`, and
/// adds it to them.
fn free_name(column: &str, ending: &str, taken: &mut Vec<String>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let plain: String = column.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let mut name = format!("{plain}.{ending}");
    let mut number = 1;
    // Some file systems do not distinguish upper and lower case.
    while taken.contains(&name.to_lowercase()) {
        number += 1;
        name = format!("{plain}_{number}.{ending}");
    }
    taken.push(name.to_lowercase());
    name
}

/// Whether a folder contains only files with these names.
pub(crate) fn has_only(folder: &Path, names: &[&str]) -> bool {
    let is_named = |entry: std::fs::DirEntry| {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        is_file && entry.file_name().to_str().is_some_and(|name| names.contains(&name))
    };
    std::fs::read_dir(folder)
        .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(is_named)))
}

/// A folder with a temporary name. Dropping it removes whatever has that name.
struct TemporaryFolder {
    folder: TempDir,
    _registered: Registered,
}

impl TemporaryFolder {
    fn beside(path: &Path) -> std::io::Result<Self> {
        let create = || names().tempdir_in(folder_of(path));
        let (folder, registered) = Registered::create(create, TempDir::path)?;
        Ok(Self { folder, _registered: registered })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Moves the folder to `path`. A folder that is there gets the temporary name.
    fn take_place(&self, path: &Path) -> Result<()> {
        let fault = |error| Error::io("write", path)(error);
        // With no older folder there is nothing to exchange, and a rename is one step too.
        if !path.exists() {
            return std::fs::rename(self.path(), path).map_err(fault);
        }
        match system::exchange(self.path(), path) {
            Ok(()) => Ok(()),
            Err(_) => self.take_place_in_steps(path),
        }
    }

    /// Does the same in steps where names cannot be swapped. In between, the old folder has another
    /// name.
    fn take_place_in_steps(&self, path: &Path) -> Result<()> {
        let fault = |error| Error::io("write", path)(error);
        // The older folder moves into a private folder, whose drop removes it once the new one is
        // in place.
        let aside = Self::beside(path).map_err(fault)?;
        let before = aside.path().join("before");
        std::fs::rename(path, &before).map_err(fault)?;
        let Err(error) = std::fs::rename(self.path(), path) else { return Ok(()) };
        if std::fs::rename(&before, path).is_err() {
            // Both renames failed: the older folder is kept, since dropping `aside` would delete
            // it.
            let kept = aside.folder.keep().join("before");
            let message = format!("{error}; the previous folder is now {}", kept.display());
            return Err(fault(std::io::Error::new(error.kind(), message)));
        }
        Err(fault(error))
    }
}

/// Splits a path into its outermost missing folder and the rest below it. If the whole path exists,
/// the rest is empty.
fn first_missing(path: &Path) -> Result<(&Path, &Path)> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    // Folders are created below a temporary name, so only the outermost new one is renamed.
    let root = path.ancestors().take_while(is_missing).last().unwrap_or(path);
    let rest = path.strip_prefix(root).unwrap_or(Path::new(""));
    if rest.components().any(|part| part == Component::ParentDir) {
        let problem = format!("there is no {}, so '..' cannot be followed", root.display());
        return Err(Error::file(path, problem));
    }
    Ok((root, rest))
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    system::sync(&file)
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// Gives a folder the permissions of any new folder; a temporary one is private to its owner.
#[cfg(unix)]
fn set_usual_permissions(folder: &Path) -> std::io::Result<()> {
    // Reading the umask means changing it for a moment, so a new folder shows what it allows.
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
    use crate::progress::Silent;

    #[test]
    fn a_folder_appears_whole_and_replaces_only_its_like() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b");
        let is_marked = |path: &Path| path.join("mark").exists();
        let fill = |force| -> Result<()> {
            let mut folder = OutputFolder::create(&path, force, &is_marked)?;
            folder.write("mark", b"1".to_vec());
            assert!(force || !path.exists());
            folder.finish(&Silent)
        };
        fill(false).unwrap();
        assert!(fill(false).unwrap_err().advice().contains(&Advice::Overwrite));
        fill(true).unwrap();
        std::fs::remove_file(path.join("mark")).unwrap();
        std::fs::write(path.join("mine"), "").unwrap();
        assert!(fill(true).unwrap_err().to_string().contains("empty it first"));
        assert!(path.join("mine").exists());
        assert_eq!(std::fs::read_dir(place.path().join("a")).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_leaves_no_folder_and_no_folder_above_it() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b");
        let mut folder = OutputFolder::create(&path, false, &|_| false).unwrap();
        folder.write("good", b"1".to_vec());
        folder.write("not/there", b"1".to_vec());
        assert!(folder.finish(&Silent).is_err());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn files_that_came_since_the_beginning_stay() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let folder = OutputFolder::create(&path, false, &|_| true).unwrap();
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("mine"), "").unwrap();
        assert!(folder.finish(&Silent).is_err());
        assert!(path.join("mine").exists());
    }

    #[test]
    fn a_folder_is_replaced_in_steps_where_names_cannot_be_exchanged() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("old"), "").unwrap();
        let folder = TemporaryFolder::beside(&path).unwrap();
        std::fs::write(folder.path().join("new"), "").unwrap();
        scratch::commit(|| folder.take_place_in_steps(&path)).unwrap();
        drop(folder);
        assert!(path.join("new").exists() && !path.join("old").exists());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
