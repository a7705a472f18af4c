//! Arguments of `hedgerow risk`.

use std::path::PathBuf;

use hedgerow::charset::Charset;

use super::files::charset;
use super::{Missing, Pair, SampleArgs, ShownArgs};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "hedgerow help risk lists the models, hedgerow help risk NAME shows what a model needs."
)]
pub(crate) struct RiskArgs {
    /// Original table: CSV, gzipped CSV or Parquet
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
    /// Release of the table, whose risk is shown next to that of the original
    #[arg(long, value_name = "FILE")]
    pub(crate) release: Option<PathBuf>,
    /// Table of the population that the original is a sample of, with the same quasi-identifiers
    #[arg(long, value_name = "FILE")]
    pub(crate) population: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) sample: SampleArgs,
    /// Column that names the person of each record; all figures then count people
    #[arg(long, value_name = "COLUMN")]
    pub(crate) person: Option<String>,
    /// Sensitive columns, to measure what can be inferred about them
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) sensitive: Vec<String>,
    /// Shows only these models
    #[arg(long = "model", value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) models: Vec<String>,
    /// How missing values are treated; use the value that the release was made with
    #[arg(long, value_enum, value_name = "POLICY", default_value_t = Missing::Own)]
    pub(crate) missing: Missing,
    /// Hierarchy file that defines the labels of a column of the release; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=FILE")]
    pub(crate) hierarchies: Vec<Pair<PathBuf>>,
    /// Folder of hierarchies that anonymize --hierarchies has saved
    #[arg(long = "hierarchies", value_name = "DIRECTORY")]
    pub(crate) saved: Option<PathBuf>,
    /// Encoding of the release, if it is CSV [default: detected]
    #[arg(long, value_name = "NAME", value_parser = charset)]
    pub(crate) output_encoding: Option<Charset>,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
