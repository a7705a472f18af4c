//! A release in memory: its rows and columns.

use std::hash::Hasher;

use twox_hash::XxHash3_64;

use super::Release;
use crate::error::Advice;
use crate::progress::{Progress, stop_at};
use crate::proposal::Class;
use crate::table::Cohort;
use crate::{Error, Result};

/// The order of published rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowOrder {
    /// Random, but the same for the same release. Two releases of one table cannot be joined by row
    /// position.
    #[default]
    Shuffled,
    /// The order of the table. An attacker who knows it can join rows by position.
    Input,
}

/// The quasi-identifiers of a release, column by column. The example of [`Release::publish`] makes
/// one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Published {
    /// The names of the published columns.
    pub names: Vec<String>,
    /// The cells of each column.
    pub columns: Vec<Vec<String>>,
    /// The row of the table, counted from 0, that each published row comes from. Callers who
    /// publish further columns unchanged take their values from these rows. The row numbers
    /// themselves must not be published.
    pub rows: Vec<usize>,
}

impl Release {
    /// The cells of every published record. Records that [are left out](Release::drops_suppressed)
    /// have no entry.
    ///
    /// The caller chooses the order, because rows in the order of the table must not be published
    /// to those who know that order.
    ///
    /// # Errors
    ///
    /// [`Error::NoRows`] if the table does not know the cohort of each row, because it was counted
    /// elsewhere or read without its rows, and [`Error::Cancelled`] if `progress` is cancelled.
    pub fn rows(&self, order: RowOrder, progress: &dyn Progress) -> Result<Vec<Vec<&String>>> {
        let rows = self.in_order(order, progress)?;
        Ok(rows.into_iter().map(|(_, class)| self.cells(class)).collect())
    }

    /// The quasi-identifiers as columns in memory.
    ///
    /// # Errors
    ///
    /// Those of [`Release::rows`].
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::anonymize::Hedge;
    /// use hedgerow::builder::{Free, HierarchyBuilder};
    /// use hedgerow::privacy::KAnonymity;
    /// use hedgerow::problem::Problem;
    /// use hedgerow::progress::Silent;
    /// use hedgerow::release::{Release, RowOrder, Style};
    /// use hedgerow::table::Table;
    /// let table = Table::from_rows(&["age"], &[["20"], ["60"], ["21"], ["58"]])?;
    /// let free = Free.build(&table.columns()[0])?;
    /// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
    /// let release = Release::new(&problem.solve(&Hedge::default(), &Silent)?, &Style::default(), &Silent)?;
    /// let published = release.publish(RowOrder::Shuffled, &Silent)?;
    /// let ages = &published.columns[0];
    /// let of_first = published.rows.iter().position(|&row| row == 0).unwrap();
    /// assert_eq!(ages[of_first], "[20, 21]");
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn publish(&self, order: RowOrder, progress: &dyn Progress) -> Result<Published> {
        let rows = self.in_order(order, progress)?;
        let names: Vec<String> = self.columns.iter().flatten().cloned().collect();
        let mut columns = vec![Vec::with_capacity(rows.len()); names.len()];
        for (place, &(_, class)) in rows.iter().enumerate() {
            stop_at(place, progress)?;
            for (column, &number) in columns.iter_mut().zip(self.numbers(class)) {
                column.push(self.label(number).clone());
            }
        }
        Ok(Published { names, columns, rows: rows.iter().map(|&(row, _)| row).collect() })
    }

    /// The published rows of the table with their classes, in the order that a caller chose.
    fn in_order(
        &self,
        order: RowOrder,
        progress: &dyn Progress,
    ) -> Result<Vec<(usize, Option<Class>)>> {
        let key = match order {
            RowOrder::Shuffled => Some(self.order_key(progress)?),
            RowOrder::Input => None,
        };
        self.ordered(key, !self.drops_suppressed(), progress)
    }

    /// The published rows of the table with their classes, shuffled by a key or in row order.
    pub(crate) fn ordered(
        &self,
        key: Option<u64>,
        has_suppressed: bool,
        progress: &dyn Progress,
    ) -> Result<Vec<(usize, Option<Class>)>> {
        let mut rows = self.classes_of_rows(progress)?;
        rows.retain(|(_, class)| class.is_some() || has_suppressed);
        if let Some(key) = key {
            rows = shuffled(&rows, key);
        }
        Ok(rows)
    }

    /// Distinct labels in the order of their first occurrence, and the index of each of `numbers`
    /// among them.
    pub(crate) fn coded(&self, numbers: impl Iterator<Item = u32>) -> (Vec<String>, Vec<u32>) {
        let mut code_of: Vec<Option<u32>> = vec![None; self.labels.len()];
        let mut labels = Vec::new();
        let codes = numbers.map(|number| {
            *code_of[number as usize].get_or_insert_with(|| {
                labels.push(self.label(number).clone());
                labels.len() as u32 - 1
            })
        });
        let codes = codes.collect();
        (labels, codes)
    }

    /// The published rows of the table with their classes, in row order.
    fn classes_of_rows(&self, progress: &dyn Progress) -> Result<Vec<(usize, Option<Class>)>> {
        let table = self.recoding.problem().table();
        table.check_copies()?;
        let rows = table.rows().ok_or_else(rows_unknown)?;
        let mut assigner = self.assigner();
        let mut classes = Vec::with_capacity(rows.len());
        for (row, &cohort) in rows.iter().enumerate() {
            stop_at(row, progress)?;
            // A dropped row has no cohort and is not published.
            let Some(take) = cohort.and_then(|cohort| assigner.take_of_next(cohort)) else {
                continue;
            };
            if take.class.is_some() || !self.drops_suppressed() {
                classes.push((row, take.class));
            }
        }
        Ok(classes)
    }

    /// The key of the random order: a digest of the seed, the table's rows and values, and their
    /// published cells.
    fn order_key(&self, progress: &dyn Progress) -> Result<u64> {
        let problem = self.recoding.problem();
        // Without the published cells, two releases of one table would have the same order.
        let mut hasher = XxHash3_64::with_seed(problem.seed());
        for (place, (fields, _)) in problem.table().raw_tuples().enumerate() {
            stop_at(place, progress)?;
            for field in fields {
                // Lengths keep ("ab", "c") and ("a", "bc") apart.
                hasher.write(&(field.len() as u64).to_le_bytes());
                hasher.write(field);
            }
        }
        for cohort in problem.table().rows().unwrap_or_default() {
            // `u32::MAX`, which is not the number of any cohort, represents a dropped row.
            hasher.write(&cohort.map_or(u32::MAX, Cohort::get).to_le_bytes());
        }
        self.digest(&mut hasher);
        Ok(hasher.finish())
    }
}

fn rows_unknown() -> Error {
    Error::no_rows().advise([Advice::words("use the mapping of the release")])
}

/// Number of leading bits of the hash by which rows are distributed before they are sorted.
const PART_BITS: u32 = 12;

/// Sorts rows by a keyed hash of their numbers, which shuffles them; the number breaks ties.
///
/// The rows are distributed by the leading bits of their hashes, so that each part is sorted in the
/// cache, and the hashes of one part are in memory at a time.
fn shuffled(rows: &[(usize, Option<Class>)], key: u64) -> Vec<(usize, Option<Class>)> {
    let hash = |row: usize| XxHash3_64::oneshot_with_seed(key, &(row as u64).to_le_bytes());
    let part = |row: usize| (hash(row) >> (u64::BITS - PART_BITS)) as usize;
    let mut ends = vec![0; 1 << PART_BITS];
    rows.iter().for_each(|&(row, _)| ends[part(row)] += 1);
    let mut start = 0;
    for end in &mut ends {
        (*end, start) = (start, start + *end);
    }
    let mut sorted = rows.to_vec();
    for &entry in rows {
        let place = &mut ends[part(entry.0)];
        sorted[*place] = entry;
        *place += 1;
    }
    start = 0;
    for end in ends {
        sorted[start..end].sort_by_cached_key(|&(row, _)| (hash(row), row));
        start = end;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anonymize::Hedge;
    use crate::builder::{Free, HierarchyBuilder};
    use crate::privacy::KAnonymity;
    use crate::problem::Problem;
    use crate::progress::Silent;
    use crate::release::Style;
    use crate::table::{Columns, Counted, Encoding, Table};

    fn release(k: u64) -> Release {
        let rows: Vec<[String; 1]> = (0..60).map(|i| [(i * 7 % 31).to_string()]).collect();
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let free = Free.build(&table.columns()[0]).unwrap();
        let problem =
            Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(k).unwrap())]).unwrap();
        Release::new(
            &problem.solve(&Hedge::default(), &Silent).unwrap(),
            &Style::default(),
            &Silent,
        )
        .unwrap()
    }

    #[test]
    fn columns_hold_the_cells_of_the_rows_they_name() {
        let release = release(3);
        let in_order = release.rows(RowOrder::Input, &Silent).unwrap();
        for order in [RowOrder::Shuffled, RowOrder::Input] {
            let published = release.publish(order, &Silent).unwrap();
            let mut seen = published.rows.clone();
            seen.sort_unstable();
            assert_eq!(seen, (0..60).collect::<Vec<_>>());
            for (place, &row) in published.rows.iter().enumerate() {
                assert_eq!(&published.columns[0][place], in_order[row][0]);
            }
        }
    }

    #[test]
    fn orders_of_different_releases_are_unrelated() {
        let [three, five] =
            [3, 5].map(|k| release(k).publish(RowOrder::Shuffled, &Silent).unwrap().rows);
        assert_eq!(three, release(3).publish(RowOrder::Shuffled, &Silent).unwrap().rows);
        let n_same = three.iter().zip(&five).filter(|(a, b)| a == b).count();
        assert!(n_same < 8, "{n_same} of 60 rows have the same place");
        let n_rising = three.windows(2).filter(|two| two[0] < two[1]).count();
        assert!((15..45).contains(&n_rising), "{n_rising}");
    }

    #[test]
    fn rows_that_are_elsewhere_are_refused() {
        let counts = [Counted { fields: ["1"], count: 4, first_row: 0 }];
        let table =
            Table::of_counts(&Columns::quasi(&["x"]), &counts, &Encoding::default(), &Silent)
                .unwrap();
        let free = Free.build(&table.columns()[0]).unwrap();
        let problem =
            Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2).unwrap())]).unwrap();
        let release = Release::new(
            &problem.solve(&Hedge::default(), &Silent).unwrap(),
            &Style::default(),
            &Silent,
        )
        .unwrap();
        assert!(
            release.rows(RowOrder::Input, &Silent).unwrap_err().to_string().contains("mapping")
        );
    }
}
