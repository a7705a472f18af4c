//! Information about each column that is still visible, the roles of columns, and some records.

use serde::Serialize;

use super::distribution::{self, Chart};
use super::limits::Limits;
use super::{Case, Facts};
use crate::noun::counted;
use crate::release::Detail;
use crate::schema::Role;
use crate::table::{Code, Column, Kind};
use crate::utility::{ColumnUtility, Distances, Spread};

/// Number of records that a report shows.
const N_SAMPLES: usize = 4;

/// Information about a quasi-identifier that is still visible in the release.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct ColumnEvidence {
    /// Name of the column.
    pub name: String,
    /// Kind of its values.
    pub kind: Kind,
    /// The precision with which it is published, in the unit of its values.
    pub detail: Detail,
    /// Number of cells that show exactly one value of the original.
    pub cells_unchanged: u64,
    /// Distances between the distributions of original and release.
    pub distances: Distances,
    /// The most frequent cell that is not a value of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// The distributions of original and release.
    pub chart: Chart,
}

/// Describes every quasi-identifier.
pub(super) fn seen(
    case: &Case<'_>,
    spread: &Spread<'_>,
    found: &[ColumnUtility],
) -> Vec<ColumnEvidence> {
    let columns = case.original.columns().iter().zip(found).enumerate();
    let of_column = |(place, (column, found)): (usize, (&Column, &ColumnUtility))| {
        let shares = [spread.before(place), spread.after(place)];
        ColumnEvidence {
            name: column.name.clone(),
            kind: column.domain.values.kind(),
            detail: spread.detail(place),
            cells_unchanged: found.cells_unchanged,
            distances: found.distances,
            example: example(case, place),
            chart: distribution::chart(&column.domain, &shares, &Limits::default()),
        }
    };
    columns.map(of_column).collect()
}

/// The most frequent published cell that is not a value of the original; the first of several.
fn example(case: &Case<'_>, place: usize) -> Option<String> {
    let (domain, shown) =
        (&case.original.columns()[place].domain, &case.release.columns()[place].domain);
    let is_changed = |code: &Code| {
        let label = shown.spelling(*code);
        // `*` would be the most frequent cell of many columns, and an example of nothing.
        label.trim() != "*" && domain.code_of(&label).is_none()
    };
    let most = shown
        .codes()
        .filter(is_changed)
        // The most frequent generalized cell, the first of several.
        .max_by_key(|&code| (shown.count(code), std::cmp::Reverse(code)));
    most.map(|code| shown.spelling(code).into_owned())
}

/// The columns of one role, with their treatment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Named {
    /// The role.
    pub role: Role,
    /// Its name on the page.
    pub title: &'static str,
    /// The columns; empty in a public report if they are not in the release.
    pub columns: Vec<String>,
    /// Number of columns.
    pub count: usize,
    /// The treatment of these columns.
    pub what: &'static str,
}

/// The columns by role; roles without columns are left out.
pub(super) fn named(facts: &Facts) -> Vec<Named> {
    let roles = [
        (Role::Quasi, "Quasi-identifiers", "generalized"),
        (Role::Sensitive, "Sensitive", "published as they are"),
        (Role::Class, "To predict", "published as it is"),
        (Role::Insensitive, "Kept", "published as they are, knowingly"),
        (Role::Undecided, "Undecided", "published as they are"),
        (Role::Person, "Person", "names the person of a record; not in the release"),
        (Role::Identifier, "Identifiers", "not in the release"),
        (Role::Dropped, "Left out", "not in the release"),
    ];
    let of_role = |(role, title, what): (Role, &'static str, &'static str)| {
        let columns: Vec<String> = facts.with(role).into_iter().cloned().collect();
        let count = columns.len();
        (count > 0).then_some(Named { role, title, columns, count, what })
    };
    roles.into_iter().filter_map(of_role).collect()
}

/// Some records of the release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Sample {
    /// The columns.
    pub columns: Vec<String>,
    /// The cells of each record.
    pub records: Vec<Vec<String>>,
}

impl Sample {
    /// Number of its records in words.
    pub fn counted(&self) -> String {
        counted(self.records.len(), "record")
    }
}

/// The first different records of a release, as its file shows them.
pub(super) fn sample(case: &Case<'_>) -> Option<Sample> {
    let shows_ranges = case.facts.interval_style.shows_ranges();
    let release = if shows_ranges { case.release } else { case.shown() };
    let cohorts = release.cohorts();
    // Without the column that names people, which comes last and is not in the file.
    let columns = &release.all_columns()[..release.columns().len() + release.beside().len()];
    let cells = |cohort| {
        let codes = cohorts.tuple(cohort).iter().zip(columns);
        codes
            .map(|(&code, column): (&Code, &Column)| column.domain.spelling(code).into_owned())
            .collect()
    };
    // Cohorts are distinct tuples, so no record is shown twice.
    let records: Vec<Vec<String>> = cohorts.all().take(N_SAMPLES).map(cells).collect();
    let columns = columns.iter().map(|column| column.name.clone()).collect();
    (!records.is_empty()).then_some(Sample { columns, records })
}
