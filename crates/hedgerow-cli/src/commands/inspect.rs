//! `hedgerow inspect`: shows the columns of a table and suggests their roles.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use hedgerow::auto::{Auto, Choice};
use hedgerow::error::Warning;
use hedgerow::guard::{self, Finding, Hint, Reason, Suggestion};
use hedgerow::io::{ReadOptions, Source, Unusable};
use hedgerow::noun::counted;
use hedgerow::schema::{self, Role, Schema};
use hedgerow::table::{self, Column, Columns, MissingPolicy, Table};
use serde::Serialize;

use crate::Verdict;
use crate::advice;
use crate::args::{InspectArgs, ReadArgs, quoted_name};
use crate::console::{self, Console};

/// Summary of a table.
#[derive(Serialize)]
struct Inspection {
    rows: u64,
    columns: Vec<ColumnView>,
    /// What should be known about the columns if they have the suggested roles.
    findings: Vec<Finding>,
    /// Uniqueness of the records on the suggested quasi-identifiers, if any are suggested.
    uniqueness: Option<Uniqueness>,
    /// What was recognized in the file and its columns, and what may be meant otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// Hierarchies that `auto` would choose for the suggested quasi-identifiers.
    auto: Vec<AutoView>,
}

#[derive(Serialize)]
struct AutoView {
    column: String,
    k: u64,
    hierarchy: String,
    why: Option<String>,
}

#[derive(Serialize)]
struct ColumnView {
    name: String,
    kind: &'static str,
    /// Number of distinct values; `None` for a nested or binary column, which is not read.
    distinct: Option<usize>,
    missing: Option<u64>,
    least: Option<String>,
    greatest: Option<String>,
    role: Role,
    /// Number of records that are alone with their value.
    alone: Option<u64>,
    hint: Option<Hint>,
    /// Whether the numbers may be codes of categories.
    #[serde(skip)]
    may_be_categories: bool,
}

#[derive(Serialize)]
struct Uniqueness {
    quasi: Vec<String>,
    cohorts: usize,
    unique_rows: u64,
    rows_in_fewer_than_five: u64,
}

pub(crate) fn run(args: &InspectArgs) -> Result<Verdict> {
    let inspection = inspect(&args.table, &args.read, Some(args.k))?;
    if args.json {
        console::print_json(&inspection)?;
    } else {
        console::print(&text(&inspection))?;
    }
    Ok(Verdict::Fine)
}

/// Returns the roles that names and values of the columns suggest, as flags.
pub(crate) fn suggested_flags(table: &Path, read: &ReadArgs) -> Result<String> {
    let inspection = inspect(table, read, None)?;
    let mut flags: Vec<String> = Vec::new();
    for role in [Role::Quasi, Role::Sensitive, Role::Person, Role::Identifier] {
        let columns = inspection.columns.iter().filter(|column| column.role == role);
        let names: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
        flags.extend(advice::named(role.name(), &names));
    }
    // Columns that would stop a run are suggested for dropping, the safe choice.
    let stops = inspection.findings.iter().filter(|finding| finding.stops);
    let dropped: Vec<&str> = stops.map(|finding| finding.column.as_str()).collect();
    flags.extend(advice::named("drop", &dropped));
    Ok(if flags.is_empty() { "(no suggestion)".to_owned() } else { flags.join(" ") })
}

/// A column of a table with the role that its name and values suggest.
pub(crate) struct Suggested {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) role: Role,
    /// Number of distinct values, if it can be read.
    pub(crate) distinct: Option<usize>,
    /// Its kind and values in a few words.
    pub(crate) about: String,
}

/// Returns the columns of a table with suggested roles; columns that would stop a run are dropped.
pub(crate) fn suggestions(table: &Path, read: &ReadArgs) -> Result<Vec<Suggested>> {
    let inspection = inspect(table, read, None)?;
    let stops = inspection.findings.iter().filter(|finding| finding.stops);
    let stopping: Vec<String> = stops.map(|finding| finding.column.clone()).collect();
    let suggest = |column: ColumnView| {
        // A suggested role is more specific than a finding.
        let stops = stopping.contains(&column.name) && column.role == Role::Undecided;
        let role = if stops { Role::Dropped } else { column.role };
        let (about, distinct) = (about(&column), column.distinct);
        Suggested { name: column.name, kind: column.kind, role, distinct, about }
    };
    Ok(inspection.columns.into_iter().map(suggest).collect())
}

/// The kind and the values of a column in a few words.
fn about(column: &ColumnView) -> String {
    let mut about = column.kind.to_owned();
    if let Some(distinct) = column.distinct {
        let _ = write!(about, ", {}", counted(distinct as u64, "value"));
    }
    if let Some((least, greatest)) = column.least.as_ref().zip(column.greatest.as_ref()) {
        let _ = write!(about, " from {least} to {greatest}");
    }
    if let Some(missing) = column.missing.filter(|&missing| missing > 0) {
        let _ = write!(about, ", {missing} missing");
    }
    about
}

/// Inspects a table; with a `k`, also chooses hierarchies for it.
fn inspect(path: &Path, read: &ReadArgs, k: Option<u64>) -> Result<Inspection> {
    let source = read.file.open(path)?;
    let console = Console::new(false);
    let options = ReadOptions {
        encoding: read.encoding(MissingPolicy::Own)?,
        threads: read.file.threads(),
        // A column with NaN can be shown, even if it cannot be anonymized as it is.
        keep_nan: true,
        ..ReadOptions::default()
    };
    let names = source.header();
    let usable: Vec<usize> =
        (0..names.len()).filter(|&place| source.unusable(place).is_none()).collect();
    // One table for each column, all read in the same pass.
    let each: Vec<Columns> = usable.iter().map(|&place| Columns::quasi(&[&names[place]])).collect();
    if each.is_empty() {
        bail!("{}: every column is nested or binary; flatten the columns to use", path.display());
    }
    let (tables, glance) = source.read_and_look(&each, &usable, &options, &console)?;
    let rows = tables.first().map_or(0, Table::n_rows);
    let columns = views(&source, &tables, guard::suggest(&glance));
    let roles: Vec<(&str, Role)> =
        columns.iter().map(|column| (column.name.as_str(), column.role)).collect();
    // Undecided columns get every check of the guard, as in a run without roles.
    let named: Vec<_> = roles.into_iter().filter(|(_, role)| *role != Role::Undecided).collect();
    let findings = guard::look(&glance, &Schema::new(names, &named)?);
    let quasi: Vec<String> = (columns.iter().filter(|column| column.role == Role::Quasi))
        .map(|column| column.name.clone())
        .collect();
    let notes = notes(&source, &tables, &read.na);
    let mut inspection =
        Inspection { rows, columns, findings, uniqueness: None, notes, auto: Vec::new() };
    if !quasi.is_empty() {
        // A second pass: combinations of the suggested columns are known only now.
        let table = source.read(&Columns::quasi(&quasi), &options, &console)?;
        if let Some(k) = k.filter(|_| rows > 0) {
            inspection.auto = choices(&table, k, &console)?;
        }
        inspection.uniqueness = Some(uniqueness(&table, quasi));
    }
    drop(console.seconds());
    Ok(inspection)
}

/// Returns notes on how the file and its columns were read.
fn notes(source: &Source, tables: &[Table], na: &[String]) -> Vec<String> {
    let told = |warning: &Warning| capitalized(&warning.message(&advice::spell));
    let found = source.notes().into_iter().map(|note| capitalized(&note));
    let of_file = found.chain(source.warnings(&[], na).iter().map(told)).collect::<Vec<_>>();
    let of_columns = tables.iter().flat_map(|table| {
        let notes = table.notes().into_iter().map(|note| capitalized(&note));
        notes.chain(table.doubts().iter().map(told)).collect::<Vec<_>>()
    });
    of_file.into_iter().chain(of_columns).collect()
}

/// Returns a note as a sentence.
fn capitalized(note: &str) -> String {
    let mut characters = note.chars();
    // The capital of a character can be several: ß becomes SS.
    let first = characters.next().map(char::to_uppercase);
    format!("{}{}.", first.into_iter().flatten().collect::<String>(), characters.as_str())
}

/// Returns the hierarchies that `auto` would choose.
fn choices(table: &Table, k: u64, console: &Console) -> Result<Vec<AutoView>> {
    // The same seed as a run without --seed, so that it chooses the same.
    let auto = Auto { k, seed: 0, needs_levels: false };
    let choices = auto.choose(table, &BTreeMap::new(), console)?;
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
    // Unusable columns have neither a table nor a suggestion, so the two lists are taken from in
    // step.
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

fn uniqueness(table: &Table, quasi: Vec<String>) -> Uniqueness {
    let cohorts = table.cohorts();
    // 5 is the usual k, so these records would have to be generalized.
    let rows_in_fewer_than_five = cohorts.counts.iter().filter(|&&count| count < 5).sum();
    Uniqueness {
        quasi,
        cohorts: cohorts.len(),
        unique_rows: cohorts.n_unique(),
        rows_in_fewer_than_five,
    }
}

fn text(inspection: &Inspection) -> String {
    let lengths = inspection.columns.iter().map(|column| column.name.chars().count());
    let width = lengths.max().unwrap_or(0).max(6);
    let columns = counted(inspection.columns.len(), "column");
    let mut out = format!("{}, {columns}\n\n", counted(inspection.rows, "record"));
    list_columns(&mut out, &inspection.columns, width);
    // The two words of the table that are not self-explanatory.
    let legend =
        "alone: records that share their value with no other; undecided: decide before publishing";
    let _ = writeln!(out, "\n{legend}");
    note_findings(&mut out, inspection);
    note_doubts(&mut out, &inspection.columns);
    for note in &inspection.notes {
        let _ = writeln!(out, "\n{note}");
    }
    if let Some(uniqueness) = &inspection.uniqueness {
        let share = 100.0 * uniqueness.unique_rows as f64 / inspection.rows as f64;
        let _ = writeln!(
            out,
            "\nOn {} there are {} different records; {} ({share:.1}%) are unique, and {} share their \
             values with fewer than four others.",
            uniqueness.quasi.join(", "),
            uniqueness.cohorts,
            uniqueness.unique_rows,
            uniqueness.rows_in_fewer_than_five
        );
    }
    if let Some(first) = inspection.auto.first() {
        let _ = writeln!(out, "\nHierarchies that auto would choose for k = {}:", first.k);
    }
    for AutoView { column, hierarchy, why, .. } in &inspection.auto {
        let why = why.as_deref().unwrap_or("");
        let _ = writeln!(out, "{column:<width$}  {hierarchy:<15}  {why}");
    }
    out
}

/// Adds a table of the columns, with names of up to `width` characters.
fn list_columns(out: &mut String, columns: &[ColumnView], width: usize) {
    let _ = writeln!(
        out,
        "{:<width$}  {:<6}  {:>8}  {:>8}  {:>8}  {:<23}  suggested role",
        "column", "kind", "distinct", "alone", "missing", "range"
    );
    for column in columns {
        let ends = column.least.as_ref().zip(column.greatest.as_ref());
        let range =
            ends.map_or_else(String::new, |(least, greatest)| format!("{least} .. {greatest}"));
        let _ = writeln!(
            out,
            "{:<width$}  {:<6}  {:>8}  {:>8}  {:>8}  {range:<23}  {}",
            column.name,
            column.kind,
            column.distinct.map_or_else(String::new, |n| n.to_string()),
            column.alone.map_or_else(String::new, |n| n.to_string()),
            column.missing.map_or_else(String::new, |n| n.to_string()),
            column.role.name()
        );
    }
}

/// Adds what should be known about columns before they are published.
fn note_findings(out: &mut String, inspection: &Inspection) {
    // Weights are not names, but few people share one, and the design of the sample can be guessed.
    let weights = inspection.columns.iter().filter(|c| c.hint == Some(Hint::SamplingWeight));
    for column in weights {
        let _ = writeln!(
            out,
            "\nColumn '{}' looks like the weights of a survey. Weights can tell to which group of the \
             sample a person belongs.",
            column.name
        );
    }
    for ColumnView { name, .. } in inspection.columns.iter().filter(|c| c.role == Role::Person) {
        let _ = writeln!(
            out,
            "\nColumn '{name}' looks like a person with several rows, so rows may not be people; name it \
             with {}, so that k counts people.",
            flag("person", name)
        );
    }
    for Finding { column, reason, .. } in &inspection.findings {
        let todo = match reason {
            Reason::SeveralRowsPerPerson { .. } => {
                format!("; name it with {}", flag("person", column))
            }
            Reason::NearlyUnique { .. }
            | Reason::GivesAway { .. }
            | Reason::GivesAwayWith { .. }
            | Reason::MayBeNames
            | Reason::BirthDates { .. }
            | Reason::PersonNames { .. } => {
                format!("; leave it out with {}, or name it in --quasi", flag("drop", column))
            }
            _ => String::new(),
        };
        let _ = writeln!(out, "\nColumn '{column}': {reason}{todo}.");
    }
}

/// A flag with a column, ready to be copied to a shell.
fn flag(key: &str, column: &str) -> String {
    advice::named(key, &[column]).unwrap_or_default()
}

/// A flag with a column and a value, ready to be copied to a shell.
fn setting(key: &str, column: &str, value: &str) -> String {
    format!("--{key} {}", advice::quoted(&format!("{}={value}", quoted_name(column))))
}

/// Adds notes on a missing header and on numbers that may be categories.
fn note_doubts(out: &mut String, columns: &[ColumnView]) {
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    if let Some(name) = schema::looks_like_data(&names) {
        let _ = writeln!(
            out,
            "\nA column is called '{name}', so the first line may be a record. If the table has no header, \
             state --no-header, or --header with the names of its columns."
        );
    }
    let coded: Vec<&ColumnView> =
        columns.iter().filter(|column| column.may_be_categories).collect();
    if !coded.is_empty() {
        let names: Vec<&str> = coded.iter().map(|column| column.name.as_str()).collect();
        let flags: Vec<String> = names.iter().map(|name| setting("kind", name, "text")).collect();
        let _ = writeln!(
            out,
            "\nFew small whole numbers in {}: if they are codes of categories, state {}.",
            names.join(", "),
            flags.join(" ")
        );
    }
}
