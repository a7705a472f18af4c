//! Hierarchy-free generalization.

use serde::{Deserialize, Serialize};

use super::HierarchyBuilder;
use crate::Result;
use crate::hierarchy::Generalization;
use crate::method::{Described, Description};
use crate::table::Column;

/// Uses no hierarchy: numbers and dates are published as the interval of their class, words as a
/// set of values.
///
/// Intervals of different classes may overlap.
///
/// # Complexity
///
/// Constant: nothing is built.
///
/// # Guarantees
///
/// A class never loses more than it would with a tree of ranges of the column's own values.
///
/// # References
///
/// \[Campan2011\], section 3 (hierarchy-free); METHODS 1.10.
///
/// # Examples
///
/// ```
/// use hedgerow::hierarchy::Generalization;
/// use hedgerow::builder::{Free, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age", "job"], &[["23", "nurse"]])?;
/// assert!(matches!(Free.build(&table.columns()[0])?, Generalization::Interval(_)));
/// assert!(matches!(Free.build(&table.columns()[1])?, Generalization::Set(_)));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Free;

impl Described for Free {
    const DESCRIPTION: Description = Description {
        name: "free",
        about: "any kind: no tree; the interval or set of values in each class",
        reference: Some("Campan2011"),
        needs: &[],
        parameters: &[],
    };
}

impl HierarchyBuilder for Free {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let values = column.domain.values.clone();
        Ok(match values.scale() {
            Some(_) => Generalization::Interval(values),
            None => Generalization::Set(values),
        })
    }
}
