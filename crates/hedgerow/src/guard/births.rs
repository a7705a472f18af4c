//! Exact dates of birth, and values so exact that few records share them.

use std::borrow::Cow;

use super::glance::Seen;
use super::names::{Meaning, is_date_of_birth, is_of_birth, meaning};
use super::numbered::{are_counts_to_dates, are_digits_of_dates, days_of_digits};
use crate::table::Kind;

/// Number of different dates from which they distinguish people, for columns of any name; and for
/// columns whose name says that these are dates of birth.
const LEAST_DATES: u64 = 10;
const LEAST_NAMED: u64 = 2;
/// Number of days from the first to the last date from which nearly unique dates of any name are
/// taken for dates of birth, and the share of records that must then have a unique date.
const DECADES: f64 = 30.0 * 365.25;
const ALONE: f64 = 0.75;
/// Number of decimals, or signs of a time of day, from which most records have a unique value; and
/// the share of the values that must have them.
const DECIMALS: usize = 3;
const MOST: f64 = 0.5;

/// Whether a column has dates of birth to the day: dates under a name for them, also as numbers, or
/// under any name if they are from several decades and nearly unique.
pub(super) fn are_births(seen: &Seen) -> bool {
    let is_named = is_of_birth(&seen.name);
    if seen.counts.distinct < if is_named { LEAST_NAMED } else { LEAST_DATES } {
        return false;
    }
    // A form of dates that is not read: `1959年07月08日`.
    let is_other_form = || seen.kind != Kind::Number && share(seen, has_digits_of_date) >= MOST;
    let is_counted = || is_date_of_birth(&seen.name) && are_counts_to_dates(seen);
    if is_named && seen.kind != Kind::Date {
        return is_other_form() || are_digits_of_dates(seen) || is_counted();
    }
    let days = match seen.kind {
        Kind::Date => Cow::Borrowed(&seen.series.numbers),
        Kind::Number | Kind::Code => Cow::Owned(days_of_digits(seen)),
        Kind::Text => return false,
    };
    if !are_days(&days) {
        return false;
    }
    let span = days.last().zip(days.first()).map(|(last, first)| last - first);
    let is_long = span.is_some_and(|days| days >= DECADES);
    // Other dates of a life, such as those of a death, have names of their own.
    let is_other = matches!(meaning(&seen.name), Some((Meaning::Quasi | Meaning::Sensitive, _)));
    is_named || (is_long && !is_other && seen.counts.share_alone() > ALONE)
}

/// Whether most values have several decimals, or a time of day next to a date.
pub(super) fn are_exact(seen: &Seen) -> bool {
    match seen.kind {
        // `12,527` is a number of thousands if no number of the column has a fraction.
        Kind::Number => has_fractions(seen) && share(seen, has_decimals) >= MOST,
        Kind::Date => {
            let numbers = &seen.series.numbers;
            let n_times = numbers.iter().filter(|&&day| is_fraction(day)).count();
            n_times as f64 >= MOST * numbers.len().max(1) as f64
        }
        Kind::Text | Kind::Code => false,
    }
}

/// Whether dates, counted in days, are not all of the same day of the month, as years and months
/// are.
fn are_days(numbers: &[f64]) -> bool {
    let day = |number: &f64| {
        let days = chrono::TimeDelta::try_days(number.floor() as i64)?;
        let date = chrono::NaiveDate::default().checked_add_signed(days)?;
        Some(chrono::Datelike::day(&date))
    };
    let mut days = numbers.iter().filter_map(day);
    let first = days.next();
    first.is_some() && days.any(|day| Some(day) != first)
}

/// The share of different values for which something holds.
fn share(seen: &Seen, is: fn(&str) -> bool) -> f64 {
    let n = seen.spellings.iter().filter(|text| is(text)).count();
    n as f64 / seen.spellings.len().max(1) as f64
}

fn has_fractions(seen: &Seen) -> bool {
    seen.series.numbers.iter().any(|&number| is_fraction(number))
}

fn is_fraction(number: f64) -> bool {
    number.fract().abs() > f64::EPSILON
}

fn has_decimals(text: &str) -> bool {
    let decimals = text.rsplit_once(['.', ',']).map_or("", |(_, decimals)| decimals);
    decimals.bytes().filter(u8::is_ascii_digit).count() >= DECIMALS
}

fn has_digits_of_date(text: &str) -> bool {
    let n_digits = text.chars().filter(|c| c.is_numeric()).count();
    (5..=8).contains(&n_digits) && text.chars().any(|c| !c.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::super::Glance;
    use super::*;

    fn seen(name: &str, cell: impl Fn(usize) -> String) -> Seen {
        let rows: Vec<[String; 1]> = (0..200).map(|row| [cell(row)]).collect();
        Glance::of_rows(&[name], &rows, &[]).columns.swap_remove(0)
    }

    /// A date of `years` years.
    fn date(row: usize, years: usize) -> String {
        let n = row * 7_919;
        format!("{}-{:02}-{:02}", 1940 + n % years, 1 + n / 7 % 12, 1 + n / 11 % 28)
    }

    #[test]
    fn dates_of_birth_are_known_by_name_or_by_their_range() {
        assert!(are_births(&seen("dob", |row| date(row % 40, 60))));
        assert!(are_births(&seen("V7", |row| date(row, 70))));
        assert!(!are_births(&seen("V7", |row| date(row, 8))));
        assert!(!are_births(&seen("birth_year", |row| (1940 + row % 60).to_string())));
        assert!(!are_births(&seen("birth_month", |row| format!("{}-{:02}-01", 1940 + row, 7))));
        assert!(!are_births(&seen("date_of_death", |row| date(row, 70))));
        assert!(are_births(&seen("生年月日", |row| format!(
            "19{}年07月{:02}日",
            40 + row / 28,
            row % 28
        ))));
    }

    #[test]
    fn few_dates_are_dates_of_birth_if_their_name_says_so() {
        let few = |name: &str, cell: &dyn Fn(usize) -> String| {
            let rows: Vec<[String; 1]> = (0..5).map(|row| [cell(row)]).collect();
            are_births(&Glance::of_rows(&[name], &rows, &[]).columns[0])
        };
        assert!(few("dob", &|row| date(row, 60)));
        assert!(few("Geburtsdatum", &|row| date(row, 60).replace('-', "")));
        assert!(few("birthdate", &|row| (20_000 + day(row)).to_string()));
        assert!(!few("V7", &|row| date(row, 60)));
        assert!(!few("birth_year", &|row| (1940 + row).to_string()));
        assert!(!few("dob", &|row| (1 + row).to_string()));
    }

    /// A day of one of 40 years, from 1 on.
    fn day(row: usize) -> usize {
        1 + row * 7_919 % (40 * 365)
    }

    #[test]
    fn dates_of_birth_are_known_as_numbers_too() {
        let births = |name: &str, cell: &dyn Fn(usize) -> String| are_births(&seen(name, cell));
        let digits = |row: usize| date(row, 60).replace('-', "");
        let reversed = |row: usize| format!("{}{}", &digits(row)[4..], &digits(row)[..4]);
        for name in ["dob", "birthdate", "Geburtsdatum", "fecha_nacimiento", "birth"] {
            assert!(births(name, &digits), "{name}");
            assert!(births(name, &|row| format!("{}.0", digits(row))), "{name}");
            assert!(births(name, &|row| digits(row)[2..].to_owned()), "{name}");
            assert!(
                births(name, &|row| reversed(row).trim_start_matches('0').to_owned()),
                "{name}"
            );
            assert!(births(name, &reversed), "{name}");
        }
        for name in ["dob", "birthdate", "Geburtsdatum", "fecha_nacimiento", "patient_birth_date"] {
            // Days of Excel, of Stata and of R, milliseconds, seconds of SPSS, and years.
            assert!(births(name, &|row| (20_000 + day(row)).to_string()), "{name}");
            assert!(births(name, &|row| (day(row) as i64 - 2_000).to_string()), "{name}");
            assert!(births(name, &|row| (day(row) as i64 * 86_400_000).to_string()), "{name}");
            assert!(
                births(name, &|row| (11_400_000_000 + day(row) * 86_400).to_string()),
                "{name}"
            );
            assert!(births(name, &|row| format!("{}.{:03}", 1940 + row % 60, row * 7 % 1000)));
        }
        // Without a name, eight digits with the year first are dates like others.
        assert!(births("V7", &|row| date(row, 70).replace('-', "")));
    }

    #[test]
    fn other_numbers_about_births_are_not_dates() {
        let births = |name: &str, cell: &dyn Fn(usize) -> String| are_births(&seen(name, cell));
        for name in ["dob", "birth_year", "birthdate", "yob", "born"] {
            assert!(!births(name, &|row| (1940 + row % 60).to_string()), "{name}");
            assert!(!births(name, &|row| (1 + row % 31).to_string()), "{name}");
            assert!(!births(name, &|row| format!("{}.0", 1940 + row % 60)), "{name}");
        }
        // A month of birth is not a day.
        assert!(!births("birth_month", &|row| format!("{}{:02}", 1940 + row, 1 + row % 12)));
        assert!(!births("dob", &|row| format!("{}{:02}", 2001 + row % 12, 1 + row % 12)));
        assert!(!births("birth_weight", &|row| (2_500 + row * 7_919 % 2_000).to_string()));
        assert!(!births("birth_rate", &|row| format!("{}.{}", 8 + row % 30, row % 10)));
        assert!(!births("births", &|row| (10_000 + row * 7_919 % 80_000).to_string()));
        assert!(!births("V7", &|row| (10_000_000 + row * 479_001).to_string()));
    }

    #[test]
    fn times_and_several_decimals_are_exact() {
        assert!(are_exact(&seen("x", |row| format!("{row}.527222"))));
        assert!(!are_exact(&seen("x", |row| format!("{row}.5"))));
        assert!(are_exact(&seen("x", |row| format!("{row},{}", 527 * (1 + row % 3)))));
        assert!(!are_exact(&seen("x", |row| format!("{},{:03},500", row % 7 + 1, row))));
        assert!(are_exact(&seen("x", |row| format!(
            "2020-01-{:02} 10:{:02}",
            1 + row % 28,
            row % 60
        ))));
        assert!(!are_exact(&seen("x", |row| date(row, 60))));
    }
}
