//! Arguments of `hedgerow report`.

use std::path::PathBuf;

use hedgerow::charset::Charset;

use super::files::charset;
use super::{Missing, Pair, PrivacyArgs, ReadArgs, SampleArgs, whole_k};

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(crate) struct ReportArgs {
    /// Original table: CSV, gzipped CSV or Parquet
    #[arg(long, value_name = "TABLE")]
    pub(crate) original: PathBuf,
    /// Release of that table, written by hedgerow or another tool
    #[arg(long, value_name = "FILE")]
    pub(crate) release: PathBuf,
    /// Quasi-identifiers: the generalized columns
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',', required = true)]
    pub(crate) quasi: Vec<String>,
    /// Sensitive columns
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) sensitive: Vec<String>,
    /// Column of the original that names the person of each record; people are then counted instead of
    /// records
    #[arg(long, value_name = "COLUMN")]
    pub(crate) person: Option<String>,
    /// States that the release has the rows of the original in the same order
    #[arg(long, requires = "person")]
    pub(crate) keep_order: bool,
    /// Class column: the column that a classifier predicts
    #[arg(long, value_name = "COLUMN")]
    pub(crate) class: Option<String>,
    /// Minimum number of records that share each published combination of quasi-identifiers
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: u64,
    #[command(flatten)]
    pub(crate) privacy: PrivacyArgs,
    #[command(flatten)]
    pub(crate) sample: SampleArgs,
    /// How missing values are treated; use the value that the release was made with
    #[arg(long, value_enum, value_name = "POLICY", default_value_t = Missing::Own)]
    pub(crate) missing: Missing,
    /// Hierarchy file that defines the labels and levels of a column; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=FILE")]
    pub(crate) hierarchies: Vec<Pair<PathBuf>>,
    /// Folder of hierarchies that anonymize --hierarchies has saved
    #[arg(long = "hierarchies", value_name = "DIRECTORY")]
    pub(crate) saved: Option<PathBuf>,
    /// Seed of the random queries
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Reads a release that was written with --spreadsheet-safe
    #[arg(long)]
    pub(crate) spreadsheet_safe: bool,
    /// Encoding of the release, if it is CSV [default: detected]
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) output_encoding: Option<Charset>,
    /// Report to write: a page (.html) or data (.json)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Leaves out everything of the original that fewer than k records have, so that the report can
    /// be published
    #[arg(long)]
    pub(crate) public: bool,
    /// Replaces the report if it exists
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
