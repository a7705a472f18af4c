//! The usual spellings of missing values, and which of them a column means.

use super::date::DateFormat;
use super::date_search::Found;
use super::domain::{Kind, Values};
use super::missing::{LONGEST_USUAL, Recognized, is_usual};
use super::numbers::Signs;
use super::{Column, Columns, Counter, Encoding, NaDetect};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::noun::counted;

/// Numbers that often mean a missing value.
const CODES: [f64; 6] = [-9.0, -99.0, -999.0, -9999.0, 999.0, 9999.0];

/// Whether each of the first columns may have a usual spelling. Most columns have none, and one
/// pass over short fields shows it.
fn may_have_usual(n_columns: usize, raw: &Counter) -> Vec<bool> {
    const LONGEST: usize = LONGEST_USUAL + 4; // with a guard and blanks
    let mut may_have = vec![false; n_columns];
    for tuple in 0..raw.len() {
        for (field, may_have) in raw.fields(tuple).zip(&mut may_have) {
            // A column that has one need not be examined further.
            if !*may_have && field.len() <= LONGEST {
                let text = std::str::from_utf8(field).unwrap_or("");
                *may_have = is_usual(text.trim_start_matches('\''));
            }
        }
    }
    may_have
}

/// The spellings of missing values in one column.
#[derive(Clone, Copy)]
pub(super) struct Na<'a> {
    of_all: &'a [String],
    of_column: &'a [String],
}

impl Na<'_> {
    /// Whether a raw field represents a missing value.
    pub(super) fn has(&self, field: &str) -> bool {
        let field = field.trim();
        field.is_empty() || self.of_all.iter().chain(self.of_column).any(|na| na == field)
    }

    /// The spellings of this column only, not counted yet.
    pub(super) fn recognized(&self) -> Vec<Recognized> {
        let uncounted =
            |spelling: &String| Recognized { spelling: spelling.as_str().into(), count: 0 };
        self.of_column.iter().map(uncounted).collect()
    }
}

impl Encoding {
    /// The spellings of missing values in a column.
    pub(super) fn na_in(&self, column: &str) -> Na<'_> {
        Na { of_all: &self.na, of_column: self.na_of.get(column).map_or(&[], Vec::as_slice) }
    }

    /// The decimal signs that are stated or found for a column.
    pub(crate) fn signs_of(&self, column: &str) -> Signs {
        let stated = self.decimals.get(column).copied().or(self.decimal);
        Signs { stated, of_file: self.decimal_of_file }
    }

    /// Spellings of numbers that count as missing. NaN does among numbers unless recognition is
    /// switched off.
    pub(crate) fn missing_numbers(&self) -> Vec<String> {
        let nan = (self.na_detect == NaDetect::On).then(|| "NaN".to_owned());
        self.na.iter().cloned().chain(nan).collect()
    }

    /// Returns the encoding with the spellings of missing values that are recognized in columns of
    /// raw tuples, the first of which has the index `start`.
    pub(super) fn recognizing(
        mut self,
        names: &[String],
        start: usize,
        raw: &Counter,
    ) -> Result<Self> {
        if self.na_detect == NaDetect::Off {
            return Ok(self);
        }
        let may_have = may_have_usual(start + names.len(), raw);
        for (place, name) in names.iter().enumerate().filter(|(p, _)| may_have[start + p]) {
            let found = self.recognized(name, start + place, raw)?;
            if !found.is_empty() {
                self.na_of.entry(name.clone()).or_default().extend(found);
            }
        }
        Ok(self)
    }

    /// Returns the spellings that mean a missing value in a column, in the order of their bytes.
    fn recognized(&self, name: &str, place: usize, raw: &Counter) -> Result<Vec<String>> {
        let na = self.na_in(name);
        let mut usual: Vec<&str> = Vec::new();
        let mut others: Vec<&str> = Vec::new();
        for tuple in 0..raw.len() {
            let field = self.plain(raw.text(tuple, place)?);
            if is_usual(field) && !na.has(field) {
                usual.push(field.trim());
            }
        }
        // Sorted, because tuples are numbered in an order that depends on the threads.
        usual.sort_unstable();
        usual.dedup();
        if usual.is_empty() {
            return Ok(Vec::new());
        }
        for tuple in 0..raw.len() {
            let field = self.plain(raw.text(tuple, place)?);
            if !is_usual(field) && !na.has(field) {
                others.push(field);
            }
        }
        others.sort_unstable();
        others.dedup();
        // Without other values nothing says that the column has numbers.
        let is_meant = !others.is_empty() && self.are_numbers_or_dates(name, &others);
        Ok(if is_meant { usual.into_iter().map(str::to_owned).collect() } else { Vec::new() })
    }

    /// Counts the recognized spellings of the column at index `place` of raw tuples; those that do
    /// not occur are left out.
    fn count_recognized(&self, name: &str, place: usize, raw: &Counter) -> Result<Vec<Recognized>> {
        let mut found = self.na_in(name).recognized();
        if found.is_empty() {
            return Ok(found);
        }
        for tuple in 0..raw.len() {
            let field = self.plain(raw.text(tuple, place)?).trim();
            if let Some(same) = found.iter_mut().find(|found| *found.spelling == *field) {
                same.count += raw.count(tuple);
            }
        }
        found.retain(|found| found.count > 0);
        Ok(found)
    }

    /// Whether the values of a column are numbers, codes of digits or dates, or are stated to be.
    fn are_numbers_or_dates(&self, name: &str, values: &[&str]) -> bool {
        match self.kinds.get(name) {
            Some(Kind::Number | Kind::Date) => true,
            Some(Kind::Text) => false,
            _ if self.date_formats.contains_key(name) => true,
            _ => {
                // However many records there are, two numbers are numbers here.
                let (inferred, _) = Values::infer(name, values, 0, self.signs_of(name));
                inferred.kind() != Kind::Text
                    || matches!(DateFormat::find(values), Found::Ambiguous(_))
            }
        }
    }
}

/// Returns a note on the spellings of a column that were taken as missing.
pub(super) fn note(column: &Column, recognized: &[Recognized]) -> Option<String> {
    let each = recognized.iter().map(|recognized| {
        let records = counted(recognized.count, "record");
        format!("'{}' ({records})", recognized.spelling)
    });
    let each: Vec<String> = each.collect();
    let kind = match column.domain.values.kind() {
        Kind::Date => "dates",
        _ => "numbers",
    };
    (!each.is_empty()).then(|| {
        format!(
            "in column '{}', {} is taken as a missing value, because all other values are {kind}",
            column.name,
            each.join(", ")
        )
    })
}

/// Returns a warning about values that may mean missing values: the usual spellings in a column of
/// words, and numbers such as -99 at an end of a column of numbers. Spellings that a run refuses
/// are not read as values.
pub(super) fn doubt(column: &Column, is_refused: &dyn Fn(&str, &str) -> bool) -> Option<Warning> {
    let domain = &column.domain;
    let found: Vec<usize> = match &domain.values {
        Values::Text(texts) => (0..texts.len()).filter(|&code| is_usual(&texts[code])).collect(),
        Values::Number(scale) => {
            let numbers: Vec<f64> = (0..scale.len()).map(|place| scale.value(place)).collect();
            suspects(&numbers)
        }
        Values::Code(_) | Values::Date(..) => Vec::new(),
    };
    // If every value is suspect, they are the values of the column, unless it has empty cells and
    // nothing else.
    let is_all = found.len() == domain.len();
    let is_blank = domain.missing.is_some() && domain.values.kind() == Kind::Text;
    if found.is_empty() || (is_all && !is_blank) {
        return None;
    }
    let spelt = |&code: &usize| domain.values.spelling(code).trim().to_owned();
    let found: Vec<usize> =
        found.into_iter().filter(|code| !is_refused(&column.name, &spelt(code))).collect();
    if found.is_empty() {
        return None;
    }
    let each = found
        .iter()
        .map(|code| format!("'{}' ({})", spelt(code), counted(domain.counts[*code], "record")));
    let each: Vec<String> = each.collect();
    let problem = format!(
        "column '{}': {} may mean a missing value, but is read as a value",
        column.name,
        each.join(", ")
    );
    let advice = found.iter().map(|code| Advice::ListAsMissing { value: Some(spelt(code)) });
    Some(Warning::new(problem).advise(advice))
}

/// Returns the places of ascending numbers that look like codes of missing values: negative ones
/// where no other number is negative, and a greatest one of more than twice the one before it.
fn suspects(numbers: &[f64]) -> Vec<usize> {
    let is_code = |number: f64| CODES.iter().any(|code| code.total_cmp(&number).is_eq());
    let n_negative = numbers.partition_point(|&number| number < 0.0);
    let mut found: Vec<usize> = (0..n_negative).collect();
    // Another negative number shows that negative numbers are values here.
    if !found.iter().all(|&place| is_code(numbers[place])) {
        found.clear();
    }
    if let [.., before, last] = *numbers
        && last > 0.0
        && is_code(last)
        && before * 2.0 < last
    {
        found.push(numbers.len() - 1);
    }
    found
}

/// Counts the spellings that were recognized in each column.
pub(super) fn counted_by(
    columns: &Columns,
    raw: &Counter,
    [quasi, beside]: [&Encoding; 2],
) -> Result<Vec<Vec<Recognized>>> {
    let n_quasi = columns.quasi.len();
    let count = |(place, name): (usize, String)| {
        let encoding = if place < n_quasi { quasi } else { beside };
        encoding.count_recognized(&name, place, raw)
    };
    columns.names().into_iter().enumerate().map(count).collect()
}

/// All columns that were asked for, with their missing values recognized.
pub(super) fn recognize(
    columns: &Columns,
    raw: &Counter,
    [quasi, beside]: [Encoding; 2],
) -> Result<[Encoding; 2]> {
    Ok([
        quasi.recognizing(&columns.quasi, 0, raw)?,
        beside.recognizing(&columns.beside, columns.quasi.len(), raw)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{MissingPolicy, Table};

    fn read(values: &[&str], encoding: &Encoding) -> Table {
        let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
        Table::encode(&Columns::quasi(&["x"]), &rows, encoding).unwrap()
    }

    fn kind_and_missing(values: &[&str]) -> (Kind, u64) {
        let table = read(values, &Encoding::default());
        let domain = &table.columns()[0].domain;
        (domain.values.kind(), domain.missing.as_ref().map_or(0, |missing| missing.count))
    }

    #[test]
    fn usual_spellings_among_numbers_and_dates_are_missing() {
        for na in [
            "#N/A", "#DIV/0!", "#VALUE!", "k.A.", "nil", "missing", "--", "NA", "n/a", "N/A",
            "NaN", "nan", "null", "NULL", "None", "?", ".", "-", " NA ",
        ] {
            assert_eq!(kind_and_missing(&["1", na, "2.5"]), (Kind::Number, 1), "{na}");
            assert_eq!(kind_and_missing(&["2024-01-31", na]), (Kind::Date, 1), "{na}");
            assert_eq!(kind_and_missing(&["02139", na]), (Kind::Code, 1), "{na}");
            assert_eq!(kind_and_missing(&["27,5", na]), (Kind::Number, 1), "{na}");
            assert_eq!(kind_and_missing(&["yes", na]), (Kind::Text, 0), "{na}");
            assert_eq!(kind_and_missing(&[na, na]), (Kind::Text, 0), "{na}");
        }
        assert_eq!(kind_and_missing(&["1", "unknown", "NA"]), (Kind::Text, 0));
    }

    #[test]
    fn a_column_of_nothing_but_a_usual_spelling_and_empty_cells_is_a_doubt() {
        let doubt = |values: &[&str]| {
            doubt(&read(values, &Encoding::default()).columns()[0], &|_, _| false)
        };
        assert!(
            doubt(&["NA", "", "NA", ""]).is_some_and(|doubt| doubt.to_string().contains("'NA'"))
        );
        assert!(doubt(&["none", "none"]).is_none());
    }

    #[test]
    fn each_spelling_is_counted_and_listed_ones_are_not_said() {
        let encoding = Encoding { na: vec!["?".into()], ..Encoding::default() };
        let table = read(&["1", "NA", "?", "NA", "-", ""], &encoding);
        let missing = table.columns()[0].domain.missing.clone().unwrap();
        assert_eq!((missing.count, &*missing.spelling), (5, "NA"));
        let recognized: Vec<(&str, u64)> =
            missing.recognized.iter().map(|found| (&*found.spelling, found.count)).collect();
        assert_eq!(recognized, [("-", 1), ("NA", 2)]);
        let note = "in column 'x', '-' (1 record), 'NA' (2 records) is taken as a missing value, \
                    because all other values are numbers";
        assert_eq!(table.notes(), [note]);
    }

    #[test]
    fn recognition_can_be_switched_off_for_all_columns_or_one() {
        let off = Encoding { na_detect: NaDetect::Off, ..Encoding::default() };
        let text = Encoding { kinds: [("x".to_owned(), Kind::Text)].into(), ..Encoding::default() };
        for encoding in [off, text] {
            let table = read(&["1", "NA"], &encoding);
            assert_eq!(table.columns()[0].domain.values.kind(), Kind::Text);
            assert_eq!(table.columns()[0].domain.missing, None);
        }
    }

    #[test]
    fn records_with_recognized_missing_values_are_dropped() {
        let encoding = Encoding { missing: MissingPolicy::Drop, ..Encoding::default() };
        let table = read(&["1", "NA", "2"], &encoding);
        assert_eq!((table.n_rows(), table.cohorts().n_records()), (3, 2));
        assert_eq!(table.notes().len(), 1);
    }

    #[test]
    fn words_and_codes_are_suggested_only() {
        let doubts = |values: &[&str]| {
            let table = read(values, &Encoding::default());
            table.doubts().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let told = "column 'x': '?' (2 records) may mean a missing value, but is read as a value; \
                    list '?' as a missing value if it means that";
        assert_eq!(doubts(&["yes", "?", "?"]), [told]);
        for (numbers, n_doubts) in [
            (&["1", "2", "-99"][..], 1),
            (&["1", "2", "-99", "-9", "999"], 1),
            (&["1", "450", "999"], 1),
            (&["1", "998", "999"], 0),
            (&["-3", "2", "-99"], 0),
            (&["999"], 0),
        ] {
            assert_eq!(doubts(numbers).len(), n_doubts, "{numbers:?}");
        }
    }
}
