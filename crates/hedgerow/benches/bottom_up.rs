//! Bottom-up on Adult's seven categories: what pruning saves over trying everything on the index.

use std::path::Path;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize;
use hedgerow::hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::privacy::{KAnonymity, Secret};
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::table::Encoding;

const COLUMNS: [&str; 8] = [
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "income",
];

fn searches(c: &mut Criterion) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let source = Source::open(&data.join("adult.csv"), None).expect("Adult is shipped");
    let encoding = Encoding { n_beside: 1, ..Encoding::default() };
    let options = ReadOptions { encoding, ..ReadOptions::default() };
    let columns = COLUMNS.map(str::to_owned);
    let table = source.read(&columns, &options, &Silent).expect("Adult is sound");
    let built = table.columns().iter().map(|column| {
        let file = data.join("hierarchies").join(format!("{}.csv", column.name));
        let spec = format!("file:path={}", file.display()).parse().expect("a file is a method");
        hierarchy::build(&spec, column, None).expect("the hierarchies are shipped")
    });
    let class = Some(Arc::new(Secret::of(&table, "income").expect("the column was read")));
    let model = KAnonymity::new(150).expect("150 is positive");
    let limits = Limits { class, ..Limits::default() };
    let problem = Problem::with_limits(&table, built.collect(), vec![Box::new(model)], limits);
    let problem = problem.expect("Adult is large");
    let mut group = c.benchmark_group("bottom_up");
    group.sample_size(10);
    for method in ["bottom-up:search=pruning", "bottom-up:search=index", "top-down"] {
        let spec = method.parse().expect("it is written as methods are");
        let anonymizer = anonymize::from_spec(&spec).expect("the method exists");
        group.bench_function(BenchmarkId::new(method, "adult"), |b| {
            b.iter(|| anonymizer.anonymize(&problem, &Silent).expect("a cut exists"));
        });
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
