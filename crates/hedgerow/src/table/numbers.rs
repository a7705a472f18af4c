//! Reads the numbers of a column, which all have the same decimal sign.

use super::decimal::{self, Decimal};
use super::scale::{Reading, Scale, read_number_as};

/// The decimal signs that are stated or found for a column.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Signs {
    /// The sign that the user states.
    pub(super) stated: Option<Decimal>,
    /// The sign that the rest of the file shows. It decides between two readings of a column.
    pub(super) of_file: Option<Decimal>,
}

impl From<Option<Decimal>> for Signs {
    fn from(stated: Option<Decimal>) -> Self {
        Self { stated, of_file: None }
    }
}

/// The numbers of a column.
pub(super) struct Numbers {
    sign: Decimal,
    readings: Vec<Reading>,
    /// The plain forms of numbers whose thousands are separated by another sign than a point.
    plain: Option<Vec<String>>,
}

impl Numbers {
    /// Whether all numbers are whole, however they are written: `1`, `1.0`.
    pub(super) fn are_whole(&self) -> bool {
        self.readings.iter().all(|reading| reading.is_whole())
    }

    /// Sorts the numbers, and returns the place of each.
    pub(super) fn scale(&self, spellings: &[&str]) -> (Scale, Vec<u32>) {
        let Some(plain) = &self.plain else {
            return Scale::new(&self.readings, spellings, self.sign);
        };
        let texts: Vec<&str> = plain.iter().map(String::as_str).collect();
        let (scale, places) = Scale::new(&self.readings, &texts, self.sign);
        let grouped = spellings.iter().find(|text| self.sign.ungrouped(text).is_some());
        (scale.with_grouped(grouped.copied()), places)
    }
}

/// Parses numbers that all have the same decimal sign. Returns `None` if they are not numbers.
///
/// Unless the sign is stated, it is a point if all numbers can be read so, and otherwise a comma,
/// but not if every comma could also separate thousands. If two readings fit, the sign of the file
/// decides.
pub(super) fn read_numbers(spellings: &[&str], signs: impl Into<Signs>) -> Option<Numbers> {
    let Signs { stated, of_file } = signs.into();
    if let Some(sign) = stated {
        return read_plain(spellings, sign).or_else(|| read_grouped(spellings, sign));
    }
    let is_clear = |text: &&str| {
        (text.contains(',') && !decimal::is_ambiguous(text)) || text.matches('.').count() > 1
    };
    if let Some(numbers) = read_plain(spellings, Decimal::Point) {
        let is_other = of_file == Some(Decimal::Comma) && may_have_thousands(spellings);
        let other = is_other.then(|| read_plain(spellings, Decimal::Comma)).flatten();
        return other.or(Some(numbers));
    }
    let read = |sign| read_plain(spellings, sign).or_else(|| read_grouped(spellings, sign));
    if spellings.iter().any(is_clear)
        && let Some(numbers) = read(Decimal::Comma)
    {
        return Some(numbers);
    }
    let is_comma = of_file == Some(Decimal::Comma);
    read_plain(spellings, Decimal::Comma)
        .filter(|_| is_comma)
        .or_else(|| read_grouped(spellings, Decimal::Point))
        .filter(|_| is_comma || have_thousands(spellings, of_file))
}

/// Parses numbers with a decimal sign; points can separate thousands if it is a comma.
fn read_plain(spellings: &[&str], sign: Decimal) -> Option<Numbers> {
    let readings = read_all(spellings, |text| read_number_as(text, sign)).ok()?;
    sign.agrees(spellings).then_some(Numbers { sign, readings, plain: None })
}

/// Parses numbers in which commas, blanks or apostrophes separate thousands.
fn read_grouped(spellings: &[&str], sign: Decimal) -> Option<Numbers> {
    let plain: Vec<String> = (spellings.iter())
        .map(|text| sign.ungrouped(text).unwrap_or_else(|| (*text).to_owned()))
        .collect();
    // `1234` next to `1,234` shows that the comma does not separate thousands.
    let is_ungrouped =
        |(text, plain): (&&str, &String)| **text == **plain && decimal::n_leading_digits(text) > 3;
    if spellings.iter().zip(&plain).any(is_ungrouped) {
        return None;
    }
    let texts: Vec<&str> = plain.iter().map(String::as_str).collect();
    let readings = read_all(&texts, |text| read_number_as(text, sign)).ok()?;
    Some(Numbers { sign, readings, plain: Some(plain) })
}

/// Whether the signs in whole numbers with a decimal point can only separate thousands.
///
/// A comma is a decimal sign of numbers with three decimals as well. It is not if one number has
/// two commas or a point, if the file has another decimal sign, or if zeros end a number (so
/// decimals are not cut) and another number has no comma (so they are). Blanks separate the digits
/// of telephone numbers, too, which all have the same length.
fn have_thousands(spellings: &[&str], of_file: Option<Decimal>) -> bool {
    if !spellings.iter().any(|text| text.contains(',')) {
        let n_digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
        return spellings.windows(2).any(|pair| n_digits(pair[0]) != n_digits(pair[1]));
    }
    let is_proof = |text: &&str| text.matches(',').count() > 1 || text.contains('.');
    let is_uncut = |text: &&str| text.contains(',') && text.trim_end().ends_with('0');
    of_file == Some(Decimal::Point)
        || spellings.iter().any(is_proof)
        || (spellings.iter().any(is_uncut) && spellings.iter().any(|text| !text.contains(',')))
}

/// Whether the points of numbers can also separate thousands: all that have one have three digits
/// after it, as in `11.724` and `613`.
fn may_have_thousands(spellings: &[&str]) -> bool {
    let is_pointed = |text: &&&str| text.contains('.');
    let mut pointed = spellings.iter().filter(is_pointed).peekable();
    pointed.peek().is_some() && pointed.all(|text| decimal::has_thousands(text, '.'))
}

/// Returns the decimal sign with which all spellings are numbers, or `None`.
pub(crate) fn decimal_sign(spellings: &[&str]) -> Option<Decimal> {
    let found = read_numbers(spellings, None)?;
    // Numbers with separated thousands may not be readable with their sign alone.
    let is_readable = found.plain.is_none() || read_plain(spellings, found.sign).is_some();
    is_readable.then_some(found.sign)
}

/// Returns the decimal sign that columns of a file show: that of all columns of numbers with
/// decimals whose sign cannot separate thousands. Returns `None` if there are none, or if they
/// differ.
pub(crate) fn sign_of_columns<'a>(columns: impl Iterator<Item = &'a [String]>) -> Option<Decimal> {
    let shown = |fields: &[String]| {
        let texts: Vec<&str> = fields.iter().map(String::as_str).collect();
        let sign = read_numbers(&texts, None)?.sign;
        let is_clear =
            |text: &&str| text.contains(sign.sign()) && !decimal::has_thousands(text, sign.sign());
        texts.iter().any(is_clear).then_some(sign)
    };
    let mut signs = columns.filter_map(shown);
    let first = signs.next()?;
    signs.all(|sign| sign == first).then_some(first)
}

/// Whether spellings are numbers only if their commas are decimal signs, but could also separate
/// thousands.
pub(super) fn have_doubtful_commas(spellings: &[&str]) -> bool {
    let comma = || read_numbers(spellings, Some(Decimal::Comma));
    spellings.iter().any(|text| decimal::is_ambiguous(text))
        && read_numbers(spellings, None).is_none()
        && comma().is_some()
}

/// Whether the points of numbers could also separate thousands, because some numbers have none and
/// all others have three digits after it.
pub(super) fn have_doubtful_points(spellings: &[&str]) -> bool {
    const FEWEST: usize = 3;
    let n_pointed = spellings.iter().filter(|text| text.contains('.')).count();
    n_pointed >= FEWEST
        && n_pointed < spellings.len()
        && may_have_thousands(spellings)
        && read_plain(spellings, Decimal::Comma).is_some()
}

/// Returns the index of the first spelling that is not a number, in the notation that most of them
/// have.
pub(super) fn not_a_number(spellings: &[&str], sign: Option<Decimal>) -> usize {
    let is_bad = |sign: Decimal| {
        move |text: &&&str| {
            let plain = sign.ungrouped(text);
            read_number_as(plain.as_deref().unwrap_or(text), sign).is_none()
        }
    };
    let n_bad = |sign: Decimal| spellings.iter().filter(is_bad(sign)).count();
    let usual = sign.unwrap_or_else(|| match (n_bad(Decimal::Point), n_bad(Decimal::Comma)) {
        // Ties go to the point; a comma must fit more spellings.
        (point, comma) if comma > 0 && comma < point => Decimal::Comma,
        _ => Decimal::Point,
    });
    spellings.iter().position(|text| is_bad(usual)(&text)).unwrap_or(0)
}

/// Parses every spelling, or returns the index of the first that cannot be parsed.
pub(super) fn read_all(
    spellings: &[&str],
    read: impl Fn(&str) -> Option<Reading>,
) -> Result<Vec<Reading>, usize> {
    spellings.iter().enumerate().map(|(place, text)| read(text).ok_or(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(texts: &[&str], of_file: Option<Decimal>) -> Option<(String, f64)> {
        let numbers = read_numbers(texts, Signs { stated: None, of_file })?;
        let (scale, places) = numbers.scale(texts);
        let place = places[0] as usize;
        Some((scale.spelling(place).into_owned(), scale.value(place)))
    }

    #[test]
    fn a_typeset_minus_is_a_minus() {
        assert_eq!(number(&["\u{2212}12.5", "3"], None), Some(("\u{2212}12.5".into(), -12.5)));
        assert_eq!(number(&["\u{2212}-12", "3"], None), None);
    }

    #[test]
    fn separated_thousands_are_read_where_nothing_else_fits() {
        for (texts, plain) in [
            (&["1,234,567", "12"][..], "1234567"),
            (&["1,234.5", "12"], "1234.5"),
            (&["35,000", "613"], "35000"),
            (&["1 234", "987"], "1234"),
            (&["1'234", "12'345"], "1234"),
        ] {
            let wanted = Some((plain.to_owned(), plain.parse().unwrap()));
            assert_eq!(number(texts, None), wanted, "{texts:?}");
        }
        assert_eq!(number(&["1.234.567", "12"], None), Some(("1.234.567".into(), 1_234_567.0)));
        assert_eq!(number(&["1 234,5", "12"], None), Some(("1234,5".into(), 1234.5)));
    }

    #[test]
    fn two_readings_are_not_guessed() {
        for texts in [&["1,234", "7"][..], &["1,234", "12,500"], &["601 234 567", "602 111 222"]] {
            assert_eq!(number(texts, None), None, "{texts:?}");
        }
        assert_eq!(number(&["1,234", "1234"], Some(Decimal::Point)), None);
        assert_eq!(number(&["1,234", "7"], Some(Decimal::Point)), Some(("1234".into(), 1234.0)));
        assert_eq!(number(&["1,234", "7"], Some(Decimal::Comma)), Some(("1,234".into(), 1.234)));
    }

    #[test]
    fn a_file_has_the_sign_of_all_its_columns() {
        let sign = |columns: &[&[&str]]| {
            let owned: Vec<Vec<String>> =
                columns.iter().map(|c| c.iter().map(|&text| text.to_owned()).collect()).collect();
            sign_of_columns(owned.iter().map(Vec::as_slice))
        };
        assert_eq!(
            sign(&[&["46,5", "54,2"], &["11.724", "613"], &["m", "w"]]),
            Some(Decimal::Comma)
        );
        assert_eq!(sign(&[&["46.5"], &["11,724"]]), Some(Decimal::Point));
        assert_eq!(sign(&[&["46,5"], &["46.5"]]), None);
        assert_eq!(sign(&[&["11.724"], &["25"]]), None);
    }

    #[test]
    fn the_file_tells_what_a_point_is() {
        let incomes = ["11.724", "613", "80.022"];
        assert_eq!(number(&incomes, None).unwrap().1.to_string(), "11.724");
        assert_eq!(number(&incomes, Some(Decimal::Comma)), Some(("11.724".into(), 11724.0)));
        assert_eq!(number(&["11.72", "613"], Some(Decimal::Comma)).unwrap().1.to_string(), "11.72");
        assert!(!have_doubtful_points(&incomes), "two points are few");
        assert!(have_doubtful_points(&["11.724", "613", "80.022", "9.100"]));
        assert!(!have_doubtful_points(&["11.724", "12.5", "80.022", "9.100", "7"]));
        assert!(!have_doubtful_points(&["11.724", "1234", "80.022", "9.100"]));
    }
}
