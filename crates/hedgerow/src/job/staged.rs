//! The stages of a job up to its release, shared by all ways to run one.

use super::certified::{self, Searched};
use super::concluded::Concluded;
use super::extras::{self, Extras};
use super::guarded::{Admitted, Guarded, Looked};
use super::plan::Plan;
use super::reported::{Attacks, Found, Reported};
use super::rules::{self, Ruled};
use super::{Job, check, sampled};
use crate::Result;
use crate::io::{Output, Source, WriteOptions};
use crate::population::Population;
use crate::progress::{Progress, Stage};
use crate::publish::{Counted, Publication};
use crate::report::{Outcome, Spell};
use crate::schema::Schema;
use crate::study::Study;
use crate::table::Table;

/// A job whose release is known, with the stages that it came from.
#[derive(Debug)]
pub(super) struct Staged {
    pub(super) job: Job,
    pub(super) source: Source,
    pub(super) schema: Schema,
    /// The examination of the columns, if there was one.
    pub(super) looked: Option<Looked>,
    pub(super) study: Study,
    pub(super) searched: Searched,
    /// Whether the method publishes sets of a hierarchy that only it uses.
    has_sets: bool,
}

/// A file with the roles of its columns.
pub(super) struct Opened {
    pub(super) source: Source,
    pub(super) schema: Schema,
}

/// Records that a job runs on.
pub(super) struct Records {
    pub(super) table: Table,
    pub(super) population: Option<Population>,
    /// The examination of the columns, if there was one.
    pub(super) looked: Option<Looked>,
}

/// The outputs of a job, started before the input is read.
pub(super) struct Target<'a> {
    pub(super) job: &'a Job,
    /// The job that reports show.
    pub(super) told: &'a Job,
    /// The way to spell the command that verifies the release, if the caller has commands.
    pub(super) spell: Option<Spell<'a>>,
    pub(super) output: Output,
    pub(super) extras: Extras,
}

impl Staged {
    /// Runs the stages of a planned job on a source whose records are written to a file later.
    pub(super) fn of(
        job: &Job,
        plan: Plan,
        source: Source,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let schema = job.schema(source.header(), &plan.claims())?;
        // Before reading, because a nested column would stop the writing at the very end.
        source.check_usable(&schema.published())?;
        Self::read(job.clone(), plan, Opened { source, schema }, progress)
    }

    /// Reads the table, examines the columns that would be published, and searches.
    pub(super) fn read(
        job: Job,
        mut plan: Plan,
        opened: Opened,
        progress: &dyn Progress,
    ) -> Result<Self> {
        progress.stage(Stage::Read);
        let Opened { source, schema } = opened;
        let columns = plan.columns(&schema);
        let guarded = Guarded { source: &source, columns: &columns, k: job.k };
        let Admitted { table, schema, looked, distinct } =
            guarded.read(schema, &job.reading(plan.needs_rows), progress)?;
        let population = job.read_population(&table, progress)?;
        // Before the search, because the risk is assessed when the release is already written.
        sampled::check_weights(&job, &source, progress)?;
        plan.demands.distinct = distinct;
        let records = Records { table, population, looked: Some(looked) };
        Self::search(job, plan, Opened { source, schema }, records, progress)
    }

    /// Searches on records that are in memory.
    pub(super) fn search(
        job: Job,
        plan: Plan,
        opened: Opened,
        records: Records,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let Records { table, population, looked } = records;
        let study = Study::new(&table, plan.demands, population, progress)?;
        let searched = certified::search(&job, &plan.method, &study, progress)?;
        let Opened { source, schema } = opened;
        let has_sets = plan.has_own_hierarchy;
        Ok(Self { job, source, schema, looked, study, searched, has_sets })
    }

    /// Writes outputs that were started before. The findings of attacks are kept in `attacks`.
    pub(super) fn publish(
        &self,
        to: Target<'_>,
        attacks: &Found,
        progress: &dyn Progress,
    ) -> Result<(Counted, Outcome)> {
        let Target { job, told, spell, output, extras } = to;
        let Self { study, searched, .. } = self;
        let recipe = rules::asked(&self.ruled(job), progress)?;
        let extras = extras.with_trace(&searched.solved, progress)?;
        let extras = extras.with_classes(&searched.release, job)?.with_recipe(recipe)?;
        let options = job.writing();
        let publication = self.publication(job, &options);
        let counted = publication.publish(&searched.release, output, progress)?;
        // The release is in place now; a later failure can only be a warning.
        let (failed, reports) = extras.finish(study, progress);
        let mut outcome = self.concluded(job, &publication).outcome(&counted, failed);
        // Reports are about the finished release and repeat its figures, so they come last.
        let on = self.reported(job, &counted, &outcome, Attacks::Run(attacks));
        let failed = extras::report(reports, &Reported { told, spell, ..on }, progress);
        outcome.warnings.extend(failed);
        Ok((counted, outcome))
    }

    /// The release as something to write or count, with the options of `job`.
    pub(super) fn publication<'a>(
        &'a self,
        job: &'a Job,
        options: &'a WriteOptions,
    ) -> Publication<'a> {
        let Self { source, schema, study, .. } = self;
        Publication { study, source, schema, na: &job.na, options }
    }

    /// The parts from which the outcome is made.
    pub(super) fn concluded<'a>(
        &'a self,
        job: &'a Job,
        publication: &'a Publication<'a>,
    ) -> Concluded<'a> {
        let (looked, has_sets) = (self.looked.as_ref(), self.has_sets);
        Concluded { job, publication, searched: &self.searched, looked, has_sets, before: None }
    }

    /// The parts from which reports are made, with `job` as the one that they show.
    pub(super) fn reported<'a>(
        &'a self,
        job: &'a Job,
        counted: &'a Counted,
        outcome: &'a Outcome,
        attacks: Attacks<'a>,
    ) -> Reported<'a> {
        let Self { source, schema, study, .. } = self;
        let (release, shown) = (&self.searched.release, &counted.shown);
        let (told, spell) = (job, None);
        Reported { job, told, spell, study, source, schema, release, shown, outcome, attacks }
    }

    /// Returns the text of the recipe, the rules of the release for the next table.
    pub(super) fn recipe(&self, progress: &dyn Progress) -> Result<String> {
        check::can_have_recipe(&self.job)?;
        rules::text(&self.ruled(&self.job), progress)
    }

    /// The parts from which the recipe is made.
    pub(super) fn ruled<'a>(&'a self, job: &'a Job) -> Ruled<'a> {
        let Self { study, schema, .. } = self;
        Ruled { job, study, release: &self.searched.release, schema }
    }
}
