//! The people that the records of a release belong to, found with the help of its original.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;

use crate::error::Advice;
use crate::hierarchy::Hierarchy;
use crate::population::{Cover, covers};
use crate::table::{Code, Cohort, Column, Columns, Encoding, Table};
use crate::{Error, Result};

/// What an original says about the people of a release.
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
/// with the cohorts of their rows, and their additional columns are published unchanged. A record of
/// the release can come from a record of the original that its cells cover and that has the same
/// values in the additional columns. If the release has the rows of the original in the same order,
/// `is_in_order`, each row comes from the one in its place. Otherwise a record has an owner if all
/// records that it can come from belong to one person. If some record has none, people are bounded
/// from below: classes of which several records have no possible owner in common have at least as
/// many people.
///
/// # Errors
///
/// [`Error::Invalid`] if a record of the release cannot come from any record of the original.
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
    let origins = matching.origins()?;
    let sole: Option<Vec<Code>> = origins
        .iter()
        .map(|possible| {
            let mut people = possible.keys();
            people.next().copied().filter(|_| people.next().is_none())
        })
        .collect();
    let rows = release.rows();
    match (sole, rows) {
        (Some(of_cohort), Some(rows)) => {
            let owner = |cohort: &Option<Cohort>| cohort.map(|cohort| of_cohort[cohort.index()]);
            let people: Vec<Code> = rows.iter().filter_map(owner).collect();
            Ok(Owners::Known(matching.named(&people)?))
        }
        _ => Ok(Owners::Uncertain { at_least: matching.fewest(&origins) }),
    }
}

fn not_in_order() -> Error {
    let problem = "the release does not have the rows of the original in the same order";
    Error::invalid(problem).advise([
        Advice::words("leave this claim out"),
        Advice::words("give the hierarchies whose labels the release shows"),
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
    /// What each cell of a quasi-identifier covers.
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
        let place = original.all_columns().len() - 1;
        if original.person().is_none() {
            return Err(Error::invalid("the original was read without a column that names people"));
        }
        let cohorts = original.cohorts();
        let people = cohorts.all().map(|cohort| cohorts.tuple(cohort)[place]).collect();
        let covers = covers(original, release, hierarchies);
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
        if shown.len() != rows.len() {
            return None;
        }
        let owner = |(shown, cohort): (&Option<Cohort>, &Option<Cohort>)| {
            let cohort = (*cohort)?;
            self.fits((*shown)?, cohort).then(|| self.people[cohort.index()])
        };
        shown.iter().zip(rows).map(owner).collect()
    }

    /// The people that each cohort of the release can belong to.
    fn origins(&self) -> Result<Vec<Possible>> {
        let n_quasi = self.covers.len();
        let (cohorts, n_others) = (self.original.cohorts(), self.same.len());
        let mut alike: HashMap<&[Code], Vec<Cohort>> = HashMap::new();
        for cohort in cohorts.all() {
            alike.entry(&cohorts.tuple(cohort)[n_quasi..][..n_others]).or_default().push(cohort);
        }
        let shown = self.release.cohorts();
        shown.all().map(|cohort| self.origin(cohort, &alike)).collect()
    }

    /// The people that a cohort of the release can belong to, given the cohorts of the original by
    /// their additional values.
    fn origin(&self, shown: Cohort, alike: &HashMap<&[Code], Vec<Cohort>>) -> Result<Possible> {
        let mut possible = Possible::new();
        let others = self.others(shown);
        let near = others.and_then(|others| alike.get(others.as_slice()));
        for &cohort in near.into_iter().flatten().filter(|&&cohort| self.fits(shown, cohort)) {
            let count = self.original.cohorts().counts[cohort.index()];
            *possible.entry(self.people[cohort.index()]).or_default() += count;
        }
        if possible.is_empty() {
            let row = self.release.cohorts().first_rows[shown.index()] + 1;
            return Err(Error::invalid(format!(
                "row {row} of the release cannot come from any record of the original"
            ))
            .advise([
                Advice::words("check that this is its original"),
                Advice::words("give the hierarchies whose labels the release shows"),
            ]));
        }
        Ok(possible)
    }

    /// The release with the column that names people, given the person of each row.
    fn named(&self, people: &[Code]) -> Result<Table> {
        let person = self.original.person().ok_or_else(|| Error::Internal("no person".into()))?;
        let columns = Columns {
            quasi: self.release.columns().iter().map(|column| column.name.clone()).collect(),
            beside: self.release.beside().iter().map(|column| column.name.clone()).collect(),
            person: Some(person.name.clone()),
        };
        let shown: Vec<_> = self.release.beside().iter().collect();
        let encoding = Encoding { is_release: true, ..Encoding::like(&shown, &[]) };
        let cohorts = self.release.cohorts();
        let rows = self.release.rows().unwrap_or_default().iter().flatten();
        let rows: Vec<Vec<String>> = rows
            .zip(people)
            .map(|(&cohort, &owner)| {
                let codes = cohorts.tuple(cohort).iter().zip(self.release.all_columns());
                let cells = codes.map(|(&code, column)| written(column, code));
                cells.chain([person.domain.spelling(owner).into_owned()]).collect()
            })
            .collect();
        Table::encode(&columns, &rows, &encoding)
    }

    /// Number of people that every class has at least.
    fn fewest(&self, origins: &[Possible]) -> u64 {
        let cohorts = self.release.cohorts();
        let classes = super::classes(self.release);
        let shown = classes.iter().filter(|class| !super::shows_nothing(self.release, class[0]));
        let of_class = |class: &Vec<Cohort>| {
            let mut members: Vec<(&Possible, u64)> = (class.iter())
                .map(|cohort| (&origins[cohort.index()], cohorts.counts[cohort.index()]))
                .collect();
            // Records with few possible owners leave most room for others that share none of them.
            members.sort_by_key(|(possible, _)| possible.len());
            let mut seen: BTreeSet<Code> = BTreeSet::new();
            let mut n_people = 0;
            for (possible, count) in members {
                if possible.keys().all(|person| !seen.contains(person)) {
                    seen.extend(possible.keys());
                    n_people += fewest_holding(possible, count);
                }
            }
            n_people
        };
        shown.map(of_class).min().unwrap_or(0)
    }
}

/// A value as text that is read as the same value; a missing value is empty.
fn written(column: &Column, code: Code) -> String {
    let is_missing = column.domain.missing_code() == Some(code);
    if is_missing { String::new() } else { column.domain.spelling(code).into_owned() }
}

/// The smallest number of people who can have `count` records between them.
fn fewest_holding(possible: &Possible, count: u64) -> u64 {
    let mut records: Vec<u64> = possible.values().copied().collect();
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
        let message = found(&[["50", "july"]]).unwrap_err().to_string();
        assert!(message.starts_with("row 1 of the release cannot come from"), "{message}");
    }
}
