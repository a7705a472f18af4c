//! `hedgerow anonymize`: makes a job from flags or a job file, runs it and reports the outcome.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hedgerow::io::{Inputs, Source};
use hedgerow::job::{self, Job};
use hedgerow::method::Text;
use hedgerow::report::{self, Outcome};

use super::{inspect, summary, verify_command};
use crate::Verdict;
use crate::args::AnonymizeArgs;
use crate::console::{self, Console};

pub(crate) fn run(args: &AnonymizeArgs) -> Result<Verdict> {
    let is_job = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "toml");
    // A table argument that ends in .toml is a job file.
    let job = match args.job.as_ref().or(args.table.as_ref().filter(is_job)) {
        Some(path) => from_file(path, args)?,
        None => match &args.table {
            Some(table) => from_flags(table, args)?,
            None => bail!("name a table or a job file; hedgerow anonymize --help shows how"),
        },
    };
    let console = Console::new(args.quiet);
    let spell = |outcome: &Outcome, readers| verify_command::of_run(&job, outcome, readers);
    // Standard input is copied to a file first, because the input is read twice.
    let open = || {
        if job.input == Path::new("-") {
            standard_input(&job, &console)
        } else {
            job.open(&job.input)
        }
    };
    let outcome = job::run_told(&job, open, &spell, &console)?;
    if args.json {
        report_json(&outcome, &console)?;
    } else if !args.quiet {
        console::report(&text(&outcome, &job, &console, args.verbose));
    } else {
        // Warnings are shown even with --quiet.
        console::warn(&outcome.warnings);
    }
    Ok(Verdict::Fine)
}

/// Copies standard input to a temporary file, in the folder of the release if it exists.
fn standard_input(job: &Job, console: &Console) -> hedgerow::Result<Source> {
    let folder = match job.output.parent() {
        // The copy stays on the disk of the release, which has room for a table of this size.
        Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
        Some(folder) if folder.is_dir() => folder.to_owned(),
        _ => std::env::temp_dir(),
    };
    let source = Source::spool_with(std::io::stdin().lock(), &folder, &job.opening()?, console)?;
    Ok(source.with_max_record(job.max_record))
}

/// Reads a job file, which no output of the job may overwrite.
fn from_file(path: &Path, args: &AnonymizeArgs) -> Result<Job> {
    let job = overridden(Job::from_file(path)?, args)?;
    let reports = [job.report.as_ref(), job.report_public.as_ref(), job.recipe.as_ref()];
    let outputs =
        [Some(&job.output), job.trace.as_ref(), job.classes.as_ref()].into_iter().chain(reports);
    // The library does not know the job file, so it cannot protect it.
    outputs.flatten().try_for_each(|o| Inputs::of([path]).check(o))?;
    Ok(job)
}

fn from_flags(table: &Path, args: &AnonymizeArgs) -> Result<Job> {
    if args.goal.roles.quasi.is_empty() {
        // Roles are the hardest part of a first call, so the error suggests them.
        bail!("{}", inspect::ask_for_roles(table, &args.read)?);
    }
    // Asked for one after the other, in the order in which a beginner decides.
    let Some(k) = args.goal.k else {
        bail!("choose how many records must share a row: -k, often 5")
    };
    let Some(output) = args.output.clone() else {
        bail!("name the file to write the release to: -o FILE")
    };
    let job = Job::new(table.to_owned(), output, args.goal.roles.quasi.clone(), k);
    overridden(job, args)
}

/// Returns a job whose settings are overridden by flags.
fn overridden(mut job: Job, args: &AnonymizeArgs) -> Result<Job> {
    args.goal.give(&mut job)?;
    args.sample.give(&mut job);
    job.until = args.until.as_deref().map(Text::from).or(job.until);
    job.certificate |= args.certificate;
    job.trace = args.trace.clone().or(job.trace);
    job.classes = args.classes.clone().or(job.classes);
    job.hierarchies = args.saved.clone().or(job.hierarchies);
    job.recipe = args.recipe.clone().or(job.recipe);
    job.report = args.report.clone().or(job.report);
    job.report_public = args.report_public.clone().or(job.report_public);
    args.read.give(&mut job)?;
    job.output_encoding = args.output_encoding.or(job.output_encoding);
    job.output = args.output.clone().unwrap_or(job.output);
    // Switches can only be turned on: there is no flag that turns one of the file off.
    job.drop_suppressed |= args.drop_suppressed;
    job.keep_order |= args.keep_order;
    job.rare_values = args.rare_values.map_or(job.rare_values, Into::into);
    job.force_labels |= args.force_labels;
    job.spreadsheet_safe |= args.spreadsheet_safe;
    job.force |= args.force;
    job.seed = args.seed.unwrap_or(job.seed);
    Ok(job)
}

pub(super) fn report_json(outcome: &Outcome, console: &Console) -> Result<()> {
    let mut json = serde_json::to_value(outcome)?;
    // Times are added here, because the library has no clock.
    json["seconds"] = serde_json::to_value(console.seconds())?;
    console::report_json(&json)
}

/// Formats the summary and, if it is verbose, everything else that is known.
fn text(outcome: &Outcome, job: &Job, console: &Console, verbose: bool) -> String {
    let seconds = console.seconds();
    let mut text = summary::text(outcome, job);
    if verbose {
        let _ = write!(text, "\n{}", report::details(outcome));
        // In the order of the flow; the map has them by name.
        let stages = ["read", "hierarchies", "search", "write", "verify"];
        let timed: Vec<_> = (stages.into_iter())
            .filter_map(|stage| seconds.get(stage).map(|time| format!("{stage} {time:.2}")))
            .collect();
        let _ = writeln!(text, "\nseconds       {}", timed.join(", "));
    }
    text
}
