//! Output files that appear complete or not at all.

use std::ffi::OsStr;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;

use super::Inputs;
use super::temporary::{Temporary, folder_of};
use crate::error::Advice;
use crate::{Error, Result};

/// A file that gets its final name only when it is complete.
///
/// Until then it has no name where the system supports that, otherwise a temporary name in the same
/// folder. Dropped before that, it leaves nothing behind.
///
/// # Examples
///
/// ```
/// use std::io::Write;
/// use hedgerow::io::{Inputs, Output};
/// # let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("notes.txt");
/// let mut output = Output::create(&path, false, &Inputs::default())?;
/// output.write_all(b"complete").unwrap();
/// assert!(!path.exists());
/// output.finish()?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "complete");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    file: Temporary,
    force: bool,
}

impl Output {
    /// Starts a file. An existing file is replaced only with `force`, and one of `inputs` never.
    pub fn create(path: &Path, force: bool, inputs: &Inputs) -> Result<Self> {
        if path.is_dir() {
            return Err(Error::file(path, "this is a directory")
                .advise([Advice::words("name a file in it")]));
        }
        let refused =
            |problem: &str| Err(Error::file(path, problem).advise([Advice::words("name a file")]));
        // Renaming a file onto a device or a pipe would replace it.
        if path.exists() && !path.is_file() {
            return refused("this is a device or a pipe");
        }
        inputs.check(path)?;
        // `exists` follows links, so it does not see that this name is taken.
        if path.is_symlink() && !path.exists() {
            return refused("this is a link to a file that does not exist");
        }
        if path.exists() && !force {
            return Err(exists(path));
        }
        let directory = folder_of(path);
        if !directory.is_dir() {
            let problem = format!("{} is not a directory", directory.display());
            return Err(Error::file(path, problem)
                .advise([Advice::words("create it first"), Advice::words("name another")]));
        }
        // The temporary file is in the same folder, because a rename cannot cross file systems.
        let file = Temporary::create_in(directory).map_err(Error::io("write", path))?;
        Ok(Self { path: path.to_owned(), file, force })
    }

    /// Starts a table: Parquet if the name ends in `.parquet`, otherwise CSV, compressed if it ends
    /// in `.gz`.
    pub fn create_table(path: &Path, force: bool, inputs: &Inputs) -> Result<Self> {
        let lower_case = |name: &OsStr| name.to_string_lossy().to_lowercase();
        let name = path.file_name().map_or_else(String::new, lower_case);
        // These endings promise formats that are not written; CSV under such a name misleads
        // readers.
        let is_other = [".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".json", ".pq", ".parquet.gz"]
            .iter()
            .any(|e| name.ends_with(e));
        match path {
            _ if is_other => Err(Error::file(path, "tables are written as CSV or Parquet")
                .advise([Advice::words("name a .csv, .csv.gz or .parquet file")])),
            _ if path == Path::new("-") => {
                Err(Error::file(path, "the table is verified in a file before it is published")
                    .advise([Advice::words("name a file")]))
            }
            _ => Self::create(path, force, inputs),
        }
    }

    /// Returns a buffered writer, which compresses with gzip if the file name ends in `.gz`.
    pub(crate) fn packed(&mut self) -> TableWriter<'_> {
        let is_packed = self.ends_in("gz");
        let buffered = BufWriter::with_capacity(1 << 18, self);
        if is_packed {
            let packed = GzEncoder::new(buffered, flate2::Compression::default());
            TableWriter::Packed(Box::new(packed))
        } else {
            TableWriter::Plain(buffered)
        }
    }

    /// Whether the file will be Parquet.
    pub(crate) fn is_parquet(&self) -> bool {
        self.ends_in("parquet")
    }

    fn ends_in(&self, ending: &str) -> bool {
        self.path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
    }

    /// Creates a file in the same folder that never gets a name, for intermediate data.
    pub(crate) fn draft(&self) -> Result<Self> {
        let file = Temporary::create_private_in(folder_of(&self.path))
            .map_err(Error::io("write", &self.path))?;
        Ok(Self { path: self.path.clone(), file, force: false })
    }

    /// The underlying file.
    #[cfg(feature = "parquet")]
    pub(super) fn file(&self) -> &std::fs::File {
        self.file.file()
    }

    /// Folder for temporary files on the same disk.
    pub(crate) fn directory(&self) -> &Path {
        folder_of(&self.path)
    }

    /// Final path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path under which this process can read the file before it is finished.
    pub(crate) fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// Writes `text` as the last part of the file, and gives it its final name.
    pub fn finish_with(self, text: &[u8]) -> Result<()> {
        self.with(text)?.finish()
    }

    /// Writes `text`.
    pub(crate) fn with(self, text: &[u8]) -> Result<Self> {
        self.file.file().write_all(text).map_err(Error::io("write", &self.path))?;
        Ok(self)
    }

    /// Gives the file its final name, once its content is on disk.
    pub fn finish(self) -> Result<()> {
        let Self { path, file, force } = self;
        file.persist(&path, force).map_err(|error| match error {
            // Another process created the file after `create` had checked.
            Error::Io { cause, .. } if cause.kind() == std::io::ErrorKind::AlreadyExists => {
                exists(&path)
            }
            other => other,
        })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.file().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.file().flush()
    }
}

/// Writes a table to an [`Output`], compressed or not.
pub(crate) enum TableWriter<'a> {
    Plain(BufWriter<&'a mut Output>),
    Packed(Box<GzEncoder<BufWriter<&'a mut Output>>>),
}

impl TableWriter<'_> {
    /// Writes all buffered data.
    pub(crate) fn finish(self) -> std::io::Result<()> {
        match self {
            Self::Plain(mut out) => out.flush(),
            // `finish` writes the gzip trailer; without it the file is truncated.
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
    Error::file(path, "the file exists")
        .advise([Advice::words("choose another name"), Advice::Overwrite])
}
