//! The outcome of `anonymize`, as data.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::auto::Choosing;
use crate::certificate::Certified;
use crate::error::Warning;
use crate::measure::{Attained, Recount};
use crate::release::{Detail, Exposure};
use crate::risk::Assessment;
use crate::table::Table;

/// The outcome of `anonymize`, which programs read as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Number of records in the input.
    pub rows: u64,
    /// Number of records in the release.
    pub released: u64,
    /// Number of records that the method suppressed.
    pub suppressed: u64,
    /// Number of other records with `*` in every quasi-identifier, because their class has it.
    #[serde(skip_serializing_if = "is_none")]
    pub show_nothing: u64,
    /// Number of records that were dropped because a value is missing.
    pub dropped: u64,
    /// The people of the records, if a column names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// Number of classes in the release: distinct published tuples with a value other than `*`.
    pub classes: usize,
    /// Number of records in the smallest class.
    pub smallest_class: u64,
    /// The method, with its parameters.
    pub method: String,
    /// The choice of the method and the hierarchies by `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choosing: Option<Choosing>,
    /// Seed of the random number generator.
    pub seed: u64,
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// The required and the attained privacy, counted in the written file.
    pub privacy: Vec<Attained>,
    /// Notes of the method about its search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Notes on the reading of the file and its columns; also among the notes.
    #[serde(skip)]
    pub reading: Vec<String>,
    /// The generalization of each quasi-identifier.
    pub hierarchies: BTreeMap<String, HierarchyOutcome>,
    /// The precision with which each quasi-identifier is published.
    pub columns: BTreeMap<String, Detail>,
    /// Values of few records that the release reveals, and values that records did not have.
    #[serde(flatten)]
    pub exposure: Exposure,
    /// Columns without a role, which are published as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
    /// The risk of re-identification in the input and in the release; `None` if it could not be
    /// assessed, as a warning then says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<Assessment>,
    /// Warnings to read before publishing.
    pub warnings: Vec<Warning>,
    /// The distance of the release from the optimum, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certified>,
    /// Losses on the method's own partition.
    pub loss: BTreeMap<&'static str, f64>,
    /// Losses on the release, in which classes with the same published values are merged.
    pub release_loss: BTreeMap<&'static str, f64>,
    /// Losses of the generalization sets of a column, if the method creates such sets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sets: BTreeMap<String, BTreeMap<&'static str, f64>>,
}

/// The people of a table in which a person can have several records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct People {
    /// The column that names them.
    pub column: String,
    /// Number of people in the input, without those whose records were dropped.
    pub people: u64,
    /// Number of people in the smallest class.
    pub smallest_class: u64,
}

impl People {
    /// The people of a table, and of the classes that were counted in its written release.
    pub(crate) fn of(table: &Table, recount: &Recount) -> Option<Self> {
        let column = table.person()?.name.clone();
        Some(Self { column, people: table.n_people(), smallest_class: recount.fewest_people() })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The generalization of a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HierarchyOutcome {
    /// The method that built the hierarchy.
    pub method: String,
    /// Number of nodes; 0 without a hierarchy.
    pub nodes: usize,
    /// Number of edges from the root to the deepest leaf.
    pub height: u32,
    /// The reason why `auto` chose it; `None` if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The meaning that each value was taken for, if the hierarchy groups words by meaning.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub meanings: BTreeMap<String, String>,
    /// The source of each of these meanings, if they come from a source other than WordNet.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, String>,
}
