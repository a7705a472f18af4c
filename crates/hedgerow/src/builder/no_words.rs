//! Replaces hierarchies of words in a build without the feature `wordnet`.

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

/// Lists what the values of a tree of words were taken for; nothing in this build.
pub fn taken_for(_tree: &Hierarchy) -> Vec<TakenFor> {
    Vec::new()
}
