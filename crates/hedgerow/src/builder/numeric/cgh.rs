//! CGH: conventional generalization hierarchies.

use serde::{Deserialize, Serialize};

use super::grid::{self, Grid, Intervals};
use crate::Result;
use crate::builder::HierarchyBuilder;
use crate::hierarchy::Generalization;
use crate::method::{Described, Description, Need};
use crate::table::Column;

/// Halves the domain, and each half again, while no interval gets narrower than a least width.
///
/// The lowest intervals stand on level 1 and their values below them. A level has the distortion
/// `L / 2^(L-i)`: the root, on level `L`, has `L`, and every level half of the one above.
///
/// # Complexity
///
/// `O(m log w)` for `m` distinct values and a domain `w` units wide.
///
/// # Guarantees
///
/// Deterministic and nested; all values are equally deep. Of an odd number of units the left half
/// gets one more. Intervals without values are left out.
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
    /// The least number of the domain; that of the column if not given.
    pub lo: Option<f64>,
    /// The greatest number of the domain; that of the column if not given.
    pub hi: Option<f64>,
    /// The least width of an interval, in numbers that it holds; a tenth of the domain if not given.
    pub min_width: Option<f64>,
}

impl Described for Cgh {
    const DESCRIPTION: Description = Description {
        name: "cgh",
        about: "numbers: halves of the domain, and their halves",
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

/// The levels, the finest first.
fn levels(grid: &Grid<'_>, min_width: i64) -> Vec<Intervals> {
    let mut levels = vec![grid.intervals(|_| (grid.lo, grid.hi))];
    // Halving n times leaves no interval narrower than the n-th half, rounded down.
    let mut narrowest = grid.width() / 2;
    while narrowest >= min_width && narrowest > 0 {
        let above = levels[levels.len() - 1].iter().map(|(ends, _)| *ends).collect::<Vec<_>>();
        let mut above = above.into_iter().peekable();
        levels.push(grid.intervals(|tick| {
            while above.next_if(|&(_, hi)| hi < tick).is_some() {}
            let (lo, hi) = above.peek().copied().unwrap_or((tick, tick));
            let middle = lo + (hi - lo) / 2;
            if tick <= middle { (lo, middle) } else { (middle + 1, hi) }
        }));
        narrowest /= 2;
    }
    levels.reverse();
    levels
}
