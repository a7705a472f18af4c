//! Flags of `measure`.

use std::path::PathBuf;

use super::{Missing, Pair, ReadArgs, whole_k};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "hedgerow help loss lists the losses, and what each needs besides the tables."
)]
pub(crate) struct MeasureArgs {
    /// The table as it was
    #[arg(long, value_name = "TABLE")]
    pub(crate) original: PathBuf,
    /// The table as it was published, by any tool
    #[arg(long, value_name = "FILE")]
    pub(crate) release: PathBuf,
    /// The quasi-identifiers
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',', required = true)]
    pub(crate) quasi: Vec<String>,
    /// The column that a learner is to predict
    #[arg(long, value_name = "COLUMN")]
    pub(crate) class: Option<String>,
    /// Also finds out how well decision trees predict that column, before and after
    #[arg(long, requires = "class")]
    pub(crate) classify: bool,
    /// What decides which records such a tree learns from
    #[arg(long, value_name = "N", default_value_t = 0, requires = "classify")]
    pub(crate) seed: u64,
    /// The k in dm, navg and c-avg; the size of the smallest class if not given
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    /// What a missing value means; say what the release was made with
    #[arg(long, value_enum, default_value_t = Missing::Own)]
    pub(crate) missing: Missing,
    /// The hierarchy file that names and levels of a column come from
    #[arg(long = "hierarchy", value_name = "COLUMN=FILE")]
    pub(crate) hierarchies: Vec<Pair<PathBuf>>,
    /// The folder in which anonymize --hierarchies saved those that it used
    #[arg(long = "hierarchies", value_name = "DIRECTORY")]
    pub(crate) saved: Option<PathBuf>,
    /// The release was written with --spreadsheet-safe
    #[arg(long)]
    pub(crate) spreadsheet_safe: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}
