//! Makes errors, and adds the knowledge of their callers to them.

use std::path::Path;

use super::{Advice, Error, Misuse, Unmet, nearest};

impl Error {
    /// An [`Error::Misuse`].
    pub fn misuse(misuse: Misuse) -> Self {
        Self::Misuse { misuse, advice: Vec::new() }
    }

    /// An [`Error::Invalid`].
    pub fn invalid(problem: impl Into<String>) -> Self {
        Self::Invalid { problem: problem.into(), advice: Vec::new() }
    }

    /// An [`Error::Unreachable`] that is not about a single privacy model.
    pub(crate) fn unreachable(problem: impl Into<String>) -> Self {
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

    /// Turns the error into one about an edit, or adds the number of the edit. Bugs and
    /// cancellation stay as they are.
    #[must_use]
    pub(crate) fn of_edit(self, operation: &'static str, number: Option<usize>) -> Self {
        match self {
            Self::Cancelled | Self::Internal(_) => self,
            Self::Edit { cause, .. } => Self::Edit { operation, number, cause },
            other => Self::Edit { operation, number, cause: Box::new(other) },
        }
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
    pub(crate) fn syntax(line: impl Into<Option<u64>>, problem: impl Into<String>) -> Self {
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
    pub(crate) fn unknown_column<'a>(name: &str, columns: impl Iterator<Item = &'a str>) -> Self {
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

    /// Adds advice. Errors without a field for advice stay as they are.
    #[must_use]
    pub fn advise(mut self, more: impl IntoIterator<Item = Advice>) -> Self {
        if let Self::InFile { cause, .. }
        | Self::Obstacle { cause, .. }
        | Self::Edit { cause, .. } = &mut self
        {
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
        // Temporary files are renamed in messages to the names that the user gave; other files keep
        // their names.
        if let Self::Io { path, .. } | Self::File { path, .. } | Self::InFile { path, .. } =
            &mut self
            && path == file
        {
            name.clone_into(path);
        }
        self
    }
}
