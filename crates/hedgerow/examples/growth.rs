//! Time of every hierarchy method for a thousand to ten million distinct values, measured once
//! each.
//!
//! `cargo run --release -p hedgerow --example growth -- 1000 100000 1000000 10000000`

#[path = "../benches/columns/mod.rs"]
mod columns;

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use columns::{Kind, METHODS, column, spec};
use hedgerow::builder;

fn main() -> Result<(), Box<dyn Error>> {
    let sizes: Vec<usize> =
        std::env::args().skip(1).map(|n| n.parse()).collect::<Result<_, _>>()?;
    let sizes = if sizes.is_empty() { vec![1_000, 100_000, 1_000_000] } else { sizes };
    let order = tempfile::NamedTempFile::new()?;
    let mut out = std::io::stdout().lock();
    for n_values in sizes {
        for kind in [Kind::Number, Kind::Date, Kind::Code] {
            let column = column(n_values, kind);
            for (method, _) in METHODS.iter().filter(|(_, of_kind)| *of_kind == kind) {
                let spec = spec(method, &column, order.path())?;
                let start = Instant::now();
                let built = builder::build(&spec, &column, None)?;
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
