//! The stages of a job, kept so that its release can be looked at before it is written.

use std::path::Path;

use super::plan::Plan;
use super::reported::{Attacks, Found, Sides};
use super::staged::{Staged, Target};
use super::{Job, check, extras, rules};
use crate::Result;
use crate::error::Warning;
use crate::io::{Inputs, Output};
use crate::progress::{Progress, Stage};
use crate::publish::Counted;
use crate::release::Release;
use crate::report::{Outcome, Spell};
use crate::schema::Schema;
use crate::study::Study;

/// A release that may not be written yet, with its stages and the figures counted in it.
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
/// assert_eq!(kept.outcome().classes, 2);
/// let named = Job { output: output.clone(), ..job };
/// kept.write(&named, &named, None, &Silent)?;
/// let written = std::fs::read(&output).unwrap();
/// // The same bytes as those of a run.
/// job::run(&Job { force: true, ..named }, &Silent)?;
/// assert_eq!(std::fs::read(&output).unwrap(), written);
/// assert!(kept.recipe(&Silent)?.starts_with('{'));
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub struct Kept {
    pub(super) staged: Staged,
    pub(super) counted: Counted,
    pub(super) outcome: Outcome,
    /// The findings of attacks, so that a release is attacked once for all its reports.
    pub(super) attacks: Found,
}

impl Kept {
    /// Runs the stages of a job up to its release, and counts what the release shows. Outputs of
    /// the job are ignored. The rows of the table are kept, so that it is known which record is in
    /// which class.
    ///
    /// # Errors
    ///
    /// Those of [`run`](super::run), except for those of outputs.
    pub fn of(job: &Job, progress: &dyn Progress) -> Result<Self> {
        check::can_search(job)?;
        check::is_decided(job)?;
        let mut plan = Plan::of(job)?;
        plan.needs_rows = true;
        let staged = Staged::of(job, plan, job.open(&job.input)?, progress)?;
        progress.stage(Stage::Verify);
        let options = job.writing();
        let publication = staged.publication(job, &options);
        let counted = publication.count(&staged.searched.release, progress)?;
        let outcome = staged.concluded(job, &publication).outcome(&counted, vec![]);
        Ok(Self { staged, counted, outcome, attacks: Found::default() })
    }

    /// Gathers the evidence for those who have the original, and for the public. The release is
    /// written to a file without a name in `folder`, and read as its readers do.
    ///
    /// # Errors
    ///
    /// Those of [`Evidence::gather`](crate::report::Evidence::gather) and of writing.
    pub fn evidence(&self, folder: &Path, progress: &dyn Progress) -> Result<Sides> {
        self.gathered(folder, Attacks::Run(&self.attacks), progress)
    }

    /// Gathers the same evidence without attacking the release, which takes longest. Findings of
    /// attacks are included if the release was attacked before.
    ///
    /// # Errors
    ///
    /// Those of [`Kept::evidence`].
    pub fn unattacked(&self, folder: &Path, progress: &dyn Progress) -> Result<Sides> {
        self.gathered(folder, Attacks::Known(&self.attacks), progress)
    }

    fn gathered(
        &self,
        folder: &Path,
        attacks: Attacks<'_>,
        progress: &dyn Progress,
    ) -> Result<Sides> {
        let job = Job { output: "".into(), ..self.staged.job.clone() };
        let on = self.staged.reported(&job, &self.counted, &self.outcome, attacks);
        // A file that never gets this name.
        let draft = Output::create(&folder.join("release.csv"), true, &Inputs::default())?;
        on.drafted(draft, progress)
    }

    /// Writes the release and the other files that `to` names, and verifies the release before it
    /// gets its name. Reports show `told` as the job to repeat the run with, which can have other
    /// paths, and the command that `spell` returns, for a caller with commands.
    ///
    /// # Errors
    ///
    /// Those of [`run`](super::run).
    pub fn write(
        &self,
        to: &Job,
        told: &Job,
        spell: Option<Spell<'_>>,
        progress: &dyn Progress,
    ) -> Result<Outcome> {
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
        let target = Target { job: &to, told, spell, output, extras };
        let (_, outcome) = self.staged.publish(target, &self.attacks, progress)?;
        Ok(outcome)
    }

    /// The figures that were counted in the release.
    pub fn counted(&self) -> &Counted {
        &self.counted
    }

    /// The figures and warnings.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
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

    /// The warning that belongs to the recipe.
    pub fn recipe_warning(&self) -> Option<Warning> {
        rules::warning(self.job(), &self.outcome.exposure)
    }

    /// The job.
    pub fn job(&self) -> &Job {
        &self.staged.job
    }

    /// The table with its hierarchies and requirements.
    pub fn study(&self) -> &Study {
        &self.staged.study
    }

    /// The release, with the cells of each class.
    pub fn release(&self) -> &Release {
        &self.staged.searched.release
    }

    /// The roles of the columns.
    pub fn schema(&self) -> &Schema {
        &self.staged.schema
    }
}
