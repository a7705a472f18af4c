//! Time of bottom-up as tables grow: the experiment of [Wang2004], figure 4.
//!
//! `cargo run --release -p hedgerow --example bottom_up -- data docs/book/src/notes` prints the times and draws them.

#[path = "../benches/income/mod.rs"]
mod income;

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hedgerow::anonymize;
use hedgerow::chart::{Plot, Series};
use hedgerow::generate::Generator;
use hedgerow::io::{Inputs, Output, ReadOptions, Source};
use hedgerow::progress::Silent;
use hedgerow::table::{Columns, Table};
use income::{COLUMNS, problem};

/// The largest setting of the paper; each panel varies one of its three numbers.
const SIGMA: u64 = 30;
const K: u64 = 150;
const RHO: usize = 3;

const SEARCHES: [&str; 2] = ["index", "pruning"];

fn main() -> Result<(), Box<dyn Error>> {
    let [data, out] = std::env::args()
        .skip(1)
        .map(PathBuf::from)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "name the folder of the data and the folder for the plots")?;
    let mut text = std::io::stdout().lock();
    let mut panel = |name: &str,
                     settings: &[(u64, u64, u64, usize)]|
     -> Result<(), Box<dyn Error>> {
        let mut series = SEARCHES.map(|name| Series { name: name.to_owned(), ..Series::default() });
        let mut known: Option<(u64, usize, Table)> = None;
        for &(x, sigma, k, rho) in settings {
            let table = match known.take() {
                Some((s, r, table)) if (s, r) == (sigma, rho) => table,
                _ => enlarged(&data, sigma, rho)?,
            };
            for (search, series) in SEARCHES.iter().zip(&mut series) {
                let (seconds, note) = time(&data, &table, k, search)?;
                writeln!(
                    text,
                    "sigma {sigma:>2}  K {k:>3}  rho {rho}  {search:<8} {seconds:>7.3} s  {note}"
                )?;
                series.points.push((x as f64, seconds, format!("{x}: {seconds:.3} s")));
                series.line.push((x as f64, seconds));
            }
            known = Some((sigma, rho, table));
        }
        let title = format!("bottom-up on Adult enlarged: seconds against {name}");
        let (x, y) = (name.to_owned(), "seconds of the search".to_owned());
        let plot =
            Plot { title, x, is_linear: true, y, series: series.to_vec(), ..Plot::default() };
        Ok(std::fs::write(out.join(format!("bottom-up-{name}.svg")), plot.svg().standalone())?)
    };
    panel("sigma", &[5, 10, 15, 20, 25, 30].map(|sigma| (sigma, sigma, K, RHO)))?;
    panel("k", &[10, 50, 100, 150, 200].map(|k| (k, SIGMA, k, RHO)))?;
    panel("rho", &[1, 2, 3, 4, 5].map(|rho| (rho, SIGMA, K, rho as usize)))
}

/// Returns Adult, enlarged with variations of its records.
fn enlarged(data: &Path, sigma: u64, rho: usize) -> Result<Table, Box<dyn Error>> {
    let columns = COLUMNS.map(str::to_owned);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("enlarged.csv");
    let generator = Generator { columns: columns[..7].to_vec(), sigma, rho, seed: 0 };
    let mut output = Output::create(&path, false, &Inputs::default())?;
    generator.write(&Source::open(&data.join("adult.csv"), None)?, &mut output, &Silent)?;
    output.finish()?;
    let options = ReadOptions { threads: 2, ..ReadOptions::default() };
    let columns = Columns::quasi(&columns[..7]).and_beside(&columns[7..]);
    Ok(Source::open(&path, None)?.read(&columns, &options, &Silent)?)
}

/// Returns the seconds of a search, and its result.
fn time(data: &Path, table: &Table, k: u64, search: &str) -> Result<(f64, String), Box<dyn Error>> {
    let problem = problem(table, data, k)?;
    let anonymizer = anonymize::from_spec(&format!("bottom-up:search={search}").parse()?)?;
    let (start, busy) = (Instant::now(), busy_seconds());
    let recoding = anonymizer.propose(&problem, &Silent)?;
    let seconds = match (busy, busy_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed().as_secs_f64(),
    };
    Ok((seconds, recoding.notes[0].clone()))
}

/// Returns the CPU time of this thread if the system reports it (Linux). Unlike elapsed time, it
/// does not depend on other processes.
fn busy_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}
