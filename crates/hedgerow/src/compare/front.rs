//! The Pareto front of releases: those that no other beats in both loss and risk.

/// Whether each point is on the front: no other point is at most as large in both coordinates and
/// smaller in one. Equal points are on it together.
///
/// # Complexity
///
/// `O(n log n)` for `n` points.
pub(super) fn front(points: &[(f64, f64)]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        // By loss, then by risk: any point that could beat another comes before it.
        points[a].0.total_cmp(&points[b].0).then(points[a].1.total_cmp(&points[b].1))
    });
    let mut is_on = vec![false; points.len()];
    // The last point on the front; in this order only points before one can beat it.
    let mut last: Option<(f64, f64)> = None;
    for place in order {
        let point = points[place];
        let is_equal = |last: (f64, f64)| {
            last.0.total_cmp(&point.0).is_eq() && last.1.total_cmp(&point.1).is_eq()
        };
        // Risks of the front fall as losses rise, so comparing with its last point is enough.
        if last.is_none_or(|last| point.1 < last.1 || is_equal(last)) {
            is_on[place] = true;
            last = Some(point);
        }
    }
    is_on
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_beats_is_not_on_the_front() {
        let points = [(0.1, 0.5), (0.2, 0.3), (0.2, 0.4), (0.3, 0.3), (0.2, 0.3), (0.4, 0.1)];
        assert_eq!(front(&points), [true, true, false, false, true, true]);
        assert!(front(&[]).is_empty());
    }
}
