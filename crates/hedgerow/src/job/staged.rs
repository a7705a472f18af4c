//! The stages of a job up to its release, shared by all ways to run one.

use super::certified::{self, Searched};
use super::concluded::Concluded;
use super::guarded::{Admitted, Guarded, Looked};
use super::plan::Plan;
use super::reported::{Attacks, Reported};
use super::rules::{self, Ruled};
use super::{Job, check};
use crate::Result;
use crate::io::{Source, WriteOptions};
use crate::population::Population;
use crate::progress::{Progress, Stage};
use crate::publish::{Counted, Publication};
use crate::report::Outcome;
use crate::schema::Schema;
use crate::study::Study;
use crate::table::Table;

/// A job whose release is known, with the stages that it came from.
#[derive(Debug)]
pub(super) struct Staged {
    pub(super) job: Job,
    pub(super) source: Source,
    pub(super) schema: Schema,
    /// What was seen of the columns, if they were examined.
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
    /// What was seen of the columns, if they were examined.
    pub(super) looked: Option<Looked>,
}

impl Staged {
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

    /// The release as something to write or count, with the options of `job`.
    pub(super) fn publication<'a>(
        &'a self,
        job: &'a Job,
        options: &'a WriteOptions,
    ) -> Publication<'a> {
        let Self { source, schema, study, .. } = self;
        Publication { study, source, schema, na: &job.na, options }
    }

    /// What the outcome is made from.
    pub(super) fn concluded<'a>(
        &'a self,
        job: &'a Job,
        publication: &'a Publication<'a>,
    ) -> Concluded<'a> {
        let (looked, has_sets) = (self.looked.as_ref(), self.has_sets);
        Concluded { job, publication, searched: &self.searched, looked, has_sets, before: None }
    }

    /// What reports are made from, with `job` as the one that they show.
    pub(super) fn reported<'a>(
        &'a self,
        job: &'a Job,
        counted: &'a Counted,
        outcome: &'a Outcome,
        attacks: Attacks<'a>,
    ) -> Reported<'a> {
        let Self { source, schema, study, .. } = self;
        let (release, shown) = (&self.searched.release, &counted.shown);
        Reported { job, told: job, study, source, schema, release, shown, outcome, attacks }
    }

    /// Returns the text of the recipe, the rules of the release for the next table.
    pub(super) fn recipe(&self, progress: &dyn Progress) -> Result<String> {
        check::can_have_recipe(&self.job)?;
        rules::text(&self.ruled(&self.job), progress)
    }

    /// What the recipe is made from.
    pub(super) fn ruled<'a>(&'a self, job: &'a Job) -> Ruled<'a> {
        let Self { study, schema, .. } = self;
        Ruled { job, study, release: &self.searched.release, schema }
    }
}
