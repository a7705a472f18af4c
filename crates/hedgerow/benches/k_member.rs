//! k-member's search on Adult: one run, and the grid of the paper's experiment.

mod numbers;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize::{Anonymizer, KMember};
use hedgerow::progress::Silent;
use numbers::{adult, problem};

const SETTINGS: [&str; 4] = ["iotf", "otf", "chu", "free"];

fn one_run(c: &mut Criterion) {
    let table = adult();
    let mut group = c.benchmark_group("k-member");
    group.sample_size(10);
    for setting in SETTINGS {
        let problem = problem(&table, setting, 5);
        group.bench_function(BenchmarkId::new(setting, "k=5"), |b| {
            b.iter(|| KMember::default().propose(&problem, &Silent).expect("a partition exists"));
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
                    KMember::default().propose(&problem, &Silent).expect("a partition exists");
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, one_run, grid);
criterion_main!(benches);
