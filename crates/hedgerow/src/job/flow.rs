//! Runs the stages of a job in order.

use super::concluded::Concluded;
use super::plan::Plan;
use super::{Job, check, extras, guarded, rules};
use crate::Result;
use crate::io::Source;
use crate::progress::{Progress, Stage};
use crate::publish::Publication;
use crate::release::{Release, Style};
use crate::report::Outcome;
use crate::study::{Demands, Study};

/// Reads the input of a job, anonymizes it, writes the release, and verifies the written file.
pub fn run(job: &Job, progress: &dyn Progress) -> Result<Outcome> {
    run_on(job, || job.open(&job.input), progress)
}

/// Like [`run`], with another source than the job's input. `open` is called once the job is known
/// to be complete.
pub fn run_on(
    job: &Job,
    open: impl FnOnce() -> Result<Source>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    check::can_run(job)?;
    let plan = Plan::of(job)?;
    // Outputs are started before the input is read, so that a bad path fails early.
    let (output, extras) = extras::outputs(job)?;
    check::can_be_encoded(job, &output)?;
    let source = open()?;
    let schema = job.schema(source.header(), &plan.claims())?;
    // Before reading, because a nested column would stop the writing at the very end.
    source.check_usable(&schema.published())?;

    progress.stage(Stage::Read);
    let reading = job.reading(plan.needs_rows);
    let guarded = guarded::Guarded { source: &source, columns: &plan.columns, k: job.k };
    let guarded::Admitted { table, schema, looked, distinct } =
        guarded.read(schema, &reading, progress)?;
    let population = job.read_population(&table, progress)?;
    // From here on everything is in memory, until the source is read again for writing.
    let demands = Demands { distinct, ..plan.demands };
    let study = Study::new(&table, demands, population, progress)?;
    let solved = study.search(&plan.method, job.time, progress)?;
    let release =
        Release::new(&solved.recoding, &Style { intervals: job.interval_style }, progress)?;
    let options = job.writing();
    let (study, source, schema, options) = (&study, &source, &schema, &options);
    let recipe = rules::asked(&rules::Ruled { job, study, release: &release, schema }, progress)?;
    let extras = extras.with_trace(&solved, progress)?.with_classes(&release, job)?;
    let extras = extras.with_recipe(recipe)?;
    let publication = Publication { study, source, schema, na: &job.na, options };
    let counted = publication.publish(&release, output, progress)?;
    // The release is in place now; what fails after it can only be a warning.
    let (publication, release, looked) = (&publication, &release, Some(looked));
    let has_sets = plan.has_own_hierarchy;
    let concluded = Concluded { job, publication, release, looked, has_sets, before: None };
    Ok(concluded.with(extras, &solved.method, &counted, progress))
}
