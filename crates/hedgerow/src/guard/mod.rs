//! Looks for columns that should not be published without a decision: direct identifiers, and
//! columns that give a quasi-identifier away.
//!
//! The findings are data. A run stops if a column without a role has a finding that [stops
//! it](Finding::stops); other findings are warnings.

mod words;
mod names;
mod patterns;
mod sketch;
mod determine;
mod glance;
mod suggest;

use std::fmt;

use serde::Serialize;

use determine::Grouped;
pub use determine::Restored;
use glance::Seen;
pub use glance::{Collector, Glance};
use names::{Meaning, meaning};
pub use patterns::Pattern;
use patterns::{are_coordinates, pattern_of};
pub use suggest::{Hint, Suggestion, suggest};

use crate::error::Undecided;
use crate::schema::{Role, Schema};
use crate::table::Kind;

/// Something about a column that its owner should know before it is published.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The column.
    pub column: String,
    /// What was found.
    pub reason: Reason,
    /// The role that the column should have.
    pub suggested: Role,
    /// Whether the column must not be published without a decision.
    pub stops: bool,
}

/// Why a column should not be published as it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// Its name announces a direct identifier.
    Name {
        /// The word that does.
        word: String,
    },
    /// Its values have the form of a direct identifier.
    Pattern {
        /// The form.
        pattern: Pattern,
    },
    /// Its values are the numbers or names of the rows.
    RowNumber,
    /// Most records are alone with their value.
    NearlyUnique {
        /// Share of the records that are alone, estimated from all records.
        share: f64,
        /// Kind of the values.
        kind: Kind,
    },
    /// Its values restore a quasi-identifier.
    GivesAway {
        /// The quasi-identifier.
        quasi: String,
        /// What they restore of it.
        restored: Restored,
        /// The share of what is not known without the column, from 0 to 1.
        share: f64,
    },
    /// It is the number of a person, and persons have several records.
    SeveralRowsPerPerson {
        /// Number of different values.
        people: u64,
        /// Number of records with a value.
        records: u64,
    },
}

impl fmt::Display for Reason {
    /// Writes the reason as a predicate: `its values are e-mail addresses`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: &f64| format!("{:.0}%", 100.0 * share);
        match self {
            Self::Name { word } => write!(f, "its name announces a direct identifier ('{word}')"),
            Self::Pattern { pattern } => write!(f, "its values are {}", pattern.name()),
            Self::RowNumber => f.write_str("its values are the numbers or names of the rows"),
            Self::NearlyUnique { share, .. } => {
                write!(f, "{} of the records are alone with their value", percent(share))
            }
            Self::GivesAway { quasi, restored, share } => {
                let share = percent(share);
                match restored {
                    Restored::Value => {
                        write!(f, "it gives '{quasi}' away: it corrects {share} of wrong guesses")
                    }
                    Restored::Range => {
                        write!(f, "it gives '{quasi}' away up to a range ({share} of its variance)")
                    }
                    Restored::Group => {
                        write!(
                            f,
                            "it gives the group of '{quasi}' away ({share} of its information)"
                        )
                    }
                }
            }
            Self::SeveralRowsPerPerson { people, records } => write!(
                f,
                "it looks like a person with several rows ({people} values in {records} records), so rows \
                 may not be people"
            ),
        }
    }
}

/// Number of records from which text can be nearly unique.
const LEAST_RECORDS: u64 = 20;
/// Share of records that are alone with their value above which text is nearly unique.
const UNIQUE_TEXT: f64 = 0.5;
/// The same for numbers and dates, which are often unique without identifying a person.
const UNIQUE_NUMBER: f64 = 0.9;
/// Number of records for each value from which the name of a column is not taken as evidence of a
/// contact or a document: `phone` with the values yes and no.
const RECORDS_PER_VALUE: u64 = 10;
/// Number of records for each person from which records are not people.
const RECORDS_PER_PERSON: f64 = 1.5;

/// Fewer values than this, each in more records than this, are categories rather than people.
const FEW: u64 = 20;

/// Returns what was found about the columns of a table, in its order.
///
/// Columns without a role are examined for everything, sensitive columns and the class for
/// everything as warnings, and all columns for people with several records, unless a column names
/// the people. Columns that are kept
/// knowingly and columns that the glance does not contain are not examined.
pub fn look(glance: &Glance, schema: &Schema) -> Vec<Finding> {
    let quasi: Vec<(&str, Grouped)> = (schema.quasi().iter())
        .filter_map(|&place| glance.column(&schema.names()[place]))
        .map(|seen| (seen.name.as_str(), Grouped::new(seen.series.clone())))
        .collect();
    let person = schema.with(Role::Person).next();
    let mut findings = Vec::new();
    for (place, name) in schema.names().iter().enumerate() {
        let Some(seen) = glance.column(name) else { continue };
        let role = schema.role(place);
        let mut add = |reason: Reason, stops: bool| {
            let suggested = reason.suggested();
            findings.push(Finding { column: name.clone(), reason, suggested, stops });
        };
        if matches!(role, Role::Undecided | Role::Sensitive | Role::Class) {
            let found = identifies(glance, seen).or_else(|| gives_away(seen, &quasi));
            if let Some(reason) = found {
                add(reason, role == Role::Undecided);
            } else if let (Some(reason), Role::Undecided) = (is_nearly_unique(seen), role) {
                add(reason, false);
            }
        }
        if let (Some(reason), None) = (has_several_rows(seen), person) {
            add(reason, false);
        }
    }
    findings
}

/// Returns the findings that stop a run, as the columns of an error.
pub fn undecided(findings: &[Finding]) -> Vec<Undecided> {
    let stops = findings.iter().filter(|finding| finding.stops);
    let column = |finding: &Finding| Undecided {
        column: finding.column.clone(),
        reason: finding.reason.to_string(),
        key: finding.suggested.name(),
    };
    stops.map(column).collect()
}

/// Whether a column of this role and name is worth a look.
pub(crate) fn is_examined(role: Role, name: &str) -> bool {
    match role {
        Role::Quasi | Role::Undecided | Role::Sensitive | Role::Class => true,
        Role::Identifier | Role::Dropped | Role::Insensitive => {
            matches!(meaning(name), Some((Meaning::Person, _)))
        }
        Role::Person => false,
    }
}

impl Reason {
    fn suggested(&self) -> Role {
        match self {
            Self::GivesAway { .. } => Role::Dropped,
            _ => Role::Identifier,
        }
    }
}

/// Returns why a column identifies people directly.
fn identifies(glance: &Glance, seen: &Seen) -> Option<Reason> {
    let sketch = &seen.sketch;
    let (n_present, n_distinct) = (sketch.n_present(), sketch.n_distinct());
    if n_present == 0 {
        return None;
    }
    let is_shared = |records: u64| n_present >= LEAST_RECORDS && n_present >= records * n_distinct;
    let said = meaning(&seen.name);
    match said {
        // Two values do not name people, whatever the name says.
        Some((Meaning::Name | Meaning::Person, word)) if n_distinct > 2 || n_present < 10 => {
            return Some(Reason::Name { word });
        }
        Some((Meaning::Identifier, word)) if !is_shared(RECORDS_PER_VALUE) || n_distinct > 50 => {
            return Some(Reason::Name { word });
        }
        Some((Meaning::Coordinate, _)) if are_coordinates(&seen.present()) => {
            return Some(Reason::Pattern { pattern: Pattern::Coordinates });
        }
        _ => {}
    }
    if let Some(pattern) = pattern_of(&seen.present()) {
        return Some(Reason::Pattern { pattern });
    }
    // A first column without a name, as R writes the names of rows, is called `row`.
    let names_rows = seen.name.starts_with("row") && is_nearly_unique(seen).is_some();
    if names_rows || is_row_number(glance, seen) {
        return Some(Reason::RowNumber);
    }
    is_nearly_unique(seen).filter(|_| matches!(seen.kind, Kind::Text | Kind::Code))
}

fn is_nearly_unique(seen: &Seen) -> Option<Reason> {
    let share = seen.sketch.alone();
    let most = match seen.kind {
        Kind::Text | Kind::Code => UNIQUE_TEXT,
        Kind::Number | Kind::Date => UNIQUE_NUMBER,
    };
    let is_unique = seen.sketch.n_present() >= LEAST_RECORDS && share > most;
    is_unique.then_some(Reason::NearlyUnique { share, kind: seen.kind })
}

/// Whether every sampled value is the number of its row, counted from 0 or 1.
fn is_row_number(glance: &Glance, seen: &Seen) -> bool {
    let offset = |(row, number): (&u64, &Option<u32>)| {
        let value: u64 = seen.spellings[(*number)? as usize].parse().ok()?;
        value.checked_sub(*row)
    };
    let mut offsets = glance.rows.iter().zip(&seen.of_record).map(offset);
    let first = offsets.next().flatten().filter(|&first| first < 2);
    glance.n_rows >= LEAST_RECORDS && first.is_some() && offsets.all(|offset| offset == first)
}

/// Returns the quasi-identifier that a column gives away, the value itself first.
fn gives_away(seen: &Seen, quasi: &[(&str, Grouped)]) -> Option<Reason> {
    if seen.series.n_codes < 2 || quasi.is_empty() {
        return None;
    }
    let column = Grouped::new(seen.series.clone());
    let mut leaks: Vec<_> = (quasi.iter().enumerate())
        .filter_map(|(place, (name, quasi))| Some((column.gives_away(quasi)?, place, name)))
        .collect();
    leaks.sort_by_key(|(leak, place, _)| (leak.restored as u8, *place));
    let (leak, _, name) = leaks.first()?;
    let (restored, share) = (leak.restored, leak.share);
    Some(Reason::GivesAway { quasi: (**name).to_owned(), restored, share })
}

/// Returns a reason if the values are the numbers of people and repeat.
fn has_several_rows(seen: &Seen) -> Option<Reason> {
    if !matches!(meaning(&seen.name), Some((Meaning::Person, _))) {
        return None;
    }
    let (records, people) = (seen.sketch.n_present(), seen.sketch.n_distinct());
    if people < FEW && records > FEW * people {
        return None;
    }
    let repeats = people > 2 && records as f64 >= RECORDS_PER_PERSON * people as f64;
    (repeats && records >= LEAST_RECORDS)
        .then_some(Reason::SeveralRowsPerPerson { people, records })
}

#[cfg(test)]
mod tests;
