//! How the time of hierarchy methods grows with the number of distinct values. Whole trees are
//! built, including labels. Also how long it takes to read trees that were written.
//!
//! `cargo run --release --example growth` times each once, up to ten million values.

mod columns;

use columns::{METHODS, column, spec};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hedgerow::builder;
use hedgerow::format::Format;

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

/// A tree of 100,000 leaves and five more levels as ARX writes it, of numbers, codes or words.
fn readers(c: &mut Criterion) {
    let number = |i: u32, power: u32| {
        let first = i / 10_u32.pow(power) * 10_u32.pow(power);
        format!("[{first}, {}]", first + 10_u32.pow(power) - 1)
    };
    let code = |i: u32, power: u32| {
        let (all, n_shown) = (format!("{i:05}"), 5 - power as usize);
        format!("{}{}", &all[..n_shown], "*".repeat(5 - n_shown))
    };
    let word = |i: u32, power: u32| format!("word {power} {}", i / 10_u32.pow(power));
    let line = |i: u32, value: String, label: &dyn Fn(u32, u32) -> String| {
        let above: Vec<String> = (1..5).map(|power| label(i, power)).collect();
        format!("{value};{};*\n", above.join(";"))
    };
    let numbers = |i: u32| line(i, i.to_string(), &number);
    let codes = |i: u32| line(i, code(i, 0), &code);
    let words = |i: u32| line(i, word(i, 0), &word);
    let kinds: [(&str, &dyn Fn(u32) -> String); 3] =
        [("numbers", &numbers), ("codes", &codes), ("words", &words)];
    let arx = Format::named("arx").expect("the format is known");
    let mut group = c.benchmark_group("read");
    group.sample_size(10);
    for (name, line) in kinds {
        let text: String = (0..100_000).map(line).collect();
        group.bench_function(name, |b| b.iter(|| arx.read(&text, None).expect("it is a tree")));
    }
    group.finish();
}

criterion_group!(benches, builders, readers);
criterion_main!(benches);
