//! A release in memory: its rows and columns.

use std::hash::Hasher;

use twox_hash::XxHash3_64;

use super::Release;
use crate::error::Advice;
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

/// The quasi-identifiers of a release, column by column.
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
    /// The cells of every published record, in the order of the table. Records that [are left
    /// out](Release::drops_suppressed) have no entry.
    ///
    /// # Errors
    ///
    /// [`Error::NoRows`] if the table does not know the cohort of each row, because it was counted
    /// elsewhere or read without its rows.
    pub fn rows(&self) -> Result<Vec<Vec<&String>>> {
        let classes = self.classes_of_rows()?;
        Ok(classes.into_iter().map(|(_, class)| self.cells(class)).collect())
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
    /// let release = Release::new(&problem.solve(&Hedge::default(), &Silent)?, &Style::default())?;
    /// let published = release.publish(RowOrder::Shuffled)?;
    /// let ages = &published.columns[0];
    /// let of_first = published.rows.iter().position(|&row| row == 0).unwrap();
    /// assert_eq!(ages[of_first], "[20, 21]");
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn publish(&self, order: RowOrder) -> Result<Published> {
        let key = (order == RowOrder::Shuffled).then(|| self.order_key());
        let rows = self.ordered(key, !self.drops_suppressed())?;
        let names: Vec<String> = self.columns.iter().flatten().cloned().collect();
        let cell = |place: usize, class| self.label(self.numbers(class)[place]).clone();
        let column =
            |place| rows.iter().map(|&(_, class)| cell(place, class)).collect::<Vec<String>>();
        let columns = (0..names.len()).map(column).collect();
        Ok(Published { names, columns, rows: rows.iter().map(|&(row, _)| row).collect() })
    }

    /// The published rows of the table with their classes, shuffled by a key or in row order.
    pub(crate) fn ordered(
        &self,
        key: Option<u64>,
        has_suppressed: bool,
    ) -> Result<Vec<(usize, Option<Class>)>> {
        let mut rows = self.classes_of_rows()?;
        rows.retain(|(_, class)| class.is_some() || has_suppressed);
        if let Some(key) = key {
            // Sorting by a keyed hash shuffles the rows; the row number breaks ties.
            rows.sort_by_cached_key(|&(row, _)| {
                (XxHash3_64::oneshot_with_seed(key, &(row as u64).to_le_bytes()), row)
            });
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
    fn classes_of_rows(&self) -> Result<Vec<(usize, Option<Class>)>> {
        let table = self.recoding.problem().table();
        table.check_copies()?;
        let rows = table.rows().ok_or_else(rows_unknown)?;
        let mut assigner = self.assigner();
        let classes = rows.iter().enumerate().filter_map(|(row, &cohort)| {
            // A dropped row has no cohort and is not published.
            let take = assigner.take_of_next(cohort?)?;
            Some((row, take.class))
        });
        let is_published =
            |(_, class): &(usize, Option<Class>)| class.is_some() || !self.drops_suppressed();
        Ok(classes.filter(is_published).collect())
    }

    /// The key of the random order: a digest of the seed, the table's rows and values, and their
    /// published cells.
    fn order_key(&self) -> u64 {
        let problem = self.recoding.problem();
        // Without the published cells, two releases of one table would have the same order.
        let mut hasher = XxHash3_64::with_seed(problem.seed());
        for (fields, _) in problem.table().raw_tuples() {
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
        hasher.finish()
    }
}

fn rows_unknown() -> Error {
    Error::no_rows().advise([Advice::words("use the mapping of the release")])
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
        Release::new(&problem.solve(&Hedge::default(), &Silent).unwrap(), &Style::default())
            .unwrap()
    }

    #[test]
    fn columns_hold_the_cells_of_the_rows_they_name() {
        let release = release(3);
        let in_order = release.rows().unwrap();
        for order in [RowOrder::Shuffled, RowOrder::Input] {
            let published = release.publish(order).unwrap();
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
        let [three, five] = [3, 5].map(|k| release(k).publish(RowOrder::Shuffled).unwrap().rows);
        assert_eq!(three, release(3).publish(RowOrder::Shuffled).unwrap().rows);
        let n_same = three.iter().zip(&five).filter(|(a, b)| a == b).count();
        assert!(n_same < 8, "{n_same} of 60 rows have the same place");
        let n_rising = three.windows(2).filter(|two| two[0] < two[1]).count();
        assert!((15..45).contains(&n_rising), "{n_rising}");
    }

    #[test]
    fn rows_that_are_elsewhere_are_refused() {
        let counts = [Counted { fields: ["1"], count: 4, first_row: 0 }];
        let table =
            Table::of_counts(&Columns::quasi(&["x"]), &counts, &Encoding::default()).unwrap();
        let free = Free.build(&table.columns()[0]).unwrap();
        let problem =
            Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2).unwrap())]).unwrap();
        let release =
            Release::new(&problem.solve(&Hedge::default(), &Silent).unwrap(), &Style::default())
                .unwrap();
        assert!(release.rows().unwrap_err().to_string().contains("mapping"));
    }
}
