//! How hierarchy methods grow with the number of distinct values.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hedgerow::hierarchy::numeric::{Line, NumericBuilder};
use hedgerow::hierarchy::{
    Avl, Bst, Calendar, Chu, EqualFrequency, EqualWidth, Frequency, Han, Hierarchy,
    HierarchyBuilder, Huffman, Iotf, LeastLoss, Leaves, Order, Ordered, Otf, Prefix,
};
use hedgerow::table::{Column, Domain, Scale, Table, Values};

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

/// A column of these values whose first records are in no order, or in that of the values.
fn column(n_values: usize, is_sorted: bool) -> Column {
    let (line, values) = line(n_values);
    // A permutation: the multiplier is prime and divides no size used here.
    let row = |place: usize| if is_sorted { place } else { place * 7_919 % n_values };
    let domain = Domain {
        values: Values::Number(Scale::whole(values)),
        counts: line.counts,
        first_rows: (0..n_values).map(|place| row(place) as u64).collect(),
        missing: None,
    };
    Column { name: "x".into(), domain }
}

/// Generalization sets of 40 records; `bst-sorted` would be quadratic by insertion.
fn traversals(c: &mut Criterion) {
    let (order, k) = (Order::Pre, Some(40));
    let huffman = Huffman { order, k };
    let bst = Bst { order, k, ..Bst::default() };
    let avl = Avl { order, k, ..Avl::default() };
    let methods: [(&str, &dyn HierarchyBuilder, bool); 4] = [
        ("huffman", &huffman, false),
        ("bst", &bst, false),
        ("bst-sorted", &bst, true),
        ("avl", &avl, false),
    ];
    let mut group = c.benchmark_group("hierarchy");
    group.sample_size(10);
    for n_values in [1_000, 100_000, 1_000_000] {
        group.throughput(Throughput::Elements(n_values as u64));
        for (name, method, is_sorted) in methods {
            let column = column(n_values, is_sorted);
            group.bench_function(BenchmarkId::new(name, n_values), |b| {
                b.iter(|| method.build(&column).expect("values have sets"));
            });
        }
    }
    group.finish();
}

/// A column of codes of nine digits, with uneven counts.
fn codes(n_values: usize) -> Column {
    let (line, values) = line(n_values);
    let texts = values.iter().map(|value| format!("{:09}", value % 1_000_000_000).into());
    let mut texts: Vec<Box<str>> = texts.collect();
    texts.sort();
    texts.dedup();
    let domain = Domain {
        counts: line.counts[..texts.len()].to_vec(),
        first_rows: (0..texts.len() as u64).collect(),
        values: Values::Code(texts),
        missing: None,
    };
    Column { name: "code".into(), domain }
}

/// A column of timestamps.
fn moments(n_values: usize) -> Column {
    let (_, values) = line(n_values);
    let moment = |value: &i64| {
        let (day, second) = (value / 86_400, value % 86_400);
        let (year, month, day) = (1900 + day / 336, day / 28 % 12 + 1, day % 28 + 1);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        [format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")]
    };
    let rows: Vec<[String; 1]> = values.iter().map(moment).collect();
    let table = Table::from_rows(&["moment"], &rows).expect("rows have one field");
    table.columns()[0].clone()
}

/// Whole trees of codes and dates, labels included. `HEDGEROW_BENCH_VALUES=10000000` asks for more.
fn columns(c: &mut Criterion) {
    let most = std::env::var("HEDGEROW_BENCH_VALUES").ok().and_then(|n| n.parse().ok());
    let mut group = c.benchmark_group("column");
    group.sample_size(10);
    for n_values in [1_000, 100_000, most.unwrap_or(1_000_000)] {
        let (codes, moments) = (codes(n_values), moments(n_values));
        let spelt = (0..codes.domain.len()).map(|code| codes.domain.values.spelling(code));
        let order = spelt.collect::<Vec<_>>().join("+");
        let ordered = Ordered { order: order.as_str().into(), ..Ordered::default() };
        let methods: [(&str, &Column, &dyn HierarchyBuilder); 4] = [
            ("calendar", &moments, &Calendar::default()),
            ("prefix", &codes, &Prefix::default()),
            ("frequency", &codes, &Frequency::default()),
            ("ordered", &codes, &ordered),
        ];
        group.throughput(Throughput::Elements(n_values as u64));
        for (name, column, method) in methods {
            group.bench_function(BenchmarkId::new(name, n_values), |b| {
                b.iter(|| method.build(column).expect("the column has a hierarchy"));
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

criterion_group!(benches, builders, traversals, columns, ten_million);
criterion_main!(benches);
