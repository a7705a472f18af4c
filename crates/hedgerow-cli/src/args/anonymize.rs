//! Options of `hedgerow anonymize`.

use std::path::PathBuf;

use hedgerow::charset::Charset;
use hedgerow::method::{Scope, Spec};
use hedgerow::study::Share;

use super::files::charset;
use super::{Intervals, LISTS, Missing, Pair, PrivacyArgs, Rare, ReadArgs, RoleArgs, whole_k};

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
    pub(crate) roles: RoleArgs,
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
    /// Seconds that auto may plan for, as estimated [default: 60]; optimal stops then and uses the
    /// best solution found
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    /// Anonymization method, as METHOD or METHOD:parameter=value,... (hedgerow help method lists
    /// them) [default: auto]
    #[arg(long)]
    pub(crate) method: Option<Spec>,
    /// Least uniform recoding that auto may choose: full-domain (one level for a whole column), global
    /// (a value is published in the same way everywhere) or local (loses least) [default: local]
    #[arg(long, value_name = "RECODING")]
    pub(crate) recoding: Option<Scope>,
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
