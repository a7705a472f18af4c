//! OTF: on-the-fly hierarchies.

use serde::{Deserialize, Serialize};

use super::merge::{Gap, merge_neighbours};
use super::{Line, NumericBuilder, Ranges};
use crate::Result;
use crate::method::{Described, Description, Need, Parameter, Type};

/// Repeatedly merges the two neighbouring ranges whose representatives are nearest.
///
/// A range is represented by the mean of its records, so frequent values have more weight: this is
/// agglomerative clustering with centroids, on a line.
///
/// # Complexity
///
/// `O(m)` time and memory for `m` distinct values. A representative is a quotient of running sums,
/// so no state is kept for each merge.
///
/// # Guarantees
///
/// Deterministic; of equally near pairs the leftmost is merged first. The tree is binary.
///
/// # References
///
/// \[Campan2010\] A. Campan, N. Cooper: On-the-Fly Hierarchies for Numerical Attributes in Data
/// Anonymization, SDM 2010 (LNCS 6358). Deviation: the paper's formulas could not be read; the
/// count-weighted mean as representative is the interpretation of METHODS 1.2, `rep=middle` the
/// alternative.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, Otf};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["2"], ["4"], ["8"]])?;
/// let tree = Otf::default().build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-8]([1-4]([1-2](1,2),4),8)");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Otf {
    /// The representative of a range of values.
    pub rep: Representative,
}

impl Described for Otf {
    const DESCRIPTION: Description = Description {
        name: "otf",
        about: "numbers: merges the neighbours whose means are nearest",
        reference: Some("Campan2010"),
        needs: &[Need::Scale],
        parameters: &[Parameter::new(
            "rep",
            Type::Choice(&["mean", "middle"]),
            "the representative of a range of values",
        )
        .or("mean")],
    };
}

/// The representative of a range of values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Representative {
    /// The mean of the range's records.
    #[default]
    Mean,
    /// The midpoint between the range's least and greatest value.
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

/// Compares means of integers as exact fractions, so that rounding does not decide ties.
fn by_exact_mean(line: &Line) -> Ranges {
    let sums = running_sums(line);
    merge_neighbours(line.len(), |a, b, c| {
        let ((left, left_sum), (right, right_sum)) = (part(&sums, a, b), part(&sums, b, c));
        // right_sum / right - left_sum / left, over the common denominator.
        Gap::fraction(right_sum * left - left_sum * right, left * right)
    })
}

/// Returns the number and the sum of all records before each value, and of all records.
fn running_sums(line: &Line) -> Vec<(i128, i128)> {
    let mut sums: Vec<(i128, i128)> = vec![(0, 0)];
    for (&position, &count) in line.positions.iter().zip(&line.counts) {
        let (weight, sum) = sums[sums.len() - 1];
        let count = i128::from(count);
        sums.push((weight + count, sum + count * position as i128));
    }
    sums
}

/// Returns the number and the sum of the records of a range.
fn part(sums: &[(i128, i128)], from: usize, to: usize) -> (i128, i128) {
    (sums[to].0 - sums[from].0, sums[to].1 - sums[from].1)
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
        // A single value is its own mean, without rounding.
        if to - from == 1 { at[from] } else { sum / weight }
    };
    merge_neighbours(line.len(), |a, b, c| Gap::rounded(mean(b, c) - mean(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn representatives_and_distances_are_those_of_methods_1_2() {
        let at = [1.0, 2.0, 4.0, 8.0, 9.0, 15.0];
        let line = Line { positions: at.to_vec(), counts: vec![1, 1, 6, 1, 3, 2] };
        let sums = running_sums(&line);
        let rep = |from, to| {
            let (weight, sum) = part(&sums, from, to);
            sum as f64 / weight as f64
        };
        // Each merge of a..b and b..c, with the distance and the new representative.
        let merges = [
            ((0, 1, 2), 1.0, 1.5),
            ((3, 4, 5), 1.0, 8.75),
            ((0, 2, 3), 2.5, 3.375),
            ((0, 3, 5), 5.375, 5.166_666_7),
            ((0, 5, 6), 9.833_333_3, 6.571_428_6),
        ];
        let ranges = Otf::default().ranges(&line).unwrap();
        for ((a, b, c), distance, representative) in merges {
            assert!(ranges.contains(&(a as u32, c as u32)), "{a}..{c}");
            assert!((rep(b, c) - rep(a, b) - distance).abs() < 1e-6, "{a}..{b}..{c}");
            assert!((rep(a, c) - representative).abs() < 1e-6, "{a}..{c}");
        }
    }

    #[test]
    fn the_last_distances_of_education_num_are_those_of_methods_1_2() {
        let counts = vec![
            72, 222, 449, 823, 676, 1223, 1619, 577, 14783, 9899, 1959, 1507, 7570, 2514, 785, 544,
        ];
        let line = Line { positions: (1..=16).map(f64::from).collect(), counts };
        let sums = running_sums(&line);
        let rep = |(from, to): (u32, u32)| {
            let (weight, sum) = part(&sums, from as usize, to as usize);
            sum as f64 / weight as f64
        };
        let ranges = Otf::default().ranges(&line).unwrap();
        // The distance between the two children of each inner node, ascending.
        let mut distances: Vec<f64> = (ranges.iter().enumerate())
            .filter(|(_, (start, end))| end - start > 1)
            .map(|(node, &(_, end))| {
                let first = ranges[node + 1];
                rep((first.1, end)) - rep(first)
            })
            .collect();
        distances.sort_by(f64::total_cmp);
        let last = &distances[distances.len() - 2..];
        assert!((last[0] - 4.0296).abs() < 5e-6 && (last[1] - 7.07151).abs() < 5e-6, "{last:?}");
    }
}
