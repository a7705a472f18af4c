//! Options of `hedgerow reproduce`.

use std::path::PathBuf;

use clap::builder::StyledStr;
use hedgerow::reproduce;

#[derive(Debug, clap::Args)]
#[command(after_help = papers())]
pub(crate) struct ReproduceArgs {
    /// Papers to reproduce, or all
    #[arg(required = true, value_name = "PAPER")]
    pub(crate) papers: Vec<String>,
    /// File of a data set, with its name in front if it is not the paper's first; may be repeated
    /// [default: adult=data/adult.csv]
    #[arg(long, value_name = "[NAME=]FILE")]
    pub(crate) data: Vec<String>,
    /// Folder to write: index.html, papers.md, results.json, and every table and figure
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Replaces an existing folder that contains only such files
    #[arg(long)]
    pub(crate) force: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Prints the results as JSON instead of a list of verdicts
    #[arg(long)]
    pub(crate) json: bool,
    /// Prints nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Lists the papers, and the data sets that each needs.
fn papers() -> StyledStr {
    let mut lines = vec!["Papers:".to_owned()];
    for paper in reproduce::ALL {
        // From the registry, so that a new paper is in the help at once.
        let data: Vec<&str> = paper.item.datasets().iter().map(|dataset| dataset.name).collect();
        lines.push(format!("  {:10} {} (data: {})", paper.name, paper.about, data.join(", ")));
    }
    lines.join("\n").into()
}
