//! DCHT: dynamic concept hierarchy trees, adjusted to `k` (experimental).

use serde::{Deserialize, Serialize};

use super::merge::{Gap, merge_neighbours};
use super::{Line, NumericBuilder, Ranges};
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::{Error, Result};

/// Groups neighbouring values until each group has at least `k` records, then merges the groups.
///
/// Groups are merged as [`Iotf`](super::Iotf) merges values. **Experimental**: only the paper's
/// abstract was available. After one generalization step a single column is k-anonymous.
///
/// # Complexity
///
/// `O(m)` time and memory for `m` distinct values.
///
/// # Guarantees
///
/// Deterministic. Every group of several values has at least `k` records. Remaining values with
/// fewer records join the last group; a column with fewer records has a single group.
///
/// # References
///
/// \[Vatsavayi2014\] V. K. Vatsavayi, S. K. Adusumalli: Cost Effective Dynamic Concept Hierarchy
/// Generation for Preserving Privacy, Journal of Information & Knowledge Management 13(4), 2014;
/// METHODS 1.9. Deviation: the text of the algorithm was not available, so this is an
/// interpretation of its abstract.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Dcht, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["2"], ["8"], ["9"], ["9"]])?;
/// let tree = Dcht { k: Some(2) }.build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-9]([1-2](1,2),[8-9](8,9))");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dcht {
    /// Least number of records in a group; defaults to the `k` of the release.
    pub k: Option<u64>,
}

impl Described for Dcht {
    const DESCRIPTION: Description = Description {
        name: "dcht",
        about: "numbers: neighbours grouped up to k records, then merged (experimental)",
        reference: Some("Vatsavayi2014"),
        needs: &[Need::Scale, Need::K],
        parameters: &[Parameter::new(
            "k",
            Type::at_least(1),
            "least number of records in a group; the k of the release if not given",
        )],
    };
}

impl NumericBuilder for Dcht {
    fn ranges(&self, line: &Line) -> Result<Ranges> {
        let Some(k) = self.k else {
            return Err(Error::no_k("dcht", "groups"));
        };
        let starts = filled(&line.counts, k);
        let end_of = |group: usize| starts.get(group + 1).map_or(line.len(), |&start| start);
        let at = &line.positions;
        let exact = line.is_exact();
        // The gap between groups is the width of their union, as for `iotf`.
        let merged = merge_neighbours(starts.len(), |a, _, c| {
            Gap::of_size(at[end_of(c - 1) - 1] - at[starts[a]], exact)
        });
        let mut ranges = Ranges::with_capacity(2 * line.len());
        for (first, last) in merged {
            let (start, end) = (starts[first as usize], end_of(last as usize - 1));
            ranges.push((start as u32, end as u32));
            // A range of a single group has the values of the group as children.
            if last - first == 1 && end - start > 1 {
                ranges.extend((start as u32..end as u32).map(|value| (value, value + 1)));
            }
        }
        Ok(ranges)
    }

    fn for_k(&mut self, k: u64) -> bool {
        self.k.get_or_insert(k);
        true
    }
}

/// Returns the starts of groups that are closed as soon as they have `k` records.
fn filled(counts: &[u64], k: u64) -> Vec<usize> {
    let mut starts = Vec::new();
    let (mut start, mut n_records) = (0, 0);
    for (value, count) in counts.iter().enumerate() {
        n_records += count;
        if n_records >= k {
            starts.push(start);
            (start, n_records) = (value + 1, 0);
        }
    }
    if starts.is_empty() {
        starts.push(0);
    }
    starts
}
