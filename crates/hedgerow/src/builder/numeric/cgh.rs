//! CGH: conventional generalization hierarchies.

use serde::{Deserialize, Serialize};

use super::grid::{self, Grid, Intervals};
use crate::Result;
use crate::builder::HierarchyBuilder;
use crate::hierarchy::Generalization;
use crate::method::{Described, Description, Need};
use crate::table::Column;

/// Recursively halves the domain until intervals would be narrower than a minimum width.
///
/// The lowest intervals form level 1 and have their values as children. Level `i` of `L` has the
/// distortion `L / 2^(L-i)`: the root, on level `L`, has distortion `L`, and every other level half
/// that of the level above.
///
/// # Complexity
///
/// `O(m log w)` for `m` distinct values and a domain `w` units wide.
///
/// # Guarantees
///
/// Deterministic and nested; all values are at the same depth. If an interval has an odd number of
/// units, its left half gets one more. Intervals without values are left out.
///
/// # References
///
/// \[Yaseen2018\] Yaseen et al.: Improved Generalization for Secure Data Publishing, IEEE Access
/// 6, 2018, method 1; METHODS 1.5.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Cgh, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["3"], ["8"]])?;
/// let tree = Cgh { min_width: Some(4.0), ..Cgh::default() }.build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-8]([1-4](1,3),[5-8](8))");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Cgh {
    /// The least number of the domain; defaults to that of the column.
    pub lo: Option<f64>,
    /// The greatest number of the domain; defaults to that of the column.
    pub hi: Option<f64>,
    /// Minimum width of an interval, counting both ends; defaults to a tenth of the domain.
    pub min_width: Option<f64>,
}

impl Described for Cgh {
    const DESCRIPTION: Description = Description {
        name: "cgh",
        about: "numbers: halves of the domain, halved again down to a minimum width",
        reference: Some("Yaseen2018"),
        needs: &[Need::Numbers],
        parameters: &[grid::LO, grid::HI, grid::MIN_WIDTH],
    };
}

impl HierarchyBuilder for Cgh {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let grid = Grid::of("cgh", column, self.lo, self.hi)?;
        let levels = levels(&grid, grid.min_width(self.min_width)?);
        let n_levels = levels.len() as i32;
        let groups: Vec<_> = (1..)
            .zip(&levels)
            .map(|(level, intervals)| {
                grid.groups(intervals, |_, _| f64::from(n_levels) / 2f64.powi(n_levels - level))
            })
            .collect();
        grid.tree(&groups).map(Generalization::from)
    }
}

/// Returns the levels, finest first.
fn levels(grid: &Grid<'_>, min_width: i64) -> Vec<Intervals> {
    let mut levels = vec![grid.intervals(|_| (grid.lo, grid.hi))];
    // The narrowest of the intervals on the next level: an odd width is rounded down when halved.
    let mut narrowest = grid.width() / 2;
    while narrowest >= min_width && narrowest > 0 {
        let halved = halves(grid, &levels[levels.len() - 1]);
        levels.push(halved);
        narrowest /= 2;
    }
    levels.reverse();
    levels
}

/// Returns those halves of the intervals `above` that contain values.
fn halves(grid: &Grid<'_>, above: &Intervals) -> Intervals {
    // Values and intervals are both sorted, so one pass matches them.
    let mut above = above.iter().map(|&(ends, _)| ends).peekable();
    grid.intervals(|tick| {
        while above.next_if(|&(_, hi)| hi < tick).is_some() {}
        let (lo, hi) = above.peek().copied().unwrap_or((tick, tick));
        half_with(tick, lo, hi)
    })
}

/// Returns the half of the interval from `lo` to `hi` that contains `tick`.
fn half_with(tick: i64, lo: i64, hi: i64) -> (i64, i64) {
    let middle = lo + (hi - lo) / 2;
    if tick <= middle { (lo, middle) } else { (middle + 1, hi) }
}
