//! The values of a column and their frequencies.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::date::{DateFormat, Found, odd_one_out};
use super::decimal::{self, Decimal};
use super::scale::{self, Reading, Scale, read_number_as};
use crate::index::index;
use crate::{Error, Result};

index! {
    /// Index of a value in the sorted order of its column. A missing value has the index after the
    /// last.
    Code
}

/// Kind of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Numbers, which have an order and a distance.
    Number,
    /// Dates and timestamps.
    Date,
    /// Codes of digits or symbols whose prefixes carry meaning, such as ZIP or ICD codes.
    Code,
    /// Words.
    Text,
}

impl Kind {
    /// Name of the kind as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Code => "code",
            Self::Text => "text",
        }
    }
}

impl std::str::FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let kinds = [Self::Number, Self::Date, Self::Code, Self::Text];
        kinds
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| Error::unknown("kind", text, kinds.iter().map(|kind| kind.name())))
    }
}

/// Distinct values in order: numbers and dates by size, codes and text by their bytes.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers.
    Number(Scale),
    /// Dates with their format.
    Date(Scale, DateFormat),
    /// Digits that do not represent numbers.
    Code(Vec<Box<str>>),
    /// Everything else.
    Text(Vec<Box<str>>),
}

impl Values {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Number(scale) | Self::Date(scale, _) => scale.len(),
            Self::Code(texts) | Self::Text(texts) => texts.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kind of the values.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Number(_) => Kind::Number,
            Self::Date(..) => Kind::Date,
            Self::Code(_) => Kind::Code,
            Self::Text(_) => Kind::Text,
        }
    }

    /// Returns the spelling of the value with this code.
    pub fn spelling(&self, code: usize) -> Cow<'_, str> {
        match self {
            Self::Number(scale) | Self::Date(scale, _) => scale.spelling(code),
            Self::Code(texts) | Self::Text(texts) => Cow::Borrowed(&texts[code]),
        }
    }

    /// Returns the scale of numbers and dates, or `None` for codes and text.
    pub fn scale(&self) -> Option<&Scale> {
        match self {
            Self::Number(scale) | Self::Date(scale, _) => Some(scale),
            Self::Code(_) | Self::Text(_) => None,
        }
    }

    /// The decimal sign of numbers; a point for other values.
    pub(crate) fn decimal(&self) -> Decimal {
        self.scale().map(Scale::decimal).unwrap_or_default()
    }

    /// Formats an interval from the texts of its ends: `[a, b]`, or `[1,5; 2,5]` for numbers with a
    /// decimal comma.
    pub(crate) fn interval(&self, low: &str, high: &str) -> String {
        format!("[{low}{}{high}]", self.decimal().separator())
    }

    /// Parses a spelling in the notation of these values.
    pub(crate) fn read(&self, text: &str) -> Option<Reading> {
        match self {
            Self::Number(scale) => scale.read(text),
            Self::Date(_, format) => format.read(text),
            Self::Code(_) | Self::Text(_) => None,
        }
    }

    /// Infers one kind that fits all spellings and sorts them into values of this kind. Also
    /// returns the code of each spelling. Without spellings the kind is text. The decimal sign is
    /// inferred too unless it is given.
    pub(crate) fn infer(spellings: &[&str], sign: Option<Decimal>) -> (Self, Vec<u32>) {
        if spellings.is_empty() {
            return Self::of_texts(Kind::Text, spellings);
        }
        if let Some((sign, readings)) = read_numbers(spellings, sign) {
            // Codes are digits too, so one leading zero or one overlong number makes the whole
            // column a code.
            if spellings.iter().any(|text| scale::looks_like_code(text)) {
                return Self::of_texts(Kind::Code, spellings);
            }
            let (scale, codes) = Scale::new(&readings, spellings, sign);
            return (Self::Number(scale), codes);
        }
        if let Found::Format(format) = DateFormat::find(spellings)
            && let Ok(dates) = Self::of_dates(&format, spellings)
        {
            return dates;
        }
        Self::of_texts(Kind::Text, spellings)
    }

    /// Sorts spellings into values of the given kind, or returns the index of a spelling that does
    /// not fit the kind. The decimal sign is inferred unless it is given.
    pub(crate) fn of_kind(
        kind: Kind,
        spellings: &[&str],
        sign: Option<Decimal>,
    ) -> Result<(Self, Vec<u32>), usize> {
        match kind {
            Kind::Number => {
                let (sign, readings) =
                    read_numbers(spellings, sign).ok_or_else(|| not_a_number(spellings, sign))?;
                let (scale, codes) = Scale::new(&readings, spellings, sign);
                Ok((Self::Number(scale), codes))
            }
            Kind::Date => match DateFormat::find(spellings) {
                Found::Format(format) => Self::of_dates(&format, spellings),
                Found::Ambiguous => Err(0),
                Found::NoDate => Err(odd_one_out(spellings)),
            },
            Kind::Code | Kind::Text => Ok(Self::of_texts(kind, spellings)),
        }
    }

    /// Sorts spellings into dates of a format, or returns the index of the first that does not fit.
    pub(crate) fn of_dates(
        format: &DateFormat,
        spellings: &[&str],
    ) -> Result<(Self, Vec<u32>), usize> {
        let readings = read_all(spellings, |text| format.read(text))?;
        let (scale, codes) = Scale::new(&readings, spellings, Decimal::Point);
        Ok((Self::Date(scale, format.clone()), codes))
    }

    fn of_texts(kind: Kind, spellings: &[&str]) -> (Self, Vec<u32>) {
        let (texts, codes) = sorted_texts(spellings);
        (if kind == Kind::Code { Self::Code(texts) } else { Self::Text(texts) }, codes)
    }
}

/// Parses numbers that all have the same decimal sign. Returns `None` if they are not numbers.
///
/// Unless the sign is given, it is a point if all numbers can be read so, and otherwise a comma, but
/// not if every comma could also separate thousands.
fn read_numbers(spellings: &[&str], sign: Option<Decimal>) -> Option<(Decimal, Vec<Reading>)> {
    let read = |sign: Decimal| {
        let readings = read_all(spellings, |text| read_number_as(text, sign)).ok()?;
        sign.agrees(spellings).then_some((sign, readings))
    };
    let is_clear = |text: &&str| text.contains(',') && !decimal::is_ambiguous(text);
    match sign {
        Some(sign) => read(sign),
        None => read(Decimal::Point)
            .or_else(|| spellings.iter().any(is_clear).then(|| read(Decimal::Comma)).flatten()),
    }
}

/// Returns the decimal sign with which all spellings are numbers, or `None`.
pub(crate) fn decimal_sign(spellings: &[&str]) -> Option<Decimal> {
    read_numbers(spellings, None).map(|(sign, _)| sign)
}

/// Whether spellings are numbers only if their commas are decimal signs, but could also separate
/// thousands.
pub(super) fn have_doubtful_commas(spellings: &[&str]) -> bool {
    let comma = || read_numbers(spellings, Some(Decimal::Comma));
    spellings.iter().any(|text| decimal::is_ambiguous(text))
        && read_numbers(spellings, None).is_none()
        && comma().is_some()
}

/// Returns the index of the first spelling that is not a number, in the notation that most of them
/// have.
fn not_a_number(spellings: &[&str], sign: Option<Decimal>) -> usize {
    let is_bad = |sign: Decimal| move |text: &&&str| read_number_as(text, sign).is_none();
    let n_bad = |sign: Decimal| spellings.iter().filter(is_bad(sign)).count();
    let usual = sign.unwrap_or_else(|| match (n_bad(Decimal::Point), n_bad(Decimal::Comma)) {
        (point, comma) if comma > 0 && comma < point => Decimal::Comma,
        _ => Decimal::Point,
    });
    spellings.iter().position(|text| is_bad(usual)(&text)).unwrap_or(0)
}

/// Parses every spelling, or returns the index of the first that cannot be parsed.
fn read_all(
    spellings: &[&str],
    read: impl Fn(&str) -> Option<Reading>,
) -> Result<Vec<Reading>, usize> {
    spellings.iter().enumerate().map(|(place, text)| read(text).ok_or(place)).collect()
}

/// The distinct values of a column with their counts and the first row of each.
///
/// Values have the codes `0..len`. If the column has missing values, their code is `len`.
#[derive(Debug, Clone, PartialEq)]
pub struct Domain {
    /// The values, in order.
    pub values: Values,
    /// Number of records with each value.
    pub counts: Vec<u64>,
    /// The first row with each value, counted from 0 without the header.
    pub first_rows: Vec<u64>,
    /// The missing values of the column, if it has any.
    pub missing: Option<Missing>,
}

/// The missing values of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Missing {
    /// The spelling of a missing value in the file; the first one, if there are several.
    pub spelling: Box<str>,
    /// Number of records in which the value is missing.
    pub count: u64,
    /// The first row in which the value is missing, counted from 0 without the header.
    pub first_row: u64,
    /// Whether missing is a value of its own. Otherwise it matches any value, or the record is
    /// dropped.
    pub is_value: bool,
    /// Whether a missing value matches any value.
    pub is_wildcard: bool,
    /// The spellings that were taken as missing without being listed, because all other values of
    /// the column are numbers or dates.
    pub recognized: Vec<Recognized>,
}

/// A spelling that was taken as missing without being listed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recognized {
    /// The spelling.
    pub spelling: Box<str>,
    /// Number of records with it.
    pub count: u64,
}

impl Missing {
    /// Whether a text is a spelling of the missing values. The empty text always is.
    fn is_spelt(&self, text: &str) -> bool {
        let mut recognized = self.recognized.iter().map(|recognized| &recognized.spelling);
        *self.spelling == *text
            || text.trim().is_empty()
            || recognized.any(|spelling| **spelling == *text)
    }
}

impl Domain {
    /// Number of distinct values, not counting the missing value.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether the column has no values at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the code of the missing value, or `None` if no value is missing.
    pub fn missing_code(&self) -> Option<Code> {
        self.missing.as_ref().map(|_| Code::new(self.len()))
    }

    /// Number of codes in use: one per value, and one for missing values if there are any.
    pub fn n_codes(&self) -> usize {
        self.len() + usize::from(self.missing.is_some())
    }

    /// Iterates over the codes in order; the code of missing values is the last.
    pub fn codes(&self) -> impl ExactSizeIterator<Item = Code> + Clone + use<> {
        (0..self.n_codes() as u32).map(Code::from)
    }

    /// Number of records with this code.
    pub fn count(&self, code: Code) -> u64 {
        match &self.missing {
            Some(missing) if code.index() == self.len() => missing.count,
            _ => self.counts[code.index()],
        }
    }

    /// Returns the spelling of a code.
    pub fn spelling(&self, code: Code) -> Cow<'_, str> {
        match &self.missing {
            Some(missing) if code.index() == self.len() => Cow::Borrowed(&missing.spelling),
            _ => self.values.spelling(code.index()),
        }
    }

    /// Returns the code of a spelling. Numbers and dates are found by any spelling of the same
    /// value.
    pub fn code_of(&self, spelling: &str) -> Option<Code> {
        if self.missing.as_ref().is_some_and(|missing| missing.is_spelt(spelling)) {
            return self.missing_code();
        }
        match &self.values {
            Values::Number(scale) | Values::Date(scale, _) => {
                let reading = self.values.read(spelling)?;
                scale.place_of(reading).map(Code::new)
            }
            Values::Code(texts) | Values::Text(texts) => {
                texts.binary_search_by(|text| (**text).cmp(spelling)).ok().map(Code::new)
            }
        }
    }

    /// Maps each code of another domain of the same column to its code here, if it has one.
    pub(crate) fn codes_of(&self, other: &Self) -> Vec<Option<Code>> {
        let mut codes: Vec<Option<Code>> =
            (0..other.len()).map(|code| self.code_of(&other.values.spelling(code))).collect();
        if other.missing.is_some() {
            codes.push(self.missing_code());
        }
        codes
    }
}

fn sorted_texts(spellings: &[&str]) -> (Vec<Box<str>>, Vec<u32>) {
    let mut order: Vec<usize> = (0..spellings.len()).collect();
    order.sort_by_key(|&i| spellings[i]);
    let mut codes = vec![0; spellings.len()];
    let mut texts: Vec<Box<str>> = Vec::with_capacity(spellings.len());
    for i in order {
        if texts.last().is_none_or(|last| **last != *spellings[i]) {
            texts.push(spellings[i].into());
        }
        codes[i] = texts.len() as u32 - 1;
    }
    (texts, codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_among_numbers_makes_the_column_text() {
        assert_eq!(Values::infer(&["1", "2", "x"], None).0.kind(), Kind::Text);
        assert_eq!(Values::infer(&["1", "2.5"], None).0.kind(), Kind::Number);
    }

    #[test]
    fn decimal_commas_are_recognized_if_the_whole_column_has_them() {
        let number = |texts: &[&str]| match Values::infer(texts, None).0 {
            Values::Number(scale) => Some((scale.decimal(), scale.value(0))),
            _ => None,
        };
        assert_eq!(number(&["27,5", "30"]), Some((Decimal::Comma, 27.5)));
        assert_eq!(number(&["1.234,5", "12.345"]), Some((Decimal::Comma, 1234.5)));
        assert_eq!(number(&["1.234", "2"]), Some((Decimal::Point, 1.234)));
        for texts in [&["27,5", "27.5"][..], &["1,234", "12,500"], &["1,2", "1,2,3"]] {
            assert_eq!(number(texts), None, "{texts:?}");
        }
        assert!(have_doubtful_commas(&["1,234", "7"]) && !have_doubtful_commas(&["27,5", "7"]));
    }

    #[test]
    fn a_stated_sign_is_the_only_one() {
        let number = |texts: &[&str], sign| {
            Values::infer(texts, Some(sign)).0.scale().map(|scale| scale.value(0))
        };
        assert_eq!(number(&["1,234"], Decimal::Comma), Some(1.234));
        assert_eq!(number(&["1.234"], Decimal::Comma), Some(1234.0));
        assert_eq!(number(&["27,5"], Decimal::Point), None);
        assert_eq!(number(&["27.5"], Decimal::Comma), None);
    }

    #[test]
    fn one_leading_zero_makes_the_column_a_code() {
        assert_eq!(Values::infer(&["90210", "02139"], None).0.kind(), Kind::Code);
    }

    #[test]
    fn dates_are_in_calendar_order() {
        let (values, codes) = Values::infer(&["2024-10-01", "2024-09-30"], None);
        assert_eq!((values.kind(), codes), (Kind::Date, vec![1, 0]));
    }

    #[test]
    fn a_column_without_values_is_text() {
        assert_eq!(Values::infer(&[], None).0, Values::Text(Vec::new()));
    }

    #[test]
    fn a_word_that_should_be_a_number_is_pointed_at() {
        assert_eq!(Values::of_kind(Kind::Number, &["1", "two"], None).unwrap_err(), 1);
    }
}
