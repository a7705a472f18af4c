//! Numbers that are exactly a quasi-identifier, or its sum or difference with another number, in
//! part of the records.

use super::series::Series;

/// The least share of wrong guesses that an exact equation of one column must correct.
pub(super) const EXACT: f64 = 0.5;
/// The same for a sum or difference of two columns, which is rarely right by chance.
pub(super) const EXACT_OF_TWO: f64 = 0.25;
/// Number of different values of a quasi-identifier from which equal numbers are not a coincidence.
const LEAST_VALUES: usize = 10;
/// Number of records for which an equation must hold.
const LEAST_HITS: usize = 10;
/// Decimals to which numbers are compared.
const PRECISION: f64 = 1e6;
/// Number of records on which an equation is tried first, and the share of wrong guesses that it
/// must correct there.
const TRIED: usize = 200;
const PROMISING: f64 = 0.1;

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

/// The same for the sum or a difference of two lists of numbers, with the signs that correct most.
pub(super) fn share_of_two(lists: [&[f64]; 2], target: &[f64]) -> f64 {
    // Most sums fail on a part of the records already; only the others are counted on all.
    let step = target.len().div_ceil(TRIED).max(1);
    let is_promising = |signs: &[f64; 2]| {
        let tried = Pairs::new(lists, target, *signs, step);
        tried.hits() as f64 >= tried.known() as f64 + PROMISING * tried.n_wrong() as f64
    };
    let shares = SIGNS.iter().filter(|signs| is_promising(signs));
    shares.map(|&signs| share_with(lists, target, signs)).fold(0.0, f64::max)
}

fn share_with(lists: [&[f64]; 2], target: &[f64], signs: [f64; 2]) -> f64 {
    let mut pairs = Pairs::new(lists, target, signs, 1);
    if n_distinct(pairs.own.clone()) < LEAST_VALUES {
        return 0.0;
    }
    let share = pairs.corrected();
    if share >= EXACT {
        return share;
    }
    // Columns that are mostly 0 agree in that value; a derived one agrees in others as well.
    pairs.leave_out_most_frequent();
    share.min(pairs.corrected())
}

/// Values of a target, and their differences from an equation, in the records that have all
/// numbers.
struct Pairs {
    differences: Vec<i64>,
    own: Vec<i64>,
}

impl Pairs {
    /// Every `step`-th record.
    fn new(lists: [&[f64]; 2], target: &[f64], signs: [f64; 2], step: usize) -> Self {
        let (mut differences, mut own) = (Vec::new(), Vec::new());
        for row in (0..target.len()).step_by(step) {
            let rest = rest(lists, target, row, signs);
            if !rest.is_nan() {
                differences.push(key(rest));
                own.push(key(target[row]));
            }
        }
        Self { differences, own }
    }

    /// Number of records with the most frequent difference.
    fn hits(&self) -> usize {
        most_frequent(self.differences.clone()).0
    }

    /// Number of records with the most frequent value.
    fn known(&self) -> usize {
        most_frequent(self.own.clone()).0
    }

    /// Number of records for which the most frequent value is a wrong guess.
    fn n_wrong(&self) -> usize {
        self.own.len() - self.known()
    }

    /// The share of wrong guesses that the most frequent difference corrects.
    fn corrected(&self) -> f64 {
        corrected(self.differences.clone(), self.own.clone())
    }

    /// Leaves out the records with the most frequent value.
    fn leave_out_most_frequent(&mut self) {
        let (_, most) = most_frequent(self.own.clone());
        let both = self.differences.iter().zip(&self.own).filter(|(_, own)| **own != most);
        let (differences, own) = both.unzip();
        *self = Self { differences, own };
    }
}

/// The difference between the target and the signed sum of two numbers; NaN if one of them is
/// missing.
fn rest(lists: [&[f64]; 2], target: &[f64], row: usize, signs: [f64; 2]) -> f64 {
    target[row] - signs[0] * lists[0][row] - signs[1] * lists[1][row]
}

/// The share of wrong guesses that the most frequent difference corrects.
fn corrected(differences: Vec<i64>, own: Vec<i64>) -> f64 {
    let n = own.len();
    let (hits, known) = (most_frequent(differences).0, most_frequent(own).0);
    if hits < LEAST_HITS || known == n {
        return 0.0;
    }
    // Goodman and Kruskal's lambda: corrected guesses over the guesses that were wrong.
    (hits as f64 - known as f64) / (n - known) as f64
}

/// The number of occurrences of the most frequent key, and that key.
fn most_frequent(mut keys: Vec<i64>) -> (usize, i64) {
    keys.sort_unstable();
    let counted = keys.chunk_by(|a, b| a == b).map(|equal| (equal.len(), equal[0]));
    counted.max_by_key(|(count, _)| *count).unwrap_or((0, 0))
}

fn n_distinct(mut keys: Vec<i64>) -> usize {
    keys.sort_unstable();
    keys.dedup();
    keys.len()
}

fn key(number: f64) -> i64 {
    // Rounding makes differences equal that deviate in the last bits only.
    (number * PRECISION).round() as i64
}
