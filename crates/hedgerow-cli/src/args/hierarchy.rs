//! Arguments of `hedgerow hierarchy`.

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
    /// Builds a hierarchy for a column
    Build {
        /// Table to read: CSV, gzipped CSV, Parquet, or a workbook (.xlsx, .ods)
        table: PathBuf,
        /// Column to build the hierarchy for
        #[arg(short, long)]
        column: String,
        /// Method that builds the hierarchy, as METHOD or METHOD:parameter=value,... (hedgerow help
        /// hierarchy lists them)
        #[arg(short, long, value_name = "METHOD", default_value = "auto")]
        method: Spec,
        /// k of the planned release, for methods that depend on it [default for auto: 5]
        #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
        k: Option<u64>,
        /// File to write; its extension decides the format. Without it, the tree is printed
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replaces the output file if it exists
        #[arg(long)]
        force: bool,
        /// Changes labels that the format cannot represent, and lists the changes
        #[arg(long)]
        lossy: bool,
        /// Shows the tree that huffman, bst or avl walks, with the walk, instead of the hierarchy of
        /// its sets; a file ending in .svg gets a drawing, one ending in .txt the text
        #[arg(long, conflicts_with = "lossy")]
        walk: bool,
        #[command(flatten)]
        read: ReadArgs,
    },
    /// Builds many candidate hierarchies for a column of words, for 'rank' to compare
    Candidates(CandidatesArgs),
    /// Prints a hierarchy as a tree, a drawing or a file format
    Show {
        /// Hierarchy file to read
        file: PathBuf,
        /// Form in which the hierarchy is printed
        #[arg(short, long, value_enum, default_value_t = ShowFormat::Tree)]
        format: ShowFormat,
        /// Format of the file [default: detected]
        #[arg(long, value_name = "FORMAT")]
        from: Option<String>,
        /// Prints at most N levels below the root (tree and dot only)
        #[arg(long, value_name = "N")]
        depth: Option<u32>,
        /// Attribute to read, if the file has several
        #[arg(short, long)]
        column: Option<String>,
    },
    /// Converts a hierarchy to another format
    Convert {
        /// Hierarchy file to read
        input: PathBuf,
        /// File to write
        output: PathBuf,
        /// Format of the input (hedgerow help format lists them) [default: detected]
        #[arg(long, value_name = "FORMAT")]
        from: Option<String>,
        /// Format of the output [default: the usual format of its extension]
        #[arg(long, value_name = "FORMAT")]
        to: Option<String>,
        /// Attribute to read, if the file has several
        #[arg(short, long)]
        column: Option<String>,
        /// Replaces the output file if it exists
        #[arg(long)]
        force: bool,
        /// Changes labels that the format cannot represent, and lists the changes
        #[arg(long)]
        lossy: bool,
    },
    /// Applies the edits of a script to a hierarchy
    Edit(EditArgs),
    /// Lists the faults of a hierarchy file, with value, line and remedy
    Check(CheckArgs),
    /// Ranks several hierarchies of a column by four aspects
    Rank(RankArgs),
}

#[cfg(feature = "wordnet")]
#[derive(Debug, clap::Args)]
pub(crate) struct CandidatesArgs {
    /// Table to read: CSV, gzipped CSV, Parquet, or a workbook (.xlsx, .ods)
    pub(crate) table: PathBuf,
    /// Column to build hierarchies for
    #[arg(short, long)]
    pub(crate) column: String,
    /// Method, as wordnet or wordnet:parameter=value,... (hedgerow help hierarchy wordnet shows its
    /// parameters)
    #[arg(short, long, value_name = "METHOD", default_value = "wordnet")]
    pub(crate) method: Spec,
    /// k of the planned release; groups of fewer than K records are outliers [default: 5]
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    /// File with the meaning of values, such as senses.toml in the folder of an earlier run
    #[arg(long, value_name = "FILE")]
    pub(crate) senses: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Folder to write: JSON and XML of each candidate, index.json and senses.toml
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Replaces an existing folder of candidates
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EditArgs {
    /// Hierarchy file to edit, which stays as it is
    pub(crate) file: PathBuf,
    /// JSON file with the edits, in their order
    #[arg(long, value_name = "FILE")]
    pub(crate) script: PathBuf,
    /// File to write; its extension decides the format. Without it, the tree is printed
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Leaves out the last N edits of the script
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) undo: usize,
    /// Format of the hierarchy file [default: detected]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Attribute to read, if the file has several
    #[arg(short, long)]
    pub(crate) column: Option<String>,
    /// Replaces the output file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Changes labels that the format cannot represent, and lists the changes
    #[arg(long)]
    pub(crate) lossy: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Hierarchy file to check
    pub(crate) file: PathBuf,
    /// Table whose values the hierarchy must cover (needs --column)
    #[arg(long, requires = "column")]
    pub(crate) table: Option<PathBuf>,
    /// Column of the table, and attribute to read if the file has several
    #[arg(short, long)]
    pub(crate) column: Option<String>,
    /// Format of the file [default: detected]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Writes a repaired copy, in the format of its extension; lists the faults that need a manual
    /// repair
    #[arg(long, value_name = "FILE")]
    pub(crate) fix: Option<PathBuf>,
    /// Replaces the output file if it exists
    #[arg(long, requires = "fix")]
    pub(crate) force: bool,
    /// Changes labels that the format cannot represent, and lists the changes
    #[arg(long, requires = "fix")]
    pub(crate) lossy: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// A tree for the terminal
    Tree,
    /// ARX's CSV format: one line for each leaf
    Csv,
    /// hedgerow's own JSON format
    Json,
    /// XML with nested elements
    Xml,
    /// A graph for Graphviz
    Dot,
    /// A dendrogram as SVG
    Svg,
    /// Rows of nodes as SVG, each as wide as the values below it
    Icicle,
}
