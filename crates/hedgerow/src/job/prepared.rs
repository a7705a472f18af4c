//! An input that is read once for any number of jobs, which are measured without writing a release.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::certified;
use super::concluded::Concluded;
use super::plan::Plan;
use super::{Job, check};
use crate::error::Misuse;
use crate::io::Source;
use crate::progress::{Progress, Stage};
use crate::publish::Publication;
use crate::report::Outcome;
use crate::risk::{self, Side};
use crate::schema::Schema;
use crate::study::{Basis, Study};
use crate::table::{Columns, Table};
use crate::{Error, Result};

/// A table in memory, with everything that jobs on it share: hierarchies, the population, and the
/// risk of the original.
///
/// # Examples
///
/// ```
/// use hedgerow::io::Source;
/// use hedgerow::job::{Job, Prepared};
/// use hedgerow::progress::Silent;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("people.csv");
/// std::fs::write(&path, "age,sex\n31,F\n32,F\n40,M\n41,M\n45,F\n").unwrap();
/// let quasi = vec!["age".to_owned(), "sex".to_owned()];
/// let jobs = [2, 3].map(|k| Job::new(path.clone(), "".into(), quasi.clone(), k));
/// let prepared = Prepared::read(&jobs, Source::open(&path, None)?, &Silent)?;
/// for job in &jobs {
///     let outcome = prepared.run(job, &Silent)?;
///     assert!(outcome.smallest_class >= job.k);
/// }
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug)]
pub struct Prepared {
    source: Source,
    /// A job that only says how the table was read.
    read_like: Job,
    grounds: Vec<Ground>,
}

/// Records that jobs run on.
#[derive(Debug)]
struct Ground {
    columns: Columns,
    basis: Basis,
    /// The risk of the records as they are, once it was assessed; `None` if that failed. Grounds
    /// with the same records share it.
    before: Arc<OnceLock<Option<Side>>>,
    /// Samples of the records by seed, as many as may be kept.
    samples: Mutex<BTreeMap<u64, Arc<Drawn>>>,
}

/// A sample, once it is drawn.
type Drawn = Mutex<Option<Arc<Ground>>>;

/// Number of values in all samples that are kept for other jobs: 64 MiB of codes. Further samples
/// are drawn again for each job.
const MOST_KEPT: usize = 1 << 24;

/// The plan of a job, and the roles that it assigns.
struct Asked {
    plan: Plan,
    schema: Schema,
}

impl Asked {
    fn columns(&self) -> Columns {
        self.plan.columns(&self.schema)
    }
}

impl Ground {
    fn new(columns: Columns, basis: Basis) -> Self {
        Self { columns, basis, before: Arc::default(), samples: Mutex::default() }
    }

    /// The same, with the risk that another ground with the same population assesses.
    fn sharing(self, others: &[Self]) -> Self {
        let has_population = |ground: &Self| ground.basis.population().is_some();
        let is_same = |other: &&Self| has_population(other) == has_population(&self);
        match others.iter().find(is_same) {
            Some(other) => Self { before: Arc::clone(&other.before), ..self },
            None => self,
        }
    }

    /// The risk of the records as they are, for jobs on them. Jobs that run at the same time wait for
    /// the first one that asks.
    fn before(&self, job: &Job) -> Option<&Side> {
        let assess = || {
            let extent = job.extent(self.basis.population());
            let request = risk::Request::new(self.basis.table());
            let request = request.extent(extent).thresholds(&job.threshold);
            // The run of the job reports the error.
            risk::assess(&request).ok().map(|assessed| assessed.original)
        };
        self.before.get_or_init(assess).as_ref()
    }

    /// A bootstrap sample of the records.
    fn sample(&self, seed: u64, progress: &dyn Progress) -> Result<Arc<Self>> {
        let Some(drawn) = self.kept_sample(seed) else {
            return self.draw(seed, progress).map(Arc::new);
        };
        // Only jobs that want this sample wait for it.
        let mut drawn = drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*drawn {
            return Ok(Arc::clone(known));
        }
        Ok(Arc::clone(drawn.insert(Arc::new(self.draw(seed, progress)?))))
    }

    /// The place where the sample of a seed is kept; `None` if too many are kept already.
    fn kept_sample(&self, seed: u64) -> Option<Arc<Drawn>> {
        let cohorts = self.basis.table().cohorts();
        // A sample has at most as many cohorts as the table.
        let most = MOST_KEPT / (cohorts.len() * cohorts.width).max(1);
        let mut samples = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = samples.len() < most;
        match samples.get(&seed) {
            Some(drawn) => Some(Arc::clone(drawn)),
            None if has_room => Some(Arc::clone(samples.entry(seed).or_default())),
            None => None,
        }
    }

    fn draw(&self, seed: u64, progress: &dyn Progress) -> Result<Self> {
        let table = self.basis.table().bootstrap(seed);
        let basis = self.basis.of_others(table, self.basis.population().cloned(), progress)?;
        Ok(Self::new(self.columns.clone(), basis))
    }
}

impl Prepared {
    /// Reads a table once, with every set of columns that the jobs need. The jobs must agree on
    /// everything that concerns reading, on roles and on the population; the first decides.
    ///
    /// # Errors
    ///
    /// Those of reading, [`Error::Invalid`] without jobs, and [`Error::UnknownColumn`] if a job
    /// names a column that the table does not have. A job that cannot be planned is an error only
    /// when it is [run](Prepared::run).
    pub fn read(jobs: &[Job], source: Source, progress: &dyn Progress) -> Result<Self> {
        let first = jobs.first().ok_or_else(|| Error::invalid("there is no job to prepare for"))?;
        let plans: Vec<(&Job, Plan)> =
            jobs.iter().filter_map(|job| Some((job, plan(job).ok()?))).collect();
        let mut groups: Vec<Columns> = Vec::new();
        for (job, plan) in &plans {
            let columns = plan.columns(&job.schema(source.header(), &plan.claims())?);
            if !groups.contains(&columns) {
                groups.push(columns);
            }
        }
        if groups.is_empty() {
            groups.push(Columns { person: first.person.clone(), ..Columns::quasi(&first.quasi) });
        }
        progress.stage(Stage::Read);
        let needs_rows = plans.iter().any(|(_, plan)| plan.needs_rows);
        let tables = source.read_each(&groups, &first.reading(needs_rows), progress)?;
        let with_population =
            plans.iter().map(|(job, _)| *job).find(|job| job.population.is_some());
        let population = match (with_population, tables.first()) {
            (Some(job), Some(table)) => job.read_population(table, progress)?,
            _ => None,
        };
        let mut grounds: Vec<Ground> = Vec::new();
        for (columns, table) in groups.into_iter().zip(tables) {
            // Models that do not look at the population are run without it.
            for population in
                [None, population.clone()].into_iter().take(1 + usize::from(population.is_some()))
            {
                let basis = match grounds.first() {
                    Some(first) => first.basis.of_others(table.clone(), population, progress)?,
                    None => Basis::new(table.clone(), population, progress)?,
                };
                let ground = Ground::new(columns.clone(), basis).sharing(&grounds);
                grounds.push(ground);
            }
        }
        let population = with_population.and_then(|job| job.population.as_ref());
        let read_like = read_like(first, population);
        Ok(Self { source, read_like, grounds })
    }

    /// Runs a job on all records. The output of the job is ignored: nothing is written.
    ///
    /// The figures are those of [`run`](super::run) with the same job, but sampling weights are
    /// ignored. Columns without a role are not looked at, because nothing is published.
    ///
    /// # Errors
    ///
    /// Those of [`run`](super::run), and [`Error::Misuse`] for a job that needs other columns than
    /// those that were read, or the same ones read in another way.
    pub fn run(&self, job: &Job, progress: &dyn Progress) -> Result<Outcome> {
        let asked = self.asked(job)?;
        let ground = self.ground(job, &asked.columns())?;
        self.measured(job, asked, ground, progress)
    }

    /// Runs a job on a bootstrap sample: as many records as the table has, drawn with replacement
    /// ([`Table::bootstrap`]). The same seed gives the same sample to all jobs with the same
    /// columns.
    ///
    /// Hierarchies are those of the whole table.
    ///
    /// # Errors
    ///
    /// Those of [`Prepared::run`].
    pub(crate) fn run_on_sample(
        &self,
        job: &Job,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Outcome> {
        let asked = self.asked(job)?;
        let sample = self.ground(job, &asked.columns())?.sample(seed, progress)?;
        self.measured(job, asked, &sample, progress)
    }

    /// The table, with the columns of the first job that could be planned.
    pub fn table(&self) -> &Table {
        self.grounds[0].basis.table()
    }

    /// The file that the table was read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The hierarchies that were built for its columns.
    pub(crate) fn basis(&self) -> &Basis {
        &self.grounds[0].basis
    }

    fn asked(&self, job: &Job) -> Result<Asked> {
        let plan = plan(job)?;
        let schema = job.schema(self.source.header(), &plan.claims())?;
        Ok(Asked { plan, schema })
    }

    fn ground(&self, job: &Job, columns: &Columns) -> Result<&Ground> {
        let has_population = job.population.is_some();
        // A job without a population runs on the records alone.
        let population = if has_population { &job.population } else { &self.read_like.population };
        if read_like(job, population.as_ref()) != self.read_like {
            return Err(Error::misuse(Misuse::ReadOtherwise));
        }
        let is_apt = |ground: &&Ground| {
            ground.columns == *columns && ground.basis.population().is_some() == has_population
        };
        self.grounds.iter().find(is_apt).ok_or_else(|| Error::misuse(Misuse::ColumnsNotRead))
    }

    fn measured(
        &self,
        job: &Job,
        Asked { plan, schema }: Asked,
        ground: &Ground,
        progress: &dyn Progress,
    ) -> Result<Outcome> {
        // Weights are those of records of the file, which a sample draws again.
        let job = &Job { weights: None, ..job.clone() };
        // Before the first stage, so that the time of no job has shared work.
        let before = ground.before(job);
        let study = Study::on(&ground.basis, plan.demands, progress)?;
        let searched = certified::search(job, &plan.method, &study, progress)?;
        progress.stage(Stage::Verify);
        let (source, schema, options) = (&self.source, &schema, &job.writing());
        let publication = Publication { study: &study, source, schema, na: &job.na, options };
        let counted = publication.count(&searched.release, progress)?;
        let concluded = Concluded {
            job,
            publication: &publication,
            searched: &searched,
            looked: None,
            has_sets: plan.has_own_hierarchy,
            before,
        };
        Ok(concluded.outcome(&counted, Vec::new()))
    }
}

/// Keeps only the options of a job that decide which values and records are read.
fn read_like(job: &Job, population: Option<&PathBuf>) -> Job {
    let job = job.clone();
    Job {
        population: population.cloned(),
        // The risk of the original, which depends on these, is computed once for all jobs.
        sampling_fraction: job.sampling_fraction,
        weights: job.weights,
        threshold: job.threshold,
        kind: job.kind,
        date_format: job.date_format,
        missing: job.missing,
        na: job.na,
        na_detect: job.na_detect,
        decimal: job.decimal,
        delimiter: job.delimiter,
        encoding: job.encoding,
        no_header: job.no_header,
        header: job.header,
        sheet: job.sheet,
        ..Job::default()
    }
}

/// Plans a job that needs no output.
fn plan(job: &Job) -> Result<Plan> {
    check::is_complete(job, false)?;
    Plan::of(job)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    #[test]
    fn the_risk_of_the_original_is_assessed_once_for_all_sets_of_columns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("people.csv");
        std::fs::write(&path, "age,ill\n31,flu\n32,cold\n40,flu\n41,gout\n").unwrap();
        let plain = Job::new(path.clone(), "".into(), vec!["age".to_owned()], 2);
        let diverse = Job {
            sensitive: vec!["ill".to_owned()],
            privacy: vec!["l-diversity:l=2".parse().unwrap()],
            ..plain.clone()
        };
        let jobs = [plain, diverse];
        let source = Source::open(&path, None).unwrap();
        let prepared = Prepared::read(&jobs, source, &Silent).unwrap();
        assert_eq!(prepared.grounds.len(), 2);
        let first = prepared.run(&jobs[0], &Silent).unwrap();
        let known = |ground: &Ground| ground.before.get().cloned().flatten();
        let risk = first.risk.unwrap().original;
        assert_eq!(
            prepared.grounds.iter().map(known).collect::<Vec<_>>(),
            [Some(risk.clone()), Some(risk.clone())]
        );
        assert_eq!(prepared.run(&jobs[1], &Silent).unwrap().risk.unwrap().original, risk);
    }
}
