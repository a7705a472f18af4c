//! Random jobs with their tables.

mod model;
mod sort;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hedgerow::anonymize;
use hedgerow::builder;
use hedgerow::format::{self, Format};
use hedgerow::hierarchy::{Hierarchy, RareValues};
use hedgerow::job::Job;
use hedgerow::method::Spec;
use hedgerow::release::IntervalStyle;
use hedgerow::table::{Column, MissingPolicy};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::remeasure::original;
use crate::{quick, second};
pub(crate) use model::Model;
use sort::{SORTS, Sort};

/// Text of a missing value in some records; others have an empty cell.
const NA: &str = "NA";

/// A random job with its table.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) table: RandomTable,
    pub(crate) methods: Methods,
    pub(crate) goal: Goal,
    pub(crate) output: Output,
}

#[derive(Debug, Clone)]
pub(crate) struct RandomTable {
    columns: Vec<RandomColumn>,
    /// Random numbers for the cells of each record: its quasi-identifiers, two sensitive values and
    /// its note.
    rows: Vec<[u32; 6]>,
    /// How many of 32 cells are missing, on average.
    missing_share: u32,
    pub(crate) missing: MissingPolicy,
}

/// A quasi-identifier.
#[derive(Debug, Clone)]
struct RandomColumn {
    sort: Sort,
    /// Maximum number of distinct values.
    n_values: u32,
    builder: Index,
    /// Format of the file in which the job gets the hierarchy, if it gets one.
    format: Option<&'static str>,
}

#[derive(Debug, Clone)]
pub(crate) struct Methods {
    method: Index,
    /// Loss to minimize, for methods that have the choice.
    loss: Option<&'static str>,
    /// Whether the note is the class column.
    has_class: bool,
    seed: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Goal {
    k: u64,
    models: Vec<(Index, u32)>,
    /// Percentage of the records that may be suppressed.
    suppress: u32,
    /// A column, and the highest level that its values may be generalized to.
    cap: Option<(Index, u32)>,
}

#[derive(Debug, Clone)]
pub(crate) struct Output {
    style: IntervalStyle,
    rare_values: RareValues,
    drop_suppressed: bool,
    spreadsheet_safe: bool,
    force_labels: bool,
    threads: usize,
}

impl std::fmt::Debug for Case {
    /// Writes the table and the job, which are more useful than the random numbers behind them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("t.csv");
        self.write(&input);
        let table = std::fs::read_to_string(&input).unwrap();
        write!(f, "{table}\n{:?}", self.job(&input, Path::new("r.csv")))
    }
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    (table(), methods(), goal(), output()).prop_map(|(table, methods, goal, output)| Case {
        table,
        methods,
        goal,
        output,
    })
}

fn table() -> impl Strategy<Value = RandomTable> {
    let format = prop_oneof![4 => Just(None), 1 => select(vec![Some("json"), Some("csv")])];
    let column = (select(&SORTS[..]), select(vec![2, 5, 12, 40]), any::<Index>(), format);
    let column = column.prop_map(|(sort, n_values, builder, format)| RandomColumn {
        sort,
        n_values,
        builder,
        format,
    });
    let columns = prop::collection::vec(column, 1..=3);
    let rows = prop::collection::vec(any::<[u32; 6]>(), 5..=60);
    let missing = prop_oneof![
        6 => Just(MissingPolicy::Own),
        4 => Just(MissingPolicy::Wildcard),
        4 => Just(MissingPolicy::Drop),
        1 => Just(MissingPolicy::Error),
    ];
    (columns, rows, select(vec![0, 0, 3, 8]), missing).prop_map(
        |(columns, rows, missing_share, missing)| RandomTable {
            columns,
            rows,
            missing_share,
            missing,
        },
    )
}

fn methods() -> impl Strategy<Value = Methods> {
    let loss = prop::option::weighted(0.2, select(vec!["ntil", "precision", "entropy", "dm"]));
    (any::<Index>(), loss, any::<bool>(), 0..3u64)
        .prop_map(|(method, loss, has_class, seed)| Methods { method, loss, has_class, seed })
}

fn goal() -> impl Strategy<Value = Goal> {
    let models = prop::collection::vec((any::<Index>(), 0..4u32), 0..=3);
    let suppress = select(vec![0, 0, 5, 30, 60, 100]);
    let cap = prop::option::weighted(0.15, (any::<Index>(), 0..3u32));
    (1..8u64, models, suppress, cap).prop_map(|(k, models, suppress, cap)| Goal {
        k,
        models,
        suppress,
        cap,
    })
}

fn output() -> impl Strategy<Value = Output> {
    let style = prop_oneof![
        2 => Just(IntervalStyle::Brackets),
        1 => Just(IntervalStyle::Dash),
        1 => Just(IntervalStyle::Midpoint),
        1 => Just(IntervalStyle::Bounds),
    ];
    let rare_values = prop_oneof![2 => Just(RareValues::Show), 1 => Just(RareValues::Hide)];
    (style, rare_values, any::<[bool; 2]>(), prop::bool::weighted(0.9), 1..=2usize).prop_map(
        |(style, rare_values, switches, force_labels, threads)| {
            let [drop_suppressed, spreadsheet_safe] = switches;
            Output { style, rare_values, drop_suppressed, spreadsheet_safe, force_labels, threads }
        },
    )
}

/// Returns the methods that build hierarchies. `auto` replaces those that do not fit a column.
fn builders() -> Vec<&'static str> {
    let all = builder::all().map(|method| method.name).filter(|name| *name != "file");
    ["auto"].into_iter().chain(all).collect()
}

/// Returns the methods, one of them also with a parameter that changes which records are
/// suppressed.
fn anonymizers() -> Vec<&'static str> {
    let all = anonymize::ALL.iter().map(|method| method.name);
    ["auto", "mu-argus:max-comb=2"].into_iter().chain(all).collect()
}

impl Case {
    pub(crate) fn quasi(&self) -> Vec<String> {
        (0..self.table.columns.len()).map(|place| format!("q{place}")).collect()
    }

    /// Writes the table: a unique number, the quasi-identifiers, sensitive values and a note.
    pub(crate) fn write(&self, path: &Path) {
        let mut writer = csv::Writer::from_path(path).unwrap();
        let header =
            [&["id".to_owned()][..], &self.quasi(), &["s", "x", "note"].map(str::to_owned)];
        writer.write_record(header.concat()).unwrap();
        for (place, &random) in self.table.rows.iter().enumerate() {
            let mut row = vec![place.to_string()];
            let columns = self.table.columns.iter().zip(random);
            row.extend(columns.map(|(column, random)| {
                let value = column.sort.value(random % column.n_values, place);
                self.table.cell(random, value)
            }));
            let [_, _, _, s, x, note] = random;
            row.push(self.table.cell(s, Sort::Word.value(s % 4, place)));
            row.push((x % 5 * 10).to_string());
            row.push(self.table.cell(note, Sort::Odd.value(note, place)));
            writer.write_record(&row).unwrap();
        }
        writer.flush().unwrap();
    }

    /// Returns a random hierarchy that the values allow for each quasi-identifier, sometimes as a
    /// file in the folder of the table.
    fn hierarchy(&self, job: &Job) -> BTreeMap<String, Spec> {
        let Ok(table) = original(job) else { return BTreeMap::new() };
        let folder = job.input.parent().unwrap();
        let columns = table.columns().iter().zip(&self.table.columns);
        let specs = columns.map(|(column, random)| {
            let spec = random.hierarchy(column, folder, self.goal.k);
            (column.name.clone(), spec.unwrap_or_else(|| Spec::named("auto")))
        });
        specs.collect()
    }

    pub(crate) fn job(&self, input: &Path, output: &Path) -> Job {
        let Self { table, methods, goal, output: options } = self;
        let anonymizers = anonymizers();
        let method = quick::spec(anonymizers[methods.method.index(anonymizers.len())]);
        let all = anonymize::descriptions();
        let parameter = all.filter(|d| d.name == method.name).find_map(|d| d.parameter("loss"));
        let takes = |loss: &&str| parameter.is_some_and(|p| p.kind.accepts(loss));
        let loss = methods.loss.filter(takes).map(str::to_owned);
        let owns_hierarchy = method.name == "traversal";
        let quasi = self.quasi();
        let cap = goal
            .cap
            .map(|(column, level)| (column.get(&quasi).clone(), vec![format!("level:{level}")]));
        let mut job = Job {
            sensitive: vec!["s".to_owned(), "x".to_owned()],
            class: methods.has_class.then(|| "note".to_owned()),
            privacy: self.models().into_iter().map(|model| model.spec).collect(),
            suppress: format!("{}%", goal.suppress).parse().unwrap(),
            limit: cap.into_iter().collect(),
            method,
            loss,
            missing: table.missing,
            na: vec![NA.to_owned()],
            interval_style: options.style,
            rare_values: options.rare_values,
            drop_suppressed: options.drop_suppressed,
            spreadsheet_safe: options.spreadsheet_safe,
            force_labels: options.force_labels,
            // Values are random, so any column may look unique or agree with another.
            keep_others: true,
            keep_order: true,
            force: true,
            seed: methods.seed,
            threads: options.threads,
            delimiter: Some(','),
            ..Job::new(input.to_owned(), output.to_owned(), quasi.clone(), goal.k)
        };
        job.hierarchy = if owns_hierarchy { BTreeMap::new() } else { self.hierarchy(&job) };
        job
    }

    pub(crate) fn models(&self) -> Vec<Model> {
        self.goal.models.iter().map(|&(which, strength)| Model::new(which, strength)).collect()
    }

    /// Returns the minimum size of a class, over all models.
    pub(crate) fn k(&self) -> u64 {
        let sizes = self.models().into_iter().filter_map(|model| match model.demand {
            second::Demand::Records(k) => Some(k),
            _ => None,
        });
        sizes.fold(self.goal.k, u64::max)
    }
}

impl RandomTable {
    /// Returns the value, or a missing value instead.
    fn cell(&self, random: u32, value: String) -> String {
        let is_missing = random >> 8 & 31 < self.missing_share;
        match random >> 16 & 1 {
            _ if !is_missing => value,
            0 => String::new(),
            _ => NA.to_owned(),
        }
    }
}

impl RandomColumn {
    /// Returns the hierarchy that a random method builds for the column, or `None` if it cannot.
    fn hierarchy(&self, column: &Column, folder: &Path, k: u64) -> Option<Spec> {
        let builders = builders();
        let spec = Spec::named(*self.builder.get(&builders));
        let built = builder::build(&spec, column, Some(k)).ok()?;
        let file = self.format.and_then(|format| saved(built.hierarchy()?, column, folder, format));
        Some(file.map_or(spec, |(path, _)| path.to_str().unwrap().parse().unwrap()))
    }
}

/// Writes a tree of a column to a file whose extension decides the format, and reads it back;
/// `None` if the format cannot represent it.
pub(crate) fn saved(
    tree: &Hierarchy,
    column: &Column,
    folder: &Path,
    format: &str,
) -> Option<(PathBuf, Hierarchy)> {
    let path = folder.join(format!("{}.{format}", column.name));
    let format = Format::of_path(&path).unwrap();
    std::fs::write(&path, format.encode(tree, false).ok()?.bytes).unwrap();
    let read = format::read_file_of(&path, column).unwrap();
    read.ground().bind(&column.domain).ok().map(|_| (path, read))
}
