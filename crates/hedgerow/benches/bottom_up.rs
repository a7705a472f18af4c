//! Bottom-up on Adult's seven categories: search with pruning compared with the full index search.

mod income;

use std::path::Path;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::progress::Silent;
use hedgerow::table::Columns;
use income::{COLUMNS, problem};

fn searches(c: &mut Criterion) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let source = Source::open(&data.join("adult.csv"), None).expect("Adult is shipped");
    let (class, quasi) = COLUMNS.split_last().expect("there are columns");
    let columns = Columns::quasi(quasi).and_beside(&[class]);
    let table = source.read(&columns, &ReadOptions::default(), &Silent).expect("Adult is sound");
    let problem = problem(&table, &data, 150).expect("the hierarchies are shipped");
    let mut group = c.benchmark_group("bottom_up");
    group.sample_size(10);
    for method in ["bottom-up:search=pruning", "bottom-up:search=index", "top-down"] {
        let spec = method.parse().expect("it is written as methods are");
        let anonymizer = anonymize::from_spec(&spec).expect("the method exists");
        group.bench_function(BenchmarkId::new(method, "adult"), |b| {
            b.iter(|| anonymizer.propose(&problem, &Silent).expect("a cut exists"));
        });
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
