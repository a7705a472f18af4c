//! Reads a table and counts the cohorts of some columns, timed: `FILE COLUMN,... [THREADS]`.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::path::Path;
use std::time::Instant;

use hedgerow::io::{ReadOptions, Source};
use hedgerow::progress::Silent;
use hedgerow::table::Columns;

fn main() -> hedgerow::Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(columns)) = (args.next(), args.next()) else {
        println!("usage: count_cohorts FILE COLUMN,... [THREADS]");
        return Ok(());
    };
    let threads = args.next().and_then(|threads| threads.parse().ok()).unwrap_or(2);
    let columns = Columns::quasi(&columns.split(',').collect::<Vec<_>>());
    let start = Instant::now();
    let source = Source::open(Path::new(&path), None)?;
    let options = ReadOptions { threads, ..ReadOptions::default() };
    let table = source.read(&columns, &options, &Silent)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} cohorts of {} records in {seconds:.3} s, {:.0} MB/s",
        table.cohorts().len(),
        table.n_rows(),
        source.n_bytes() as f64 / 1e6 / seconds
    );
    Ok(())
}
