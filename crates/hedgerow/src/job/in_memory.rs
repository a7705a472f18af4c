//! Runs the stages of a job on a table whose release stays in memory.

use std::collections::BTreeMap;

use super::certified::{self, Searched};
use super::concluded::Concluded;
use super::plan::Plan;
use super::reported::{Attacks, Audience, Found, Reported};
use super::{Job, check, guarded, rules};
use crate::Result;
use crate::builder::Asked;
use crate::error::Warning;
use crate::hierarchy::Generalization;
use crate::io::Source;
use crate::method::Spec;
use crate::progress::{Progress, Stage};
use crate::publish::{Counted, Placed, Publication};
use crate::release::{Release, Style};
use crate::report::{Format, Outcome};
use crate::schema::Schema;
use crate::study::{Demands, Study};

/// A release that stays in memory, with the stages that it came from.
#[derive(Debug)]
#[non_exhaustive]
pub struct InMemory {
    /// The job.
    pub job: Job,
    /// The table that it was made from.
    pub source: Source,
    /// The roles of its columns, which were examined.
    pub schema: Schema,
    /// The table with its hierarchies and requirements.
    pub study: Study,
    /// What each class publishes.
    pub release: Release,
    /// What was counted in it.
    pub counted: Counted,
    /// Its rows and columns.
    pub placed: Placed,
    /// The figures and warnings.
    pub outcome: Outcome,
}

impl InMemory {
    /// Returns the text of the recipe, the rules of the release for the next table.
    ///
    /// # Errors
    ///
    /// Those of [`Recipe::of`](crate::recipe::Recipe::of), and
    /// [`Error::Misuse`](crate::Error::Misuse) for a sample of a population.
    pub fn recipe(&self, progress: &dyn Progress) -> Result<String> {
        let Self { job, study, release, schema, .. } = self;
        check::can_have_recipe(job)?;
        rules::text(&rules::Ruled { job, study, release, schema }, progress)
    }

    /// Returns the report on the release, for those who have the original or for the public.
    ///
    /// # Errors
    ///
    /// Those of [`Evidence::gather`](crate::report::Evidence::gather).
    pub fn report(
        &self,
        format: Format,
        audience: Audience,
        progress: &dyn Progress,
    ) -> Result<String> {
        let Self { job, study, source, schema, release, .. } = self;
        let (shown, outcome) = (&self.counted.shown, &self.outcome);
        let found = Found::default();
        let attacks = Attacks::Run(&found);
        let told = job;
        let on = Reported { job, told, study, source, schema, release, shown, outcome, attacks };
        let readable = if job.interval_style.shows_ranges() {
            self.placed.source(source)?
        } else {
            // Only ranges can be compared with the original.
            let release = Release::new(release.recoding(), &Style::default(), progress)?;
            let options = &job.writing();
            let publication = Publication { study, source, schema, na: &job.na, options };
            publication.place(&release, progress)?.1.source(source)?
        };
        Ok(format.write(&on.in_memory(&readable, audience, progress)?))
    }

    /// The warning that belongs to the recipe.
    pub fn recipe_warning(&self) -> Option<Warning> {
        rules::warning(&self.job, &self.counted.exposure)
    }
}

/// Anonymizes a table and keeps the release in memory. Paths of outputs in the job are ignored.
///
/// `given` are hierarchies in memory, by column; they replace those that the job names. The release
/// has the same records as a file that [`run`](super::run) writes with the same job from a file with
/// the same values.
///
/// # Errors
///
/// Those of [`run`](super::run), except for those of outputs.
pub fn run_in_memory(
    job: &Job,
    given: BTreeMap<String, Generalization>,
    open: impl FnOnce() -> Result<Source>,
    progress: &dyn Progress,
) -> Result<InMemory> {
    check::can_search(job)?;
    check::is_decided(job)?;
    let job = naming(job, &given);
    let mut plan = Plan::of(&job)?;
    plan.demands.hierarchies.extend(given.into_iter().map(|(name, of)| (name, Asked::Given(of))));
    let source = open()?;
    let schema = job.schema(source.header(), &plan.claims())?;
    // A column of lists can stay as it is in memory, but only if that was decided.
    source.check_usable(&schema.read_or_undecided())?;

    progress.stage(Stage::Read);
    let guarded = guarded::Guarded { source: &source, columns: &plan.columns, k: job.k };
    let guarded::Admitted { table, schema, looked, distinct } =
        guarded.read(schema, &job.reading(true), progress)?;
    let population = job.read_population(&table, progress)?;
    let demands = Demands { distinct, ..plan.demands };
    let study = Study::new(&table, demands, population, progress)?;
    let Searched { solved, certified } = certified::search(&job, &plan.method, &study, progress)?;
    let release =
        Release::new(&solved.recoding, &Style { intervals: job.interval_style }, progress)?;
    let options = job.writing();
    let publication = Publication {
        study: &study,
        source: &source,
        schema: &schema,
        na: &job.na,
        options: &options,
    };
    let (counted, placed) = publication.place(&release, progress)?;
    let concluded = Concluded {
        job: &job,
        publication: &publication,
        release: &release,
        looked: Some(&looked),
        has_sets: plan.has_own_hierarchy,
        certified,
        before: None,
    };
    let outcome = concluded.outcome(&solved.method, &counted, Vec::new());
    Ok(InMemory { job, source, schema, study, release, counted, placed, outcome })
}

/// The job with an entry for every hierarchy in memory, so that checks see them.
fn naming(job: &Job, given: &BTreeMap<String, Generalization>) -> Job {
    let mut job = job.clone();
    for (name, generalization) in given {
        job.hierarchy.insert(name.clone(), Spec::named(generalization.method()));
    }
    job
}
