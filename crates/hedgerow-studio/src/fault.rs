//! The reason why a request was not done, as the page shows it.

use hedgerow::Error;
use hedgerow::job::Job;
use hedgerow::noun::counted;
use serde::Serialize;

use crate::advice::Advised;
use crate::attainable::Attainable;

/// The reason why a request was not done.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The library says why.
    Library(Error),
    /// The studio itself refuses.
    Refused(Box<Refusal>),
}

/// A refusal of the studio: the status of the answer, and its content.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) problem: Problem,
}

/// The content of an answer that is an error.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Problem {
    pub(crate) error: Told,
}

/// A problem and what to do about it.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Told {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) advice: Vec<Advised>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) existing: Vec<String>,
    /// Number of runs that the request would drop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) runs: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) attainable: Option<Attainable>,
}

/// The result of a request.
pub(crate) type Done<T> = Result<T, Fault>;

impl Fault {
    /// A request that is malformed.
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self::refused(400, "request", message)
    }

    /// Something that does not exist.
    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self::refused(404, "missing", message)
    }

    /// A request that contradicts what is there now.
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::refused(409, "conflict", message)
    }

    /// A request that is understood, but cannot be done.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::refused(422, "input", message)
    }

    /// A fault of the studio itself.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::refused(500, "internal", message)
    }

    /// Any refusal.
    pub(crate) fn refused(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        let error = Told { kind, message: message.into(), ..Told::default() };
        Self::Refused(Box::new(Refusal { status, problem: Problem { error } }))
    }

    /// The same refusal with what to do about it.
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        if let Self::Refused(refusal) = &mut self {
            refusal.problem.error.advice.push(Advised::words(advice));
        }
        self
    }

    /// Files that are there already.
    pub(crate) fn exists(existing: Vec<String>) -> Self {
        let names = existing.join(", ");
        let fault = Self::refused(409, "exists", format!("these files exist already: {names}"));
        let mut fault = fault.advise("confirm that they are to be replaced, or name others");
        if let Self::Refused(refusal) = &mut fault {
            refusal.problem.error.existing = existing;
        }
        fault
    }

    /// Another table, with which runs of the open one would be lost.
    pub(crate) fn drops(n_runs: usize, table: &str) -> Self {
        let runs = counted(n_runs as u64, "run");
        let mut fault = Self::conflict(format!("opening another table drops {runs} of {table}"))
            .advise("export releases that are still needed, or confirm that the runs are dropped");
        if let Self::Refused(refusal) = &mut fault {
            refusal.problem.error.runs = Some(n_runs);
        }
        fault
    }

    /// The answer to the request.
    pub(crate) fn refusal(self) -> Refusal {
        match self {
            Self::Library(error) => Refusal::of(&error),
            Self::Refused(refusal) => *refusal,
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl Refusal {
    /// The refusal for an error of the library.
    pub(crate) fn of(error: &Error) -> Self {
        let (status, kind) = match error {
            Error::Internal(_) | Error::Misuse { .. } => (500, "internal"),
            Error::Unreachable { .. } | Error::Unfit { .. } => (422, "unreachable"),
            Error::InputChanged => (409, "stale"),
            Error::Cancelled => (409, "cancelled"),
            Error::Absent { .. } => (422, "unavailable"),
            _ => (422, "input"),
        };
        let error = Told {
            kind,
            message: without_folders(error),
            advice: Advised::all(&error.advice()),
            line: line_of(error),
            column: column_of(error),
            attainable: Attainable::of(error),
            ..Told::default()
        };
        Self { status, problem: Problem { error } }
    }

    /// The refusal of a run; of a single run, `told` is the job as its file says it.
    pub(crate) fn of_run(error: &Error, told: Option<&Job>) -> Self {
        let mut refusal = Self::of(error);
        let offer = &mut refusal.problem.error.attainable;
        *offer = offer.take().or_else(|| Attainable::of_model(error, told?));
        refusal
    }
}

/// The problem, with the names of files instead of their paths.
fn without_folders(error: &Error) -> String {
    let mut message = error.problem();
    let (Error::Io { path, .. } | Error::File { path, .. } | Error::InFile { path, .. }) = error
    else {
        return message;
    };
    if let Some(name) = path.file_name() {
        message = message.replace(&path.display().to_string(), &name.to_string_lossy());
    }
    message
}

fn line_of(error: &Error) -> Option<u64> {
    match error {
        Error::InFile { cause, .. } => line_of(cause),
        Error::Syntax { line, .. } => *line,
        _ => None,
    }
}

fn column_of(error: &Error) -> Option<String> {
    match error {
        Error::InFile { cause, .. } | Error::Obstacle { cause, .. } => column_of(cause),
        Error::Value { column, .. }
        | Error::Column { column, .. }
        | Error::NotInHierarchy { column, .. } => Some(column.clone()),
        Error::UnknownColumn { name, .. } => Some(name.clone()),
        _ => None,
    }
}
