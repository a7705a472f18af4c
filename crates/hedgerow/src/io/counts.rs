//! Tables of distinct tuples with a column of counts, such as the output of a database query.

use hashbrown::{HashMap, HashSet};

use super::block::{Fields, Wanted};
use super::{ReadOptions, Source};
use crate::error::Advice;
use crate::noun::counted;
use crate::progress::{Progress, stop_if_cancelled};
use crate::schema;
use crate::table::{Columns, Counted, Table};
use crate::{Error, Result};

/// The columns of a table of counted tuples that are not part of the tuples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountColumns {
    /// The column with the number of records of each tuple.
    pub count: String,
    /// The column with the position of the first of these records, which no other tuple has.
    pub first: String,
}

/// The names that the columns usually have: `count` and `first`.
impl Default for CountColumns {
    fn default() -> Self {
        Self { count: "count".to_owned(), first: "first".to_owned() }
    }
}

impl Source {
    /// Reads distinct tuples of `columns`, with their numbers of records and the positions of their
    /// first records, such as the result of a query with `GROUP BY`. Tuples without records are
    /// left out.
    ///
    /// # Errors
    ///
    /// [`Error::Value`], in [`Error::InFile`], names the first row whose count or position is not a
    /// whole number of 0 or more, or whose position is that of another row.
    pub(crate) fn read_tuples(
        &self,
        columns: &Columns,
        of: &CountColumns,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Vec<Counted<Vec<String>>>> {
        let find = |name: &String| {
            schema::find(self.header(), name)
                .map_err(|error| self.named(error.in_file(self.path())))
        };
        let (count, first) = (find(&of.count)?, find(&of.first)?);
        let places: Vec<usize> = columns.names().iter().map(find).collect::<Result<_>>()?;
        let mut needed: Vec<usize> = places.iter().copied().chain([count, first]).collect();
        needed.sort_unstable();
        needed.dedup();
        self.check_usable(&needed)?;
        let missing = options.encoding.missing_numbers();
        let wanted = Wanted { places: &needed, na: Some(&missing), loose: &[] };
        self.decoded(|| {
            let mut taken = HashSet::new();
            let row_of = |fields: Fields<'_>, row: u64| {
                let n_records = self.count_in(fields.get(count), &of.count, row)?;
                let first_row = self.count_in(fields.get(first), &of.first, row)?;
                if n_records == 0 {
                    return Ok(None);
                }
                if !taken.insert(first_row) {
                    return Err(self.taken_twice(&of.first, first_row, row));
                }
                let text = |&place: &usize| String::from_utf8_lossy(fields.get(place)).into_owned();
                let fields = places.iter().map(text).collect();
                Ok(Some(Counted { fields, count: n_records, first_row }))
            };
            self.each_tuple(&wanted, row_of, progress)
        })
    }

    /// Reads all rows, and returns those of which `row_of`, which is given the number of the row,
    /// makes a tuple.
    fn each_tuple(
        &self,
        wanted: &Wanted<'_>,
        mut row_of: impl FnMut(Fields<'_>, u64) -> Result<Option<Counted<Vec<String>>>>,
        progress: &dyn Progress,
    ) -> Result<Vec<Counted<Vec<String>>>> {
        let (mut tuples, mut row) = (Vec::new(), 0);
        let mut blocks = self.blocks(wanted)?;
        while let Some(mut block) = blocks.next_block()? {
            stop_if_cancelled(progress)?;
            block.for_each(&mut |fields: Fields<'_>| {
                row += 1;
                tuples.extend(row_of(fields, row)?);
                Ok(())
            })?;
            progress.advance(block.end_byte(), self.n_bytes());
        }
        if tuples.is_empty() { Err(self.no_counts(row)) } else { Ok(tuples) }
    }

    /// The error for two tuples with the same first record.
    fn taken_twice(&self, column: &str, first_row: u64, row: u64) -> Error {
        let problem = "is the position of another tuple too";
        let advice = Advice::words("take the least position of the records of each tuple");
        let error = Error::value(column, first_row.to_string(), row, problem).advise([advice]);
        self.named(error.in_file(self.path()))
    }

    /// The error for a table in which no tuple has a record.
    fn no_counts(&self, n_rows: u64) -> Error {
        let rows = counted(n_rows, "row");
        let message = format!("none of its {rows} has a count above 0");
        self.named(Error::file(self.path(), message))
    }

    /// Reads a table in which every row represents as many records as its column `count` states.
    ///
    /// Counts of rows with the same fields in `columns` are added. The records of a row follow
    /// those of the preceding rows, so ties are broken by the order of the file. The cohort of each
    /// record is unknown: see [`Table::of_counts`].
    ///
    /// # Errors
    ///
    /// [`Error::Value`], in [`Error::InFile`], names the first row whose count is not a whole
    /// number of 0 or more.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::io::{ReadOptions, Source};
    /// use hedgerow::progress::Silent;
    /// use hedgerow::table::Columns;
    /// let stream = "age,sex,n\n39,F,12\n50,M,7\n".as_bytes();
    /// let source = Source::spool(stream, &std::env::temp_dir(), None, &Silent)?;
    /// let columns = Columns::quasi(&["age", "sex"]);
    /// let table = source.read_counts(&columns, "n", &ReadOptions::default(), &Silent)?;
    /// assert_eq!((table.n_rows(), table.cohorts().len()), (19, 2));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn read_counts(
        &self,
        columns: &Columns,
        count: &str,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Table> {
        self.decoded(|| self.count_rows(columns, count, options, progress))
    }

    fn count_rows(
        &self,
        columns: &Columns,
        count: &str,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Table> {
        let place_of_count = schema::find(self.header(), count)?;
        let names = columns.names();
        let places: Vec<usize> =
            names.iter().map(|name| schema::find(self.header(), name)).collect::<Result<_>>()?;
        let mut tuples = Tuples::default();
        // The column of counts may also be one of the columns that are counted.
        let mut needed: Vec<usize> = places.iter().copied().chain([place_of_count]).collect();
        needed.sort_unstable();
        needed.dedup();
        let missing = options.encoding.missing_numbers();
        let na = (!options.keep_nan).then_some(missing.as_slice());
        let mut blocks = self.blocks(&Wanted { places: &needed, na, loose: &[] })?;
        let mut row = 0;
        while let Some(mut block) = blocks.next_block()? {
            stop_if_cancelled(progress)?;
            block.for_each(&mut |fields: Fields<'_>| {
                row += 1;
                let n = self.count_in(fields.get(place_of_count), count, row)?;
                tuples.add(places.iter().map(|&place| fields.get(place)), n)
            })?;
            progress.advance(block.end_byte(), self.n_bytes());
        }
        if tuples.counted.is_empty() {
            return Err(self.no_counts(row));
        }
        Table::of_counts(columns, &tuples.counted, &options.encoding, progress)
    }

    /// Parses the field of a row in the column of counts.
    fn count_in(&self, field: &[u8], column: &str, row: u64) -> Result<u64> {
        if let Some(count) = whole(field) {
            return Ok(count);
        }
        let problem = "is not a count, which is a whole number of 0 or more";
        let error = Error::value(column, String::from_utf8_lossy(field), row, problem);
        Err(self.named(error.in_file(self.path())))
    }
}

/// Distinct tuples with their numbers of records.
#[derive(Default)]
struct Tuples {
    places: HashMap<Vec<String>, usize>,
    counted: Vec<Counted<Vec<String>>>,
    n_records: u64,
}

impl Tuples {
    fn add<'a>(&mut self, fields: impl Iterator<Item = &'a [u8]>, count: u64) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        // The records of this row follow those of all rows before it.
        let first_row = self.n_records;
        self.n_records = first_row
            .checked_add(count)
            .ok_or_else(|| Error::invalid("the counts add up to more than 2^64 records"))?;
        // The reader has checked that the fields are UTF-8, so nothing is replaced.
        let text = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
        let fields: Vec<String> = fields.map(text).collect();
        match self.places.get(&fields) {
            // `first_row` stays that of the first row with these fields, which breaks ties.
            Some(&place) => self.counted[place].count += count,
            None => {
                self.places.insert(fields.clone(), self.counted.len());
                self.counted.push(Counted { fields, count, first_row });
            }
        }
        Ok(())
    }
}

fn whole(field: &[u8]) -> Option<u64> {
    std::str::from_utf8(field).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    fn read(text: &str) -> Result<Table> {
        let source = Source::spool(text.as_bytes(), &std::env::temp_dir(), None, &Silent).unwrap();
        source.read_counts(&Columns::quasi(&["x"]), "n", &ReadOptions::default(), &Silent)
    }

    #[test]
    fn counts_are_added_up_and_nothing_counts_nothing() {
        let table = read("x,n\na,2\nb,0\nc,3\na,1\n").unwrap();
        assert_eq!(table.n_rows(), 6);
        assert_eq!(table.cohorts().counts, [3, 3]);
        assert_eq!(table.cohorts().first_rows, [0, 2]);
    }

    #[test]
    fn tuples_have_counts_and_positions() {
        let text = "first,x,n\n7,a,2\n3,,4\n9,b,0\n";
        let read = |text: &str| {
            let source =
                Source::spool(text.as_bytes(), &std::env::temp_dir(), None, &Silent).unwrap();
            let of = CountColumns { count: "n".to_owned(), ..CountColumns::default() };
            source.read_tuples(&Columns::quasi(&["x"]), &of, &ReadOptions::default(), &Silent)
        };
        let tuples = read(text).unwrap();
        let found: Vec<_> =
            tuples.iter().map(|t| (t.fields[0].as_str(), t.count, t.first_row)).collect();
        assert_eq!(found, [("a", 2, 7), ("", 4, 3)]);
        let twice = read(&text.replace("\n3,", "\n7,")).unwrap_err().to_string();
        assert!(twice.contains("(row 2) is the position of another tuple"), "{twice}");
    }

    #[test]
    fn what_is_not_a_count_is_named() {
        for odd in ["-1", "1.5", "", "many"] {
            let error = read(&format!("x,n\na,2\nb,{odd}\n")).unwrap_err().to_string();
            assert!(error.contains("(row 2) is not a count"), "{error}");
        }
        assert!(read("x,n\na,0\n").unwrap_err().to_string().contains("none of its 1 row"));
        assert!(read("x,n\na,18446744073709551615\nb,1\n").is_err());
    }
}
