//! Full-domain methods on Adult's training part: eight quasi-identifiers, the shipped hierarchies.

use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize;
use hedgerow::builder::{File, HierarchyBuilder};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::table::{Columns, Table};

const QUASI: [&str; 8] = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
];

/// Number of records in the training part of UCI, which comes first.
const N_TRAINING: usize = 30_162;

fn data() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

fn training_part() -> Table {
    let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
    let source = Source::open(&data().join("adult.csv"), None).expect("Adult is shipped");
    let all = source.read(&Columns::quasi(&QUASI), &options, &Silent).expect("Adult is sound");
    let mut counts = vec![0; all.cohorts().len()];
    let rows = all.rows().expect("rows were kept").iter().take(N_TRAINING);
    rows.flatten().for_each(|cohort| counts[cohort.index()] += 1);
    all.with(all.cohorts().all().zip(counts).filter(|&(_, count)| count > 0))
}

fn problem(table: &Table, percent: u64) -> Problem {
    let built = table.columns().iter().map(|column| {
        let path = data().join(format!("hierarchies/{}.csv", column.name));
        File { path }.build(column)
    });
    let built = built.collect::<Result<_, _>>().expect("the hierarchies have every value");
    let most_suppressed = table.cohorts().n_records() * percent / 100;
    let limits = Limits { most_suppressed, ..Limits::default() };
    let model = KAnonymity::new(5).expect("5 is positive");
    Problem::with_limits(table, built, vec![Box::new(model)], limits).expect("Adult is large")
}

fn searches(c: &mut Criterion) {
    let table = training_part();
    let mut group = c.benchmark_group("full-domain");
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    let optimal = [0, 5, 100].map(|percent| ("optimal", percent));
    let others = ["optimal:loss=dm", "local", "incognito", "samarati", "datafly"];
    for (name, percent) in optimal.into_iter().chain(others.map(|name| (name, 5))) {
        let problem = problem(&table, percent);
        let method = name.parse().expect("this is a method");
        let method = anonymize::from_spec(&method).expect("there is such a method");
        group.bench_function(BenchmarkId::new(name, format!("{percent}%")), |b| {
            b.iter(|| method.propose(&problem, &Silent).expect("a node is private"));
        });
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
