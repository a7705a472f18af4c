//! The values of a column and their frequencies.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::codes;
use super::date::DateFormat;
use super::date_search::{Found, odd_one_out};
use super::decimal::Decimal;
use super::missing::{Missing, is_usual};
use super::numbers::{Signs, not_a_number, read_all, read_numbers};
use super::scale::{self, Reading, Scale};
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

    /// Infers one kind that fits all spellings of a column and sorts them into values of this
    /// kind. Also returns the code of each spelling. Without spellings the kind is text. The
    /// decimal sign is inferred too unless it is stated.
    ///
    /// Whole numbers are codes if one is padded with zeros or has too many digits, or if the name
    /// of the column says so, and categories if there are only two of them in many records.
    /// Addresses and diagnoses are codes too.
    pub(crate) fn infer(
        name: &str,
        spellings: &[&str],
        n_records: u64,
        signs: impl Into<Signs>,
    ) -> (Self, Vec<u32>) {
        if spellings.is_empty() {
            return Self::of_texts(Kind::Text, spellings);
        }
        // Addresses and months with dots can look like numbers.
        if spellings.iter().all(|text| codes::is_address(text)) {
            return Self::of_texts(Kind::Code, spellings);
        }
        if let Some(format) = DateFormat::find_dotted_months(spellings)
            && let Ok(dates) = Self::of_dates(&format, spellings)
        {
            return dates;
        }
        if let Some(numbers) = read_numbers(spellings, signs) {
            // Codes are tested before the scale is made, because a number would lose its leading
            // zeros.
            if are_digit_codes(name, spellings) {
                return Self::of_texts(Kind::Code, spellings);
            }
            let (scale, codes) = numbers.scale(spellings);
            // A column of 0 and 1 has categories: intervals of it say nothing.
            // So has one of 0.0 and 1.0, a common form of numbers with missing values.
            let are_whole = scale.is_whole() || (spellings.len() == 2 && numbers.are_whole());
            if scale.len() == 2 && n_records >= FEWEST_RECORDS && are_whole {
                return Self::of_texts(Kind::Text, spellings);
            }
            return (Self::Number(scale), codes);
        }
        if let Found::Format(format) = DateFormat::find(spellings)
            && let Ok(dates) = Self::of_dates(&format, spellings)
        {
            return dates;
        }
        let is_code =
            codes::are_diagnoses(name, spellings) || codes::are_postal_codes(name, spellings);
        Self::of_texts(if is_code { Kind::Code } else { Kind::Text }, spellings)
    }

    /// Sorts spellings into values of the given kind, or returns the index of a spelling that does
    /// not fit the kind. The decimal sign is inferred unless it is stated.
    pub(crate) fn of_kind(
        kind: Kind,
        spellings: &[&str],
        signs: impl Into<Signs>,
    ) -> Result<(Self, Vec<u32>), usize> {
        match kind {
            Kind::Number => {
                let signs = signs.into();
                let numbers = read_numbers(spellings, signs)
                    .ok_or_else(|| not_a_number(spellings, signs.stated))?;
                let (scale, codes) = numbers.scale(spellings);
                Ok((Self::Number(scale), codes))
            }
            Kind::Date => match DateFormat::find(spellings) {
                Found::Format(format) => Self::of_dates(&format, spellings),
                // No value is wrong on its own, so the first is named.
                Found::Ambiguous(_) => Err(0),
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

/// Two whole numbers are categories if at least this number of records have them; the two ages of a
/// few people are not.
const FEWEST_RECORDS: u64 = 20;

/// Whether numbers are codes: one leading zero or one overlong number makes the whole column a
/// code, and so does its name.
fn are_digit_codes(name: &str, spellings: &[&str]) -> bool {
    let is_digits = |text: &&str| text.trim().bytes().all(|byte| byte.is_ascii_digit());
    let longest = spellings.iter().map(|text| text.trim().len()).max().unwrap_or(0);
    spellings.iter().any(|text| scale::looks_like_code(text))
        || (codes::are_codes(name, longest) && spellings.iter().all(is_digits))
}

/// Whether a column of numbers may have categories instead: few small whole numbers, each of them
/// in many records.
pub fn may_be_categories(domain: &Domain) -> bool {
    const MOST_VALUES: usize = 9;
    const GREATEST: f64 = 20.0;
    let Values::Number(scale) = &domain.values else { return false };
    let n_records: u64 = domain.counts.iter().sum();
    let is_small = scale.ends().is_some_and(|(least, most)| least >= 0.0 && most <= GREATEST);
    let is_often = n_records >= FEWEST_RECORDS * scale.len() as u64;
    // Codes become `2.0` in programs that know missing numbers only as fractions.
    let are_whole = (0..scale.len()).all(|place| scale.value(place).fract() == 0.0);
    are_whole && (2..=MOST_VALUES).contains(&scale.len()) && is_small && is_often
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

impl Domain {
    /// Returns the same values as numbers, or `None` if one of them is not a number.
    pub(crate) fn as_numbers(&self) -> Option<Self> {
        let spelt: Vec<_> = (0..self.len()).map(|code| self.values.spelling(code)).collect();
        let texts: Vec<&str> = spelt.iter().map(AsRef::as_ref).collect();
        let (values, codes) = Values::of_kind(Kind::Number, &texts, None).ok()?;
        let mut numbers = Self {
            counts: vec![0; values.len()],
            first_rows: vec![u64::MAX; values.len()],
            values,
            missing: self.missing.clone(),
        };
        // Texts such as `7` and `7.0` become one number.
        for (old, &new) in codes.iter().enumerate() {
            numbers.counts[new as usize] += self.counts[old];
            let first = &mut numbers.first_rows[new as usize];
            *first = self.first_rows[old].min(*first);
        }
        Some(numbers)
    }

    /// Number of distinct values, not counting the missing value.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether the column has no values at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the code of the missing value, or `None` if no value is missing.
    pub(crate) fn missing_code(&self) -> Option<Code> {
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
    pub(crate) fn code_of(&self, spelling: &str) -> Option<Code> {
        // Among numbers and dates, a usual spelling has no other meaning.
        let is_scale = self.values.scale().is_some();
        let is_missing =
            |missing: &Missing| missing.is_spelt(spelling) || (is_scale && is_usual(spelling));
        if self.missing.as_ref().is_some_and(is_missing) {
            return self.missing_code();
        }
        match &self.values {
            Values::Number(scale) | Values::Date(scale, _) => {
                let reading = self.values.read(spelling)?;
                scale.place_of(reading).map(Code::new)
            }
            Values::Code(texts) | Values::Text(texts) => {
                // Texts are sorted by bytes, as `cmp` of `str` compares them.
                texts.binary_search_by(|text| (**text).cmp(spelling)).ok().map(Code::new)
            }
        }
    }

    /// Whether a published spelling of this column is that of a missing value. A usual spelling is
    /// one unless it is a value here: other tools write `NA` where a cell is empty or hidden.
    pub(crate) fn is_missing(&self, spelling: &str) -> bool {
        match self.code_of(spelling) {
            Some(code) => Some(code) == self.missing_code(),
            None => spelling.trim().is_empty() || is_usual(spelling),
        }
    }

    /// Maps each code of another domain of the same column to its code here, if it has one.
    pub(crate) fn codes_of(&self, other: &Self) -> Vec<Option<Code>> {
        // The code of missing values is the last in both domains.
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
    use super::super::numbers::have_doubtful_commas;
    use super::*;

    fn kind(name: &str, texts: &[&str]) -> Kind {
        Values::infer(name, texts, 10, None).0.kind()
    }

    #[test]
    fn one_word_among_numbers_makes_the_column_text() {
        assert_eq!(kind("x", &["1", "2", "x"]), Kind::Text);
        assert_eq!(kind("x", &["1", "2.5"]), Kind::Number);
    }

    #[test]
    fn addresses_and_diagnoses_are_codes() {
        assert_eq!(kind("x", &["10.0.0.1", "192.168.1.20"]), Kind::Code);
        assert_eq!(kind("x", &["::1", "2001:db8::7"]), Kind::Code);
        assert_eq!(kind("x", &["I21.9", "E11"]), Kind::Code);
        assert_eq!(kind("diagnosis", &["I219", "E119"]), Kind::Code);
        assert_eq!(kind("seat", &["A10", "B12"]), Kind::Text);
    }

    #[test]
    fn whole_numbers_are_codes_if_their_column_says_so() {
        assert_eq!(kind("zip", &["90210", "10001"]), Kind::Code);
        assert_eq!(kind("zip", &["90210", "-1"]), Kind::Number);
        assert_eq!(kind("zip", &["902.5", "10001"]), Kind::Number);
        assert_eq!(kind("age", &["90210", "10001"]), Kind::Number);
    }

    #[test]
    fn two_whole_numbers_in_many_records_are_categories() {
        let kind = |texts: &[&str], n_records| Values::infer("x", texts, n_records, None).0.kind();
        assert_eq!(kind(&["0", "1"], 20), Kind::Text);
        assert_eq!(kind(&["0.0", "1.0"], 20), Kind::Text);
        assert_eq!(kind(&["0", "1"], 19), Kind::Number);
        assert_eq!(kind(&["0", "1", "2"], 500), Kind::Number);
        assert_eq!(kind(&["0.5", "1"], 500), Kind::Number);
    }

    #[test]
    fn decimal_commas_are_recognized_if_the_whole_column_has_them() {
        let number = |texts: &[&str]| match Values::infer("x", texts, 10, None).0 {
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
            Values::infer("x", texts, 10, Some(sign)).0.scale().map(|scale| scale.value(0))
        };
        assert_eq!(number(&["1,234"], Decimal::Comma), Some(1.234));
        assert_eq!(number(&["1.234"], Decimal::Comma), Some(1234.0));
        assert_eq!(number(&["27,5"], Decimal::Point), None);
        assert_eq!(number(&["27.5"], Decimal::Comma), None);
    }

    #[test]
    fn one_leading_zero_makes_the_column_a_code() {
        assert_eq!(kind("x", &["90210", "02139"]), Kind::Code);
    }

    #[test]
    fn dates_are_in_calendar_order() {
        let (values, codes) = Values::infer("x", &["2024-10-01", "2024-09-30"], 2, None);
        assert_eq!((values.kind(), codes), (Kind::Date, vec![1, 0]));
    }

    #[test]
    fn a_column_without_values_is_text() {
        assert_eq!(Values::infer("x", &[], 0, None).0, Values::Text(Vec::new()));
    }

    #[test]
    fn a_word_that_should_be_a_number_is_pointed_at() {
        assert_eq!(Values::of_kind(Kind::Number, &["1", "two"], None).unwrap_err(), 1);
    }
}
