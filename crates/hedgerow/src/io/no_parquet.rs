//! Replaces Parquet support in builds without the feature `parquet`; such files are an error.

use std::path::Path;

use super::block::{Blocks, Wanted};
use super::magic::Named;
use super::{Output, Source};
use crate::progress::Progress;
use crate::{Error, Result};

/// Returns an error: this build cannot read Parquet files.
pub(super) fn header(path: &Path) -> Result<Vec<Named>> {
    Err(absent(path))
}

/// Returns an error: this build cannot read Parquet files.
pub(super) fn blocks(source: &Source, _wanted: &Wanted<'_>) -> Result<Box<dyn Blocks>> {
    Err(absent(&source.path))
}

/// Returns an error: this build cannot write Parquet files.
pub(super) fn write(
    _table: &Source,
    _as_text: &[&String],
    output: &Output,
    _progress: &dyn Progress,
) -> Result<()> {
    Err(absent(output.path()))
}

fn absent(path: &Path) -> Error {
    Error::absent("a Parquet table", "parquet").in_file(path)
}
