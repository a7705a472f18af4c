//! The messages of errors.

use std::fmt;

use super::advice::with_advice;
use super::nearest::or_rather;
use super::{Advice, Error, Undecided};

impl Error {
    /// What went wrong, in plain words and without advice.
    pub fn problem(&self) -> String {
        match self {
            Self::Io { action, path, cause } => {
                format!("cannot {action} {}: {cause}", path.display())
            }
            Self::File { path, problem, .. } => format!("{}: {problem}", path.display()),
            Self::InFile { path, cause } => format!("{}: {}", path.display(), cause.problem()),
            Self::Syntax { line: Some(line), problem, .. } => format!("line {line}: {problem}"),
            Self::UnknownColumn { name, suggestion, columns } => format!(
                "there is no column '{name}'{}; the columns are {}",
                or_rather(suggestion.as_ref()),
                quoted(columns)
            ),
            Self::Unknown { what, name, suggestion, known } => {
                format!("there is no {what} '{name}'{}", or_choose(suggestion.as_ref(), known))
            }
            Self::NotInHierarchy { column, value, row, more } => format!(
                "column '{column}': value '{value}' (row {row}) is missing from its hierarchy{}",
                and_more(*more)
            ),
            Self::Value { column, value, row: Some(row), problem, .. } => {
                format!("column '{column}': '{value}' (row {row}) {problem}")
            }
            Self::Value { column, value, row: None, problem, .. } => {
                format!("column '{column}': '{value}' {problem}")
            }
            Self::Column { column, problem, .. } => format!("column '{column}': {problem}"),
            Self::Parameter { method, parameter, value: Some(value), problem, .. } => {
                format!("{method}: {parameter} is '{value}'; {problem}")
            }
            Self::Parameter { method, parameter, value: None, problem, .. } => {
                format!("{method}: {parameter} {problem}")
            }
            Self::Method { what, method, problem, .. } => format!("{what} '{method}' {problem}"),
            Self::Obstacle { method, cause, .. } => {
                format!("method '{method}' cannot solve this problem: {}", cause.problem())
            }
            Self::Syntax { line: None, problem, .. }
            | Self::Invalid { problem, .. }
            | Self::Unreachable { problem, .. } => problem.clone(),
            Self::Unfit { format, problem, .. } => format!("the format {format} {problem}"),
            Self::Absent { what, feature } => format!(
                "{what} needs the feature '{feature}', which this build of hedgerow does not have"
            ),
            Self::Undecided { columns } => undecided(columns),
            Self::Cancelled => "interrupted; nothing was written".to_owned(),
            Self::Internal(what) => {
                format!("internal error: {what}; this is a bug in hedgerow, please report it")
            }
        }
    }

    /// The whole message: what went wrong, then each piece of advice as `spell` writes it.
    pub fn message(&self, spell: &dyn Fn(&Advice) -> String) -> String {
        if let Self::Undecided { .. } = self {
            // The problem is a list, so the advice is a line of its own.
            let advice: Vec<String> = self.advice().iter().map(spell).collect();
            return format!("{}\n{}", self.problem(), advice.join("\n"));
        }
        with_advice(&self.problem(), &self.advice(), spell)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(&Advice::to_string))
    }
}

fn undecided(columns: &[Undecided]) -> String {
    let width = columns.iter().map(|found| found.column.chars().count()).max().unwrap_or(0);
    let line = |found: &Undecided| format!("\n  {:<width$}  {}", found.column, found.reason);
    let head = match columns {
        [_] => "a column would be published as it is, and nothing is decided about it:",
        _ => "columns would be published as they are, and nothing is decided about them:",
    };
    columns.iter().fold(head.to_owned(), |text, found| text + &line(found))
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

/// Suggests the nearest name, or lists all names if none is near.
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
