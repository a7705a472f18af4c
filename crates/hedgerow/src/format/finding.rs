//! Something that the author of a hierarchy file should look at.

use std::fmt;

use crate::Error;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It works, but somebody may have meant something else.
    Warning,
    /// It cannot be used so.
    Error,
}

/// Something a hierarchy's author should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The line of the file, where there is one.
    pub line: Option<u64>,
    /// What it is, which value or node, and what to do.
    pub message: String,
}

impl Finding {
    pub(super) fn error(line: u64, message: String) -> Self {
        Self { severity: Severity::Error, line: Some(line).filter(|&line| line > 0), message }
    }

    pub(super) fn warning(line: u64, message: String) -> Self {
        Self { severity: Severity::Warning, ..Self::error(line, message) }
    }

    /// The finding as the error of a call that cannot use the file.
    pub(crate) fn to_error(&self) -> Error {
        Error::syntax(self.line, &self.message)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
