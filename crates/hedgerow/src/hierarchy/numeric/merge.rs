//! Growing a tree from its leaves: the nearest neighbours merge first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Ranges;

/// Merges neighbouring ranges of `n_values` sorted values until one is left; the pair with the
/// least `gap(a, b, c)` (between `a..b` and `b..c`) merges first, the leftmost of equal ones.
///
/// The heap holds every pair of neighbours that ever existed; a pair is stale when one of its
/// sides has grown since. Gaps that differ by less than about `1e-13` of themselves are equal, so
/// that rounding does not decide.
///
/// `O(m log m)` time, `O(m)` memory.
pub(super) fn merge_neighbours(
    n_values: usize,
    gap: impl Fn(usize, usize, usize) -> f64,
) -> Ranges {
    let m = n_values;
    // A live range is known by its start; `ends[start]` is its end, 0 once it is part of another.
    let mut ends: Vec<u32> = (1..=m as u32).collect();
    let mut start_by_end: Vec<u32> = (0..=m as u32).map(|end| end.saturating_sub(1)).collect();
    let pair = |a: u32, b: u32, c: u32| {
        Reverse((order_key(gap(a as usize, b as usize, c as usize)), a, c))
    };
    let first_pairs: Vec<_> = (1..m as u32).map(|b| pair(b - 1, b, b + 1)).collect();
    let mut heap = BinaryHeap::from(first_pairs);
    let mut merged: Vec<(u32, u32)> = Vec::with_capacity(m.saturating_sub(1));
    while let Some(Reverse((_, a, c))) = heap.pop() {
        let b = ends[a as usize];
        if b == 0 || b >= c || ends[b as usize] != c {
            continue;
        }
        ends[a as usize] = c;
        ends[b as usize] = 0;
        start_by_end[c as usize] = a;
        merged.push((a, c));
        if a > 0 {
            heap.push(pair(start_by_end[a as usize], a, c));
        }
        if (c as usize) < m {
            heap.push(pair(a, c, ends[c as usize]));
        }
    }
    in_preorder(m, &merged)
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
