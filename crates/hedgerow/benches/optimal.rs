//! Full-domain methods on Adult, with the shipped hierarchies or those in `HEDGEROW_HIERARCHIES`.
//!
//! `optimal` has one id for each setting in which its speed is compared with the version before.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize;
use hedgerow::builder::{self, File, HierarchyBuilder};
use hedgerow::hierarchy::Generalization;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::method::Spec;
use hedgerow::privacy::{self, KAnonymity, Known, PrivacyModel, Secret};
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::table::{Column, Columns, Table};

/// The quasi-identifiers; the last is sensitive where a model needs a sensitive column.
const QUASI: [&str; 9] = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "income",
    "occupation",
];

/// Number of records in the training part of UCI, which comes first.
const N_TRAINING: usize = 30_162;

/// Number of records of a small table.
const N_SMALL: usize = 10_000;

/// One setting of a search.
struct Setting {
    /// Its name, which is the bench id.
    name: &'static str,
    method: &'static str,
    k: u64,
    /// Percentage of the records that may be suppressed.
    percent: u64,
    /// The model besides k-anonymity; occupation is sensitive then.
    model: Option<&'static str>,
    n_records: usize,
}

impl Setting {
    const fn new(name: &'static str, method: &'static str, percent: u64) -> Self {
        Self { name, method, k: 5, percent, model: None, n_records: N_TRAINING }
    }

    const fn k(self, k: u64) -> Self {
        Self { k, ..self }
    }

    const fn of(self, n_records: usize) -> Self {
        Self { n_records, ..self }
    }

    const fn model(self, model: &'static str) -> Self {
        Self { model: Some(model), ..self }
    }
}

/// The settings of `optimal`, one for each row of the comparison.
const OPTIMAL: &[Setting] = &[
    Setting::new("0% k=2", "optimal", 0).k(2),
    Setting::new("0% k=5", "optimal", 0),
    Setting::new("0% k=25", "optimal", 0).k(25),
    Setting::new("0% small", "optimal", 0).of(N_SMALL),
    Setting::new("0% all", "optimal", 0).of(usize::MAX),
    Setting::new("2% k=5", "optimal", 2),
    Setting::new("2% small k=5", "optimal", 2).of(N_SMALL),
    Setting::new("2% small k=25", "optimal", 2).of(N_SMALL).k(25),
    Setting::new("0% l=3", "optimal", 0).model("l-diversity:l=3"),
    Setting::new("2% l=3", "optimal", 2).model("l-diversity:l=3"),
    Setting::new("0% t=0.2", "optimal", 0).model("t-closeness:t=0.2"),
    Setting::new("2% t=0.2", "optimal", 2).model("t-closeness:t=0.2"),
    Setting::new("2% dm", "optimal:loss=dm", 2),
    Setting::new("2% precision", "optimal:loss=precision", 2),
    Setting::new("2% entropy", "optimal:loss=entropy", 2),
    Setting::new("2% c-avg", "optimal:loss=c-avg", 2),
    Setting::new("5%", "optimal", 5),
    Setting::new("100%", "optimal", 100),
];

/// The other full-domain methods.
const OTHERS: &[Setting] = &[
    Setting::new("local", "local", 5),
    Setting::new("incognito", "incognito", 5),
    Setting::new("samarati", "samarati", 5),
    Setting::new("datafly", "datafly", 5),
];

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// The folder of the hierarchies, `COLUMN.csv` each.
fn hierarchies() -> PathBuf {
    let other = std::env::var_os("HEDGEROW_HIERARCHIES");
    other.map_or_else(|| data().join("hierarchies"), PathBuf::from)
}

/// The first records of Adult, with all columns as quasi-identifiers or the last one sensitive.
fn table(n_records: usize, has_sensitive: bool) -> Table {
    let columns = match QUASI.split_last() {
        Some((last, others)) if has_sensitive => Columns::quasi(others).and_beside(&[*last]),
        _ => Columns::quasi(&QUASI),
    };
    let all = std::fs::read_to_string(data().join("adult.csv")).expect("Adult is shipped");
    let first: String = all.split_inclusive('\n').take(n_records.saturating_add(1)).collect();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("first.csv");
    std::fs::write(&path, first).expect("the folder can be written to");
    let source = Source::open(&path, None).expect("this is a table");
    source.read(&columns, &ReadOptions::default(), &Silent).expect("Adult is sound")
}

/// The hierarchy of a column; columns without a file have few values.
fn hierarchy(column: &Column) -> Generalization {
    let path = hierarchies().join(format!("{}.csv", column.name));
    if path.is_file() {
        return File { path }.build(column).expect("the hierarchies have every value");
    }
    builder::build(&Spec::named("frequency"), column, None).expect("every column has frequencies")
}

fn problem(setting: &Setting) -> Problem {
    let table = table(setting.n_records, setting.model.is_some());
    let mut models: Vec<Box<dyn PrivacyModel>> =
        vec![Box::new(KAnonymity::new(setting.k).expect("k is positive"))];
    if let Some(model) = setting.model {
        let secret = Secret::of(&table, "occupation").expect("occupation was read");
        let secrets = [Arc::new(secret)];
        let known = Known { table: &table, secrets: &secrets, has_population: false };
        let spec = model.parse().expect("this is a model");
        models.extend(privacy::from_spec(&spec, &known).expect("occupation suits the model"));
    }
    let built = table.columns().iter().map(hierarchy).collect();
    let most_suppressed = table.cohorts().n_records() * setting.percent / 100;
    let limits = Limits { most_suppressed, ..Limits::default() };
    Problem::with_limits(&table, built, models, limits).expect("Adult is large")
}

fn searches(c: &mut Criterion) {
    for (name, settings) in [("optimal", OPTIMAL), ("full-domain", OTHERS)] {
        let mut group = c.benchmark_group(name);
        group.sample_size(10).measurement_time(Duration::from_secs(2));
        for setting in settings {
            // Reading is left to the moment when a setting is selected.
            let mut prepared = None;
            group.bench_function(BenchmarkId::from_parameter(setting.name), |b| {
                let (method, problem) = prepared.get_or_insert_with(|| {
                    let method = setting.method.parse().expect("this is a method");
                    let method = anonymize::from_spec(&method).expect("there is such a method");
                    (method, problem(setting))
                });
                b.iter(|| problem.solve(&**method, &Silent).expect("a node is private"));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, searches);
criterion_main!(benches);
