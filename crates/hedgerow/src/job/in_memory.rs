//! Runs the stages of a job on a table whose release stays in memory.

use std::collections::BTreeMap;

use super::plan::Plan;
use super::reported::{Attacks, Audience, Found};
use super::staged::{Opened, Staged};
use super::{Job, check, rules};
use crate::Result;
use crate::builder::Asked;
use crate::error::Warning;
use crate::hierarchy::Generalization;
use crate::io::Source;
use crate::method::Spec;
use crate::progress::Progress;
use crate::publish::{Counted, Placed};
use crate::release::{Release, Style};
use crate::report::{Format, Outcome};
use crate::schema::Schema;
use crate::study::Study;

/// A release that stays in memory, with the stages that it came from.
#[derive(Debug)]
#[non_exhaustive]
pub struct InMemory {
    staged: Staged,
    /// The figures that were counted in it.
    pub counted: Counted,
    /// Its rows and columns.
    pub placed: Placed,
    /// The figures and warnings.
    pub outcome: Outcome,
}

impl InMemory {
    /// The job.
    pub fn job(&self) -> &Job {
        &self.staged.job
    }

    /// The table that was read.
    pub fn source(&self) -> &Source {
        &self.staged.source
    }

    /// The roles of the columns, which were examined.
    pub fn schema(&self) -> &Schema {
        &self.staged.schema
    }

    /// The table with its hierarchies and requirements.
    pub fn study(&self) -> &Study {
        &self.staged.study
    }

    /// The release, with the cells of each class.
    pub fn release(&self) -> &Release {
        &self.staged.searched.release
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
        let (job, source) = (self.job(), &self.staged.source);
        let readable = if job.interval_style.shows_ranges() {
            self.placed.source(source)?
        } else {
            // Only ranges can be compared with the original.
            let release = Release::new(self.release().recoding(), &Style::default(), progress)?;
            let options = job.writing();
            let publication = self.staged.publication(job, &options);
            publication.place(&release, progress)?.1.source(source)?
        };
        let found = Found::default();
        let attacks = Attacks::Run(&found);
        let on = self.staged.reported(job, &self.counted, &self.outcome, attacks);
        Ok(format.write(&on.in_memory(&readable, audience, progress)?))
    }

    /// The warning that belongs to the recipe.
    pub fn recipe_warning(&self) -> Option<Warning> {
        rules::warning(self.job(), &self.counted.exposure)
    }
}

/// Anonymizes a table and keeps the release in memory. Paths of outputs in the job are ignored.
///
/// `given` are hierarchies in memory, by column; they replace those that the job names. The release
/// has the same records as a file that [`run`](super::run) writes with the same job from a file
/// with the same values.
///
/// # Errors
///
/// Those of [`run`](super::run), except for those of outputs.
///
/// # Examples
///
/// `Ages` is a [`Frame`](crate::io::Frame) of one column, as in the example of
/// [`Source::of_frame`].
///
/// ```
/// use std::collections::BTreeMap;
/// # use std::ops::Range;
/// use std::sync::Arc;
/// # use hedgerow::io::{Frame, Source, Texts};
/// # #[derive(Debug)]
/// # struct Ages(Vec<u32>);
/// # impl Frame for Ages {
/// #     fn names(&self) -> Vec<String> {
/// #         vec!["age".to_owned()]
/// #     }
/// #     fn n_rows(&self) -> u64 {
/// #         self.0.len() as u64
/// #     }
/// #     fn texts(&self, _: usize, rows: Range<u64>, texts: &mut Texts) -> hedgerow::Result<()> {
/// #         let ages = &self.0[rows.start as usize..rows.end as usize];
/// #         ages.iter().for_each(|age| texts.push(&age.to_string()));
/// #         Ok(())
/// #     }
/// # }
/// use hedgerow::job::{Job, run_in_memory};
/// use hedgerow::progress::Silent;
/// let ages = Arc::new(Ages(vec![20, 60, 21, 58]));
/// let job = Job::new("".into(), "".into(), vec!["age".to_owned()], 2);
/// let open = || Source::of_frame(ages, "the frame");
/// let release = run_in_memory(&job, BTreeMap::new(), open, &Silent)?;
/// assert_eq!((release.outcome.classes, release.outcome.smallest_class), (2, 2));
/// assert_eq!(release.placed.rows.len(), 4);
/// # Ok::<(), hedgerow::Error>(())
/// ```
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
    plan.needs_rows = true;
    plan.demands.hierarchies.extend(given.into_iter().map(|(name, of)| (name, Asked::Given(of))));
    let source = open()?;
    let schema = job.schema(source.header(), &plan.claims())?;
    // A column of lists can stay as it is in memory, but only if that was decided.
    source.check_usable(&schema.read_or_undecided())?;
    let staged = Staged::read(job, plan, Opened { source, schema }, progress)?;
    let options = staged.job.writing();
    let publication = staged.publication(&staged.job, &options);
    let (counted, placed) = publication.place(&staged.searched.release, progress)?;
    let outcome = staged.concluded(&staged.job, &publication).outcome(&counted, Vec::new());
    Ok(InMemory { staged, counted, placed, outcome })
}

/// The job with an entry for every hierarchy in memory, so that checks see them.
fn naming(job: &Job, given: &BTreeMap<String, Generalization>) -> Job {
    let mut job = job.clone();
    for (name, generalization) in given {
        job.hierarchy.insert(name.clone(), Spec::named(generalization.method()));
    }
    job
}
