//! Dates and timestamps in the notations of different countries.

use std::fmt::{self, Write};
use std::str::FromStr;

use chrono::format::{Item, Parsed, StrftimeItems};
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime};
use serde::{Deserialize, Serialize};

use super::clock::{digits, read_time};
use super::scale::Reading;
use crate::error::Advice;
use crate::{Error, Result};

/// The notation of the dates of a column.
///
/// `ymd` (or `iso`), `dmy` and `mdy` give the order of day, month and year, which are separated by
/// `-`, `/` or `.`. The year has four digits, and a time of day can follow, with fractions of a
/// second and an offset from UTC. Any other notation is a `strftime` pattern. A pattern without a
/// day, such as `%Y-%m` or `%YQ%q`, gives dates of months or quarters, which are placed at their
/// first day.
///
/// A year of two digits (`%y`) is one of the hundred years that end in 2026, so
/// that a year of birth is not in the future. Another last year follows the pattern:
/// `%d.%m.%y until 2050`.
///
/// ```
/// use hedgerow::table::DateFormat;
/// let format: DateFormat = "%d %b %Y".parse()?;
/// assert!(format.reads("31 Dec 2024") && !format.reads("2024-12-31"));
/// assert!("%Y-%m".parse::<DateFormat>()?.reads("2024-12"));
/// assert!("%d.%m.".parse::<DateFormat>().is_err());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DateFormat(Form);

#[derive(Debug, Clone, PartialEq)]
enum Form {
    Order(Order),
    Pattern { text: String, items: Vec<Item<'static>>, years: Years, unit: Unit },
}

/// The finest part of the calendar that a format has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Day,
    Month,
    Quarter,
}

impl Unit {
    /// The unit of a format, from what it reads in a text of the last day of 2024 that it wrote.
    fn of(last_day: Option<Reading>) -> Self {
        match last_day.map(Reading::value) {
            Some(second) if second < NOVEMBER => Self::Quarter,
            Some(second) if second < NOVEMBER + 31.0 * 86_400.0 => Self::Month,
            _ => Self::Day,
        }
    }
}

/// The first of November of 2024, in seconds since 1970.
const NOVEMBER: f64 = 1_730_419_200.0;

/// The interpretation of years of two digits.
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
pub(super) enum Order {
    Ymd,
    Dmy,
    Mdy,
}

pub(super) const ORDERS: [Order; 3] = [Order::Ymd, Order::Dmy, Order::Mdy];

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

    /// The finest part of the calendar that the format has.
    pub(crate) fn unit(&self) -> Unit {
        match &self.0 {
            Form::Order(_) => Unit::Day,
            Form::Pattern { unit, .. } => *unit,
        }
    }

    /// The format without its last year.
    pub(crate) fn pattern(&self) -> &str {
        match &self.0 {
            Form::Order(order) => order.name(),
            Form::Pattern { text, .. } => text.split(UNTIL).next().unwrap_or(text),
        }
    }

    /// The format of dates in an order.
    pub(super) fn of_order(order: Order) -> Self {
        Self(Form::Order(order))
    }

    /// The pattern of dates that are like `text`, but do not have this format because their year
    /// has two digits: `%m/%d/%y` for `mdy` and `04/30/92`.
    pub(super) fn with_short_year(&self, text: &str) -> Option<Self> {
        let Form::Order(order) = &self.0 else { return None };
        let separator = text.trim().chars().find(|c| !c.is_ascii_digit())?;
        let format: Self = order.pattern(separator, "%y").parse().ok()?;
        format.reads(text).then_some(format)
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
        let last_day = read_pattern(&items, &written, Self::LAST_YEAR);
        if is_written && last_day.is_none() {
            let problem = format!("the date format '{text}' does not specify a whole date");
            return Err(Error::syntax(None, problem).advise([Advice::words(
                "include the year and the month, the day if it has a time, and the hour if it has minutes",
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
        Ok(Self(Form::Pattern { text: text.to_owned(), items, years, unit: Unit::of(last_day) }))
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

    /// The pattern of dates in this order.
    pub(super) fn pattern(self, separator: char, year: &str) -> String {
        let parts = match self {
            Self::Ymd => [year, "%m", "%d"],
            Self::Dmy => ["%d", "%m", year],
            Self::Mdy => ["%m", "%d", year],
        };
        parts.join(&separator.to_string())
    }

    pub(super) fn read(self, text: &str) -> Option<Reading> {
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
        // A year of two digits could be mistaken for a day, and its century is unknown.
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

/// Completes a month or a quarter to its first day. Returns `None` if there is a time of day.
fn place_period(parsed: &mut Parsed) -> Option<()> {
    let has_day = parsed.day().is_some() || parsed.ordinal().is_some();
    if has_day || parsed.timestamp().is_some() {
        return Some(());
    }
    if let (None, Some(quarter)) = (parsed.month(), parsed.quarter()) {
        parsed.set_month(3 * i64::from(quarter) - 2).ok()?;
    }
    // Weeks and days of the week make a date without a month.
    if parsed.month().is_some() {
        parsed.set_day(1).ok().filter(|()| parsed.hour_mod_12().is_none())?;
    }
    Some(())
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
    place_period(&mut parsed)?;
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
        for text in ["2024-03-05 24:00", "2024-03-05 100:00", "2024-03-05T10:00+2", "2024-03-05 10"]
        {
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
    fn months_and_quarters_are_placed_at_their_first_day() {
        let first = seconds("iso", "1967-01-01");
        for (format, text) in [
            ("%Y-%m", "1967-01"),
            ("%m/%Y", "01/1967"),
            ("%B %Y", "January 1967"),
            ("%YQ%q", "1967Q1"),
        ] {
            assert_eq!(seconds(format, text), first, "{format}");
        }
        assert_eq!(seconds("%Y-Q%q", "1967-Q4"), seconds("iso", "1967-10-01"));
        for text in ["1967-13", "1967", "67-01"] {
            assert_eq!(seconds("%Y-%m", text), None, "{text}");
        }
        for wrong in ["%Y", "%m", "%d.%m.", "%Y-%m %H:%M"] {
            assert!(wrong.parse::<DateFormat>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_hour_can_have_one_digit() {
        assert_eq!(seconds("dmy", "18.03.1967 8:23"), seconds("iso", "1967-03-18 08:23"));
    }
}
