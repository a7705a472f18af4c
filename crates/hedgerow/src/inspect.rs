//! Contents of a table: its columns, suggested roles, and findings to consider before publishing.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::auto::{Auto, Choice};
use crate::error::{Advice, Warning};
use crate::guard::{self, Finding, Glance, Hint, Suggestion};
use crate::io::{ReadOptions, Source, Unusable};
use crate::progress::Progress;
use crate::schema::{self, Role, Schema};
use crate::table::{self, Cohort, Column, Columns, Table};
use crate::{Error, Result};

/// Summary of a table.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Inspection {
    /// Number of records.
    pub rows: u64,
    /// The people that the records belong to, if a column names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// The columns in their order.
    pub columns: Vec<ColumnView>,
    /// Findings about the columns if they have the suggested roles.
    pub findings: Vec<Finding>,
    /// Uniqueness of the records on the suggested quasi-identifiers, if any are suggested.
    pub uniqueness: Option<Uniqueness>,
    /// Notes on how the file and its columns were read, and on other possible readings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Hierarchies that `auto` would choose for the suggested quasi-identifiers.
    pub auto: Vec<AutoView>,
}

/// The people that the records of a table belong to.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct People {
    /// The column that names them.
    pub column: String,
    /// Whether the column was stated; otherwise its name and values suggest it.
    pub is_stated: bool,
    /// Number of people. A record without a value in the column is a person of its own.
    pub count: u64,
}

/// The hierarchy that `auto` would choose for a column.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct AutoView {
    /// The column.
    pub column: String,
    /// The `k` that it is chosen for.
    pub k: u64,
    /// The method that builds it.
    pub hierarchy: String,
    /// Reason that it was chosen.
    pub why: Option<String>,
}

/// A column.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct ColumnView {
    /// Its name.
    pub name: String,
    /// Kind of its values: `number`, `date`, `code`, `text`, `nested` or `binary`.
    pub kind: &'static str,
    /// Number of distinct values; `None` for a nested or binary column, which is not read.
    pub distinct: Option<usize>,
    /// Number of missing values.
    pub missing: Option<u64>,
    /// The least number or date.
    pub least: Option<String>,
    /// The greatest number or date.
    pub greatest: Option<String>,
    /// The role that its name and values suggest.
    pub role: Role,
    /// Number of people with a value that no other person has; of records if no column names
    /// people.
    pub alone: Option<u64>,
    /// A further hint from its name and values.
    pub hint: Option<Hint>,
    /// Whether the numbers may be codes of categories.
    #[serde(skip)]
    pub may_be_categories: bool,
}

/// Counts that show how well quasi-identifiers distinguish records.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Uniqueness {
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// Number of different combinations of their values.
    pub cohorts: usize,
    /// Number of records that no other record equals.
    pub unique_rows: u64,
    /// Number of records with fewer than four equals.
    pub rows_in_fewer_than_five: u64,
    /// Number of people with a combination that no other person has, if a column names people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique_people: Option<u64>,
    /// Number of people with a combination that fewer than four others have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people_in_fewer_than_five: Option<u64>,
}

/// Settings of an inspection.
pub struct Look<'a> {
    /// Options for reading the table.
    pub reading: ReadOptions,
    /// The column that names people; `None` takes the one that names and values suggest.
    pub person: Option<String>,
    /// The `k` that hierarchies are chosen for; `None` chooses none.
    pub k: Option<u64>,
    /// Formats advice.
    pub spell: &'a dyn Fn(&Advice) -> String,
}

impl Inspection {
    /// Inspects a table.
    ///
    /// # Errors
    ///
    /// Those of reading, [`Error::File`] if no column can be read as text, and
    /// [`Error::UnknownColumn`] if the stated person is not a column.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::inspect::{Inspection, Look};
    /// use hedgerow::io::{ReadOptions, Source};
    /// use hedgerow::progress::Silent;
    /// use hedgerow::schema::Role;
    /// let stream = "name,age\nAda Lovelace,36\nAlan Turing,41\n".as_bytes();
    /// let source = Source::spool(stream, &std::env::temp_dir(), None, &Silent)?;
    /// let look = Look {
    ///     reading: ReadOptions::default(),
    ///     person: None,
    ///     k: None,
    ///     spell: &|advice| advice.to_string(),
    /// };
    /// let found = Inspection::of(&source, &look, &Silent)?;
    /// assert_eq!(found.columns[0].role, Role::Identifier);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of(source: &Source, look: &Look<'_>, progress: &dyn Progress) -> Result<Self> {
        let options = ReadOptions {
            // A column with NaN can be shown, even if it cannot be anonymized as it is.
            keep_nan: true,
            ..look.reading.clone()
        };
        let names = source.header();
        let usable: Vec<usize> =
            (0..names.len()).filter(|&place| source.unusable(place).is_none()).collect();
        // One table for each column, all read in the same pass.
        let each: Vec<Columns> =
            usable.iter().map(|&place| Columns::quasi(&[&names[place]])).collect();
        if each.is_empty() {
            let problem = "every column is nested or binary; flatten the columns to use";
            return Err(Error::file(source.path(), problem));
        }
        let (tables, glance) = source.read_and_look(&each, &usable, &options, progress)?;
        let mut inspection = Self::of_columns(source, &tables, &glance, look)?;
        drop(tables);
        // A second pass: the person and the combinations of the suggested columns are known only
        // now.
        let table = inspection.count_people(source, look, &options, progress)?;
        let k = look.k.filter(|_| inspection.rows > 0);
        if let Some((table, k)) = table.zip(k) {
            inspection.auto = choices(&table, k, progress)?;
        }
        Ok(inspection)
    }

    /// The columns with a suggested role.
    fn with(&self, role: Role) -> Vec<String> {
        let columns = self.columns.iter().filter(|column| column.role == role);
        columns.map(|column| column.name.clone()).collect()
    }

    /// The suggested quasi-identifiers with the person, if every record has one.
    fn columns_of_people(&self) -> Option<Columns> {
        let is_named =
            |column: &&ColumnView| column.role == Role::Person && column.missing == Some(0);
        let person = self.columns.iter().find(is_named)?;
        Some(Columns::quasi(&self.with(Role::Quasi)).and_person(&person.name))
    }

    /// Counts the records that equal no other on the suggested quasi-identifiers and, if a column
    /// names people, the people with a unique value in each column and with a unique combination of
    /// quasi-identifiers. Returns the table of the quasi-identifiers, with people if every record
    /// has one.
    fn count_people(
        &mut self,
        source: &Source,
        look: &Look<'_>,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Option<Table>> {
        let (quasi, person) = (self.with(Role::Quasi), self.with(Role::Person).pop());
        let is_read = |column: &&ColumnView| person.is_some() && column.distinct.is_some();
        let read: Vec<String> =
            self.columns.iter().filter(is_read).map(|column| column.name.clone()).collect();
        let mut groups: Vec<Columns> = read.iter().map(|name| Columns::quasi(&[name])).collect();
        if !quasi.is_empty() {
            groups.push(Columns::quasi(&quasi));
            groups.extend(self.columns_of_people());
        }
        if groups.is_empty() {
            return Ok(None);
        }
        let options = ReadOptions { keep_rows: person.is_some(), ..options.clone() };
        let mut tables = source.read_each(&groups, &options, progress)?;
        let mut of_quasi = tables.split_off(read.len());
        let combined = of_quasi.first();
        let named = person.as_ref().and_then(|name| read.iter().position(|other| other == name));
        let owners = named.and_then(|place| Owners::of(&tables[place]));
        for (name, table) in read.iter().zip(&tables) {
            let column = self.columns.iter_mut().find(|column| column.name == *name);
            if let Some((column, owners)) = column.zip(owners.as_ref()) {
                column.alone = owners.alone(table);
            }
        }
        self.uniqueness = combined.map(|table| uniqueness(table, quasi, owners.as_ref()));
        self.people = person.zip(owners).map(|(column, owners)| People {
            is_stated: look.person.as_ref() == Some(&column),
            column,
            count: owners.count,
        });
        Ok(of_quasi.pop())
    }

    /// Summarizes a table that was read as one table for each column that can be read, with a
    /// glance at the same columns. Uniqueness and hierarchies, which take a second pass, are left
    /// out.
    ///
    /// # Errors
    ///
    /// [`Error::Column`] if a column has two roles, and [`Error::UnknownColumn`] if the stated
    /// person is not a column.
    pub fn of_columns(
        source: &Source,
        tables: &[Table],
        glance: &Glance,
        look: &Look<'_>,
    ) -> Result<Self> {
        let rows = tables.first().map_or(0, Table::n_rows);
        let mut suggestions = guard::suggest(glance);
        if let Some(person) = &look.person {
            schema::find(source.header(), person)?;
            suggestions.iter_mut().for_each(|suggestion| name_person(suggestion, person));
        }
        let columns = views(source, tables, suggestions);
        let roles: Vec<(&str, Role)> =
            columns.iter().map(|column| (column.name.as_str(), column.role)).collect();
        // Undecided columns get every check of the guard, as in a run without roles.
        let named: Vec<_> =
            roles.into_iter().filter(|(_, role)| *role != Role::Undecided).collect();
        let findings = guard::look(glance, &Schema::new(source.header(), &named)?);
        let notes = notes(source, tables, look);
        let (people, uniqueness, auto) = (None, None, Vec::new());
        Ok(Self { rows, people, columns, findings, uniqueness, notes, auto })
    }
}

/// Suggests the role of a person for the stated column, and for no other.
fn name_person(suggestion: &mut Suggestion, person: &str) {
    suggestion.role = match suggestion.role {
        _ if suggestion.column == person => Role::Person,
        // It seemed to number people too.
        Role::Person => Role::Identifier,
        other => other,
    };
}

/// Returns notes on how the file and its columns were read.
fn notes(source: &Source, tables: &[Table], look: &Look<'_>) -> Vec<String> {
    let na = look.reading.encoding.na.as_slice();
    let told = |warning: &Warning| capitalized(&warning.message(look.spell));
    let found = source.notes().into_iter().map(|note| capitalized(&note));
    let of_file = found.chain(source.warnings(&[], na).iter().map(told)).collect::<Vec<_>>();
    // A formula in error is neither a value nor missing unless it is listed as missing.
    let is_refused = |column: &str, text: &str| source.has_fault(column, text);
    let of_columns = tables.iter().flat_map(|table| {
        let notes = table.notes_without(&is_refused);
        let notes = notes.into_iter().map(|note| capitalized(&note));
        let doubts = table.doubts_without(&is_refused).into_iter();
        let doubts = doubts.chain(guard::doubtful_births(table));
        notes.chain(doubts.map(|doubt| told(&doubt))).collect::<Vec<_>>()
    });
    of_file.into_iter().chain(of_columns).collect()
}

/// Returns a note as a sentence.
fn capitalized(note: &str) -> String {
    let mut characters = note.chars();
    let first = characters.next().map(char::to_uppercase);
    format!("{}{}.", first.into_iter().flatten().collect::<String>(), characters.as_str())
}

/// Returns the hierarchies that `auto` would choose.
fn choices(table: &Table, k: u64, progress: &dyn Progress) -> Result<Vec<AutoView>> {
    let auto = Auto { k, seed: 0, needs_levels: false };
    let choices = auto.choose(table, &BTreeMap::new(), progress)?;
    let view = |(column, choice): (&Column, Choice)| AutoView {
        column: column.name.clone(),
        k,
        hierarchy: choice.generalization.method(),
        why: choice.why,
    };
    Ok(table.columns().iter().zip(choices).map(view).collect())
}

/// Returns the views of all columns. `tables` and `suggestions` have one item for each column that
/// can be read.
fn views(source: &Source, tables: &[Table], suggestions: Vec<Suggestion>) -> Vec<ColumnView> {
    let mut tables = tables.iter().zip(suggestions);
    let view_of = |(place, name): (usize, &String)| match source.unusable(place) {
        Some(unusable) => Some(without_values(name, unusable)),
        None => tables.next().map(|(table, suggestion)| view(table, &suggestion)),
    };
    source.header().iter().enumerate().filter_map(view_of).collect()
}

/// Returns the view of a nested or binary column, which a release must leave out.
fn without_values(name: &str, unusable: Unusable) -> ColumnView {
    ColumnView {
        name: name.to_owned(),
        kind: unusable.name(),
        distinct: None,
        missing: None,
        least: None,
        greatest: None,
        // Leaving it out is the only choice, because it has no text to publish.
        role: Role::Identifier,
        alone: None,
        hint: None,
        may_be_categories: false,
    }
}

fn view(table: &Table, suggestion: &Suggestion) -> ColumnView {
    let column = &table.columns()[0];
    let domain = &column.domain;
    // Only numbers and dates have a least and a greatest value.
    let is_ordered = domain.values.scale().is_some() && !domain.is_empty();
    let spelt = |code: usize| is_ordered.then(|| domain.values.spelling(code).into_owned());
    ColumnView {
        name: column.name.clone(),
        kind: domain.values.kind().name(),
        distinct: Some(domain.len()),
        missing: Some(domain.missing.as_ref().map_or(0, |missing| missing.count)),
        least: spelt(0),
        greatest: spelt(domain.len().saturating_sub(1)),
        role: suggestion.role,
        alone: Some(domain.counts.iter().filter(|&&count| count == 1).count() as u64),
        hint: suggestion.hint,
        may_be_categories: table::may_be_categories(domain),
    }
}

/// The person of each record, as a number.
struct Owners {
    of_row: Vec<u32>,
    count: u64,
}

impl Owners {
    /// The people that a column names, if the table has its rows. A record without a value is a
    /// person of its own.
    fn of(table: &Table) -> Option<Self> {
        let (cohorts, missing) = (table.cohorts(), table.columns()[0].domain.missing_code());
        let mut count = cohorts.len() as u32;
        let mut owner = |row: &Option<Cohort>| match row {
            Some(cohort) if Some(cohorts.tuple(*cohort)[0]) != missing => cohort.index() as u32,
            _ => {
                count += 1;
                count - 1
            }
        };
        let of_row: Vec<u32> = table.rows()?.iter().map(&mut owner).collect();
        // The cohort of missing values has no person left.
        let has_missing = table.columns()[0].domain.missing.is_some();
        Some(Self { of_row, count: u64::from(count) - u64::from(has_missing) })
    }

    /// Number of people with a value of a column that no other person has, if the table has its
    /// rows.
    fn alone(&self, table: &Table) -> Option<u64> {
        let (cohorts, missing) = (table.cohorts(), table.columns()[0].domain.missing_code());
        self.in_groups_below(table, 2, |cohort| Some(cohorts.tuple(cohort)[0]) != missing)
    }

    /// Number of people with a record whose values fewer than `size` people have, among the values
    /// that count, if the table has its rows.
    fn in_groups_below(
        &self,
        table: &Table,
        size: usize,
        counts: impl Fn(Cohort) -> bool,
    ) -> Option<u64> {
        let rows = table.rows()?.iter().zip(&self.of_row);
        let mut pairs: Vec<(Cohort, u32)> =
            rows.filter_map(|(cohort, owner)| Some(((*cohort)?, *owner))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let small =
            pairs.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() < size);
        let named = small.filter(|group| counts(group[0].0));
        let mut alone: Vec<u32> = named.flatten().map(|(_, owner)| *owner).collect();
        alone.sort_unstable();
        alone.dedup();
        Some(alone.len() as u64)
    }
}

fn uniqueness(table: &Table, quasi: Vec<String>, owners: Option<&Owners>) -> Uniqueness {
    let cohorts = table.cohorts();
    let people_below = |size: usize| owners?.in_groups_below(table, size, |_| true);
    let rows_in_fewer_than_five = cohorts.counts.iter().filter(|&&count| count < 5).sum();
    Uniqueness {
        quasi,
        cohorts: cohorts.len(),
        unique_rows: cohorts.n_unique(),
        rows_in_fewer_than_five,
        unique_people: people_below(2),
        people_in_fewer_than_five: people_below(5),
    }
}
