//! Spearman's rank correlation, and the agreement of a ranking with measurements.

use crate::rank::TIE;

/// The rank correlation of two lists of numbers, from -1 to 1: Pearson's correlation of their
/// ranks.
///
/// Equal numbers share the mean of their ranks.
///
/// # Complexity
///
/// `O(n log n)`.
///
/// # Guarantees
///
/// `None` if a list is constant or has fewer than two numbers, or if the lists differ in length.
///
/// # References
///
/// \[Spearman1904\]; METHODS 5.8.
///
/// # Examples
///
/// ```
/// use hedgerow::downstream::spearman;
/// let r = spearman(&[1.0, 2.0, 2.0, 4.0], &[10.0, 30.0, 20.0, 40.0]).unwrap();
/// assert!((r - 0.948683).abs() < 1e-6);
/// assert_eq!(spearman(&[1.0, 2.0], &[3.0, 3.0]), None);
/// ```
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < 2 {
        return None;
    }
    let (x, y) = (deviations(x), deviations(y));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // Pearson of ranks: Spearman's shortcut formula is wrong if there are ties.
    let scale = (product(&x, &x) * product(&y, &y)).sqrt();
    (scale > 0.0).then(|| (product(&x, &y) / scale).clamp(-1.0, 1.0))
}

/// The correlation of a ranking by scores, best first, with measurements of the candidates.
///
/// It is [`spearman`] of ranks and measurements, so it is positive if better candidates measure
/// less.
///
/// ```
/// use hedgerow::downstream::correlation;
/// assert_eq!(correlation(&[2.5, 2.0, 1.5], &[0.1, 0.4, 0.9]), Some(1.0));
/// assert_eq!(correlation(&[2.5, 2.0, 1.5], &[0.9, 0.4, 0.1]), Some(-1.0));
/// ```
pub fn correlation(scores: &[f64], measured: &[f64]) -> Option<f64> {
    // A high score is a low rank.
    let from_best: Vec<f64> = scores.iter().map(|score| -score).collect();
    spearman(&from_best, measured)
}

/// The rank of each number minus the mean of all ranks.
fn deviations(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    // The tolerance is relative for numbers above 1.
    let is_tied = |&a: &usize, &b: &usize| {
        let (a, b) = (numbers[a], numbers[b]);
        b - a <= TIE * a.abs().max(b.abs()).max(1.0)
    };
    let mut deviations = vec![0.0; numbers.len()];
    let mut first = 0;
    for tied in order.chunk_by(is_tied) {
        // Tied numbers share the mean of the ranks that they occupy.
        let middle = first as f64 + (tied.len() as f64 - 1.0) / 2.0;
        for &place in tied {
            deviations[place] = middle - (numbers.len() as f64 - 1.0) / 2.0;
        }
        first += tied.len();
    }
    deviations
}
