//! The arguments of every command. Flags that several commands share mean the same everywhere.

#[cfg(not(feature = "wordnet"))]
mod absent;
mod choices;
mod hierarchy;
#[cfg(feature = "wordnet")]
mod knowledge;
mod measure;
mod privacy;
#[cfg(feature = "wordnet")]
mod rank;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{ArgAction, Parser, Subcommand};
use hedgerow::auto::USUAL_K;
use hedgerow::error::Advice;
use hedgerow::io::{Size, Source};
use hedgerow::method::Spec;
use hedgerow::study::Share;
use hedgerow::table::{DateFormat, Encoding, Kind, MissingPolicy};

use crate::console::Console;

#[cfg(not(feature = "wordnet"))]
pub(crate) use self::absent::{
    AbsentArgs, AbsentArgs as CandidatesArgs, AbsentArgs as KnowledgeArgs, AbsentArgs as RankArgs,
};
pub(crate) use self::choices::{Intervals, Missing, Rare};
#[cfg(feature = "wordnet")]
pub(crate) use self::hierarchy::CandidatesArgs;
pub(crate) use self::hierarchy::{CheckArgs, HierarchyArgs, HierarchyCommand, ShowFormat};
#[cfg(feature = "wordnet")]
pub(crate) use self::knowledge::{KnowledgeArgs, KnowledgeCommand, SourceArgs};
pub(crate) use self::measure::MeasureArgs;
pub(crate) use self::privacy::PrivacyArgs;
#[cfg(feature = "wordnet")]
pub(crate) use self::rank::RankArgs;

/// What `--version` says; `-V` says the number only.
#[cfg(feature = "wordnet")]
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\nwith the nouns of WordNet 3.0, copyright 2006 by Princeton University (hedgerow knowledge notice)"
);

/// What `--version` says of a build without WordNet.
#[cfg(not(feature = "wordnet"))]
const LONG_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Publishes personal data safely: grows generalization hierarchies, anonymizes tables with them,
/// and measures what was lost.
#[derive(Debug, Parser)]
#[command(name = "hedgerow", version, long_version = LONG_VERSION, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 done; 1 the goal cannot be met, or a check found a violation; 2 \
                        error in the input or the call."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Shows the columns of a table: kinds, distinct values, suggested roles, how unique rows are
    Inspect(InspectArgs),
    /// Builds, shows, converts, checks and ranks hierarchies
    Hierarchy(HierarchyArgs),
    /// Writes a release of a table in which everyone is one of at least k
    Anonymize(Box<AnonymizeArgs>),
    /// Recounts a release from the file alone; exit code 1 when a claim does not hold
    Verify(Box<VerifyArgs>),
    /// Measures what a release lost, from the files alone
    Measure(MeasureArgs),
    /// Lists every full-domain generalization: the k it attains and what it costs
    Lattice(LatticeArgs),
    /// Shows what words mean, and how alike that is
    Knowledge(KnowledgeArgs),
    /// Enlarges a table with variations of its records, or makes one of words
    Generate(GenerateArgs),
    /// Takes roles, kinds and hierarchies from an ARX project, never its data
    Import(ImportArgs),
    /// Lists methods, hierarchies, privacy models, losses and formats
    Methods(MethodsArgs),
    /// Shows a method and its parameters, or the flags of a command
    Help(HelpArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct MethodsArgs {
    /// Prints JSON, with every parameter: type, range, default, whether it is a file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct HelpArgs {
    /// method, hierarchy, privacy, loss, set-loss or format, and a NAME; or a command
    pub(crate) topic: Vec<String>,
}

/// How files are read.
#[derive(Debug, clap::Args)]
pub(crate) struct FileArgs {
    /// The delimiter of CSV files (comma, semicolon, tab or bar is detected)
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<char>,
    /// How long a record may be at most; longer ones are an error [default: 64MB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_record: Option<Size>,
    /// How many threads read and write [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
}

/// How tables are read.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Spellings of a missing value, besides the empty one
    #[arg(long, value_name = "TEXT,...", value_delimiter = ',')]
    pub(crate) na: Vec<String>,
    /// Kind of a column, instead of what its values suggest: number, date, code or text
    #[arg(long = "kind", value_name = "COLUMN=KIND")]
    pub(crate) kinds: Vec<Pair<Kind>>,
    /// How a column writes dates: iso, ymd, dmy, mdy, or a pattern like %d.%m.%y
    #[arg(long = "date-format", value_name = "COLUMN=FORMAT")]
    pub(crate) date_formats: Vec<Pair<DateFormat>>,
}

impl ReadArgs {
    pub(crate) fn encoding(&self, missing: MissingPolicy) -> hedgerow::Result<Encoding> {
        let (kinds, date_formats) = (pairs(&self.kinds)?, pairs(&self.date_formats)?);
        let na = self.na.clone();
        Ok(Encoding { na, missing, kinds, date_formats, ..Encoding::default() })
    }
}

impl FileArgs {
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    /// Opens a table; `-` is standard input.
    pub(crate) fn open(&self, path: &Path) -> hedgerow::Result<Source> {
        let delimiter = hedgerow::job::delimiter_byte(self.delimiter)?;
        let source = if path == Path::new("-") {
            static IS_TAKEN: AtomicBool = AtomicBool::new(false);
            if IS_TAKEN.swap(true, Ordering::Relaxed) {
                return Err(hedgerow::Error::invalid(
                    "two tables are `-`, but standard input holds one; give the other as a file",
                ));
            }
            let console = Console::new(true);
            Source::spool(std::io::stdin().lock(), &std::env::temp_dir(), delimiter, &console)?
        } else {
            Source::open(path, delimiter)?
        };
        Ok(source.with_max_record(self.max_record.unwrap_or_default()))
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// The ARX project, a .deid file
    pub(crate) project: PathBuf,
    /// The directory for the hierarchies and the job file
    #[arg(short, long, value_name = "DIRECTORY")]
    pub(crate) output: PathBuf,
    /// Replaces a directory that exists, if it has no other files
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InspectArgs {
    /// The table: CSV, gzipped CSV or Parquet; - for standard input
    pub(crate) table: PathBuf,
    /// The k for which hierarchies would be chosen
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k, default_value_t = USUAL_K)]
    pub(crate) k: u64,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
#[command(after_help = LISTS)]
pub(crate) struct AnonymizeArgs {
    /// The table (CSV, gzipped CSV or Parquet; - for standard input), or a job file that ends in .toml
    pub(crate) table: Option<PathBuf>,
    /// A job file; flags given here replace what it says
    #[arg(long, value_name = "FILE.toml", conflicts_with = "table")]
    pub(crate) job: Option<PathBuf>,
    /// The columns that others may know: they are generalized
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) quasi: Vec<String>,
    /// Columns that nobody may learn; published as they are
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) sensitive: Vec<String>,
    /// Columns that name a person; left out of the release
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) identifier: Vec<String>,
    /// The column that a learner is to predict; published as it is
    #[arg(long, value_name = "COLUMN")]
    pub(crate) class: Option<String>,
    /// Everyone is one of at least so many
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    #[command(flatten)]
    pub(crate) privacy: PrivacyArgs,
    /// How many records may be suppressed, as a share of all [default: 0%]
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub(crate) suppress: Option<Share>,
    /// No value below this node of its hierarchy is generalized above it; may be repeated
    #[arg(long = "limit", value_name = "COLUMN=LABEL|level:N")]
    pub(crate) limits: Vec<Pair<String>>,
    /// What a method with the choice minimises (hedgerow help loss)
    #[arg(long, value_name = "LOSS")]
    pub(crate) loss: Option<String>,
    /// Ends the search of 'optimal' after so many seconds, with the best it has
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    /// The anonymizer, as METHOD or METHOD:parameter=value,... (hedgerow help method) [default: auto]
    #[arg(long)]
    pub(crate) method: Option<Spec>,
    /// How a column is generalized: a method with parameters (hedgerow help hierarchy), or a file
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) hierarchies: Vec<Pair<Spec>>,
    /// What a missing value means [default: own]
    #[arg(long, value_enum)]
    pub(crate) missing: Option<Missing>,
    /// How intervals are written [default: brackets]
    #[arg(long, value_enum)]
    pub(crate) interval_style: Option<Intervals>,
    /// Writes the steps of the search to a file, as CSV (bottom-up, top-down)
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Saves the hierarchies that were used in a folder, for measure and the next run
    #[arg(long = "hierarchies", value_name = "DIRECTORY")]
    pub(crate) saved: Option<PathBuf>,
    /// Stops after so many steps of the trace, or where the smallest class has N records (bottom-up)
    #[arg(long, value_name = "STEPS|A>=N")]
    pub(crate) until: Option<String>,
    /// Leaves suppressed records out instead of publishing them as *
    #[arg(long)]
    pub(crate) drop_suppressed: bool,
    /// Keeps the order of rows, which helps an attacker who knows it
    #[arg(long)]
    pub(crate) keep_order: bool,
    /// Whether values that fewer than k records have may be set members and ends of intervals
    /// [default: show]
    #[arg(long, value_enum)]
    pub(crate) rare_values: Option<Rare>,
    /// Publishes groups whose names are values of other records, which is refused otherwise
    #[arg(long)]
    pub(crate) force_labels: bool,
    /// Puts a ' in front of cells that a spreadsheet would run as formulas
    #[arg(long)]
    pub(crate) spreadsheet_safe: bool,
    /// What decides random choices [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// The release: CSV, gzipped if its name ends in .gz, or Parquet if it ends in .parquet
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces an output that exists
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON instead of a summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Prints nothing but errors and warnings
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = LISTS)]
pub(crate) struct VerifyArgs {
    /// The release: CSV, gzipped CSV or Parquet, of any tool
    pub(crate) release: PathBuf,
    /// The quasi-identifiers
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',', required = true)]
    pub(crate) quasi: Vec<String>,
    /// The k that is claimed
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: u64,
    /// Columns that models look at
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) sensitive: Vec<String>,
    #[command(flatten)]
    pub(crate) privacy: PrivacyArgs,
    /// The hierarchy of a sensitive column that a model goes by; with --population, that which names in
    /// a quasi-identifier come from
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) hierarchies: Vec<Pair<Spec>>,
    /// What a missing value of the population means [default: own]
    #[arg(long, value_enum, default_value_t = Missing::Own, hide_default_value = true)]
    pub(crate) missing: Missing,
    /// The release was written with --spreadsheet-safe
    #[arg(long)]
    pub(crate) spreadsheet_safe: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Prints nothing; the exit code tells
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LatticeArgs {
    /// The table: CSV, gzipped CSV or Parquet; - for standard input
    pub(crate) table: PathBuf,
    /// The columns that are generalized
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',', required = true)]
    pub(crate) quasi: Vec<String>,
    /// How a column is generalized: a method with parameters (hedgerow help hierarchy), or a file
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) hierarchies: Vec<Pair<Spec>>,
    /// The method for columns without --hierarchy; given several times, one lattice for each
    #[arg(short, long, value_name = "METHOD")]
    pub(crate) method: Vec<Spec>,
    /// Names the k-minimal generalizations for this k
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    /// What a missing value means
    #[arg(long, value_enum, default_value_t = Missing::Own)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Writes every node as JSON
    #[arg(long, conflicts_with = "svg")]
    pub(crate) json: bool,
    /// Draws k against cost
    #[arg(long)]
    pub(crate) svg: bool,
    /// The file to write, instead of showing it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces an output that exists
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GenerateArgs {
    /// The table to enlarge
    #[arg(required_unless_present = "claims")]
    pub(crate) table: Option<PathBuf>,
    /// The columns that vary
    #[arg(
        short,
        long,
        value_name = "COLUMN,...",
        value_delimiter = ',',
        required_unless_present = "claims"
    )]
    pub(crate) columns: Vec<String>,
    /// How many records stand for each
    #[arg(long, required_unless_present = "claims")]
    pub(crate) sigma: Option<u64>,
    /// How many of the columns vary in each variation
    #[arg(long, required_unless_present = "claims")]
    pub(crate) rho: Option<usize>,
    /// Makes a table of words with so many records, instead of enlarging one
    #[arg(long, value_name = "RECORDS", conflicts_with_all = ["table", "columns", "sigma", "rho"])]
    pub(crate) claims: Option<u64>,
    /// What decides the draws
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replaces an output that exists
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) file: FileArgs,
}

/// `COLUMN=VALUE`.
#[derive(Debug, Clone)]
pub(crate) struct Pair<T> {
    column: String,
    value: T,
}

impl<T: FromStr> FromStr for Pair<T>
where
    T::Err: std::fmt::Display,
{
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (column, value) = text
            .split_once('=')
            .ok_or_else(|| format!("'{text}' is not of the form COLUMN=VALUE"))?;
        let value = value.parse().map_err(|error: T::Err| error.to_string())?;
        Ok(Self { column: column.to_owned(), value })
    }
}

/// Pairs as a map; a column may be named once.
pub(crate) fn pairs<T: Clone>(pairs: &[Pair<T>]) -> hedgerow::Result<BTreeMap<String, T>> {
    let mut map = BTreeMap::new();
    for Pair { column, value } in pairs {
        if map.insert(column.clone(), value.clone()).is_some() {
            return Err(hedgerow::Error::column(column, "the same option is given twice for it")
                .advise([Advice::words("give it once")]));
        }
    }
    Ok(map)
}

/// Pairs as a map of lists: a column may be named several times.
pub(crate) fn lists<T: Clone>(pairs: &[Pair<T>]) -> BTreeMap<String, Vec<T>> {
    let mut map: BTreeMap<String, Vec<T>> = BTreeMap::new();
    for Pair { column, value } in pairs {
        map.entry(column.clone()).or_default().push(value.clone());
    }
    map
}

/// Pairs as a map whose columns are all among the quasi-identifiers.
pub(crate) fn pairs_of<T: Clone>(
    given: &[Pair<T>],
    quasi: &[String],
) -> hedgerow::Result<BTreeMap<String, T>> {
    let map = pairs(given)?;
    match map.keys().find(|name| !quasi.contains(name)) {
        None => Ok(map),
        Some(name) => {
            let column = Some(name.clone());
            Err(hedgerow::Error::column(name, "it has a hierarchy but is not a quasi-identifier")
                .advise([
                    Advice::NameQuasi { column: column.clone() },
                    Advice::LeaveOut { key: "hierarchy", column },
                ]))
        }
    }
}

fn whole_k(text: &str) -> Result<u64, String> {
    let k = text.parse().ok().filter(|&k| k >= 1);
    k.ok_or_else(|| {
        "k must be a whole number of at least 1, and only 2 or more protects".to_owned()
    })
}

fn delimiter(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("\\t" | "tab", ..) => Ok('\t'),
        (_, Some(delimiter), None) => Ok(delimiter),
        _ => Err("it must be one character or the word tab".to_owned()),
    }
}

/// Where methods and their parameters are listed.
const LISTS: &str = "hedgerow help method, help hierarchy, help privacy and help loss list what can be \
    asked for; with a NAME they show its parameters and their ranges. hedgerow methods --json has all \
    of it.";
