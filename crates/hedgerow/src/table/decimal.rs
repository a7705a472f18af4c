//! The decimal sign of numbers.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// The sign between the whole part of a number and its decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Decimal {
    /// `27.5`.
    #[default]
    #[serde(rename = ".")]
    Point,
    /// `27,5`, with or without points between thousands: `1.234,5`.
    #[serde(rename = ",")]
    Comma,
}

impl Decimal {
    /// The sign itself.
    pub fn sign(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    /// Returns the text between the ends of an interval. Two numbers with commas are separated by a
    /// semicolon, so that `[22,1; 27,5]` has one meaning.
    pub(crate) fn separator(self) -> &'static str {
        match self {
            Self::Point => ", ",
            Self::Comma => "; ",
        }
    }

    /// Converts a number with a decimal point to this notation.
    pub(crate) fn write(self, number: String) -> String {
        match self {
            Self::Point => number,
            Self::Comma => number.replace('.', ","),
        }
    }

    /// Converts a number in this notation to one with a decimal point and without points between
    /// thousands. Returns `None` if a point is neither.
    pub(crate) fn to_point(self, text: &str) -> Option<Cow<'_, str>> {
        if self == Self::Point {
            return Some(Cow::Borrowed(text));
        }
        let (whole, fraction) = text.split_once(',').unwrap_or((text, ""));
        // A second comma, a point after the comma and a trailing comma are not decimal notation.
        if fraction.contains(['.', ',']) || (fraction.is_empty() && text.contains(',')) {
            return None;
        }
        if whole.contains('.') && !is_grouped(unsigned(whole), '.') {
            return None;
        }
        let plain = text.replace('.', "").replace(',', ".");
        Some(Cow::Owned(plain))
    }

    /// Signs that separate thousands in numbers with this decimal sign.
    fn separators(self) -> [char; 6] {
        let other = match self {
            Self::Point => ',',
            Self::Comma => '.',
        };
        // The blank that cannot be broken, and its narrow form, are what spreadsheets write.
        [other, ' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}']
    }

    /// Returns a number with separated thousands in plain form, with this decimal sign: `35000` for
    /// `35,000`. Returns `None` if it has no thousands that are separated.
    pub(super) fn ungrouped(self, text: &str) -> Option<String> {
        let text = text.trim();
        let (whole, fraction) = text.split_once(self.sign()).unwrap_or((text, "0"));
        let separators = self.separators();
        let separator = whole.chars().find(|sign| separators.contains(sign))?;
        let is_fraction = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
        let is_number = is_fraction && is_grouped(unsigned(whole), separator);
        is_number.then(|| text.replace(separator, ""))
    }

    /// Whether numbers in this notation agree on whether thousands are separated.
    pub(super) fn agrees(self, texts: &[&str]) -> bool {
        let whole = |text: &str| unsigned(text.split(',').next().unwrap_or("")).len();
        // `1234` next to `1.234` shows that the point does not separate thousands.
        let is_ungrouped = |text: &&str| !text.contains('.') && whole(text) > 3;
        let has_groups = self == Self::Comma && texts.iter().any(|text| text.contains('.'));
        !(has_groups && texts.iter().any(is_ungrouped))
    }
}

impl std::str::FromStr for Decimal {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<Self> {
        match text {
            "." => Ok(Self::Point),
            "," => Ok(Self::Comma),
            other => Err(crate::Error::unknown("decimal sign", other, [".", ","].into_iter())),
        }
    }
}

/// Whether the comma of a number can also separate thousands: `1,234` is 1.234 or 1234.
pub(super) fn is_ambiguous(text: &str) -> bool {
    has_thousands(text, ',')
}

/// Whether a sign can separate the thousands of a whole number.
pub(super) fn has_thousands(text: &str, sign: char) -> bool {
    is_grouped(unsigned(text.trim()), sign)
}

/// Number of digits before the first sign that is not a digit.
pub(super) fn n_leading_digits(text: &str) -> usize {
    unsigned(text).bytes().take_while(u8::is_ascii_digit).count()
}

fn unsigned(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

/// Whether a text consists of one to three digits, the first of which is not 0, followed by groups
/// of three digits after a sign.
fn is_grouped(text: &str, sign: char) -> bool {
    let mut groups = text.split(sign);
    let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().unwrap_or("");
    let mut others = groups.peekable();
    let is_first = (1..=3).contains(&first.len()) && is_digits(first) && !first.starts_with('0');
    is_first && others.peek().is_some() && others.all(|group| group.len() == 3 && is_digits(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_become_points_and_thousands_are_joined() {
        let point = |text| Decimal::Comma.to_point(text).map(Cow::into_owned);
        for (text, plain) in
            [("27,5", "27.5"), ("-1.234,5", "-1234.5"), ("1.234.567", "1234567"), ("12", "12")]
        {
            assert_eq!(point(text).as_deref(), Some(plain));
        }
        for text in ["27.5", "1,2,3", "1,234.5", "12.34,5", "0.123,4", "1234.567,8", "5,"] {
            assert_eq!(point(text), None, "{text}");
        }
    }

    #[test]
    fn three_digits_after_a_comma_have_two_meanings() {
        for text in ["1,234", "-12,500", " 1,234,567 "] {
            assert!(is_ambiguous(text), "{text}");
        }
        for text in ["0,234", "1,23", "1234,567", "1,2345", "12"] {
            assert!(!is_ambiguous(text), "{text}");
        }
    }

    #[test]
    fn separated_thousands_are_joined() {
        let point = |text| Decimal::Point.ungrouped(text);
        for (text, plain) in [
            ("35,000", "35000"),
            ("-1,234,567.5", "-1234567.5"),
            ("1 234", "1234"),
            ("1'234'567", "1234567"),
            ("1\u{202f}234", "1234"),
        ] {
            assert_eq!(point(text).as_deref(), Some(plain), "{text}");
        }
        for text in ["35000", "1,23", "1,2345", "0,123", "1 234,5", "1,234 567", "1,234."] {
            assert_eq!(point(text), None, "{text}");
        }
        assert_eq!(Decimal::Comma.ungrouped("1 234,5").as_deref(), Some("1234,5"));
    }

    #[test]
    fn thousands_are_separated_in_all_numbers_or_in_none() {
        assert!(Decimal::Comma.agrees(&["1.234,5", "999,5", "12.345"]));
        assert!(Decimal::Comma.agrees(&["1234,5", "999,5"]));
        assert!(!Decimal::Comma.agrees(&["1.234,5", "1234,5"]));
    }
}
