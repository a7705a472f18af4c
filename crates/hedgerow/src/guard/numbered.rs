//! Dates that are written as numbers: their digits, or a count of days or seconds.

use chrono::{Datelike, NaiveDate};

use super::glance::Seen;
use crate::table::Kind;

/// Share of the numbers that must be dates of one form.
const OF_ONE_FORM: f64 = 0.8;
/// Number of digits from which digits can be those of a date: a zero in front may be lost.
const LEAST_DIGITS: usize = 5;
/// First and last year of births.
const YEARS: std::ops::RangeInclusive<i32> = 1850..=2040;
/// Whole numbers up to this can be days of a month or a year, or ages.
const SMALL: f64 = 366.0;
/// Number of different days that counts must mean, or all of them if there are fewer.
const LEAST_DAYS: usize = 10;
/// Number of decimals from which a year with decimals determines the day.
const DECIMALS: usize = 3;
const SECONDS_OF_DAY: f64 = 86_400.0;

/// Year, month and day at these places of eight or six digits.
struct Form {
    n_digits: usize,
    year: (usize, usize),
    month: usize,
    day: usize,
}

const YEAR_FIRST: Form = Form { n_digits: 8, year: (0, 4), month: 4, day: 6 };
/// All forms of digits; the first is the only one that numbers rarely have by chance.
const FORMS: [Form; 6] = [
    YEAR_FIRST,
    Form { n_digits: 8, year: (4, 8), month: 2, day: 0 },
    Form { n_digits: 8, year: (4, 8), month: 0, day: 2 },
    Form { n_digits: 6, year: (0, 2), month: 2, day: 4 },
    Form { n_digits: 6, year: (4, 6), month: 2, day: 0 },
    Form { n_digits: 6, year: (4, 6), month: 0, day: 2 },
];

/// The first day of each count of days: of Excel, of Stata and SAS, of R, of MATLAB, and Julian
/// days.
const FIRST_DAYS: [(i32, u32, u32); 5] =
    [(1899, 12, 30), (1960, 1, 1), (1970, 1, 1), (-1, 12, 31), (-4713, 11, 24)];
/// The same for counts of seconds: of Unix, of SAS and Stata, and of SPSS.
const FIRST_SECONDS: [(i32, u32, u32); 3] = [(1970, 1, 1), (1960, 1, 1), (1582, 10, 14)];
/// Units in a second: seconds, milliseconds, microseconds, nanoseconds.
const UNITS: [f64; 4] = [1.0, 1e3, 1e6, 1e9];

/// Whether most values are the digits of a date to the day: `19810409`, `9041981`, `810409`.
pub(super) fn are_digits_of_dates(seen: &Seen) -> bool {
    let texts = digits_of(seen);
    let is_enough = 2 * texts.len() >= n_values(seen);
    // `201004` is a month of 2010 rather than a day of 1920.
    let n_months = texts.iter().filter(|text| is_month(text)).count();
    let are_months = n_months as f64 >= OF_ONE_FORM * texts.len() as f64;
    is_enough && !are_months && FORMS.iter().any(|form| form.is_of(&texts))
}

fn is_month(text: &str) -> bool {
    let part = |range: std::ops::Range<usize>| text.get(range).and_then(|t| t.parse::<u32>().ok());
    let is_year = part(0..4).is_some_and(|year| YEARS.contains(&(year as i32)));
    text.len() == 6 && is_year && part(4..6).is_some_and(|month| (1..=12).contains(&month))
}

/// The days since 1970 of dates that are written as eight digits with the year first, ascending;
/// empty if a column has other values.
pub(super) fn days_of_digits(seen: &Seen) -> Vec<f64> {
    let texts = digits_of(seen);
    if texts.len() < n_values(seen) || !YEAR_FIRST.is_of(&texts) {
        return Vec::new();
    }
    let dates = texts.iter().filter_map(|text| YEAR_FIRST.date(text));
    let days = dates.map(|date| f64::from(date.num_days_from_ce()));
    let mut days: Vec<f64> = days.collect();
    days.sort_by(f64::total_cmp);
    days
}

/// Whether numbers can be counts of days, seconds or parts of seconds up to dates of birth, or
/// years with the day as decimals. Nearly all numbers can, so the name of the column must mean
/// dates.
pub(super) fn are_counts_to_dates(seen: &Seen) -> bool {
    let numbers = &seen.series.numbers;
    if seen.kind != Kind::Number || numbers.is_empty() {
        return false;
    }
    let is_year = |number: &&f64| YEARS.contains(&(number.floor() as i32));
    let n_years = numbers.iter().filter(is_year).count();
    if n_years as f64 >= OF_ONE_FORM * numbers.len() as f64 {
        // Years are not dates; `1983.238` is one.
        let has_day =
            |text: &&str| text.split_once(['.', ',']).is_some_and(|(_, d)| d.len() >= DECIMALS);
        let texts = seen.spellings.iter().map(AsRef::as_ref);
        return 2 * texts.filter(has_day).count() >= n_values(seen);
    }
    let days = FIRST_DAYS.iter().map(|&first| (first, SECONDS_OF_DAY));
    let seconds = UNITS.iter().flat_map(|&unit| FIRST_SECONDS.map(|first| (first, 1.0 / unit)));
    days.chain(seconds).any(|(first, seconds)| {
        let (year, month, day) = first;
        let Some(first) = NaiveDate::from_ymd_opt(year, month, day) else { return false };
        let days = days_of(numbers, first, seconds);
        let n_births = days.len();
        let n_days = days.chunk_by(|a, b| a == b).count();
        n_days >= LEAST_DAYS.min(numbers.len())
            && n_births as f64 >= OF_ONE_FORM * numbers.len() as f64
    })
}

/// The days since a first day that ascending counts mean if their unit has this number of seconds,
/// of those that are days of births.
fn days_of(numbers: &[f64], first: NaiveDate, seconds: f64) -> Vec<i64> {
    let is_count =
        |number: &&f64| number.fract().abs() < f64::EPSILON && !(0.0..=SMALL).contains(*number);
    let days = numbers.iter().filter(is_count);
    let days = days.map(|number| (number * seconds / SECONDS_OF_DAY).floor() as i64);
    let is_birth = |days: &i64| {
        let date = chrono::TimeDelta::try_days(*days).and_then(|d| first.checked_add_signed(d));
        date.is_some_and(|date| YEARS.contains(&date.year()))
    };
    days.filter(is_birth).collect()
}

fn n_values(seen: &Seen) -> usize {
    if seen.kind == Kind::Number { seen.series.numbers.len() } else { seen.spellings.len() }
}

/// The different values that are digits alone; numbers without their decimals, if these are zeros.
fn digits_of(seen: &Seen) -> Vec<String> {
    let whole = |text: &str| text.strip_suffix(".0").unwrap_or(text).to_owned();
    let is_digits = |text: &String| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if seen.kind == Kind::Number {
        let is_whole = |n: &&f64| n.fract().abs() < f64::EPSILON && (0.0..1e9).contains(*n);
        let numbers = seen.series.numbers.iter().filter(is_whole);
        return numbers.map(|number| format!("{number:.0}")).collect();
    }
    seen.spellings.iter().map(|text| whole(text)).filter(is_digits).collect()
}

impl Form {
    /// Whether nearly all texts are dates of this form, and not because most are short.
    fn is_of(&self, texts: &[String]) -> bool {
        let n_dates = texts.iter().filter(|text| self.date(text).is_some()).count();
        let n_long = texts.iter().filter(|text| text.len() >= LEAST_DIGITS).count();
        n_dates > 0
            && 2 * n_long >= texts.len()
            && n_dates as f64 >= OF_ONE_FORM * texts.len() as f64
    }

    /// The date of a text, to which zeros in front are added. A year of two digits is one of the
    /// twentieth century, which does not matter for whether there is such a date.
    fn date(&self, text: &str) -> Option<NaiveDate> {
        // Two zeros of a year and one of a month may be lost: `409`.
        let least = if self.n_digits == 6 { 3 } else { 7 };
        if !(least..=self.n_digits).contains(&text.len()) {
            return None;
        }
        let text = format!("{text:0>width$}", width = self.n_digits);
        let part = |from: usize, to: usize| text[from..to].parse::<u32>().ok();
        let year = part(self.year.0, self.year.1)? as i32;
        // 2000 is a leap year, so `000229` is a date.
        let year = if self.n_digits == 6 { 2000 + year % 100 } else { year };
        let date = NaiveDate::from_ymd_opt(
            year,
            part(self.month, self.month + 2)?,
            part(self.day, self.day + 2)?,
        )?;
        (self.n_digits == 6 || YEARS.contains(&year)).then_some(date)
    }
}
