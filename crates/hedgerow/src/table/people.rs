//! The people that the records of a table belong to.

use std::collections::BTreeSet;

use twox_hash::XxHash3_64;

use super::{Code, Cohort, Column, Table};

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

    /// What privacy models count: records, or people.
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
        let is_drawn = |person: Code| last.is_some_and(|last| (key(person), person) <= last);
        let counted = self.cohorts.counted().zip(people);
        counted.filter(|&(_, &person)| is_drawn(person)).map(|(cohort, _)| cohort).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::table::{Columns, Encoding, Table};
    use crate::{Error, Result};

    fn panel(rows: &[[&str; 2]]) -> Result<Table> {
        Table::encode(&Columns::quasi(&["age"]).and_person("id"), rows, &Encoding::default())
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
    fn names_of_people_are_text() {
        assert_eq!(panel(&[["30", "7"], ["31", "07"]]).unwrap().n_people(), 2);
    }
}
