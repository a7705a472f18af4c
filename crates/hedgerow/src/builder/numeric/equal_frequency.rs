//! Equal-frequency hierarchies.

use serde::{Deserialize, Serialize};

use super::{FAN_OUT, Line, NumericBuilder, Ranges, grow_down};
use crate::Result;
use crate::method::{Described, Description, Need};

/// Recursively divides a range at the quantiles of its records.
///
/// The records are cut at multiples of `n / fan-out`, but never between equal values: a value
/// belongs to the part into which its first record falls. If the last value is so frequent that no
/// value starts after the first cut, that value is split off.
///
/// # Complexity
///
/// `O(m)` for each level of the tree, `O(m)` memory.
///
/// # Guarantees
///
/// Deterministic.
///
/// # References
///
/// \[Campan2011\] uses such hierarchies for comparison; METHODS 1.10 has the rule. Deviation: the
/// rule is applied again to each part.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{EqualFrequency, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["8"], ["9"], ["9"]])?;
/// let tree = EqualFrequency::default().build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-9]([1-8](1,8),9)");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct EqualFrequency {
    /// Number of parts into which a range is divided; at least 2.
    pub fan_out: usize,
}

impl Default for EqualFrequency {
    /// Halves, which give the finest tree and lose least.
    fn default() -> Self {
        Self { fan_out: 2 }
    }
}

impl Described for EqualFrequency {
    const DESCRIPTION: Description = Description {
        name: "equal-frequency",
        about: "numbers: parts between quantiles",
        reference: Some("Campan2011"),
        needs: &[Need::Scale],
        parameters: &[FAN_OUT.or("2")],
    };
}

impl NumericBuilder for EqualFrequency {
    fn ranges(&self, line: &Line) -> Result<Ranges> {
        Ok(grow_down(line.len(), |start, end, starts| {
            self.split(&line.counts[start..end], starts);
            starts.iter_mut().for_each(|part| *part += start);
        }))
    }
}

impl EqualFrequency {
    /// Fills the empty `starts` with the first value of each part; parts have nearly equal counts.
    fn split(self, counts: &[u64], starts: &mut Vec<usize>) {
        let total: u64 = counts.iter().sum();
        let (mut rank, mut before) = (0u64, None);
        for (value, &count) in counts.iter().enumerate() {
            // The part into which the value's first record falls, in integers to avoid rounding.
            let part = u128::from(rank) * self.fan_out as u128 / u128::from(total.max(1));
            if before != Some(part) {
                starts.push(value);
                before = Some(part);
            }
            rank += count;
        }
        // All values fall into one part if the last is very frequent; it then becomes a part of its
        // own.
        if starts.len() == 1 {
            starts.push(counts.len() - 1);
        }
    }
}
