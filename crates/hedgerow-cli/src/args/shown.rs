//! Options of the commands that read a release again.

use super::ReadArgs;

/// A release, and how it and its original are read.
#[derive(Debug, clap::Args)]
pub(crate) struct ShownArgs {
    /// Quasi-identifiers: the columns that others may know, which a release generalizes
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',', required = true)]
    pub(crate) quasi: Vec<String>,
    /// States that the release has the rows of the original in the same order
    #[arg(long, requires = "person")]
    pub(crate) keep_order: bool,
    /// Reads a release that was written with --spreadsheet-safe
    #[arg(long)]
    pub(crate) spreadsheet_safe: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
