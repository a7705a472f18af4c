//! Han and Fu's hierarchies, based on a histogram.

use serde::{Deserialize, Serialize};

use super::{FAN_OUT, Line, NumericBuilder, Ranges, grow_down};
use crate::Result;
use crate::method::{Described, Description, Need, Parameter, Type};

/// Recursively divides a range into parts with nearly equal numbers of records.
///
/// # Complexity
///
/// Linear in the values of a range, so `O(m)` for each level: `O(m log m)` if parts are even.
/// `O(m)` memory.
///
/// # Guarantees
///
/// Deterministic; of two ends that are equally far from a part's share the left one is chosen. A
/// node has at most `max(fan-out, threshold)` children.
///
/// # References
///
/// \[Han1994\] J. Han, Y. Fu: Dynamic Generation and Refinement of Concept Hierarchies for
/// Knowledge Discovery in Databases, AAAI KDD Workshop 1994. Deviation: the paper's text could
/// not be read; METHODS 1.4 interprets its idea, with the parameters of \[Campan2011\] and one
/// bucket for each distinct value.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Han, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["2"], ["3"], ["4"]])?;
/// let tree = Han { fan_out: 2, threshold: 2 }.build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-4]([1-2](1,2),[3-4](3,4))");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Han {
    /// Number of parts into which a range is divided; at least 2.
    pub fan_out: usize,
    /// A range with at most this number of distinct values has them as its children; at least 1.
    pub threshold: usize,
}

impl Default for Han {
    /// The settings of \[Campan2011\].
    fn default() -> Self {
        Self { fan_out: 5, threshold: 4 }
    }
}

impl Described for Han {
    const DESCRIPTION: Description = Description {
        name: "han",
        about: "numbers: parts with nearly equal numbers of records",
        reference: Some("Han1994"),
        needs: &[Need::Scale],
        parameters: &[
            FAN_OUT.or("5"),
            Parameter::new(
                "threshold",
                Type::at_least(1),
                "a range with at most this number of distinct values has them as its children",
            )
            .or("4"),
        ],
    };
}

impl NumericBuilder for Han {
    fn ranges(&self, line: &Line) -> Result<Ranges> {
        Ok(grow_down(line.len(), |start, end, starts| {
            self.split(&line.counts[start..end], starts);
            starts.iter_mut().for_each(|part| *part += start);
        }))
    }
}

impl Han {
    /// Fills the empty `starts` with the first value of each part of a range.
    fn split(&self, counts: &[u64], starts: &mut Vec<usize>) {
        if counts.len() <= self.threshold {
            starts.extend(0..counts.len());
        } else {
            even_parts(counts, self.fan_out, starts);
        }
    }
}

/// Appends the starts of at most `n_parts` parts with nearly equal counts.
fn even_parts(counts: &[u64], n_parts: usize, starts: &mut Vec<usize>) {
    let n_parts = n_parts.min(counts.len());
    let mut rest: u64 = counts.iter().sum();
    let mut start = 0;
    starts.push(0);
    for parts_left in (2..=n_parts).rev() {
        let share = rest as f64 / parts_left as f64;
        // Leave at least one value for each of the other parts.
        let last_end = counts.len() - (parts_left - 1);
        let (mut sum, mut best) = (0, (f64::INFINITY, start + 1, 0));
        for end in start + 1..=last_end {
            sum += counts[end - 1];
            let miss = (sum as f64 - share).abs();
            if miss < best.0 {
                best = (miss, end, sum);
            }
            // The sum only grows, so no later end is nearer to the share.
            if sum as f64 >= share {
                break;
            }
        }
        (start, rest) = (best.1, rest - best.2);
        starts.push(start);
    }
}
