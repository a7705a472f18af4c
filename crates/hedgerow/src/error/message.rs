//! The messages of errors.

use std::fmt;

use super::alternatives::with_advice;
use super::nearest::or_rather;
use super::{Advice, Error, HierarchySource, Missing, Undecided};
use crate::noun::counted;

impl Error {
    /// The problem, in plain words and without advice.
    pub fn problem(&self) -> String {
        match self {
            Self::Io { action, path, cause } => {
                format!("cannot {action} {}: {cause}", path.display())
            }
            Self::File { path, problem, .. } => format!("{}: {problem}", path.display()),
            // Only the problem of the cause: its advice comes after that of all.
            Self::InFile { path, cause } => format!("{}: {}", path.display(), cause.problem()),
            Self::Syntax { line: Some(line), problem, .. } => format!("line {line}: {problem}"),
            Self::UnknownColumn { name, suggestion, columns } => format!(
                "there is no column '{name}'{}; the columns are {}",
                or_rather(suggestion.as_ref()),
                // Long names are cut: a file without a header can have a whole record as its names.
                quoted(&columns.iter().map(|name| shortened(name)).collect::<Vec<_>>())
            ),
            Self::Unknown { what, name, suggestion, known } => {
                format!("there is no {what} '{name}'{}", or_choose(suggestion.as_ref(), known))
            }
            // One value is named and the others are counted: a wrong file lacks thousands.
            Self::NotInHierarchy { column, value, row, more } => format!(
                "column '{column}': value '{value}' (row {row}) is missing from its hierarchy{}",
                and_more(*more)
            ),
            // The value before the row: it can be searched for in any editor.
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
            // The cause describes the obstacle without naming the method again.
            Self::Obstacle { method, cause, .. } => {
                format!("method '{method}' cannot solve this problem: {}", cause.problem())
            }
            Self::Edit { operation, number, cause } => edit(operation, *number, cause),
            Self::Syntax { line: None, problem, .. }
            | Self::Invalid { problem, .. }
            | Self::Unreachable { problem, .. } => problem.clone(),
            Self::Unfit { format, problem, .. } => format!("the format {format} {problem}"),
            Self::Absent { what, feature } => format!(
                "{what} needs the feature '{feature}', which this build of hedgerow does not have"
            ),
            Self::Incomplete { missing } => incomplete(missing),
            Self::InputChanged => "the input changed while it was read".to_owned(),
            Self::NoRows { .. } => "the cohort of each row of the table is not known".to_owned(),
            Self::Ragged { row, found, wanted } => {
                let found = counted(*found, "field");
                format!("row {row} has {found}, but the header has {wanted}")
            }
            Self::Misuse { misuse, .. } => misuse.to_string(),
            Self::Flawed(flaw) => format!("the proposal cannot be published: {flaw}"),
            Self::Undecided { columns, .. } => undecided(columns),
            Self::Cancelled => "interrupted; nothing was written".to_owned(),
            // A bug is never blamed on the input.
            Self::Internal(what) => {
                format!("internal error: {what}; this is a bug in hedgerow, please report it")
            }
        }
    }

    /// Advice on the error, in the order of the message; empty if no remedy is known.
    pub fn advice(&self) -> Vec<Advice> {
        if let Some(advice) = own_advice!(self) {
            return advice.clone();
        }
        match self {
            Self::InFile { cause, .. } | Self::Edit { cause, .. } => cause.advice(),
            Self::Obstacle { cause, others, .. } => {
                // Removing the obstacle comes first, because users chose the method for a reason.
                let other = Advice::OtherMethod { methods: others.clone() };
                cause.advice().into_iter().chain([other]).collect()
            }
            Self::NotInHierarchy { column, .. } => vec![
                Advice::words("add it to the hierarchy file"),
                Advice::GiveHierarchy { column: column.clone(), source: HierarchySource::Method },
            ],
            Self::Absent { .. } => vec![Advice::words(
                "use a build that has it: all features are on unless the default features are turned off",
            )],
            Self::Incomplete { missing } => {
                vec![Advice::Together(missing.iter().copied().map(Missing::advice).collect())]
            }
            Self::InputChanged => vec![Advice::words("run again when nothing writes to it")],
            Self::Undecided { columns, .. } => vec![Advice::Decide { columns: columns.clone() }],
            // Variants with a field for advice were answered above; the others need no advice.
            _ => Vec::new(),
        }
    }

    /// The whole message: the problem, then each piece of advice as `spell` writes it.
    pub fn message(&self, spell: &dyn Fn(&Advice) -> String) -> String {
        if let Self::Undecided { reading, .. } = self {
            // The problem is a list, so the advice is a line of its own.
            let advice = self.advice();
            let advice = advice.iter().map(spell);
            let reading = reading.iter().map(|warning| format!("note: {}", warning.message(spell)));
            let lines: Vec<String> =
                std::iter::once(self.problem()).chain(advice).chain(reading).collect();
            return lines.join("\n");
        }
        with_advice(&self.problem(), &self.advice(), spell)
    }
}

/// The message for an edit that cannot be made.
fn edit(operation: &str, number: Option<usize>, cause: &Error) -> String {
    match number {
        Some(number) => format!("edit {number}, {operation}: {}", cause.problem()),
        None => format!("cannot apply the edit {operation}: {}", cause.problem()),
    }
}

/// The message for a job that lacks something: everything that is missing, so that one correction
/// is enough.
fn incomplete(missing: &[Missing]) -> String {
    let names: Vec<&str> = missing.iter().copied().map(Missing::name).collect();
    format!("the job does not name {}", names.join(" and "))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(&Advice::to_string))
    }
}

impl Missing {
    fn name(self) -> &'static str {
        match self {
            Self::Quasi => "a quasi-identifier",
            Self::Output => "an output",
            Self::K => "a k",
        }
    }

    fn advice(self) -> Advice {
        match self {
            Self::Quasi => Advice::NameQuasi { column: None },
            Self::Output => Advice::NameOutput,
            Self::K => Advice::ChooseK,
        }
    }
}

fn undecided(columns: &[Undecided]) -> String {
    // In characters, not bytes, so that names with accents line up.
    let width = columns.iter().map(|found| found.column.chars().count()).max().unwrap_or(0);
    let line = |found: &Undecided| format!("\n  {:<width$}  {}", found.column, found.reason);
    let head = match columns {
        [_] => "a column would be published as it is, and nothing is decided about it:",
        _ => "columns would be published as they are, and nothing is decided about them:",
    };
    columns.iter().fold(head.to_owned(), |text, found| text + &line(found))
}

/// Returns the beginning of a long name.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 60;
    match name.char_indices().nth(LONGEST) {
        // Cut between characters: a byte index could fall inside one.
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

/// Suggests the nearest name, or lists all names if none is near.
fn or_choose(suggestion: Option<&String>, known: &[String]) -> String {
    match suggestion {
        // A near name makes the list superfluous, which can be fifty names long.
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
