//! Options of `hedgerow plan`.

use std::path::PathBuf;

use super::{GoalArgs, LISTS, Rare, ReadArgs};

#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent switch of the command line"
)]
#[command(after_help = LISTS)]
pub(crate) struct PlanArgs {
    /// Table of counts: one row for each distinct combination of the quasi-identifiers, sensitive and
    /// class columns, with the number of its records and the position of the first of them (CSV,
    /// gzipped CSV, or Parquet)
    pub(crate) counts: PathBuf,
    /// Column with the number of records
    #[arg(long, value_name = "COLUMN", default_value = "count")]
    pub(crate) count: String,
    /// Column with the position of the first record, different in each row
    #[arg(long, value_name = "COLUMN", default_value = "first")]
    pub(crate) first: String,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    /// Leaves out suppressed records instead of publishing them with * in every quasi-identifier
    #[arg(long)]
    pub(crate) drop_suppressed: bool,
    /// Whether values of fewer than k records may be published as set members and as ends of
    /// intervals [default: show]
    #[arg(long, value_enum, value_name = "CHOICE")]
    pub(crate) rare_values: Option<Rare>,
    /// Allows a hierarchy in which a group has the name of one value but also contains others,
    /// which are then published under that name; otherwise it is an error
    #[arg(long)]
    pub(crate) force_labels: bool,
    /// Seed of the random number generator [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Plan to write, a Parquet file: first, cohort, low and high tell which records publish the
    /// cells in the columns published_...
    #[arg(short, long, value_name = "FILE.parquet")]
    pub(crate) output: PathBuf,
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
