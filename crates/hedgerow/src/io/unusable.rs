//! Columns whose values cannot be represented as text.

use std::path::Path;

use crate::Error;
use crate::error::Advice;

/// The reason why the values of a column cannot be used as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unusable {
    /// The values are lists or groups.
    Nested,
    /// The values are bytes that are not declared as text.
    Binary,
    /// The values are objects of a program, which have no spelling.
    Objects,
}

impl Unusable {
    /// Name of the reason, in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Binary => "binary",
            Self::Objects => "objects",
        }
    }

    /// The error for an attempt to read such a column.
    pub(super) fn error(self, path: &Path, column: &str) -> Error {
        let (what, instead) = match self {
            Self::Nested => ("lists or groups", "flatten it"),
            Self::Binary => ("bytes that are not text", "store it as text or numbers"),
            Self::Objects => {
                ("objects that are not of one simple type", "convert it to numbers, dates or text")
            }
        };
        let problem = format!("it holds {what}, which a release in CSV cannot hold");
        Error::column(column, problem)
            .advise([Advice::words(instead), Advice::NameIdentifier { column: column.to_owned() }])
            .in_file(path)
    }
}
