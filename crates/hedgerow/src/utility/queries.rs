//! The error of counting queries that a release answers instead of its original.

use hashbrown::HashMap;
use serde::Serialize;
use twox_hash::XxHash3_64;

use super::Spread;
use crate::table::{Code, Cohorts};

/// Number of queries.
const N_QUERIES: usize = 1_000;
/// Maximum number of columns in a query.
const MOST_COLUMNS: usize = 3;
/// The share of all combinations of values that a query selects.
const SELECTIVITY: f64 = 0.05;
/// The sanity bound as a share of the records: errors of smaller counts are relative to it.
pub(crate) const SHARE_OF_BOUND: f64 = 0.001;

/// Relative errors of random counting queries.
///
/// A query counts the records whose values of one to three quasi-identifiers are in given sets: for
/// numbers and dates a range of consecutive values, for others a random set. Of a column with `m`
/// values a query of `d` columns selects `m s^(1/d)` values, rounded up, with `s` = 5%, so that
/// queries of any width select about the same share of all combinations. The answer of the release
/// adds up the shares of its cells that are in the sets. With `c` the count in the original and `e`
/// the answer, the error is `|e - c| / max(c, b)`. The sanity bound `b` is 0.1% of the records, at
/// least 1; without it, errors of counts near 0 would dominate.
///
/// # References
///
/// \[Xiao2006b\] for the queries, which there also include the sensitive column; \[Vitter1999\] for
/// the bound.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct QueryError {
    /// Number of queries.
    pub queries: usize,
    /// Median relative error.
    pub median: f64,
    /// The relative error that 95% of the queries do not exceed.
    pub percentile_95: f64,
    /// Number of records to which errors of smaller counts are relative.
    pub sanity_bound: f64,
    /// Seed of the queries.
    pub seed: u64,
}

impl QueryError {
    pub(super) fn of(spread: &Spread<'_>, seed: u64) -> Option<Self> {
        let n_records = spread.original().cohorts().n_records();
        let n_quasi = spread.original().columns().len();
        if n_records == 0 || n_quasi == 0 {
            return None;
        }
        // Vitter1999: without the bound, a count of 1 answered as 3 would be an error of 200%.
        let sanity_bound = (SHARE_OF_BOUND * n_records as f64).max(1.0);
        let columns = Columns::of(spread);
        let mut random = Random { seed, drawn: 0 };
        let mut errors: Vec<f64> = (0..N_QUERIES)
            .map(|_| {
                let query = Query::draw(spread, &mut random);
                let (count, answer) = columns.count(&query);
                (answer - count).abs() / count.max(sanity_bound)
            })
            .collect();
        errors.sort_by(f64::total_cmp);
        // The nearest-rank percentile, which is one of the errors and needs no interpolation.
        let at = |share: f64| errors[((share * N_QUERIES as f64).ceil() as usize).max(1) - 1];
        let (median, percentile_95) = (at(0.5), at(0.95));
        Some(Self { queries: N_QUERIES, median, percentile_95, sanity_bound, seed })
    }
}

/// Sets of values of some columns.
struct Query {
    /// Columns, each with the selected values as prefix counts of the codes.
    selected: Vec<(usize, Vec<u32>)>,
}

impl Query {
    fn draw(spread: &Spread<'_>, random: &mut Random) -> Self {
        let n_quasi = spread.original().columns().len();
        let n_columns = 1 + random.below(MOST_COLUMNS.min(n_quasi));
        let mut places: Vec<usize> = Vec::with_capacity(n_columns);
        while places.len() < n_columns {
            let place = random.below(n_quasi);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        // The same share of combinations for any number of columns: part^columns = selectivity.
        let part = SELECTIVITY.powf(1.0 / n_columns as f64);
        let selected =
            places.into_iter().map(|place| (place, selection(spread, place, part, random)));
        Self { selected: selected.collect() }
    }
}

/// Draws about a part of the values of a column and returns them as prefix counts.
fn selection(spread: &Spread<'_>, place: usize, part: f64, random: &mut Random) -> Vec<u32> {
    let domain = spread.domain(place);
    let n_values = domain.len();
    let mut is_selected = vec![false; domain.n_codes()];
    let n_selected = ((part * n_values as f64).ceil() as usize).min(n_values);
    if domain.values.scale().is_some() {
        // Users ask for ranges of numbers; a random set of ages is not a question.
        let first = random.below(n_values - n_selected + 1);
        is_selected[first..first + n_selected].fill(true);
    } else {
        // Floyd's algorithm draws distinct values without a list of all.
        for last in n_values - n_selected..n_values {
            let drawn = random.below(last + 1);
            let place = if is_selected[drawn] { last } else { drawn };
            is_selected[place] = true;
        }
    }
    // Prefix counts give the selected values in any range as one difference.
    let mut prefix = vec![0; is_selected.len() + 1];
    for (code, is_selected) in is_selected.iter().enumerate() {
        prefix[code + 1] = prefix[code] + u32::from(*is_selected);
    }
    prefix
}

/// Both tables, column by column, so that a query reads only the columns that it names.
struct Columns<'a> {
    spread: &'a Spread<'a>,
    /// Both tables.
    tables: [Tuples; 2],
}

/// The distinct tuples of quasi-identifiers of a table.
struct Tuples {
    /// Number of records of each.
    counts: Vec<f64>,
    /// The codes of each quasi-identifier, tuple by tuple.
    codes: Vec<Vec<u32>>,
}

impl Tuples {
    fn of(cohorts: &Cohorts, n_quasi: usize) -> Self {
        let mut found = Self { counts: Vec::new(), codes: vec![Vec::new(); n_quasi] };
        // Queries name no other columns, so records that are equal in these are counted as one.
        let mut places: HashMap<&[Code], usize> = HashMap::new();
        for (cohort, count) in cohorts.counted() {
            let tuple = &cohorts.tuple(cohort)[..n_quasi];
            let next = found.counts.len();
            let place = *places.entry(tuple).or_insert(next);
            if place == next {
                found.counts.push(0.0);
                found.codes.iter_mut().zip(tuple).for_each(|(of, code)| of.push(code.get()));
            }
            found.counts[place] += count as f64;
        }
        found
    }

    /// The sum over all tuples of their records times the product of the shares of their cells.
    fn summed(&self, query: &Query, shares: &dyn Fn(usize, &[u32]) -> Vec<f64>) -> f64 {
        let mut weights = self.counts.clone();
        for (place, prefix) in &query.selected {
            let shares = shares(*place, prefix);
            for (weight, &code) in weights.iter_mut().zip(&self.codes[*place]) {
                *weight *= shares[code as usize];
            }
        }
        weights.iter().sum()
    }
}

impl<'a> Columns<'a> {
    fn of(spread: &'a Spread<'a>) -> Self {
        let n_quasi = spread.original().columns().len();
        let tables = [spread.original(), spread.release()];
        Self { spread, tables: tables.map(|table| Tuples::of(table.cohorts(), n_quasi)) }
    }

    /// The count of a query in the original, and the answer of the release.
    fn count(&self, query: &Query) -> (f64, f64) {
        let of_codes = |_: usize, prefix: &[u32]| -> Vec<f64> {
            prefix.windows(2).map(|pair| f64::from(pair[1] - pair[0])).collect()
        };
        let of_cells = |place: usize, prefix: &[u32]| -> Vec<f64> {
            self.spread.cells(place).iter().map(|cell| cell.share_in(prefix)).collect()
        };
        let [before, after] = &self.tables;
        (before.summed(query, &of_codes), after.summed(query, &of_cells))
    }
}

/// Random numbers: hashes of a counter.
struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    /// A number from 0 to `end - 1`; 0 if `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        let hash = XxHash3_64::oneshot_with_seed(self.seed, &self.drawn.to_le_bytes());
        // The high half of the product is uniform up to a bias below 2^-32.
        ((u128::from(hash) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::table::Table;

    #[test]
    fn a_seed_asks_the_same_queries_again_and_another_seed_others() {
        let rows: Vec<[String; 2]> =
            (0..200).map(|n| [(n % 97).to_string(), format!("w{}", n % 40)]).collect();
        let table = Table::from_rows(&["x", "y"], &rows).unwrap();
        let spread = Spread::new(&table, &table, &BTreeMap::new());
        let drawn = |seed: u64| {
            let mut random = Random { seed, drawn: 0 };
            (0..10).map(|_| Query::draw(&spread, &mut random).selected).collect::<Vec<_>>()
        };
        assert_eq!(drawn(0), drawn(0));
        assert_ne!(drawn(0), drawn(1));
    }

    /// Of 97 numbers, a query of one column selects 5% and one of two columns the root of that.
    #[test]
    fn a_query_selects_a_run_of_numbers_and_a_set_of_words() {
        let rows: Vec<[String; 2]> =
            (0..200).map(|n| [(n % 97).to_string(), format!("w{}", n % 40)]).collect();
        let table = Table::from_rows(&["x", "y"], &rows).unwrap();
        let spread = Spread::new(&table, &table, &BTreeMap::new());
        let mut random = Random { seed: 0, drawn: 0 };
        for query in (0..200).map(|_| Query::draw(&spread, &mut random)) {
            let is_alone = query.selected.len() == 1;
            for (place, prefix) in query.selected {
                let n_selected = prefix[prefix.len() - 1];
                let wanted = [[22, 9], [5, 2]][usize::from(is_alone)][place];
                assert_eq!(n_selected, wanted, "column {place}, alone: {is_alone}");
                let starts = prefix.windows(2).filter(|pair| pair[0] < pair[1]).count();
                assert_eq!(starts, n_selected as usize, "values are distinct");
            }
        }
    }
}
