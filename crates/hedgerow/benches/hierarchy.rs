//! How hierarchy methods grow with the number of distinct values.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hedgerow::hierarchy::numeric::{Line, NumericBuilder};
use hedgerow::hierarchy::{
    Chu, EqualFrequency, EqualWidth, Han, Hierarchy, Iotf, LeastLoss, Leaves, Otf,
};
use hedgerow::table::{Scale, Values};

/// Values with uneven gaps and uneven counts, the same in every run.
fn line(n_values: usize) -> (Line, Vec<i64>) {
    let mut state = 1u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut value = 0;
    let (mut values, mut counts) = (Vec::new(), Vec::new());
    for _ in 0..n_values {
        value += 1 + (next() % 1000) as i64;
        values.push(value);
        counts.push(1 + next() % 50);
    }
    let positions = values.iter().map(|value| (value - values[0]) as f64).collect();
    (Line { positions, counts }, values)
}

fn builders(c: &mut Criterion) {
    let methods: [(&str, Box<dyn NumericBuilder>); 7] = [
        ("iotf", Box::new(Iotf)),
        ("otf", Box::new(Otf::default())),
        ("han", Box::new(Han::default())),
        ("chu", Box::new(Chu::default())),
        ("equal-width", Box::new(EqualWidth::default())),
        ("equal-frequency", Box::new(EqualFrequency::default())),
        ("least-loss", Box::new(LeastLoss::default())),
    ];
    let mut group = c.benchmark_group("hierarchy");
    group.sample_size(10);
    for n_values in [1_000, 100_000, 1_000_000] {
        let (line, _) = line(n_values);
        group.throughput(Throughput::Elements(n_values as u64));
        for (name, method) in &methods {
            group.bench_function(BenchmarkId::new(*name, n_values), |b| {
                b.iter(|| method.ranges(&line).expect("numbers have a hierarchy"));
            });
        }
    }
    group.finish();
}

/// The whole tree of ten million values: merging, layout, and the index for common ancestors.
fn ten_million(c: &mut Criterion) {
    let (line, values) = line(10_000_000);
    let mut group = c.benchmark_group("ten-million");
    group.sample_size(10);
    group.bench_function("iotf", |b| {
        b.iter(|| {
            let leaves = Leaves {
                attribute: "x".into(),
                values: Values::Number(Scale::whole(values.clone())),
                counts: line.counts.clone(),
            };
            let ranges = Iotf.ranges(&line).expect("numbers have a hierarchy");
            Hierarchy::from_ranges(leaves, &ranges).expect("ranges are nested")
        });
    });
    group.finish();
}

criterion_group!(benches, builders, ten_million);
criterion_main!(benches);
