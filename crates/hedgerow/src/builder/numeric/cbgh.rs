//! CBGH: cardinality-based generalization hierarchies.

use serde::{Deserialize, Serialize};

use super::grid::{self, Grid};
use crate::builder::HierarchyBuilder;
use crate::error::Advice;
use crate::hierarchy::{Band, Generalization};
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::table::Column;
use crate::{Error, Result};

/// Limit for the number of lowest intervals, because of the memory they take.
const MOST_INTERVALS: i64 = 10_000_000;

/// Merges intervals of equal width in pairs, level by level.
///
/// If their number is odd, one interval stays unpaired: the one that makes the numbers of records
/// on the new level most even. The distortion of a node is its fraction of the root's width, times
/// the number of levels.
///
/// # Complexity
///
/// `O(m + w)` for `m` distinct values and `w` lowest intervals: running sums evaluate all choices
/// of a level in one pass.
///
/// # Guarantees
///
/// Deterministic and nested; all values are at the same depth. "Most even" means the least
/// difference between the largest and the smallest number, then the least sum of squares, then the
/// leftmost choice. Intervals without values count when levels are made but are left out of the
/// tree.
///
/// # References
///
/// \[Yaseen2018\] algorithm 2; METHODS 1.7. Deviations: the last of the lowest intervals is widened
/// or cut so that it ends with the domain, whose end the algorithm's loop may leave uncovered;
/// "differ least" is made precise as above.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Cbgh, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["2"], ["4"], ["6"]])?;
/// let tree = Cbgh::default().build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-6]([1-2]([1-2](1,2)),[3-6]([3-4](4),[5-6](6)))");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Cbgh {
    /// The least number of the domain; defaults to that of the column.
    pub lo: Option<f64>,
    /// The greatest number of the domain; defaults to that of the column.
    pub hi: Option<f64>,
    /// Width of the lowest intervals, counting both ends.
    pub width: f64,
}

impl Default for Cbgh {
    /// Intervals of two numbers, as in the paper's algorithm.
    fn default() -> Self {
        Self { lo: None, hi: None, width: 2.0 }
    }
}

impl Described for Cbgh {
    const DESCRIPTION: Description = Description {
        name: "cbgh",
        about: "numbers: intervals of equal width, merged in pairs with even counts",
        reference: Some("Yaseen2018"),
        needs: &[Need::Numbers],
        parameters: &[
            grid::LO,
            grid::HI,
            Parameter::new(
                "width",
                Type::POSITIVE,
                "width of the lowest intervals, counting both ends",
            )
            .or("2"),
        ],
    };
}

/// An interval and its number of records.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cell {
    ends: (i64, i64),
    leaves: (u32, u32),
    count: u64,
}

impl HierarchyBuilder for Cbgh {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let grid = Grid::of("cbgh", column, self.lo, self.hi)?;
        let width = match grid.width() {
            1 => 1,
            _ => grid.units("width", self.width)?,
        };
        let mut levels = vec![lowest(&grid, width, &column.domain.counts)?];
        let has_values = |cell: &Cell| cell.leaves.0 < cell.leaves.1;
        while levels[levels.len() - 1].len() > 1 {
            let last = levels.len() - 1;
            levels.push(merged(&levels[last]));
            // Cells without values matter only for the next level.
            levels[last].retain(has_values);
            levels[last].shrink_to_fit();
        }
        let n_levels = levels.len() as f64;
        let root = levels[levels.len() - 1][0].ends;
        let of_root = ((root.1 - root.0) as f64).max(1.0);
        let group = |cell: &Cell| Band {
            leaves: cell.leaves,
            bounds: (grid.value(cell.ends.0), grid.value(cell.ends.1)),
            distortion: n_levels * (cell.ends.1 - cell.ends.0) as f64 / of_root,
        };
        let groups: Vec<Vec<Band>> =
            levels.iter().map(|cells| cells.iter().map(group).collect()).collect();
        grid.tree(&groups).map(Generalization::from)
    }
}

/// Returns intervals of equal width, including those without values.
fn lowest(grid: &Grid<'_>, width: i64, counts: &[u64]) -> Result<Vec<Cell>> {
    let (lo, hi) = (grid.lo, grid.hi);
    let n = ((hi - lo + width - 1) / width).max(1); // an interval needs two remaining numbers
    if n > MOST_INTERVALS {
        let least = grid.value((hi - lo) / MOST_INTERVALS + 1);
        let (width, problem) = (grid.value(width), format!("this gives {n} intervals"));
        return Err(Error::parameter("cbgh", "width", Some(&width.to_string()), problem)
            .advise([Advice::words(format!("choose a width of at least {least}"))]));
    }
    let mut cells = Vec::with_capacity(n as usize);
    let mut start = 0;
    for place in 0..n {
        let first = lo + place * width;
        let last = if place + 1 == n { hi } else { first + width - 1 };
        let end = start + grid.ticks[start..].partition_point(|&tick| tick <= last);
        let count = counts[start..end].iter().sum();
        cells.push(Cell { ends: (first, last), leaves: (start as u32, end as u32), count });
        start = end;
    }
    Ok(cells)
}

/// Returns the next level.
fn merged(cells: &[Cell]) -> Vec<Cell> {
    let alone = if cells.len() % 2 == 1 { most_even(cells) } else { cells.len() };
    let join = |pair: &[Cell]| Cell {
        ends: (pair[0].ends.0, pair[pair.len() - 1].ends.1),
        leaves: (pair[0].leaves.0, pair[pair.len() - 1].leaves.1),
        count: pair.iter().map(|cell| cell.count).sum(),
    };
    let (before, rest) = cells.split_at(alone);
    let (single, after) = rest.split_at(rest.len().min(1));
    // The unpaired cell is at an even index, so the cells before it form pairs.
    let pairs = before.chunks(2).chain(single.chunks(1)).chain(after.chunks(2));
    pairs.map(join).collect()
}

/// The least, the greatest and the sum of squares of some counts.
#[derive(Debug, Clone, Copy)]
struct Spread {
    least: u64,
    greatest: u64,
    squares: u128,
}

impl Spread {
    const NONE: Self = Self { least: u64::MAX, greatest: 0, squares: 0 };

    fn with(self, count: u64) -> Self {
        Self {
            least: self.least.min(count),
            greatest: self.greatest.max(count),
            squares: self.squares + u128::from(count) * u128::from(count),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            squares: self.squares + other.squares,
        }
    }
}

/// Returns the index of the cell, among an odd number of cells, that stays unpaired.
fn most_even(cells: &[Cell]) -> usize {
    // The sum and the number of the new cells are the same for every choice, so ordering by the sum
    // of squares is the same as ordering by the variance.
    let pair = |place: usize| cells[place].count + cells[place + 1].count;
    // `after[n]` covers the last `n` pairs, and `before` those before `place`.
    let mut after = vec![Spread::NONE];
    for place in (1..cells.len()).step_by(2).rev() {
        after.push(after[after.len() - 1].with(pair(place)));
    }
    let mut before = Spread::NONE;
    let mut best = (u64::MAX, u128::MAX, 0);
    for (place, cell) in cells.iter().enumerate().step_by(2) {
        if place > 0 {
            before = before.with(pair(place - 2));
        }
        let spread = before.and(after[(cells.len() - place) / 2]).with(cell.count);
        best = best.min((spread.greatest - spread.least, spread.squares, place));
    }
    best.2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(counts: &[u64]) -> usize {
        let cell = |&count| Cell { ends: (0, 0), leaves: (0, 0), count };
        most_even(&counts.iter().map(cell).collect::<Vec<_>>())
    }

    #[test]
    fn the_cell_that_stays_alone_is_that_of_methods_1_7() {
        assert_eq!(alone(&[5, 1, 2]), 0);
        assert_eq!(alone(&[1, 2, 9, 1, 1]), 2);
    }

    /// Compares the result with that of trying every choice as stated in METHODS 1.7.
    #[test]
    fn running_sums_choose_as_trying_all_does() {
        let mut state = 7u64;
        for n in [3, 5, 9, 21] {
            for _ in 0..50 {
                let counts: Vec<u64> = (0..n)
                    .map(|_| {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        state >> 60
                    })
                    .collect();
                let key = |&u: &usize| {
                    let rest = [&counts[..u], &counts[u + 1..]].concat();
                    let mut new: Vec<u64> = rest.chunks(2).map(|pair| pair.iter().sum()).collect();
                    new.push(counts[u]);
                    let range = new.iter().max().unwrap() - new.iter().min().unwrap();
                    let mean = new.iter().sum::<u64>() as f64 / new.len() as f64;
                    let deviation: f64 = new.iter().map(|&x| (x as f64 - mean).powi(2)).sum();
                    (range, (deviation * 1e6).round() as u64, u)
                };
                assert_eq!(alone(&counts), (0..n).step_by(2).min_by_key(key).unwrap());
            }
        }
    }
}
