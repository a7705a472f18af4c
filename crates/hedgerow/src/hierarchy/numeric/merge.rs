//! Growing a tree from its leaves: the nearest neighbours merge first.

use super::Ranges;

/// Merges neighbouring ranges of `n_values` sorted values until one is left; the pair with the
/// least `gap(a, b, c)` (between `a..b` and `b..c`) merges first, the leftmost of equal ones.
///
/// A gap must not shrink when one of its sides takes in its other neighbour. Then a pair whose gap
/// is less than both gaps beside it stays so until its turn comes, so it may as well merge at once:
/// the tree is that of merging in order of size, without a queue. From a pair we step to a lesser
/// gap beside it, or merge it. Gaps fall to the right up to where we stand, so after a merge at most
/// two steps lead back to the left.
///
/// Gaps that differ by less than about `1e-13` of themselves are equal, so that rounding does not
/// decide. `O(m)` time and memory.
pub(super) fn merge_neighbours(
    n_values: usize,
    gap: impl Fn(usize, usize, usize) -> f64,
) -> Ranges {
    let m = n_values as u32;
    // A range is known by its start or its end.
    let mut ends: Vec<u32> = (1..=m).collect();
    let mut starts_by_end: Vec<u32> = (0..=m).map(|end| end.saturating_sub(1)).collect();
    let mut merged: Vec<(u32, u32)> = Vec::with_capacity(n_values.saturating_sub(1));
    let key = |a: u32, b: u32, c: u32| order_key(gap(a as usize, b as usize, c as usize));
    let mut left = 0;
    while merged.len() + 1 < n_values {
        let middle = ends[left as usize];
        let before = starts_by_end[left as usize];
        if middle == m {
            left = before;
            continue;
        }
        let right = ends[middle as usize];
        let here = key(left, middle, right);
        if left > 0 && key(before, left, middle) <= here {
            left = before;
        } else if right < m && key(middle, right, ends[right as usize]) < here {
            left = middle;
        } else {
            ends[left as usize] = right;
            starts_by_end[right as usize] = left;
            merged.push((left, right));
        }
    }
    in_preorder(n_values, &merged)
}

/// A gap as a number whose order is the gap's, with the last eight bits rounded away.
fn order_key(gap: f64) -> u64 {
    debug_assert!(gap >= 0.0, "ranges are in ascending order");
    (gap.to_bits() + 0x80) & !0xff
}

/// Sorts leaves and merged ranges by start, the wider first. Ranges of one start were merged from
/// narrow to wide, so a counting sort in reverse order of time does it.
fn in_preorder(n_values: usize, merged: &[(u32, u32)]) -> Ranges {
    let mut next = vec![0u32; n_values + 1];
    for &(start, _) in merged {
        next[start as usize + 1] += 1;
    }
    for start in 0..n_values {
        next[start + 1] += next[start] + 1;
    }
    let mut ranges: Ranges = vec![(0, 0); merged.len() + n_values];
    for &(start, end) in merged.iter().rev() {
        let place = &mut next[start as usize];
        ranges[*place as usize] = (start, end);
        *place += 1;
    }
    for start in 0..n_values as u32 {
        ranges[next[start as usize] as usize] = (start, start + 1);
    }
    ranges
}
