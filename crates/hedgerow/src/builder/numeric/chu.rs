//! Chu and Chiang's DISC: hierarchies that minimise the relaxation error.

use serde::{Deserialize, Serialize};

use super::{Line, NumericBuilder, Ranges, grow_down};
use crate::Result;
use crate::method::{Described, Description, Need, Parameter, Type};

/// Recursively cuts a range in two where the expected distance of records on the same side is
/// least.
///
/// The relaxation error of a set is the mean distance of two of its records, drawn independently.
/// Each cut minimises the mean error of both sides, weighted by their numbers of records.
///
/// # Complexity
///
/// A cut takes time linear in the values of its range, so `O(m)` for each level of the tree: `O(m
/// log m)` if cuts are even, `O(m^2)` in the worst case. `O(m)` memory.
///
/// # Guarantees
///
/// Each cut is optimal; the tree as a whole is greedy. Deterministic; of equally good cuts (up to a
/// relative `1e-12`) the leftmost is chosen. The tree is binary down to `threshold`.
///
/// # References
///
/// \[Chu1994\] W. W. Chu, K. Chiang: Abstraction of High Level Concepts from Numerical Values in
/// Databases, AAAI KDD Workshop 1994. Deviations: the formulas are those of METHODS 1.3; the values
/// of a set that is not cut further become its leaves.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Chu, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["2"], ["9"]])?;
/// let tree = Chu::default().build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-9]([1-2](1,2),9)");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Chu {
    /// Sets with fewer distinct values are not cut further; at least 2.
    pub threshold: usize,
}

impl Default for Chu {
    /// Cuts down to single values, as \[Campan2011\] does.
    fn default() -> Self {
        Self { threshold: 2 }
    }
}

impl Described for Chu {
    const DESCRIPTION: Description = Description {
        name: "chu",
        about: "numbers: cuts that minimise the relaxation error",
        reference: Some("Chu1994"),
        needs: &[Need::Scale],
        parameters: &[Parameter::new(
            "threshold",
            Type::at_least(2),
            "sets with fewer distinct values are not cut further",
        )
        .or("2")],
    };
}

impl NumericBuilder for Chu {
    fn ranges(&self, line: &Line) -> Result<Ranges> {
        let mut left_costs = Vec::new();
        Ok(grow_down(line.len(), |start, end, starts| {
            if end - start < self.threshold {
                starts.extend(start..end);
            } else {
                starts.extend([start, best_cut(line, start, end, &mut left_costs)]);
            }
        }))
    }
}

/// Returns the start of the right part.
fn best_cut(line: &Line, start: usize, end: usize, left_costs: &mut Vec<f64>) -> usize {
    left_costs.clear();
    let mut left = Spread::default();
    for i in start..end - 1 {
        left.add(line.positions[i] - line.positions[start], line.counts[i] as f64);
        left_costs.push(left.cost());
    }
    // From right to left, `right` grows towards the cut, so all cuts together take linear time.
    let mut right = Spread::default();
    let mut best = (f64::INFINITY, end - 1);
    for cut in (start + 1..end).rev() {
        right.add(line.positions[end - 1] - line.positions[cut], line.counts[cut] as f64);
        let cost = left_costs[cut - 1 - start] + right.cost();
        if cost <= best.0 * (1.0 + 1e-12) {
            best = (cost, cut); // moving left, so the last of equal cuts is the leftmost
        }
    }
    best.1
}

/// The relaxation error of a growing set, times its weight; values are added in order of distance.
#[derive(Default)]
struct Spread {
    weight: f64,
    sum: f64,
    /// The sum of `count * count * distance` over all ordered pairs of values.
    pairs: f64,
}

impl Spread {
    fn add(&mut self, distance: f64, count: f64) {
        // The new value is the farthest, so its distances to the others sum to this difference.
        self.pairs += 2.0 * count * (distance * self.weight - self.sum);
        self.weight += count;
        self.sum += count * distance;
    }

    fn cost(&self) -> f64 {
        self.pairs / self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relaxation_errors_are_those_of_methods_1_3() {
        let line = Line {
            positions: [1.0, 2.0, 4.0, 8.0, 9.0, 15.0].map(|x| x - 1.0).to_vec(),
            counts: vec![1, 1, 6, 1, 3, 2],
        };
        let error = |range: std::ops::Range<usize>| {
            let mut spread = Spread::default();
            range.for_each(|i| spread.add(line.positions[i], line.counts[i] as f64));
            spread.cost()
        };
        let partition = |cut| (error(0..cut) + error(cut..6)) / 14.0;
        let found = [error(0..6) / 14.0, partition(1), partition(2), partition(3), partition(4)];
        let wanted = [221.0 / 49.0, 4.0, 305.0 / 84.0, 305.0 / 168.0, 664.0 / 315.0];
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
        assert!((partition(5) - 103.0 / 42.0).abs() < 1e-12);
        assert_eq!(best_cut(&line, 0, 6, &mut Vec::new()), 3);
    }

    #[test]
    fn the_relaxation_error_of_education_num_is_that_of_methods_1_3() {
        let counts = [
            72, 222, 449, 823, 676, 1223, 1619, 577, 14783, 9899, 1959, 1507, 7570, 2514, 785, 544,
        ];
        let mut spread = Spread::default();
        (0u32..).zip(counts).for_each(|(value, count)| spread.add(value.into(), count.into()));
        assert!((spread.cost() / 45222.0 - 2.728_406).abs() < 1e-6);
    }
}
