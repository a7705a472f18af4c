//! Arguments of `hedgerow hierarchy rank`.

use std::path::PathBuf;

use hedgerow::compare::Ks;
use hedgerow::downstream::Suppression;
use hedgerow::rank::Weights;

use super::{ReadArgs, SourceArgs, whole_k};
use crate::advice;

/// Maximum number of values of k. A typing error such as 2..1000000000 must not fill the memory.
const MOST_KS: u128 = 100_000;

#[derive(Debug, clap::Args)]
pub(crate) struct RankArgs {
    /// Hierarchy files in any format, or directories; of a directory, all .json files except
    /// index.json are ranked
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Table to read: CSV, gzipped CSV, Parquet, or a workbook (.xlsx, .ods)
    #[arg(long)]
    pub(crate) table: PathBuf,
    /// Column that the hierarchies generalize, or several; of several, a file belongs to the one it
    /// names, or that it is named after
    #[arg(
        short,
        long = "column",
        value_name = "COLUMN,...",
        required = true,
        value_delimiter = ','
    )]
    pub(crate) columns: Vec<String>,
    /// k of the planned release: the minimum number of records that share a generalized value
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: u64,
    /// Weights of the aspects semantic, privacy, distortion and interval; an aspect that is not
    /// named has weight 0 [default: equal weights]
    #[arg(long, value_name = "ASPECT=N,...")]
    pub(crate) weights: Option<Weights>,
    /// Shows the best hierarchy for each of the 35 ways to weight the aspects 0, 25, 50, 75 or 100%,
    /// and how often those of each method, or made by hand, are best
    #[arg(long, conflicts_with_all = ["weights", "top"])]
    pub(crate) grid: bool,
    /// File with the meaning of values, in lines such as "value" = "nurse.n.01"
    #[arg(long, value_name = "FILE")]
    pub(crate) senses: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Shows the best N hierarchies [default: 20; with --json, all; with --outcomes, none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) top: Option<u32>,
    /// Anonymizes the column with datafly and each candidate, writes the losses to a CSV file (or, if
    /// its name ends in .svg, a chart), and shows how well the ranks predicted them
    #[arg(long, value_name = "FILE", conflicts_with = "grid")]
    pub(crate) outcomes: Option<PathBuf>,
    /// Values of k for these releases, as 2..100, or 2,5,10, or 2..100:14 [default: 2..100]
    #[arg(long, value_name = "LIST", requires = "outcomes", value_parser = ks)]
    pub(crate) ks: Option<Ks>,
    /// Records that these releases may suppress: none, up to k as datafly of the UTD toolbox does, or
    /// none,k for both [default: none]
    #[arg(
        long,
        value_name = "none|k",
        requires = "outcomes",
        value_delimiter = ',',
        value_parser = suppression
    )]
    pub(crate) suppress: Vec<Suppression>,
    /// Replaces the file of outcomes if it exists
    #[arg(long, requires = "outcomes")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

fn ks(text: &str) -> Result<Ks, String> {
    let ks: Ks = text.parse().map_err(|error: hedgerow::Error| error.message(&advice::spell))?;
    if ks.len() > MOST_KS {
        return Err(format!(
            "'{text}' has more than 100,000 values of k; name fewer, such as 2..100"
        ));
    }
    Ok(ks)
}

fn suppression(text: &str) -> Result<Suppression, String> {
    let found = Suppression::ALL.into_iter().find(|suppression| suppression.name() == text);
    found.ok_or_else(|| format!("'{text}' is not none or k"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_k_are_written_as_in_compare() {
        let values = |text: &str| ks(text).unwrap().values().collect::<Vec<u64>>();
        assert_eq!(values("2..100:14"), [2, 16, 30, 44, 58, 72, 86, 100]);
        assert_eq!(values("6,2..4,3"), [2, 3, 4, 6]);
        assert!(ks("2..1000000000").unwrap_err().contains("more than 100,000 values"));
        assert!(ks("100..2").is_err() && ks("0").is_err());
    }
}
