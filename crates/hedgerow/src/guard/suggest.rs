//! Suggests roles for the columns of a table.

use serde::Serialize;

use super::Reason;
use super::determine::{COARSER, Grouped, Restored};
use super::glance::{Glance, Seen};
use super::look;
use super::names::{Meaning, meaning};
use super::parts::part_of_birth;
use super::rules::{Quasi, can_be_people, has_several_rows, identifies, looks_like_a_person};
use crate::letters;
use crate::schema::Role;
use crate::table::are_too_short;

/// The role that the name and the values of a column suggest.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Suggestion {
    /// The column.
    pub column: String,
    /// The role; [`Role::Undecided`] if nothing suggests one.
    pub role: Role,
    /// A further hint for its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
    /// Number of records with a value that no other has, estimated where there are many values.
    pub alone: u64,
}

/// The content that a column seems to have, besides its role.
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
    let mut suggestions: Vec<Suggestion> =
        glance.columns.iter().map(|seen| of_column(glance, seen)).collect();
    for place in derived(glance, &suggestions) {
        suggestions[place].role = Role::Undecided;
    }
    let called = look::suspect(glance.columns.iter().filter(|seen| can_be_people(seen)));
    let person = called.or_else(|| restores_several(glance, &suggestions));
    let is_person = |suggestion: &&mut Suggestion| {
        person.is_some_and(|person| person.name == suggestion.column)
    };
    if let Some(suggestion) = suggestions.iter_mut().find(is_person) {
        suggestion.role = Role::Person;
    }
    suggestions
}

/// The quasi-identifiers that are derived from another one, by their names and their values:
/// `educ0` and `urban_educ` of `educ`. The original is more informative, and reveals them or is
/// revealed by them.
fn derived(glance: &Glance, suggestions: &[Suggestion]) -> Vec<usize> {
    let places: Vec<usize> =
        (0..suggestions.len()).filter(|&place| suggestions[place].role == Role::Quasi).collect();
    let seen = |place: usize| &glance.columns[place];
    let grouped = |place: usize| Grouped::new(seen(place).series.clone());
    let is_made_of = |&(column, original): &(usize, usize)| {
        let (one, other) = (grouped(column), grouped(original));
        let leak = one.gives_away(&other).map(|leak| leak.restored);
        let is_function = other.best(|groups| groups.predicts(&one.series)) >= COARSER;
        // A code of the same information is as informative, and a number that only varies with the
        // original is known to others, too.
        let is_part = matches!(leak, Some(Restored::Exactly | Restored::Group));
        leak != Some(Restored::Value) && (is_function || is_part)
    };
    let pairs = places.iter().flat_map(|&one| places.iter().map(move |&other| (one, other)));
    let named = pairs.filter(|&(one, other)| is_longer(&seen(one).name, &seen(other).name));
    let mut found: Vec<usize> = named.filter(is_made_of).map(|(column, _)| column).collect();
    found.dedup();
    found
}

/// Whether a name has all words of another and more: `educ0` and `urban_educ` of `educ`.
fn is_longer(name: &str, original: &str) -> bool {
    let (words, parts) = (letters::words(name), letters::words(original));
    words.len() > parts.len() && parts.iter().all(|part| words.contains(part))
}

/// The undecided column that seems to number people, because it restores several quasi-identifiers.
fn restores_several<'a>(glance: &'a Glance, suggestions: &[Suggestion]) -> Option<&'a Seen> {
    let with = |role| {
        let all = glance.columns.iter().zip(suggestions);
        all.filter(move |(_, suggestion)| suggestion.role == role).map(|(seen, _)| seen)
    };
    let quasi: Vec<Quasi<'_>> = with(Role::Quasi)
        .map(|seen| Quasi { seen, grouped: Grouped::new(seen.series.clone()) })
        .collect();
    with(Role::Undecided).find(|seen| looks_like_a_person(seen, &quasi))
}

fn of_column(glance: &Glance, seen: &Seen) -> Suggestion {
    let said = meaning(&seen.name).map(|(meaning, _)| meaning);
    let is_too_short = are_too_short(&seen.name, seen.spellings.iter().map(AsRef::as_ref));
    let role = match said {
        // A city or a job is known to others, even if nearly every record has another one.
        Some(Meaning::Quasi) if !is_too_short => Role::Quasi,
        Some(Meaning::Sensitive) => Role::Sensitive,
        // Others know birthdays, even under another name.
        _ if part_of_birth(seen).is_some() => Role::Quasi,
        _ => match identifies(glance, seen) {
            Some(Reason::BirthDates { .. }) => Role::Quasi,
            Some(_) => Role::Identifier,
            None => Role::Undecided,
        },
    };
    let hint = match said {
        Some(Meaning::Weight) => Some(Hint::SamplingWeight),
        _ => has_several_rows(seen).then_some(Hint::SeveralRowsPerPerson),
    };
    Suggestion { column: seen.name.clone(), role, hint, alone: seen.counts.alone }
}
