//! Builds a tree from its leaves by merging the nearest neighbours first.

use std::cmp::Ordering;

use super::Ranges;

/// Merges neighbouring ranges of `n_values` sorted values until one is left.
///
/// The pair with the least `gap(a, b, c)`, which is the gap between `a..b` and `b..c`, is merged
/// first; of equal gaps, the leftmost.
///
/// A gap must not shrink when one of its two ranges is merged with its other neighbour. Then a pair
/// whose gap is less than both adjacent gaps keeps this property until it would be merged, so it
/// can be merged at once. This gives the same tree as merging in the order of gaps, without a
/// priority queue. The search moves from a pair to an adjacent smaller gap, or merges the pair.
/// Gaps decrease from the left up to the current pair, so after a merge at most two steps lead back
/// to the left.
///
/// `O(m)` time and memory.
pub(super) fn merge_neighbours(
    n_values: usize,
    gap: impl Fn(usize, usize, usize) -> Gap,
) -> Ranges {
    let m = n_values as u32;
    // A range is identified by its start or its end.
    let mut ends: Vec<u32> = (1..=m).collect();
    let mut starts_by_end: Vec<u32> = (0..=m).map(|end| end.saturating_sub(1)).collect();
    let mut merged: Vec<(u32, u32)> = Vec::with_capacity(n_values.saturating_sub(1));
    let gap = |a: u32, b: u32, c: u32| gap(a as usize, b as usize, c as usize);
    let mut left = 0;
    while merged.len() + 1 < n_values {
        let middle = ends[left as usize];
        let before = starts_by_end[left as usize];
        if middle == m {
            left = before;
            continue;
        }
        let right = ends[middle as usize];
        let here = gap(left, middle, right);
        // Equal gaps move the search to the left but not to the right, so the leftmost is merged
        // first.
        if left > 0 && gap(before, left, middle).compare(here).is_le() {
            left = before;
        } else if right < m && gap(middle, right, ends[right as usize]).compare(here).is_lt() {
            left = middle;
        } else {
            ends[left as usize] = right;
            starts_by_end[right as usize] = left;
            merged.push((left, right));
        }
    }
    in_preorder(n_values, &merged)
}

/// The gap between two neighbouring ranges, as an exact fraction if possible.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    size: f64,
    exact: Option<(i128, i128)>,
}

impl Gap {
    /// Returns a gap that may have been rounded.
    pub(super) fn rounded(size: f64) -> Self {
        Self { size: size.max(0.0), exact: None }
    }

    /// Returns the size of a union as a gap; it must be an integer if `is_exact`.
    pub(super) fn of_size(size: f64, is_exact: bool) -> Self {
        if is_exact { Self::fraction(size as i128, 1) } else { Self::rounded(size) }
    }

    /// Returns an exact fraction as a gap.
    pub(super) fn fraction(numerator: i128, denominator: i128) -> Self {
        let size = numerator as f64 / denominator as f64;
        Self { size, exact: Some((numerator, denominator)) }
    }

    /// Compares two gaps; rounded gaps that differ by at most a relative `1e-12` are equal.
    fn compare(self, other: Self) -> Ordering {
        if (self.size - other.size).abs() > 1e-12 * self.size.max(other.size) {
            return self.size.total_cmp(&other.size);
        }
        let (Some((a, b)), Some((c, d))) = (self.exact, other.exact) else {
            return Ordering::Equal;
        };
        // Compare `a / b` with `c / d` by cross-multiplication; denominators are positive.
        match (a.checked_mul(d), c.checked_mul(b)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => Ordering::Equal,
        }
    }
}

/// Sorts leaves and merged ranges by start, wider ranges first.
///
/// Ranges with the same start were merged from narrow to wide, so a counting sort in reverse order
/// of merging gives the required order.
fn in_preorder(n_values: usize, merged: &[(u32, u32)]) -> Ranges {
    let mut next = vec![0u32; n_values + 1];
    for &(start, _) in merged {
        next[start as usize + 1] += 1;
    }
    // Each start also has a leaf, which follows all its merged ranges.
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
