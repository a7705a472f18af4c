//! A job: the whole flow, once. The command line, the studio and Python all build one of these.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::anonymize::{self, Anonymizer};
use crate::auto::{Auto, Choice};
use crate::hierarchy::{self, Generalization, lint};
use crate::io::{Output, ReadOptions, Source, WriteOptions, Written, write_release};
use crate::loss::Partition;
use crate::measure::{self, Attained, Recount};
use crate::method::Spec;
use crate::privacy::{KAnonymity, PrivacyModel};
use crate::problem::Problem;
use crate::progress::{Progress, Stage};
use crate::release::{IntervalStyle, Release, Style};
use crate::report::{HierarchyOutcome, Outcome};
use crate::schema::{self, Role, Schema};
use crate::table::{DateFormat, Encoding, Kind, MissingPolicy, Table};
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
    #[serde(default)]
    pub k: u64,
    /// The anonymizer.
    #[serde(default = "auto")]
    pub method: Spec,
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
            method: auto(),
            hierarchy: BTreeMap::new(),
            kind: BTreeMap::new(),
            date_format: BTreeMap::new(),
            missing: MissingPolicy::default(),
            na: Vec::new(),
            delimiter: None,
            interval_style: IntervalStyle::default(),
            drop_suppressed: false,
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
        let schema = Schema::new(header, &roles)?;
        if self.quasi.is_empty() {
            return Err(Error::invalid(
                "no quasi-identifier is named; say with --quasi which columns others may know",
            ));
        }
        for name in self.hierarchy.keys().chain(self.kind.keys()).chain(self.date_format.keys()) {
            if !self.quasi.contains(name) {
                schema::find(header, name)?;
                return Err(Error::invalid(format!(
                    "column '{name}' has a hierarchy, kind or date format but is no quasi-identifier; add it to \
                     --quasi, or leave the other out"
                )));
            }
        }
        Ok(schema)
    }

    fn reading(&self, keep_rows: bool) -> ReadOptions {
        let encoding = Encoding {
            na: self.na.clone(),
            missing: self.missing,
            kinds: self.kind.clone(),
            date_formats: self.date_format.clone(),
        };
        ReadOptions { encoding, keep_rows, threads: self.threads }
    }

    fn writing(&self) -> WriteOptions {
        WriteOptions {
            drop_suppressed: self.drop_suppressed,
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

/// Reads, anonymizes, writes, and counts again what was written.
pub fn run(job: &Job, progress: &dyn Progress) -> Result<Outcome> {
    if job.output.as_os_str().is_empty() || job.k == 0 {
        return Err(Error::invalid(
            "the job does not say where to write (output, or -o FILE) or for which k (k, or -k 5)",
        ));
    }
    let model = KAnonymity::new(job.k)?;
    let anonymizer = anonymize::from_spec(&job.method)?;
    let method = anonymize::resolve(&job.method);
    let own = own_hierarchy(job, anonymizer.as_ref())?;
    let source = Source::open(&job.input, delimiter_byte(job.delimiter)?)?;
    let schema = job.schema(source.header())?;
    if is_same_file(&job.input, &job.output) {
        return Err(Error::file(
            &job.output,
            "this is the input; name another file for the release",
        ));
    }
    let output = Output::create_table(&job.output, job.force)?;

    progress.stage(Stage::Read);
    let table = source.read(&job.quasi, &job.reading(anonymizer.needs_rows()), progress)?;

    progress.stage(Stage::Hierarchies);
    let auto = Auto { k: job.k, seed: job.seed, needs_levels: false };
    let asked = match &own {
        Some(own) => job.quasi.iter().map(|name| (name.clone(), own.clone())).collect(),
        None => job.hierarchy.clone(),
    };
    let choices = auto.choose(&table, &asked, progress)?;
    let hierarchies = describe(&table, &choices);
    let generalizations: Vec<_> = choices.into_iter().map(|c| c.generalization).collect();
    let warnings = warnings(source.header(), &generalizations);
    let problem = Problem::new(&table, generalizations, vec![Box::new(model)])?;

    progress.stage(Stage::Search);
    let recoding = anonymizer.anonymize(&problem, progress)?;
    recoding.check(&problem)?;
    let release = Release::new(&problem, &recoding, &Style { intervals: job.interval_style });
    let partition = Partition::of(&problem, &recoding);
    let (loss, release_loss) = (partition.losses(), release.merge(&partition).losses());
    drop(partition); // writing needs memory of its own

    let publication = Publication { job, source: &source, schema: &schema, table: &table };
    let (shown, recount, privacy) = publication.publish(&release, &model, output, progress)?;
    let sets = if own.is_some() { measure::sets(&table, &shown) } else { BTreeMap::new() };
    Ok(Outcome {
        rows: table.n_rows(),
        released: recount.n_rows,
        suppressed: recoding.n_suppressed(),
        dropped: table.n_rows() - table.cohorts().n_records(),
        classes: recount.sizes.len(),
        smallest_class: recount.smallest(),
        method: method.to_string(),
        seed: job.seed,
        quasi: job.quasi.clone(),
        privacy: vec![privacy],
        hierarchies,
        warnings,
        loss,
        release_loss,
        sets: sets.into_iter().map(|(column, sets)| (column, sets.losses())).collect(),
    })
}

/// The hierarchy method that the anonymizer insists on; then no other may be asked for.
fn own_hierarchy(job: &Job, anonymizer: &dyn Anonymizer) -> Result<Option<Spec>> {
    let own = anonymizer.hierarchy();
    match (&own, job.hierarchy.iter().next()) {
        (Some(spec), Some((column, asked))) => Err(Error::invalid(format!(
            "method '{}' makes its own hierarchy, '{spec}', but --hierarchy {column}={asked} asks for \
             another; leave that out, or use it with --method k-member",
            job.method
        ))),
        _ => Ok(own),
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| path.canonicalize().ok();
    full(one).is_some() && full(one) == full(other)
}

/// What the writing of a release goes by.
struct Publication<'a> {
    job: &'a Job,
    source: &'a Source,
    schema: &'a Schema,
    table: &'a Table,
}

impl Publication<'_> {
    /// A quasi-identifier in two columns must not get the name of another.
    fn check_names(&self, release: &Release<'_>) -> Result<()> {
        let mut new = (0..self.job.quasi.len()).flat_map(|i| release.columns(i));
        let is_taken =
            |name: &&String| !self.job.quasi.contains(name) && self.schema.names().contains(name);
        match new.find(is_taken) {
            None => Ok(()),
            Some(name) => Err(Error::invalid(format!(
                "the input has a column '{name}' already, which --interval-style bounds would write; \
                 rename it, or choose another style"
            ))),
        }
    }

    /// Writes a release, counts what was written, and only then gives the file its name.
    fn publish(
        &self,
        release: &Release<'_>,
        model: &dyn PrivacyModel,
        mut output: Output,
        progress: &dyn Progress,
    ) -> Result<(Table, Recount, Attained)> {
        let Self { job, source, schema, table } = *self;
        progress.stage(Stage::Write);
        self.check_names(release)?;
        let options = job.writing();
        let written =
            write_release((source, schema), (table, release), &options, &mut output, progress)?;

        progress.stage(Stage::Verify);
        let columns: Vec<String> =
            (0..job.quasi.len()).flat_map(|i| release.columns(i).to_vec()).collect();
        let written_file = Source::open(output.temporary_path(), Some(source.delimiter()))?;
        let shown = read_release(&written_file, &columns, job.threads, progress)?;
        let recount = Recount::of(&shown, job.k);
        let privacy = hold(model, &recount, written)?;
        output.finish()?;
        Ok((shown, recount, privacy))
    }
}

/// What the written file attains, or an error if that is less than it claims.
fn hold(model: &dyn PrivacyModel, recount: &Recount, written: Written) -> Result<Attained> {
    let privacy = Attained::of(model, &recount.sizes);
    let is_whole = recount.n_rows == written.n_rows && recount.n_suppressed <= written.n_suppressed;
    if privacy.holds(recount.sizes.len()) && is_whole {
        return Ok(privacy);
    }
    Err(Error::Internal(format!(
        "the written file has {} records and classes of {} or more, not {} and {}",
        recount.n_rows, privacy.attained, written.n_rows, privacy.asked
    )))
}

/// What is odd about the input: a first line that may be a record, ranges that are not true.
fn warnings(header: &[String], built: &[Generalization]) -> Vec<String> {
    let first_line = schema::looks_like_data(header).map(|name| {
        format!(
            "a column is called '{name}': is the first line a record? Then it is published as it \
             is; add a header line to the input"
        )
    });
    let trees = built.iter().filter_map(Generalization::hierarchy);
    let untrue = trees.filter_map(|tree| {
        let first = lint::misplaced_value(tree)?;
        let column = tree.attribute();
        Some(format!("hierarchy of '{column}': {first}, so the release says what is not true"))
    });
    first_line.into_iter().chain(untrue).collect()
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

/// Reads the quasi-identifiers of a release as the texts that they show.
pub fn read_release(
    source: &Source,
    quasi: &[String],
    threads: usize,
    progress: &dyn Progress,
) -> Result<Table> {
    let kinds = quasi.iter().map(|name| (name.clone(), Kind::Text)).collect();
    let encoding = Encoding { kinds, ..Encoding::default() };
    source.read(quasi, &ReadOptions { encoding, keep_rows: false, threads }, progress)
}

/// Checks a release against privacy models, from the file alone.
pub fn verify(release: &Table, models: &[Box<dyn PrivacyModel>]) -> (Recount, Vec<Attained>) {
    let least_size = models.iter().map(|model| model.least_size()).max().unwrap_or(1);
    let recount = Recount::of(release, least_size);
    let attained = models.iter().map(|model| Attained::of(model.as_ref(), &recount.sizes));
    let attained = attained.collect();
    (recount, attained)
}
