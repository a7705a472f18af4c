//! hedge's search on Adult, with k-member beside it: compare the two within one run.

use std::path::Path;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize::{Anonymizer, Hedge, KMember};
use hedgerow::hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::method::Spec;
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::Problem;
use hedgerow::progress::Silent;
use hedgerow::table::Table;

const QUASI: [&str; 3] = ["age", "education-num", "hours-per-week"];

fn adult() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/adult.csv");
    let source = Source::open(&path, None).expect("Adult is shipped");
    let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
    source.read(&QUASI.map(str::to_owned), &options, &Silent).expect("Adult is sound")
}

fn problem(table: &Table, k: u64) -> Problem<'_> {
    let spec = Spec::named("iotf");
    let built = table.columns().iter().map(|column| hierarchy::build(&spec, column, None));
    let built = built.collect::<Result<_, _>>().expect("numbers have a hierarchy");
    let model = KAnonymity::new(k).expect("k is positive");
    Problem::new(table, built, vec![Box::new(model)]).expect("Adult has enough records")
}

fn searches(c: &mut Criterion) {
    let table = adult();
    let methods: [(&str, Box<dyn Anonymizer>); 2] =
        [("hedge", Box::new(Hedge::default())), ("k-member", Box::new(KMember::default()))];
    let mut group = c.benchmark_group("hedge");
    group.sample_size(10);
    for k in [2, 5, 20] {
        let problem = problem(&table, k);
        for (name, method) in &methods {
            group.bench_function(BenchmarkId::new(*name, format!("k={k}")), |b| {
                b.iter(|| method.anonymize(&problem, &Silent).expect("a partition exists"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
