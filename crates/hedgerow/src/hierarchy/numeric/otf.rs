//! OTF: on-the-fly hierarchies.

use serde::Deserialize;

use super::merge::{Gap, merge_neighbours};
use super::{Line, NumericBuilder, Ranges};
use crate::Result;

/// Merges, again and again, the two ranges whose representatives are nearest.
///
/// A range is represented by the mean of its records, so frequent values pull it: this is
/// agglomerative clustering with centroids, on a line.
///
/// # Complexity
///
/// `O(m)` time and memory for `m` distinct values. A representative is a quotient of running sums,
/// so no state is kept per merge.
///
/// # Guarantees
///
/// Deterministic; of equally near pairs the leftmost merges first. The tree is binary.
///
/// # References
///
/// \[Campan2010\] A. Campan, N. Cooper: On-the-Fly Hierarchies for Numerical Attributes in Data
/// Anonymization, SDM 2010 (LNCS 6358). Deviation: the paper's formulas were not readable; the
/// representative as count-weighted mean is METHODS 1.2's reading, `rep=middle` the other one.
///
/// # Examples
///
/// ```
/// use hedgerow::hierarchy::{HierarchyBuilder, Otf};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["2"], ["4"], ["8"]])?;
/// let tree = Otf::default().build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-8]([1-4]([1-2](1,2),4),8)");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Otf {
    /// What represents a range of values.
    pub rep: Representative,
}

/// What represents a range of values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Representative {
    /// The mean of its records.
    #[default]
    Mean,
    /// The middle between its least and greatest value.
    Middle,
}

impl NumericBuilder for Otf {
    fn ranges(&self, line: &Line) -> Result<Ranges> {
        Ok(match (self.rep, line.is_exact()) {
            (Representative::Middle, _) => by_middle(line),
            (Representative::Mean, true) => by_exact_mean(line),
            (Representative::Mean, false) => by_mean(line),
        })
    }
}

fn by_middle(line: &Line) -> Ranges {
    let at = &line.positions;
    let middle = |from: usize, to: usize| f64::midpoint(at[from], at[to - 1]);
    merge_neighbours(line.len(), |a, b, c| Gap::rounded(middle(b, c) - middle(a, b)))
}

/// Means of whole numbers are fractions, which are compared as such: rounding decides no tie.
fn by_exact_mean(line: &Line) -> Ranges {
    let mut sums: Vec<(i128, i128)> = vec![(0, 0)];
    for (&position, &count) in line.positions.iter().zip(&line.counts) {
        let (weight, sum) = sums[sums.len() - 1];
        let count = i128::from(count);
        sums.push((weight + count, sum + count * position as i128));
    }
    let part = |from: usize, to: usize| (sums[to].0 - sums[from].0, sums[to].1 - sums[from].1);
    merge_neighbours(line.len(), |a, b, c| {
        let ((left, left_sum), (right, right_sum)) = (part(a, b), part(b, c));
        Gap::fraction(right_sum * left - left_sum * right, left * right)
    })
}

fn by_mean(line: &Line) -> Ranges {
    let at = &line.positions;
    let mut sums = vec![(0.0, 0.0)];
    for (position, &count) in at.iter().zip(&line.counts) {
        let (weight, sum) = sums[sums.len() - 1];
        sums.push((weight + count as f64, sum + count as f64 * position));
    }
    let mean = |from: usize, to: usize| {
        let (weight, sum) = (sums[to].0 - sums[from].0, sums[to].1 - sums[from].1);
        // A value alone is its own mean, free of rounding.
        if to - from == 1 { at[from] } else { sum / weight }
    };
    merge_neighbours(line.len(), |a, b, c| Gap::rounded(mean(b, c) - mean(a, b)))
}
