//! Inputs of attacks: the original, the release, and the knowledge of the attacker.

use std::collections::BTreeMap;

use crate::hierarchy::Hierarchy;
use crate::table::Table;

/// Files and knowledge for attacks, not yet checked.
///
/// The original and the release are read with the same quasi-identifiers and the same additional
/// columns, which are all other columns that both have; the original can also have been read with
/// the column that names people. Quasi-identifiers of the release are read as text.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Given {
    /// The original.
    pub original: Table,
    /// The release.
    pub release: Table,
    /// Other releases of the same or overlapping people, in the order of their publication.
    pub others: Vec<Other>,
    /// A table that the attacker has, whose columns are known columns of the original.
    pub external: Option<Table>,
    /// Hierarchies that explain labels, and the similarity of sensitive values, by column.
    pub hierarchies: BTreeMap<String, Hierarchy>,
    /// The columns that the attacker knows; all quasi-identifiers if there are none.
    pub known: Vec<String>,
    /// The sensitive columns.
    pub sensitive: Vec<String>,
    /// Minimum number of records, or people, in a class of the release, if it is known. Values that
    /// fewer have are rare.
    pub k: Option<u64>,
    /// Number of threads; 0 means 1. Results do not depend on it.
    pub threads: usize,
}

impl Given {
    /// An original and its release, and nothing else.
    pub fn new(original: Table, release: Table) -> Self {
        Self {
            original,
            release,
            others: Vec::new(),
            external: None,
            hierarchies: BTreeMap::new(),
            known: Vec::new(),
            sensitive: Vec::new(),
            k: None,
            threads: 1,
        }
    }
}

/// Another release. Its columns are read as text, as quasi-identifiers of a release.
#[derive(Debug, Clone)]
pub struct Other {
    /// Its name in reports.
    pub name: String,
    /// Its columns that the original has too.
    pub table: Table,
}
