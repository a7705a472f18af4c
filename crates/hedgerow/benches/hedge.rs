//! The searches of hedge and k-member on Adult, to compare them within one run, and the bound of
//! their loss.

mod numbers;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize::{Anonymizer, Hedge, KMember};
use hedgerow::certificate::Certificate;
use hedgerow::progress::{Progress, Silent};
use numbers::{adult, problem};

/// Lets a search use two threads.
struct Two;

impl Progress for Two {
    fn threads(&self) -> usize {
        2
    }
}

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
        let before = Hedge { sweeps: 0, ..Hedge::default() };
        group.bench_function(BenchmarkId::new("hedge without sweeps", format!("k={k}")), |b| {
            b.iter(|| before.propose(&problem, &Silent).expect("a partition exists"));
        });
        group.bench_function(BenchmarkId::new("hedge on two threads", format!("k={k}")), |b| {
            b.iter(|| Hedge::default().propose(&problem, &Two).expect("a partition exists"));
        });
    }
    group.finish();
}

fn bounds(c: &mut Criterion) {
    let table = adult();
    let mut group = c.benchmark_group("certificate");
    group.sample_size(10);
    for k in [2, 5, 20] {
        let problem = problem(&table, "iotf", k);
        group.bench_function(BenchmarkId::new("certificate", format!("k={k}")), |b| {
            b.iter(|| {
                Certificate::of(&problem, Certificate::EFFORT, &Silent).expect("nothing is missing")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, searches, bounds);
criterion_main!(benches);
