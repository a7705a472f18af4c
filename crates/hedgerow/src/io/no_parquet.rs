//! Stands in for Parquet in a build without the feature `parquet`: such files are refused.

use std::fs::File;
use std::path::Path;

use super::Source;
use super::block::{Blocks, Wanted};
use super::magic::Named;
use crate::progress::Progress;
use crate::{Error, Result};

/// Whether a panic of this thread is about to be caught: this build catches none.
pub fn is_guarded() -> bool {
    false
}

/// The columns of a file, which this build cannot read.
pub(super) fn header(path: &Path) -> Result<Vec<Named>> {
    Err(absent(path))
}

/// Blocks of a table, which this build cannot read.
pub(super) fn blocks(source: &Source, _wanted: &Wanted<'_>) -> Result<Box<dyn Blocks>> {
    Err(absent(&source.path))
}

/// Writes a table, which this build cannot do.
pub(super) fn write(
    _table: &Source,
    _as_text: &[&String],
    (_file, path): (&File, &Path),
    _progress: &dyn Progress,
) -> Result<()> {
    Err(absent(path))
}

fn absent(path: &Path) -> Error {
    Error::absent("a Parquet table", "parquet").in_file(path)
}
