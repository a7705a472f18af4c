//! `hedgerow generate`: a larger table.

use anyhow::Result;
use hedgerow::generate::Generator;
use hedgerow::io::{Output, Source};
use hedgerow::noun::counted;

use crate::Verdict;
use crate::args::GenerateArgs;
use crate::console::{self, Console};

pub(crate) fn run(args: &GenerateArgs) -> Result<Verdict> {
    let source = Source::open(&args.table, args.file.delimiter()?)?;
    let mut output = Output::create_table(&args.output, args.force)?;
    let console = Console::new(false);
    let generator = Generator {
        columns: args.columns.clone(),
        sigma: args.sigma,
        rho: args.rho,
        seed: args.seed,
    };
    let n_rows = generator.write(&source, &mut output, &console)?;
    output.finish()?;
    drop(console.seconds());
    console::print(&format!(
        "{} written to {}\n",
        counted(n_rows, "record"),
        args.output.display()
    ))?;
    Ok(Verdict::Fine)
}
