//! Problems in a hierarchy file, to be reported to its author.

use std::fmt;

use crate::Error;

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file can be used, but may not mean what its author intended.
    Warning,
    /// The file cannot be used.
    Error,
}

/// A problem in a hierarchy file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Severity of the problem.
    pub severity: Severity,
    /// The line of the file, if known.
    pub line: Option<u64>,
    /// The problem, the value or node concerned, and a remedy.
    pub message: String,
}

impl Finding {
    pub(super) fn error(line: u64, message: String) -> Self {
        Self { severity: Severity::Error, line: Some(line).filter(|&line| line > 0), message }
    }

    pub(super) fn warning(line: u64, message: String) -> Self {
        Self { severity: Severity::Warning, ..Self::error(line, message) }
    }

    /// Converts the finding into an error, for calls that cannot use the file.
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
