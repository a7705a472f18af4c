//! Dates and timestamps in the notations of different countries.

use std::fmt::{self, Write};
use std::str::FromStr;

use chrono::format::{Item, Parsed, StrftimeItems};
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime};
use serde::{Deserialize, Serialize};

use super::scale::Reading;
use crate::error::Advice;
use crate::{Error, Result};

/// The notation of the dates of a column.
///
/// `ymd` (or `iso`), `dmy` and `mdy` give the order of day, month and year, which are separated by
/// `-`, `/` or `.`. The year has four digits, and a time of day can follow, with fractions of a
/// second and an offset from UTC. Any other notation is a `strftime` pattern.
///
/// A year of two digits (`%y`) is one of the hundred years that end in [`DateFormat::LAST_YEAR`], so
/// that a year of birth is not in the future. Another last year follows the pattern:
/// `%d.%m.%y until 2050`.
///
/// ```
/// use hedgerow::table::DateFormat;
/// let format: DateFormat = "%d %b %Y".parse()?;
/// assert!(format.reads("31 Dec 2024") && !format.reads("2024-12-31"));
/// assert!("%Y-%m".parse::<DateFormat>().is_err());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DateFormat(Form);

#[derive(Debug, Clone, PartialEq)]
enum Form {
    Order(Order),
    Pattern { text: String, items: Vec<Item<'static>>, years: Years },
}

/// How years of two digits are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Years {
    /// Whether the pattern has them.
    are_short: bool,
    /// The last of the hundred years.
    last: i32,
    /// Whether the last year is stated.
    is_stated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Ymd,
    Dmy,
    Mdy,
}

const ORDERS: [Order; 3] = [Order::Ymd, Order::Dmy, Order::Mdy];

/// Result of detecting the date format of a column.
pub(crate) enum Found {
    /// All values are dates of this format.
    Format(DateFormat),
    /// All values are dates, but day and month cannot be told apart.
    Ambiguous,
    /// No order of day, month and year fits all values.
    NoDate,
}

impl DateFormat {
    /// Year, month and day, as in ISO 8601.
    pub const ISO: Self = Self(Form::Order(Order::Ymd));

    /// The last year that is written with two digits, unless the format states another. It belongs
    /// to the version of hedgerow, because the same job must give the same release in other years.
    pub(crate) const LAST_YEAR: i32 = 2026;

    /// Returns the first and the last year that are written with two digits, if they are and the
    /// last one is not stated.
    pub(crate) fn short_years(&self) -> Option<(i32, i32)> {
        match &self.0 {
            Form::Pattern { years: Years { are_short: true, last, is_stated: false }, .. } => {
                Some((last - 99, *last))
            }
            _ => None,
        }
    }

    /// The format without its last year.
    pub(crate) fn pattern(&self) -> &str {
        match &self.0 {
            Form::Order(order) => order.name(),
            Form::Pattern { text, .. } => text.split(UNTIL).next().unwrap_or(text),
        }
    }

    /// Whether `text` is a date of this format.
    pub fn reads(&self, text: &str) -> bool {
        self.read(text).is_some()
    }

    /// Parses a date or a timestamp as seconds since 1970, in UTC unless `text` has another offset.
    pub(crate) fn read(&self, text: &str) -> Option<Reading> {
        match &self.0 {
            Form::Order(order) => order.read(text.trim()),
            Form::Pattern { items, years, .. } => read_pattern(items, text.trim(), years.last),
        }
    }

    /// Detects the format that fits all texts.
    ///
    /// If both day and month could come first, the result is ambiguous, except that dates written
    /// with dots put the day first.
    pub(crate) fn find(texts: &[&str]) -> Found {
        let fits = |order: Order| texts.iter().all(|text| order.read(text.trim()).is_some());
        let form = |order| Found::Format(Self(Form::Order(order)));
        if fits(Order::Ymd) {
            return form(Order::Ymd);
        }
        match (fits(Order::Dmy), fits(Order::Mdy)) {
            // A slash or a dash is used with both orders.
            (true, true) if texts.iter().any(|text| !text.contains('.')) => Found::Ambiguous,
            (true, _) => form(Order::Dmy),
            (false, true) => form(Order::Mdy),
            (false, false) => Found::NoDate,
        }
    }
}

/// Whether `text` is a date in any order of day, month and year.
pub(crate) fn is_in_some_order(text: &str) -> bool {
    ORDERS.into_iter().any(|order| order.read(text.trim()).is_some())
}

/// Returns the order of day, month and year in which most texts are dates.
pub(super) fn most_frequent(texts: &[&str]) -> DateFormat {
    let is_date = |order: Order, text: &str| order.read(text.trim()).is_some();
    let n_dates = |order: &Order| texts.iter().filter(|text| is_date(*order, text)).count();
    // `max_by_key` returns the last maximum, so reversing makes ties go to the earlier order.
    let best = ORDERS.into_iter().rev().max_by_key(n_dates).unwrap_or(Order::Ymd);
    DateFormat(Form::Order(best))
}

/// Returns the index of the first text that is not a date in the most frequent order.
pub(crate) fn odd_one_out(texts: &[&str]) -> usize {
    let best = most_frequent(texts);
    texts.iter().position(|text| !best.reads(text)).unwrap_or(0)
}

impl FromStr for DateFormat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Some(order) = ORDERS.into_iter().find(|order| order.name() == text) {
            return Ok(Self(Form::Order(order)));
        }
        if text == "iso" {
            return Ok(Self::ISO);
        }
        if !text.contains('%') {
            let known = ["iso", "ymd", "dmy", "mdy", "a pattern such as %d.%m.%Y"];
            return Err(Error::unknown("date format", text, known.into_iter()));
        }
        let (pattern, last) = match text.split_once(UNTIL) {
            Some((pattern, year)) => (pattern, Some(last_year(text, year)?)),
            None => (text, None),
        };
        let items = StrftimeItems::new(pattern)
            .parse_to_owned()
            .map_err(|_| unknown_conversion(pattern))?;
        // A pattern is complete if a date written with it can be parsed again.
        let example =
            NaiveDate::from_ymd_opt(2024, 12, 31).and_then(|day| day.and_hms_opt(23, 59, 58));
        let mut written = String::new();
        let is_written = example.is_some_and(|moment| {
            write!(written, "{}", moment.and_utc().format_with_items(items.iter())).is_ok()
        });
        if is_written && read_pattern(&items, &written, Self::LAST_YEAR).is_none() {
            let problem = format!("the date format '{text}' does not specify a whole date");
            return Err(Error::syntax(None, problem).advise([Advice::words(
                "include day, month and year, and the hour if it has minutes",
            )]));
        }
        let are_short = has_short_years(&items, &written);
        if last.is_some() && !are_short {
            let problem = format!("the date format '{text}' states a last year, but has no %y");
            return Err(
                Error::syntax(None, problem).advise([Advice::words("leave the last year out")])
            );
        }
        let (last, is_stated) = (last.unwrap_or(Self::LAST_YEAR), last.is_some());
        let years = Years { are_short, last, is_stated };
        Ok(Self(Form::Pattern { text: text.to_owned(), items, years }))
    }
}

/// Separates a pattern from the last year that is written with two digits.
const UNTIL: &str = " until ";

/// Parses the last year of a pattern.
fn last_year(format: &str, year: &str) -> Result<i32> {
    let found = year.trim().parse().ok().filter(|year| (1100..=9999).contains(year));
    found.ok_or_else(|| {
        let problem = format!("the date format '{format}' ends in '{year}', which is not a year");
        Error::syntax(None, problem)
            .advise([Advice::words("state the last year with four digits: %d.%m.%y until 2050")])
    })
}

/// Whether a pattern reads years of two digits, given a date that was written with it.
fn has_short_years(items: &[Item<'static>], written: &str) -> bool {
    let mut parsed = Parsed::new();
    let is_read = chrono::format::parse(&mut parsed, written, items.iter()).is_ok();
    is_read && is_short(&parsed)
}

fn is_short(parsed: &Parsed) -> bool {
    parsed.year().is_none() && parsed.year_div_100().is_none() && parsed.year_mod_100().is_some()
}

fn unknown_conversion(pattern: &str) -> Error {
    let problem = format!("the date format '{pattern}' has an unknown conversion");
    Error::syntax(None, problem).advise([Advice::words(
        "use %d for the day, %m for the month, %Y for the year, %y for the year without its \
         century and %H:%M:%S for the time of day",
    )])
}

impl fmt::Display for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Form::Order(order) => order.name(),
            Form::Pattern { text, .. } => text,
        })
    }
}

impl TryFrom<String> for DateFormat {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<DateFormat> for String {
    fn from(format: DateFormat) -> Self {
        format.to_string()
    }
}

impl Order {
    fn name(self) -> &'static str {
        match self {
            Self::Ymd => "ymd",
            Self::Dmy => "dmy",
            Self::Mdy => "mdy",
        }
    }

    fn read(self, text: &str) -> Option<Reading> {
        let (first, rest) = digits(text)?;
        let separator = rest.chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
        // The separator is ASCII, so it takes one byte.
        let (second, rest) = digits(&rest[1..])?;
        // Both separators must be the same.
        let (third, rest) = digits(rest.strip_prefix(separator)?)?;
        let (year, month, day) = match self {
            Self::Ymd => (first, second, third),
            Self::Dmy => (third, second, first),
            Self::Mdy => (third, first, second),
        };
        // A year of two digits could be taken for a day, and its century is unknown.
        if year.len() != 4 || month.len() > 2 || day.len() > 2 {
            return None;
        }
        let number = |digits: &str| digits.parse::<u32>().ok();
        let date = NaiveDate::from_ymd_opt(number(year)? as i32, number(month)?, number(day)?)?;
        let seconds = date.and_time(NaiveTime::MIN).and_utc().timestamp();
        match rest {
            "" => Some(Reading::exact(seconds, 0)),
            rest => read_time(seconds, rest.strip_prefix([' ', 'T', 't'])?),
        }
    }
}

/// Splits `text` after its leading digits, or returns `None` if it has none.
fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Parses exactly two leading digits as a number up to `most` and returns it with the rest.
fn two_digits(text: &str, most: i64) -> Option<(i64, &str)> {
    let (number, rest) = digits(text)?;
    let number = number.parse().ok().filter(|&found| number.len() == 2 && found <= most)?;
    Some((number, rest))
}

/// Parses the time of day that follows a date: `10:30`, `10:30:59` or `10:30:59.25`, each with an
/// optional `Z` or `+02:00`. `day` is midnight of the date, in seconds.
fn read_time(day: i64, text: &str) -> Option<Reading> {
    let (hour, rest) = two_digits(text, 23)?;
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

/// Parses a date. A year of two digits is one of the hundred years that end in `last_year`.
fn read_pattern(items: &[Item<'static>], text: &str, last_year: i32) -> Option<Reading> {
    let mut parsed = Parsed::new();
    chrono::format::parse(&mut parsed, text, items.iter()).ok()?;
    if is_short(&parsed) {
        let year = parsed.year_mod_100()?;
        let century = (last_year - year).div_euclid(100);
        parsed.set_year_div_100(i64::from(century)).ok()?;
    }
    // A pattern without a time of day means midnight.
    let has_time = parsed.hour_mod_12().is_some() || parsed.timestamp().is_some();
    let moment = match parsed.offset() {
        Some(_) => parsed.to_datetime().ok()?.to_utc(),
        None if has_time => parsed.to_naive_datetime_with_offset(0).ok()?.and_utc(),
        None => parsed.to_naive_date().ok()?.and_time(NaiveTime::MIN).and_utc(),
    };
    // `%Y` accepts a two-digit year and would read it as a year of antiquity.
    (moment.year() >= 1000).then(|| reading_of(moment))
}

fn reading_of(moment: DateTime<chrono::Utc>) -> Reading {
    let nanos = moment.timestamp_subsec_nanos();
    // Nanoseconds since 1970 fit into 64 bits from 1677 to 2262 only.
    match (nanos, moment.timestamp_nanos_opt()) {
        (0, _) => Reading::exact(moment.timestamp(), 0),
        (_, Some(ticks)) => Reading::exact(ticks, 9),
        (nanos, None) => Reading::float(moment.timestamp() as f64 + f64::from(nanos) / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(format: &str, text: &str) -> Option<f64> {
        format.parse::<DateFormat>().unwrap().read(text).map(Reading::value)
    }

    #[test]
    fn impossible_dates_are_no_dates() {
        for text in ["2023-02-29", "20240229", "24-01-02", "2024-13-01", "2024-1-1x", "2024-01/02"]
        {
            assert_eq!(seconds("iso", text), None, "{text}");
        }
        assert_eq!(seconds("iso", "2024-02-29"), Some(1_709_164_800.0));
    }

    #[test]
    fn one_day_in_the_ways_of_many_countries() {
        let day = seconds("iso", "2024-12-31");
        let dmy = ["31.12.2024", "31/12/2024", "31-12-2024"].map(|text| seconds("dmy", text));
        assert_eq!(dmy, [day; 3]);
        assert_eq!(seconds("mdy", "12/31/2024"), day);
        assert_eq!(seconds("ymd", "2024/12/31"), day);
        assert_eq!(seconds("%Y%m%d", "20241231"), day);
        assert_eq!(seconds("%d.%m.%y", "31.12.24"), day);
        assert_eq!(seconds("%d %B %Y", "31 December 2024"), day);
    }

    #[test]
    fn two_digits_are_a_year_of_the_past() {
        let years = |format: &str, texts: &[&str]| {
            let year = |text: &&str| {
                let seconds = seconds(format, text).unwrap();
                DateTime::from_timestamp(seconds as i64, 0).unwrap().year()
            };
            texts.iter().map(year).collect::<Vec<_>>()
        };
        let texts = ["01.02.57", "01.02.26", "01.02.27", "01.02.00", "01.02.99"];
        assert_eq!(years("%d.%m.%y", &texts), [1957, 2026, 1927, 2000, 1999]);
        assert_eq!(years("%d.%m.%y until 2050", &texts), [1957, 2026, 2027, 2000, 1999]);
        assert_eq!(years("%D", &["02/01/57"]), [1957]);
        let stated: DateFormat = "%d.%m.%y until 2050".parse().unwrap();
        assert_eq!(
            (stated.to_string().as_str(), stated.short_years()),
            ("%d.%m.%y until 2050", None)
        );
        let format: DateFormat = "%d.%m.%y".parse().unwrap();
        assert_eq!(format.short_years(), Some((1927, 2026)));
        for wrong in ["%d.%m.%Y until 2050", "%d.%m.%y until 50", "%d.%m.%y until then"] {
            assert!(wrong.parse::<DateFormat>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn clocks_that_are_ahead_are_set_back() {
        let noon = seconds("iso", "2024-03-05 12:00");
        for text in
            ["2024-03-05T14:00+02:00", "2024-03-05T12:00:00Z", "2024-03-05 06:30:00.000-0530"]
        {
            assert_eq!(seconds("iso", text), noon, "{text}");
        }
        assert_eq!(seconds("%m/%d/%Y %I:%M %p", "03/05/2024 12:00 PM"), noon);
        for text in ["2024-03-05 24:00", "2024-03-05 1:00", "2024-03-05T10:00+2", "2024-03-05 10"] {
            assert_eq!(seconds("iso", text), None, "{text}");
        }
    }

    #[test]
    fn fractions_of_a_second_are_exact() {
        let read = |text| DateFormat::ISO.read(text).unwrap();
        assert_eq!(read("1970-01-01 00:00:01.250"), Reading::exact(125, 2));
        assert_eq!(read("1969-12-31 23:59:59.9"), Reading::exact(-1, 1));
    }

    #[test]
    fn days_that_could_be_months_are_not_guessed() {
        let found = |texts: &[&str]| match DateFormat::find(texts) {
            Found::Format(format) => format.to_string(),
            Found::Ambiguous => "ambiguous".to_owned(),
            Found::NoDate => format!("not {}", texts[odd_one_out(texts)]),
        };
        assert_eq!(found(&["01/02/2024", "03/04/2024"]), "ambiguous");
        assert_eq!(found(&["01/02/2024", "13/04/2024"]), "dmy");
        assert_eq!(found(&["01/02/2024", "03/14/2024"]), "mdy");
        assert_eq!(found(&["01.02.2024", "03.04.2024"]), "dmy");
        assert_eq!(found(&["31/01/2024", "01/31/2024", "30/01/2024"]), "not 01/31/2024");
        assert_eq!(found(&["soon"]), "not soon");
    }
}
