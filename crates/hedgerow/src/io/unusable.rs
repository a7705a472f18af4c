//! Columns whose values cannot be represented as text.

use std::path::Path;

use crate::Error;

/// Why the values of a Parquet column cannot be used as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unusable {
    /// The values are lists or groups.
    Nested,
    /// The values are bytes that are not declared as text.
    Binary,
}

impl Unusable {
    /// Name of the reason, in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Binary => "binary",
        }
    }

    /// The error for an attempt to read such a column.
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
