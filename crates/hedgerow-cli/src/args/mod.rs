//! Arguments of all commands. A flag that several commands share has the same meaning in each.

#[cfg(not(all(feature = "studio", feature = "wordnet")))]
mod absent;
mod anonymize;
mod apply;
mod attack;
mod choices;
mod compare;
mod files;
mod goal;
mod hierarchy;
#[cfg(feature = "wordnet")]
mod knowledge;
mod lattice;
mod lists;
mod measure;
mod report;
mod reproduce;
mod pairs;
mod plan;
mod privacy;
#[cfg(feature = "wordnet")]
mod rank;
mod risk;
mod roles;
mod sample;
mod shown;
#[cfg(feature = "studio")]
mod studio;
mod verify;

use std::path::PathBuf;

use clap::{ArgAction, Parser, Subcommand};
use hedgerow::auto::USUAL_K;

#[cfg(not(all(feature = "studio", feature = "wordnet")))]
pub(crate) use self::absent::AbsentArgs;
#[cfg(not(feature = "studio"))]
pub(crate) use self::absent::AbsentArgs as StudioArgs;
#[cfg(not(feature = "wordnet"))]
pub(crate) use self::absent::{
    AbsentArgs as CandidatesArgs, AbsentArgs as KnowledgeArgs, AbsentArgs as RankArgs,
};
pub(crate) use self::anonymize::AnonymizeArgs;
pub(crate) use self::apply::ApplyArgs;
pub(crate) use self::attack::AttackArgs;
use self::attack::share;
pub(crate) use self::choices::{Detect, Intervals, Missing, Rare};
pub(crate) use self::compare::CompareArgs;
pub(crate) use self::files::{FileArgs, ReadArgs};
pub(crate) use self::goal::GoalArgs;
#[cfg(feature = "wordnet")]
pub(crate) use self::hierarchy::CandidatesArgs;
pub(crate) use self::hierarchy::{
    CheckArgs, EditArgs, HierarchyArgs, HierarchyCommand, ShowFormat,
};
#[cfg(feature = "wordnet")]
pub(crate) use self::knowledge::{KnowledgeArgs, KnowledgeCommand, SourceArgs};
pub(crate) use self::lattice::LatticeArgs;
pub(crate) use self::lists::quoted_name;
pub(crate) use self::measure::MeasureArgs;
pub(crate) use self::pairs::{Pair, lists, pairs, pairs_of};
pub(crate) use self::plan::PlanArgs;
pub(crate) use self::privacy::PrivacyArgs;
#[cfg(feature = "wordnet")]
pub(crate) use self::rank::RankArgs;
pub(crate) use self::report::ReportArgs;
pub(crate) use self::reproduce::ReproduceArgs;
pub(crate) use self::risk::RiskArgs;
pub(crate) use self::roles::RoleArgs;
pub(crate) use self::sample::SampleArgs;
pub(crate) use self::shown::ShownArgs;
#[cfg(feature = "studio")]
pub(crate) use self::studio::StudioArgs;
pub(crate) use self::verify::VerifyArgs;

/// Output of `--version`; `-V` prints only the version number.
#[cfg(feature = "wordnet")]
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\nwith the nouns of WordNet 3.0, copyright 2006 by Princeton University (hedgerow knowledge notice)"
);

/// Output of `--version` in a build without WordNet.
#[cfg(not(feature = "wordnet"))]
const LONG_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Anonymizes tables of personal data: builds generalization hierarchies, generalizes tables with
/// them, and measures the information loss.
#[derive(Debug, Parser)]
#[command(name = "hedgerow", version, long_version = LONG_VERSION, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 done; 1 the goal cannot be met, or a check found a violation; 2 \
                        error in the input or the call."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Shows the columns of a table: kinds, distinct values, suggested roles, and how many records
    /// are unique
    Inspect(InspectArgs),
    /// Writes a commented job file for a table, with suggested roles
    Init(InitArgs),
    /// Serves a local page on which a table is looked at, hierarchies are grown and corrected, and
    /// releases are made, compared and exported
    Studio(StudioArgs),
    /// Builds, shows, converts, checks and ranks hierarchies
    Hierarchy(HierarchyArgs),
    /// Writes a release of a table in which at least k records share each published combination of
    /// quasi-identifiers
    Anonymize(Box<AnonymizeArgs>),
    /// Plans the release of a table in a database or on a cluster from counts of its records: counts
    /// in, what each record publishes out
    Plan(Box<PlanArgs>),
    /// Recodes the next table by the recipe of an earlier release, and reports how far it differs
    Apply(Box<ApplyArgs>),
    /// Checks the privacy of a release from its file alone; exits with 1 if a claim does not hold
    Verify(Box<VerifyArgs>),
    /// Measures the information loss of a release from the original and the release
    Measure(MeasureArgs),
    /// Writes a page about a release for a review board, or for the public, from the original and the
    /// release
    Report(Box<ReportArgs>),
    /// Estimates the risk of re-identification of a table, and of its release
    Risk(Box<RiskArgs>),
    /// Attacks a release: tries to find people and their sensitive values in it
    Attack(Box<AttackArgs>),
    /// Compares methods, hierarchies, models and values of k: every combination in one run, without
    /// writing a release
    Compare(Box<CompareArgs>),
    /// Lists every full-domain generalization with its k and its cost
    Lattice(LatticeArgs),
    /// Shows the senses of words and their similarity
    Knowledge(KnowledgeArgs),
    /// Enlarges a table with variations of its records, or generates a table of words
    Generate(GenerateArgs),
    /// Runs the experiments of papers again, and writes what they say with what we measure
    Reproduce(ReproduceArgs),
    /// Imports the roles, kinds and hierarchies of an ARX project, but not its data
    Import(ImportArgs),
    /// Lists methods, hierarchies, privacy models, losses, risk models, formats and attacks
    Methods(MethodsArgs),
    /// Prints a script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// Prints the manual page of hedgerow, or writes one page per command
    Man(ManArgs),
    /// Shows the parameters of a method, or the options of a command
    Help(HelpArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// Table to read: CSV, gzipped CSV, Parquet, or a workbook (.xlsx, .ods)
    pub(crate) table: PathBuf,
    /// Job file to write; its name ends in .toml
    #[arg(short, long, value_name = "FILE.toml")]
    pub(crate) output: PathBuf,
    /// Replaces the job file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// Shell that the script is for
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Writes one page per command to a directory
    #[arg(long, requires = "output")]
    pub(crate) all: bool,
    /// Directory for the pages
    #[arg(short, long, value_name = "DIRECTORY", requires = "all")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces an existing directory if it contains only such pages
    #[arg(long, requires = "all")]
    pub(crate) force: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct MethodsArgs {
    /// Prints JSON with the type, range and default of every parameter, and whether it is a file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct HelpArgs {
    /// A command; or one of method, hierarchy, privacy, loss, set-loss, risk, format and attack,
    /// optionally followed by a NAME
    pub(crate) topic: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// ARX project to read, a .deid file
    pub(crate) project: PathBuf,
    /// Directory to write the hierarchies and the job file to
    #[arg(short, long, value_name = "DIRECTORY")]
    pub(crate) output: PathBuf,
    /// Replaces an existing directory if it contains only files that this import writes
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InspectArgs {
    /// Table to read: CSV, gzipped CSV, Parquet, or a workbook (.xlsx, .ods); - for standard input
    pub(crate) table: PathBuf,
    /// Column that names the person of each record; people are then counted instead of records
    /// [default: a column that looks like it]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) person: Option<String>,
    /// k of the planned release, for the choice of hierarchies
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k, default_value_t = USUAL_K)]
    pub(crate) k: u64,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GenerateArgs {
    /// Table to enlarge
    #[arg(required_unless_present = "claims")]
    pub(crate) table: Option<PathBuf>,
    /// Columns that vary
    #[arg(
        short,
        long,
        value_name = "COLUMN,...",
        value_delimiter = ',',
        required_unless_present = "claims"
    )]
    pub(crate) columns: Vec<String>,
    /// Number of records written for each record: itself and SIGMA - 1 variations
    #[arg(long, required_unless_present = "claims")]
    pub(crate) sigma: Option<u64>,
    /// Number of the columns that vary in each variation
    #[arg(long, required_unless_present = "claims")]
    pub(crate) rho: Option<usize>,
    /// Hierarchy file of a column that varies: values are drawn from all its leaves, instead of from
    /// the values that occur; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=FILE")]
    pub(crate) hierarchies: Vec<Pair<PathBuf>>,
    /// Generates a table of words with this number of records, instead of enlarging a table
    #[arg(
        long,
        value_name = "RECORDS",
        conflicts_with_all = ["table", "columns", "sigma", "rho", "hierarchies"]
    )]
    pub(crate) claims: Option<u64>,
    /// Seed of the random number generator
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replaces the output file if it exists
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) file: FileArgs,
}

fn whole_k(text: &str) -> Result<u64, String> {
    // Negative numbers reach this point on purpose, so that they get this message and not one about
    // flags.
    let k = text.parse().ok().filter(|&k| k >= 1);
    k.ok_or_else(|| {
        "k must be a whole number of at least 1, and only 2 or more protects".to_owned()
    })
}

/// Text at the end of a command's help: where methods and their parameters are listed.
const LISTS: &str = "hedgerow help method, help hierarchy, help privacy and help loss list the available \
    names; followed by a NAME, they show its parameters and their ranges. hedgerow methods --json \
    prints all of this as JSON.";
