//! Hierarchies of categories by their frequencies.

use serde::{Deserialize, Serialize};

use super::{demand_values, leaves_in_order};
use crate::Result;
use crate::builder::HierarchyBuilder;
use crate::hierarchy::{Generalization, Hierarchy, set_label};
use crate::method::{Described, Description, Parameter, Type};
use crate::table::Column;

/// Groups values of similar frequency, starting with the rarest.
///
/// Only the counts decide which categories belong together. Values are sorted by their number of
/// records, rarest first; ties keep the order of the values. Every `fan-out` neighbours become a
/// group, then every `fan-out` groups, level by level, until one is left. The last group of a
/// level, with the most frequent values, may be smaller; a single leftover moves up unchanged. So
/// rare values find partners on the lowest level, and frequent values, which have enough records of
/// their own, are not merged with them.
///
/// # Complexity
///
/// `O(m log m)` to sort the values, then `O(m)`.
///
/// # Guarantees
///
/// Deterministic. The tree has `log(m) / log(fan-out)` levels, rounded up. Groups on the lowest
/// level have `fan-out` values, so no tree with groups of that size costs less on that level.
///
/// # References
///
/// None; the method is our own. On Adult it lost less than a Huffman tree, a chain in which each
/// more frequent value joins all rarer ones, and repeated halving of the alphabet;
/// `docs/book/src/notes/frequency.md` has the figures.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Frequency, HierarchyBuilder};
/// use hedgerow::hierarchy::Node;
/// use hedgerow::table::Table;
/// let rows = [["tea"], ["tea"], ["tea"], ["milk"], ["cocoa"], ["water"]];
/// let table = Table::from_rows(&["drink"], &rows)?;
/// let tree = Frequency::default().build(&table.columns()[0])?;
/// let tree = tree.hierarchy().unwrap();
/// assert_eq!(tree.label(Node::new(1)), "{cocoa, milk}");
/// assert_eq!(tree.label(Node::new(4)), "{tea, water}");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Frequency {
    /// Number of groups that are merged into one; at least 2.
    pub fan_out: usize,
}

impl Default for Frequency {
    /// Pairs, which give the finest tree and lose least on Adult.
    fn default() -> Self {
        Self { fan_out: 2 }
    }
}

impl Described for Frequency {
    const DESCRIPTION: Description = Description {
        name: "frequency",
        about: "any kind: merges rare values first",
        reference: None,
        needs: &[],
        parameters: &[
            Parameter::new("fan-out", Type::at_least(2), "number of groups to merge").or("2")
        ],
    };
}

impl HierarchyBuilder for Frequency {
    fn grow(&self, column: &Column) -> Result<Generalization> {
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

/// Returns `{a, b, c}`, or `{a, b, c and 9 more}`, or an empty label for a leaf.
fn label(column: &Column, codes: &[u32]) -> Box<str> {
    if codes.len() == 1 {
        return Box::default();
    }
    let spelling = |&code: &u32| column.domain.values.spelling(code as usize);
    set_label(codes.iter().map(spelling)).into()
}

/// The merges in order. Values are numbered by their codes; groups take the numbers after them.
struct Merges {
    /// The parts of each group, one group after another.
    parts: Vec<u32>,
    /// The place in `parts` at which the parts of each group start, and at the end the length of
    /// `parts`.
    starts: Vec<usize>,
}

impl Merges {
    fn of(counts: &[u64], fan_out: usize) -> Self {
        let mut level: Vec<u32> = (0..counts.len() as u32).collect();
        // A stable sort, so that ties keep the order of the codes.
        level.sort_by_key(|&code| counts[code as usize]);
        let mut merges = Self { parts: Vec::with_capacity(2 * counts.len()), starts: vec![0] };
        while level.len() > 1 {
            let merge = |neighbours: &[u32]| match neighbours {
                [alone] => *alone,
                _ => {
                    merges.parts.extend_from_slice(neighbours);
                    merges.starts.push(merges.parts.len());
                    // `starts` has one element more than there are groups, including this one.
                    (counts.len() + merges.starts.len() - 2) as u32
                }
            };
            level = level.chunks(fan_out).map(merge).collect();
        }
        merges
    }

    /// Returns the values in tree order and the ranges of all nodes in pre-order.
    ///
    /// The parts of a group are ordered by their least value.
    fn lay_out(mut self, n_values: usize) -> (Vec<u32>, Vec<(u32, u32)>) {
        let mut least: Vec<u32> = (0..n_values as u32).collect();
        let mut sizes = vec![1u32; n_values];
        // A group comes after its parts, so one pass finds the least value and the size of all
        // groups.
        for bounds in self.starts.windows(2) {
            let parts = &mut self.parts[bounds[0]..bounds[1]];
            parts.sort_unstable_by_key(|&part| least[part as usize]);
            least.push(least[parts[0] as usize]);
            sizes.push(parts.iter().map(|&part| sizes[part as usize]).sum());
        }
        let mut order = Vec::with_capacity(n_values);
        let mut ranges = Vec::with_capacity(sizes.len());
        // The last group is the root.
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
    fn the_rarest_merge_with_each_other() {
        let (order, ranges) = ranges(&[9, 1, 4, 2], 2);
        assert_eq!(order, [0, 2, 1, 3]);
        assert_eq!(ranges, [(0, 4), (0, 2), (0, 1), (1, 2), (2, 4), (2, 3), (3, 4)]);
    }

    #[test]
    fn the_most_frequent_stays_by_itself() {
        assert_eq!(ranges(&[3, 1, 2], 2).1, [(0, 3), (0, 1), (1, 3), (1, 2), (2, 3)]);
        let (order, ranges) = ranges(&[1, 1, 1, 1, 1, 1, 8], 3);
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!((ranges[1], ranges[5], ranges[9]), ((0, 3), (3, 6), (6, 7)));
    }

    #[test]
    fn one_value_is_a_tree() {
        assert_eq!(ranges(&[5], 2), (vec![0], vec![(0, 1)]));
    }
}
