//! The one error type, and how near misses are suggested.

use std::path::{Path, PathBuf};

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, said so that its reader knows what to do next.
///
/// [`Error::Unreachable`] is a goal that the data cannot meet, [`Error::Internal`] a bug of ours;
/// everything else is a mistake in the call or in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened, read, written or renamed.
    #[error("cannot {action} {}: {cause}", path.display())]
    Io {
        /// What was tried: `open`, `read`, `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// A file is not what it should be; the message names the place.
    #[error("{}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was found where, and what to do.
        message: String,
    },
    /// A column that the table does not have.
    #[error("there is no column '{name}'{}; the columns are {}", or_rather(suggestion.as_ref()), quoted(columns))]
    UnknownColumn {
        /// The name that was asked for.
        name: String,
        /// The nearest name there is, if one is near.
        suggestion: Option<String>,
        /// The names there are.
        columns: Vec<String>,
    },
    /// A method, parameter or keyword that does not exist.
    #[error("there is no {what} '{name}'{}", or_choose(suggestion.as_ref(), known))]
    Unknown {
        /// The kind of thing: `hierarchy method`, `privacy model`.
        what: &'static str,
        /// The name that was asked for.
        name: String,
        /// The nearest name there is, if one is near.
        suggestion: Option<String>,
        /// The names there are.
        known: Vec<String>,
    },
    /// Values of a column that its hierarchy does not have.
    #[error("column '{column}': value '{value}' (row {row}) is missing from its hierarchy{}; add it to the hierarchy file, or build one from the data", and_more(*more))]
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
    /// A mistake in the call, a parameter or a value.
    #[error("{0}")]
    Invalid(String),
    /// The goal cannot be met with this table.
    #[error("{0}")]
    Unreachable(String),
    /// The caller asked to stop.
    #[error("interrupted; nothing was written")]
    Cancelled,
    /// A bug in hedgerow.
    #[error("internal error: {0}; this is a bug in hedgerow, please report it")]
    Internal(String),
}

impl Error {
    /// An [`Error::Invalid`] from a message.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    /// Said of what this build of hedgerow could have, had it been built with a feature.
    pub fn absent(what: &str, feature: &str) -> Self {
        Self::invalid(format!(
            "{what} needs the feature '{feature}', which this build of hedgerow lacks; take a build \
             that has it: both features are on unless it is built with --no-default-features"
        ))
    }

    /// An [`Error::File`] from a path and a message.
    pub fn file(path: &Path, message: impl Into<String>) -> Self {
        Self::File { path: path.to_owned(), message: message.into() }
    }

    /// Wraps what the system said about a file.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::Io { action, path: path.to_owned(), cause }
    }

    /// The same error with another name for a file, if it is about that file.
    pub(crate) fn about(mut self, file: &Path, name: &Path) -> Self {
        if let Self::Io { path, .. } | Self::File { path, .. } = &mut self
            && path == file
        {
            name.clone_into(path);
        }
        self
    }

    /// An [`Error::UnknownColumn`] with its suggestion.
    pub fn unknown_column<'a>(name: &str, columns: impl Iterator<Item = &'a str>) -> Self {
        let columns: Vec<String> = columns.map(str::to_owned).collect();
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
}

/// The name most like `asked`: one that begins so, or the one that takes fewest changes of a letter,
/// at most a third of them.
pub(crate) fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let asked = asked.to_lowercase();
    let most_changes = (asked.chars().count() / 3).max(1);
    let changes = |name: &str| match name.to_lowercase() {
        name if name.starts_with(&asked) && !asked.is_empty() => 0,
        name => strsim::damerau_levenshtein(&asked, &name),
    };
    names
        .map(|name| (changes(name), name))
        .filter(|(changes, _)| *changes <= most_changes)
        .min_by_key(|(changes, _)| *changes)
        .map(|(_, name)| name.to_owned())
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

/// A hint at the name most like `asked`, to be put behind it in a message; empty if none is near.
pub(crate) fn did_you_mean<'a>(asked: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    or_rather(nearest(asked, names.into_iter()).as_ref())
}

fn or_rather(suggestion: Option<&String>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean '{name}'?)"))
}

/// The nearest name; all of them only if none is near.
fn or_choose(suggestion: Option<&String>, known: &[String]) -> String {
    match suggestion {
        Some(_) => or_rather(suggestion),
        None => format!("; choose from {}", known.join(", ")),
    }
}

fn and_more(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " (and so is 1 more value)".to_owned(),
        more => format!(" (and so are {more} more values)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_column_is_suggested() {
        let error = Error::unknown_column("Educaton_num", ["age", "education-num"].into_iter());
        assert_eq!(
            error.to_string(),
            "there is no column 'Educaton_num' (did you mean 'education-num'?); \
             the columns are 'age', 'education-num'"
        );
    }

    #[test]
    fn nothing_is_suggested_when_nothing_is_near() {
        assert_eq!(nearest("xyzzy", ["age", "hours"].into_iter()), None);
    }
}
