//! The arguments of `hedgerow hierarchy rank`.

use std::path::PathBuf;
use std::str::FromStr;

use hedgerow::rank::Weights;

use super::{ReadArgs, SourceArgs, whole_k};

#[derive(Debug, clap::Args)]
pub(crate) struct RankArgs {
    /// Hierarchy files of any format; a directory stands for the .json files in it, without index.json
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The table: CSV, gzipped CSV or Parquet
    #[arg(long)]
    pub(crate) table: PathBuf,
    /// The column that they generalize
    #[arg(short, long)]
    pub(crate) column: String,
    /// How many records must share a generalized value
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: u64,
    /// What semantic, privacy, distortion and interval are worth; what is not named, nothing [default: the same]
    #[arg(long, value_name = "ASPECT=N,...")]
    pub(crate) weights: Option<Weights>,
    /// Names the best for each of the 35 ways to give the aspects 0, 25, 50, 75 or 100%
    #[arg(long, conflicts_with_all = ["weights", "top"])]
    pub(crate) grid: bool,
    /// A file that says what values mean: lines "value" = "nurse.n.01"
    #[arg(long, value_name = "FILE")]
    pub(crate) senses: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Shows only the best [default: 20; with --json all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) top: Option<u32>,
    /// Publishes the column by every candidate with datafly, writes what came of it as CSV, and says how
    /// well ranks foretold it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["weights", "grid", "top"])]
    pub(crate) outcomes: Option<PathBuf>,
    /// The k of these releases, as 2..100 or 2,5,10 [default: 2..100]
    #[arg(long, value_name = "LIST", requires = "outcomes", value_parser = Ks::from_str)]
    pub(crate) ks: Option<Ks>,
    /// Replaces a file of outcomes that exists
    #[arg(long, requires = "outcomes")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Several k, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ks(pub(crate) Vec<u64>);

impl FromStr for Ks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut ks = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let (first, last) = (whole_k(first.trim())?, whole_k(last.trim())?);
            if first > last || last - first >= 100_000 {
                return Err(format!("'{part}' is not a range of k, such as 2..100"));
            }
            ks.extend(first..=last);
        }
        ks.sort_unstable();
        ks.dedup();
        Ok(Self(ks))
    }
}
