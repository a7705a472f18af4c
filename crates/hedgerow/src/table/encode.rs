//! Converts raw tuples into columns with sorted domains and into cohorts of codes.

use std::collections::BTreeSet;

use super::{
    Code, Cohort, Cohorts, Column, Columns, Counter, DateFormat, Decimal, Domain, Encoding, Kind,
    Missing, MissingPolicy, Recognized, Signs, Values, doubtful_dates, read_number_as, usual,
};
use crate::error::Advice;
use crate::progress::{Progress, stop_at};
use crate::{Error, Result};

/// The raw tuples that are kept as records, in the order of their first record.
#[derive(Clone, Copy)]
pub(super) struct Tuples<'a> {
    pub(super) raw: &'a Counter,
    pub(super) order: &'a [usize],
}

/// Returns the tuples that are kept, in the order of their first record.
///
/// [`MissingPolicy::Drop`] drops tuples with a missing value in a quasi-identifier or in the column
/// that names people. Their other fields do not enter any domain either.
pub(super) fn kept_tuples(
    raw: &Counter,
    columns: &Columns,
    encodings: &Encodings,
) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = (0..raw.len()).collect();
    if encodings.quasi.missing == MissingPolicy::Drop {
        // Looked up once per column instead of once per tuple.
        let n_known = columns.quasi.len() + columns.beside.len();
        let quasi = columns.quasi.iter().enumerate();
        let quasi = quasi.map(|(place, name)| (place, &encodings.quasi, name));
        let person = columns.person.iter().map(|name| (n_known, &encodings.person, name));
        let na: Vec<_> = (quasi.chain(person))
            .map(|(place, encoding, name)| (place, encoding, encoding.na_in(name)))
            .collect();
        let mut is_kept = Vec::with_capacity(raw.len());
        for tuple in 0..raw.len() {
            let mut is_whole = true;
            for (place, encoding, na) in &na {
                is_whole &= !na.has(encoding.plain(raw.text(tuple, *place)?));
            }
            is_kept.push(is_whole);
        }
        order.retain(|&tuple| is_kept[tuple]);
    }
    // Threads count in any order; the first record makes the order that of the file.
    order.sort_by_key(|&tuple| raw.first(tuple));
    Ok(order)
}

/// The encodings of the fields of each kind of column.
pub(super) struct Encodings {
    pub(super) quasi: Encoding,
    pub(super) beside: Encoding,
    person: Encoding,
}

impl Encodings {
    /// The encodings of the columns of a table, with the missing values that were recognized.
    pub(super) fn of(columns: &Columns, raw: &Counter, encoding: &Encoding) -> Result<Self> {
        // Missing values of the other columns are ordinary values under every policy.
        let beside = Encoding { missing: MissingPolicy::Own, ..encoding.clone() };
        let person = encoding.of_person(columns, raw)?;
        let quasi = encoding.of_quasi(&columns.quasi);
        let [quasi, beside] = usual::recognize(columns, raw, [quasi, beside])?;
        Ok(Self { quasi, beside, person })
    }

    /// The encoding of the column at `place`: quasi-identifiers come before `n_quasi`, and the
    /// columns besides them before `n_known`.
    pub(super) fn at(&self, place: usize, n_quasi: usize, n_known: usize) -> &Encoding {
        match place {
            place if place < n_quasi => &self.quasi,
            place if place < n_known => &self.beside,
            _ => &self.person,
        }
    }

    /// The columns whose kind was stated.
    pub(super) fn stated(&self) -> BTreeSet<String> {
        let encodings = [&self.quasi, &self.beside, &self.person];
        encodings.into_iter().flat_map(|encoding| encoding.kinds.keys()).cloned().collect()
    }
}

/// Sorts one field of the raw tuples into a domain. Also returns the code of each tuple's field.
pub(super) fn encode_column(
    name: String,
    place: usize,
    tuples: Tuples<'_>,
    row_of: &impl Fn(u64) -> u64,
    encoding: &Encoding,
) -> Result<(Column, Vec<Code>)> {
    let spelt = Spelt::collect(tuples, place, encoding, &name)?;
    let (values, codes) = values_of(&name, &spelt, row_of, encoding)?;
    let missing = spelt.missing.map(|(spelling, count, first)| Missing {
        spelling: spelling.into(),
        spellings: spelt.of_missing.iter().map(|&spelling| spelling.into()).collect(),
        count,
        first_row: row_of(first),
        is_value: matches!(encoding.missing, MissingPolicy::Own | MissingPolicy::Error),
        is_wildcard: encoding.missing == MissingPolicy::Wildcard,
        recognized: spelt.recognized.clone(),
    });
    // Checked per column, so the message names the first column with a missing value.
    if let (MissingPolicy::Error, Some(missing)) = (encoding.missing, &missing) {
        let (count, row) = (missing.count, missing.first_row + 1);
        let problem = format!("it has missing values: {count}, the first in row {row}");
        return Err(Error::column(&name, problem)
            .advise([Advice::words("fill them"), Advice::OtherMissingPolicy]));
    }
    let mut domain = Domain {
        counts: vec![0; values.len()],
        first_rows: vec![u64::MAX; values.len()],
        values,
        missing,
    };
    // Several spellings can share a code: `12` and `12.0` are one number.
    for (spelling, &code) in codes.iter().enumerate() {
        domain.counts[code as usize] += spelt.counts[spelling];
        let first = &mut domain.first_rows[code as usize];
        *first = row_of(spelt.firsts[spelling]).min(*first);
    }
    let missing_code = Code::new(domain.len());
    let code_of = |spelling: &Option<usize>| spelling.map_or(missing_code, |s| codes[s].into());
    let codes_of_tuples = spelt.of_tuple.iter().map(code_of).collect();
    Ok((Column { name, domain }, codes_of_tuples))
}

/// Returns the values that the spellings represent, and the code of each spelling.
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
        (Some(format), None | Some(Kind::Date)) => Values::of_dates(format, spellings)
            .map_err(|bad| not_of_format(format, name, spellings[bad], row(bad))),
        (Some(_), Some(kind)) => {
            let leave_out = |key| Advice::LeaveOut { key, column: Some(name.to_owned()) };
            let problem =
                format!("it has a date format, but its kind is stated as {}", kind.name());
            Err(Error::column(name, problem).advise([leave_out("kind"), leave_out("date-format")]))
        }
        (None, Some(Kind::Date)) => Values::of_kind(Kind::Date, spellings, Signs::default())
            .map_err(|_| doubtful_dates::unreadable(name, spellings, row)),
        (None, Some(&kind)) => Values::of_kind(kind, spellings, encoding.signs_of(name))
            .map_err(|bad| not_of_kind(kind, name, spellings[bad], row(bad))),
        (None, None) => {
            let n_records = spelt.counts.iter().sum();
            Ok(Values::infer(name, spellings, n_records, encoding.signs_of(name)))
        }
    }
}

/// The error for a value that is not a date of its column's format.
fn not_of_format(format: &DateFormat, column: &str, value: &str, row: u64) -> Error {
    let problem = format!("is not a date of the format '{format}'");
    if let Some(short) = format.with_short_year(value) {
        let format = short.to_string();
        let short = Advice::StateDateFormat { column: column.to_owned(), format };
        return Error::value(column, value, row, problem + ", because its year has two digits")
            .advise([short]);
    }
    Error::value(column, value, row, problem).advise([
        Advice::words("correct it"),
        Advice::ListAsMissing { value: Some(value.to_owned()) },
        Advice::OtherDateFormat { column: column.to_owned() },
    ])
}

/// The error for a value that does not have its column's kind.
fn not_of_kind(kind: Kind, column: &str, value: &str, row: u64) -> Error {
    let problem = format!("is not a {}", kind.name());
    let has_comma = kind == Kind::Number && read_number_as(value, Decimal::Comma).is_some();
    Error::value(column, value, row, problem)
        .advise([
            Advice::words("correct it"),
            Advice::LeaveOut { key: "kind", column: Some(column.to_owned()) },
        ])
        .advise(has_comma.then_some(Advice::StateDecimal { sign: ',', means: None }))
}

/// The distinct spellings of one field, in the order of their first record.
struct Spelt<'a> {
    spellings: Vec<&'a str>,
    counts: Vec<u64>,
    firsts: Vec<u64>,
    /// Spelling, count and first position of the missing values.
    missing: Option<(&'a str, u64, u64)>,
    /// The distinct spellings of the missing values, without blanks around them.
    of_missing: Vec<&'a str>,
    /// The missing values that were recognized.
    recognized: Vec<Recognized>,
    /// The spelling of each raw tuple's field, or `None` if it is missing or the tuple is dropped.
    of_tuple: Vec<Option<usize>>,
}

impl<'a> Spelt<'a> {
    fn collect(tuples: Tuples<'a>, place: usize, encoding: &Encoding, name: &str) -> Result<Self> {
        let na = encoding.na_in(name);
        let Tuples { raw, order } = tuples;
        let mut numbers: hashbrown::HashMap<&str, usize> = hashbrown::HashMap::new();
        let mut spelt = Self {
            spellings: Vec::new(),
            counts: Vec::new(),
            firsts: Vec::new(),
            missing: None,
            of_missing: Vec::new(),
            recognized: na.recognized(),
            of_tuple: vec![None; raw.len()],
        };
        for &tuple in order {
            // Tuples come in the order of their first record, so the first count of a spelling is
            // its position.
            let field = encoding.plain(raw.text(tuple, place)?);
            let (count, first) = (raw.count(tuple), raw.first(tuple));
            if na.has(field) {
                // The first spelling of a missing value is the one that is published.
                spelt.missing.get_or_insert((field, 0, first)).1 += count;
                let trimmed = field.trim();
                if !spelt.of_missing.contains(&trimmed) {
                    spelt.of_missing.push(trimmed);
                }
                let is_this = |found: &&mut Recognized| *found.spelling == *trimmed;
                if let Some(found) = spelt.recognized.iter_mut().find(is_this) {
                    found.count += count;
                }
                continue;
            }
            let number = *numbers.entry(field).or_insert_with(|| spelt.add(field, first));
            spelt.counts[number] += count;
            spelt.of_tuple[tuple] = Some(number);
        }
        spelt.recognized.retain(|found| found.count > 0);
        Ok(spelt)
    }

    /// Adds a spelling whose first record is at position `first`, and returns its index.
    fn add(&mut self, spelling: &'a str, first: u64) -> usize {
        self.spellings.push(spelling);
        self.counts.push(0);
        self.firsts.push(first);
        self.spellings.len() - 1
    }
}

/// Groups raw tuples by their codes into cohorts. Also returns the cohort of each raw tuple.
pub(super) fn group(
    Tuples { raw, order }: Tuples<'_>,
    encoded: &[(Column, Vec<Code>)],
    row_of: impl Fn(u64) -> u64,
    progress: &dyn Progress,
) -> Result<(Cohorts, Vec<Option<Cohort>>)> {
    let mut cohorts = Cohorts { width: encoded.len(), ..Cohorts::default() };
    let mut cohort_of_raw = vec![None; raw.len()];
    let mut known: hashbrown::HashMap<Box<[Code]>, Cohort> = hashbrown::HashMap::new();
    for (place, &tuple) in order.iter().enumerate() {
        stop_at(place, progress)?;
        // Raw tuples that differ only in spelling have equal codes and become one cohort.
        let codes: Box<[Code]> = encoded.iter().map(|(_, codes)| codes[tuple]).collect();
        let cohort = *known
            .entry(codes)
            // `order` is that of first records, so cohorts are too.
            .or_insert_with_key(|codes| cohorts.push(codes, 0, row_of(raw.first(tuple))));
        cohorts.counts[cohort.index()] += raw.count(tuple);
        cohort_of_raw[tuple] = Some(cohort);
    }
    Ok((cohorts, cohort_of_raw))
}
