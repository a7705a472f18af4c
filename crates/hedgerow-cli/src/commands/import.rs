//! `hedgerow import`: writes a job and hierarchies from an ARX project.

use std::fmt::Write as _;

use anyhow::Result;
use hedgerow::import::Project;

use crate::Verdict;
use crate::args::ImportArgs;
use crate::console::{self, Console};

pub(crate) fn run(args: &ImportArgs) -> Result<Verdict> {
    let project = Project::read(&args.project)?;
    let console = Console::new(false);
    let (files, notes) = project.write(&args.output, args.force, &console)?;
    drop(console.seconds());
    let mut out = String::new();
    for file in files {
        let _ = writeln!(out, "{}", file.display());
    }
    console::report(&out);
    // After the files, because they say what is left to do by hand.
    notes.iter().for_each(|note| console::note(note));
    Ok(Verdict::Fine)
}
