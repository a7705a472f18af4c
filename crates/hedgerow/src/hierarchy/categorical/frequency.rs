//! Hierarchies of categories by how often they occur.

use std::collections::VecDeque;

use serde::Deserialize;

use super::{demand_values, leaves_in_order};
use crate::hierarchy::{Generalization, Hierarchy, HierarchyBuilder, write_set};
use crate::table::Column;
use crate::{Error, Result};

/// Merges the groups with the fewest records, again and again: rare values first.
///
/// Nothing but counts says which categories belong together, so those merge that need it: a value with
/// many records stays by itself until the others have as many. Of groups with equally many records,
/// single values come first, in the order of values, then merged groups, in the order of their making.
/// The first merge takes fewer than `fan-out` groups if that makes all the others full.
///
/// # Complexity
///
/// `O(m log m)` to sort the values, then `O(m)`.
///
/// # Guarantees
///
/// Deterministic. Of all trees with this fan-out it has the least sum of depth times count, and it is
/// at most `log(n) / log(1.618)` levels high for `n` records.
///
/// # References
///
/// \[Huffman1952\] builds codes this way. Deviations: the tie rule, and children stand in the order of
/// their least value.
///
/// # Examples
///
/// ```
/// use hedgerow::hierarchy::{Frequency, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let rows = [["tea"], ["tea"], ["tea"], ["milk"], ["cocoa"], ["water"]];
/// let table = Table::from_rows(&["drink"], &rows)?;
/// let tree = Frequency::default().build(&table.columns()[0])?;
/// let tree = tree.hierarchy().unwrap();
/// assert_eq!(tree.label(1), "{cocoa, milk, water}");
/// assert_eq!(tree.label(2), "{cocoa, milk}");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Frequency {
    /// How many groups become one; at least 2.
    pub fan_out: usize,
}

impl Default for Frequency {
    /// Pairs: the finest tree, which loses least on Adult.
    fn default() -> Self {
        Self { fan_out: 2 }
    }
}

impl HierarchyBuilder for Frequency {
    fn build(&self, column: &Column) -> Result<Generalization> {
        if self.fan_out < 2 {
            return Err(Error::invalid("frequency: fan-out is at least 2"));
        }
        demand_values(column)?;
        let merges = Merges::of(&column.domain.counts, self.fan_out);
        let (order, ranges) = merges.lay_out(column.domain.len());
        let tree = Hierarchy::from_ranges(leaves_in_order(column, &order), &ranges)?;
        if tree.n_leaves() == 1 {
            return Ok(tree.into());
        }
        let mut labels: Vec<Box<str>> = ranges
            .iter()
            .map(|&(start, end)| label(column, &order[start as usize..end as usize]))
            .collect();
        labels[0] = "*".into();
        Ok(tree.with_labels(labels).into())
    }
}

/// Groups of at most so many values name them all.
const MOST_NAMED: usize = 8;
/// Larger groups name so many.
const FIRST_NAMED: usize = 3;

/// `{a, b, c}`, or `{a, b, c and 9 more}`. A leaf is called as it is spelt.
fn label(column: &Column, codes: &[u32]) -> Box<str> {
    let spelling = |&code: &u32| column.domain.values.spelling(code as usize);
    if codes.len() == 1 {
        return Box::default();
    }
    let n_named = if codes.len() > MOST_NAMED { FIRST_NAMED } else { codes.len() };
    let mut named = codes[..n_named].to_vec();
    named.sort_unstable();
    let named: Vec<_> = named.iter().map(spelling).collect();
    let mut text = write_set(&named);
    if codes.len() > n_named {
        text.truncate(text.len() - 1);
        text.push_str(&format!(" and {} more}}", codes.len() - n_named));
    }
    text.into()
}

/// What was merged, in order. Values have their codes as numbers, groups the numbers after them.
struct Merges {
    /// The parts of each group, group after group.
    parts: Vec<u32>,
    /// Where the parts of each group begin; at the end, where the last ends.
    starts: Vec<usize>,
}

impl Merges {
    fn of(counts: &[u64], fan_out: usize) -> Self {
        let n_values = counts.len();
        let mut values: Vec<u32> = (0..n_values as u32).collect();
        values.sort_by_key(|&code| counts[code as usize]);
        let mut values = values.into_iter().map(|code| (counts[code as usize], code)).peekable();
        // Groups are made in the order of their counts, so the lightest is always at the front.
        let mut groups: VecDeque<(u64, u32)> = VecDeque::new();
        let mut merges = Self { parts: Vec::with_capacity(2 * n_values), starts: vec![0] };
        let mut n_left = n_values;
        let mut n_merged = 2 + n_values.saturating_sub(2) % (fan_out - 1);
        while n_left > 1 {
            let mut total = 0u64;
            for _ in 0..n_merged {
                let is_value = match (values.peek(), groups.front()) {
                    (Some(value), Some(group)) => value.0 <= group.0,
                    (value, _) => value.is_some(),
                };
                let Some((count, part)) =
                    (if is_value { values.next() } else { groups.pop_front() })
                else {
                    break;
                };
                total = total.saturating_add(count);
                merges.parts.push(part);
            }
            groups.push_back((total, (n_values + merges.starts.len() - 1) as u32));
            merges.starts.push(merges.parts.len());
            n_left -= n_merged - 1;
            n_merged = fan_out;
        }
        merges
    }

    /// The values in tree order, and the ranges of all nodes in pre-order, with the parts of a group
    /// in the order of their least value.
    fn lay_out(mut self, n_values: usize) -> (Vec<u32>, Vec<(u32, u32)>) {
        let mut least: Vec<u32> = (0..n_values as u32).collect();
        let mut sizes = vec![1u32; n_values];
        for bounds in self.starts.windows(2) {
            let parts = &mut self.parts[bounds[0]..bounds[1]];
            parts.sort_unstable_by_key(|&part| least[part as usize]);
            least.push(least[parts[0] as usize]);
            sizes.push(parts.iter().map(|&part| sizes[part as usize]).sum());
        }
        let mut order = Vec::with_capacity(n_values);
        let mut ranges = Vec::with_capacity(sizes.len());
        let mut open = vec![sizes.len() - 1];
        while let Some(node) = open.pop() {
            let start = order.len() as u32;
            ranges.push((start, start + sizes[node]));
            match node.checked_sub(n_values) {
                None => order.push(node as u32),
                Some(group) => {
                    let parts = &self.parts[self.starts[group]..self.starts[group + 1]];
                    open.extend(parts.iter().rev().map(|&part| part as usize));
                }
            }
        }
        (order, ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(counts: &[u64], fan_out: usize) -> (Vec<u32>, Vec<(u32, u32)>) {
        Merges::of(counts, fan_out).lay_out(counts.len())
    }

    #[test]
    fn the_rarest_merge_first() {
        let (order, ranges) = ranges(&[9, 1, 4, 2], 2);
        assert_eq!(order, [0, 1, 3, 2]);
        assert_eq!(ranges, [(0, 4), (0, 1), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4)]);
    }

    #[test]
    fn only_the_first_merge_is_smaller() {
        // Of six values two merge, then three, and the last three are the root.
        let (order, ranges) = ranges(&[1, 1, 3, 3, 20, 20], 3);
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
        assert_eq!(ranges[..4], [(0, 6), (0, 4), (0, 2), (0, 1)]);
    }

    #[test]
    fn equal_counts_merge_in_the_order_of_values() {
        assert_eq!(ranges(&[1; 4], 2).1[1], (0, 2));
        assert_eq!(ranges(&[5], 2), (vec![0], vec![(0, 1)]));
    }
}
