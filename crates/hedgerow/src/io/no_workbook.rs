//! Replaces workbooks in builds without the feature `excel`; such files are an error.

use std::path::Path;
use std::sync::Arc;

use super::block::{Blocks, Wanted};
use super::{OpenOptions, Source};
use crate::error::Warning;
use crate::{Error, Result};

/// A sheet of a workbook, of which this build has none.
#[derive(Debug)]
pub(super) enum Sheet {}

impl Sheet {
    pub(super) fn first_row(&self) -> Vec<String> {
        match *self {}
    }

    pub(super) fn warnings(&self, _: &[String], _: &[String], _: &[String]) -> Vec<Warning> {
        match *self {}
    }

    pub(super) fn has_fault(&self, _: &[String], _: &str, _: &str) -> bool {
        match *self {}
    }
}

/// Returns an error: this build cannot read workbooks.
pub(super) fn open(path: &Path, _magic: [u8; 4], _options: &OpenOptions) -> Result<Sheet> {
    Err(Error::absent("a table in a workbook of Excel or OpenDocument", "excel").in_file(path))
}

pub(super) fn blocks(
    _source: &Source,
    sheet: &Arc<Sheet>,
    _wanted: &Wanted<'_>,
) -> Result<Box<dyn Blocks>> {
    match **sheet {}
}
