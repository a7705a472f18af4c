//! Replaces hierarchies of words in a build without the feature `wordnet`.

use std::path::PathBuf;

use super::HierarchyBuilder;
use crate::error::Warning;
use crate::hierarchy::Hierarchy;
use crate::method::{Make, Method, Spec};
use crate::table::Column;
use crate::{Error, Result};

/// The methods for words; this build has none.
pub(super) const ALL: &[Method<Make<dyn HierarchyBuilder>>] = &[];

/// Returns an error for a method that this build does not include.
pub(super) fn check(spec: &Spec) -> Result<()> {
    match spec.name.as_str() {
        "wordnet" => Err(Error::absent("hierarchy method 'wordnet'", "wordnet")),
        _ => Ok(()),
    }
}

/// Whether a column can be grouped by meaning; always false in this build.
pub(super) fn are_sound(_column: &Column) -> bool {
    false
}

/// The sources of concepts of a run; always none in this build.
#[derive(Debug, Default)]
pub(crate) struct Sources(Vec<PathBuf>);

impl Sources {
    /// Returns an error if a source is named.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Self> {
        if paths.is_empty() {
            Ok(Self::default())
        } else {
            Err(Error::absent("a source of concepts", "wordnet"))
        }
    }

    /// Whether no source was named.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether WordNet may be used.
    pub(crate) fn has_wordnet(&self) -> bool {
        !self.is_empty()
    }

    /// Returns the method that groups a column by these sources; none in this build.
    pub(crate) fn method(&self, _column: &Column) -> Option<Spec> {
        self.0.first().map(|_| Spec::named("wordnet"))
    }

    /// Returns the same method with these sources; none in this build.
    pub(crate) fn given_to(&self, _asked: &Spec) -> Option<Spec> {
        self.0.first().map(|_| Spec::named("wordnet"))
    }
}

/// Describes values that were not found when a tree of words was built; nothing in this build.
pub(super) fn doubts(_tree: &Hierarchy) -> Vec<Warning> {
    Vec::new()
}

/// The concept that a value was taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TakenFor {
    /// The value.
    pub value: String,
    /// The concept with the group above it.
    pub meaning: String,
    /// The source of the concept.
    pub source: Option<String>,
}

/// Lists the concepts that the values of a tree of words were taken for; nothing in this build.
pub fn taken_for(_tree: &Hierarchy) -> Vec<TakenFor> {
    Vec::new()
}
