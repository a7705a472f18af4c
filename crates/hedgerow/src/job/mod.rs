//! A job runs the whole flow once. The command line and callers of the library build one.

mod asked;
mod file;
mod opening;
mod roles;
mod sampled;
mod check;
mod reported;
mod extras;
pub(crate) mod guarded;
mod narrowed;
mod assessed;
mod certified;
mod rules;
mod plan;
mod concluded;
mod staged;
mod examined;
mod kept;
mod flow;
mod in_memory;
mod on_counts;
mod on_parts;
mod plan_file;
mod prepared;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

pub use self::examined::examine;
pub use self::flow::{run, run_and_keep, run_on, run_told};
pub use self::in_memory::{InMemory, run_in_memory};
pub use self::kept::Kept;
pub use self::on_counts::{Counting, Counts, Planned, run_on_counts, run_on_part};
pub use self::on_parts::{Cut, Division, Side, divide};
pub use self::opening::delimiter_byte;
pub use self::plan_file::run_on_count_file;
pub use self::prepared::Prepared;
pub use self::reported::{Audience, Sides};

use crate::builder::Asked;
use crate::charset::Charset;
use crate::edit;
use crate::error::Advice;
use crate::hierarchy::RareValues;
use crate::io::{ReadOptions, Size, WriteOptions};
use crate::method::{Scope, Spec, Text};
use crate::population::Population;
use crate::progress::Progress;
use crate::release::IntervalStyle;
use crate::study::{Demands, Share};
use crate::table::{
    Column, Columns, DateFormat, Decimal, Encoding, Kind, MissingPolicy, NaDetect, Table,
};
use crate::{Error, Result};

/// All options of `anonymize`, as in a job file.
///
/// # Examples
///
/// ```
/// use hedgerow::job;
/// use hedgerow::prelude::*;
/// # let folder = tempfile::tempdir().unwrap();
/// # let (input, output) = (folder.path().join("people.csv"), folder.path().join("release.csv"));
/// std::fs::write(&input, "age,sex\n23,F\n25,F\n41,M\n44,M\n").unwrap();
/// let quasi = vec!["age".to_owned(), "sex".to_owned()];
/// let job = Job { seed: 7, ..Job::new(input, output.clone(), quasi, 2) };
/// let outcome = job::run(&job, &Silent)?;
/// assert_eq!((outcome.released, outcome.classes), (4, 2));
/// for warning in &outcome.warnings {
///     eprintln!("{warning}");
/// }
/// assert!(std::fs::read_to_string(&output).unwrap().starts_with("age,sex\n"));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own in a job file")]
pub struct Job {
    /// Path of the input table.
    pub input: PathBuf,
    /// Path of the release, which is compressed if it ends in `.gz`.
    #[serde(default)]
    pub output: PathBuf,
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// Sensitive columns, published unchanged.
    #[serde(default)]
    pub sensitive: Vec<String>,
    /// Identifiers, omitted from the release.
    #[serde(default)]
    pub identifier: Vec<String>,
    /// The column that names the person of each record, if a person can have several. Privacy
    /// models then count people. It is omitted from the release.
    #[serde(default)]
    pub person: Option<String>,
    /// Columns that are published as they are, by decision of the user.
    #[serde(default)]
    pub keep: Vec<String>,
    /// Columns that are left out of the release.
    #[serde(default)]
    pub drop: Vec<String>,
    /// Columns about which nothing is decided yet. A job does not run while one of them has no
    /// role.
    #[serde(default)]
    pub undecided: Vec<String>,
    /// Publishes all columns without a role as they are.
    #[serde(default)]
    pub keep_others: bool,
    /// The column that a learner should predict, published unchanged.
    #[serde(default)]
    pub class: Option<String>,
    /// Minimum number of records in a class; at least 1.
    #[serde(default, deserialize_with = "asked::k")]
    pub k: u64,
    /// Privacy models besides k-anonymity.
    #[serde(default)]
    pub privacy: Vec<Spec>,
    /// The population that the table is a sample of, with the same quasi-identifiers.
    #[serde(default)]
    pub population: Option<PathBuf>,
    /// The size of the table divided by that of its population, for estimates of risk.
    #[serde(default)]
    pub sampling_fraction: Option<f64>,
    /// The column with the sampling weight of each record, for estimates of risk. It is published
    /// like any other column, by its role.
    #[serde(default)]
    pub weights: Option<String>,
    /// Risks above which records are counted; the [usual ones](crate::risk::THRESHOLDS) if empty.
    #[serde(default)]
    pub threshold: Vec<f64>,
    /// Maximum share of records that can be suppressed.
    #[serde(default)]
    pub suppress: Share,
    /// Maximum generalization by column: labels of nodes, or `level:N`.
    #[serde(default)]
    pub limit: BTreeMap<String, Vec<String>>,
    /// The anonymizer.
    #[serde(default = "auto")]
    pub method: Spec,
    /// The least uniform recoding that `auto` may choose, or that the method may do.
    #[serde(default)]
    pub recoding: Scope,
    /// The loss to minimise, for methods that have a choice.
    #[serde(default)]
    pub loss: Option<String>,
    /// The point of the trace at which to stop, for methods that have a trace.
    #[serde(default)]
    pub until: Option<Text>,
    /// Number of seconds after which to stop with the best result so far, for methods that support
    /// it; `hedge` improves its result until then. `auto` chooses what is estimated to fit into
    /// this time, 60 seconds if not given.
    #[serde(default)]
    pub time: Option<f64>,
    /// Hierarchy methods or files by column. Other columns get a hierarchy that fits their kind.
    #[serde(default)]
    pub hierarchy: BTreeMap<String, Spec>,
    /// Sources of concepts in the order in which values are looked up: files, or `wordnet`. Columns
    /// without an entry in `hierarchy` that these know are grouped by them.
    #[serde(default)]
    pub knowledge: Vec<PathBuf>,
    /// Edits of hierarchies by column: scripts that are applied to what is built or read.
    #[serde(default)]
    pub edits: BTreeMap<String, PathBuf>,
    /// Kinds by column, which replace the inferred ones.
    #[serde(default)]
    pub kind: BTreeMap<String, Kind>,
    /// Date formats by column.
    #[serde(default)]
    pub date_format: BTreeMap<String, DateFormat>,
    /// Treatment of missing values.
    #[serde(default)]
    pub missing: MissingPolicy,
    /// Spellings of a missing value, in addition to the empty text.
    #[serde(default)]
    pub na: Vec<String>,
    /// Whether the usual spellings of missing values are recognized among numbers and dates.
    #[serde(default)]
    pub na_detect: NaDetect,
    /// Decimal sign of numbers; recognized for each column if not given.
    #[serde(default)]
    pub decimal: Option<Decimal>,
    /// Delimiter of a CSV file; detected if not given.
    #[serde(default)]
    pub delimiter: Option<char>,
    /// Encoding of a CSV file; detected if not given.
    #[serde(default)]
    pub encoding: Option<Charset>,
    /// Encoding of the release; UTF-8 if not given.
    #[serde(default)]
    pub output_encoding: Option<Charset>,
    /// The CSV file has no header: columns are `column1`, `column2` and so on.
    #[serde(default)]
    pub no_header: bool,
    /// The CSV file has no header: columns have these names.
    #[serde(default)]
    pub header: Vec<String>,
    /// The sheet of a workbook that has the table; the only one with data if not given.
    #[serde(default)]
    pub sheet: Option<String>,
    /// Maximum length of a record.
    #[serde(default)]
    pub max_record: Size,
    /// Notation of intervals.
    #[serde(default)]
    pub interval_style: IntervalStyle,
    /// Omits suppressed records instead of publishing them as `*`.
    #[serde(default)]
    pub drop_suppressed: bool,
    /// Proves how near the optimum the release is.
    #[serde(default)]
    pub certificate: bool,
    /// File for the steps of the search, if the method records them.
    #[serde(default)]
    pub trace: Option<PathBuf>,
    /// File for the classes of the release: size, published cells and loss of each.
    #[serde(default)]
    pub classes: Option<PathBuf>,
    /// Folder for the hierarchies of the release.
    #[serde(default)]
    pub hierarchies: Option<PathBuf>,
    /// File for the rules of the release, which `apply` uses for the next table.
    #[serde(default)]
    pub recipe: Option<PathBuf>,
    /// File for a report to those who have the input: a page, or JSON if it ends in `.json`.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// File for a report to the public.
    #[serde(default)]
    pub report_public: Option<PathBuf>,
    /// Keeps the order of the input.
    #[serde(default)]
    pub keep_order: bool,
    /// Whether values of fewer than `k` records are published as set members and ends of intervals.
    #[serde(default)]
    pub rare_values: RareValues,
    /// Publishes groups even if their names are values of other records.
    #[serde(default)]
    pub force_labels: bool,
    /// Puts a `'` in front of cells that a spreadsheet would evaluate as formulas.
    #[serde(default)]
    pub spreadsheet_safe: bool,
    /// Replaces existing outputs.
    #[serde(default)]
    pub force: bool,
    /// Seed of the random number generator.
    #[serde(default)]
    pub seed: u64,
    /// Number of threads for reading, searching and writing; 0 means 1.
    #[serde(default)]
    pub threads: usize,
}

fn auto() -> Spec {
    Spec::named("auto")
}

/// An empty job: input, output, quasi-identifiers and `k` still have to be set.
impl Default for Job {
    fn default() -> Self {
        Self {
            input: PathBuf::new(),
            output: PathBuf::new(),
            quasi: Vec::new(),
            sensitive: Vec::new(),
            identifier: Vec::new(),
            person: None,
            keep: Vec::new(),
            drop: Vec::new(),
            undecided: Vec::new(),
            keep_others: false,
            class: None,
            k: 0,
            privacy: Vec::new(),
            population: None,
            sampling_fraction: None,
            weights: None,
            threshold: Vec::new(),
            suppress: Share::default(),
            limit: BTreeMap::new(),
            method: auto(),
            recoding: Scope::default(),
            loss: None,
            until: None,
            time: None,
            hierarchy: BTreeMap::new(),
            knowledge: Vec::new(),
            edits: BTreeMap::new(),
            kind: BTreeMap::new(),
            date_format: BTreeMap::new(),
            missing: MissingPolicy::default(),
            na: Vec::new(),
            na_detect: NaDetect::default(),
            decimal: None,
            delimiter: None,
            encoding: None,
            output_encoding: None,
            no_header: false,
            header: Vec::new(),
            sheet: None,
            max_record: Size::default(),
            interval_style: IntervalStyle::default(),
            drop_suppressed: false,
            certificate: false,
            trace: None,
            classes: None,
            hierarchies: None,
            recipe: None,
            report: None,
            report_public: None,
            keep_order: false,
            rare_values: RareValues::default(),
            force_labels: false,
            spreadsheet_safe: false,
            force: false,
            seed: 0,
            threads: 0,
        }
    }
}

impl Job {
    /// Creates a job with the required options only.
    pub fn new(input: PathBuf, output: PathBuf, quasi: Vec<String>, k: u64) -> Self {
        Self { input, output, quasi, k, ..Self::default() }
    }

    /// Returns the columns that the release does not have.
    fn left_out(&self) -> Vec<String> {
        [self.identifier.as_slice(), self.person.as_slice(), &self.drop].concat()
    }

    /// Returns the demands on the release and its hierarchies. `own` is the hierarchy that the
    /// method requires.
    fn demands(&self, method: &Spec, own: Option<&Spec>, needs_levels: bool) -> Result<Demands> {
        // `Plan` refuses a job that names a hierarchy although the method has its own, so the two
        // never meet.
        let asked = self.hierarchy.iter().map(|(name, spec)| (name.clone(), spec.clone().into()));
        let own = self.quasi.iter().filter_map(|name| Some((name.clone(), own?.clone().into())));
        let mut hierarchies: BTreeMap<String, Asked> = asked.chain(own).collect();
        for (name, path) in &self.edits {
            let edited = edit::asked(name, self.hierarchy.get(name), path)?;
            hierarchies.insert(name.clone(), edited);
        }
        Ok(Demands {
            k: self.k,
            privacy: self.privacy.clone(),
            sensitive: self.sensitive.clone(),
            distinct: BTreeMap::new(),
            class: self.class.clone(),
            suppress: self.suppress,
            limit: self.limit.clone(),
            hierarchies,
            knowledge: self.knowledge.clone(),
            method: Some(method.clone()),
            recoding: self.recoding,
            time: self.time,
            needs_levels,
            rare_values: self.rare_values,
            force_labels: self.force_labels,
            seed: self.seed,
            threads: self.threads,
        })
    }

    /// Reads the population the way the table was read.
    fn read_population(
        &self,
        table: &Table,
        progress: &dyn Progress,
    ) -> Result<Option<Population>> {
        // A table is a sample only if the job says of what.
        let Some(path) = &self.population else {
            return Ok(None);
        };
        if !self.interval_style.shows_ranges() {
            let problem = "the records of the population that a class represents are read off its \
                           intervals, which the interval styles midpoint and bounds do not show";
            let styles = ["brackets", "dash"].map(str::to_owned).to_vec();
            return Err(Error::invalid(problem).advise([Advice::OtherIntervalStyle { styles }]));
        }
        // Opened with the same delimiter and encoding: both tables usually have one origin.
        let source = self.open(path)?;
        let columns: Vec<&Column> = table.columns().iter().collect();
        // The same text must be the same value in both tables.
        let encoding = Encoding {
            missing: self.missing,
            na_detect: self.na_detect,
            ..Encoding::like(&columns, &self.na)
        };
        let options = ReadOptions { encoding, threads: self.threads, ..ReadOptions::default() };
        let read = source.read(&Columns::quasi(&self.quasi), &options, progress);
        Ok(Some(Population::new(read.map_err(|error| error.in_file(path))?)))
    }

    /// Returns the options for reading the tables of the job.
    pub fn reading(&self, keep_rows: bool) -> ReadOptions {
        let encoding = Encoding {
            na: self.na.clone(),
            na_detect: self.na_detect,
            decimal: self.decimal,
            missing: self.missing,
            kinds: self.kind.clone(),
            date_formats: self.date_format.clone(),
            ..Encoding::default()
        };
        ReadOptions { encoding, keep_rows, threads: self.threads, keep_nan: false }
    }

    fn writing(&self) -> WriteOptions {
        WriteOptions {
            drop_suppressed: self.drop_suppressed,
            keep_order: self.keep_order,
            digest: self.digest(),
            spreadsheet_safe: self.spreadsheet_safe,
            charset: self.output_encoding,
            threads: self.threads,
        }
    }

    /// Returns a digest of every option that can change the release, independent of where files
    /// are.
    ///
    /// Hierarchies and models can name files, whose paths do not affect the release; their effects
    /// are in its cells. Options with default values are left out, so that a new option does not
    /// change the digests of older jobs.
    fn digest(&self) -> u64 {
        // The digest decides the order of records; the same job in another folder must give the
        // same bytes.
        let elsewhere = Self {
            input: PathBuf::new(),
            output: PathBuf::new(),
            trace: None,
            classes: None,
            hierarchies: None,
            recipe: None,
            report: None,
            report_public: None,
            population: None,
            sampling_fraction: None,
            weights: None,
            threshold: Vec::new(),
            hierarchy: BTreeMap::new(),
            knowledge: Vec::new(),
            edits: BTreeMap::new(),
            privacy: Vec::new(),
            max_record: Size::default(),
            certificate: false,
            force: false,
            threads: 0,
            ..self.clone()
        };
        let given = elsewhere.given();
        XxHash3_64::oneshot(given.to_string().as_bytes())
    }

    /// Returns the options that differ from their defaults.
    fn given(&self) -> serde_json::Value {
        let options = |job: &Self| serde_json::to_value(job).expect("a job has a text form");
        let default = options(&Self::default());
        let mut given = options(self);
        if let (Some(given), Some(default)) = (given.as_object_mut(), default.as_object()) {
            // Compared as JSON, so that a new option needs no code here.
            given.retain(|name, option| default.get(name) != Some(option));
        }
        given
    }

    /// Returns the job as a job file that gives the same release: without options that have their
    /// default values, and without those that only say how it is run.
    pub fn to_toml(&self) -> String {
        // Outputs besides the release and the number of threads do not change it.
        let job = Self {
            certificate: false,
            report: None,
            report_public: None,
            recipe: None,
            trace: None,
            classes: None,
            force: false,
            threads: 0,
            ..self.clone()
        };
        job.to_whole_toml()
    }

    /// Returns the job as a job file with every option that differs from its default, also those
    /// that only say how it is run.
    pub fn to_whole_toml(&self) -> String {
        toml::to_string(&self.given()).unwrap_or_default()
    }
}
