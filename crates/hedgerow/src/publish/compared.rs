//! Reads an original and its release with the same columns, for comparing them.

use super::read_release;
use crate::Result;
use crate::io::{ReadOptions, Source};
use crate::progress::Progress;
use crate::table::{Column, Columns, Encoding, MissingPolicy, Table};

/// An original and its release, which are read with the same columns.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The original.
    pub original: &'a Source,
    /// The release.
    pub release: &'a Source,
    /// The quasi-identifiers and the other columns that both have; a person column is read in the
    /// original only.
    pub columns: &'a Columns,
    /// How the original is read.
    pub reading: &'a ReadOptions,
    /// Whether cells of the release that look like formulas have a `'` in front.
    pub is_guarded: bool,
}

impl Pair<'_> {
    /// Reads both tables.
    pub fn read(&self, progress: &dyn Progress) -> Result<(Table, Table)> {
        let original = self.original.read(self.columns, self.reading, progress)?;
        let others: Vec<&Column> = original.beside().iter().collect();
        let encoding = Encoding {
            // The policy of the original could drop or refuse published rows with empty cells.
            missing: MissingPolicy::Own,
            is_guarded: self.is_guarded,
            ..Encoding::like(&others, &self.reading.encoding.na)
        };
        let columns = Columns { person: None, ..self.columns.clone() };
        let options = ReadOptions { encoding, ..self.reading.clone() };
        let release = read_release(self.release, &columns, options, progress)?;
        Ok((original, release))
    }
}
