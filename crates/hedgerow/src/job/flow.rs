//! Runs the stages of a job in order.

use super::kept::Kept;
use super::plan::Plan;
use super::reported::Found;
use super::staged::{Staged, Target};
use super::{Job, check, extras};
use crate::Result;
use crate::io::Source;
use crate::progress::Progress;
use crate::report::{Outcome, Spell};

/// Reads the input of a job, anonymizes it, writes the release, and verifies the written file.
pub fn run(job: &Job, progress: &dyn Progress) -> Result<Outcome> {
    run_on(job, || job.open(&job.input), progress)
}

/// Like [`run_on`], for a caller with commands: `spell` returns the one that verifies the release,
/// which reports show.
pub fn run_told(
    job: &Job,
    open: impl FnOnce() -> Result<Source>,
    spell: Spell<'_>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    Ok(written(job, open, Some(spell), progress)?.outcome)
}

/// Like [`run`], and keeps the stages, so that the written release can be looked at: its
/// hierarchies, its recipe, and the evidence for reports.
pub fn run_and_keep(job: &Job, progress: &dyn Progress) -> Result<Kept> {
    written(job, || job.open(&job.input), None, progress)
}

/// Like [`run`], with another source than the job's input. `open` is called once the job is known
/// to be complete.
pub fn run_on(
    job: &Job,
    open: impl FnOnce() -> Result<Source>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    Ok(written(job, open, None, progress)?.outcome)
}

fn written(
    job: &Job,
    open: impl FnOnce() -> Result<Source>,
    spell: Option<Spell<'_>>,
    progress: &dyn Progress,
) -> Result<Kept> {
    check::can_run(job)?;
    let plan = Plan::of(job)?;
    // Outputs are started before the input is read, so that a bad path fails early.
    let (output, extras) = extras::outputs(job)?;
    check::can_be_encoded(job, &output)?;
    let source = open()?;
    let staged = Staged::of(job, plan, source, progress)?;
    let attacks = Found::default();
    let target = Target { job, told: job, spell, output, extras };
    let (counted, outcome) = staged.publish(target, &attacks, progress)?;
    Ok(Kept { staged, counted, outcome, attacks })
}
