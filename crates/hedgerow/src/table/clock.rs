//! Parses times of day, and digits.

use super::scale::Reading;

/// Splits `text` after its leading digits, or returns `None` if it has none.
pub(super) fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Parses one or two leading digits as an hour and returns it with the rest.
fn hour(text: &str) -> Option<(i64, &str)> {
    let (number, rest) = digits(text)?;
    let number = number.parse().ok().filter(|&found| number.len() <= 2 && found <= 23)?;
    Some((number, rest))
}

/// Parses exactly two leading digits as a number up to `most` and returns it with the rest.
fn two_digits(text: &str, most: i64) -> Option<(i64, &str)> {
    let (number, rest) = digits(text)?;
    let number = number.parse().ok().filter(|&found| number.len() == 2 && found <= most)?;
    Some((number, rest))
}

/// Parses the time of day that follows a date: `8:30`, `10:30`, `10:30:59` or `10:30:59.25`, each
/// with an optional `Z` or `+02:00`. `day` is midnight of the date, in seconds.
pub(super) fn read_time(day: i64, text: &str) -> Option<Reading> {
    let (hour, rest) = hour(text)?;
    let (minute, mut rest) = two_digits(rest.strip_prefix(':')?, 59)?;
    let mut seconds = day + 3600 * hour + 60 * minute;
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix(':') {
        let second;
        (second, rest) = two_digits(after, 59)?;
        seconds += second;
        if let Some(after) = rest.strip_prefix(['.', ',']) {
            (fraction, rest) = digits(after)?;
        }
    }
    // A clock ahead of UTC shows a later time, so its offset is subtracted.
    seconds -= offset(rest.trim_start())?;
    // Trailing zeros do not change the value but would make the unit smaller.
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 9 {
        return None;
    }
    let unit = 10i64.pow(fraction.len() as u32);
    let parts: i64 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    // Ticks of the fraction's own unit are exact; years far from 1970 can overflow and become
    // floats.
    match seconds.checked_mul(unit).and_then(|whole| whole.checked_add(parts)) {
        Some(ticks) => Some(Reading::exact(ticks, fraction.len() as u32)),
        None => Some(Reading::float(seconds as f64 + parts as f64 / unit as f64)),
    }
}

/// Seconds by which a clock is ahead of UTC, from an empty text, `Z`, `+02`, `+0200` or `+02:00`.
fn offset(text: &str) -> Option<i64> {
    if matches!(text, "" | "Z" | "z") {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let rest = text.strip_prefix(['+', '-'])?;
    // `get` also refuses a cut in the middle of a character.
    let (hours, _) = two_digits(rest.get(..2)?, 23)?;
    let minutes = match rest[2..].strip_prefix(':').unwrap_or(&rest[2..]) {
        "" => 0,
        minutes => two_digits(minutes, 59).filter(|(_, rest)| rest.is_empty())?.0,
    };
    Some(sign * (3600 * hours + 60 * minutes))
}
