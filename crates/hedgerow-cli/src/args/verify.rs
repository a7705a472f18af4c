//! Options of `hedgerow verify`.

use std::path::PathBuf;

use hedgerow::charset::Charset;
use hedgerow::method::Spec;

use super::files::charset;
use super::{LISTS, Missing, Pair, PrivacyArgs, ShownArgs, whole_k};

#[derive(Debug, clap::Args)]
#[command(after_help = LISTS)]
pub(crate) struct VerifyArgs {
    /// Release to check: CSV, gzipped CSV, Parquet or a workbook, written by hedgerow or another tool
    pub(crate) release: PathBuf,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
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
    /// Encoding of the release, if it is CSV and another table is read too; --encoding is then that
    /// of the other table [default: detected]
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) output_encoding: Option<Charset>,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Prints nothing; the exit code is the result
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,
}
