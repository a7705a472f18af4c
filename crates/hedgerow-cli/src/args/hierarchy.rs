//! The arguments of `hedgerow hierarchy`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use hedgerow::method::Spec;

#[cfg(not(feature = "wordnet"))]
use super::CandidatesArgs;
#[cfg(feature = "wordnet")]
use super::SourceArgs;
use super::{RankArgs, ReadArgs, whole_k};

#[derive(Debug, clap::Args)]
pub(crate) struct HierarchyArgs {
    #[command(subcommand)]
    pub(crate) command: HierarchyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HierarchyCommand {
    /// Builds the hierarchy of a column
    Build {
        /// The table: CSV, gzipped CSV or Parquet
        table: PathBuf,
        /// The column
        #[arg(short, long)]
        column: String,
        /// The method, as METHOD or METHOD:parameter=value,... (hedgerow help hierarchy)
        #[arg(short, long, value_name = "METHOD", default_value = "auto")]
        method: Spec,
        /// The k of the release, for methods that go by it [default for auto: 5]
        #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
        k: Option<u64>,
        /// The file to write; its ending says the format. Without it the tree is shown
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replaces an output that exists
        #[arg(long)]
        force: bool,
        /// Changes labels that the format cannot hold, and says which
        #[arg(long)]
        lossy: bool,
        #[command(flatten)]
        read: ReadArgs,
    },
    /// Makes many candidate hierarchies of a column of words, to be ranked
    Candidates(CandidatesArgs),
    /// Shows a hierarchy
    Show {
        /// The hierarchy file
        file: PathBuf,
        /// How
        #[arg(short, long, value_enum, default_value_t = ShowFormat::Tree)]
        format: ShowFormat,
        /// The format of the file, instead of what it looks like
        #[arg(long, value_name = "FORMAT")]
        from: Option<String>,
        /// Shows only so many levels below the root (tree and dot)
        #[arg(long, value_name = "N")]
        depth: Option<u32>,
        /// The attribute, where the file has several
        #[arg(short, long)]
        column: Option<String>,
    },
    /// Writes a hierarchy in another format
    Convert {
        /// The hierarchy file
        input: PathBuf,
        /// The file to write
        output: PathBuf,
        /// The format of the input, instead of what it looks like (hedgerow help format)
        #[arg(long, value_name = "FORMAT")]
        from: Option<String>,
        /// The format of the output, instead of the usual one of its ending
        #[arg(long, value_name = "FORMAT")]
        to: Option<String>,
        /// The attribute, where the file has several
        #[arg(short, long)]
        column: Option<String>,
        /// Replaces an output that exists
        #[arg(long)]
        force: bool,
        /// Changes labels that the format cannot hold, and says which
        #[arg(long)]
        lossy: bool,
    },
    /// Looks for faults: which value, which line, what to do
    Check(CheckArgs),
    /// Says which of several hierarchies of a column is best, by four aspects
    Rank(RankArgs),
}

#[cfg(feature = "wordnet")]
#[derive(Debug, clap::Args)]
pub(crate) struct CandidatesArgs {
    /// The table: CSV, gzipped CSV or Parquet
    pub(crate) table: PathBuf,
    /// The column
    #[arg(short, long)]
    pub(crate) column: String,
    /// The method, as wordnet or wordnet:parameter=value,... (hedgerow help hierarchy wordnet)
    #[arg(short, long, value_name = "METHOD", default_value = "wordnet")]
    pub(crate) method: Spec,
    /// The k of the release: groups of fewer records are outliers [default: 5]
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    /// What values mean, as senses.toml in the folder of an earlier run
    #[arg(long, value_name = "FILE")]
    pub(crate) senses: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The folder for the candidates: JSON and XML of each, index.json, senses.toml
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Replaces a folder of candidates that exists
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// The hierarchy file
    pub(crate) file: PathBuf,
    /// A table whose column must be covered
    #[arg(long, requires = "column")]
    pub(crate) table: Option<PathBuf>,
    /// The column of the table, and the attribute where the file has several
    #[arg(short, long)]
    pub(crate) column: Option<String>,
    /// The format of the file, instead of what it looks like
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Writes the file with everything repaired that needs no guess; its ending says the format
    #[arg(long, value_name = "FILE")]
    pub(crate) fix: Option<PathBuf>,
    /// Replaces an output that exists
    #[arg(long, requires = "fix")]
    pub(crate) force: bool,
    /// Changes labels that the format cannot hold, and says which
    #[arg(long, requires = "fix")]
    pub(crate) lossy: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// A tree for the terminal
    Tree,
    /// ARX: one line for each leaf
    Csv,
    /// hedgerow's own
    Json,
    /// Nested elements
    Xml,
    /// For Graphviz
    Dot,
    /// A dendrogram
    Svg,
}
