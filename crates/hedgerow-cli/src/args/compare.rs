//! Options of `hedgerow compare`.

use std::path::PathBuf;

use hedgerow::compare::{Ks, Weights};
use hedgerow::method::Spec;
use hedgerow::study::Share;

use super::{Intervals, LISTS, Missing, Pair, PrivacyArgs, Rare, ReadArgs, RoleArgs};
use crate::advice;

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
#[command(after_help = LISTS)]
pub(crate) struct CompareArgs {
    /// Table to compare releases of (CSV, gzipped CSV, Parquet, or a workbook; - for standard input),
    /// or a grid file whose name ends in .toml
    pub(crate) table: Option<PathBuf>,
    /// Grid file; options on the command line override its settings
    #[arg(long, value_name = "FILE.toml", conflicts_with = "table")]
    pub(crate) job: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) roles: RoleArgs,
    /// Values of k: 5, or 2,5,10, or 2..20, or 10..100:10 [default: 5]
    #[arg(short, value_name = "K", allow_hyphen_values = true, value_parser = ks)]
    pub(crate) k: Option<Ks>,
    /// Methods, as METHOD or METHOD:parameter=value,... [default: hedge,mondrian,optimal]
    #[arg(long, value_name = "METHOD,...")]
    pub(crate) methods: Vec<String>,
    /// Hierarchies of all columns: auto, a method (iotf), files=DIRECTORY, or several as
    /// least-loss+frequency, of which each column gets the first that fits [default: auto]
    #[arg(long, value_name = "SETTING,...")]
    pub(crate) hierarchies: Vec<String>,
    /// Set of privacy models besides k-anonymity, as none or MODEL:parameter=value+...; may be repeated,
    /// or several separated by semicolons [default: none]
    #[arg(long = "models", value_name = "MODELS;...")]
    pub(crate) sets: Vec<String>,
    /// Runs each cell again with N other seeds and on N bootstrap samples of the records, to tell
    /// differences from chance [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) repeat: Option<u32>,
    /// What makes a cell better: weights of loss, risk, highest-risk and seconds
    /// [default: loss=1,risk=1]
    #[arg(long, value_name = "NAME=WEIGHT,...", value_parser = weights)]
    pub(crate) weights: Option<Weights>,
    #[command(flatten)]
    pub(crate) privacy: PrivacyArgs,
    /// Hierarchy of a column in all cells: a method with its parameters or a file; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) of_columns: Vec<Pair<Spec>>,
    /// Maximum share of the records that may be suppressed, such as 5% [default: 0%]
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub(crate) suppress: Option<Share>,
    /// Limits generalization, as in anonymize; may be repeated
    #[arg(long = "limit", value_name = "COLUMN=LABEL|level:N")]
    pub(crate) limits: Vec<Pair<String>>,
    /// Loss to minimize, if all methods let you choose
    #[arg(long, value_name = "LOSS")]
    pub(crate) loss: Option<String>,
    /// Seconds after which methods that can stop at any time use the best solution found, for each cell
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    /// How missing values are treated [default: own]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) missing: Option<Missing>,
    /// How intervals are written [default: brackets]
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(crate) interval_style: Option<Intervals>,
    /// Leaves out suppressed records
    #[arg(long)]
    pub(crate) drop_suppressed: bool,
    /// Whether values of fewer than k records may be published as set members and as ends of
    /// intervals [default: show]
    #[arg(long, value_enum, value_name = "CHOICE")]
    pub(crate) rare_values: Option<Rare>,
    /// Allows a hierarchy in which a group has the name of one value but also contains others
    #[arg(long)]
    pub(crate) force_labels: bool,
    /// Seed of the random number generator [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Folder for the results: cells.csv, cells.json, charts and index.html. Cells that are done are
    /// kept there, and the same command does only the others
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Uses the folder even if it belongs to another grid, whose results are removed
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Prints nothing but errors and warnings
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

fn ks(text: &str) -> Result<Ks, String> {
    text.parse().map_err(|error: hedgerow::Error| error.message(&advice::spell))
}

fn weights(text: &str) -> Result<Weights, String> {
    text.parse().map_err(|error: hedgerow::Error| error.message(&advice::spell))
}
