//! Tables in memory, as the library sees them: columns whose values can be written as text.

use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Range;

use super::Unusable;
use crate::Result;

/// A table in memory, column by column.
///
/// The same row and column must always give the same text, because tables are read several times
/// and by several threads.
pub trait Frame: Debug + Send + Sync {
    /// Names of the columns.
    fn names(&self) -> Vec<String>;

    /// Number of rows.
    fn n_rows(&self) -> u64;

    /// Returns the reason why the values of a column cannot be represented as text, or `None`.
    fn unusable(&self, _column: usize) -> Option<Unusable> {
        None
    }

    /// Appends the values of some rows of a column as text, one for each row. A missing value is an
    /// empty text.
    ///
    /// # Errors
    ///
    /// [`Error::Value`](crate::Error::Value) or [`Error::Column`](crate::Error::Column) for a value
    /// that cannot be represented as text. Rows in messages are counted from 1.
    fn texts(&self, column: usize, rows: Range<u64>, texts: &mut Texts) -> Result<()>;
}

/// Texts of values, one after another.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    pub(super) bytes: Vec<u8>,
    pub(super) ends: Vec<usize>,
    /// The indices of numbers that are NaN or infinite.
    pub(super) not_finite: Vec<usize>,
}

impl Texts {
    /// Buffer for the text of the next value. [`Texts::end`] ends the value.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Ends a value.
    pub fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// Ends a value that is NaN or infinite. It is an error unless its text counts as missing.
    pub fn end_not_finite(&mut self) {
        self.not_finite.push(self.ends.len());
        self.end();
    }

    /// Adds a value.
    pub fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.end();
    }

    /// The texts in their order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, str>> {
        (0..self.ends.len()).map(|place| String::from_utf8_lossy(self.get(place)))
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.not_finite.clear();
    }

    pub(super) fn get(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.bytes[start..self.ends[place]]
    }
}
