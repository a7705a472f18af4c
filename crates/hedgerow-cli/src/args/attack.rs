//! Arguments of `hedgerow attack`.

use std::path::PathBuf;

use hedgerow::charset::Charset;
use hedgerow::method::Spec;

use super::files::charset;
use super::{Missing, Pair, ReadArgs};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "hedgerow help attack lists the attacks; followed by a NAME, it shows what one needs and its \
                  parameters. Exit code 1: an attack exceeds --max-success."
)]
pub(crate) struct AttackArgs {
    /// Original table: CSV, gzipped CSV or Parquet
    #[arg(long, value_name = "TABLE")]
    pub(crate) original: PathBuf,
    /// Release of that table, written by hedgerow or another tool
    #[arg(long, value_name = "FILE")]
    pub(crate) release: PathBuf,
    /// Another release of the same or overlapping people; may be repeated, earlier ones first
    #[arg(long = "other", value_name = "FILE")]
    pub(crate) others: Vec<PathBuf>,
    /// Table of people that the attacker has, with columns that the attacker knows
    #[arg(long, value_name = "FILE")]
    pub(crate) external: Option<PathBuf>,
    /// Quasi-identifiers: the generalized columns [default: columns in which the release has cells
    /// that are not values of the original]
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) quasi: Vec<String>,
    /// Columns that the attacker knows of every person [default: the quasi-identifiers]
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) known: Vec<String>,
    /// Sensitive columns, which attacks try to disclose
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) sensitive: Vec<String>,
    /// Column of the original that names the person of each record, to count people
    #[arg(long, value_name = "COLUMN")]
    pub(crate) person: Option<String>,
    /// Attack to run, with parameters as in background-knowledge:values=2; may be repeated
    /// [default: all]
    #[arg(long = "attack", value_name = "NAME")]
    pub(crate) attacks: Vec<Spec>,
    /// Exits with 1 if the success of an attack is above this number from 0 to 1
    #[arg(long, value_name = "S", value_parser = share)]
    pub(crate) max_success: Option<f64>,
    /// Hierarchy file that explains the labels of a column, or the similarity of sensitive values;
    /// may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=FILE")]
    pub(crate) hierarchies: Vec<Pair<PathBuf>>,
    /// Folder of hierarchies that anonymize --hierarchies has saved
    #[arg(long = "hierarchies", value_name = "DIRECTORY")]
    pub(crate) saved: Option<PathBuf>,
    /// How missing values are treated; use the value that the release was made with
    #[arg(long, value_enum, value_name = "POLICY", default_value_t = Missing::Own)]
    pub(crate) missing: Missing,
    /// Reads releases that were written with --spreadsheet-safe
    #[arg(long)]
    pub(crate) spreadsheet_safe: bool,
    /// Encoding of the releases, if they are CSV [default: detected]
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) output_encoding: Option<Charset>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it must be a number from 0 to 1, such as 0.2".to_owned())
}
