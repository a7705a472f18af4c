//! Every full-domain generalization of Adult's three numbers, with the hierarchies of [Yaseen2018].

mod numbers;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::lattice::Lattice;
use hedgerow::progress::Silent;
use numbers::{adult, problem};

fn all_nodes(c: &mut Criterion) {
    let table = adult();
    let mut group = c.benchmark_group("lattice");
    group.sample_size(10);
    for method in ["cgh", "dbgh", "cbgh", "iotf"] {
        let problem = problem(&table, method, 1);
        group.bench_function(BenchmarkId::new(method, "adult"), |b| {
            b.iter(|| Lattice::evaluate(&problem, &Silent).expect("hierarchies have levels"));
        });
    }
    group.finish();
}

criterion_group!(benches, all_nodes);
criterion_main!(benches);
