//! Columns of any size for every hierarchy method, the same in every run.

use std::io::Result;
use std::path::Path;

use hedgerow::method::Spec;
use hedgerow::table::{Column, DateFormat, Domain, Scale, Values};

/// Kinds of columns that each method is tested on, with suitable parameters.
pub(crate) const METHODS: &[(&str, Kind)] = &[
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
    ("bands:width=1000", Kind::Number),
    ("calendar", Kind::Date),
    ("calendar:levels=week+year", Kind::Date),
    ("prefix", Kind::Code),
    ("frequency", Kind::Code),
    ("ordered", Kind::Code),
    ("country", Kind::Country),
    ("us-state", Kind::State),
    ("icd10", Kind::Diagnosis),
];

/// Kind of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Date,
    Code,
    Country,
    State,
    Diagnosis,
}

/// Returns values with uneven gaps and counts, in shuffled order; the same in every run.
pub(crate) fn column(n_values: usize, kind: Kind) -> Column {
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
        // Spellings that differ in punctuation only are different values of one country or state.
        Kind::Country => Values::Text(spelt(n_values, |i| format!("Chile{}", dots(i)))),
        Kind::State => Values::Text(spelt(n_values, |i| format!("Ohio{}", dots(i)))),
        Kind::Diagnosis => {
            Values::Code(spelt(n_values, |i| format!("I{:02}.{:04}", 20 + i % 6, i / 6 % 10_000)))
        }
    };
    let domain = Domain {
        counts: (0..n_values).map(|_| 1 + next() % 50).collect(),
        first_rows: (0..n_values).map(|place| (place * 7_919 % n_values) as u64).collect(),
        values,
        missing: None,
    };
    Column { name: "x".into(), domain }
}

fn spelt(n_values: usize, spelling: impl Fn(usize) -> String) -> Vec<Box<str>> {
    (0..n_values).map(|i| spelling(i).into()).collect()
}

/// Returns a number in punctuation marks.
fn dots(number: usize) -> String {
    (0..20)
        .filter(|bit| (number >> bit) & 1 == 1)
        .map(|bit| char::from(b"!#$%'()*+,-./:;<=>?@"[bit]))
        .collect()
}

/// Returns a method by its name. A method that needs an order gets that of the values, written to a
/// file.
pub(crate) fn spec(method: &str, column: &Column, order: &Path) -> Result<Spec> {
    let mut spec: Spec = method.parse().map_err(std::io::Error::other)?;
    if spec.name == "ordered" {
        let values = &column.domain.values;
        let lines: Vec<_> = (0..values.len()).map(|code| values.spelling(code)).collect();
        std::fs::write(order, lines.join("\n"))?;
        spec.parameters.insert("order-file".into(), order.to_string_lossy().into_owned().into());
    }
    Ok(spec)
}
