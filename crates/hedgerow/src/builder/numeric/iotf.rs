//! IOTF: improved on-the-fly hierarchies.

use serde::{Deserialize, Serialize};

use super::merge::{Gap, merge_neighbours};
use super::{Line, NumericBuilder, Ranges};
use crate::Result;
use crate::method::{Described, Description, Need};

/// Repeatedly merges the two neighbouring ranges whose union is narrowest.
///
/// The tree depends on the values only, not on their frequencies: close values are merged low in
/// the tree, and a gap in the data is crossed only near the root.
///
/// # Complexity
///
/// `O(m)` time and memory for `m` distinct values; the algorithm of the paper takes `O(m^2)`.
///
/// # Guarantees
///
/// Deterministic; of equally narrow unions the leftmost comes first. The tree is binary.
///
/// # References
///
/// \[Campan2011\] A. Campan, N. Cooper, T. M. Truta: On-the-Fly Generalization Hierarchies for
/// Numerical Attributes Revisited, SDM 2011, definitions 3 to 6. Deviations: a pair whose gap is
/// less than both adjacent gaps is merged at once, which gives the same tree; the paper states no
/// tie rule.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, Iotf};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["2"], ["4"], ["8"], ["9"], ["15"]])?;
/// let tree = Iotf.build(&table.columns()[0])?;
/// assert_eq!(
///     tree.hierarchy().unwrap().outline(),
///     "[1-15]([1-4]([1-2](1,2),4),[8-15]([8-9](8,9),15))"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Iotf;

impl Described for Iotf {
    const DESCRIPTION: Description = Description {
        name: "iotf",
        about: "numbers: merges the neighbours whose union is narrowest",
        reference: Some("Campan2011"),
        needs: &[Need::Scale],
        parameters: &[],
    };
}

impl NumericBuilder for Iotf {
    fn ranges(&self, line: &Line) -> Result<Ranges> {
        let at = &line.positions;
        let is_exact = line.is_exact();
        Ok(merge_neighbours(line.len(), |a, _, c| {
            // Definition 6: the size of the union, max - min.
            Gap::of_size(at[c - 1] - at[a], is_exact)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the inner nodes in the order in which they are made: by size, leftmost first.
    fn merge_order(values: &[i32]) -> Vec<(i32, i32)> {
        let positions = values.iter().map(|&value| f64::from(value - values[0])).collect();
        let line = Line { positions, counts: vec![1; values.len()] };
        let ends = |&(start, end): &(u32, u32)| (values[start as usize], values[end as usize - 1]);
        let ranges = Iotf.ranges(&line).unwrap();
        let mut inner: Vec<(i32, i32)> = ranges.iter().map(ends).filter(|(a, b)| a < b).collect();
        inner.sort_by_key(|(least, greatest)| (greatest - least, *least));
        inner
    }

    #[test]
    fn unions_are_made_in_the_order_of_methods_1_1() {
        let six = [(1, 2), (8, 9), (1, 4), (8, 15), (1, 15)];
        assert_eq!(merge_order(&[1, 2, 4, 8, 9, 15]), six);
        assert_eq!(merge_order(&[12, 16, 17, 23, 34]), [(16, 17), (12, 17), (12, 23), (12, 34)]);
    }
}
