//! Reads an original and its release with the same columns, for comparing them.

use super::read_release;
use crate::error::Warning;
use crate::io::{ReadOptions, Source};
use crate::measure::doubts_of_belonging;
use crate::progress::Progress;
use crate::table::{Column, Columns, Encoding, Table};
use crate::{Error, Result};

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
    /// Reads both tables. Columns besides the quasi-identifiers are read in the release like those
    /// of the original, so that equal values are found equal.
    pub fn read(&self, progress: &dyn Progress) -> Result<(Table, Table)> {
        let original = self.original.read(self.columns, self.reading, progress)?;
        let others: Vec<&Column> = original.beside().iter().collect();
        let like = Encoding::like(&others, &self.reading.encoding.na);
        let mut encoding = Encoding { is_guarded: self.is_guarded, ..like };
        let columns = Columns { person: None, ..self.columns.clone() };
        loop {
            let options = ReadOptions { encoding: encoding.clone(), ..self.reading.clone() };
            match read_release(self.release, &columns, options, progress) {
                // A column that was edited can have values of another kind.
                Err(Error::Value { column, .. }) if encoding.is_stated(&column) => {
                    encoding.infer(&column);
                }
                release => return Ok((original, release?)),
            }
        }
    }

    /// The other columns that both files have and that can be read in both.
    pub fn others(&self) -> Vec<String> {
        let named = self.columns.names();
        let is_other = |(place, name): &(usize, &String)| {
            let shown = self.release.header().iter().position(|shown| shown == *name);
            let is_usable = |at: usize| self.release.unusable(at).is_none();
            !named.contains(name)
                && shown.is_some_and(is_usable)
                && self.original.unusable(*place).is_none()
        };
        let header = self.original.header().iter().enumerate();
        header.filter(is_other).map(|(_, name)| name.clone()).collect()
    }

    /// Warnings about [other columns](Pair::others) that show values more often in the release than
    /// in the original: either they were edited, or the files do not belong together.
    ///
    /// Each column is counted on its own, in one pass over each file, so that the memory needed is
    /// that of its distinct values, not of all records.
    pub fn doubts(&self, progress: &dyn Progress) -> Result<Vec<Warning>> {
        let alone = |name: String| Columns { beside: vec![name], ..Columns::default() };
        let groups: Vec<Columns> = self.others().into_iter().map(alone).collect();
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let options = ReadOptions { keep_rows: false, ..self.reading.clone() };
        let originals = self.original.read_each(&groups, &options, progress)?;
        // Not read like the original, because some of these columns may be generalized.
        let own = options.encoding.clone().of_release();
        let encoding = Encoding { is_guarded: self.is_guarded, ..own };
        let options = ReadOptions { encoding, ..options };
        let releases = self.release.read_each(&groups, &options, progress)?;
        let pairs = originals.iter().zip(&releases);
        let doubts = pairs.flat_map(|(own, shown)| doubts_of_belonging(own, shown, &[]));
        Ok(doubts.collect())
    }
}
