//! Tables that are written as CSV, and converted if the output is Parquet.

use std::path::Path;

use super::{OpenOptions, Output, Source, parquet};
use crate::Result;
use crate::charset::Charset;
use crate::progress::Progress;

/// The form of a table that is written as CSV.
pub(crate) struct Form<'a> {
    pub(crate) delimiter: u8,
    /// UTF-8 if not given.
    pub(crate) charset: Option<Charset>,
    /// Columns that stay text in Parquet. Others become numbers or dates if all their cells are.
    pub(crate) as_text: &'a [&'a String],
}

impl Form<'_> {
    /// Writes a table with `write_csv`. A Parquet file is converted from an unnamed CSV file in the
    /// same folder.
    pub(crate) fn write<T>(
        &self,
        output: &mut Output,
        progress: &dyn Progress,
        write_csv: impl FnOnce(&mut Output) -> Result<T>,
    ) -> Result<T> {
        if !output.is_parquet() {
            return write_csv(output);
        }
        let mut draft = output.draft()?;
        let written = write_csv(&mut draft)?;
        let table = Source::reopen(draft.temporary_path(), self.delimiter, self.charset)?;
        parquet::write(&table, self.as_text, output, progress)?;
        Ok(written)
    }
}

impl Source {
    /// Opens a CSV file that was written in this form.
    pub(super) fn reopen(written: &Path, delimiter: u8, charset: Option<Charset>) -> Result<Self> {
        // A detected encoding could differ from the one that was written, so it is stated.
        let charset = Some(charset.unwrap_or(Charset::UTF_8));
        let options = OpenOptions { charset, ..OpenOptions::delimited(Some(delimiter)) };
        Ok(Self::open_with(written, &options)?.without_max_record())
    }
}
