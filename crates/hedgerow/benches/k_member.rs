//! k-member's search on Adult: one run, and the grid of the paper's experiment.

use std::path::Path;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize::{Anonymizer, KMember};
use hedgerow::hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::method::Spec;
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::Problem;
use hedgerow::progress::Silent;
use hedgerow::table::Table;

const QUASI: [&str; 3] = ["age", "education-num", "hours-per-week"];
const SETTINGS: [&str; 4] = ["iotf", "otf", "chu", "free"];

fn adult() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/adult.csv");
    let source = Source::open(&path, None).expect("Adult is shipped");
    let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
    source.read(&QUASI.map(str::to_owned), &options, &Silent).expect("Adult is sound")
}

fn problem<'a>(table: &'a Table, setting: &str, k: u64) -> Problem<'a> {
    let spec = Spec::named(setting);
    let built = table.columns().iter().map(|column| hierarchy::build(&spec, column, None));
    let built = built.collect::<Result<_, _>>().expect("numbers have a hierarchy");
    let model = KAnonymity::new(k).expect("k is positive");
    Problem::new(table, built, vec![Box::new(model)]).expect("Adult has enough records")
}

fn one_run(c: &mut Criterion) {
    let table = adult();
    let mut group = c.benchmark_group("k-member");
    group.sample_size(10);
    for setting in SETTINGS {
        let problem = problem(&table, setting, 5);
        group.bench_function(BenchmarkId::new(setting, "k=5"), |b| {
            b.iter(|| KMember::default().anonymize(&problem, &Silent).expect("a partition exists"));
        });
    }
    group.finish();
}

fn grid(c: &mut Criterion) {
    let table = adult();
    let mut group = c.benchmark_group("k-member-grid");
    group.sample_size(10);
    group.bench_function("k=2..20 x 4 settings", |b| {
        b.iter(|| {
            for setting in SETTINGS {
                for k in 2..=20 {
                    let problem = problem(&table, setting, k);
                    KMember::default().anonymize(&problem, &Silent).expect("a partition exists");
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, one_run, grid);
criterion_main!(benches);
