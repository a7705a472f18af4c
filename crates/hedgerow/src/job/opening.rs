//! Opening of the tables of a job.

use std::path::Path;

use super::Job;
use crate::error::Advice;
use crate::io::{Header, OpenOptions, Source, is_workbook};
use crate::{Error, Result};

impl Job {
    /// Opens a table with the job's options.
    pub fn open(&self, path: &Path) -> Result<Source> {
        let mut options = self.opening()?;
        // One of the two tables can be a workbook and the other a text file.
        if self.population.as_ref().is_some_and(|other| path == other || is_workbook(other)) {
            options = options.for_one_of_several(path);
        }
        let source = Source::open_with(path, &options)?;
        Ok(source.with_max_record(self.max_record))
    }

    /// Returns the options for opening the tables of the job.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the delimiter is not an ASCII character.
    pub fn opening(&self) -> Result<OpenOptions> {
        let header = match (self.header.as_slice(), self.no_header) {
            ([], false) => Header::FirstLine,
            ([], true) => Header::Numbered,
            (names, _) => Header::Names(names.to_vec()),
        };
        Ok(OpenOptions {
            delimiter: delimiter_byte(self.delimiter)?,
            charset: self.encoding,
            header,
            sheet: self.sheet.clone(),
        })
    }
}

/// Converts a delimiter to a byte, or returns an error if it is not an ASCII character.
pub fn delimiter_byte(delimiter: Option<char>) -> Result<Option<u8>> {
    let Some(delimiter) = delimiter else {
        return Ok(None);
    };
    // A quote cannot be a delimiter: every quoted field would fall apart.
    let byte = u8::try_from(delimiter).ok().filter(|&byte| byte.is_ascii() && byte != b'"');
    byte.map(Some).ok_or_else(|| {
        let problem = format!("the delimiter '{delimiter}' is not a single ASCII character");
        Error::invalid(problem).advise([Advice::words("choose one such as , or ;")])
    })
}
