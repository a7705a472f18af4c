//! `hedgerow plan`: reads counts of a table that is elsewhere, and writes the cells of each record.

use anyhow::{Result, bail};
use hedgerow::io::CountColumns;
use hedgerow::job::{self, Job};

use super::anonymize::report_json;
use super::summary;
use crate::Verdict;
use crate::args::PlanArgs;
use crate::console::{self, Console};

pub(crate) fn run(args: &PlanArgs) -> Result<Verdict> {
    let columns = CountColumns { count: args.count.clone(), first: args.first.clone() };
    let job = job_of(args)?;
    let console = Console::new(args.quiet);
    let outcome = job::run_on_count_file(&job, &columns, &console)?.outcome;
    if args.json {
        report_json(&outcome, &console)?;
    } else if args.quiet {
        console::warn(&outcome.warnings);
    } else {
        console::report(&summary::of_plan(&outcome, &job));
    }
    Ok(Verdict::Fine)
}

fn job_of(args: &PlanArgs) -> Result<Job> {
    if args.goal.roles.quasi.is_empty() {
        bail!("name the columns that others may know: --quasi");
    }
    let Some(k) = args.goal.k else {
        bail!("choose how many records must share a row: -k, often 5")
    };
    let quasi = args.goal.roles.quasi.clone();
    let mut job = Job::new(args.counts.clone(), args.output.clone(), quasi, k);
    args.goal.give(&mut job)?;
    args.read.give(&mut job)?;
    job.drop_suppressed = args.drop_suppressed;
    job.rare_values = args.rare_values.map_or(job.rare_values, Into::into);
    job.force_labels = args.force_labels;
    job.force = args.force;
    job.seed = args.seed.unwrap_or(job.seed);
    Ok(job)
}
