//! Samples of a table.

use std::collections::BTreeSet;
use std::sync::Arc;

use twox_hash::XxHash3_64;

use super::{Code, Cohort, Cohorts, Table};
use crate::random::Random;

impl Table {
    /// Draws `n_records` records without replacement, or all if the table has no more.
    ///
    /// Columns keep all their values. The same seed draws the same records.
    #[must_use]
    pub fn sample(&self, n_records: u64, seed: u64) -> Self {
        self.with_rows(self.draw(n_records, seed).into_iter())
    }

    /// Draws a sample and returns the number of records drawn from each cohort. Cohorts without a
    /// drawn record are omitted.
    ///
    /// If people can have several records, people are drawn with all their records, until the
    /// sample has at least `n_records`.
    pub fn draw(&self, n_records: u64, seed: u64) -> Vec<(Cohort, u64)> {
        let total = self.cohorts.n_records();
        let counts = self.cohorts.counted();
        if n_records >= total {
            return counts.collect();
        }
        if let Some(people) = self.people() {
            return self.draw_people(&people, n_records, seed);
        }
        // Records are numbered cohort by cohort.
        let mut drawn = drawn(total, n_records, seed).into_iter().peekable();
        let mut end = 0;
        let mut drawn_of = Vec::new();
        // `end` is the number of the first record after the cohort.
        for (cohort, count) in counts {
            end += count;
            // Drawn records are ascending, so those of a cohort are consecutive.
            let mut n_drawn = 0;
            while drawn.next_if(|&record| record < end).is_some() {
                n_drawn += 1;
            }
            if n_drawn > 0 {
                drawn_of.push((cohort, n_drawn));
            }
        }
        drawn_of
    }

    /// Draws as many records as the table has, with replacement: a bootstrap sample
    /// (\[Efron1979\]).
    ///
    /// If people can have several records, people are drawn, each with all their records, and a
    /// person who is drawn twice counts once, because two copies would not be two people. Such a
    /// sample has about 63% of the people. Columns keep all their values. The same seed draws the
    /// same sample.
    ///
    /// ```
    /// use hedgerow::table::Table;
    /// let table = Table::from_rows(&["age"], &[["39"], ["50"], ["61"]])?;
    /// let sample = table.bootstrap(7);
    /// assert_eq!(sample.n_rows(), 3);
    /// assert_eq!(sample.cohorts(), table.bootstrap(7).cohorts());
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    #[must_use]
    pub fn bootstrap(&self, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let counted = self.cohorts.counted();
        if let Some(people) = self.people() {
            let known: BTreeSet<Code> = people.iter().copied().collect();
            let known: Vec<Code> = known.into_iter().collect();
            let drawn: BTreeSet<Code> =
                (0..known.len()).map(|_| known[random.below(known.len())]).collect();
            let is_drawn = |place: usize| drawn.contains(&people[place]);
            return self.with(counted.filter(|(cohort, _)| is_drawn(cohort.index())));
        }
        let total = self.cohorts.n_records() as usize;
        let mut draws: Vec<u64> = (0..total).map(|_| random.below(total) as u64).collect();
        draws.sort_unstable();
        let mut draws = draws.into_iter().peekable();
        let mut end = 0;
        // Records are numbered cohort by cohort; `end` is the first number after a cohort.
        let drawn = counted.map(|(cohort, count)| {
            end += count;
            let mut n_drawn = 0;
            while draws.next_if(|&record| record < end).is_some() {
                n_drawn += 1;
            }
            (cohort, n_drawn)
        });
        let drawn: Vec<(Cohort, u64)> = drawn.filter(|&(_, n_drawn)| n_drawn > 0).collect();
        self.with(drawn.into_iter())
    }

    /// Builds a table with the given number of records of each cohort, cohort after cohort.
    ///
    /// Columns keep all their values. The cohort of each record is kept if this table has it.
    #[must_use]
    pub(crate) fn with(&self, counts: impl Iterator<Item = (Cohort, u64)>) -> Self {
        self.select(counts, self.rows().is_some())
    }

    /// Like [`Table::with`], but always with the cohort of each record.
    #[must_use]
    pub(crate) fn with_rows(&self, counts: impl Iterator<Item = (Cohort, u64)>) -> Self {
        self.select(counts, true)
    }

    fn select(&self, counts: impl Iterator<Item = (Cohort, u64)>, keep_rows: bool) -> Self {
        let mut n_rows = 0;
        let mut cohorts = Cohorts { width: self.cohorts.width, ..Cohorts::default() };
        let mut rows = Vec::new();
        let mut left = self.cohorts.counts.clone();
        let mut has_copies = self.has_copies;
        for (cohort, count) in counts {
            // More records than there are can only be copies.
            match left[cohort.index()].checked_sub(count) {
                Some(rest) => left[cohort.index()] = rest,
                None => has_copies = true,
            }
            let selected = cohorts.push(self.cohorts.tuple(cohort), count, n_rows);
            n_rows += count;
            if keep_rows {
                // Rows are filled cohort after cohort; only new places get this cohort.
                rows.resize(n_rows as usize, Some(selected));
            }
        }
        Self {
            columns: Arc::clone(&self.columns),
            n_quasi: self.n_quasi,
            has_person: self.has_person,
            has_crowds: self.has_crowds,
            n_rows,
            rows: Arc::new(rows),
            cohorts: Arc::new(cohorts),
            missing: self.missing,
            recognized: Arc::clone(&self.recognized),
            stated: Arc::clone(&self.stated),
            has_stated_decimal: self.has_stated_decimal,
            source: None,
            raw: Arc::default(),
            cohort_of_raw: Arc::default(),
            has_copies,
            is_part: self.is_part,
        }
    }
}

/// Draws `n` of the numbers below `total`, which are more, and returns them in ascending order.
fn drawn(total: u64, n: u64, seed: u64) -> Vec<u64> {
    // The hash of a counter gives 64 random bits, which the product with `total` scales to
    // `0..total`.
    let draws = (0..u64::MAX).map(|turn| {
        let random = XxHash3_64::oneshot_with_seed(seed, &turn.to_le_bytes());
        ((u128::from(random) * u128::from(total)) >> 64) as u64
    });
    if n < total / u64::from(u64::BITS) {
        // Few numbers take less memory in a set, which ignores those that were drawn before.
        let mut few = BTreeSet::new();
        for number in draws {
            if few.len() as u64 == n {
                break;
            }
            few.insert(number);
        }
        return few.into_iter().collect();
    }
    let mut bits = vec![0_u64; total.div_ceil(u64::from(u64::BITS)) as usize];
    let mut n_left = n;
    for number in draws {
        if n_left == 0 {
            break;
        }
        let (word, bit) = ((number / 64) as usize, 1 << (number % 64));
        n_left -= u64::from(bits[word] & bit == 0);
        bits[word] |= bit;
    }
    (0..total).filter(|number| bits[(number / 64) as usize] >> (number % 64) & 1 == 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding};

    #[test]
    fn few_and_many_numbers_are_drawn_from_the_same_sequence() {
        // 15 of 1000 are drawn with a set, 16 with bits.
        let (few, many) = (drawn(1000, 15, 3), drawn(1000, 16, 3));
        assert_eq!((few.len(), many.len()), (15, 16));
        assert!(few.is_sorted() && few.iter().all(|number| many.contains(number)));
        assert!(many.is_sorted_by(|a, b| a < b));
        assert_eq!(drawn(1000, 999, 3).len(), 999);
    }

    #[test]
    fn a_sample_has_so_many_records_and_the_same_ones_again() {
        let rows: Vec<[String; 1]> = (0..1000).map(|row| [(row % 7).to_string()]).collect();
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let sample = table.sample(70, 3);
        assert_eq!((sample.n_rows(), sample.cohorts().n_records()), (70, 70));
        assert_eq!(sample.rows().map(<[_]>::len), Some(70));
        assert_eq!(sample.cohorts(), table.sample(70, 3).cohorts());
        assert_ne!(sample.cohorts(), table.sample(70, 4).cohorts());
        assert_eq!(table.sample(5000, 0).cohorts().counts, table.cohorts().counts);
    }

    #[test]
    fn a_bootstrap_sample_repeats_records_but_not_people() {
        let rows: Vec<[String; 2]> =
            (0..3000).map(|row| [(row % 1000).to_string(), (row % 1500).to_string()]).collect();
        let columns = Columns::quasi(&["x"]);
        let of_x = |row: &[String; 2]| [row[0].clone()];
        let only_x: Vec<[String; 1]> = rows.iter().map(of_x).collect();
        let table = Table::encode(&columns, &only_x, &Encoding::default()).unwrap();
        let sample = table.bootstrap(1);
        assert_eq!((sample.n_rows(), sample.rows().map(<[_]>::len)), (3000, Some(3000)));
        // Of three equal records, none is drawn with probability 1/e^3, about 5%.
        assert!((900..990).contains(&sample.cohorts().len()), "{}", sample.cohorts().len());
        assert_ne!(sample.cohorts(), table.bootstrap(2).cohorts());
        let table = Table::encode(&columns.and_person("who"), &rows, &Encoding::default()).unwrap();
        let sample = table.bootstrap(1);
        let share = sample.n_people() as f64 / table.n_people() as f64;
        assert!((0.6..0.67).contains(&share), "{share}");
        assert_eq!(sample.n_rows(), 2 * sample.n_people());
    }
}
