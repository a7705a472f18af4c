//! Tables as algorithms see them: columns with sorted domains, and cohorts.

mod decimal;
mod scale;
mod numbers;
mod formula;
mod clock;
mod date;
mod date_search;
mod codes;
mod missing;
mod domain;
mod doubtful_dates;
mod doubtful_text;
mod columns;
mod counter;
mod part;
mod cohorts;
mod encoding;
mod usual;
mod encode;
mod sample;
mod among;
mod people;
mod strays;
mod totals;
mod notes;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use among::Margin;
use among::total;
pub(crate) use codes::{
    DIAGNOSES, are_codes, are_postal_codes, are_too_short, has_word, icd_category, is_address,
    is_short_postal, is_short_word,
};
pub use cohorts::{Cohort, Cohorts};
pub use columns::Columns;
pub(crate) use counter::Counter;
pub use date::DateFormat;
pub(crate) use date::Unit;
pub(crate) use date_search::Found;
pub use decimal::Decimal;
pub use domain::{Code, Domain, Kind, Values, may_be_categories};
pub(crate) use doubtful_dates::no_dates;
use encode::{Encodings, Tuples, encode_column, group, kept_tuples};
pub use encoding::{Encoding, MissingPolicy, NaDetect};
pub(crate) use formula::{guarded, unguarded};
pub(crate) use missing::{LONGEST_USUAL, is_usual};
pub use missing::{Missing, Recognized};
pub(crate) use numbers::{Signs, decimal_sign, sign_of_columns};
pub use part::Part;
use part::Whole;
pub use scale::Scale;
pub(crate) use scale::{Reading, looks_like_code, read_number, read_number_as};

use crate::error::{Advice, Misuse};
use crate::progress::{Progress, Silent, stop_at, stop_if_cancelled};
use crate::{Error, Result};

/// One column that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Name in the header.
    pub name: String,
    /// Distinct values.
    pub domain: Domain,
}

/// The requested columns of a table and their distinct tuples with counts.
///
/// A table is immutable, and clones share their contents.
///
/// # Examples
///
/// ```
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age", "sex"]).and_beside(&["ill"]);
/// let rows = [["39", "F", "flu"], ["50", "M", "flu"], ["39", "F", "flu"]];
/// let table = Table::encode(&columns, &rows, &Encoding::default())?;
/// assert_eq!((table.n_rows(), table.cohorts().len()), (3, 2));
/// assert_eq!(table.columns()[1].name, "sex");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each says something else about the records")]
pub struct Table {
    columns: Arc<[Column]>,
    /// The first `n_quasi` columns are the quasi-identifiers.
    n_quasi: usize,
    /// Whether the last column names the person of each record.
    has_person: bool,
    /// Whether a person has several records.
    has_crowds: bool,
    cohorts: Arc<Cohorts>,
    /// The cohort of each record, in row order; empty unless it was requested.
    rows: Arc<Vec<Option<Cohort>>>,
    n_rows: u64,
    missing: MissingPolicy,
    /// The spellings of missing values that were recognized in each column, in dropped records too.
    recognized: Arc<[Vec<Recognized>]>,
    /// The columns whose kind was not inferred.
    stated: Arc<BTreeSet<String>>,
    /// Whether the decimal sign of numbers was stated.
    has_stated_decimal: bool,
    /// The opened file that the records were read from; `None` if they were in memory.
    source: Option<SourceId>,
    raw: Arc<Counter>,
    cohort_of_raw: Arc<Vec<Option<Cohort>>>,
    /// Whether records may be copies of each other, as in a bootstrap sample.
    has_copies: bool,
    /// Whether the records are a part of a larger table, whose counts the columns have.
    is_part: bool,
}

/// Identity of an opened file. Two files can have the same quasi-identifiers and differ elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SourceId(u64);

impl SourceId {
    /// An identity that no other opened file of this process has.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A distinct tuple of raw fields with a count that the caller provides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted<R> {
    /// The fields, quasi-identifiers first.
    pub fields: R,
    /// Number of records with these fields.
    pub count: u64,
    /// First row with these fields, counted from 0.
    pub first_row: u64,
}

impl Table {
    /// The same table, read from an opened file.
    #[must_use]
    pub(crate) fn read_from(self, source: SourceId) -> Self {
        Self { source: Some(source), ..self }
    }

    /// The opened file that the records were read from; `None` if they were in memory.
    pub(crate) fn source(&self) -> Option<SourceId> {
        self.source
    }

    /// Builds a table from rows in memory and infers the kinds of its columns.
    ///
    /// ```
    /// use hedgerow::table::{Kind, Table};
    /// let table = Table::from_rows(&["age", "sex"], &[["39", "F"], ["50", "M"], ["39", "F"]])?;
    /// assert_eq!(table.columns()[0].domain.values.kind(), Kind::Number);
    /// assert_eq!(table.cohorts().counts, [2, 1]);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn from_rows<R: AsRef<[S]>, S: AsRef<str>>(names: &[&str], rows: &[R]) -> Result<Self> {
        Self::encode(&Columns::quasi(names), rows, &Encoding::default())
    }

    /// Builds a table from rows in memory. This cannot be cancelled; callers with more records than
    /// they would wait for count them first, or read them through a [`Source`](crate::io::Source).
    pub fn encode<R: AsRef<[S]>, S: AsRef<str>>(
        columns: &Columns,
        rows: &[R],
        encoding: &Encoding,
    ) -> Result<Self> {
        let width = width_of(columns)?;
        let mut part = Part::default();
        for (row, fields) in rows.iter().enumerate() {
            let fields = fields.as_ref();
            check_width(row, fields.len(), width)?;
            part.push(fields.iter().map(|field| field.as_ref().as_bytes()), true)?;
        }
        Self::assemble(columns, vec![part], encoding)
    }

    /// Builds a table from distinct tuples that were counted before, for example by a database.
    ///
    /// The cohort of each row is unknown. Everything else is the same as if the records had been
    /// read one by one, provided that every `first_row` is right.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if a tuple occurs twice, has a count of 0, or has a first row past the
    /// last row, [`Error::Column`] if a column is named twice, and [`Error::Cancelled`] if
    /// `progress` is cancelled.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::progress::Silent;
    /// use hedgerow::table::{Columns, Counted, Encoding, Table};
    /// let counts = [
    ///     Counted { fields: ["39", "F"], count: 2, first_row: 0 },
    ///     Counted { fields: ["50", "M"], count: 1, first_row: 1 },
    /// ];
    /// let columns = Columns::quasi(&["age", "sex"]);
    /// let table = Table::of_counts(&columns, &counts, &Encoding::default(), &Silent)?;
    /// assert_eq!((table.n_rows(), table.cohorts().len()), (3, 2));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of_counts<R: AsRef<[S]>, S: AsRef<str>>(
        columns: &Columns,
        counts: &[Counted<R>],
        encoding: &Encoding,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let n_rows = total(counts)?;
        let width = width_of(columns)?;
        let mut counter = Counter::default();
        for (place, Counted { fields, count, first_row }) in counts.iter().enumerate() {
            stop_at(place, progress)?;
            let fields = fields.as_ref();
            check_width(place, fields.len(), width)?;
            let bytes = fields.iter().map(|field| field.as_ref().as_bytes());
            counter.push_counted(bytes, *count, *first_row)?;
            // A repeated tuple does not add to the counter.
            let is_new = counter.len() == place + 1;
            if !is_new || *count == 0 || *first_row >= n_rows {
                let number = place + 1;
                return Err(Error::invalid(format!(
                    "tuple {number} has a count of {count} and first row {first_row} of {n_rows}{}; every \
                     tuple must occur once, with a count above 0 and the first row of a record",
                    if is_new { "" } else { ", and it occurred before" }
                )));
            }
        }
        Self::of_whole(columns, Whole::of_counts(counter, n_rows), encoding, progress)
    }

    /// Builds a table from the parts that the threads counted.
    pub fn assemble(columns: &Columns, parts: Vec<Part>, encoding: &Encoding) -> Result<Self> {
        Self::assemble_unless_cancelled(columns, parts, encoding, &Silent)
    }

    /// Like [`Table::assemble`], for records that someone waits for.
    pub(crate) fn assemble_unless_cancelled(
        columns: &Columns,
        parts: Vec<Part>,
        encoding: &Encoding,
        progress: &dyn Progress,
    ) -> Result<Self> {
        Self::of_whole(columns, Whole::new(parts)?, encoding, progress)
    }

    fn of_whole(
        columns: &Columns,
        whole: Whole,
        encoding: &Encoding,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let encodings = Encodings::of(columns, &whole.counter, encoding)?;
        let recognized =
            usual::counted_by(columns, &whole.counter, [&encodings.quasi, &encodings.beside])?;
        let order = kept_tuples(&whole.counter, columns, &encodings)?;
        let tuples = Tuples { raw: &whole.counter, order: &order };
        let row_of = |position: u64| whole.row_of(position);
        let n_quasi = columns.quasi.len();
        let n_known = n_quasi + columns.beside.len();
        let mut encoded: Vec<(Column, Vec<Code>)> = Vec::new();
        for (place, name) in columns.names().into_iter().enumerate() {
            stop_if_cancelled(progress)?;
            let encoding = encodings.at(place, n_quasi, n_known);
            let column = encode_column(name, place, tuples, &row_of, encoding)?;
            if place >= n_known {
                people::all_named(&column.0)?;
            }
            encoded.push(column);
        }
        let (cohorts, cohort_of_raw) = group(tuples, &encoded, row_of, progress)?;
        let rows = whole.rows().map(|tuple| cohort_of_raw[tuple as usize]).collect();
        let Whole { counter, n_rows, .. } = whole;
        let mut table = Self {
            columns: encoded.into_iter().map(|(column, _)| column).collect(),
            n_quasi,
            has_person: columns.person.is_some(),
            has_crowds: false,
            cohorts: Arc::new(cohorts),
            rows: Arc::new(rows),
            n_rows,
            missing: encoding.missing,
            recognized: recognized.into(),
            stated: Arc::new(encodings.stated()),
            has_stated_decimal: encoding.decimal.is_some(),
            raw: Arc::new(counter),
            cohort_of_raw: Arc::new(cohort_of_raw),
            has_copies: false,
            is_part: false,
            source: None,
        };
        table.find_crowds();
        Ok(table)
    }

    /// The quasi-identifiers, in the requested order.
    pub fn columns(&self) -> &[Column] {
        &self.columns[..self.n_quasi]
    }

    /// The columns that were read in addition to the quasi-identifiers, without the person.
    pub fn beside(&self) -> &[Column] {
        &self.columns[self.n_quasi..self.columns.len() - usize::from(self.has_person)]
    }

    /// All columns that were read, in the order of the codes of a cohort: quasi-identifiers,
    /// additional columns, and the person.
    pub(crate) fn all_columns(&self) -> &[Column] {
        &self.columns
    }

    /// The distinct tuples over all columns that were read, quasi-identifiers first.
    pub fn cohorts(&self) -> &Cohorts {
        &self.cohorts
    }

    /// Number of records in the file, including dropped ones.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Treatment of missing values.
    pub fn missing(&self) -> MissingPolicy {
        self.missing
    }

    /// The cohort of each record in row order, or `None` if it was not requested when reading. A
    /// record that was dropped has no cohort.
    pub fn rows(&self) -> Option<&[Option<Cohort>]> {
        (self.rows.len() as u64 == self.n_rows).then_some(self.rows.as_slice())
    }

    /// Returns the index of the tuple of a record with these raw fields.
    ///
    /// Returns `None` if the file that was counted does not contain the record. `scratch` is a
    /// buffer to reuse between calls.
    pub(crate) fn tuple_of<'a>(
        &self,
        fields: impl Iterator<Item = &'a [u8]>,
        scratch: &mut Vec<u8>,
    ) -> Option<usize> {
        self.raw.find(fields, scratch).map(|tuple| tuple as usize)
    }

    /// Returns the cohort of a tuple of raw fields, or `None` if its records were dropped.
    pub(crate) fn cohort_of(&self, tuple: usize) -> Option<Cohort> {
        self.cohort_of_raw[tuple]
    }

    /// Returns an error if records may be copies, which would count as several people.
    pub(crate) fn check_copies(&self) -> Result<()> {
        if !self.has_copies {
            return Ok(());
        }
        Err(Error::misuse(Misuse::Copies)
            .advise([Advice::words("use the table that it was drawn from")]))
    }

    /// Iterates over the distinct tuples of raw fields with their cohorts, `None` for dropped ones.
    /// A sample has no raw tuples.
    pub(crate) fn raw_tuples(&self) -> impl Iterator<Item = (Vec<&[u8]>, Option<Cohort>)> {
        let cohorts = self.cohort_of_raw.iter().enumerate();
        cohorts.map(|(tuple, &cohort)| (self.raw.fields(tuple).collect(), cohort))
    }
}

/// Number of columns, each of which must be named once.
fn width_of(columns: &Columns) -> Result<usize> {
    let names = columns.names();
    match (1..names.len()).find(|&place| names[..place].contains(&names[place])) {
        Some(place) => Err(Error::named_twice(&names[place])),
        None => Ok(names.len()),
    }
}

/// Returns an error if a row, counted from 0, does not have one field for each column.
pub(crate) fn check_width(row: usize, found: usize, wanted: usize) -> Result<()> {
    if found == wanted {
        return Ok(());
    }
    Err(Error::Ragged { row: row as u64 + 1, found, wanted })
}

#[cfg(test)]
mod tests_of_scale;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn assemble(rows: &[&str], encoding: &Encoding) -> Result<Table> {
        let mut part = Part::default();
        for field in rows {
            part.push(std::iter::once(field.as_bytes()), true).unwrap();
        }
        Table::assemble(&Columns::quasi(&["x"]), vec![part], encoding)
    }

    #[test]
    fn cohorts_are_in_order_of_first_appearance_and_codes_in_order_of_size() {
        let table = Table::from_rows(&["x"], &[["30"], ["4"], ["30"]]).unwrap();
        assert_eq!(table.cohorts().codes, [1, 0].map(Code::new));
        assert_eq!(table.cohorts().first_rows, [0, 1]);
        let [first, second] = [0, 1].map(|cohort| Some(Cohort::new(cohort)));
        assert_eq!(table.rows(), Some(&[first, second, first][..]));
    }

    #[test]
    fn two_spellings_of_one_number_are_one_cohort() {
        let table = Table::from_rows(&["x"], &[["12"], ["12.0"], ["7"]]).unwrap();
        assert_eq!(table.cohorts().counts, [2, 1]);
    }

    #[test]
    fn records_without_a_value_can_be_left_out() {
        let encoding =
            Encoding { na: vec!["?".into()], missing: MissingPolicy::Drop, ..Encoding::default() };
        let table = assemble(&["1", "?", "", "2"], &encoding).unwrap();
        assert_eq!((table.n_rows(), table.cohorts().n_records()), (4, 2));
        let [first, second] = [0, 1].map(|cohort| Some(Cohort::new(cohort)));
        assert_eq!(table.rows(), Some(&[first, None, None, second][..]));
    }

    #[test]
    fn records_left_out_give_no_value_to_any_domain() {
        let encoding = Encoding { missing: MissingPolicy::Drop, ..Encoding::default() };
        let rows = [["1", "p", "flu"], ["", "r", "gout"], ["2", "q", ""]];
        let table =
            Table::encode(&Columns::quasi(&["x", "y"]).and_beside(&["s"]), &rows, &encoding)
                .unwrap();
        let words = |column: &Column| {
            let codes = column.domain.codes().take(column.domain.len());
            codes.map(|code| column.domain.spelling(code).into()).collect()
        };
        let (y, s): (Vec<String>, Vec<String>) =
            (words(&table.columns()[1]), words(&table.beside()[0]));
        assert_eq!((y, s), (vec!["p".into(), "q".into()], vec!["flu".to_owned()]));
        assert_eq!(table.columns()[0].domain.missing, None);
        let [first, second] = [0, 1].map(|cohort| Some(Cohort::new(cohort)));
        assert_eq!(table.rows(), Some(&[first, None, second][..]));
    }

    #[test]
    fn a_missing_value_has_the_code_after_the_last() {
        let table = assemble(&["1", "", "2"], &Encoding::default()).unwrap();
        assert_eq!(table.cohorts().codes, [0, 2, 1].map(Code::new));
        assert_eq!(table.columns()[0].domain.missing_code(), Some(Code::new(2)));
    }

    #[test]
    fn a_missing_value_that_may_not_be_names_its_row() {
        let encoding = Encoding { missing: MissingPolicy::Error, ..Encoding::default() };
        let error = assemble(&["1", ""], &encoding).unwrap_err();
        assert!(matches!(&error, Error::Column { column, .. } if column == "x"), "{error}");
        assert!(error.problem().ends_with("has missing values: 1, the first in row 2"), "{error}");
    }

    #[test]
    fn a_forced_kind_names_the_value_that_is_not() {
        let kinds = BTreeMap::from([("x".to_owned(), Kind::Number)]);
        let encoding = Encoding { kinds, ..Encoding::default() };
        let error = assemble(&["1", "two"], &encoding).unwrap_err();
        assert!(matches!(
            &error,
            Error::Value { column, value, row: Some(2), .. } if column == "x" && value == "two"
        ));
        assert_eq!(
            error.to_string(),
            "column 'x': 'two' (row 2) is not a number; correct it, or leave out the kind of 'x'"
        );
    }

    #[test]
    fn threads_may_read_blocks_in_any_order() {
        let block = |number, fields: &[&str]| {
            let mut part = Part::default();
            part.begin_block(number);
            for field in fields {
                part.push(std::iter::once(field.as_bytes()), true).unwrap();
            }
            part
        };
        let parts = vec![block(1, &["b", "c"]), block(0, &["a", "b"])];
        let table = Table::assemble(&Columns::quasi(&["x"]), parts, &Encoding::default()).unwrap();
        let rows = [0, 1, 1, 2].map(|cohort| Some(Cohort::new(cohort)));
        assert_eq!(table.rows(), Some(&rows[..]));
        assert_eq!(table.columns()[0].domain.first_rows, [0, 1, 3]);
    }
}
