//! Reads the numbers of a column, which all have the same decimal sign.

use super::decimal::{self, Decimal};
use super::scale::{Reading, read_number_as};

/// Parses numbers that all have the same decimal sign. Returns `None` if they are not numbers.
///
/// Unless the sign is given, it is a point if all numbers can be read so, and otherwise a comma, but
/// not if every comma could also separate thousands.
pub(super) fn read_numbers(
    spellings: &[&str],
    sign: Option<Decimal>,
) -> Option<(Decimal, Vec<Reading>)> {
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
pub(super) fn not_a_number(spellings: &[&str], sign: Option<Decimal>) -> usize {
    let is_bad = |sign: Decimal| move |text: &&&str| read_number_as(text, sign).is_none();
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
