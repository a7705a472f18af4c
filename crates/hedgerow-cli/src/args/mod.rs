//! Arguments of all commands. A flag that several commands share has the same meaning in each.

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

/// Output of `--version`; `-V` prints only the version number.
#[cfg(feature = "wordnet")]
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\nwith the nouns of WordNet 3.0, copyright 2006 by Princeton University (hedgerow knowledge notice)"
);

/// Output of `--version` in a build without WordNet.
#[cfg(not(feature = "wordnet"))]
const LONG_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Anonymizes tables of personal data: builds generalization hierarchies, generalizes tables with
/// them, and measures the information loss.
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
    /// Shows the columns of a table: kinds, distinct values, suggested roles, and how many records
    /// are unique
    Inspect(InspectArgs),
    /// Builds, shows, converts, checks and ranks hierarchies
    Hierarchy(HierarchyArgs),
    /// Writes a release of a table in which at least k records share each published combination of
    /// quasi-identifiers
    Anonymize(Box<AnonymizeArgs>),
    /// Checks the privacy of a release from its file alone; exits with 1 if a claim does not hold
    Verify(Box<VerifyArgs>),
    /// Measures the information loss of a release from the original and the release
    Measure(MeasureArgs),
    /// Lists every full-domain generalization with its k and its cost
    Lattice(LatticeArgs),
    /// Shows the senses of words and their similarity
    Knowledge(KnowledgeArgs),
    /// Enlarges a table with variations of its records, or generates a table of words
    Generate(GenerateArgs),
    /// Imports the roles, kinds and hierarchies of an ARX project, but not its data
    Import(ImportArgs),
    /// Lists methods, hierarchies, privacy models, losses and formats
    Methods(MethodsArgs),
    /// Shows the parameters of a method, or the options of a command
    Help(HelpArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct MethodsArgs {
    /// Prints JSON with the type, range and default of every parameter, and whether it is a file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct HelpArgs {
    /// A command; or one of method, hierarchy, privacy, loss, set-loss and format, optionally
    /// followed by a NAME
    pub(crate) topic: Vec<String>,
}

/// Options for reading files.
#[derive(Debug, clap::Args)]
pub(crate) struct FileArgs {
    /// Delimiter of CSV files: one character, or the word tab [default: detected among comma,
    /// semicolon, tab and bar]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<char>,
    /// Maximum length of a record; a longer record is an error [default: 64MB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_record: Option<Size>,
    /// Number of threads that read and write [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
}

/// Options for reading tables.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    /// Texts that mean a missing value, in addition to the empty cell
    #[arg(long, value_name = "TEXT,...", value_delimiter = ',')]
    pub(crate) na: Vec<String>,
    /// Kind of a column: number, date, code or text; may be repeated [default: detected from its
    /// values]
    #[arg(long = "kind", value_name = "COLUMN=KIND")]
    pub(crate) kinds: Vec<Pair<Kind>>,
    /// Date format of a column: iso, ymd, dmy, mdy, or a pattern such as %d.%m.%y; may be repeated
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

    /// Opens a table; `-` is standard input, which can be opened only once.
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
    /// ARX project to read, a .deid file
    pub(crate) project: PathBuf,
    /// Directory to write the hierarchies and the job file to
    #[arg(short, long, value_name = "DIRECTORY")]
    pub(crate) output: PathBuf,
    /// Replaces an existing directory if it contains only files that this import writes
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InspectArgs {
    /// Table to read: CSV, gzipped CSV or Parquet; - for standard input
    pub(crate) table: PathBuf,
    /// k of the planned release, for the choice of hierarchies
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k, default_value_t = USUAL_K)]
    pub(crate) k: u64,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent switch of the command line"
)]
#[command(after_help = LISTS)]
pub(crate) struct AnonymizeArgs {
    /// Table to anonymize (CSV, gzipped CSV or Parquet; - for standard input), or a job file whose
    /// name ends in .toml
    pub(crate) table: Option<PathBuf>,
    /// Job file to run; options on the command line override its settings
    #[arg(long, value_name = "FILE.toml", conflicts_with = "table")]
    pub(crate) job: Option<PathBuf>,
    /// Quasi-identifiers: columns that an attacker may know; they are generalized
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) quasi: Vec<String>,
    /// Sensitive columns: their values must not be linked to a person; published unchanged
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) sensitive: Vec<String>,
    /// Identifiers: columns that identify a person directly; left out of the release
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) identifier: Vec<String>,
    /// Class column: the column that a classifier predicts; published unchanged
    #[arg(long, value_name = "COLUMN")]
    pub(crate) class: Option<String>,
    /// Minimum number of records that share each published combination of quasi-identifiers
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    #[command(flatten)]
    pub(crate) privacy: PrivacyArgs,
    /// Maximum share of the records that may be suppressed, such as 5% [default: 0%]
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub(crate) suppress: Option<Share>,
    /// Limits generalization: values below this node of the hierarchy are not generalized above it;
    /// may be repeated
    #[arg(long = "limit", value_name = "COLUMN=LABEL|level:N")]
    pub(crate) limits: Vec<Pair<String>>,
    /// Loss to minimize, for methods that let you choose (hedgerow help loss lists them)
    #[arg(long, value_name = "LOSS")]
    pub(crate) loss: Option<String>,
    /// Stops the search after SECONDS and uses the best solution found (optimal only)
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    /// Anonymization method, as METHOD or METHOD:parameter=value,... (hedgerow help method lists
    /// them) [default: auto]
    #[arg(long)]
    pub(crate) method: Option<Spec>,
    /// Hierarchy of a column: a method with its parameters (hedgerow help hierarchy lists them) or
    /// a file; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) hierarchies: Vec<Pair<Spec>>,
    /// How missing values are treated [default: own]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) missing: Option<Missing>,
    /// How intervals are written [default: brackets]
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(crate) interval_style: Option<Intervals>,
    /// Writes the steps of the search to a CSV file (bottom-up and top-down only)
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Folder to save the hierarchies of the release to, for measure and later runs
    #[arg(long = "hierarchies", value_name = "DIRECTORY")]
    pub(crate) saved: Option<PathBuf>,
    /// Stops after STEPS generalizations, or as soon as the smallest class has N records (bottom-up
    /// only)
    #[arg(long, value_name = "STEPS|A>=N")]
    pub(crate) until: Option<String>,
    /// Leaves out suppressed records instead of publishing them with * in every quasi-identifier
    #[arg(long)]
    pub(crate) drop_suppressed: bool,
    /// Keeps the order of the records; this helps an attacker who knows the order
    #[arg(long)]
    pub(crate) keep_order: bool,
    /// Whether values of fewer than k records may be published as set members and as ends of
    /// intervals [default: show]
    #[arg(long, value_enum, value_name = "CHOICE")]
    pub(crate) rare_values: Option<Rare>,
    /// Allows a hierarchy in which a group has the name of one value but also contains others,
    /// which are then published under that name; otherwise it is an error
    #[arg(long)]
    pub(crate) force_labels: bool,
    /// Writes a ' before cells that a spreadsheet would run as formulas
    #[arg(long)]
    pub(crate) spreadsheet_safe: bool,
    /// Seed of the random number generator [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Release to write: CSV, gzipped if the name ends in .gz, or Parquet if it ends in .parquet
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces the output file if it exists
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
    /// Release to check: CSV, gzipped CSV or Parquet, written by hedgerow or another tool
    pub(crate) release: PathBuf,
    /// Quasi-identifiers: the generalized columns
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',', required = true)]
    pub(crate) quasi: Vec<String>,
    /// k that the release is claimed to have
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: u64,
    /// Sensitive columns, for the privacy models that need them
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) sensitive: Vec<String>,
    #[command(flatten)]
    pub(crate) privacy: PrivacyArgs,
    /// Hierarchy of a sensitive column, for privacy models that use one; with --population, also
    /// the hierarchy that defines the labels of a quasi-identifier; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) hierarchies: Vec<Pair<Spec>>,
    /// How missing values of the population are treated [default: own]
    #[arg(
        long,
        value_enum,
        value_name = "POLICY",
        default_value_t = Missing::Own,
        hide_default_value = true
    )]
    pub(crate) missing: Missing,
    /// Reads a release that was written with --spreadsheet-safe
    #[arg(long)]
    pub(crate) spreadsheet_safe: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Prints nothing; the exit code is the result
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LatticeArgs {
    /// Table to read: CSV, gzipped CSV or Parquet; - for standard input
    pub(crate) table: PathBuf,
    /// Quasi-identifiers: the columns to generalize
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',', required = true)]
    pub(crate) quasi: Vec<String>,
    /// Hierarchy of a column: a method with its parameters (hedgerow help hierarchy lists them) or
    /// a file; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) hierarchies: Vec<Pair<Spec>>,
    /// Hierarchy method for columns without --hierarchy; if repeated, one lattice is built for each
    #[arg(short, long, value_name = "METHOD")]
    pub(crate) method: Vec<Spec>,
    /// Also lists the k-minimal generalizations for this k
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    /// How missing values are treated
    #[arg(long, value_enum, value_name = "POLICY", default_value_t = Missing::Own)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Writes every node of the lattice as JSON
    #[arg(long, conflicts_with = "svg")]
    pub(crate) json: bool,
    /// Writes an SVG plot of distortion against k
    #[arg(long)]
    pub(crate) svg: bool,
    /// File to write, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces the output file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GenerateArgs {
    /// Table to enlarge
    #[arg(required_unless_present = "claims")]
    pub(crate) table: Option<PathBuf>,
    /// Columns that vary
    #[arg(
        short,
        long,
        value_name = "COLUMN,...",
        value_delimiter = ',',
        required_unless_present = "claims"
    )]
    pub(crate) columns: Vec<String>,
    /// Number of records written for each record: itself and SIGMA - 1 variations
    #[arg(long, required_unless_present = "claims")]
    pub(crate) sigma: Option<u64>,
    /// Number of the columns that vary in each variation
    #[arg(long, required_unless_present = "claims")]
    pub(crate) rho: Option<usize>,
    /// Generates a table of words with this number of records, instead of enlarging a table
    #[arg(long, value_name = "RECORDS", conflicts_with_all = ["table", "columns", "sigma", "rho"])]
    pub(crate) claims: Option<u64>,
    /// Seed of the random number generator
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replaces the output file if it exists
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) file: FileArgs,
}

/// An argument of the form `COLUMN=VALUE`.
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

/// Returns pairs as a map; naming a column twice is an error.
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

/// Returns pairs as a map of lists: a column may be named several times.
pub(crate) fn lists<T: Clone>(pairs: &[Pair<T>]) -> BTreeMap<String, Vec<T>> {
    let mut map: BTreeMap<String, Vec<T>> = BTreeMap::new();
    for Pair { column, value } in pairs {
        map.entry(column.clone()).or_default().push(value.clone());
    }
    map
}

/// Returns pairs as a map; a column that is not in `quasi` is an error.
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

/// Text at the end of a command's help: where methods and their parameters are listed.
const LISTS: &str = "hedgerow help method, help hierarchy, help privacy and help loss list the available \
    names; followed by a NAME, they show its parameters and their ranges. hedgerow methods --json \
    prints all of this as JSON.";
