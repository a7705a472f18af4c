//! Everything at once: random tables, methods, hierarchies, models, policies and styles, from file to
//! file, and what comes out judged by a second implementation that knows the files only.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod cases;
mod quick;
mod random;
mod second;

use std::collections::BTreeMap;
use std::path::Path;

use cases::cases;
use hedgerow::Error;
use hedgerow::hierarchy::{self, Generalization, Hierarchy, RareValues};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::{self, Job};
use hedgerow::method::Spec;
use hedgerow::progress::Silent;
use hedgerow::report::Outcome;
use hedgerow::table::{Encoding, Kind, MissingPolicy};
use proptest::prelude::*;
use random::{Case, Sort, case};
use second::{Cell, File, Secrets, days, read_cell};

/// A text as it is without a guard against being run as a formula.
fn plain(text: &str, is_guarded: bool) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_guarded && rest.starts_with(['=', '+', '-', '@', '\t', '\r', '\'']) => {
            rest
        }
        _ => text,
    }
}

/// What a run may refuse: goals that cannot be met, and what a method says it cannot do.
fn may_be_refused(error: &Error) -> bool {
    let told = [
        "cannot do this",
        "cannot be hidden",
        "has missing values",
        "has a limit but no tree",
        "is no level",
        "generalizes one quasi-identifier",
    ];
    match error {
        Error::Unreachable(_) => true,
        Error::Invalid(message) => told.iter().any(|told| message.contains(told)),
        _ => false,
    }
}

/// The tree by which a column was published.
fn tree_of(case: &Case, input: &Path, outcome: &Outcome, column: usize) -> Option<Hierarchy> {
    let name = format!("q{column}");
    let spec: Spec = outcome.hierarchies[&name].method.parse().ok()?;
    let source = Source::open(input, Some(b',')).unwrap();
    let encoding = Encoding { missing: case.missing, ..Encoding::default() };
    let options = ReadOptions { encoding, ..ReadOptions::default() };
    let table = source.read(&case.quasi(), &options, &Silent).ok()?;
    match hierarchy::build(&spec, &table.columns()[column], Some(case.k)).ok()? {
        Generalization::Tree(tree) => Some(Hierarchy::clone(&tree)),
        _ => None,
    }
}

/// Whether a published cell is true of a value.
fn covers(
    cell: &str,
    (value, is_rare): (&str, bool),
    sort: Sort,
    tree: Option<&Hierarchy>,
) -> bool {
    let is_named = |tree: &Hierarchy| {
        let mut nodes = (0..tree.len() as u32).filter(|&node| tree.label(node) == cell);
        nodes.any(|node| tree.leaves_of(node).any(|leaf| tree.spelling(leaf) == value))
    };
    if cell == value || tree.is_some_and(is_named) {
        return true;
    }
    match read_cell(cell) {
        Cell::Anything => true,
        Cell::Ends(low, high) if sort == Sort::Date => {
            let (low, high, value) =
                (days(&low).unwrap(), days(&high).unwrap(), days(value).unwrap());
            low.0 <= value.0 && value.1 <= high.1
        }
        Cell::Ends(low, high) => {
            let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
            (number(&low)..=number(&high)).contains(&number(value))
        }
        Cell::Members(members, n_more) => {
            let is_one_more = || match tree {
                None => is_rare,
                Some(tree) => (0..tree.len() as u32).any(|node| {
                    let mut leaves = tree.leaves_of(node);
                    leaves.len() == members.len() + n_more
                        && leaves.any(|leaf| tree.spelling(leaf) == value)
                }),
            };
            members.iter().any(|member| member == value) || (n_more > 0 && is_one_more())
        }
        Cell::Name(name) => {
            let number = |text: &str| text.parse::<f64>().ok();
            number(&name).is_some() && number(&name) == number(value)
        }
    }
}

/// The values that a cell spells out.
fn spelled(cell: &str) -> Vec<String> {
    match read_cell(cell) {
        Cell::Anything => Vec::new(),
        Cell::Ends(low, high) => vec![low, high],
        Cell::Members(members, _) => members,
        Cell::Name(name) => vec![name],
    }
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn whatever_is_asked_for_the_release_is_what_it_claims(case in case()) {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("t.csv"), folder.path().join("r.csv"));
        case.write(&input);
        let job = case.job(&input, &output);
        let outcome = match job::run(&job, &Silent) {
            Ok(outcome) => outcome,
            Err(error) => {
                prop_assert!(may_be_refused(&error), "{error}\n{job:?}");
                prop_assert!(!output.exists());
                return Ok(());
            }
        };
        let (table, release) = (File::read(&input), File::read(&output));
        check_rows(&case, &job, &table, &release)?;
        check_cells(&case, &input, &outcome, (&table, &release))?;
        check_claims(&case, &job, &outcome, (&table, &release))?;
        check_order(&job, &release)?;
    }
}

/// Records are those of the table, and columns other than quasi-identifiers are unchanged.
fn check_rows(case: &Case, job: &Job, table: &File, release: &File) -> Result<(), TestCaseError> {
    let kept = table.rows.iter().filter(|row| case.keeps(row)).count();
    prop_assert!(release.rows.len() <= kept, "{job:?}");
    if !job.drop_suppressed && job.privacy.is_empty() {
        prop_assert_eq!(release.rows.len(), kept);
    }
    let ids = release.column("id");
    for name in ["s", "note"] {
        let (before, after) = (table.column(name), release.column(name));
        for (id, after) in ids.iter().zip(after) {
            let before = before[id.parse::<usize>().unwrap()];
            prop_assert_eq!(plain(after, job.spreadsheet_safe), before);
        }
    }
    Ok(())
}

/// What is published of a record is true of it, and spells out no rare value where it must not.
fn check_cells(
    case: &Case,
    input: &Path,
    outcome: &Outcome,
    (table, release): (&File, &File),
) -> Result<(), TestCaseError> {
    if !case.has_text_cells() {
        return Ok(());
    }
    let ids = release.column("id");
    for (column, &sort) in case.sorts.iter().enumerate() {
        let name = format!("q{column}");
        let tree = tree_of(case, input, outcome, column);
        let (before, after) = (table.column(&name), release.column(&name));
        let kept = before.iter().zip(&table.rows).filter(|(_, row)| case.keeps(row));
        let kept: Vec<&str> = kept.map(|(value, _)| *value).collect();
        let n_records = |value: &str| kept.iter().filter(|other| **other == value).count() as u64;
        for (id, cell) in ids.iter().zip(after) {
            let (value, cell) =
                (before[id.parse::<usize>().unwrap()], plain(cell, case.switches[1]));
            let is_rare = n_records(value) < case.k;
            let is_wild = value.is_empty() && case.missing == MissingPolicy::Wildcard;
            let what =
                || format!("{name}: '{value}' as '{cell}' by {:?}", outcome.hierarchies[&name]);
            prop_assert!(
                is_wild || covers(cell, (value, is_rare), sort, tree.as_ref()),
                "{}",
                what()
            );
            if case.rare_values == RareValues::Hide && is_taken_from_data(cell, tree.as_ref()) {
                for spelled in spelled(cell) {
                    let n_records = n_records(&spelled);
                    let may_be_shown = n_records == 0 || n_records >= case.k;
                    prop_assert!(may_be_shown, "{spelled} in {}", what());
                }
            }
        }
    }
    Ok(())
}

/// Whether a cell is not a name of a group, such as a part of the calendar or a prefix.
fn is_taken_from_data(cell: &str, tree: Option<&Hierarchy>) -> bool {
    let is_group = |tree: &Hierarchy| {
        let mut nodes = (0..tree.len() as u32).filter(|&node| tree.as_leaf(node).is_none());
        tree.kind() == Kind::Date && nodes.any(|node| tree.label(node) == cell)
    };
    !cell.is_empty() && !tree.is_some_and(is_group)
}

/// Every class that shows something meets every model, counted from the files.
fn check_claims(
    case: &Case,
    job: &Job,
    outcome: &Outcome,
    (table, release): (&File, &File),
) -> Result<(), TestCaseError> {
    let is_quasi = |name: &&String| name.starts_with('q');
    let quasi: Vec<Vec<&str>> =
        release.header.iter().filter(is_quasi).map(|name| release.column(name)).collect();
    let mut classes: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for (row, secret) in release.column("s").into_iter().enumerate() {
        let shown = quasi.iter().map(|column| column[row]).collect();
        classes.entry(shown).or_default().push(plain(secret, job.spreadsheet_safe));
    }
    let says_nothing = |shown: &Vec<&str>| shown.iter().all(|cell| *cell == "*");
    let n_speaking = classes.keys().filter(|shown| !says_nothing(shown)).count();
    classes.retain(|shown, _| n_speaking == 0 || !says_nothing(shown));
    let all: Vec<&str> = table
        .rows
        .iter()
        .filter(|row| case.keeps(row))
        .map(|row| row[case.sorts.len() + 1].as_str())
        .collect();
    let smallest = classes.values().map(Vec::len).min().unwrap_or(0) as u64;
    prop_assert!(smallest >= case.k, "{classes:?}\n{job:?}");
    prop_assert_eq!(smallest, outcome.smallest_class);
    prop_assert_eq!(classes.len(), outcome.classes);
    for model in case.models() {
        for (shown, secrets) in &classes {
            let secrets = Secrets { class: secrets.clone(), table: all.clone() };
            let holds = secrets.holds(model.name, &model.asked).unwrap();
            prop_assert!(holds, "{} in {shown:?}: {:?}\n{job:?}", model.spec, secrets.class);
        }
    }
    Ok(())
}

/// In random order the same records are published, the same with any number of threads.
fn check_order(job: &Job, kept: &File) -> Result<(), TestCaseError> {
    let bytes = |threads| {
        let job = Job { keep_order: false, threads, ..job.clone() };
        job::run(&job, &Silent).map(|_| std::fs::read(&job.output).unwrap())
    };
    let (one, two) = (bytes(1).unwrap(), bytes(2).unwrap());
    prop_assert!(one == two, "{job:?}");
    let mut rows = File::read(&job.output).rows;
    let mut wanted = kept.rows.clone();
    rows.sort();
    wanted.sort();
    prop_assert_eq!(rows, wanted);
    Ok(())
}
