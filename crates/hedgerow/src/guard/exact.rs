//! Numbers that are exactly a quasi-identifier, or its sum or difference with another number, in
//! part of the records.

use super::series::Series;

/// The least share of wrong guesses that an exact equation must correct.
pub(super) const EXACT: f64 = 0.5;
/// Number of different values of a quasi-identifier from which equal numbers are not a coincidence.
const LEAST_VALUES: usize = 10;
/// Number of records for which an equation must hold.
const LEAST_HITS: usize = 10;
/// Decimals to which numbers are compared.
const PRECISION: f64 = 1e6;
/// Number of records on which an equation is tried first, and the share of them for which it must
/// hold.
const TRIED: usize = 200;
const PROMISING: f64 = 0.3;

/// The signs of two numbers whose sum may be a quasi-identifier.
const SIGNS: [[f64; 2]; 3] = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]];

/// Returns the share of wrong guesses of `quasi` that are corrected by adding a constant to
/// `column`.
///
/// A guess without the column is the most frequent value. If the two were independent, adding a
/// constant would not be right more often.
pub(super) fn share_of_one(column: &Series, quasi: &Series) -> f64 {
    if !column.is_ordered() || !quasi.is_ordered() || quasi.n_codes < LEAST_VALUES {
        return 0.0;
    }
    let both = column.codes.iter().zip(&quasi.codes);
    let (mut differences, mut own) = (Vec::new(), Vec::new());
    for (one, other) in both.filter_map(|(a, b)| Some(((*a)?, (*b)?))) {
        differences.push(key(quasi.numbers[other as usize] - column.numbers[one as usize]));
        own.push(i64::from(other));
    }
    corrected(differences, own)
}

/// The same for one list of numbers, in which missing numbers are NaN, that is added or subtracted.
pub(super) fn share_of_list(list: &[f64], target: &[f64]) -> f64 {
    let zeros = vec![0.0; list.len()];
    let share = |sign: f64| share_with([list, &zeros], target, [sign, 1.0]);
    share(1.0).max(share(-1.0))
}

/// The same for the sum or a difference of two lists of numbers, whichever corrects most.
pub(super) fn share_of_two(lists: [&[f64]; 2], target: &[f64]) -> f64 {
    // Most sums fail on a part of the records already; only the others are counted on all.
    let is_promising = |signs: &[f64; 2]| {
        let step = target.len().div_ceil(TRIED).max(1);
        let rows = (0..target.len()).step_by(step);
        let rest = rows.map(|row| rest(lists, target, row, *signs));
        let tried: Vec<i64> = rest.filter(|rest| !rest.is_nan()).map(key).collect();
        let n_tried = tried.len();
        most_frequent(tried) as f64 >= PROMISING * n_tried as f64
    };
    let shares = SIGNS.iter().filter(|signs| is_promising(signs));
    shares.map(|&signs| share_with(lists, target, signs)).fold(0.0, f64::max)
}

fn share_with(lists: [&[f64]; 2], target: &[f64], signs: [f64; 2]) -> f64 {
    let (mut differences, mut own) = (Vec::new(), Vec::new());
    for (row, &number) in target.iter().enumerate() {
        let rest = rest(lists, target, row, signs);
        if !rest.is_nan() {
            differences.push(key(rest));
            own.push(key(number));
        }
    }
    let n_values = {
        let mut distinct = own.clone();
        distinct.sort_unstable();
        distinct.dedup();
        distinct.len()
    };
    if n_values < LEAST_VALUES { 0.0 } else { corrected(differences, own) }
}

/// What the signed sum of two numbers leaves of the target; NaN if one of them is missing.
fn rest(lists: [&[f64]; 2], target: &[f64], row: usize, signs: [f64; 2]) -> f64 {
    target[row] - signs[0] * lists[0][row] - signs[1] * lists[1][row]
}

/// The share of wrong guesses that the most frequent difference corrects.
fn corrected(differences: Vec<i64>, own: Vec<i64>) -> f64 {
    let n = own.len();
    let (hits, known) = (most_frequent(differences), most_frequent(own));
    if hits < LEAST_HITS || known == n {
        return 0.0;
    }
    // Goodman and Kruskal's lambda: corrected guesses over the guesses that were wrong.
    (hits as f64 - known as f64) / (n - known) as f64
}

fn most_frequent(mut keys: Vec<i64>) -> usize {
    keys.sort_unstable();
    keys.chunk_by(|a, b| a == b).map(<[i64]>::len).max().unwrap_or(0)
}

fn key(number: f64) -> i64 {
    // Rounding makes differences equal that deviate in the last bits only.
    (number * PRECISION).round() as i64
}
