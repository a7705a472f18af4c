//! The arguments of `hedgerow knowledge`.

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

/// Where concepts come from.
#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    /// A directory of WordNet's own files (data.noun, index.noun) instead of the nouns built in
    #[arg(long, value_name = "DIR")]
    pub(crate) wordnet: Option<PathBuf>,
    /// A file of concepts instead: SKOS (.ttl), OBO (.obo), code,parent,label (.csv), or a hierarchy
    #[arg(long, value_name = "FILE", conflicts_with = "wordnet")]
    pub(crate) knowledge: Option<PathBuf>,
}

impl SourceArgs {
    /// What is done with the concepts of the source.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&Knowledge) -> Result<T>) -> Result<T> {
        builder::with_knowledge(self.wordnet.as_deref(), self.knowledge.as_deref(), act)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum KnowledgeCommand {
    /// Shows what a word stands for: its senses, their definitions, and what is above them
    Lookup {
        /// The word or phrase, in the singular or plural
        word: String,
        #[command(flatten)]
        source: SourceArgs,
    },
    /// Shows the notice of WordNet, which is built in
    Notice,
    /// Says how alike two senses are, from 0 to 1 (Wu and Palmer)
    Similarity {
        /// A sense, as nurse.n.01 or nurse#1
        one: String,
        /// Another
        other: String,
        /// How depths are counted: shortest (with one root above all), or nltk
        #[arg(long, value_name = "MODE", default_value = "shortest")]
        mode: Mode,
        #[command(flatten)]
        source: SourceArgs,
    },
}
