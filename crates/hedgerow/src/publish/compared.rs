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
        let columns = Columns { person: None, ..self.columns.clone() };
        let release = self.edited(like, |encoding| {
            let options = ReadOptions { encoding, ..self.reading.clone() };
            read_release(self.release, &columns, options, progress)
        })?;
        Ok((original, release))
    }

    /// Reads columns of the release; a column that was edited can have values of another kind than
    /// is stated.
    fn edited<T>(&self, encoding: Encoding, read: impl Fn(Encoding) -> Result<T>) -> Result<T> {
        let mut encoding = Encoding { is_guarded: self.is_guarded, ..encoding };
        loop {
            match read(encoding.clone()) {
                Err(Error::Value { column, .. }) if encoding.is_stated(&column) => {
                    encoding.infer(&column);
                }
                found => return found,
            }
        }
    }

    /// The columns that are not named, but that both files have and that can be read in both.
    fn others(&self) -> Vec<String> {
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

    /// Warnings about columns that are not named and show values more often in the release than in
    /// the original: either they were edited, or the files do not belong together.
    ///
    /// Each column is counted on its own, all of them in one pass over each file. The memory needed
    /// is that of the distinct values of all these columns, not of their combinations.
    pub fn doubts(&self, progress: &dyn Progress) -> Result<Vec<Warning>> {
        let alone = |name: String| Columns { beside: vec![name], ..Columns::default() };
        let groups: Vec<Columns> = self.others().into_iter().map(alone).collect();
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let options = ReadOptions { keep_rows: false, ..self.reading.clone() };
        let originals = self.original.read_each(&groups, &options, progress)?;
        // Not read like the original, because some of these columns may be generalized.
        let releases = self.edited(options.encoding.clone().of_release(), |encoding| {
            let options = ReadOptions { encoding, ..options.clone() };
            self.release.read_each(&groups, &options, progress)
        })?;
        let pairs = originals.iter().zip(&releases);
        let doubts = pairs.flat_map(|(own, shown)| doubts_of_belonging(own, shown, &[]));
        Ok(doubts.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::table::Kind;

    #[test]
    fn an_edited_column_of_a_stated_kind_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let source = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            Source::open(&path, None).unwrap()
        };
        let original = source("o.csv", "age,income,pay\n20,15,1\n30,17,2\n40,33,2\n");
        let release = source("r.csv", "age,income,pay\n*,10-20k,1\n*,10-20k,1\n40,33,2\n");
        let kinds = ["income", "pay"].map(|name| (name.to_owned(), Kind::Number));
        let encoding = Encoding { kinds: kinds.into(), ..Encoding::default() };
        let reading = ReadOptions { encoding, ..ReadOptions::default() };
        let pair = Pair {
            original: &original,
            release: &release,
            columns: &Columns::quasi(&["age"]),
            reading: &reading,
            is_guarded: false,
        };
        let doubts: Vec<String> =
            pair.doubts(&Silent).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(doubts.len(), 1, "{doubts:?}");
        assert!(doubts[0].contains("'1' is in 2 records of the release"), "{doubts:?}");
    }
}
