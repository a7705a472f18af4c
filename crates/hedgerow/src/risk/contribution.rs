//! Contributions of columns: the records that are alone without each, and how well sets of columns
//! distinguish records.

use super::classes::{Classes, wildcards};
use super::{Change, ColumnSet, Contribution};
use crate::table::Table;

/// The greatest number of columns of a set, besides the set of all.
const LARGEST: usize = 3;

/// The most cohorts, over all sets of one size, that are counted to compare sets of two or more.
const MOST_COUNTED: usize = 10_000_000;

/// Computes the contributions of the columns of a table.
pub(super) fn of(table: &Table) -> Contribution {
    let counter = Counter { table, blank: wildcards(table), n: table.n_people() };
    let quasi: Vec<usize> = (0..table.columns().len()).collect();
    let without = quasi.iter().map(|&place| {
        // A column contributes the difference between the records alone without it and with all
        // columns.
        let others: Vec<usize> = quasi.iter().copied().filter(|&other| other != place).collect();
        counter.change(place, &others)
    });
    let beside = quasi.len()..quasi.len() + table.beside().len();
    let mut added: Vec<Change> =
        beside.map(|place| counter.change(place, &[quasi.as_slice(), &[place]].concat())).collect();
    // The sort is stable, so columns of equal effect stay in the order of the table.
    added.sort_by_key(|change| std::cmp::Reverse(change.alone));
    let whole = counter.classes(&quasi);
    Contribution {
        alone: alone(&whole),
        without: without.collect(),
        added,
        sets: counter.sets(&quasi, &whole),
    }
}

/// Counts the records or people that are alone on sets of columns.
struct Counter<'a> {
    table: &'a Table,
    blank: Vec<Vec<bool>>,
    /// Number of records or people.
    n: u64,
}

impl Contribution {
    /// Whether sets of every size were counted for `n` quasi-identifiers.
    pub(super) fn is_complete(&self, n: usize) -> bool {
        let largest = LARGEST.min(n.saturating_sub(1));
        largest == 0 || self.sets.iter().any(|set| set.columns.len() == largest)
    }
}

/// Number of sets of `size` columns out of `n`.
fn n_sets(n: usize, size: usize) -> usize {
    (0..size).fold(1, |sets, chosen| sets * (n - chosen) / (chosen + 1))
}

impl Counter<'_> {
    fn classes(&self, places: &[usize]) -> Classes {
        Classes::on(self.table, places, &self.blank)
    }

    fn change(&self, place: usize, places: &[usize]) -> Change {
        let column = self.table.all_columns()[place].name.clone();
        let alone = alone(&self.classes(places));
        Change { column, alone, share: alone as f64 / self.n as f64 }
    }

    /// Single columns, pairs and triples unless these are too many, and all columns, whose classes
    /// are known.
    fn sets(&self, quasi: &[usize], whole: &Classes) -> Vec<ColumnSet> {
        let mut found = Vec::new();
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        // The set of all columns comes last.
        for _ in 0..LARGEST.min(quasi.len().saturating_sub(1)) {
            let size = sets[0].len() + 1;
            if size > 1 && n_sets(quasi.len(), size) * self.table.cohorts().len() > MOST_COUNTED {
                break;
            }
            let longer = sets.iter().flat_map(|set| {
                // Columns ascend within a set, so that every set is made once.
                let later = quasi.iter().filter(|&place| set.last() < Some(place));
                later.map(move |&place| [set.as_slice(), &[place]].concat())
            });
            sets = longer.collect();
            found.extend(self.ordered(&sets));
        }
        found.push(self.set(quasi, &whole.units()));
        found
    }

    /// Sets of columns, those that distinguish most records first.
    fn ordered(&self, sets: &[Vec<usize>]) -> Vec<ColumnSet> {
        let mut found: Vec<ColumnSet> =
            sets.iter().map(|places| self.set(places, &self.units(places))).collect();
        found.sort_by(|one, other| {
            (other.distinction.total_cmp(&one.distinction))
                .then(other.separation.total_cmp(&one.separation))
        });
        found
    }

    /// Number of records or people of each class on some columns.
    fn units(&self, places: &[usize]) -> Vec<u64> {
        let &[place] = places else { return self.classes(places).units() };
        if self.table.person().is_some() {
            return self.classes(places).units();
        }
        // The classes of one column are its values, which need not be hashed.
        let mut counts = vec![0; self.table.all_columns()[place].domain.n_codes()];
        for (cohort, count) in self.table.cohorts().counted() {
            counts[self.table.cohorts().tuple(cohort)[place].index()] += count;
        }
        counts.retain(|&count| count > 0);
        counts
    }

    fn set(&self, places: &[usize], units: &[u64]) -> ColumnSet {
        let n: u64 = units.iter().sum();
        let pairs = |n: u64| n as f64 * (n as f64 - 1.0) / 2.0;
        // A pair of records is distinguished unless both are in the same class.
        let together: f64 = units.iter().map(|&unit| pairs(unit)).sum();
        let separation = if n > 1 { 1.0 - together / pairs(n) } else { 0.0 };
        let names = places.iter().map(|&place| self.table.all_columns()[place].name.clone());
        ColumnSet {
            columns: names.collect(),
            distinction: units.len() as f64 / n as f64,
            separation,
        }
    }
}

/// Number of records or people that are alone in their class.
fn alone(classes: &Classes) -> u64 {
    let sizes: Vec<u64> = classes.matches(None, true).into_iter().map(|found| found.size).collect();
    match classes.people() {
        None => sizes.iter().filter(|&&size| size == 1).count() as u64,
        Some(people) => {
            // A person who is alone in several classes counts once.
            let alone = sizes.iter().zip(people).filter(|(size, _)| **size == 1);
            let mut people: Vec<_> = alone.flat_map(|(_, people)| people).collect();
            people.sort_unstable();
            people.dedup();
            people.len() as u64
        }
    }
}
