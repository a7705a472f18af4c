//! Arguments of `hedgerow measure`.

use std::path::PathBuf;

use hedgerow::charset::Charset;

use super::files::charset;
use super::{Missing, Pair, ShownArgs, whole_k};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "hedgerow help loss lists the losses and what each needs besides the two tables."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct MeasureArgs {
    /// Original table: CSV, gzipped CSV, Parquet, or a workbook (.xlsx, .ods)
    #[arg(long, value_name = "TABLE")]
    pub(crate) original: PathBuf,
    /// Release of that table, written by hedgerow or another tool
    #[arg(long, value_name = "FILE")]
    pub(crate) release: PathBuf,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
    /// Column of the original that names the person of each record, to count the people of each
    /// class
    #[arg(long, value_name = "COLUMN")]
    pub(crate) person: Option<String>,
    /// Class column: the column that a classifier predicts
    #[arg(long, value_name = "COLUMN")]
    pub(crate) class: Option<String>,
    /// Also measures how well decision trees predict the class column from the original and from
    /// the release
    #[arg(long, requires = "class")]
    pub(crate) classify: bool,
    /// Seed of the random queries, and of the random choice of training records
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// k in dm, navg and c-avg [default: the size of the smallest class]
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    /// Also proves how near the optimum the release is, for releases with nodes of the given
    /// hierarchies, and with intervals and sets in other columns
    #[arg(long)]
    pub(crate) certificate: bool,
    /// How missing values are treated; use the value that the release was made with
    #[arg(long, value_enum, value_name = "POLICY", default_value_t = Missing::Own)]
    pub(crate) missing: Missing,
    /// Hierarchy file that defines the labels and levels of a column; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=FILE")]
    pub(crate) hierarchies: Vec<Pair<PathBuf>>,
    /// Folder of hierarchies that anonymize --hierarchies has saved
    #[arg(long = "hierarchies", value_name = "DIRECTORY")]
    pub(crate) saved: Option<PathBuf>,
    /// Encoding of the release, if it is CSV [default: detected]
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) output_encoding: Option<Charset>,
    /// Also writes the classes to a CSV file: what each publishes, its size and its loss
    #[arg(long, value_name = "FILE")]
    pub(crate) classes: Option<PathBuf>,
    /// Replaces the file of classes if it exists
    #[arg(long, requires = "classes")]
    pub(crate) force: bool,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
