//! How the time of hierarchy methods grows with the number of distinct values. Whole trees are
//! built, including labels.
//!
//! `cargo run --release --example growth` times each once, up to ten million values.

mod columns;

use columns::{METHODS, column, spec};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hedgerow::builder;

fn builders(c: &mut Criterion) {
    let order = tempfile::NamedTempFile::new().expect("there is room for an order");
    let mut group = c.benchmark_group("hierarchy");
    group.sample_size(10);
    for n_values in [1_000, 100_000, 1_000_000] {
        group.throughput(Throughput::Elements(n_values as u64));
        for &(method, kind) in METHODS {
            let column = column(n_values, kind);
            let spec = spec(method, &column, order.path()).expect("methods are known");
            group.bench_function(BenchmarkId::new(method, n_values), |b| {
                b.iter(|| builder::build(&spec, &column, None).expect("the column fits"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, builders);
criterion_main!(benches);
