//! Stands in for hierarchies of words in a build without the feature `wordnet`.

use super::HierarchyBuilder;
use crate::hierarchy::Hierarchy;
use crate::method::{Make, Method, Spec};
use crate::table::Column;
use crate::{Error, Result};

/// The methods for words: none.
pub(super) const ALL: &[Method<Make<dyn HierarchyBuilder>>] = &[];

/// Refuses a method that this build lacks.
pub(super) fn check(spec: &Spec) -> Result<()> {
    match spec.name.as_str() {
        "wordnet" => Err(Error::absent("hierarchy method 'wordnet'", "wordnet")),
        _ => Ok(()),
    }
}

/// Whether WordNet knows most values of a column: there is no WordNet.
pub(super) fn are_known(_column: &Column) -> bool {
    false
}

/// Which values a tree of words holds that were not found: nobody can tell.
pub fn doubts(_tree: &Hierarchy) -> Option<String> {
    None
}
