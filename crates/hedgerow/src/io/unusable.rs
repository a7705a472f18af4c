//! Columns whose values have no text.

use std::path::Path;

use crate::Error;

/// Why the values of a Parquet column cannot be used as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unusable {
    /// They are lists or groups of others.
    Nested,
    /// They are bytes that are not said to be text.
    Binary,
}

impl Unusable {
    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Binary => "binary",
        }
    }

    /// Said where such a column would have to be read.
    pub(super) fn error(self, path: &Path, column: &str) -> Error {
        let (what, instead) = match self {
            Self::Nested => ("holds lists or groups", "flatten it"),
            Self::Binary => ("holds bytes that are not text", "store it as text or numbers"),
        };
        let message = format!(
            "column '{column}' {what}, which a CSV release cannot; {instead}, or leave it out of the release \
             with --identifier {column}"
        );
        Error::file(path, message)
    }
}
