//! The error type: what went wrong as data, and what to do about it as [`Advice`].

/// The advice that an error has a field for, or `None`.
macro_rules! own_advice {
    ($error:expr) => {
        match $error {
            Self::File { advice, .. }
            | Self::Syntax { advice, .. }
            | Self::Value { advice, .. }
            | Self::Column { advice, .. }
            | Self::Parameter { advice, .. }
            | Self::Method { advice, .. }
            | Self::NoRows { advice }
            | Self::Invalid { advice, .. }
            | Self::Unreachable { advice, .. }
            | Self::Unfit { advice, .. } => Some(advice),
            _ => None,
        }
    };
}

mod advice;
mod alternatives;
mod flaw;
mod message;
mod nearest;
mod warning;

use std::path::{Path, PathBuf};

pub use advice::{Advice, HierarchySource, Setting};
pub use flaw::Flaw;
pub(crate) use nearest::{did_you_mean, nearest};
pub use warning::Warning;

/// The result of everything in this library that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
///
/// [`Error::Unreachable`] and [`Error::Unfit`] mean that the call is correct but its goal cannot be
/// met; [`Error::Internal`] is a bug in hedgerow; every other variant is a mistake in the call or
/// in a file.
///
/// `Display` writes the whole message in plain words. [`Error::message`] writes the same message
/// with advice in the words of a front end: flags of a command line, keyword arguments, links.
///
/// # Examples
///
/// ```
/// use hedgerow::error::{Advice, Error};
///
/// let error = Error::column("age", "the column has missing values")
///     .advise([Advice::OtherMissingPolicy]);
/// assert_eq!(
///     error.to_string(),
///     "column 'age': the column has missing values; choose another policy for missing values"
/// );
/// let flags = |advice: &Advice| format!("pass --{}", advice.setting().map_or("", |set| set.key));
/// assert_eq!(
///     error.message(&flags),
///     "column 'age': the column has missing values; pass --missing"
/// );
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened, read, written or renamed.
    #[non_exhaustive]
    Io {
        /// What was attempted: `open`, `read`, `write`, `unpack`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        cause: std::io::Error,
    },
    /// A file or folder cannot be used as asked.
    #[non_exhaustive]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// Something is wrong with the contents of a file.
    #[non_exhaustive]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        cause: Box<Error>,
    },
    /// A text does not follow its format: a hierarchy file, a list of thresholds, a job.
    #[non_exhaustive]
    Syntax {
        /// The line of the text, counted from 1, if it is known.
        line: Option<u64>,
        /// What is wrong there.
        problem: String,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// A column that the table does not have.
    #[non_exhaustive]
    UnknownColumn {
        /// The requested name.
        name: String,
        /// The most similar existing name, if one is similar enough.
        suggestion: Option<String>,
        /// The existing names.
        columns: Vec<String>,
    },
    /// A method, parameter or keyword that does not exist.
    #[non_exhaustive]
    Unknown {
        /// The kind of thing: `hierarchy method`, `privacy model`.
        what: &'static str,
        /// The requested name.
        name: String,
        /// The most similar existing name, if one is similar enough.
        suggestion: Option<String>,
        /// The existing names.
        known: Vec<String>,
    },
    /// Values of a column that its hierarchy does not have.
    #[non_exhaustive]
    NotInHierarchy {
        /// The column.
        column: String,
        /// The first such value.
        value: String,
        /// The first row that has it, counted from 1 without the header.
        row: u64,
        /// How many more values are missing.
        more: usize,
    },
    /// A value of a column that cannot be used.
    #[non_exhaustive]
    Value {
        /// The column.
        column: String,
        /// The value as it is written.
        value: String,
        /// The first row that has it, counted from 1 without the header, if it is known.
        row: Option<u64>,
        /// What is wrong with it.
        problem: String,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// A column that cannot be used as asked.
    #[non_exhaustive]
    Column {
        /// The column.
        column: String,
        /// What is wrong with it.
        problem: String,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// A parameter of a method that is unknown, missing or out of range.
    #[non_exhaustive]
    Parameter {
        /// The method, as users write it.
        method: String,
        /// The parameter, as users write it.
        parameter: String,
        /// The value it was given, if any.
        value: Option<String>,
        /// What is wrong with it.
        problem: String,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// A method, privacy model or loss that cannot do what is asked of it.
    #[non_exhaustive]
    Method {
        /// The kind of method: `method`, `privacy model`, `loss`.
        what: &'static str,
        /// The method, as users write it.
        method: String,
        /// What it cannot do, or why.
        problem: String,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// A problem that an anonymizer cannot solve, because of its models, limits or hierarchies.
    #[non_exhaustive]
    Obstacle {
        /// The anonymizer, as users write it.
        method: String,
        /// Why it cannot solve the problem.
        #[source]
        cause: Box<Error>,
        /// The methods that can solve it.
        others: Vec<String>,
    },
    /// A job that lacks settings which every job needs.
    #[non_exhaustive]
    Incomplete {
        /// The settings.
        missing: Vec<Missing>,
    },
    /// The input changed between two passes over it.
    InputChanged,
    /// The cohort of each row is needed, but the table does not have it.
    #[non_exhaustive]
    NoRows {
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// A row in memory that does not have one field for each column.
    #[non_exhaustive]
    Ragged {
        /// The row, counted from 1.
        row: u64,
        /// Number of its fields.
        found: usize,
        /// Number of columns.
        wanted: usize,
    },
    /// A proposal that must not be published.
    Flawed(#[source] Flaw),
    /// Any other mistake in the call.
    #[non_exhaustive]
    Invalid {
        /// What is wrong.
        problem: String,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// This build of hedgerow was compiled without a feature.
    #[non_exhaustive]
    Absent {
        /// What needs the feature.
        what: String,
        /// The feature.
        feature: &'static str,
    },
    /// The goal cannot be met with this table.
    #[non_exhaustive]
    Unreachable {
        /// Why not.
        problem: String,
        /// The privacy model that cannot be met, if it is one.
        unmet: Option<Box<Unmet>>,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// A file format that cannot hold a hierarchy without changing it.
    #[non_exhaustive]
    Unfit {
        /// The format.
        format: &'static str,
        /// What it cannot hold.
        problem: String,
        /// What to do about it.
        advice: Vec<Advice>,
    },
    /// Columns that should not be published without a decision about them.
    #[non_exhaustive]
    Undecided {
        /// The columns, in the order of the table.
        columns: Vec<Undecided>,
    },
    /// The caller asked to stop.
    Cancelled,
    /// A bug in hedgerow.
    Internal(String),
}

/// A setting that every job needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// The quasi-identifiers.
    Quasi,
    /// The output.
    Output,
    /// The `k`.
    K,
}

/// A privacy model that a table cannot meet.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Unmet {
    /// The model, as users write it.
    pub model: String,
    /// The sensitive column that the model is about, if it is about one.
    pub column: Option<String>,
    /// The requested parameter.
    pub asked: f64,
    /// The strictest parameter that was found attainable.
    pub best: f64,
}

/// A column that should not be published without a decision about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    /// The column.
    pub column: String,
    /// Why it should not be published as it is, as a clause: `its values are e-mail addresses`.
    pub reason: String,
    /// The option to name it in, by its key in a job file: `identifier` or `drop`.
    pub key: &'static str,
    /// Whether it can also be named as a quasi-identifier and generalized.
    pub or_quasi: bool,
}

impl Error {
    /// An [`Error::Invalid`].
    pub fn invalid(problem: impl Into<String>) -> Self {
        Self::Invalid { problem: problem.into(), advice: Vec::new() }
    }

    /// An [`Error::Unreachable`] that is not about a single privacy model.
    pub fn unreachable(problem: impl Into<String>) -> Self {
        Self::Unreachable { problem: problem.into(), unmet: None, advice: Vec::new() }
    }

    /// Adds the privacy model that cannot be met to an [`Error::Unreachable`].
    #[must_use]
    pub(crate) fn because_of(mut self, cause: Unmet) -> Self {
        // Other errors are not about a model, so they stay as they are.
        if let Self::Unreachable { unmet, .. } = &mut self {
            *unmet = Some(Box::new(cause));
        }
        self
    }

    /// An [`Error::Column`].
    pub fn column(column: &str, problem: impl Into<String>) -> Self {
        Self::Column { column: column.to_owned(), problem: problem.into(), advice: Vec::new() }
    }

    /// An [`Error::Column`] for a column without values.
    pub(crate) fn no_values(column: &str) -> Self {
        Self::column(column, "it has no values")
    }

    /// An [`Error::Column`] for a column that is named twice where one name is allowed.
    pub(crate) fn named_twice(column: &str) -> Self {
        Self::column(column, "it is named twice").advise([Advice::words("name it once")])
    }

    /// An [`Error::Parameter`] for a hierarchy method whose groups must have at least `k` records,
    /// if `k` is not known.
    pub(crate) fn no_k(method: &str, groups: &str) -> Self {
        // Hierarchies are also built without a release, for example to draw them, and then `k` has
        // no source.
        let problem = format!("is not given, and {groups} must have at least k records");
        Self::parameter(method, "k", None, problem)
            .advise([Advice::words(format!("state it, for example {method}:k=5"))])
    }

    /// An [`Error::Value`]; `row` is counted from 1.
    pub fn value(
        column: &str,
        value: impl Into<String>,
        row: impl Into<Option<u64>>,
        problem: impl Into<String>,
    ) -> Self {
        Self::Value {
            column: column.to_owned(),
            value: value.into(),
            row: row.into(),
            problem: problem.into(),
            advice: Vec::new(),
        }
    }

    /// An [`Error::Method`] about an anonymizer or a method that builds hierarchies.
    pub fn method(method: &str, problem: impl Into<String>) -> Self {
        Self::of_kind("method", method, problem)
    }

    /// An [`Error::Method`] about a kind of method: `privacy model`, `loss`.
    pub(crate) fn of_kind(what: &'static str, method: &str, problem: impl Into<String>) -> Self {
        let (method, problem) = (method.to_owned(), problem.into());
        Self::Method { what, method, problem, advice: Vec::new() }
    }

    /// An [`Error::NoRows`] that advises to keep rows.
    pub(crate) fn no_rows() -> Self {
        Self::NoRows { advice: vec![Advice::words("keep rows when reading the table")] }
    }

    /// An [`Error::Obstacle`]; `others` are the methods that can solve the problem.
    pub(crate) fn obstacle(method: &str, cause: Self, others: Vec<String>) -> Self {
        Self::Obstacle { method: method.to_owned(), cause: Box::new(cause), others }
    }

    /// An [`Error::Parameter`] about the value of a parameter, or about its absence.
    pub fn parameter(
        method: &str,
        parameter: &str,
        value: Option<&str>,
        problem: impl Into<String>,
    ) -> Self {
        Self::Parameter {
            method: method.to_owned(),
            parameter: parameter.to_owned(),
            value: value.map(str::to_owned),
            problem: problem.into(),
            advice: Vec::new(),
        }
    }

    /// An [`Error::Syntax`]; `line` is counted from 1.
    pub fn syntax(line: impl Into<Option<u64>>, problem: impl Into<String>) -> Self {
        Self::Syntax { line: line.into(), problem: problem.into(), advice: Vec::new() }
    }

    /// An [`Error::Absent`].
    pub fn absent(what: &str, feature: &'static str) -> Self {
        Self::Absent { what: what.to_owned(), feature }
    }

    /// An [`Error::File`].
    pub fn file(path: &Path, problem: impl Into<String>) -> Self {
        Self::File { path: path.to_owned(), problem: problem.into(), advice: Vec::new() }
    }

    /// Wraps an error of the operating system about a file.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        // A closure, to be given to `map_err` without repeating path and action.
        move |cause| Self::Io { action, path: path.to_owned(), cause }
    }

    /// An [`Error::UnknownColumn`] with its suggestion.
    pub fn unknown_column<'a>(name: &str, columns: impl Iterator<Item = &'a str>) -> Self {
        let columns: Vec<String> = columns.map(str::to_owned).collect();
        // Found here and kept as data, so that a front end can offer it as a link.
        let suggestion = nearest(name, columns.iter().map(String::as_str));
        Self::UnknownColumn { name: name.to_owned(), suggestion, columns }
    }

    /// An [`Error::Unknown`] with its suggestion.
    pub fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<String> = known.map(str::to_owned).collect();
        let suggestion = nearest(name, known.iter().map(String::as_str));
        Self::Unknown { what, name: name.to_owned(), suggestion, known }
    }

    /// Adds advice. Errors that have no room for advice stay as they are.
    #[must_use]
    pub fn advise(mut self, more: impl IntoIterator<Item = Advice>) -> Self {
        if let Self::InFile { cause, .. } | Self::Obstacle { cause, .. } = &mut self {
            // An error is replaced while it is moved; this placeholder is never seen.
            let inner = std::mem::replace(&mut **cause, Self::Cancelled);
            **cause = inner.advise(more);
        } else if let Some(advice) = own_advice!(&mut self) {
            advice.extend(more);
        }
        self
    }

    /// Turns the error into one about the contents of a file. Errors that already name a file, bugs
    /// and cancellation stay as they are.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        match self {
            // A path in front of a bug or of a cancellation would suggest that the file is at
            // fault.
            Self::Io { .. }
            | Self::File { .. }
            | Self::InFile { .. }
            | Self::Cancelled
            | Self::Internal(_) => self,
            other => Self::InFile { path: path.to_owned(), cause: Box::new(other) },
        }
    }

    /// Replaces the name of a file, if the error is about that file.
    pub(crate) fn about(mut self, file: &Path, name: &Path) -> Self {
        // Temporary files are renamed in messages to what the user named; other files keep their
        // names.
        if let Self::Io { path, .. } | Self::File { path, .. } | Self::InFile { path, .. } =
            &mut self
            && path == file
        {
            name.clone_into(path);
        }
        self
    }
}

#[cfg(test)]
mod tests;
