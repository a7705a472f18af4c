//! Equal-width hierarchies.

use serde::{Deserialize, Serialize};

use super::{FAN_OUT, Line, NumericBuilder, Ranges, grow_down};
use crate::Result;
use crate::method::{Described, Description, Need};

/// Recursively divides a range into parts of equal width.
///
/// Parts without values are left out. Before a part is divided, it is narrowed to the range of its
/// own values, so that outliers do not cause empty levels.
///
/// # Complexity
///
/// `O(m)` for each level of the tree, `O(m)` memory.
///
/// # Guarantees
///
/// Deterministic. A value on a boundary belongs to the part on its right.
///
/// # References
///
/// \[Campan2011\] uses such hierarchies for comparison; METHODS 1.10 has the formula. Deviation:
/// the formula is applied again to the range of each part's values.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{EqualWidth, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["2"], ["9"]])?;
/// let tree = EqualWidth::default().build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-9]([1-2](1,2),9)");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct EqualWidth {
    /// Number of parts into which a range is divided; at least 2.
    pub fan_out: usize,
}

impl Default for EqualWidth {
    /// Halves, which give the finest tree and lose least.
    fn default() -> Self {
        Self { fan_out: 2 }
    }
}

impl Described for EqualWidth {
    const DESCRIPTION: Description = Description {
        name: "equal-width",
        about: "numbers: parts of equal width",
        reference: Some("Campan2011"),
        needs: &[Need::Scale],
        parameters: &[FAN_OUT.or("2")],
    };
}

impl NumericBuilder for EqualWidth {
    fn ranges(&self, line: &Line) -> Result<Ranges> {
        Ok(grow_down(line.len(), |start, end, starts| {
            self.split(&line.positions[start..end], starts);
            starts.iter_mut().for_each(|part| *part += start);
        }))
    }
}

impl EqualWidth {
    /// Fills the empty `starts` with the first value of each part; parts have equal widths.
    fn split(self, at: &[f64], starts: &mut Vec<usize>) {
        let (least, width) = (at[0], at[at.len() - 1] - at[0]);
        // METHODS 1.10; the greatest value, at the end of the range, belongs to the last part.
        let last_part = (self.fan_out - 1) as f64;
        let part_of = |x: f64| ((x - least) * self.fan_out as f64 / width).floor().min(last_part);
        let mut before = -1.0;
        for (value, &x) in at.iter().enumerate() {
            let part = part_of(x);
            if part > before {
                starts.push(value);
                before = part;
            }
        }
    }
}
