//! `hedgerow completions` and `hedgerow man`: the commands as data for shells and for `man`.

use std::path::Path;

use anyhow::Result;
use clap::CommandFactory;
use hedgerow::io::OutputFolder;
use hedgerow::progress::Silent;

use crate::Verdict;
use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::console;

/// Prints a script that completes commands and options.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "hedgerow", &mut script);
    console::print(&String::from_utf8_lossy(&script))?;
    Ok(Verdict::Fine)
}

/// Prints the manual page of hedgerow, or writes those of all commands.
pub(crate) fn run(args: &ManArgs) -> Result<Verdict> {
    let mut command = Args::command();
    // Sets the full names of subcommands, which become file names and titles.
    command.build();
    match &args.output {
        Some(folder) => write_all(&command, folder, args.force)?,
        None => console::print(&String::from_utf8_lossy(&page(&command)?))?,
    }
    Ok(Verdict::Fine)
}

/// Writes a page for the command and for each command below it.
fn write_all(command: &clap::Command, path: &Path, force: bool) -> Result<()> {
    let mut folder = OutputFolder::create(path, force, &has_only_pages)?;
    // Commands can be nested, so subcommands are visited too.
    let (mut open, mut n_pages) = (vec![command], 0_usize);
    while let Some(command) = open.pop() {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        folder.write(&format!("{name}.1"), page(command)?);
        open.extend(command.get_subcommands());
        n_pages += 1;
    }
    folder.finish(&Silent)?;
    console::report(&format!("{n_pages} pages written to {}\n", path.display()));
    Ok(())
}

/// Whether a folder has nothing but manual pages.
fn has_only_pages(folder: &Path) -> bool {
    // Only a folder of pages is replaced with --force; anything else might be the user's.
    let is_page = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.path().extension().is_some_and(|ending| ending == "1"))
    };
    folder.read_dir().is_ok_and(|mut entries| entries.all(is_page))
}

fn page(command: &clap::Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
