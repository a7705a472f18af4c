//! Arguments of `hedgerow knowledge`.

use std::path::PathBuf;

use clap::Subcommand;
use hedgerow::knowledge::{Knowledge, Mode};
use hedgerow::{Error, builder};

use crate::advice::quoted;

#[derive(Debug, clap::Args)]
pub(crate) struct KnowledgeArgs {
    #[command(subcommand)]
    pub(crate) command: KnowledgeCommand,
}

/// Sources of the concepts.
#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    /// Directory with WordNet's own files (data.noun, index.noun), instead of the built-in nouns
    #[arg(long, value_name = "DIR")]
    pub(crate) wordnet: Option<PathBuf>,
    /// Source of concepts: SKOS (.ttl), OBO (.obo), code,parent,label (.csv), a hierarchy file, or
    /// wordnet. Repeat it for several; a value belongs to the first that knows it [default: wordnet]
    #[arg(long, value_name = "SOURCE")]
    pub(crate) knowledge: Vec<PathBuf>,
}

impl SourceArgs {
    /// Reads the concepts of the sources.
    pub(crate) fn gather(&self) -> Result<Knowledge, Error> {
        builder::gather(&self.knowledge, self.wordnet.as_deref())
    }

    /// Returns the files and directories of the sources.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let files = self.knowledge.iter().filter(|source| !builder::is_wordnet(source));
        files.chain(&self.wordnet)
    }

    /// Returns the flags that name the same sources, each after a blank.
    pub(crate) fn flags(&self) -> String {
        let wordnet = self.wordnet.iter().map(|path| ("wordnet", path));
        let sources = self.knowledge.iter().map(|source| ("knowledge", source));
        let flag = |(flag, path): (&str, &PathBuf)| {
            format!(" --{flag} {}", quoted(&path.to_string_lossy()))
        };
        wordnet.chain(sources).map(flag).collect()
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
    /// Shows the similarity of two senses, from 0 to 1 (Wu and Palmer); 0 if they come from
    /// different sources
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
