//! Tables as algorithms see them: columns with sorted domains, and cohorts.

mod cohorts;
mod counter;
mod date;
mod domain;
mod formula;
mod part;
mod sample;
mod scale;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use cohorts::Cohorts;
pub use counter::Counter;
pub use date::{DateFormat, is_ambiguous_date};
pub(crate) use date::{Found, no_dates};
pub use domain::{Domain, Kind, Missing, Values};
pub(crate) use formula::{guarded, unguarded};
pub use part::Part;
use part::Whole;
pub use scale::Scale;
pub(crate) use scale::{Reading, looks_like_code, read_number};

use crate::noun::counted;
use crate::{Error, Result};

/// Stands for a record that is in no cohort: it lacks a value, and such records are left out.
pub const NO_COHORT: u32 = u32::MAX;

/// One column that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name in the header.
    pub name: String,
    /// Its distinct values.
    pub domain: Domain,
}

/// What was read of a table: the columns asked for, and their distinct tuples with counts.
///
/// A table does not change once it is made, and clones share their contents.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Arc<[Column]>,
    /// How many of them, the first ones, are quasi-identifiers.
    n_quasi: usize,
    cohorts: Arc<Cohorts>,
    /// The cohort of each record, in row order; empty unless it was asked for.
    rows: Arc<Vec<u32>>,
    n_rows: u64,
    missing: MissingPolicy,
    raw: Arc<Counter>,
    cohort_of_raw: Arc<Vec<u32>>,
}

/// What a missing value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MissingPolicy {
    /// It is a value of its own, as unlike any other as two values can be.
    #[default]
    Own,
    /// It matches anything: such a record takes whatever its class publishes.
    Wildcard,
    /// Records without a value are left out of the release, and counted.
    Drop,
    /// It is an error that names the row.
    Error,
}

/// How raw fields become values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Encoding {
    /// Spellings of a missing value, besides the empty one.
    pub na: Vec<String>,
    /// What a missing value means.
    pub missing: MissingPolicy,
    /// Kinds that are given instead of inferred, by column.
    pub kinds: BTreeMap<String, Kind>,
    /// How dates are written, by column; such a column holds dates.
    pub date_formats: BTreeMap<String, DateFormat>,
    /// How many columns, the last ones, stand beside the quasi-identifiers: models look at them, but
    /// they are published as they are, and a missing value there is a value like any other.
    pub n_beside: usize,
    /// Whether the quasi-identifiers are those of a release: texts as they stand, of which only the
    /// empty one is missing. What is said about kinds and missing values is about the others then.
    pub is_release: bool,
    /// Whether cells that look like formulas have a `'` in front of them that is not theirs.
    pub is_guarded: bool,
}

impl Encoding {
    /// A raw field without what guards it from being a formula.
    fn plain<'a>(&self, field: &'a str) -> &'a str {
        if self.is_guarded { unguarded(field) } else { field }
    }

    /// Whether a raw field stands for a missing value.
    fn is_missing(&self, field: &str) -> bool {
        let field = field.trim();
        field.is_empty() || self.na.iter().any(|na| na == field)
    }
}

impl Table {
    /// Makes a table of rows in memory, with inferred kinds.
    ///
    /// ```
    /// use hedgerow::table::{Kind, Table};
    /// let table = Table::from_rows(&["age", "sex"], &[["39", "F"], ["50", "M"], ["39", "F"]])?;
    /// assert_eq!(table.columns()[0].domain.values.kind(), Kind::Number);
    /// assert_eq!(table.cohorts().counts, [2, 1]);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn from_rows<R: AsRef<[S]>, S: AsRef<str>>(names: &[&str], rows: &[R]) -> Result<Self> {
        Self::encode(names, rows, &Encoding::default())
    }

    /// Makes a table of rows in memory.
    pub fn encode<R: AsRef<[S]>, S: AsRef<str>>(
        names: &[&str],
        rows: &[R],
        encoding: &Encoding,
    ) -> Result<Self> {
        let mut part = Part::default();
        for (row, fields) in rows.iter().enumerate() {
            let fields = fields.as_ref();
            if fields.len() != names.len() {
                let (row, found, wanted) = (row + 1, fields.len(), names.len());
                return Err(Error::invalid(format!(
                    "row {row} has {}, not {wanted} like the header",
                    counted(found, "field")
                )));
            }
            part.push(fields.iter().map(|field| field.as_ref().as_bytes()), true)?;
        }
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Self::assemble(names, vec![part], encoding)
    }

    /// Makes a table of what the threads counted.
    pub fn assemble(names: Vec<String>, parts: Vec<Part>, encoding: &Encoding) -> Result<Self> {
        let whole = Whole::new(parts)?;
        let row_of = |position: u64| whole.row_of(position);
        let beside = Encoding { missing: MissingPolicy::Own, ..encoding.clone() };
        let n_quasi = names.len() - encoding.n_beside;
        let as_shown = |name: &String| (name.clone(), Kind::Text);
        let quasi = if encoding.is_release {
            let kinds = names[..n_quasi].iter().map(as_shown).collect();
            let Encoding { missing, is_guarded, .. } = *encoding;
            Encoding { missing, kinds, is_guarded, ..Encoding::default() }
        } else {
            encoding.clone()
        };
        let order = kept_tuples(&whole.counter, n_quasi, &quasi)?;
        let tuples = Tuples { raw: &whole.counter, order: &order };
        let encoded: Vec<(Column, Vec<u32>)> = names
            .into_iter()
            .enumerate()
            .map(|(place, name)| {
                let encoding = if place < n_quasi { &quasi } else { &beside };
                encode_column(name, place, tuples, &row_of, encoding)
            })
            .collect::<Result<_>>()?;
        let (cohorts, cohort_of_raw) = group(tuples, &encoded, row_of);
        let rows = whole.rows().map(|tuple| cohort_of_raw[tuple as usize]).collect();
        let columns = encoded.into_iter().map(|(column, _)| column).collect();
        let missing = encoding.missing;
        let Whole { counter, n_rows, .. } = whole;
        let (raw, cohorts) = (Arc::new(counter), Arc::new(cohorts));
        let (rows, cohort_of_raw) = (Arc::new(rows), Arc::new(cohort_of_raw));
        Ok(Self { columns, n_quasi, cohorts, rows, n_rows, missing, raw, cohort_of_raw })
    }

    /// The quasi-identifiers, in the order asked for.
    pub fn columns(&self) -> &[Column] {
        &self.columns[..self.n_quasi]
    }

    /// The columns that were read beside the quasi-identifiers.
    pub fn beside(&self) -> &[Column] {
        &self.columns[self.n_quasi..]
    }

    /// The distinct tuples over all columns that were read, quasi-identifiers first.
    pub fn cohorts(&self) -> &Cohorts {
        &self.cohorts
    }

    /// How many records the file has, those left out included.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// What a missing value means.
    pub fn missing(&self) -> MissingPolicy {
        self.missing
    }

    /// The cohort of each record in row order, if it was asked for when reading.
    pub fn rows(&self) -> Option<&[u32]> {
        (self.rows.len() as u64 == self.n_rows).then_some(self.rows.as_slice())
    }

    /// The cohort of a record by its raw fields; [`NO_COHORT`] when it is left out. `None` when
    /// the record was not in the file that was counted. `scratch` saves allocations.
    pub fn cohort_of<'a>(
        &self,
        fields: impl Iterator<Item = &'a [u8]>,
        scratch: &mut Vec<u8>,
    ) -> Option<u32> {
        self.raw.find(fields, scratch).map(|tuple| self.cohort_of_raw[tuple as usize])
    }
}

/// The raw tuples that become records, in the order of their first record.
#[derive(Clone, Copy)]
struct Tuples<'a> {
    raw: &'a Counter,
    order: &'a [usize],
}

/// The tuples that are not left out, in the order of their first record. Under
/// [`MissingPolicy::Drop`] those without a value in one of the first `n_quasi` fields are left out:
/// they give no value to any domain.
fn kept_tuples(raw: &Counter, n_quasi: usize, encoding: &Encoding) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = (0..raw.len()).collect();
    if encoding.missing == MissingPolicy::Drop {
        let mut is_kept = Vec::with_capacity(raw.len());
        for tuple in 0..raw.len() {
            let mut is_whole = true;
            for field in raw.fields(tuple).take(n_quasi) {
                is_whole &= !encoding.is_missing(encoding.plain(text_of(field)?));
            }
            is_kept.push(is_whole);
        }
        order.retain(|&tuple| is_kept[tuple]);
    }
    order.sort_by_key(|&tuple| raw.first(tuple));
    Ok(order)
}

fn text_of(field: &[u8]) -> Result<&str> {
    std::str::from_utf8(field).map_err(|_| Error::Internal("a field is not UTF-8".into()))
}

/// Sorts one field of raw tuples into a domain; also returns the code of each tuple's field.
fn encode_column(
    name: String,
    place: usize,
    tuples: Tuples<'_>,
    row_of: &impl Fn(u64) -> u64,
    encoding: &Encoding,
) -> Result<(Column, Vec<u32>)> {
    let spelt = Spelt::collect(tuples, place, encoding)?;
    let (values, codes) = values_of(&name, &spelt, row_of, encoding)?;
    let missing = spelt.missing.map(|(spelling, count, first)| Missing {
        spelling: spelling.into(),
        count,
        first_row: row_of(first),
        is_value: matches!(encoding.missing, MissingPolicy::Own | MissingPolicy::Error),
        is_wildcard: encoding.missing == MissingPolicy::Wildcard,
    });
    if let (MissingPolicy::Error, Some(missing)) = (encoding.missing, &missing) {
        return Err(Error::invalid(format!(
            "column '{name}' has missing values: {}, the first in row {}; fill them, or choose \
             --missing own, wildcard or drop",
            missing.count,
            missing.first_row + 1
        )));
    }
    let mut domain = Domain {
        counts: vec![0; values.len()],
        first_rows: vec![u64::MAX; values.len()],
        values,
        missing,
    };
    for (spelling, &code) in codes.iter().enumerate() {
        domain.counts[code as usize] += spelt.counts[spelling];
        let first = &mut domain.first_rows[code as usize];
        *first = row_of(spelt.firsts[spelling]).min(*first);
    }
    let missing_code = domain.len() as u32;
    let codes = spelt.of_tuple.iter().map(|spelling| spelling.map_or(missing_code, |s| codes[s]));
    let codes = codes.collect();
    Ok((Column { name, domain }, codes))
}

/// The values that spellings stand for, and the code of each spelling.
fn values_of(
    name: &str,
    spelt: &Spelt<'_>,
    row_of: &impl Fn(u64) -> u64,
    encoding: &Encoding,
) -> Result<(Values, Vec<u32>)> {
    let spellings = &spelt.spellings;
    let row = |place: usize| row_of(spelt.firsts[place]) + 1;
    let kind = encoding.kinds.get(name);
    match (encoding.date_formats.get(name), kind) {
        (Some(format), None | Some(Kind::Date)) => {
            Values::of_dates(format, spellings).map_err(|bad| {
                Error::invalid(format!(
                    "column '{name}': '{}' (row {}) is not a date of the format '{format}'; correct \
                     it, list it with --na if it means missing, or say another --date-format",
                    spellings[bad],
                    row(bad)
                ))
            })
        }
        (Some(_), Some(kind)) => Err(Error::invalid(format!(
            "column '{name}' has a date format but should be {}; leave one of them out",
            kind.name()
        ))),
        (None, Some(Kind::Date)) => Values::of_kind(Kind::Date, spellings)
            .map_err(|_| date::unreadable(name, spellings, row)),
        (None, Some(&kind)) => Values::of_kind(kind, spellings).map_err(|bad| {
            Error::invalid(format!(
                "column '{name}': '{}' (row {}) is not a {}; correct it, or leave its kind to be \
                 found out",
                spellings[bad],
                row(bad),
                kind.name()
            ))
        }),
        (None, None) => Ok(Values::infer(spellings)),
    }
}

/// The distinct spellings of one field, in the order of their first record.
struct Spelt<'a> {
    spellings: Vec<&'a str>,
    counts: Vec<u64>,
    firsts: Vec<u64>,
    /// Spelling, count and first position of the missing values.
    missing: Option<(&'a str, u64, u64)>,
    /// The spelling of each raw tuple's field; none when it is missing.
    of_tuple: Vec<Option<usize>>,
}

impl<'a> Spelt<'a> {
    fn collect(tuples: Tuples<'a>, place: usize, encoding: &Encoding) -> Result<Self> {
        let Tuples { raw, order } = tuples;
        let mut numbers: hashbrown::HashMap<&str, usize> = hashbrown::HashMap::new();
        let mut spelt = Self {
            spellings: Vec::new(),
            counts: Vec::new(),
            firsts: Vec::new(),
            missing: None,
            of_tuple: vec![None; raw.len()],
        };
        for &tuple in order {
            let field = raw.fields(tuple).nth(place);
            let field = field.ok_or_else(|| Error::Internal("a record is too short".into()))?;
            let field = encoding.plain(text_of(field)?);
            let (count, first) = (raw.count(tuple), raw.first(tuple));
            if encoding.is_missing(field) {
                spelt.missing.get_or_insert((field, 0, first)).1 += count;
                continue;
            }
            let number = *numbers.entry(field).or_insert_with(|| {
                spelt.spellings.push(field);
                spelt.counts.push(0);
                spelt.firsts.push(first);
                spelt.spellings.len() - 1
            });
            spelt.counts[number] += count;
            spelt.of_tuple[tuple] = Some(number);
        }
        Ok(spelt)
    }
}

/// Groups raw tuples by their codes into cohorts; also returns the cohort of each raw tuple.
fn group(
    Tuples { raw, order }: Tuples<'_>,
    encoded: &[(Column, Vec<u32>)],
    row_of: impl Fn(u64) -> u64,
) -> (Cohorts, Vec<u32>) {
    let mut cohorts = Cohorts { width: encoded.len(), ..Cohorts::default() };
    let mut cohort_of_raw = vec![NO_COHORT; raw.len()];
    let mut known: hashbrown::HashMap<Box<[u32]>, u32> = hashbrown::HashMap::new();
    for &tuple in order {
        let codes: Box<[u32]> = encoded.iter().map(|(_, codes)| codes[tuple]).collect();
        let next = cohorts.len() as u32;
        let cohort = *known.entry(codes).or_insert_with_key(|codes| {
            cohorts.codes.extend_from_slice(codes);
            cohorts.counts.push(0);
            cohorts.first_rows.push(row_of(raw.first(tuple)));
            next
        });
        cohorts.counts[cohort as usize] += raw.count(tuple);
        cohort_of_raw[tuple] = cohort;
    }
    (cohorts, cohort_of_raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assemble(rows: &[&str], encoding: &Encoding) -> Result<Table> {
        let mut part = Part::default();
        for field in rows {
            part.push(std::iter::once(field.as_bytes()), true).unwrap();
        }
        Table::assemble(vec!["x".into()], vec![part], encoding)
    }

    #[test]
    fn cohorts_are_in_order_of_first_appearance_and_codes_in_order_of_size() {
        let table = Table::from_rows(&["x"], &[["30"], ["4"], ["30"]]).unwrap();
        assert_eq!(table.cohorts().codes, [1, 0]);
        assert_eq!(table.cohorts().first_rows, [0, 1]);
        assert_eq!(table.rows(), Some(&[0, 1, 0][..]));
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
        assert_eq!(table.rows(), Some(&[0, NO_COHORT, NO_COHORT, 1][..]));
    }

    #[test]
    fn records_left_out_give_no_value_to_any_domain() {
        let encoding =
            Encoding { missing: MissingPolicy::Drop, n_beside: 1, ..Encoding::default() };
        let rows = [["1", "p", "flu"], ["", "r", "gout"], ["2", "q", ""]];
        let table = Table::encode(&["x", "y", "s"], &rows, &encoding).unwrap();
        let words = |column: &Column| {
            (0..column.domain.len()).map(|code| column.domain.spelling(code).into()).collect()
        };
        let (y, s): (Vec<String>, Vec<String>) =
            (words(&table.columns()[1]), words(&table.beside()[0]));
        assert_eq!((y, s), (vec!["p".into(), "q".into()], vec!["flu".to_owned()]));
        assert_eq!(table.columns()[0].domain.missing, None);
        assert_eq!(table.rows(), Some(&[0, NO_COHORT, 1][..]));
    }

    #[test]
    fn a_missing_value_has_the_code_after_the_last() {
        let table = assemble(&["1", "", "2"], &Encoding::default()).unwrap();
        assert_eq!(table.cohorts().codes, [0, 2, 1]);
        assert_eq!(table.columns()[0].domain.missing_code(), Some(2));
    }

    #[test]
    fn a_missing_value_that_may_not_be_names_its_row() {
        let encoding = Encoding { missing: MissingPolicy::Error, ..Encoding::default() };
        let message = assemble(&["1", ""], &encoding).unwrap_err().to_string();
        assert!(message.starts_with("column 'x' has missing values: 1, the first in row 2"));
    }

    #[test]
    fn a_forced_kind_names_the_value_that_is_not() {
        let kinds = BTreeMap::from([("x".to_owned(), Kind::Number)]);
        let encoding = Encoding { kinds, ..Encoding::default() };
        let message = assemble(&["1", "two"], &encoding).unwrap_err().to_string();
        assert_eq!(
            message,
            "column 'x': 'two' (row 2) is not a number; correct it, or leave its kind to be found out"
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
        let table = Table::assemble(vec!["x".into()], parts, &Encoding::default()).unwrap();
        assert_eq!(table.rows(), Some(&[0, 1, 1, 2][..]));
        assert_eq!(table.columns()[0].domain.first_rows, [0, 1, 3]);
    }
}
