//! Options of `hedgerow anonymize`.

use std::path::PathBuf;

use hedgerow::charset::Charset;

use super::files::charset;
use super::{GoalArgs, LISTS, Rare, ReadArgs, SampleArgs};

#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent switch of the command line"
)]
#[command(after_help = LISTS)]
pub(crate) struct AnonymizeArgs {
    /// Table to anonymize (CSV, gzipped CSV, Parquet, or a workbook such as .xlsx and .ods; - for
    /// standard input), or a job file whose name ends in .toml
    pub(crate) table: Option<PathBuf>,
    /// Job file to run; options on the command line override its settings
    #[arg(long, value_name = "FILE.toml", conflicts_with = "table")]
    pub(crate) job: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    #[command(flatten)]
    pub(crate) sample: SampleArgs,
    /// Proves how near the optimum the release is: what any release with these hierarchies must lose
    #[arg(long)]
    pub(crate) certificate: bool,
    /// Writes the steps of the search to a CSV file (bottom-up and top-down only). If its name ends in
    /// .svg, draws the index of bottom-up before each step, with the original values: do not publish it
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Also writes the classes to a CSV file: what each publishes, its size and its loss. Losses tell
    /// the range of the original, so this file is not for publication
    #[arg(long, value_name = "FILE")]
    pub(crate) classes: Option<PathBuf>,
    /// Folder to save the hierarchies of the release to, for measure and later runs
    #[arg(long = "hierarchies", value_name = "DIRECTORY")]
    pub(crate) saved: Option<PathBuf>,
    /// File to write the rules of the release to, for hedgerow apply and the next table
    #[arg(long, value_name = "FILE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Report on the release for those who have the table: a page (.html) or data (.json)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Report that can be published with the release: no value of the table that fewer than k
    /// records have
    #[arg(long, value_name = "FILE")]
    pub(crate) report_public: Option<PathBuf>,
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
    /// Encoding of the release, if it is CSV [default: UTF-8]
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) output_encoding: Option<Charset>,
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
    /// Adds every loss, and how the method and the hierarchies were chosen, to the summary
    #[arg(short, long, conflicts_with_all = ["json", "quiet"])]
    pub(crate) verbose: bool,
    /// Prints nothing but errors and warnings
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,
}
