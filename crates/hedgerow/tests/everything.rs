//! Everything at once: random tables, methods, hierarchies, models, policies and styles, from file to
//! file, and what comes out judged by a second implementation that knows the files only.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod cases;
mod quick;
mod second;

use std::collections::BTreeMap;
use std::path::Path;

use cases::cases;
use hedgerow::hierarchy::{self, Generalization, Hierarchy, RareValues};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::{self, Job};
use hedgerow::method::Spec;
use hedgerow::progress::Silent;
use hedgerow::release::IntervalStyle;
use hedgerow::report::Outcome;
use hedgerow::table::{Encoding, Kind, MissingPolicy};
use hedgerow::{Error, anonymize};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use second::{Cell, File, Secrets, days, read_cell};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sort {
    Constant,
    Unique,
    Whole,
    Decimal,
    Date,
    Code,
    Word,
    Odd,
}

const SORTS: [Sort; 8] = [
    Sort::Constant,
    Sort::Unique,
    Sort::Whole,
    Sort::Decimal,
    Sort::Date,
    Sort::Code,
    Sort::Word,
    Sort::Odd,
];

/// Words with everything that CSV, sets and labels must quote.
const ODD: [&str; 9] =
    ["a, b", "say \"x\"", "two\nlines", "{x}", "x and 2 more", "=1+1", " blank ", "[1, 2]", "*"];

impl Sort {
    /// The value of a record, from a random number and the record's place.
    fn value(self, random: u32, place: usize) -> String {
        match self {
            Self::Constant => "7".to_owned(),
            Self::Unique => (1000 + place * 37 % 997).to_string(),
            Self::Whole => (random % 12).to_string(),
            Self::Decimal => format!("{}.{:02}", random as i32 % 5 - 2, random % 4 * 25),
            Self::Date => {
                format!("20{:02}-{:02}-{:02}", 18 + random % 5, 1 + random % 12, 1 + random % 28)
            }
            Self::Code => format!("0{:04}", random % 30 * 311),
            Self::Word => {
                ["flu", "gout", "ulcer", "angina", "cold"][random as usize % 5].to_owned()
            }
            Self::Odd => ODD[random as usize % ODD.len()].to_owned(),
        }
    }
}

/// A random job with its table.
#[derive(Clone)]
struct Case {
    sorts: Vec<Sort>,
    /// Random numbers of each record; those of the first columns make values, the last a secret.
    rows: Vec<[u32; 5]>,
    missing_share: u32,
    hierarchies: Vec<Index>,
    method: Index,
    models: Vec<(Index, u32)>,
    k: u64,
    missing: MissingPolicy,
    suppress: u32,
    cap: Option<u32>,
    style: IntervalStyle,
    rare_values: RareValues,
    switches: [bool; 3],
    seed: u64,
}

impl std::fmt::Debug for Case {
    /// The table and the job, which say more than the random numbers that they are made of.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("t.csv");
        self.write(&input);
        let table = std::fs::read_to_string(&input).unwrap();
        write!(f, "{:?}\n{table}\n{:?}", self.sorts, self.job(&input, Path::new("r.csv")))
    }
}

fn case() -> impl Strategy<Value = Case> {
    let sorts = prop::collection::vec(select(&SORTS[..]), 1..=3);
    let rows = prop::collection::vec(any::<[u32; 5]>(), 5..60);
    let missing = select(vec![
        MissingPolicy::Own,
        MissingPolicy::Own,
        MissingPolicy::Wildcard,
        MissingPolicy::Drop,
        MissingPolicy::Error,
    ]);
    let style = select(vec![
        IntervalStyle::Brackets,
        IntervalStyle::Brackets,
        IntervalStyle::Dash,
        IntervalStyle::Midpoint,
        IntervalStyle::Bounds,
    ]);
    let rare_values = select(vec![RareValues::Show, RareValues::Show, RareValues::Hide]);
    let table = (sorts, rows, select(vec![0, 0, 3, 8]));
    let methods = (
        prop::collection::vec(any::<Index>(), 3),
        any::<Index>(),
        prop::collection::vec((any::<Index>(), 0..4u32), 0..3),
    );
    let goal =
        (1..6u64, missing, select(vec![0, 0, 5, 30, 60]), prop::option::weighted(0.15, 0..3u32));
    let output = (style, rare_values, any::<[bool; 3]>(), 0..3u64);
    (table, methods, goal, output).prop_map(|(table, methods, goal, output)| Case {
        sorts: table.0,
        rows: table.1,
        missing_share: table.2,
        hierarchies: methods.0,
        method: methods.1,
        models: methods.2,
        k: goal.0,
        missing: goal.1,
        suppress: goal.2,
        cap: goal.3,
        style: output.0,
        rare_values: output.1,
        switches: output.2,
        seed: output.3,
    })
}

/// A model as a job names it, as the second implementation does, and what is asked of it.
struct Model {
    spec: Spec,
    name: &'static str,
    asked: BTreeMap<String, f64>,
}

/// What is asked of a model, by the names of its parameters.
type Asked<'a> = &'a [(&'a str, f64)];

fn model(which: Index, strength: u32) -> Model {
    let l = f64::from(strength) + 1.0;
    let share = 1.0 / l;
    let all: [(&str, String, Asked<'_>); 8] = [
        ("l-diversity", format!("l-diversity:l={l}"), &[("l", l)]),
        ("entropy", format!("l-diversity:kind=entropy,l={l}"), &[("l", l)]),
        ("recursive", format!("l-diversity:kind=recursive,c=2,l={l}"), &[("l", l), ("c", 2.0)]),
        ("p-sensitive", format!("p-sensitive:p={l}"), &[("p", l)]),
        ("alpha-k", format!("alpha-k:alpha={share}"), &[("alpha", share)]),
        ("t-closeness", format!("t-closeness:t={share}"), &[("t", share)]),
        ("beta-likeness", format!("beta-likeness:beta={l}"), &[("beta", l)]),
        ("delta-disclosure", format!("delta-disclosure:delta={l}"), &[("delta", l)]),
    ];
    let (name, spec, asked) = &all[which.index(all.len())];
    let asked = asked.iter().map(|&(name, number)| (name.to_owned(), number)).collect();
    Model { spec: spec.parse().unwrap(), name, asked }
}

/// The methods that build hierarchies of any column without being told more.
fn builders() -> Vec<&'static str> {
    let told_more = ["file", "ordered", "wordnet"];
    let all = hierarchy::all().map(|method| method.name).filter(|name| !told_more.contains(name));
    ["auto"].into_iter().chain(all).collect()
}

impl Case {
    fn quasi(&self) -> Vec<String> {
        (0..self.sorts.len()).map(|place| format!("q{place}")).collect()
    }

    /// Writes the table: a number that tells records apart, the quasi-identifiers, a secret, a note.
    fn write(&self, path: &Path) {
        let mut writer = csv::Writer::from_path(path).unwrap();
        let mut header = vec!["id".to_owned()];
        header.extend(self.quasi());
        header.extend(["s".to_owned(), "note".to_owned()]);
        writer.write_record(&header).unwrap();
        for (place, random) in self.rows.iter().enumerate() {
            let mut row = vec![place.to_string()];
            for (&sort, &random) in self.sorts.iter().zip(random) {
                let is_missing = random >> 8 & 31 < self.missing_share;
                row.push(if is_missing { String::new() } else { sort.value(random, place) });
            }
            row.push(Sort::Word.value(random[3] % 4, place));
            row.push(Sort::Odd.value(random[4], place));
            writer.write_record(&row).unwrap();
        }
        writer.flush().unwrap();
    }

    /// The hierarchy of each quasi-identifier: a random one that its values allow.
    fn hierarchy(&self, input: &Path) -> BTreeMap<String, Spec> {
        let source = Source::open(input, Some(b',')).unwrap();
        let encoding = Encoding { missing: self.missing, ..Encoding::default() };
        let options = ReadOptions { encoding, ..ReadOptions::default() };
        let Ok(table) = source.read(&self.quasi(), &options, &Silent) else {
            return BTreeMap::new();
        };
        let builders = builders();
        let columns = table.columns().iter().zip(&self.hierarchies);
        let specs = columns.map(|(column, which)| {
            let spec = Spec::named(builders[which.index(builders.len())]);
            let fits = spec.name == "auto" || hierarchy::build(&spec, column, Some(self.k)).is_ok();
            let spec = if fits { spec } else { Spec::named("auto") };
            (column.name.clone(), spec)
        });
        specs.collect()
    }

    fn job(&self, input: &Path, output: &Path) -> Job {
        let methods: Vec<&str> =
            ["auto"].into_iter().chain(anonymize::ALL.iter().map(|method| method.name)).collect();
        let method = quick::spec(methods[self.method.index(methods.len())]);
        let owns_hierarchy = method.name == "traversal";
        let cap = self.cap.map(|level| ("q0".to_owned(), vec![format!("level:{level}")]));
        let [drop_suppressed, spreadsheet_safe, has_class] = self.switches;
        Job {
            sensitive: vec!["s".to_owned()],
            class: has_class.then(|| "note".to_owned()),
            privacy: self.models().into_iter().map(|model| model.spec).collect(),
            suppress: format!("{}%", self.suppress).parse().unwrap(),
            limit: cap.into_iter().collect(),
            hierarchy: if owns_hierarchy { BTreeMap::new() } else { self.hierarchy(input) },
            method,
            missing: self.missing,
            interval_style: self.style,
            rare_values: self.rare_values,
            drop_suppressed,
            spreadsheet_safe,
            force_labels: true,
            keep_order: true,
            force: true,
            seed: self.seed,
            threads: 1,
            ..Job::new(input.to_owned(), output.to_owned(), self.quasi(), self.k)
        }
    }

    fn models(&self) -> Vec<Model> {
        self.models.iter().map(|&(which, strength)| model(which, strength)).collect()
    }

    /// Whether two attributes are published in columns of bounds.
    fn has_text_cells(&self) -> bool {
        matches!(self.style, IntervalStyle::Brackets)
    }
}

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
    let table = source.read(&[name], &options, &Silent).ok()?;
    match hierarchy::build(&spec, &table.columns()[0], Some(case.k)).ok()? {
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
    let has_all = |row: &Vec<String>| {
        case.missing != MissingPolicy::Drop
            || row[1..=case.sorts.len()].iter().all(|c| !c.is_empty())
    };
    let kept = table.rows.iter().filter(|row| has_all(row)).count();
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
        for (id, cell) in ids.iter().zip(after) {
            let (value, cell) =
                (before[id.parse::<usize>().unwrap()], plain(cell, case.switches[1]));
            let n_alike = before.iter().filter(|other| **other == value).count() as u64;
            let is_rare = n_alike < case.k;
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
                    let kept = before.iter().filter(|other| **other == spelled).count() as u64;
                    prop_assert!(kept == 0 || kept >= case.k, "{spelled} in {}", what());
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
    let has_all = |row: &&Vec<String>| {
        case.missing != MissingPolicy::Drop
            || row[1..=case.sorts.len()].iter().all(|c| !c.is_empty())
    };
    let all: Vec<&str> =
        table.rows.iter().filter(has_all).map(|row| row[case.sorts.len() + 1].as_str()).collect();
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
