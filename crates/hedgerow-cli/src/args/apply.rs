//! Options of `hedgerow apply`.

use std::path::PathBuf;

use hedgerow::charset::Charset;
use hedgerow::method::Spec;
use hedgerow::recipe::{Repair, Unseen};
use hedgerow::study::Share;

use super::files::charset;
use super::{Pair, ReadArgs, share};

#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent switch of the command line"
)]
#[command(
    after_help = "Roles, kinds, the goal and labels come from the recipe, which anonymize --recipe writes. \
                  Exit code 1: the goal is not met, or the release together with an earlier one would \
                  disclose too much; nothing is written then."
)]
pub(crate) struct ApplyArgs {
    /// Recipe, written by hedgerow anonymize --recipe
    pub(crate) recipe: PathBuf,
    /// Next table: CSV, gzipped CSV, Parquet, or a workbook (.xlsx, .ods); - for standard input
    pub(crate) table: PathBuf,
    /// Values without a rule, that is, words never seen and numbers outside all ranges: error,
    /// suppress (their records), nearest (published like the nearest known value), root (*)
    #[arg(long, value_name = "CHOICE", default_value = "error", value_parser = named::<Unseen>)]
    pub(crate) unseen: Unseen,
    /// Classes that do not meet the goal after recoding: merge (with the nearest class, under wider
    /// labels), suppress (up to --suppress), refuse (write nothing)
    #[arg(long, value_name = "CHOICE", default_value = "suppress", value_parser = named::<Repair>)]
    pub(crate) repair: Repair,
    /// Maximum share of the records that may be suppressed, such as 5% [default: that of the recipe]
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub(crate) suppress: Option<Share>,
    /// Earlier release; the new one is refused if both together disclose too much; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) previous: Vec<PathBuf>,
    /// Greatest success of an attack on both releases: the probability of finding a person's record, or
    /// the share of the doubt about a sensitive value that both remove beyond each alone [default: 1/k]
    #[arg(long, value_name = "S", value_parser = share, requires = "previous")]
    pub(crate) max_success: Option<f64>,
    /// Columns that the recipe does not know, to publish as they are, knowingly
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// Columns that the recipe does not know, to leave out of the release
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,
    /// Hierarchy of a sensitive column, if it is not the one that the recipe names; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) hierarchies: Vec<Pair<Spec>>,
    /// Leaves out suppressed records instead of publishing them with * in every quasi-identifier
    #[arg(long)]
    pub(crate) drop_suppressed: bool,
    /// Keeps the order of the records; this helps an attacker who knows the order
    #[arg(long)]
    pub(crate) keep_order: bool,
    /// Writes a ' before cells that a spreadsheet would run as formulas
    #[arg(long)]
    pub(crate) spreadsheet_safe: bool,
    /// Seed of the random order of the records
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Encoding of the release, if it is CSV [default: that of the recipe]
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) output_encoding: Option<Charset>,
    /// Release to write: CSV, gzipped if the name ends in .gz, or Parquet if it ends in .parquet
    #[arg(short, long, value_name = "FILE")]
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

/// Parses the name of a choice.
fn named<T: std::str::FromStr<Err = hedgerow::Error>>(text: &str) -> Result<T, String> {
    // clap wants a text; the error of the library lists the choices.
    text.parse().map_err(|error: hedgerow::Error| error.to_string())
}
