//! The population that a table is a sample of.

use std::path::PathBuf;

use hedgerow::Result;
use hedgerow::io::ReadOptions;
use hedgerow::population::Population;
use hedgerow::schema;
use hedgerow::table::{Column, Columns, Encoding, Table};

use crate::args::ReadArgs;
use crate::console::Console;

/// Reads the population, if its file is named, in the way the original was read.
pub(super) fn read(
    path: Option<&PathBuf>,
    original: &Table,
    args: &ReadArgs,
    console: &Console,
) -> Result<Option<Population>> {
    let Some(path) = path else { return Ok(None) };
    let source = args.file.open_one(path)?;
    let columns: Vec<&Column> = original.columns().iter().collect();
    let quasi: Vec<&String> = columns.iter().map(|column| &column.name).collect();
    for name in &quasi {
        schema::find(source.header(), name).map_err(|error| error.in_file(path))?;
    }
    // The same text must mean the same value in both tables.
    let encoding = Encoding { missing: original.missing(), ..Encoding::like(&columns, &args.na) };
    let options = ReadOptions { encoding, threads: args.file.threads(), ..ReadOptions::default() };
    let table = source.read(&Columns::quasi(&quasi), &options, console);
    Ok(Some(Population::new(table.map_err(|error| error.in_file(path))?)))
}
