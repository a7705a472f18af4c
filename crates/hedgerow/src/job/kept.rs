//! The stages of a job, kept so that its release can be looked at before it is written.

use std::path::Path;

use super::extras::{self, Extras};
use super::plan::Plan;
use super::reported::{Attacks, Found, Reported, Sides};
use super::staged::{Opened, Staged};
use super::{Job, check, rules};
use crate::Result;
use crate::error::Warning;
use crate::io::{Inputs, Output, Source};
use crate::progress::{Progress, Stage};
use crate::publish::Counted;
use crate::release::Release;
use crate::report::Outcome;
use crate::schema::Schema;
use crate::study::Study;

/// A release that may not be written yet, with the stages that it came from.
///
/// # Examples
///
/// ```
/// use hedgerow::job::{self, Job, Kept};
/// use hedgerow::progress::Silent;
/// # let folder = tempfile::tempdir().unwrap();
/// # let (input, output) = (folder.path().join("people.csv"), folder.path().join("release.csv"));
/// std::fs::write(&input, "age,sex\n23,F\n25,F\n41,M\n44,M\n").unwrap();
/// let job = Job::new(input, "".into(), vec!["age".to_owned(), "sex".to_owned()], 2);
/// let kept = Kept::of(&job, &Silent)?;
/// assert_eq!(kept.measure(&Silent)?.1.classes, 2);
/// let named = Job { output: output.clone(), ..job };
/// kept.write(&named, &named, &Silent)?;
/// let written = std::fs::read(&output).unwrap();
/// // The same bytes as those of a run.
/// job::run(&Job { force: true, ..named }, &Silent)?;
/// assert_eq!(std::fs::read(&output).unwrap(), written);
/// assert!(kept.recipe(&Silent)?.starts_with('{'));
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub struct Kept {
    staged: Staged,
    /// What attacks found, so that a release is attacked once for all its reports.
    attacks: Found,
}

/// The outputs of a job, started before the input is read.
pub(super) struct Target<'a> {
    pub(super) job: &'a Job,
    /// The job that reports show.
    pub(super) told: &'a Job,
    pub(super) output: Output,
    pub(super) extras: Extras,
}

impl Kept {
    /// Runs the stages of a job up to its release. Its outputs are ignored. The rows of the table are
    /// kept, so that it is known which record is in which class.
    ///
    /// # Errors
    ///
    /// Those of [`run`](super::run), except for those of outputs.
    pub fn of(job: &Job, progress: &dyn Progress) -> Result<Self> {
        check::can_search(job)?;
        check::is_decided(job)?;
        let mut plan = Plan::of(job)?;
        plan.needs_rows = true;
        Self::new(job, plan, job.open(&job.input)?, progress)
    }

    /// Runs the stages of a planned job.
    pub(super) fn new(
        job: &Job,
        plan: Plan,
        source: Source,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let schema = job.schema(source.header(), &plan.claims())?;
        // Before reading, because a nested column would stop the writing at the very end.
        source.check_usable(&schema.published())?;
        let staged = Staged::read(job.clone(), plan, Opened { source, schema }, progress)?;
        Ok(Self { staged, attacks: Found::default() })
    }

    /// Counts what the release shows, without writing it.
    ///
    /// # Errors
    ///
    /// Those of [`Publication::publish`], except for those of files.
    pub fn measure(&self, progress: &dyn Progress) -> Result<(Counted, Outcome)> {
        progress.stage(Stage::Verify);
        let (staged, job) = (&self.staged, &self.staged.job);
        let options = job.writing();
        let publication = staged.publication(job, &options);
        let counted = publication.count(self.release(), progress)?;
        let outcome = staged.concluded(job, &publication).outcome(&counted, vec![]);
        Ok((counted, outcome))
    }

    /// Gathers the evidence for those who have the original, and for the public. The release is
    /// written to a file without a name in `folder`, and read as its readers do.
    ///
    /// # Errors
    ///
    /// Those of [`Evidence::gather`](crate::report::Evidence::gather) and of writing.
    pub fn evidence(
        &self,
        measured: &(Counted, Outcome),
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Sides> {
        self.gathered(measured, folder, Attacks::Run(&self.attacks), progress)
    }

    /// Gathers the same evidence without attacking the release, which takes longest. What attacks
    /// found is included if the release was attacked before.
    ///
    /// # Errors
    ///
    /// Those of [`Kept::evidence`].
    pub fn unattacked(
        &self,
        measured: &(Counted, Outcome),
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<Sides> {
        self.gathered(measured, folder, Attacks::Known(&self.attacks), progress)
    }

    fn gathered(
        &self,
        (counted, outcome): &(Counted, Outcome),
        folder: &Path,
        attacks: Attacks<'_>,
        progress: &dyn Progress,
    ) -> Result<Sides> {
        let job = Job { output: "".into(), ..self.staged.job.clone() };
        let on = self.staged.reported(&job, counted, outcome, attacks);
        // A file that never gets this name.
        let draft = Output::create(&folder.join("release.csv"), true, &Inputs::default())?;
        on.drafted(draft, progress)
    }

    /// Writes the release and the other files that `to` names, and verifies the release before it
    /// gets its name. Reports show `told` as the job to repeat the run with, which can have other
    /// paths.
    ///
    /// # Errors
    ///
    /// Those of [`run`](super::run).
    pub fn write(&self, to: &Job, told: &Job, progress: &dyn Progress) -> Result<Outcome> {
        check::is_complete(to, true)?;
        let to = Job {
            output: to.output.clone(),
            trace: to.trace.clone(),
            classes: to.classes.clone(),
            hierarchies: to.hierarchies.clone(),
            recipe: to.recipe.clone(),
            report: to.report.clone(),
            report_public: to.report_public.clone(),
            force: to.force,
            ..self.staged.job.clone()
        };
        let (output, extras) = extras::outputs(&to)?;
        check::can_be_encoded(&to, &output)?;
        self.publish(Target { job: &to, told, output, extras }, progress)
    }

    /// Writes outputs that were started before.
    pub(super) fn publish(&self, to: Target<'_>, progress: &dyn Progress) -> Result<Outcome> {
        let Target { job, told, output, extras } = to;
        let Staged { study, searched, .. } = &self.staged;
        let recipe = rules::asked(&self.staged.ruled(job), progress)?;
        let extras = extras.with_trace(&searched.solved, progress)?;
        let extras = extras.with_classes(&searched.release, job)?.with_recipe(recipe)?;
        let options = job.writing();
        let publication = self.staged.publication(job, &options);
        let counted = publication.publish(&searched.release, output, progress)?;
        // The release is in place now; what fails after it can only be a warning.
        let (failed, reports) = extras.finish(study, progress);
        let mut outcome = self.staged.concluded(job, &publication).outcome(&counted, failed);
        // Reports are about the finished release and repeat its figures, so they come last.
        let failed = {
            let attacks = Attacks::Run(&self.attacks);
            let on = self.staged.reported(job, &counted, &outcome, attacks);
            extras::report(reports, &Reported { told, ..on }, progress)
        };
        outcome.warnings.extend(failed);
        Ok(outcome)
    }

    /// Returns the text of the recipe, the rules of the release for the next table.
    ///
    /// # Errors
    ///
    /// Those of [`Recipe::of`](crate::recipe::Recipe::of), and
    /// [`Error::Misuse`](crate::Error::Misuse) for a sample of a population.
    pub fn recipe(&self, progress: &dyn Progress) -> Result<String> {
        self.staged.recipe(progress)
    }

    /// The warning that belongs to the recipe of a release with this outcome.
    pub fn recipe_warning(&self, outcome: &Outcome) -> Option<Warning> {
        rules::warning(self.job(), &outcome.exposure)
    }

    /// The job.
    pub fn job(&self) -> &Job {
        &self.staged.job
    }

    /// The table with its hierarchies and requirements.
    pub fn study(&self) -> &Study {
        &self.staged.study
    }

    /// What each class publishes.
    pub fn release(&self) -> &Release {
        &self.staged.searched.release
    }

    /// The roles of the columns.
    pub fn schema(&self) -> &Schema {
        &self.staged.schema
    }
}
