//! How long every hierarchy method takes for a thousand to ten million distinct values, once each.
//!
//! `cargo run --release -p hedgerow --example growth -- 1000 100000 1000000 10000000`

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use hedgerow::hierarchy;
use hedgerow::method::Spec;
use hedgerow::table::{Column, DateFormat, Domain, Scale, Values};

/// What each method is tried on, with parameters that make sense there.
const METHODS: [(&str, Kind); 19] = [
    ("iotf", Kind::Number),
    ("otf", Kind::Number),
    ("han", Kind::Number),
    ("chu", Kind::Number),
    ("equal-width", Kind::Number),
    ("equal-frequency", Kind::Number),
    ("least-loss", Kind::Number),
    ("cgh", Kind::Number),
    ("dbgh", Kind::Number),
    ("cbgh:width=1000", Kind::Number),
    ("dcht:k=40", Kind::Number),
    ("huffman:k=40", Kind::Number),
    ("bst:k=40", Kind::Number),
    ("avl:k=40", Kind::Number),
    ("calendar", Kind::Date),
    ("calendar:levels=week+year", Kind::Date),
    ("prefix", Kind::Code),
    ("frequency", Kind::Code),
    ("ordered", Kind::Code),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Date,
    Code,
}

fn main() -> Result<(), Box<dyn Error>> {
    let sizes: Vec<usize> =
        std::env::args().skip(1).map(|n| n.parse()).collect::<Result<_, _>>()?;
    let sizes = if sizes.is_empty() { vec![1_000, 100_000, 1_000_000] } else { sizes };
    let order = tempfile::NamedTempFile::new()?;
    let mut out = std::io::stdout().lock();
    for n_values in sizes {
        for kind in [Kind::Number, Kind::Date, Kind::Code] {
            let column = column(n_values, kind);
            if kind == Kind::Code {
                write_order(&order, &column)?;
            }
            for (method, _) in METHODS.iter().filter(|(_, of_kind)| *of_kind == kind) {
                let mut spec: Spec = method.parse()?;
                if spec.name == "ordered" {
                    let path = order.path().to_string_lossy().into_owned();
                    spec.parameters.insert("order-file".into(), path.into());
                }
                let start = Instant::now();
                let built = hierarchy::build(&spec, &column, None)?;
                let seconds = start.elapsed().as_secs_f64();
                drop(built);
                let per_value = seconds / n_values as f64 * 1e9;
                writeln!(
                    out,
                    "{n_values:>9}  {method:<26}  {seconds:>9.4} s  {per_value:>7.0} ns a value"
                )?;
            }
        }
    }
    Ok(())
}

/// Values with uneven gaps and counts, met in no order; the same in every run.
fn column(n_values: usize, kind: Kind) -> Column {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state >> 33
    };
    let mut value = 0;
    let ascending: Vec<i64> = (0..n_values)
        .map(|_| {
            value += 1 + (next() % 1000) as i64;
            value
        })
        .collect();
    let values = match kind {
        Kind::Number => Values::Number(Scale::whole(ascending)),
        Kind::Date => Values::Date(Scale::whole(ascending), DateFormat::ISO),
        Kind::Code => Values::Code(ascending.iter().map(|v| format!("{v:010}").into()).collect()),
    };
    let domain = Domain {
        counts: (0..n_values).map(|_| 1 + next() % 50).collect(),
        first_rows: (0..n_values).map(|place| (place * 7_919 % n_values) as u64).collect(),
        values,
        missing: None,
    };
    Column { name: "x".into(), domain }
}

fn write_order(file: &tempfile::NamedTempFile, column: &Column) -> std::io::Result<()> {
    let values = &column.domain.values;
    let lines: Vec<String> =
        (0..values.len()).map(|code| values.spelling(code).into_owned()).collect();
    std::fs::write(file.path(), lines.join("\n"))
}
