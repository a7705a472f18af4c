//! Options of `hedgerow verify`.

use std::path::PathBuf;

use hedgerow::method::Spec;

use super::{LISTS, Missing, Pair, PrivacyArgs, ReadArgs, whole_k};

#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent switch of the command line"
)]
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
    /// Column of the original that names the person of each record; k and the models then count
    /// people
    #[arg(long, value_name = "COLUMN", requires = "original", conflicts_with = "population")]
    pub(crate) person: Option<String>,
    /// Table that the release was made from, for --person
    #[arg(long, value_name = "FILE", requires = "person")]
    pub(crate) original: Option<PathBuf>,
    /// States that the release has the rows of the original in the same order
    #[arg(long, requires = "person")]
    pub(crate) keep_order: bool,
    #[command(flatten)]
    pub(crate) privacy: PrivacyArgs,
    /// Hierarchy of a sensitive column, for privacy models that use one; with --population or
    /// --original, also the hierarchy that defines the labels of a quasi-identifier; may be
    /// repeated
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
