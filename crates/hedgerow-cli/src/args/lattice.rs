//! Options of `hedgerow lattice`.

use std::path::PathBuf;

use hedgerow::method::Spec;

use super::{Missing, Pair, ReadArgs, whole_k};

#[derive(Debug, clap::Args)]
pub(crate) struct LatticeArgs {
    /// Table to read: CSV, gzipped CSV, Parquet, or a workbook (.xlsx, .ods); - for standard input
    pub(crate) table: PathBuf,
    /// Quasi-identifiers: the columns to generalize
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',', required = true)]
    pub(crate) quasi: Vec<String>,
    /// Hierarchy of a column: a method with its parameters (hedgerow help hierarchy lists them) or
    /// a file; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) hierarchies: Vec<Pair<Spec>>,
    /// Hierarchy method for columns without --hierarchy; if repeated, one lattice is built for each
    #[arg(short, long, value_name = "METHOD")]
    pub(crate) method: Vec<Spec>,
    /// Also lists the k-minimal generalizations for this k
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    /// How missing values are treated
    #[arg(long, value_enum, value_name = "POLICY", default_value_t = Missing::Own)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Writes every node of the lattice as JSON
    #[arg(long, conflicts_with = "svg")]
    pub(crate) json: bool,
    /// Writes an SVG plot of distortion against k
    #[arg(long)]
    pub(crate) svg: bool,
    /// File to write, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces the output file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}
