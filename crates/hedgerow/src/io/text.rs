//! The bytes of a text file, decompressed, and their encoding.

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use flate2::read::MultiGzDecoder;

use crate::charset::{Census, Charset};
use crate::error::{Advice, Warning};
use crate::{Error, Result, file};

/// Opens a file and decompresses it if necessary.
pub(super) fn open_raw(path: &Path, gzip: bool) -> Result<Box<dyn Read + Send>> {
    let file = file::open(path)?;
    Ok(if gzip { Box::new(Gzip(MultiGzDecoder::new(file))) } else { Box::new(file) })
}

/// Decompresses a gzip file and reports errors in terms of the file.
struct Gzip(MultiGzDecoder<std::fs::File>);

impl Read for Gzip {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            // These are the kinds that flate2 uses for bad data; other kinds come from the file
            // itself.
            ErrorKind::UnexpectedEof | ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                let message = "the gzip data is damaged, truncated or followed by other bytes";
                std::io::Error::new(error.kind(), message)
            }
            _ => error,
        })
    }
}

/// The encoding of a file: given, or found while it is read.
#[derive(Debug, Clone, Default)]
pub(super) struct Text {
    given: Option<Charset>,
    /// Shared by all clones of a source, because a file can turn out not to be UTF-8 at its end.
    found: Arc<OnceLock<Charset>>,
    /// Whether the letters look like those of Windows-1250.
    is_central: Arc<OnceLock<bool>>,
}

impl Text {
    pub(super) fn new(given: Option<Charset>) -> Self {
        Self { given, ..Self::default() }
    }

    /// The encoding as far as it is known. A file is UTF-8 until something else is found.
    pub(super) fn charset(&self) -> Charset {
        self.given.or_else(|| self.found.get().copied()).unwrap_or(Charset::UTF_8)
    }

    /// Whether the encoding was stated.
    pub(super) fn is_given(&self) -> bool {
        self.given.is_some()
    }

    /// Whether another encoding than UTF-8 can still be found.
    pub(super) fn is_open(&self) -> bool {
        self.given.is_none() && self.found.get().is_none()
    }

    /// Remembers the encoding that a byte order mark announces.
    pub(super) fn find_mark(&self, start: &[u8]) {
        if let Some(charset) = Charset::of_mark(start).filter(|_| self.is_open()) {
            let _ = self.found.set(charset);
        }
    }

    /// Reads a file that is not UTF-8, and remembers if it is Windows-1252.
    pub(super) fn guess(&self, path: &Path, gzip: bool) -> Result<()> {
        if self.is_open() {
            // UTF-8 with a few damaged bytes is not Windows-1252, so the whole file is counted.
            let census = Census::of(open_raw(path, gzip)?).map_err(Error::io("read", path))?;
            if census.is_windows_1252() {
                // `set` fails only if another thread was first, with the same answer.
                let _ = self.found.set(Charset::WINDOWS_1252);
                let _ = self.is_central.set(census.resembles_1250());
            }
        }
        Ok(())
    }

    /// Returns the encoding that a byte order mark announced.
    pub(super) fn found_wide(&self) -> Option<Charset> {
        let found = self.found.get().copied().filter(|_| self.given.is_none());
        found.filter(|&charset| charset != Charset::WINDOWS_1252)
    }

    /// Returns a warning if the encoding was guessed.
    pub(super) fn warning(&self) -> Option<Warning> {
        let is_guess = self.given.is_none() && self.charset() == Charset::WINDOWS_1252;
        is_guess.then(|| {
            let problem =
                "the table is not UTF-8 and is read as Windows-1252, which includes Latin-1";
            let central = if self.is_central.get().is_some_and(|is_central| *is_central) {
                ", but has signs inside words as if it were windows-1250 (Polish, Czech, Hungarian, ...)"
            } else {
                ""
            };
            Warning::new(format!("{problem}{central}")).advise([Advice::StateEncoding])
        })
    }
}
