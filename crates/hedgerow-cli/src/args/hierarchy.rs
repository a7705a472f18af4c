//! The arguments of `hedgerow hierarchy`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use hedgerow::method::Spec;

use super::{ReadArgs, list, whole_k};

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
        /// The method, as METHOD or METHOD:parameter=value,...
        #[arg(short, long, value_name = "METHOD", default_value = "auto", help = method_help())]
        method: Spec,
        /// The k of the release, for methods that go by it [default for auto: 5]
        #[arg(short, value_name = "K", value_parser = whole_k)]
        k: Option<u64>,
        /// The file to write; its ending says the format. Without it the tree is shown
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replaces an output that exists
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        read: ReadArgs,
    },
    /// Shows a hierarchy
    Show {
        /// The hierarchy file
        file: PathBuf,
        /// How
        #[arg(short, long, value_enum, default_value_t = ShowFormat::Tree)]
        format: ShowFormat,
        /// Shows only so many levels below the root (tree and dot)
        #[arg(long, value_name = "N")]
        depth: Option<u32>,
    },
    /// Writes a hierarchy in another format
    Convert {
        /// The hierarchy file
        input: PathBuf,
        /// The file to write
        output: PathBuf,
        /// The format of the input, instead of what its ending says
        #[arg(long, value_name = "FORMAT", help = format_help())]
        from: Option<String>,
        /// The format of the output, instead of what its ending says
        #[arg(long, value_name = "FORMAT")]
        to: Option<String>,
        /// Replaces an output that exists
        #[arg(long)]
        force: bool,
    },
    /// Looks for faults: which value, which line, what to do
    Check {
        /// The hierarchy file
        file: PathBuf,
        /// A table whose column must be covered
        #[arg(long, requires = "column")]
        table: Option<PathBuf>,
        /// The column of the table
        #[arg(short, long, requires = "table")]
        column: Option<String>,
        #[command(flatten)]
        read: ReadArgs,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// A tree for the terminal
    Tree,
    /// ARX: one line for each leaf
    Csv,
    /// hedgerow's own
    Json,
    /// For Graphviz
    Dot,
    /// A dendrogram
    Svg,
}

fn method_help() -> String {
    let methods = hedgerow::hierarchy::all().map(|method| (method.name, method.about));
    format!("The method, as METHOD or METHOD:parameter=value,...{}", list(methods))
}

fn format_help() -> String {
    let formats = hedgerow::hierarchy::format::ALL.iter().map(|format| (format.name, format.about));
    format!("The format of the input, instead of what its ending says{}", list(formats))
}
