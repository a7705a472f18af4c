//! Reads an original and its release with the same columns, for comparing them.

use std::collections::BTreeMap;

use super::read_release;
use crate::Result;
use crate::io::{ReadOptions, Source};
use crate::measure::{Others, check_belongs};
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
    /// Options for reading the original.
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

    /// Reads all other columns that both files have.
    ///
    /// # Errors
    ///
    /// [`Error::Column`](crate::Error::Column) if one of them cannot come from the original,
    /// besides those of [`Source::read`].
    pub fn check_others(&self, progress: &dyn Progress) -> Result<()> {
        let named = self.columns.names();
        let is_other = |(place, name): &(usize, &String)| {
            let shown = self.release.header().iter().position(|shown| shown == *name);
            let is_usable = |at: usize| self.release.unusable(at).is_none();
            !named.contains(name)
                && shown.is_some_and(is_usable)
                && self.original.unusable(*place).is_none()
        };
        let header = self.original.header().iter().enumerate();
        let others: Vec<String> = header.filter(is_other).map(|(_, name)| name.clone()).collect();
        if others.is_empty() {
            return Ok(());
        }
        let columns = Columns { beside: others, ..Columns::default() };
        let original = self.original.read(&columns, self.reading, progress)?;
        // Not read like the original, because some of these columns may be generalized.
        let encoding = Encoding {
            missing: MissingPolicy::Own,
            is_guarded: self.is_guarded,
            ..self.reading.encoding.clone()
        };
        let options = ReadOptions { encoding, keep_rows: false, ..self.reading.clone() };
        let release = read_release(self.release, &columns, options, progress)?;
        check_belongs(&original, &release, &BTreeMap::new(), Others::Unused)
    }
}
