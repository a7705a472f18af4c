//! The quality experiment of bottom-up generalization on Adult: `[METHOD ...]`.
//!
//! A decision tree learns from 30,162 generalized records and is tested on 15,060 others, to which
//! the same cuts are applied. Without arguments, bottom-up with its options and top-down.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

#[path = "../benches/income/mod.rs"]
mod income;

use std::path::Path;

use hedgerow::progress::Silent;
use hedgerow::table::{Columns, Encoding, Part, Table};
use hedgerow::{Error, Result};
use hedgerow::{anonymize, classify};
use income::{COLUMNS, problem};

/// Number of training records.
const N_TRAIN: usize = 30_162;

/// Methods that are run if no arguments are given.
const METHODS: [&str; 5] = [
    "bottom-up",
    "bottom-up:metric=lm",
    "bottom-up:partial=true",
    "bottom-up:anneal=5000",
    "top-down",
];

fn main() -> Result<()> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let path = data.join("adult.csv");
    let text = std::fs::read_to_string(&path).map_err(Error::io("read", &path))?;
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let rows: Vec<&str> = lines.collect();
    let train = table(header, &rows[..N_TRAIN])?;
    let test = table(header, &rows[N_TRAIN..])?;
    println!("{:<24}{:>6}{:>9}{:>10}", "method", "k", "classes", "error");
    let mut methods: Vec<String> = std::env::args().skip(1).collect();
    if methods.is_empty() {
        methods = METHODS.map(str::to_owned).to_vec();
    }
    for k in [10, 50, 100, 500] {
        let problem = problem(&train, &data, k)?;
        for (place, method) in methods.iter().enumerate() {
            let found = problem.solve(&*anonymize::from_spec(&method.parse()?)?, &Silent)?;
            let error = classify::recoding(&found, &test)?;
            if (k, place) == (10, 0) {
                println!("{:<39}{:>9.2}%", "no generalization", 100.0 * error.baseline);
                println!("{:<39}{:>9.2}%", "everything is *", 100.0 * error.majority);
            }
            let (n_classes, error) = (found.n_classes(), 100.0 * error.error);
            println!("{method:<24}{k:>6}{n_classes:>9}{error:>9.2}%");
        }
    }
    Ok(())
}

/// Returns the columns of the experiment. No field of Adult contains a comma, so lines are split at
/// commas.
fn table(header: &str, rows: &[&str]) -> Result<Table> {
    let place = |name: &&str| header.split(',').position(|column| column == *name);
    let places: Vec<usize> = COLUMNS.iter().filter_map(place).collect();
    let mut part = Part::default();
    for row in rows {
        let fields: Vec<&[u8]> = row.split(',').map(str::as_bytes).collect();
        part.push(places.iter().map(|&place| fields[place]), false)?;
    }
    let n_quasi = COLUMNS.len() - 1;
    let columns = Columns::quasi(&COLUMNS[..n_quasi]).and_beside(&COLUMNS[n_quasi..]);
    Table::assemble(&columns, vec![part], &Encoding::default())
}
