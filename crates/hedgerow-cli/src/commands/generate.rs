//! `hedgerow generate`: enlarges a table, or generates a table of words.

use anyhow::{Context, Result};
#[cfg(feature = "wordnet")]
use hedgerow::generate::Claims;
use hedgerow::generate::Generator;
use hedgerow::io::{Inputs, Output};
use hedgerow::noun::counted;

use crate::Verdict;
use crate::args::{GenerateArgs, pairs};
use crate::console::{self, Console};

pub(crate) fn run(args: &GenerateArgs) -> Result<Verdict> {
    let n_rows = match args.claims {
        Some(n_rows) => claims(args, n_rows)?,
        None => enlarged(args)?,
    };
    let records = counted(n_rows, "record");
    console::report(&format!("{records} written to {}\n", args.output.display()));
    Ok(Verdict::Fine)
}

#[cfg(feature = "wordnet")]
fn claims(args: &GenerateArgs, n_rows: u64) -> Result<u64> {
    let mut output = Output::create_table(&args.output, args.force, &Inputs::default())?;
    Claims { n_rows, seed: args.seed }.write(&mut output, &Console::new(false))?;
    output.finish()?;
    Ok(n_rows)
}

#[cfg(not(feature = "wordnet"))]
fn claims(_args: &GenerateArgs, _n_rows: u64) -> Result<u64> {
    Err(hedgerow::Error::absent("--claims", "wordnet").into())
}

fn enlarged(args: &GenerateArgs) -> Result<u64> {
    let table = args.table.as_ref().context("no table was given")?;
    let source = args.file.open(table)?;
    let hierarchies = pairs(&args.hierarchies)?;
    // None of these may be the output, even with --force.
    let inputs = Inputs::of([table]).and(hierarchies.values());
    let mut output = Output::create_table(&args.output, args.force, &inputs)?;
    let console = Console::new(false);
    let generator = Generator {
        columns: args.columns.clone(),
        hierarchies,
        // clap requires these without --claims; the messages are for the case that this changes.
        sigma: args.sigma.context("--sigma was not given")?,
        rho: args.rho.context("--rho was not given")?,
        seed: args.seed,
    };
    let n_rows = generator.write(&source, &mut output, &console)?;
    output.finish()?;
    drop(console.seconds());
    Ok(n_rows)
}
