//! `hedgerow inspect`: shows the columns of a table and suggests their roles.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use hedgerow::guard::{Finding, Hint, Reason};
use hedgerow::inspect::{AutoView, ColumnView, Inspection, Look, People};
use hedgerow::io::ReadOptions;
use hedgerow::noun::{all_of, counted};
use hedgerow::risk::percent;
use hedgerow::schema::{self, Role};
use hedgerow::table::MissingPolicy;

use crate::Verdict;
use crate::advice;
use crate::args::{InspectArgs, ReadArgs, quoted_name};
use crate::console::{self, Console};

pub(crate) fn run(args: &InspectArgs) -> Result<Verdict> {
    let person = args.person.clone();
    let inspection = inspect(&args.table, &args.read, &Wanted { person, k: Some(args.k) })?;
    if args.json {
        console::print_json(&inspection)?;
    } else {
        console::print(&text(&inspection))?;
    }
    Ok(Verdict::Fine)
}

/// Asks for the columns that others may know, with suggested roles as flags.
pub(crate) fn ask_for_roles(table: &Path, read: &ReadArgs) -> Result<String> {
    let inspection = inspect(table, read, &Wanted::default())?;
    let flags = suggested_flags(&inspection);
    let more = format!("hedgerow inspect {} shows more", table.display());
    if inspection.columns.iter().any(|column| column.role == Role::Quasi) {
        return Ok(format!(
            "name the columns that others may know (--quasi). Names and values suggest these roles, \
             which you should check:\n  {flags}\n{more}"
        ));
    }
    let example = example(&inspection);
    let roles = if flags.is_empty() {
        String::new()
    } else {
        format!("Other roles that they suggest, which you should check:\n  {flags}\n")
    };
    Ok(format!(
        "name the columns that others may know of a person (--quasi), such as an age, a place or a job. \
         Names and values suggest none, so the choice is yours; for example, if others know these:\n  \
         {example}\n{roles}{more}"
    ))
}

/// Returns the roles that names and values of the columns suggest, as flags.
fn suggested_flags(inspection: &Inspection) -> String {
    let mut flags: Vec<String> = Vec::new();
    for role in [Role::Quasi, Role::Sensitive, Role::Person, Role::Identifier] {
        let columns = inspection.columns.iter().filter(|column| column.role == role);
        let names: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
        flags.extend(advice::named(role.name(), &names));
    }
    // A record without its person is refused unless it is left out.
    let is_unnamed = inspection.columns.iter().any(lacks_people);
    flags.extend(is_unnamed.then(|| DROP_MISSING.to_owned()));
    // Columns that would stop a run are suggested for dropping, the safe choice.
    let stops = inspection.findings.iter().filter(|finding| finding.stops);
    let dropped: Vec<&str> = stops.map(|finding| finding.column.as_str()).collect();
    flags.extend(advice::named("drop", &dropped));
    flags.join(" ")
}

/// The flag without which a column that names people must have a value in every record.
const DROP_MISSING: &str = "--missing drop";

/// Whether a column names people, but not those of all records.
fn lacks_people(column: &ColumnView) -> bool {
    column.role == Role::Person && column.missing.is_some_and(|missing| missing > 0)
}

/// Returns a flag with the first columns that could be quasi-identifiers.
fn example(inspection: &Inspection) -> String {
    const SHOWN: usize = 2;
    let is_found = |name: &String| inspection.findings.iter().any(|found| found.column == *name);
    let is_open = |column: &&ColumnView| {
        let varies = column.distinct.is_some_and(|distinct| distinct > 1);
        column.role == Role::Undecided && varies && !is_found(&column.name)
    };
    let open = inspection.columns.iter().filter(is_open).map(|column| column.name.as_str());
    let names: Vec<&str> = open.take(SHOWN).collect();
    advice::named("quasi", &names).unwrap_or_else(|| "--quasi COLUMN,...".to_owned())
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
    let inspection = inspect(table, read, &Wanted::default())?;
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

/// Options of an inspection that decide what else it reports.
#[derive(Default)]
struct Wanted {
    /// The column that names people.
    person: Option<String>,
    /// The `k` to choose hierarchies for.
    k: Option<u64>,
}

/// Inspects a table; with a `k`, also chooses hierarchies for it.
fn inspect(path: &Path, read: &ReadArgs, wanted: &Wanted) -> Result<Inspection> {
    let source = read.file.open(path)?;
    let console = Console::new(false);
    let reading = ReadOptions {
        encoding: read.encoding(MissingPolicy::Own)?,
        threads: read.file.threads(),
        ..ReadOptions::default()
    };
    let (person, k) = (wanted.person.clone(), wanted.k);
    let look = Look { reading, person, k, spell: &advice::spell };
    let inspection = Inspection::of(&source, &look, &console)?;
    drop(console.seconds());
    Ok(inspection)
}

fn text(inspection: &Inspection) -> String {
    let lengths = inspection.columns.iter().map(|column| column.name.chars().count());
    let width = lengths.max().unwrap_or(0).max(6);
    let columns = counted(inspection.columns.len(), "column");
    let records = counted(inspection.rows, "record");
    let people = inspection.people.as_ref();
    let of_people = people
        .map_or_else(String::new, |people| format!(" of {}", counted(people.count, "person")));
    let mut out = format!("{records}{of_people}, {columns}\n\n");
    list_columns(&mut out, &inspection.columns, width);
    // The two words of the table that are not self-explanatory.
    let whose = people.map_or_else(|| "records that share their value with no other".into(), alone);
    let _ = writeln!(out, "\nalone: {whose}; undecided: decide before publishing");
    note_findings(&mut out, inspection);
    note_doubts(&mut out, &inspection.columns);
    for note in &inspection.notes {
        let _ = writeln!(out, "\n{note}");
    }
    note_uniqueness(&mut out, inspection);
    if let Some(first) = inspection.auto.first() {
        let _ = writeln!(out, "\nHierarchies that auto would choose for k = {}:", first.k);
    }
    for AutoView { column, hierarchy, why, .. } in &inspection.auto {
        let why = why.as_deref().unwrap_or("");
        let _ = writeln!(out, "{column:<width$}  {hierarchy:<15}  {why}");
    }
    out
}

/// Describes the people that are counted as alone, with the column that names people.
fn alone(People { column, is_stated, .. }: &People) -> String {
    let why = if *is_stated {
        ""
    } else {
        ", which looks like the number of a person; --person names another column"
    };
    format!("people whose value no other person has (by '{column}'{why})")
}

/// Adds how many people, or records, the quasi-identifiers leave alone together.
fn note_uniqueness(out: &mut String, inspection: &Inspection) {
    let Some(uniqueness) = &inspection.uniqueness else { return };
    let people = inspection.people.as_ref().map(|people| people.count);
    let of_people = uniqueness.unique_people.zip(uniqueness.people_in_fewer_than_five).zip(people);
    let ((unique, few), n, noun) = match of_people {
        Some((found, n)) => (found, n, ["person", "people"]),
        None => {
            let found = (uniqueness.unique_rows, uniqueness.rows_in_fewer_than_five);
            (found, inspection.rows, ["record", "records"])
        }
    };
    let [one, several] = noun;
    let (noun, are) = if unique == 1 { (one, "is") } else { (several, "are") };
    let _ = writeln!(
        out,
        "\nOn {} there are {} different combinations; {unique} {noun} ({}) {are} unique, and {few} share \
         their values with fewer than four others.",
        uniqueness.quasi.join(", "),
        uniqueness.cohorts,
        percent(unique as f64 / n as f64),
    );
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
    let is_stated = inspection.people.as_ref().is_some_and(|people| people.is_stated);
    let suspects = inspection.columns.iter().filter(|c| c.role == Role::Person && !is_stated);
    for column in suspects {
        let also = if lacks_people(column) { format!(" {DROP_MISSING}") } else { String::new() };
        let _ = writeln!(
            out,
            "\nColumn '{}' looks like a person with several rows, so rows may not be people; name it \
             with {}{also}, so that k counts people.",
            column.name,
            flag("person", &column.name)
        );
    }
    let is_unique = |finding: &&Finding| {
        !finding.stops && matches!(finding.reason, Reason::NearlyUnique { .. })
    };
    let unique: Vec<&Finding> = inspection.findings.iter().filter(is_unique).collect();
    if unique.len() > 1 {
        note_unique(out, &unique);
    }
    let is_told = |finding: &&Finding| unique.len() > 1 && is_unique(finding);
    let others = inspection.findings.iter().filter(|finding| !is_told(finding));
    others.for_each(|finding| note_finding(out, finding));
}

/// Adds the finding about one column, and the possible remedies.
fn note_finding(out: &mut String, Finding { column, reason, .. }: &Finding) {
    let todo = match reason {
        Reason::SeveralRowsPerPerson { .. } => {
            format!("; name it with {}", flag("person", column))
        }
        Reason::Name { .. }
        | Reason::Pattern { .. }
        | Reason::Contains { .. }
        | Reason::RowNumber => format!("; leave it out with {}", flag("identifier", column)),
        Reason::Household { .. } => format!(
            "; leave it out with {}, or name it with {}",
            flag("drop", column),
            flag("person", column)
        ),
        _ => format!("; leave it out with {}, or name it in --quasi", flag("drop", column)),
    };
    let _ = writeln!(out, "\nColumn '{column}': {reason}{todo}.");
}

/// Adds one note on several columns in which many records have a value of their own.
fn note_unique(out: &mut String, unique: &[&Finding]) {
    let names: Vec<&str> = unique.iter().map(|finding| finding.column.as_str()).collect();
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    let _ = writeln!(
        out,
        "\nColumns {}: many records have a value that no other has; leave them out with {}, or name in \
         --quasi those that others may know.",
        all_of(&quoted),
        advice::named("drop", &names).unwrap_or_default()
    );
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
