//! Utility of a release: distributions, counts and correlations, compared with the original.
//!
//! All measures read the release as its users can: a cell that covers several values of the
//! original counts as an equal share of each ([`Spread`]).

mod spread;
mod distance;
mod queries;
mod correlation;

use std::collections::BTreeMap;

pub use correlation::{Correlations, Pair};
pub use distance::Distances;
pub use queries::QueryError;
pub(crate) use queries::SHARE_OF_BOUND;
use serde::Serialize;
pub use spread::Spread;

use crate::hierarchy::Hierarchy;
use crate::table::Table;

/// A comparison of a release with its original.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Utility {
    /// The quasi-identifiers, in their order.
    pub columns: Vec<ColumnUtility>,
    /// Number of cells of quasi-identifiers that show exactly one value of the original.
    pub cells_unchanged: u64,
    /// Number of cells of quasi-identifiers in the release.
    pub cells: u64,
    /// The errors of counting queries on the release; `None` if a table is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<QueryError>,
    /// The changes of the dependence between columns; `None` if there is only one column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlations: Option<Correlations>,
}

/// A comparison of a column of a release with the same column of the original.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnUtility {
    /// Name of the column.
    pub name: String,
    /// Number of cells that show exactly one value of the original.
    pub cells_unchanged: u64,
    /// Distances between its two distributions.
    #[serde(flatten)]
    pub distances: Distances,
}

/// Compares a release with its original.
///
/// Both tables have the same columns, and the quasi-identifiers of the release were read as text.
/// `hierarchies` explain labels that are neither values nor ranges nor sets of them; a label that
/// stays unexplained counts as `*`. Columns besides the quasi-identifiers take part in
/// correlations.
///
/// # Complexity
///
/// `O(q (n + m))` for `q` queries, `n` distinct records and `m` distinct published records, plus
/// `O(p² m)` for the correlations of `p` columns.
///
/// # Guarantees
///
/// The same tables and seed give the same result on any machine.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
/// use hedgerow::table::Table;
/// use hedgerow::utility;
/// let original = Table::from_rows(&["age"], &[["30"], ["31"], ["31"], ["40"]])?;
/// let release = Table::from_rows(&["age"], &[["[30, 31]"], ["[30, 31]"], ["31"], ["40"]])?;
/// let found = utility::compare(&original, &release, &BTreeMap::new(), 0);
/// assert_eq!((found.cells_unchanged, found.cells), (2, 4));
/// // Two cells count as half of 30 and half of 31, so the distribution did not move.
/// assert!(found.columns[0].distances.total_variation < 1e-9);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn compare(
    original: &Table,
    release: &Table,
    hierarchies: &BTreeMap<String, &Hierarchy>,
    seed: u64,
) -> Utility {
    let spread = Spread::new(original, release, hierarchies);
    let columns: Vec<ColumnUtility> = (original.columns().iter().enumerate())
        .map(|(place, column)| ColumnUtility {
            name: column.name.clone(),
            cells_unchanged: spread.unchanged(place),
            distances: Distances::of(&spread, place),
        })
        .collect();
    Utility {
        cells_unchanged: columns.iter().map(|column| column.cells_unchanged).sum(),
        cells: release.cohorts().n_records() * columns.len() as u64,
        columns,
        queries: QueryError::of(&spread, seed),
        correlations: Correlations::of(&spread),
    }
}

#[cfg(test)]
mod tests;
