//! Changes of the dependence between columns.

use serde::Serialize;

use super::Spread;
use super::spread::Cell;
use crate::table::Domain;

/// Maximum number of groups into which the values of a column are put for Cramér's V.
const MOST_GROUPS: usize = 12;

/// The dependence between all pairs of columns with a quasi-identifier, before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Correlations {
    /// The columns that are compared: the quasi-identifiers, with each other and with all other
    /// columns that were read.
    pub columns: Vec<String>,
    /// Mean absolute difference over all pairs.
    pub mean_difference: f64,
    /// The pairs, the most changed first.
    pub pairs: Vec<Pair>,
}

/// The dependence between two columns.
///
/// Two columns of numbers or dates have Pearson's correlation, from -1 to 1. Other pairs have
/// Cramér's V, from 0 to 1: `sqrt(χ² / (n (min(r, c) - 1)))` of their table of `r` and `c` groups.
/// A column with more than 12 values is divided into 12 groups of about equally many records
/// (numbers and dates) or into its 11 most frequent values and the others. In the release, cells
/// are equal shares of the values they cover, independently in each column of a class.
///
/// # References
///
/// \[Cramer1946\], section 21.9.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pair {
    /// The two columns.
    pub columns: [String; 2],
    /// The name of the measure: `pearson` or `cramers_v`.
    pub measure: &'static str,
    /// Its value in the original.
    pub before: f64,
    /// Its value in the release.
    pub after: f64,
}

impl Pair {
    /// The absolute difference.
    pub(crate) fn difference(&self) -> f64 {
        (self.after - self.before).abs()
    }
}

impl Correlations {
    pub(super) fn of(spread: &Spread<'_>) -> Option<Self> {
        let n_columns = spread.n_columns();
        let facts: Vec<Facts> = (0..n_columns).map(|place| Facts::of(spread, place)).collect();
        let mut pairs = Vec::new();
        // Pairs of columns that are published as they are cannot change.
        for one in 0..spread.original().columns().len() {
            for other in one + 1..n_columns {
                pairs.extend(pair(spread, &facts, [one, other]));
            }
        }
        if pairs.is_empty() {
            return None;
        }
        let mean_difference = pairs.iter().map(Pair::difference).sum::<f64>() / pairs.len() as f64;
        // Equal differences keep the order of the columns.
        pairs.sort_by(|a, b| b.difference().total_cmp(&a.difference()));
        let columns = spread.original().all_columns()[..n_columns].iter();
        let columns = columns.map(|column| column.name.clone()).collect();
        Some(Self { columns, mean_difference, pairs })
    }
}

/// A pair of columns, or `None` if one of them has a single value.
fn pair(spread: &Spread<'_>, facts: &[Facts], places: [usize; 2]) -> Option<Pair> {
    let columns = places.map(|place| spread.original().all_columns()[place].name.clone());
    let [one, other] = places.map(|place| &facts[place]);
    let pair = |measure, before, after| Pair { columns, measure, before, after };
    if let (Some(x), Some(y)) = (&one.moments, &other.moments) {
        let [before, after] = [0, 1].map(|table| pearson(spread, places, [x, y], table));
        // A release that shows one value everywhere has no dependence left, so it counts as 0.
        return Some(pair("pearson", before?, after.unwrap_or(0.0)));
    }
    let [before, after] = [0, 1].map(|table| cramers_v(spread, places, [one, other], table));
    Some(pair("cramers_v", before?, after.unwrap_or(0.0)))
}

/// The figures of a column from which correlations are computed, for the codes of the original and
/// the cells of the release.
struct Facts {
    /// The mean and the mean square of each code or cell, if the column has a scale; NaN for
    /// missing values.
    moments: Option<[Vec<(f64, f64)>; 2]>,
    /// Number of groups.
    n_groups: usize,
    /// The shares of the groups in each code or cell, without groups of share 0.
    groups: [Vec<Vec<(usize, f64)>>; 2],
}

impl Facts {
    fn of(spread: &Spread<'_>, place: usize) -> Self {
        let domain = spread.domain(place);
        let group_of = groups(domain, &spread.before(place));
        let n_groups = group_of.iter().max().map_or(1, |most| most + 1);
        let of_cell = |cell: &Cell| {
            let mut shares = vec![0.0; n_groups];
            for (run, each) in cell.shares() {
                group_of[run].iter().for_each(|&group| shares[group] += each);
            }
            shares.into_iter().enumerate().filter(|(_, share)| *share > 0.0).collect()
        };
        let of_codes = group_of.iter().map(|&group| vec![(group, 1.0)]).collect();
        let of_cells = spread.cells(place).iter().map(of_cell).collect();
        Self { moments: moments(spread, place), n_groups, groups: [of_codes, of_cells] }
    }
}

/// The group of each code.
fn groups(domain: &Domain, counts: &[f64]) -> Vec<usize> {
    if domain.n_codes() <= MOST_GROUPS {
        return (0..domain.n_codes()).collect();
    }
    if domain.values.scale().is_some() {
        let total: f64 = counts.iter().sum();
        let mut below = 0.0;
        let group = |&count: &f64| {
            // A value goes where its middle record is, so that it is never split between groups.
            let middle = below + count / 2.0;
            below += count;
            ((middle / total.max(1.0) * MOST_GROUPS as f64) as usize).min(MOST_GROUPS - 1)
        };
        return counts.iter().map(group).collect();
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    // The most frequent words keep a group each, the rare ones share the last.
    order.sort_by(|&a, &b| counts[b].total_cmp(&counts[a]).then(a.cmp(&b)));
    let mut groups = vec![MOST_GROUPS - 1; counts.len()];
    order.iter().take(MOST_GROUPS - 1).enumerate().for_each(|(group, &code)| groups[code] = group);
    groups
}

fn moments(spread: &Spread<'_>, place: usize) -> Option<[Vec<(f64, f64)>; 2]> {
    let domain = spread.domain(place);
    let scale = domain.values.scale()?;
    let (least, greatest) = scale.ends()?;
    // Values are moved near 0, so that squares of dates keep their digits.
    let width = (greatest - least).max(f64::MIN_POSITIVE);
    let value = |place: usize| (scale.value(place) - least) / width;
    let n_values = scale.len();
    let mut sums = vec![(0.0, 0.0); n_values + 1];
    for place in 0..n_values {
        let (sum, squares) = sums[place];
        sums[place + 1] = (sum + value(place), squares + value(place) * value(place));
    }
    let of_cell = |cell: &Cell| {
        let (mut mean, mut square, mut known) = (0.0, 0.0, 0.0);
        for (run, each) in cell.shares() {
            let (start, end) = (run.start.min(n_values), run.end.min(n_values));
            mean += each * (sums[end].0 - sums[start].0);
            square += each * (sums[end].1 - sums[start].1);
            known += each * (end - start) as f64;
        }
        if known > 0.0 { (mean / known, square / known) } else { (f64::NAN, f64::NAN) }
    };
    let of_code = |code: usize| {
        if code < n_values {
            (value(code), value(code) * value(code))
        } else {
            (f64::NAN, f64::NAN)
        }
    };
    let of_codes = (0..domain.n_codes()).map(of_code).collect();
    Some([of_codes, spread.cells(place).iter().map(of_cell).collect()])
}

/// Iterates over the codes of two columns in the original (0) or the release (1) with their counts.
fn counted<'a>(
    spread: &Spread<'a>,
    places: [usize; 2],
    table: usize,
) -> impl Iterator<Item = ([usize; 2], f64)> + 'a {
    let cohorts = [spread.original(), spread.release()][table].cohorts();
    cohorts.counted().map(move |(cohort, count)| {
        let tuple = cohorts.tuple(cohort);
        (places.map(|place| tuple[place].index()), count as f64)
    })
}

/// Pearson's correlation of the records with both values, or `None` if a column is constant.
fn pearson(
    spread: &Spread<'_>,
    places: [usize; 2],
    [x, y]: [&[Vec<(f64, f64)>; 2]; 2],
    table: usize,
) -> Option<f64> {
    let [mut n, mut sx, mut sy, mut sxx, mut syy, mut sxy] = [0.0; 6];
    for ([one, other], count) in counted(spread, places, table) {
        let ((mean_x, square_x), (mean_y, square_y)) = (x[table][one], y[table][other]);
        if mean_x.is_nan() || mean_y.is_nan() {
            continue;
        }
        n += count;
        sx += count * mean_x;
        sy += count * mean_y;
        sxx += count * square_x;
        syy += count * square_y;
        // Cells of one record are independent, so the mean of the product is that of the means.
        sxy += count * mean_x * mean_y;
    }
    let spread_of = |sum: f64, squares: f64| squares / n - (sum / n) * (sum / n);
    let (variance_x, variance_y) = (spread_of(sx, sxx), spread_of(sy, syy));
    let covariance = sxy / n - (sx / n) * (sy / n);
    // Below this, a variance of values scaled to 0..1 is rounding.
    let is_spread = n > 0.0 && variance_x > 1e-15 && variance_y > 1e-15;
    is_spread.then(|| (covariance / (variance_x * variance_y).sqrt()).clamp(-1.0, 1.0))
}

/// Cramér's V, or `None` if a column has a single group.
fn cramers_v(
    spread: &Spread<'_>,
    places: [usize; 2],
    [one, other]: [&Facts; 2],
    table: usize,
) -> Option<f64> {
    let width = other.n_groups;
    let mut counts = vec![0.0; one.n_groups * width];
    for ([x, y], count) in counted(spread, places, table) {
        for &(row, share) in &one.groups[table][x] {
            for &(column, part) in &other.groups[table][y] {
                counts[row * width + column] += count * share * part;
            }
        }
    }
    let n: f64 = counts.iter().sum();
    let rows: Vec<f64> = counts.chunks(width).map(|row| row.iter().sum()).collect();
    let columns: Vec<f64> =
        (0..width).map(|column| counts.iter().skip(column).step_by(width).sum()).collect();
    let n_used = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count();
    let least = n_used(&rows).min(n_used(&columns));
    if least < 2 {
        return None;
    }
    // χ² / n = Σ count² / (row column) - 1
    let cells = counts.iter().enumerate().filter(|(_, count)| **count > 0.0);
    let ratio: f64 =
        cells.map(|(at, count)| count * count / (rows[at / width] * columns[at % width])).sum();
    let phi = (ratio - 1.0).max(0.0);
    (n > 0.0).then(|| (phi / (least - 1) as f64).sqrt().min(1.0))
}
