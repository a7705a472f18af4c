//! The people that the records of a table belong to.

use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::HashMap;
use twox_hash::XxHash3_64;

use super::{Code, Cohort, Cohorts, Column, Table};
use crate::error::Advice;
use crate::{Error, Result};

impl Table {
    /// The column that names the person of each record, if the table was read with one.
    pub fn person(&self) -> Option<&Column> {
        self.columns.last().filter(|_| self.has_person)
    }

    /// The person of each cohort; `None` if every record is a person of its own, even if a column
    /// names them.
    pub fn people(&self) -> Option<Vec<Code>> {
        self.has_crowds.then(|| self.named_people())
    }

    fn named_people(&self) -> Vec<Code> {
        let place = self.columns.len() - 1;
        self.cohorts.all().map(|cohort| self.cohorts.tuple(cohort)[place]).collect()
    }

    /// Finds out whether a person has several records.
    pub(super) fn find_crowds(&mut self) {
        if self.has_person {
            let people: BTreeSet<Code> = self.named_people().into_iter().collect();
            // Fewer people than records: at least one person has several.
            self.has_crowds = (people.len() as u64) < self.cohorts.n_records();
        }
    }

    /// Number of people whose records were kept; the number of records if every record is a person
    /// of its own.
    ///
    /// ```
    /// use hedgerow::table::{Columns, Encoding, Table};
    /// let columns = Columns::quasi(&["age"]).and_person("patient");
    /// let rows = [["39", "p1"], ["39", "p1"], ["50", "p2"]];
    /// let table = Table::encode(&columns, &rows, &Encoding::default())?;
    /// assert_eq!((table.cohorts().n_records(), table.n_people()), (3, 2));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn n_people(&self) -> u64 {
        match self.people() {
            None => self.cohorts.n_records(),
            Some(people) => people.into_iter().collect::<BTreeSet<_>>().len() as u64,
        }
    }

    /// The same table with a column that names people, given the person of each row that was kept.
    ///
    /// # Errors
    ///
    /// [`Error::NoRows`] if the cohort of each row is not known, and [`Error::Internal`] if there
    /// are other rows than people.
    pub(crate) fn owned_by(&self, person: &Column, owners: &[Code]) -> Result<Self> {
        let rows = self.rows().ok_or_else(|| Error::NoRows { advice: Vec::new() })?;
        let n_kept = rows.iter().flatten().count();
        if n_kept != owners.len() || self.has_person {
            let problem = format!("{n_kept} records belong to {} people's rows", owners.len());
            return Err(Error::Internal(problem));
        }
        let width = self.cohorts.width + 1;
        let mut cohorts = Cohorts { width, ..Cohorts::default() };
        let mut numbers: HashMap<(Cohort, Code), Cohort> = HashMap::new();
        let mut owners = owners.iter();
        let mut of_row = Vec::with_capacity(rows.len());
        for (row, cohort) in rows.iter().enumerate() {
            let owned = cohort.and_then(|cohort| Some((cohort, *owners.next()?)));
            of_row.push(owned.map(|(cohort, owner)| {
                let new = *numbers.entry((cohort, owner)).or_insert_with(|| {
                    let codes = [self.cohorts.tuple(cohort), &[owner]].concat();
                    cohorts.push(&codes, 0, row as u64)
                });
                cohorts.counts[new.index()] += 1;
                new
            }));
        }
        let columns = self.columns.iter().chain([person]).cloned().collect();
        let mut table = Self {
            columns,
            has_person: true,
            cohorts: Arc::new(cohorts),
            rows: Arc::new(of_row),
            raw: Arc::default(),
            cohort_of_raw: Arc::default(),
            has_copies: self.has_copies,
            ..self.clone()
        };
        table.find_crowds();
        Ok(table)
    }

    /// The unit that privacy models count: records, or people.
    pub(crate) fn counted_noun(&self) -> &'static str {
        if self.has_person { "person" } else { "record" }
    }

    /// Number of people with each of `n_values` values, given the value of each cohort, if it has
    /// one. A person with several values counts once for each.
    pub(crate) fn holders(
        &self,
        of_cohort: impl Iterator<Item = Option<usize>>,
        n_values: usize,
    ) -> Vec<u64> {
        let mut holders = vec![0; n_values];
        let Some(people) = self.people() else {
            for (value, count) in of_cohort.zip(&self.cohorts.counts) {
                value.into_iter().for_each(|value| holders[value] += count);
            }
            return holders;
        };
        let known = of_cohort.zip(people).filter_map(|(value, person)| Some((value?, person)));
        // A set, because a person with several records of one value holds it once.
        let pairs: BTreeSet<(usize, Code)> = known.collect();
        pairs.into_iter().for_each(|(value, _)| holders[value] += 1);
        holders
    }

    /// Draws people in random order until they have at least `n_records` records.
    pub(super) fn draw_people(
        &self,
        people: &[Code],
        n_records: u64,
        seed: u64,
    ) -> Vec<(Cohort, u64)> {
        let key = |person: Code| {
            XxHash3_64::oneshot_with_seed(seed, &u64::from(person.get()).to_le_bytes())
        };
        // The person breaks ties of the hash.
        let mut order: Vec<((u64, Code), u64)> = (people.iter())
            .zip(&self.cohorts.counts)
            .map(|(&person, &count)| ((key(person), person), count))
            .collect();
        order.sort_unstable();
        let (mut drawn, mut last) = (0, None);
        for (person, count) in order {
            // The records of the last person are all drawn, even if they exceed the number.
            if drawn >= n_records && last != Some(person) {
                break;
            }
            drawn += count;
            last = Some(person);
        }
        // Everyone up to the last person in random order is drawn.
        let is_drawn = |person: Code| last.is_some_and(|last| (key(person), person) <= last);
        let counted = self.cohorts.counted().zip(people);
        counted.filter(|&(_, &person)| is_drawn(person)).map(|(cohort, _)| cohort).collect()
    }
}

/// Returns an error if a record has no value in the column that names people: it is not known whose
/// record it is. Under the policy that drops records with missing values there are none here.
pub(super) fn all_named(column: &Column) -> Result<()> {
    let Some(missing) = &column.domain.missing else { return Ok(()) };
    let (count, row) = (missing.count, missing.first_row + 1);
    let problem = format!("it has missing values: {count}, the first in row {row}");
    Err(Error::column(&column.name, problem).advise([
        Advice::words("give each of these records its person, or a new one of its own"),
        Advice::DropMissing,
    ]))
}

#[cfg(test)]
mod tests {
    use crate::table::{Columns, Encoding, MissingPolicy, Table};
    use crate::{Error, Result};

    fn panel(rows: &[[&str; 2]]) -> Result<Table> {
        Table::encode(&Columns::quasi(&["age"]).and_person("id"), rows, &Encoding::default())
    }

    #[test]
    fn a_missing_number_does_not_name_a_person() {
        let refused = panel(&[["30", "17"], ["30", "NA"], ["40", "18"], ["40", "NA"]]).unwrap_err();
        assert!(refused.to_string().contains("missing values: 2, the first in row 2"), "{refused}");
        assert_eq!(panel(&[["30", "p17"], ["30", "NA"]]).unwrap().n_people(), 2);
    }

    #[test]
    fn a_sample_of_people_has_all_their_records() {
        let rows: Vec<[String; 2]> =
            (0..300).map(|row| [(row % 7).to_string(), format!("p{}", row % 60)]).collect();
        let columns = Columns::quasi(&["age"]).and_person("id");
        let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let sample = table.sample(50, 3);
        assert_eq!((sample.n_rows(), sample.n_people()), (50, 10));
        assert_ne!(sample.cohorts(), table.sample(50, 4).cohorts());
    }

    #[test]
    fn people_are_counted_once_for_each_value() {
        let table = panel(&[["30", "a"], ["30", "a"], ["31", "a"], ["31", "b"]]).unwrap();
        let cohorts = table.cohorts();
        let ages = cohorts.all().map(|cohort| Some(cohorts.tuple(cohort)[0].index()));
        assert_eq!(table.holders(ages, 2), [1, 2]);
        assert_eq!(table.beside().len(), 0);
        assert_eq!(table.person().unwrap().name, "id");
    }

    #[test]
    fn a_record_of_nobody_is_an_error_that_names_its_row() {
        let error = panel(&[["30", "a"], ["31", ""]]).unwrap_err();
        assert!(matches!(&error, Error::Column { column, .. } if column == "id"), "{error}");
        assert!(error.to_string().contains("the first in row 2"), "{error}");
    }

    #[test]
    fn records_of_nobody_are_dropped_with_others_that_lack_a_value() {
        let rows = [["30", "a"], ["31", ""], ["", "b"], ["30", "NA"], ["32", "7"]];
        let columns = Columns::quasi(&["age"]).and_person("id");
        let encoding = Encoding { missing: MissingPolicy::Drop, ..Encoding::default() };
        let table = Table::encode(&columns, &rows, &encoding).unwrap();
        assert_eq!((table.cohorts().n_records(), table.n_people()), (3, 3));
    }

    #[test]
    fn names_of_people_are_text() {
        assert_eq!(panel(&[["30", "7"], ["31", "07"]]).unwrap().n_people(), 2);
    }
}
