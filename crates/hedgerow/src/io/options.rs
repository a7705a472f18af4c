//! Options for writing a release.

use std::path::Path;

use super::Source;
use crate::Result;
use crate::charset::Charset;

/// Options for writing a release.
#[derive(Debug, Clone, Copy, Default)]
pub struct WriteOptions {
    /// Omits suppressed records instead of publishing them as `*`.
    pub drop_suppressed: bool,
    /// Keeps the order of the input, which helps an attacker who knows it.
    pub keep_order: bool,
    /// Digest of all settings of the job, which becomes part of the key of the random order.
    pub digest: u64,
    /// Puts a `'` in front of cells that a spreadsheet would evaluate as formulas.
    pub spreadsheet_safe: bool,
    /// Encoding of a CSV file; UTF-8 if not given.
    pub charset: Option<Charset>,
    /// Number of threads; 0 means 1.
    pub threads: usize,
}

impl WriteOptions {
    /// Opens a file that was written with these options.
    pub(crate) fn reopen(&self, written: &Path, source: &Source) -> Result<Source> {
        Source::reopen(written, source.delimiter(), self.charset)
    }
}
