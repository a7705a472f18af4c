//! Spelling of values of typed columns as text, the same for files and for tables in memory.

use std::fmt::Arguments;
use std::io::Write;

use chrono::{DateTime, Days, NaiveDate, NaiveTime};

/// Appends formatted text. Floating-point numbers are written with `{:?}`, the shortest digits that
/// give the same number again.
///
/// # Errors
///
/// The problem of formatting, which does not occur with numbers.
pub fn write(out: &mut Vec<u8>, text: Arguments<'_>) -> Result<(), String> {
    out.write_fmt(text).map_err(|error| error.to_string())
}

/// Appends a whole number, faster than [`write()`] does.
///
/// # Examples
///
/// ```
/// use hedgerow::io::spelling;
/// let mut text = Vec::new();
/// spelling::whole(-120, &mut text);
/// assert_eq!(text, b"-120");
/// ```
pub fn whole(number: i64, out: &mut Vec<u8>) {
    // The largest number has 19 digits.
    let mut digits = [0; 19];
    let mut start = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[start..]);
}

/// Appends an integer with a decimal point before its last `scale` digits.
///
/// # Errors
///
/// Those of [`write()`].
///
/// # Examples
///
/// ```
/// use hedgerow::io::spelling;
/// let mut text = Vec::new();
/// spelling::decimal("-5", 2, &mut text)?;
/// assert_eq!(text, b"-0.05");
/// # Ok::<(), String>(())
/// ```
pub fn decimal(number: &str, scale: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    if scale == 0 {
        return write(out, format_args!("{sign}{digits}"));
    }
    // At least one digit remains before the point: 5 with scale 2 is 0.05.
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    write(out, format_args!("{sign}{whole}.{part}"))
}

/// Appends the date that is a number of days after 1970-01-01.
///
/// # Errors
///
/// The problem of a date outside the calendar.
pub fn date(days: i128, out: &mut Vec<u8>) -> Result<(), String> {
    let epoch = NaiveDate::default();
    let distance = Days::new(days.unsigned_abs() as u64);
    let found =
        if days < 0 { epoch.checked_sub_days(distance) } else { epoch.checked_add_days(distance) };
    let found = found.ok_or_else(|| {
        format!("the date {days} days after 1970-01-01 is outside the range of the calendar")
    })?;
    write(out, format_args!("{}", found.format("%Y-%m-%d")))
}

/// Appends a time of day, in nanoseconds since midnight.
///
/// # Errors
///
/// The problem of a time outside a day.
pub fn time(nanos: i128, out: &mut Vec<u8>) -> Result<(), String> {
    // Before 1970 the fraction of a second still counts forward, hence Euclidean division.
    let part = nanos.rem_euclid(1_000_000_000) as u32;
    let found = u32::try_from(nanos.div_euclid(1_000_000_000))
        .ok()
        .and_then(|seconds| NaiveTime::from_num_seconds_from_midnight_opt(seconds, part))
        .ok_or("this is not a time of day")?;
    write(out, format_args!("{}", found.format("%H:%M:%S%.f")))
}

/// Appends a date with a time of day, in nanoseconds since 1970-01-01.
///
/// # Errors
///
/// The problem of a moment outside the calendar.
pub fn moment(nanos: i128, out: &mut Vec<u8>) -> Result<(), String> {
    let part = nanos.rem_euclid(1_000_000_000) as u32;
    let moment = i64::try_from(nanos.div_euclid(1_000_000_000))
        .ok()
        .and_then(|seconds| DateTime::from_timestamp(seconds, part))
        .ok_or("this moment is outside the range of the calendar")?;
    write(out, format_args!("{}", moment.format("%Y-%m-%d %H:%M:%S%.f")))
}
