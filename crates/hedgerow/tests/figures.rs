//! What a run says it lost is what anybody can compute from the files: random tables of every kind of
//! column, random jobs, and the same figures from both.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod cases;

use std::collections::BTreeMap;
use std::path::Path;

use cases::cases;
use hedgerow::Error;
use hedgerow::hierarchy::format::{self, Format};
use hedgerow::hierarchy::{self, Generalization, Hierarchy};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::{self, Job, ReleaseColumns};
use hedgerow::measure;
use hedgerow::method::Spec;
use hedgerow::progress::Silent;
use hedgerow::release::IntervalStyle;
use hedgerow::table::{Encoding, MissingPolicy, Table};
use proptest::prelude::*;
use proptest::sample::select;

/// Methods of every sort: local, global, full-domain, by cells.
const METHODS: [&str; 10] = [
    "hedge",
    "k-member",
    "mondrian",
    "optimal",
    "local",
    "datafly",
    "top-down",
    "bottom-up",
    "mu-argus:max-comb=2",
    "optimal:loss=precision",
];

/// Words that a careless reader takes for something else.
const WORDS: [&str; 16] = [
    "nurse",
    "cook",
    "smith, black",
    "say \"x\"",
    "two\nlines",
    "{a, b}",
    "a",
    "b",
    " b",
    "*",
    "**",
    "[1, 2]",
    "1-2",
    "Other",
    "2024",
    "é",
];

/// A column: its cells, an empty one where a value is missing, and which builder it gets.
#[derive(Debug, Clone)]
struct RandomColumn {
    cells: Vec<String>,
    builder: usize,
    /// Whether the job is given the hierarchy as a file, and of which format.
    format: Option<&'static str>,
}

/// A job with its table.
#[derive(Debug, Clone)]
struct RandomJob {
    columns: Vec<RandomColumn>,
    class: Option<Vec<String>>,
    k: u64,
    method: &'static str,
    missing: MissingPolicy,
    suppress: &'static str,
    drop_suppressed: bool,
    style: IntervalStyle,
}

fn value(kind: usize) -> BoxedStrategy<String> {
    let date = (2019..2026i32, 1..13u32, 1..29u32);
    match kind {
        0 => (-20..60i32).prop_map(|x| x.to_string()).boxed(),
        1 => (-9999..99999i32).prop_map(|x| format!("{:.2}", f64::from(x) / 100.0)).boxed(),
        2 => prop_oneof![
            (0..50i32).prop_map(|x| x.to_string()),
            (0..50i32).prop_map(|x| format!("{x}.5")),
            (0..9i32).prop_map(|x| format!("{x}e3")),
        ]
        .boxed(),
        3 => date.prop_map(|(y, m, d)| format!("{y}-{m:02}-{d:02}")).boxed(),
        4 => date.prop_map(|(y, m, d)| format!("{d:02}.{m:02}.{y}")).boxed(),
        5 => (date, 0..24u32, 0..60u32)
            .prop_map(|((_, m, d), h, s)| format!("2024-{:02}-{d:02}T{h:02}:{s:02}:00", m % 3 + 1))
            .boxed(),
        6 => (0..400u32).prop_map(|x| format!("{x:05}")).boxed(),
        _ => select(&WORDS[..]).prop_map(str::to_owned).boxed(),
    }
}

fn column(n_rows: usize) -> impl Strategy<Value = RandomColumn> {
    let pool = (0..8usize).prop_flat_map(|kind| {
        let size = prop_oneof![1 => 1..2usize, 2 => 2..4usize, 4 => 3..40usize];
        size.prop_flat_map(move |size| prop::collection::vec(value(kind), size))
    });
    let missing = prop_oneof![Just(0), 1..4u32];
    let picks = prop::collection::vec((any::<prop::sample::Index>(), 0..20u32), n_rows);
    let format = prop_oneof![3 => Just(None), 1 => select(vec![Some("json"), Some("csv")])];
    (pool, missing, picks, any::<usize>(), format).prop_map(
        |(pool, missing, picks, builder, format)| {
            let cell = |(pick, luck): (prop::sample::Index, u32)| {
                if luck < missing { String::new() } else { pick.get(&pool).clone() }
            };
            RandomColumn { cells: picks.into_iter().map(cell).collect(), builder, format }
        },
    )
}

fn random_job() -> impl Strategy<Value = RandomJob> {
    let columns = (5..40usize, 1..4usize).prop_flat_map(|(n_rows, n_columns)| {
        let class = prop::collection::vec(select(vec!["yes", "no", "", "NA"]), n_rows);
        (prop::collection::vec(column(n_rows), n_columns), prop::option::of(class))
    });
    let missing = select(vec![
        MissingPolicy::Own,
        MissingPolicy::Own,
        MissingPolicy::Wildcard,
        MissingPolicy::Drop,
    ]);
    let suppress = select(vec!["0%", "0%", "10%", "50%", "100%"]);
    let style = select(vec![IntervalStyle::Brackets, IntervalStyle::Dash]);
    let options = (1..8u64, select(&METHODS[..]), missing, suppress, any::<bool>(), style);
    (columns, options).prop_map(
        |((columns, class), (k, method, missing, suppress, drop_suppressed, style))| RandomJob {
            columns,
            class: class.map(|class| class.into_iter().map(str::to_owned).collect()),
            k,
            method,
            missing,
            suppress,
            drop_suppressed,
            style,
        },
    )
}

impl RandomJob {
    fn quasi(&self) -> Vec<String> {
        (0..self.columns.len()).map(|place| format!("q{place}")).collect()
    }

    /// The table with every field in quotes.
    fn csv(&self) -> String {
        let mut header = self.quasi();
        header.extend(self.class.iter().map(|_| "class".to_owned()));
        let columns = self.columns.iter().map(|column| &column.cells).chain(&self.class);
        let columns: Vec<&Vec<String>> = columns.collect();
        let rows = (0..columns[0].len())
            .map(|row| columns.iter().map(|column| column[row].clone()).collect());
        let quoted = |fields: Vec<String>| {
            let fields = fields.iter().map(|field| format!("\"{}\"", field.replace('"', "\"\"")));
            fields.collect::<Vec<_>>().join(",") + "\n"
        };
        std::iter::once(header).chain(rows).map(quoted).collect()
    }

    fn job(&self, folder: &Path) -> Job {
        let (input, output) = (folder.join("table.csv"), folder.join("release.csv"));
        let mut job = Job::new(input, output, self.quasi(), self.k);
        job.method = self.method.parse().unwrap();
        if let Some((method, loss)) = self.method.split_once(":loss=") {
            (job.method, job.loss) = (Spec::named(method), Some(loss.to_owned()));
        }
        job.missing = self.missing;
        job.na = vec!["NA".into()];
        job.class = self.class.as_ref().map(|_| "class".to_owned());
        job.suppress = self.suppress.parse().unwrap();
        job.drop_suppressed = self.drop_suppressed;
        job.interval_style = self.style;
        job.delimiter = Some(',');
        job
    }
}

/// The table as both a job and a measurement read it.
fn original(job: &Job) -> Table {
    let beside: Vec<String> = job.class.iter().cloned().collect();
    let options = ReadOptions { encoding: encoding(job), threads: 1, ..ReadOptions::default() };
    let source = Source::open(&job.input, Some(b',')).unwrap();
    source.read(&[job.quasi.clone(), beside].concat(), &options, &Silent).unwrap()
}

fn encoding(job: &Job) -> Encoding {
    let n_beside = usize::from(job.class.is_some());
    let (na, date_formats) = (job.na.clone(), job.date_format.clone());
    Encoding { missing: job.missing, na, date_formats, n_beside, ..Encoding::default() }
}

/// What the files of a job say was lost; `trees` are the hierarchies in their files.
fn measured(job: &Job, trees: &BTreeMap<String, Hierarchy>) -> BTreeMap<&'static str, f64> {
    let source = Source::open(&job.output, Some(b',')).unwrap();
    let beside: Vec<String> = job.class.iter().cloned().collect();
    let columns = ReleaseColumns { quasi: &job.quasi, beside: &beside };
    let encoding = Encoding { missing: MissingPolicy::Own, ..encoding(job) };
    let release = job::read_release(&source, columns, (&encoding, 1), &Silent).unwrap();
    measure::partition(&original(job), &release, trees, Some(job.k)).unwrap().losses()
}

/// A hierarchy that a builder makes of a column, or `free` where it makes none.
fn built(table: &Table, place: usize, random: &RandomJob) -> (Spec, Generalization) {
    let names: Vec<&str> = hierarchy::all()
        .map(|method| method.name)
        .filter(|name| !["file", "wordnet"].contains(name))
        .collect();
    let column = &table.columns()[place];
    let free = Spec::named("free");
    let first = random.columns[place].builder % names.len();
    let fitting = (0..names.len()).find_map(|next| {
        let spec = Spec::named(names[(first + next) % names.len()]);
        Some((hierarchy::build(&spec, column, Some(random.k)).ok()?, spec))
    });
    fitting.map_or_else(
        || (free.clone(), hierarchy::build(&free, column, None).unwrap()),
        |(built, spec)| (spec, built),
    )
}

/// What a run and its files say was lost, and what was published by which hierarchies.
struct Both {
    of_run: BTreeMap<&'static str, f64>,
    measured: BTreeMap<&'static str, f64>,
    told: String,
}

/// Runs a job and measures its release; none if the job is refused.
fn both(random: &RandomJob) -> Option<Both> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("table.csv"), random.csv()).unwrap();
    let mut job = random.job(folder);
    let table = original(&job);
    let mut trees = BTreeMap::new();
    let mut has_levels_only = false;
    for (place, (name, column)) in random.quasi().iter().zip(&random.columns).enumerate() {
        let (spec, built) = built(&table, place, random);
        job.hierarchy.insert(name.clone(), spec);
        has_levels_only |= matches!(built, Generalization::Levels(_));
        let Generalization::Tree(tree) = built else { continue };
        let column_read = &table.columns()[place];
        let write = |format: &str| {
            let path = folder.join(format!("{name}.{format}"));
            let format = Format::of_path(&path).unwrap();
            std::fs::write(&path, format.encode(&tree, false).ok()?.bytes).unwrap();
            let read = format::read_file_of(&path, column_read).unwrap();
            read.ground().bind(&column_read.domain).ok().map(|_| (path, read))
        };
        let given = column.format.and_then(write);
        if let Some((path, _)) = &given {
            job.hierarchy.insert(name.clone(), path.to_str().unwrap().parse().unwrap());
        }
        let (_, tree) = given.or_else(|| write("json")).unwrap();
        trees.insert(name.clone(), tree);
    }
    let outcome = match job::run(&job, &Silent) {
        Ok(outcome) => outcome,
        Err(Error::Internal(message)) => panic!("{message}"),
        Err(_) => return None,
    };
    let mut of_run = outcome.release_loss;
    if has_levels_only {
        // Levels that do not nest have no file, so a measurement does not know them.
        of_run.remove("precision");
        of_run.remove("distortion");
    }
    let release = std::fs::read_to_string(&job.output).unwrap();
    let told = format!("{:?}\n{release}", job.hierarchy);
    Some(Both { of_run, measured: measured(&job, &trees), told })
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_run_loses_what_its_files_say(random in random_job()) {
        let Some(Both { of_run, measured, told }) = both(&random) else { return Ok(()) };
        let names = |losses: &BTreeMap<&'static str, f64>| losses.keys().copied().collect::<Vec<_>>();
        prop_assert_eq!(names(&of_run), names(&measured), "{}", told);
        for (name, wanted) in of_run {
            let found = measured[name];
            let difference = (found - wanted).abs();
            let is_same = difference < 1e-9 * wanted.max(1.0);
            prop_assert!(is_same, "{name}: {wanted}, measured {found}\n{told}");
        }
    }
}

/// A job on a table of one column, with a hierarchy.
struct Example {
    folder: tempfile::TempDir,
    job: Job,
}

impl Example {
    fn new(cells: &[&str], k: u64, hierarchy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("table.csv"), folder.path().join("release.csv"));
        let rows: String = cells.iter().map(|cell| format!("\"{cell}\"\n")).collect();
        std::fs::write(&input, format!("x\n{rows}")).unwrap();
        let mut job = Job::new(input, output, vec!["x".into()], k);
        job.hierarchy.insert("x".into(), hierarchy.parse().unwrap());
        job.method = Spec::named("k-member");
        job.delimiter = Some(',');
        Self { folder, job }
    }

    /// With a hierarchy from a file.
    fn of_file(cells: &[&str], k: u64, name: &str, text: &str) -> Self {
        let mut example = Self::new(cells, k, "free");
        let path = example.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        example.job.hierarchy.insert("x".into(), path.to_str().unwrap().parse().unwrap());
        example
    }

    fn with(mut self, change: impl Fn(&mut Job)) -> Self {
        change(&mut self.job);
        self
    }

    fn shown(&self) -> String {
        std::fs::read_to_string(&self.job.output).unwrap()
    }

    /// The losses that both the run and its files say.
    fn losses(&self) -> BTreeMap<&'static str, f64> {
        let outcome = job::run(&self.job, &Silent).unwrap();
        let table = original(&self.job);
        let built =
            hierarchy::build(&self.job.hierarchy["x"], &table.columns()[0], Some(self.job.k));
        let trees = match built.unwrap() {
            Generalization::Tree(tree) => BTreeMap::from([("x".to_owned(), (*tree).clone())]),
            _ => BTreeMap::new(),
        };
        for (name, found) in measured(&self.job, &trees) {
            let wanted = outcome.release_loss[name];
            assert!((found - wanted).abs() < 1e-9, "{name}: {wanted}, measured {found}");
        }
        outcome.release_loss
    }
}

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
}

#[test]
fn identical_records_lose_nothing() {
    let losses = Example::new(&["7"; 7], 3, "iotf").losses();
    for name in ["ntil", "entropy", "distortion", "gcp", "nil1", "nilinf"] {
        near(losses[name], 0.0);
    }
    near(losses["precision"], 1.0);
}

/// The class of `a` and `b` shows `*`, as does one with a missing value: nobody can tell.
#[test]
fn a_star_counts_the_missing_values_that_it_may_stand_for() {
    let tree = "a;*\nb;*\nc;*\nd;*\n";
    let cells = ["a", "b", "c", "d", "", ""];
    let example = Example::of_file(&cells, 2, "x.csv", tree);
    let losses = example.losses();
    assert!(example.shown().contains('*'));
    // Four of six records show `*` for one of six records.
    let all = 6.0 * 6f64.log2() - 2.0;
    near(losses["entropy"], (4.0 * 6f64.log2()) / all);
    near(losses["precision"], 1.0 - 4.0 / 6.0);
    near(losses["distortion"], 4.0 / 6.0);
}

#[test]
fn a_star_is_never_free() {
    let losses = Example::new(&["12", "12", "12", ""], 4, "dbgh").losses();
    near(losses["ntil"], 1.0);
}

/// A tree in a file of every format that holds it.
fn files(tree: &Hierarchy) -> Vec<(String, String)> {
    let file = |format: &Format| {
        let bytes = format.encode(tree, false).ok()?.bytes;
        Some((format!("x.{}", format.extension), String::from_utf8(bytes).unwrap()))
    };
    let files: Vec<_> = format::ALL.iter().filter_map(file).collect();
    assert!(files.len() > 5, "{files:?}");
    files
}

/// The same dates cost the same, whoever keeps the tree.
#[test]
fn dates_of_a_file_cost_what_they_cost_before() {
    let cells = ["2024-02-01", "2024-02-02", "2024-02-05", "2024-02-06"];
    let built = Example::new(&cells, 2, "iotf");
    let losses = built.losses();
    near(losses["ntil"], 0.2);
    let table = original(&built.job);
    let tree = hierarchy::build(&Spec::named("iotf"), &table.columns()[0], None).unwrap();
    for (name, text) in files(tree.hierarchy().unwrap()) {
        near(Example::of_file(&cells, 2, &name, &text).losses()["ntil"], 0.2);
    }
}

/// Which is the day and which the month, the column says.
#[test]
fn dates_of_a_file_are_written_as_those_of_the_column() {
    let cells = ["01/02/2024", "02/02/2024", "05/02/2024", "06/02/2024"];
    let tree = "01/02/2024;early;*\n02/02/2024;early;*\n05/02/2024;late;*\n06/02/2024;late;*\n";
    let example = Example::of_file(&cells, 2, "x.csv", tree);
    let example = example.with(|job| {
        job.date_format.insert("x".into(), "dmy".parse().unwrap());
    });
    near(example.losses()["ntil"], 0.2);
}

/// Groups of the calendar end with their last moment, but not after the last date.
#[test]
fn named_groups_of_dates_end_alike_in_every_file() {
    let cells = ["2024-01-03", "2024-01-05", "2024-02-01", "2024-02-03"];
    let by_calendar = Example::new(&cells, 2, "calendar").losses();
    let table = Table::from_rows(&["x"], &cells.map(|cell| [cell])).unwrap();
    let tree = hierarchy::build(&Spec::named("calendar"), &table.columns()[0], None).unwrap();
    for (name, text) in files(tree.hierarchy().unwrap()) {
        let losses = Example::of_file(&cells, 2, &name, &text).losses();
        near(losses["ntil"], by_calendar["ntil"]);
    }
    let named = "2024-01-03;winter;*\n2024-01-05;winter;*\n2024-02-01;late;*\n2024-02-03;late;*\n";
    near(Example::of_file(&cells, 2, "x.csv", named).losses()["ntil"], 2.0 / 31.0);
}

#[test]
fn a_label_on_two_levels_is_on_the_higher_one() {
    // [1, 6] has [1, 2] below it twice, and [3, 6] with [3, 4] and [5, 6].
    let example = Example::new(&["1", "2", "4", "6"], 2, "cbgh");
    let losses = example.losses();
    assert!(example.shown().contains("[1, 2]"), "{}", example.shown());
    near(losses["precision"], 1.0 - 2.0 / 3.0);
}

/// A value that is spelt `*` says no more than a generalized one.
#[test]
fn a_star_among_words_means_anything() {
    for hierarchy in ["free", "frequency"] {
        let example = Example::new(&["*", "*", "a", "b", "c", "d"], 2, hierarchy);
        let losses = example.losses();
        assert!(losses["ntil"] >= 2.0 / 6.0, "{hierarchy}: {losses:?}");
        let warnings =
            job::run(&example.with(|job| job.force = true).job, &Silent).unwrap().warnings;
        assert!(warnings.iter().any(|warning| warning.contains("the value '*' (row 1")));
    }
}
