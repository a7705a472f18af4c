//! Minimal sample uniques, and the scores of records and columns by them.
//!
//! A minimal sample unique is a set of columns on which a record is unique in the sample, although
//! it is not on any part of the set. Records with many and small ones are special: a few facts
//! distinguish them.
//!
//! # References
//!
//! \[Elliot2002\] M. J. Elliot, A. M. Manning, R. W. Ford: A computational algorithm for handling
//! the special uniques problem, International Journal of Uncertainty, Fuzziness and Knowledge-Based
//! Systems 10(5), 2002, for the score; \[Manning2008\] A. M. Manning, D. J. Haglin, J. A. Keane: A
//! recursive search algorithm for statistical disclosure assessment, Data Mining and Knowledge
//! Discovery 16(2), 2008. Sets are at most three columns large, so all of them are counted with a
//! hash table each instead of the recursive search of SUDA2.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::classes::wildcards;
use super::{ColumnScore, RecordScore, Special};
use crate::table::{Code, Cohort, Table};

/// The greatest size of a set.
const MAX_SIZE: usize = 3;

/// The most records, over all sets of columns, that are counted.
const MOST_COUNTED: usize = 40_000_000;

/// Number of records that are listed.
const N_LISTED: usize = 10;

/// The minimal sample uniques of a table with this number of classes, or `None` if it has too many
/// columns and records to count them.
pub(super) fn of(table: &Table, n_classes: u64) -> Option<Special> {
    let sets = sets(table.columns().len());
    // There is at least one record in each class, so the records need not be listed to refuse them.
    if sets.len().saturating_mul(n_classes as usize) > MOST_COUNTED {
        return None;
    }
    let records = Records::of(table);
    if sets.len().saturating_mul(records.len()) > MOST_COUNTED {
        return None;
    }
    let uniques = records.uniques(&sets);
    Some(Scoring { table, records: &records, sets: &sets, uniques: &uniques }.special())
}

/// Sets of columns by their positions, the smallest first, up to the greatest size.
fn sets(n_columns: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut last: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..MAX_SIZE.min(n_columns) {
        let longer = last.iter().flat_map(|set| {
            // Columns ascend within a set, so that every set is made once.
            let next = set.last().map_or(0, |last| last + 1);
            (next..n_columns).map(|column| [set.as_slice(), &[column]].concat())
        });
        last = longer.collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// The distinct records of a table: tuples of quasi-identifiers, one for each person.
struct Records {
    /// One cohort of each.
    cohorts: Vec<Cohort>,
    codes: Vec<Code>,
    width: usize,
    /// The codes of each column that match anything.
    blank: Vec<Vec<bool>>,
    /// The person, or a number that only this record has if no other record equals it.
    owners: Vec<Owner>,
}

/// The owner of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// A person with a number.
    One(u32),
    /// Several people have equal records.
    Many,
}

impl Owner {
    fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Many }
    }
}

impl Records {
    fn of(table: &Table) -> Self {
        let (cohorts, width) = (table.cohorts(), table.columns().len());
        let people = table.people();
        let mut places: HashMap<(&[Code], u32), usize> = HashMap::new();
        let mut records = Self {
            cohorts: Vec::new(),
            codes: Vec::new(),
            width,
            blank: wildcards(table),
            owners: Vec::new(),
        };
        for (cohort, count) in cohorts.counted() {
            let tuple = &cohorts.tuple(cohort)[..width];
            let person = people.as_ref().map_or(0, |people| people[cohort.index()].get());
            let next = records.cohorts.len();
            let place = *places.entry((tuple, person)).or_insert(next);
            // Without people, each record is a person, and equal records are several.
            let owner = match people {
                Some(_) => Owner::One(person),
                None if count == 1 => Owner::One(cohort.get()),
                None => Owner::Many,
            };
            if place == next {
                records.cohorts.push(cohort);
                records.codes.extend_from_slice(tuple);
                records.owners.push(owner);
            } else {
                records.owners[place] = records.owners[place].and(owner);
            }
        }
        records
    }

    fn len(&self) -> usize {
        self.cohorts.len()
    }

    fn tuple(&self, record: usize) -> &[Code] {
        &self.codes[record * self.width..][..self.width]
    }

    /// For each record, the sets on which it is minimally unique, by position.
    fn uniques(&self, sets: &[Vec<usize>]) -> Vec<Vec<u32>> {
        let mut uniques: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for (number, set) in sets.iter().enumerate() {
            for record in self.alone_on(set) {
                let own = &mut uniques[record];
                // Smaller sets come first, so a part of this one that is unique is known.
                let is_part =
                    |&other: &u32| sets[other as usize].iter().all(|column| set.contains(column));
                if !own.iter().any(is_part) {
                    own.push(number as u32);
                }
            }
        }
        uniques
    }

    /// The records whose cells in a set of columns only their owner has, ascending. A missing value
    /// that matches anything fits every cell.
    fn alone_on(&self, set: &[usize]) -> Vec<usize> {
        let mut by_shown: BTreeMap<[bool; MAX_SIZE], Vec<usize>> = BTreeMap::new();
        for record in 0..self.len() {
            by_shown.entry(self.shown(record, set)).or_default().push(record);
        }
        let mut found = self.owners.clone();
        for (own, records) in &by_shown {
            for (other, others) in &by_shown {
                // Two records can be compared only where both have a value.
                let shown = std::array::from_fn(|place| own[place] && other[place]);
                let mut owners: HashMap<[Code; MAX_SIZE], Owner> =
                    HashMap::with_capacity(others.len());
                for &record in others {
                    let owner = self.owners[record];
                    owners
                        .entry(self.key(record, set, shown))
                        .and_modify(|known| *known = known.and(owner))
                        .or_insert(owner);
                }
                for &record in records {
                    if let Some(&owner) = owners.get(&self.key(record, set, shown)) {
                        found[record] = found[record].and(owner);
                    }
                }
            }
        }
        (0..self.len()).filter(|&record| found[record] != Owner::Many).collect()
    }

    /// The columns of a set in which a record has a value; places after the set are true.
    fn shown(&self, record: usize, set: &[usize]) -> [bool; MAX_SIZE] {
        let tuple = self.tuple(record);
        let is_blank = |column: usize| self.blank[column][tuple[column].index()];
        std::array::from_fn(|place| set.get(place).is_none_or(|&column| !is_blank(column)))
    }

    /// The cells of a record in the columns of a set that are shown. Others are 0, so that one type
    /// of key serves all sizes.
    fn key(&self, record: usize, set: &[usize], shown: [bool; MAX_SIZE]) -> [Code; MAX_SIZE] {
        let tuple = self.tuple(record);
        let cell = |place: usize| set.get(place).filter(|_| shown[place]).map(|&at| tuple[at]);
        std::array::from_fn(|place| cell(place).unwrap_or(Code::new(0)))
    }
}

/// The minimal sample uniques of a table, to be scored.
struct Scoring<'a> {
    table: &'a Table,
    records: &'a Records,
    sets: &'a [Vec<usize>],
    uniques: &'a [Vec<u32>],
}

impl Scoring<'_> {
    fn special(&self) -> Special {
        let n_columns = self.table.columns().len();
        let max_size = MAX_SIZE.min(n_columns);
        let mut by_size = vec![0; max_size];
        let mut of_column = vec![(0, 0.0); n_columns];
        let mut total = 0.0;
        for set in self.uniques.iter().flatten().map(|&set| &self.sets[set as usize]) {
            by_size[set.len() - 1] += 1;
            let score = score(set.len(), n_columns);
            total += score;
            // A column gets the whole score of every set with it, so shares add up to more than 1.
            for &column in set {
                of_column[column].0 += 1;
                of_column[column].1 += score;
            }
        }
        let columns =
            self.table.columns().iter().zip(of_column).map(|(column, (uniques, part))| {
                let share = if total > 0.0 { part / total } else { 0.0 };
                ColumnScore { column: column.name.clone(), uniques, share }
            });
        let mut owners: Vec<u32> = (self.records.owners.iter().zip(self.uniques))
            .filter(|(_, uniques)| !uniques.is_empty())
            .filter_map(|(owner, _)| match owner {
                Owner::One(owner) => Some(*owner),
                Owner::Many => None,
            })
            .collect();
        owners.sort_unstable();
        owners.dedup();
        Special {
            max_size,
            by_size,
            records: owners.len() as u64,
            columns: columns.collect(),
            riskiest: self.riskiest(),
        }
    }

    /// The records with the greatest scores; the first ones among equals.
    fn riskiest(&self) -> Vec<RecordScore> {
        let n_columns = self.table.columns().len();
        let of_record = |uniques: &Vec<u32>| -> f64 {
            uniques.iter().map(|&set| score(self.sets[set as usize].len(), n_columns)).sum()
        };
        let scores = self.uniques.iter().map(of_record).enumerate();
        let mut order: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
        order.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        order.truncate(N_LISTED);
        let name = |&column: &usize| self.table.columns()[column].name.clone();
        let listed = order.into_iter().map(|(record, score)| {
            let cohort = self.records.cohorts[record];
            let sets = self.uniques[record].iter().map(|&set| &self.sets[set as usize]);
            RecordScore {
                row: self.table.cohorts().first_rows[cohort.index()] + 1,
                score,
                uniques: sets.map(|set| set.iter().map(name).collect()).collect(),
            }
        });
        listed.collect()
    }
}

/// The score of a minimal sample unique of `size` of `n_columns` columns: the product of
/// `n_columns - i` for `i` from `size` to the greatest size, without factors of 0.
fn score(size: usize, n_columns: usize) -> f64 {
    let last = MAX_SIZE.min(n_columns.saturating_sub(1));
    (size..=last).map(|i| (n_columns - i) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding, MissingPolicy};

    /// Rows of the kind that Elliot et al. use: one man of 16 who is widowed.
    const PEOPLE: [[&str; 4]; 6] = [
        ["16", "M", "widowed", "north"],
        ["16", "M", "single", "north"],
        ["16", "F", "single", "south"],
        ["60", "F", "widowed", "south"],
        ["60", "M", "widowed", "south"],
        ["60", "M", "single", "north"],
    ];

    const NAMES: [&str; 4] = ["age", "sex", "marital", "region"];

    #[test]
    fn the_sets_of_a_record_are_minimal() {
        let table = Table::from_rows(&NAMES, &PEOPLE).unwrap();
        let found = of(&table, 1).unwrap();
        let first = found.riskiest.iter().find(|record| record.row == 1).unwrap();
        assert_eq!(first.uniques, [["age", "marital"], ["marital", "region"]]);
        // Each set of two of four columns scores (4 - 2) (4 - 3).
        assert!((first.score - 4.0).abs() < 1e-12);
        assert_eq!((found.max_size, found.by_size.len()), (3, 3));
    }

    #[test]
    fn missing_values_that_match_anything_make_nobody_unique() {
        let rows = [["16", "M"], ["", "M"], ["60", "F"], ["60", "F"]];
        let n_unique = |missing: MissingPolicy| {
            let encoding = Encoding { missing, ..Encoding::default() };
            let table = Table::encode(&Columns::quasi(&["age", "sex"]), &rows, &encoding).unwrap();
            of(&table, 1).unwrap().records
        };
        assert_eq!(n_unique(MissingPolicy::Own), 2);
        // The second record could be any man, so the first one is not alone either.
        assert_eq!(n_unique(MissingPolicy::Wildcard), 0);
    }

    #[test]
    fn scores_fall_with_the_size_of_the_set() {
        let rounded = |n_columns| [1, 2, 3].map(|size| score(size, n_columns).round() as u32);
        assert_eq!((rounded(8), rounded(3)), ([210, 30, 5], [2, 1, 1]));
        assert!((score(1, 1) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn equal_records_of_one_person_are_unique_and_those_of_two_are_not() {
        let rows = [["16", "a"], ["16", "a"], ["17", "b"], ["17", "c"]];
        let columns = Columns::quasi(&["age"]).and_person("id");
        let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let found = of(&table, 1).unwrap();
        assert_eq!((found.records, found.by_size), (1, vec![1]));
        let ages = rows.map(|[age, _]| [age]);
        let table = Table::from_rows(&["age"], &ages).unwrap();
        assert_eq!(of(&table, 1).unwrap().records, 0);
    }
}
