//! The error type: the problem as data, and a remedy as [`Advice`].

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
            | Self::Misuse { advice, .. }
            | Self::Unreachable { advice, .. }
            | Self::Unfit { advice, .. } => Some(advice),
            _ => None,
        }
    };
}

mod portion;
mod advice;
mod alternatives;
mod flaw;
mod misuse;
mod nearest;
mod made;
mod message;
mod warning;

use std::path::PathBuf;

pub use advice::{Advice, HierarchySource, Setting};
pub use flaw::Flaw;
pub use misuse::Misuse;
pub(crate) use nearest::{did_you_mean, nearest};
pub use portion::Portion;
pub use warning::Warning;

/// The result of everything in this library that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: a problem, usually with advice.
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
        /// The action that failed: `open`, `read`, `write`, `unpack`.
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
        /// The problem, in words.
        problem: String,
        /// Advice on how to solve it.
        advice: Vec<Advice>,
    },
    /// Something is wrong with the contents of a file.
    #[non_exhaustive]
    InFile {
        /// The file.
        path: PathBuf,
        /// The problem with the contents.
        #[source]
        cause: Box<Error>,
    },
    /// A text does not follow its format: a hierarchy file, a list of thresholds, a job.
    #[non_exhaustive]
    Syntax {
        /// The line of the text, counted from 1, if it is known.
        line: Option<u64>,
        /// The problem, in words.
        problem: String,
        /// Advice on how to solve it.
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
        /// Number of other values that are missing.
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
        /// The problem, in words.
        problem: String,
        /// Advice on how to solve it.
        advice: Vec<Advice>,
    },
    /// A column that cannot be used as asked.
    #[non_exhaustive]
    Column {
        /// The column.
        column: String,
        /// The problem, in words.
        problem: String,
        /// Advice on how to solve it.
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
        /// The problem, in words.
        problem: String,
        /// Advice on how to solve it.
        advice: Vec<Advice>,
    },
    /// A method, privacy model or loss that cannot do its task.
    #[non_exhaustive]
    Method {
        /// The kind of method: `method`, `privacy model`, `loss`.
        what: &'static str,
        /// The method, as users write it.
        method: String,
        /// The task that it cannot do, or the reason, in words.
        problem: String,
        /// Advice on how to solve it.
        advice: Vec<Advice>,
    },
    /// A problem that an anonymizer cannot solve, because of its models, limits or hierarchies.
    #[non_exhaustive]
    Obstacle {
        /// The anonymizer, as users write it.
        method: String,
        /// The reason that it cannot solve the problem.
        #[source]
        cause: Box<Error>,
        /// The methods that can solve it.
        others: Vec<String>,
    },
    /// An edit of a hierarchy that cannot be made.
    #[non_exhaustive]
    Edit {
        /// The operation, as scripts name it: `merge`.
        operation: &'static str,
        /// Its number in a script, counted from 1.
        number: Option<usize>,
        /// The reason that it cannot be made.
        #[source]
        cause: Box<Error>,
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
        /// Advice on how to solve it.
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
    /// Stages that do not belong together, or another mistake of a program that calls the library.
    #[non_exhaustive]
    Misuse {
        /// The mistake.
        #[source]
        misuse: Misuse,
        /// Advice on how to solve it.
        advice: Vec<Advice>,
    },
    /// Any other mistake in the call.
    #[non_exhaustive]
    Invalid {
        /// The problem, in words.
        problem: String,
        /// Advice on how to solve it.
        advice: Vec<Advice>,
    },
    /// This build of hedgerow was compiled without a feature.
    #[non_exhaustive]
    Absent {
        /// The thing that needs the feature.
        what: String,
        /// The feature.
        feature: &'static str,
    },
    /// The goal cannot be met with this table.
    #[non_exhaustive]
    Unreachable {
        /// The reason, in words.
        problem: String,
        /// The privacy model that cannot be met, if the reason is a single model.
        unmet: Option<Box<Unmet>>,
        /// Advice on how to solve it.
        advice: Vec<Advice>,
    },
    /// A file format that cannot hold a hierarchy without changing it.
    #[non_exhaustive]
    Unfit {
        /// The format.
        format: &'static str,
        /// The part that it cannot hold.
        problem: String,
        /// Advice on how to solve it.
        advice: Vec<Advice>,
    },
    /// Columns that should not be published without a decision about them.
    #[non_exhaustive]
    Undecided {
        /// The columns, in the order of the table.
        columns: Vec<Undecided>,
        /// Warnings about how the table was read: with a guessed encoding, for example.
        reading: Vec<Warning>,
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
    /// The change of the model after which it can be met, as far as this is known; `None` if no
    /// parameter that protects is attainable.
    pub eased: Option<Eased>,
}

/// A change of one parameter of a privacy model, after which a class was found to satisfy it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Eased {
    /// The parameter, as users write it.
    pub parameter: &'static str,
    /// Its new value.
    pub value: f64,
}

/// A column that should not be published without a decision about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecided {
    /// The column.
    pub column: String,
    /// The reason not to publish it as it is, as a clause: `its values are e-mail addresses`.
    pub reason: String,
    /// The option to name it in, by its key in a job file: `identifier` or `drop`.
    pub key: &'static str,
    /// Whether it can also be named as a quasi-identifier and generalized.
    pub or_quasi: bool,
    /// Number of records without a value, if it is the column that names people: these must be left
    /// out, or be given their person.
    pub n_unnamed: u64,
}

#[cfg(test)]
mod tests;
