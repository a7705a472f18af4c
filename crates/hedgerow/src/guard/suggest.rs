//! Suggests roles for the columns of a table.

use serde::Serialize;

use super::glance::{Glance, Seen};
use super::look;
use super::names::{Meaning, meaning};
use super::rules::{has_few_rows_each, has_several_rows, identifies};
use crate::schema::Role;

/// The role that the name and the values of a column suggest.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Suggestion {
    /// The column.
    pub column: String,
    /// The role; [`Role::Undecided`] if nothing suggests one.
    pub role: Role,
    /// What else its owner should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
    /// Number of records that are alone with their value, estimated where there are many values.
    pub alone: u64,
}

/// What a column seems to contain, besides its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Hint {
    /// Weights of a survey.
    SamplingWeight,
    /// The number of a person who has several records.
    SeveralRowsPerPerson,
}

/// Suggests a role for every column of a glance. A suggestion is a starting point, not a decision.
pub fn suggest(glance: &Glance) -> Vec<Suggestion> {
    let person = look::suspect(glance.columns.iter().filter(|seen| has_few_rows_each(seen)));
    let of_column = |seen: &Seen| {
        let suggestion = of_column(glance, seen);
        let is_person = person.is_some_and(|person| person.name == seen.name);
        let role = if is_person { Role::Person } else { suggestion.role };
        Suggestion { role, ..suggestion }
    };
    glance.columns.iter().map(of_column).collect()
}

fn of_column(glance: &Glance, seen: &Seen) -> Suggestion {
    let said = meaning(&seen.name).map(|(meaning, _)| meaning);
    let role = match said {
        // A city or a job that nearly everybody has alone is still known to others.
        Some(Meaning::Quasi) => Role::Quasi,
        Some(Meaning::Sensitive) => Role::Sensitive,
        _ if identifies(glance, seen).is_some() => Role::Identifier,
        _ => Role::Undecided,
    };
    let hint = match said {
        Some(Meaning::Weight) => Some(Hint::SamplingWeight),
        _ => has_several_rows(seen).map(|_| Hint::SeveralRowsPerPerson),
    };
    Suggestion { column: seen.name.clone(), role, hint, alone: seen.sketch.n_alone() }
}
