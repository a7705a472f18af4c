//! A job: the whole flow, once. The command line builds one of these, and so does who uses the library.

mod asked;
mod check;
mod claims;
mod publication;
mod share;
mod warnings;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::claims::Claims;
use self::publication::{Publication, like};
pub use self::publication::{ReleaseColumns, read_release};
pub use self::share::Share;
use self::warnings::warnings;

use crate::anonymize::{self, Anonymizer};
use crate::auto::{Auto, Choice};
use crate::hierarchy::{self, Generalization};
use crate::io::{Output, ReadOptions, Source, WriteOptions};
use crate::loss::Partition;
use crate::measure::{self, Recount};
use crate::method::{Spec, Text};
use crate::population::{Population, Weights};
use crate::privacy::{PrivacyModel, Secret};
use crate::problem::{self, Limits, Problem, not_limited};
use crate::progress::{Progress, Stage};
use crate::recoding::Recoding;
use crate::release::{IntervalStyle, Release, Style};
use crate::report::{HierarchyOutcome, Outcome};
use crate::schema::{self, Role, Schema};
use crate::table::{Column, DateFormat, Encoding, Kind, MissingPolicy, Table};
use crate::{Error, Result};

/// Everything `anonymize` is told, as a job file says it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Job {
    /// The table.
    pub input: PathBuf,
    /// The release; a name that ends in `.gz` is packed.
    #[serde(default)]
    pub output: PathBuf,
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// Sensitive columns, published as they are.
    #[serde(default)]
    pub sensitive: Vec<String>,
    /// Identifiers, left out of the release.
    #[serde(default)]
    pub identifier: Vec<String>,
    /// What a learner is to predict, published as it is.
    #[serde(default)]
    pub class: Option<String>,
    /// The least number of records of a class; at least 1.
    #[serde(default, deserialize_with = "asked::k")]
    pub k: u64,
    /// Privacy models besides k-anonymity.
    #[serde(default)]
    pub privacy: Vec<Spec>,
    /// The population that the table is a sample of, with the same quasi-identifiers.
    #[serde(default)]
    pub population: Option<PathBuf>,
    /// The share of the records that may be suppressed.
    #[serde(default)]
    pub suppress: Share,
    /// How far values may be generalized at most: labels of nodes, or `level:N`, by column.
    #[serde(default)]
    pub limit: BTreeMap<String, Vec<String>>,
    /// The anonymizer.
    #[serde(default = "auto")]
    pub method: Spec,
    /// What a method with the choice minimises.
    #[serde(default)]
    pub loss: Option<String>,
    /// The point of its trace at which a method with one stops.
    #[serde(default)]
    pub until: Option<Text>,
    /// After how many seconds the caller's [`Progress`] ends the search of a method that can.
    #[serde(default)]
    pub time: Option<f64>,
    /// Hierarchy methods or files by column; a column not named gets what suits its kind.
    #[serde(default)]
    pub hierarchy: BTreeMap<String, Spec>,
    /// Kinds that are given instead of inferred, by column.
    #[serde(default)]
    pub kind: BTreeMap<String, Kind>,
    /// How dates are written, by column.
    #[serde(default)]
    pub date_format: BTreeMap<String, DateFormat>,
    /// What a missing value means.
    #[serde(default)]
    pub missing: MissingPolicy,
    /// Spellings of a missing value, besides the empty one.
    #[serde(default)]
    pub na: Vec<String>,
    /// The delimiter of a CSV file; found out when not given.
    #[serde(default)]
    pub delimiter: Option<char>,
    /// How intervals are written.
    #[serde(default)]
    pub interval_style: IntervalStyle,
    /// Leaves suppressed records out instead of publishing them as `*`.
    #[serde(default)]
    pub drop_suppressed: bool,
    /// Where the steps of the search are written, if the method keeps them.
    #[serde(default)]
    pub trace: Option<PathBuf>,
    /// Keeps the order of the input.
    #[serde(default)]
    pub keep_order: bool,
    /// Replaces an output that exists.
    #[serde(default)]
    pub force: bool,
    /// What decides random choices.
    #[serde(default)]
    pub seed: u64,
    /// How many threads read and write; 0 counts as 1.
    #[serde(default)]
    pub threads: usize,
}

fn auto() -> Spec {
    Spec::named("auto")
}

impl Job {
    /// A job that says no more than it must.
    pub fn new(input: PathBuf, output: PathBuf, quasi: Vec<String>, k: u64) -> Self {
        Self {
            input,
            output,
            quasi,
            sensitive: Vec::new(),
            identifier: Vec::new(),
            class: None,
            k,
            privacy: Vec::new(),
            population: None,
            suppress: Share::default(),
            limit: BTreeMap::new(),
            method: auto(),
            loss: None,
            until: None,
            time: None,
            hierarchy: BTreeMap::new(),
            kind: BTreeMap::new(),
            date_format: BTreeMap::new(),
            missing: MissingPolicy::default(),
            na: Vec::new(),
            delimiter: None,
            interval_style: IntervalStyle::default(),
            drop_suppressed: false,
            trace: None,
            keep_order: false,
            force: false,
            seed: 0,
            threads: 0,
        }
    }

    /// Reads a job file; its relative paths start where the file is.
    pub fn from_file(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::io("open", path))?;
        let mut job: Self = toml::from_str(&text)
            .map_err(|error| Error::file(path, format!("this is no job; {error}")))?;
        let base = path.parent().unwrap_or(Path::new(""));
        job.input = base.join(&job.input);
        if !job.output.as_os_str().is_empty() {
            job.output = base.join(&job.output);
        }
        job.population = job.population.map(|path| base.join(path));
        for spec in &mut job.privacy {
            *spec = spec.clone().in_directory(base);
        }
        job.trace = job.trace.map(|trace| base.join(trace));
        for spec in job.hierarchy.values_mut() {
            *spec = hierarchy::from_directory(spec, base);
        }
        Ok(job)
    }

    /// The roles that the job gives.
    fn schema(&self, header: &[String]) -> Result<Schema> {
        let mut roles: Vec<(&str, Role)> = Vec::new();
        roles.extend(self.quasi.iter().map(|name| (name.as_str(), Role::Quasi)));
        roles.extend(self.sensitive.iter().map(|name| (name.as_str(), Role::Sensitive)));
        roles.extend(self.identifier.iter().map(|name| (name.as_str(), Role::Identifier)));
        roles.extend(self.class.iter().map(|name| (name.as_str(), Role::Class)));
        let guards = self.claims().guards()?;
        for guard in &guards {
            match roles.iter().find(|(name, _)| name == guard) {
                None => roles.push((guard, Role::Identifier)), // a wish is nobody's business
                Some((_, Role::Sensitive | Role::Identifier)) => {}
                Some((_, role)) => {
                    return Err(Error::invalid(format!(
                        "column '{guard}' says what records guard, but is named as {}; leave it out there",
                        role.name()
                    )));
                }
            }
        }
        let schema = Schema::new(header, &roles)?;
        if self.quasi.is_empty() {
            return Err(Error::invalid(
                "no quasi-identifier is named; say with --quasi which columns others may know",
            ));
        }
        let looked_at = self.claims().columns()?;
        for name in self.hierarchy.keys().chain(self.kind.keys()).chain(self.date_format.keys()) {
            if !self.quasi.contains(name) && !looked_at.contains(name) {
                schema::find(header, name)?;
                return Err(Error::invalid(format!(
                    "column '{name}' has a hierarchy, kind or date format but is no quasi-identifier, and no \
                     privacy model looks at it; add it to --quasi, ask for a model such as --l-diversity 3, or \
                     leave the other out"
                )));
            }
        }
        if let Some(name) = self.limit.keys().find(|name| !self.quasi.contains(name)) {
            schema::find(header, name)?;
            return Err(not_limited(name));
        }
        Ok(schema)
    }

    /// What the release must hold.
    fn claims(&self) -> Claims<'_> {
        Claims {
            k: self.k,
            privacy: &self.privacy,
            sensitive: &self.sensitive,
            hierarchy: &self.hierarchy,
            has_population: self.population.is_some(),
        }
    }

    /// The models; there must be enough records for those that only count them.
    fn models(&self, table: &Table) -> Result<Vec<Box<dyn PrivacyModel>>> {
        let models = self.claims().models(table)?;
        let n_records = table.cohorts().n_records();
        if n_records > 0 {
            let of_sizes = models.iter().filter(|model| model.secret().is_none());
            of_sizes
                .map(AsRef::as_ref)
                .try_for_each(|model| problem::check_size(model, n_records))?;
        }
        Ok(models)
    }

    /// The columns that are read beside the quasi-identifiers: those that models look at, and the
    /// class.
    fn beside(&self) -> Result<Vec<String>> {
        let mut beside = self.claims().columns()?;
        beside.extend(self.class.clone());
        Ok(beside)
    }

    /// Reads the population the way the table was read.
    fn read_population(
        &self,
        table: &Table,
        progress: &dyn Progress,
    ) -> Result<Option<Population>> {
        let Some(path) = &self.population else {
            return Ok(None);
        };
        if !matches!(self.interval_style, IntervalStyle::Brackets | IntervalStyle::Dash) {
            return Err(Error::invalid(
                "whom a class stands for in a population is read off its intervals, which \
                 --interval-style midpoint and bounds do not show; choose brackets or dash",
            ));
        }
        let source = Source::open(path, delimiter_byte(self.delimiter)?)?;
        let columns: Vec<&Column> = table.columns().iter().collect();
        let encoding = Encoding { missing: self.missing, ..like(&columns, &self.na) };
        let options = ReadOptions { encoding, keep_rows: false, threads: self.threads };
        let read = source.read(&self.quasi, &options, progress);
        let table = read.map_err(|error| match error {
            Error::Invalid(_) | Error::UnknownColumn { .. } => Error::file(path, error.to_string()),
            other => other,
        })?;
        Ok(Some(Population::new(table)))
    }

    fn limits(&self, table: &Table, weights: Option<Weights>) -> Result<Limits> {
        let class = self.class.as_ref().map(|class| Secret::of(table, class)).transpose()?;
        Ok(Limits {
            most_suppressed: self.suppress.of(table.cohorts().n_records()),
            seed: self.seed,
            class: class.map(Arc::new),
            caps: self.limit.clone(),
            weights: weights.map_or_else(Vec::new, |weights| weights.of_cohort),
        })
    }

    fn reading(&self, n_beside: usize, keep_rows: bool) -> ReadOptions {
        let encoding = Encoding {
            n_beside,
            na: self.na.clone(),
            missing: self.missing,
            kinds: self.kind.clone(),
            date_formats: self.date_format.clone(),
            is_release: false,
        };
        ReadOptions { encoding, keep_rows, threads: self.threads }
    }

    /// Whether suppressed records are left out: if that is asked for, and always if a model looks at
    /// sensitive values, which these records would show without company.
    fn drops_suppressed(&self, problem: &Problem<'_>) -> bool {
        self.drop_suppressed || problem.goal().looks_at_secrets()
    }

    fn writing(&self, problem: &Problem<'_>) -> WriteOptions {
        WriteOptions {
            drop_suppressed: self.drops_suppressed(problem),
            keep_order: self.keep_order,
            seed: self.seed,
            threads: self.threads,
        }
    }
}

/// One byte for a delimiter that people write as a character.
pub fn delimiter_byte(delimiter: Option<char>) -> Result<Option<u8>> {
    let Some(delimiter) = delimiter else {
        return Ok(None);
    };
    let byte = u8::try_from(delimiter).ok().filter(|&byte| byte.is_ascii() && byte != b'"');
    byte.map(Some).ok_or_else(|| {
        Error::invalid(format!("the delimiter '{delimiter}' is not a single ASCII character"))
    })
}

/// Said of suppressed records where a model looks at sensitive values.
fn left_out(job: &Job, problem: &Problem<'_>, recoding: &Recoding) -> Option<String> {
    let is_asked = job.drop_suppressed || !job.drops_suppressed(problem);
    (!is_asked && recoding.n_suppressed() > 0).then(|| {
        "suppressed records are left out of the release: their sensitive values would stand there \
         without company"
            .to_owned()
    })
}

/// Reads, anonymizes, writes, and counts again what was written.
pub fn run(job: &Job, progress: &dyn Progress) -> Result<Outcome> {
    check::is_complete(job)?;
    let beside = job.beside()?;
    let method = asked::method(job)?;
    let anonymizer = anonymize::named(&method)?;
    let anonymizer = anonymizer.as_deref();
    let own = anonymizer.and_then(Anonymizer::hierarchy);
    let asked = asked_hierarchies(job, own.as_ref())?;
    let source = Source::open(&job.input, delimiter_byte(job.delimiter)?)?;
    let schema = job.schema(source.header())?;
    let (output, trace) = check::outputs(job)?;

    progress.stage(Stage::Read);
    let columns = [job.quasi.as_slice(), &beside].concat();
    let reading = job.reading(beside.len(), anonymizer.is_some_and(Anonymizer::needs_rows));
    let table = source.read(&columns, &reading, progress)?;

    progress.stage(Stage::Hierarchies);
    let models = job.models(&table)?;
    let needs_levels = anonymizer.is_some_and(Anonymizer::needs_levels);
    let auto = Auto { k: job.k, seed: job.seed, needs_levels };
    let choices = auto.choose(&table, &asked, progress)?;
    let hierarchies = describe(&table, &choices);
    let generalizations: Vec<_> = choices.into_iter().map(|c| c.generalization).collect();
    let population = job.read_population(&table, progress)?;
    let weights = population.as_ref().map(|population| population.weights(&table));
    let mut warnings = warnings(job, source.header(), &generalizations, weights.as_ref())?;
    let problem =
        Problem::with_limits(&table, generalizations, models, job.limits(&table, weights)?)?;

    progress.stage(Stage::Search);
    let (method, mut recoding) = anonymize::run(&method, &problem, progress)?;
    let trace = trace.map(|file| file.with(trace_of(&mut recoding, &method)?.as_bytes()));
    let trace = trace.transpose()?;
    let release = Release::new(&problem, &recoding, &Style { intervals: job.interval_style });
    let [loss, release_loss] = losses(&Partition::of(&problem, &recoding), &release);

    let (source, schema, problem) = (&source, &schema, &problem);
    let publication = Publication { job, source, schema, problem, population: population.as_ref() };
    let (shown, recount) = publication.publish((&release, &recoding), output, progress)?;
    trace.map_or(Ok(()), Output::finish)?;
    warnings.extend(publication.refuted(&shown));
    let notes = std::mem::take(&mut recoding.notes).into_iter();
    let sets = if own.is_some() { measure::sets(&table, &shown) } else { BTreeMap::new() };
    Ok(Outcome {
        rows: table.n_rows(),
        released: recount.n_rows,
        suppressed: recoding.n_suppressed(),
        show_nothing: show_nothing(problem, &recoding, &recount),
        dropped: table.n_rows() - table.cohorts().n_records(),
        classes: recount.sizes.len(),
        smallest_class: recount.smallest(),
        method: method.to_string(),
        seed: job.seed,
        quasi: job.quasi.clone(),
        privacy: recount.privacy,
        notes: notes.chain(left_out(job, problem, &recoding)).collect(),
        hierarchies,
        warnings,
        loss,
        release_loss,
        sets: sets.into_iter().map(|(column, sets)| (column, sets.losses())).collect(),
    })
}

/// How many records show nothing though the method did not suppress them.
fn show_nothing(problem: &Problem<'_>, recoding: &Recoding, recount: &Recount) -> u64 {
    let n_left_out = problem.cohorts().n_records() - recount.n_rows;
    (recount.n_suppressed + n_left_out).saturating_sub(recoding.n_suppressed())
}

/// The hierarchies that are asked for: those of the job, or the one that the method insists on.
fn asked_hierarchies(job: &Job, own: Option<&Spec>) -> Result<BTreeMap<String, Spec>> {
    let mut of_job = job.hierarchy.iter().filter(|(column, _)| job.quasi.contains(column));
    match (own, of_job.clone().next()) {
        (Some(spec), Some((column, asked))) => Err(Error::invalid(format!(
            "method '{}' makes its own hierarchy, '{spec}', but --hierarchy {column}={asked} asks for \
             another; leave that out, or use it with --method k-member",
            job.method
        ))),
        (Some(own), None) => {
            Ok(job.quasi.iter().map(|column| (column.clone(), own.clone())).collect())
        }
        (None, _) => Ok(of_job.by_ref().map(|(name, spec)| (name.clone(), spec.clone())).collect()),
    }
}

/// The losses of a partition, and of what a reader of the release sees of it.
fn losses(partition: &Partition, release: &Release<'_>) -> [BTreeMap<&'static str, f64>; 2] {
    let loss = partition.losses();
    match release.merge(partition) {
        Cow::Borrowed(_) => [loss.clone(), loss],
        Cow::Owned(merged) => [loss, merged.losses()],
    }
}

/// The steps of the search, which must have kept them.
fn trace_of(recoding: &mut Recoding, method: &Spec) -> Result<String> {
    recoding.trace.take().ok_or_else(|| {
        Error::invalid(format!(
            "method '{}' keeps no trace of its steps; leave --trace out, or take bottom-up or top-down",
            method.name
        ))
    })
}

fn describe(table: &Table, choices: &[Choice]) -> BTreeMap<String, HierarchyOutcome> {
    let columns = table.columns().iter().zip(choices);
    columns
        .map(|(column, Choice { generalization, why })| {
            let (nodes, height) = match generalization {
                Generalization::Tree(tree) => (tree.len(), tree.height()),
                Generalization::Levels(levels) => (levels.len(), levels.n_levels() - 1),
                Generalization::Interval(_) | Generalization::Set(_) => (0, 0),
            };
            let method = generalization.method();
            let outcome = HierarchyOutcome { method, nodes, height, why: why.clone() };
            (column.name.clone(), outcome)
        })
        .collect()
}
