//! The searches of hedge and k-member on Adult, to compare them within one run.

mod numbers;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize::{Anonymizer, Hedge, KMember};
use hedgerow::progress::Silent;
use numbers::{adult, problem};

fn searches(c: &mut Criterion) {
    let table = adult();
    let methods: [(&str, Box<dyn Anonymizer>); 2] =
        [("hedge", Box::new(Hedge::default())), ("k-member", Box::new(KMember::default()))];
    let mut group = c.benchmark_group("hedge");
    group.sample_size(10);
    for k in [2, 5, 20] {
        let problem = problem(&table, "iotf", k);
        for (name, method) in &methods {
            group.bench_function(BenchmarkId::new(*name, format!("k={k}")), |b| {
                b.iter(|| method.propose(&problem, &Silent).expect("a partition exists"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
