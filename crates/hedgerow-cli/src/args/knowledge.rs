//! Arguments of `hedgerow knowledge`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;
use hedgerow::builder;
use hedgerow::knowledge::{Knowledge, Mode};

#[derive(Debug, clap::Args)]
pub(crate) struct KnowledgeArgs {
    #[command(subcommand)]
    pub(crate) command: KnowledgeCommand,
}

/// Source of the concepts.
#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    /// Directory with WordNet's own files (data.noun, index.noun), instead of the built-in nouns
    #[arg(long, value_name = "DIR")]
    pub(crate) wordnet: Option<PathBuf>,
    /// File of concepts, instead of WordNet: SKOS (.ttl), OBO (.obo), code,parent,label (.csv), or
    /// a hierarchy file
    #[arg(long, value_name = "FILE", conflicts_with = "wordnet")]
    pub(crate) knowledge: Option<PathBuf>,
}

impl SourceArgs {
    /// Loads the source and calls `act` with its concepts.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&Knowledge) -> Result<T>) -> Result<T> {
        builder::with_knowledge(self.wordnet.as_deref(), self.knowledge.as_deref(), act)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum KnowledgeCommand {
    /// Shows the senses of a word with their definitions and broader concepts
    Lookup {
        /// Word or phrase, in the singular or plural
        word: String,
        #[command(flatten)]
        source: SourceArgs,
    },
    /// Shows the copyright notice of the built-in WordNet
    Notice,
    /// Shows the similarity of two senses, from 0 to 1 (Wu and Palmer)
    Similarity {
        /// First sense, such as nurse.n.01 or nurse#1
        one: String,
        /// Second sense, in the same form
        other: String,
        /// How depths are counted: shortest (with one root above all), or nltk
        #[arg(long, value_name = "MODE", default_value = "shortest")]
        mode: Mode,
        #[command(flatten)]
        source: SourceArgs,
    },
}
