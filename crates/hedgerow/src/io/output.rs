//! Output files that appear whole or not at all.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

use crate::{Error, Result};

/// A file that is written under a temporary name beside its place, and renamed when it is done.
///
/// Dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    file: NamedTempFile,
    force: bool,
}

impl Output {
    /// Begins a file; one that exists is replaced only with `force`.
    pub fn create(path: &Path, force: bool) -> Result<Self> {
        if path.is_dir() {
            return Err(Error::file(path, "this is a directory; name a file in it"));
        }
        if path.exists() && !path.is_file() {
            return Err(Error::file(path, "this is a device or a pipe; name a file"));
        }
        if path.exists() && !force {
            return Err(exists(path));
        }
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if !directory.is_dir() {
            let directory = directory.display();
            return Err(Error::file(
                path,
                format!("{directory} is not a directory; create it first, or name another"),
            ));
        }
        let file = tempfile::Builder::new().prefix(".hedgerow-").tempfile_in(directory);
        let file = file.map_err(Error::io("write", path))?;
        Ok(Self { path: path.to_owned(), file, force })
    }

    /// Begins a table, which is CSV, packed if the name ends in `.gz`.
    pub fn create_table(path: &Path, force: bool) -> Result<Self> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("parquet" | "xlsx" | "json") => {
                Err(Error::file(path, "tables are written as CSV; name a .csv or .csv.gz file"))
            }
            _ if path == Path::new("-") => {
                Err(Error::file(path, "a table is read back before it is done; name a file"))
            }
            _ => Self::create(path, force),
        }
    }

    /// Writes the file through a buffer, packed with gzip if its name asks for it.
    pub(crate) fn packed(&mut self) -> TableWriter<'_> {
        let is_packed = self.path.extension().is_some_and(|ending| ending == "gz");
        let buffered = BufWriter::with_capacity(1 << 18, self);
        if is_packed {
            let packed = GzEncoder::new(buffered, flate2::Compression::default());
            TableWriter::Packed(Box::new(packed))
        } else {
            TableWriter::Plain(buffered)
        }
    }

    /// Where temporary files of the same disk may be.
    pub(crate) fn directory(&self) -> &Path {
        self.file.path().parent().unwrap_or(Path::new("."))
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the file is until it is done.
    pub fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// Writes all of `text` and finishes.
    pub fn write_all(mut self, text: &[u8]) -> Result<()> {
        self.file.as_file_mut().write_all(text).map_err(Error::io("write", &self.path))?;
        self.finish()
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<()> {
        let Self { path, file, force } = self;
        set_usual_permissions(&file).map_err(Error::io("write", &path))?;
        if force {
            file.persist(&path).map_err(|error| Error::io("write", &path)(error.error))?;
            return Ok(());
        }
        match file.persist_noclobber(&path) {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(exists(&path))
            }
            Err(error) => Err(Error::io("write", &path)(error.error)),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// A table on its way into an [`Output`].
pub(crate) enum TableWriter<'a> {
    Plain(BufWriter<&'a mut Output>),
    Packed(Box<GzEncoder<BufWriter<&'a mut Output>>>),
}

impl TableWriter<'_> {
    /// Writes what is still held back.
    pub(crate) fn finish(self) -> std::io::Result<()> {
        match self {
            Self::Plain(mut out) => out.flush(),
            Self::Packed(out) => out.finish()?.flush(),
        }
    }
}

impl Write for TableWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Packed(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Packed(out) => out.flush(),
        }
    }
}

fn exists(path: &Path) -> Error {
    Error::file(path, "the file exists; choose another name, or replace it with --force")
}

/// Temporary files are private to their owner; a finished one is what any new file would be.
#[cfg(unix)]
fn set_usual_permissions(file: &NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let probe = tempfile::Builder::new()
        .permissions(PermissionsExt::from_mode(0o666))
        .tempfile_in(file.path().parent().unwrap_or(Path::new(".")))?;
    let usual = probe.as_file().metadata()?.permissions();
    file.as_file().set_permissions(usual)
}

#[cfg(not(unix))]
fn set_usual_permissions(_file: &NamedTempFile) -> std::io::Result<()> {
    Ok(())
}
