//! The people that the records of a release belong to, found with the help of its original.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::blank::Blank;
use super::origins::{Origins, Shown};
use crate::error::Advice;
use crate::hierarchy::Hierarchy;
use crate::population::{Cover, covers};
use crate::table::{Code, Cohort, Column, Table};
use crate::{Error, Result};

/// The people of a release, according to its original.
#[derive(Debug, Clone)]
pub enum Owners {
    /// Every record belongs to one person: the release with the column that names them.
    Known(Table),
    /// Records could belong to different people.
    Uncertain {
        /// Number of people that every class has at least.
        at_least: u64,
    },
}

/// Finds the person of each record of a release, which does not name them.
///
/// Both tables have the same columns: `original` was read with the column that names people, both
/// with the cohorts of their rows, and their additional columns are published unchanged. A record
/// of the release can come from a record of the original that its cells cover and that has the same
/// values in the additional columns. If the release has the rows of the original in the same order,
/// `is_in_order`, each row comes from the one in its place. Otherwise a record has an owner if all
/// records that it can come from belong to one person. If some record has none, people are bounded
/// from below: classes of which several records have no possible owner in common have at least as
/// many people.
///
/// # Errors
///
/// [`Error::Invalid`] if a record of the release cannot come from any record of the original, or if
/// finding the records that its cells cover takes more than 2^28 comparisons.
///
/// # Complexity
///
/// `O(m log m)` for `m` cohorts of the original, and for each record of the release about as many
/// comparisons as there are records that its cells cover.
pub fn owners(
    original: &Table,
    release: &Table,
    hierarchies: &BTreeMap<String, &Hierarchy>,
    is_in_order: bool,
) -> Result<Owners> {
    let matching = Matching::new(original, release, hierarchies)?;
    if is_in_order {
        let people = matching.in_order().ok_or_else(not_in_order)?;
        return Ok(Owners::Known(matching.named(&people)?));
    }
    let mut origins = matching.origins();
    match (matching.sole_owners(&mut origins)?, release.rows()) {
        (Some(of_cohort), Some(rows)) => {
            let owner = |cohort: &Option<Cohort>| cohort.map(|cohort| of_cohort[cohort.index()]);
            let people: Vec<Code> = rows.iter().filter_map(owner).collect();
            Ok(Owners::Known(matching.named(&people)?))
        }
        _ => Ok(Owners::Uncertain { at_least: matching.fewest(&mut origins)? }),
    }
}

fn not_in_order() -> Error {
    let problem = "the release does not have the rows of the original in the same order";
    Error::invalid(problem).advise([
        Advice::words("leave this claim out"),
        Advice::words("give the hierarchies whose labels the release shows"),
    ])
}

/// The error for a label that covers no value of the original, so that its records cannot be found.
fn unread(shown: &Column, code: usize) -> Error {
    let row = shown.domain.first_rows.get(code).map(|row| row + 1);
    let problem = "of the release covers no value of the original";
    Error::value(&shown.name, shown.domain.spelling(Code::new(code)), row, problem).advise([
        Advice::words("check that this is its original"),
        Advice::hierarchy_file(&shown.name),
    ])
}

/// The people that a record can belong to, with the number of records of each that it can come
/// from.
type Possible = BTreeMap<Code, u64>;

/// Compares records of a release with records of its original.
struct Matching<'a> {
    original: &'a Table,
    release: &'a Table,
    /// The person of each cohort of the original.
    people: Vec<Code>,
    /// The values that each cell of a quasi-identifier covers.
    covers: Vec<Vec<Cover>>,
    /// The code in the original of each code of the additional columns.
    same: Vec<Vec<Option<Code>>>,
}

impl<'a> Matching<'a> {
    fn new(
        original: &'a Table,
        release: &'a Table,
        hierarchies: &BTreeMap<String, &Hierarchy>,
    ) -> Result<Self> {
        let beside = original.beside().iter().zip(release.beside());
        let same = beside.map(|(column, shown)| column.domain.codes_of(&shown.domain)).collect();
        // The person is the last column of a table that has one.
        let place = original.all_columns().len() - 1;
        if original.person().is_none() {
            return Err(Error::invalid("the original was read without a column that names people"));
        }
        let cohorts = original.cohorts();
        let people = cohorts.all().map(|cohort| cohorts.tuple(cohort)[place]).collect();
        let covers = covers(original, release, hierarchies);
        for (shown, covers) in release.columns().iter().zip(&covers) {
            if let Some(code) = covers.iter().position(|cover| cover.span().is_none()) {
                return Err(unread(shown, code));
            }
        }
        Ok(Self { original, release, people, covers, same })
    }

    /// Whether a record of the release can come from a record of the original.
    fn fits(&self, shown: Cohort, cohort: Cohort) -> bool {
        let n_quasi = self.covers.len();
        let (cells, values) =
            (self.release.cohorts().tuple(shown), self.original.cohorts().tuple(cohort));
        let mut cells_and_values = cells[..n_quasi].iter().zip(values).zip(&self.covers);
        cells_and_values.all(|((cell, &value), covers)| covers[cell.index()].has(value))
            && self.others(shown).is_some_and(|others| *others == values[n_quasi..][..others.len()])
    }

    /// The additional values of a record of the release, in codes of the original.
    fn others(&self, shown: Cohort) -> Option<Vec<Code>> {
        let others = &self.release.cohorts().tuple(shown)[self.covers.len()..];
        others.iter().zip(&self.same).map(|(code, same)| same[code.index()]).collect()
    }

    /// The person of each row, if the release has the rows of the original in the same order.
    fn in_order(&self) -> Option<Vec<Code>> {
        let (shown, rows) = (self.release.rows()?, self.original.rows()?);
        // Records that were dropped because a value is missing are not in the release.
        let kept: Vec<Cohort> = rows.iter().flatten().copied().collect();
        if shown.len() != kept.len() {
            return None;
        }
        let owner = |(shown, cohort): (&Option<Cohort>, Cohort)| {
            self.fits((*shown)?, cohort).then(|| self.people[cohort.index()])
        };
        shown.iter().zip(kept).map(owner).collect()
    }

    /// The records of the original by their values.
    fn origins(&self) -> Origins<'a> {
        Origins::new(self.original, self.covers.len() + self.same.len())
    }

    /// The cells and values that a cohort of the release shows; `None` if the original does not
    /// have its other values.
    fn shown(&self, cohort: Cohort) -> Option<Shown<'_>> {
        let codes = self.release.cohorts().tuple(cohort).iter();
        let cells = codes.zip(&self.covers).map(|(code, covers)| &covers[code.index()]).collect();
        Some(Shown { cells, others: self.others(cohort)? })
    }

    /// The person of each cohort of the release, if each has only one.
    fn sole_owners(&self, origins: &mut Origins<'_>) -> Result<Option<Vec<Code>>> {
        let mut sole = Some(Vec::new());
        for cohort in self.release.cohorts().all() {
            let (mut owner, mut is_sole) = (None, true);
            if let Some(shown) = self.shown(cohort) {
                origins.of(&shown, |origin| {
                    let person = self.people[origin.index()];
                    is_sole = *owner.get_or_insert(person) == person;
                    if is_sole { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                })?;
            }
            let owner = owner.ok_or_else(|| self.without_origin(cohort))?;
            sole = sole.filter(|_| is_sole);
            sole.iter_mut().for_each(|owners| owners.push(owner));
        }
        Ok(sole)
    }

    /// The people that a cohort of the release can belong to.
    fn possible(&self, cohort: Cohort, origins: &mut Origins<'_>) -> Result<Possible> {
        let mut possible = Possible::new();
        if let Some(shown) = self.shown(cohort) {
            origins.of(&shown, |origin| {
                let count = self.original.cohorts().counts[origin.index()];
                *possible.entry(self.people[origin.index()]).or_default() += count;
                ControlFlow::Continue(())
            })?;
        }
        Ok(possible)
    }

    /// The error for a cohort of the release that no record of the original fits.
    fn without_origin(&self, cohort: Cohort) -> Error {
        let row = self.release.cohorts().first_rows[cohort.index()] + 1;
        Error::invalid(format!(
            "row {row} of the release cannot come from any record of the original"
        ))
        .advise([
            Advice::words("check that this is its original"),
            Advice::words("give the hierarchies whose labels the release shows"),
        ])
    }

    /// The release with the column that names people, given the person of each row.
    fn named(&self, people: &[Code]) -> Result<Table> {
        let person = self.original.person().ok_or_else(|| Error::Internal("no person".into()))?;
        self.release.owned_by(person, people)
    }

    /// Number of people that every class has at least.
    fn fewest(&self, origins: &mut Origins<'_>) -> Result<u64> {
        let blank = Blank::of(self.release);
        let classes = super::classes(self.release);
        let mut fewest = None;
        // If no record shows anything, all of them look the same.
        let is_blank = classes.iter().all(|class| blank.has(class[0]));
        for class in classes.iter().filter(|class| is_blank || !blank.has(class[0])) {
            let n_people = self.fewest_in(class, origins)?;
            fewest = Some(fewest.map_or(n_people, |fewest: u64| fewest.min(n_people)));
            if n_people == 1 {
                break; // no class has fewer
            }
        }
        Ok(fewest.unwrap_or(0))
    }

    /// Number of people that a class has at least.
    fn fewest_in(&self, class: &[Cohort], origins: &mut Origins<'_>) -> Result<u64> {
        let counts = &self.release.cohorts().counts;
        let mut members: Vec<(Possible, u64)> = Vec::with_capacity(class.len());
        for &cohort in class {
            members.push((self.possible(cohort, origins)?, counts[cohort.index()]));
        }
        // Records with few possible owners leave the most people for others that share none of
        // them.
        members.sort_by_key(|(possible, _)| possible.len());
        let mut seen: BTreeSet<Code> = BTreeSet::new();
        let mut n_people = 0;
        for (possible, count) in members {
            // Disjoint possible owners prove different people, so the sum is a lower bound.
            if possible.keys().all(|person| !seen.contains(person)) {
                seen.extend(possible.keys());
                n_people += fewest_holding(&possible, count);
            }
        }
        Ok(n_people)
    }
}

/// The smallest number of people who can have `count` records between them.
fn fewest_holding(possible: &Possible, count: u64) -> u64 {
    let mut records: Vec<u64> = possible.values().copied().collect();
    // Those with most records first: fewer people cannot account for all of them.
    records.sort_unstable_by(|a, b| b.cmp(a));
    let mut open = count;
    let mut n_people = 0;
    for records in records {
        if open == 0 {
            break;
        }
        open = open.saturating_sub(records);
        n_people += 1;
    }
    n_people
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding};

    fn original(rows: &[[&str; 3]]) -> Table {
        let columns = Columns::quasi(&["age"]).and_beside(&["visit"]).and_person("id");
        Table::encode(&columns, rows, &Encoding::default()).unwrap()
    }

    fn release(rows: &[[&str; 2]]) -> Table {
        let columns = Columns::quasi(&["age"]).and_beside(&["visit"]);
        let encoding = Encoding { is_release: true, ..Encoding::default() };
        Table::encode(&columns, rows, &encoding).unwrap()
    }

    const VISITS: [[&str; 3]; 4] =
        [["30", "may", "a"], ["30", "june", "a"], ["31", "may", "b"], ["40", "july", "c"]];

    fn found(rows: &[[&str; 2]]) -> Result<Owners> {
        owners(&original(&VISITS), &release(rows), &BTreeMap::new(), false)
    }

    #[test]
    fn rows_in_the_same_order_belong_to_the_same_people() {
        let rows = [["[30, 31]", "may"], ["[30, 31]", "june"], ["[30, 31]", "may"], ["40", "july"]];
        let found = |rows| owners(&original(&VISITS), &release(rows), &BTreeMap::new(), true);
        let Owners::Known(table) = found(&rows).unwrap() else { panic!("people are known") };
        assert_eq!((table.n_rows(), table.n_people()), (4, 3));
        let other = [rows[1], rows[0], rows[2], rows[3]];
        assert!(found(&other).unwrap_err().to_string().contains("in the same order"));
    }

    #[test]
    fn a_record_that_only_one_person_can_have_is_theirs() {
        let rows = [["40", "july"], ["[30, 40]", "june"]];
        let Owners::Known(table) = found(&rows).unwrap() else { panic!("people are known") };
        assert_eq!(table.n_people(), 2);
    }

    #[test]
    fn people_of_records_without_an_owner_are_bounded() {
        let rows = [["[30, 40]", "july"], ["[30, 40]", "may"], ["[30, 40]", "june"]];
        // The record of may can be of a or b, the one of june is of a: two people at least.
        let found = found(&rows).unwrap();
        assert!(matches!(found, Owners::Uncertain { at_least: 2 }), "{found:?}");
    }

    #[test]
    fn a_record_of_another_table_is_an_error() {
        let message = found(&[["40", "may"]]).unwrap_err().to_string();
        assert!(message.starts_with("row 1 of the release cannot come from"), "{message}");
        let message = found(&[["50", "july"]]).unwrap_err().to_string();
        assert!(message.contains("'50' (row 1) of the release covers no value"), "{message}");
    }

    #[test]
    fn codes_of_unequal_length_are_found_from_their_first_characters() {
        let columns = Columns::quasi(&["postcode"]);
        let rows = [["1101AB", "a"], ["1102 AB", "b"], ["1111AB", "c"], ["1112 AB", "d"]];
        let encoding = Encoding::default();
        let original = Table::encode(&columns.clone().and_person("id"), &rows, &encoding).unwrap();
        let encoding = Encoding { is_release: true, ..Encoding::default() };
        let rows = [["110****"], ["110****"], ["111****"], ["111****"]];
        let release = Table::encode(&columns, &rows, &encoding).unwrap();
        let found = |is_in_order| owners(&original, &release, &BTreeMap::new(), is_in_order);
        let Owners::Known(table) = found(true).unwrap() else { panic!("people are known") };
        assert_eq!(table.n_people(), 4);
        assert!(matches!(found(false).unwrap(), Owners::Uncertain { at_least: 2 }));
    }
}
