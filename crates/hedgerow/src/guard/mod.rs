//! Looks for columns that should not be published without a decision: direct identifiers, and
//! columns from which a quasi-identifier can be inferred.
//!
//! The findings are data. A run stops if a column without a role has a finding that [stops
//! it](Finding::stops); other findings are warnings.

mod words;
mod more_words;
mod fused;
mod names;
mod patterns;
mod texts;
mod sketch;
mod series;
mod exact;
mod determine;
mod glance;
mod inside;
mod numbered;
mod births;
mod century;
mod measured;
mod parts;
mod titles;
mod surnames;
mod person_names;
mod owned;
mod rules;
mod together;
mod sets;
mod look;
mod suggest;

use std::fmt;

use serde::Serialize;

pub use century::doubtful_births;
pub use determine::Restored;
pub(crate) use determine::{Grouped, Leak};
pub(crate) use glance::Collector;
pub use glance::Glance;
use look::Look;
use names::{Meaning, meaning};
pub use patterns::Pattern;
pub(crate) use series::Series;
pub(crate) use sets::give_away;
pub use suggest::{Hint, Suggestion, suggest};
pub(crate) use together::{Member, Together};

use crate::error::Undecided;
use crate::noun::{counted, percent};
use crate::schema::{self, Role, Schema};
use crate::table::Kind;
use crate::{Error, Result};

/// Share of values below which a message states the share that have a form.
const MOSTLY: f64 = 0.8;

/// Something about a column that its owner should know before it is published.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The column.
    pub column: String,
    /// The finding.
    pub reason: Reason,
    /// The role that the column should have if it is left out, or names people.
    pub suggested: Role,
    /// Whether it can also be a quasi-identifier, which is generalized: a place, a date, a
    /// duration.
    pub or_quasi: bool,
    /// Whether the column must not be published without a decision.
    pub stops: bool,
}

/// The reason not to publish a column as it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// Its name announces a direct identifier.
    Name {
        /// The word that announces it.
        word: String,
    },
    /// Its values have the form of a direct identifier.
    Pattern {
        /// The form.
        pattern: Pattern,
        /// Share of the sampled records with a value that have it, or 1 if it is not counted.
        share: f64,
    },
    /// Some of its texts contain a direct identifier.
    Contains {
        /// The pattern that they contain.
        pattern: Pattern,
        /// Number of records with such a text.
        records: u64,
        /// Whether the number is an estimate, because only a sample of the records was read.
        is_estimate: bool,
    },
    /// Its values are the numbers or names of the rows.
    RowNumber,
    /// Most records have a unique value.
    NearlyUnique {
        /// Share of the records that have a unique value.
        share: f64,
        /// Number of records that have a unique value.
        alone: u64,
        /// Number of records with a value.
        records: u64,
        /// Whether the numbers are estimates, because there are many values.
        is_estimate: bool,
        /// Kind of the values.
        kind: Kind,
    },
    /// Its values are dates of birth to the day.
    BirthDates {
        /// Number of different dates.
        n_distinct: u64,
    },
    /// With other columns it is a date of birth.
    BirthParts {
        /// Columns with the other parts of the date.
        others: Vec<String>,
        /// Whether the dates are those of days rather than of months.
        is_exact: bool,
        /// Number of sampled records with a month of birth that no other has.
        alone: u64,
        /// Number of sampled records with a month of birth.
        records: u64,
    },
    /// It is the number of a household, and households have several records.
    Household {
        /// Number of different values.
        households: u64,
        /// Number of records with a value.
        records: u64,
        /// Whether the number of values is an estimate, because there are many.
        is_estimate: bool,
    },
    /// Its values restore a quasi-identifier.
    GivesAway {
        /// The quasi-identifier.
        quasi: String,
        /// The part of it that they restore.
        restored: Restored,
        /// The share of the unknown information that the column reveals, from 0 to 1.
        share: f64,
        /// Number of sampled records that were compared with others.
        records: u64,
    },
    /// Its values restore a quasi-identifier together with other columns.
    GivesAwayWith {
        /// The other columns.
        others: Vec<String>,
        /// The quasi-identifier.
        quasi: String,
        /// The part of it that they restore.
        restored: Restored,
        /// The share of the unknown information that the columns reveal, from 0 to 1.
        share: f64,
        /// Share of the records in which this was found, those with a value in every column.
        part: f64,
    },
    /// Its values are names of people.
    PersonNames {
        /// Whether many contain a first name; otherwise they only have the form of names.
        has_first_names: bool,
    },
    /// Its values are single words, some of which are names or contain one.
    MayBeNames,
    /// Most of its values belong to one person each, who may have several records.
    OnePersonEach {
        /// The column that names people.
        person: String,
        /// Share of the records whose value only one person has.
        share: f64,
    },
    /// It is the number of a person, and persons have several records.
    SeveralRowsPerPerson {
        /// Number of different values.
        people: u64,
        /// Number of records with a value.
        records: u64,
        /// Number of records without a value, which cannot be counted as people.
        unnamed: u64,
        /// Whether the number of values is an estimate, because there are many.
        is_estimate: bool,
    },
}

impl fmt::Display for Reason {
    /// Writes the reason as a predicate: `its values are e-mail addresses`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { word } => write!(f, "its name announces a direct identifier ('{word}')"),
            Self::Pattern { pattern, share } if *share < MOSTLY => {
                write!(f, "{} of its values are {}", percent(*share), pattern.name())
            }
            Self::Pattern { pattern, .. } => write!(f, "its values are {}", pattern.name()),
            Self::Contains { pattern, records, is_estimate } => {
                let about = if *is_estimate { "about " } else { "" };
                let contain = if *records == 1 { "contains" } else { "contain" };
                write!(f, "{about}{} {contain} {}", counted(*records, "record"), pattern.name())
            }
            Self::RowNumber => f.write_str("its values are the numbers or names of the rows"),
            Self::NearlyUnique { alone, records, is_estimate, .. } => {
                let about = if *is_estimate { "about " } else { "" };
                write!(f, "{about}{alone} of {records} records have a value that no other has")
            }
            Self::BirthDates { n_distinct } => {
                write!(
                    f,
                    "its values are exact dates, such as dates of birth ({n_distinct} different ones)"
                )
            }
            Self::GivesAway { quasi, restored, share, records } => {
                let given = restored.of(quasi, "it tells", *share);
                write!(f, "it gives {given}, seen in {}", counted(*records, "record"))
            }
            Self::GivesAwayWith { others, quasi, restored, share, part } => {
                let given = restored.of(quasi, "they tell", *share);
                write!(f, "together with {} it gives {given}", listed(others))?;
                if *part < MOSTLY {
                    write!(f, ", in the {} of the records that have all values", percent(*part))?;
                }
                Ok(())
            }
            Self::PersonNames { has_first_names: true } => {
                f.write_str("its values are names of people")
            }
            Self::PersonNames { has_first_names: false } => f.write_str(
                "its values have the form of names of people: two or more capitalized words",
            ),
            Self::MayBeNames => {
                f.write_str("its values are words that may be names of people or users")
            }
            Self::BirthParts { .. }
            | Self::Household { .. }
            | Self::OnePersonEach { .. }
            | Self::SeveralRowsPerPerson { .. } => self.fmt_of_people(f),
        }
    }
}

impl Reason {
    /// Writes the reasons about people with several records, and about births.
    fn fmt_of_people(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BirthParts { others, is_exact: true, .. } => {
                write!(f, "together with {} it gives exact dates of birth", listed(others))
            }
            Self::BirthParts { others, alone, records, .. } => write!(
                f,
                "together with {} it gives months of birth, and {alone} of {records} records have \
                 one that no other has",
                listed(others)
            ),
            Self::Household { households, records, is_estimate } => {
                let about = if *is_estimate { "about " } else { "" };
                write!(
                    f,
                    "it looks like the number of a household or family ({about}{households} values \
                     in {records} records), so whoever finds one member finds all; as the column \
                     that names people it makes k count households"
                )
            }
            Self::OnePersonEach { person, share } => {
                let share = percent(*share);
                write!(
                    f,
                    "{share} of the records have a value that only one person of '{person}' has"
                )
            }
            Self::SeveralRowsPerPerson { people, records, unnamed, is_estimate } => {
                let about = if *is_estimate { "about " } else { "" };
                let (lack, are) = if *unnamed == 1 { ("has", "is") } else { ("have", "are") };
                let without = match *unnamed {
                    0 => String::new(),
                    n => format!(
                        "; {} {lack} no value in it and {are} left out if it names people",
                        counted(n, "record")
                    ),
                };
                write!(
                    f,
                    "it looks like a person with several rows ({about}{people} values in {records} \
                     records), so rows may not be people and k counts records{without}"
                )
            }
            _ => Ok(()),
        }
    }
}

/// Returns the findings about the columns of a table, in its order.
///
/// Columns without a role are examined for everything, sensitive columns and the class for
/// everything as warnings, quasi-identifiers for names and numbers of people as warnings, and all
/// columns for people with several records, unless a column names the people. Insensitive columns,
/// and columns that the glance does not contain, are not examined.
pub fn look(glance: &Glance, schema: &Schema) -> Vec<Finding> {
    Look::new(glance, schema).findings()
}

/// Examines the columns of a table, and returns the schema as one that can be published, with the
/// findings that are warnings. Undecided columns can be published only from the file that was
/// looked at ([`Source::read_and_look`](crate::io::Source::read_and_look)).
///
/// ```
/// use hedgerow::guard::{self, Glance};
/// use hedgerow::schema::{Role, Schema};
/// let header = ["age", "contact"].map(str::to_owned);
/// let rows = [["31", "ann@example.org"], ["44", "bob@example.org"], ["52", "eve@example.org"]];
/// let schema = Schema::new(&header, &[("age", Role::Quasi)])?;
/// let refused = guard::admit(schema, &Glance::of_rows(&header, &rows, &[])).unwrap_err();
/// assert!(refused.to_string().contains("e-mail addresses"));
/// # Ok::<(), hedgerow::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Undecided`] if columns without a role should not be published as they are, or are not
/// part of the glance.
pub fn admit(schema: Schema, glance: &Glance) -> Result<(Schema, Vec<Finding>)> {
    let findings = look(glance, &schema);
    let mut columns = undecided(&findings);
    // Columns that were not examined could identify people, so they stop the run too.
    let unseen = schema.with(Role::Undecided).filter(|name| glance.column(name).is_none());
    columns.extend(unseen.map(|name| schema::not_examined(name)));
    if columns.is_empty() {
        Ok((schema.examined(glance.source), findings))
    } else {
        Err(Error::Undecided { columns, reading: Vec::new() })
    }
}

/// Returns the findings that stop a run, as the columns of an error.
fn undecided(findings: &[Finding]) -> Vec<Undecided> {
    let stops = findings.iter().filter(|finding| finding.stops);
    let column = |finding: &Finding| Undecided {
        column: finding.column.clone(),
        reason: finding.reason.to_string(),
        key: finding.suggested.name(),
        or_quasi: finding.or_quasi,
        n_unnamed: match finding.reason {
            Reason::SeveralRowsPerPerson { unnamed, .. } => unnamed,
            _ => 0,
        },
    };
    stops.map(column).collect()
}

/// Whether the name of a column is that of a quasi-identifier, so that its owner should decide
/// about it first: an age, a place, the date of a life event.
pub fn is_called_quasi(name: &str) -> bool {
    matches!(meaning(name), Some((Meaning::Quasi, _)))
}

/// Whether a column of this role and name should be examined.
pub(crate) fn is_examined(role: Role, name: &str) -> bool {
    match role {
        Role::Quasi
        | Role::Undecided
        | Role::Insensitive
        | Role::Sensitive
        | Role::Class
        | Role::Person => true,
        // These are not published, but one of them can name the people of the rows.
        Role::Identifier | Role::Dropped => {
            matches!(meaning(name), Some((Meaning::Person, _)))
        }
    }
}

impl Reason {
    fn suggested(&self) -> Role {
        match self {
            // These reveal something about a person, but do not name or number a person.
            Self::GivesAway { .. }
            | Self::GivesAwayWith { .. }
            | Self::BirthDates { .. }
            | Self::BirthParts { .. } => Role::Dropped,
            Self::SeveralRowsPerPerson { .. } => Role::Person,
            _ => Role::Identifier,
        }
    }
}

impl Restored {
    /// Describes the part of a quasi-identifier that is revealed: `'age' away approximately (93%;
    /// 100% would be exactly)`. `tells` is the beginning of the clause about shares of values.
    fn of(self, quasi: &str, tells: &str, share: f64) -> String {
        let share = percent(share);
        let told = format!("{tells} {share} of the values that could not be guessed otherwise");
        match self {
            Self::Value => format!("'{quasi}' away: {told}"),
            Self::Range => format!("'{quasi}' away approximately ({share}; 100% would be exactly)"),
            Self::Exactly => format!("'{quasi}' away exactly for part of the records: {told}"),
            Self::Group => format!("'{quasi}' away in part ({share}; 100% would be its value)"),
        }
    }
}

/// Some columns in words: `'a', 'b' and 3 others`.
fn listed(columns: &[String]) -> String {
    const SHOWN: usize = 4;
    let quoted: Vec<String> = columns.iter().take(SHOWN).map(|name| format!("'{name}'")).collect();
    match (quoted.as_slice(), columns.len().saturating_sub(SHOWN)) {
        ([], _) => String::new(),
        ([one], _) => one.clone(),
        ([all @ .., last], 0) => format!("{} and {last}", all.join(", ")),
        (all, 1) => format!("{} and 1 other", all.join(", ")),
        (all, n_more) => format!("{} and {n_more} others", all.join(", ")),
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_finds;
#[cfg(test)]
mod tests_of_reports;
#[cfg(test)]
mod tests_of_tables;
