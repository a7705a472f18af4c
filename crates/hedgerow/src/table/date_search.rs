//! Detects the format of the dates of a column.

use super::clock::digits;
use super::date::{DateFormat, ORDERS, Order};

/// Result of detecting the date format of a column.
pub(crate) enum Found {
    /// All values are dates of this format.
    Format(DateFormat),
    /// All values are dates, but day, month and year cannot be distinguished; each of these formats
    /// fits.
    Ambiguous(Vec<DateFormat>),
    /// No format fits all values.
    NoDate,
}

/// Patterns with names of months, which `%B` reads in full and abbreviated.
const WITH_NAMES: [&str; 13] = [
    "%d%B%Y",
    "%d%B%Y:%H:%M:%S",
    "%d-%B-%Y",
    "%d %B %Y",
    "%d. %B %Y",
    "%d/%B/%Y",
    "%B %d, %Y",
    "%B %d %Y",
    "%Y-%B-%d",
    "%d%B%y",
    "%d-%B-%y",
    "%d %B %y",
    "%d/%B/%y",
];

/// Patterns of months with names, and of quarters.
const PERIODS: [&str; 10] =
    ["%B %Y", "%B-%Y", "%B%Y", "%Y-%B", "%YQ%q", "%Y-Q%q", "%Y Q%q", "Q%q %Y", "Q%q/%Y", "Q%q-%Y"];

/// Patterns of months in digits.
const MONTHS: [&str; 4] = ["%Y-%m", "%Y/%m", "%m/%Y", "%m-%Y"];

/// Times of day that can follow a date whose year has two digits.
const TIMES: [&str; 3] = ["", " %H:%M", " %H:%M:%S"];

/// Years of dates that have no day; other numbers of four digits are more likely codes.
const YEARS: std::ops::RangeInclusive<u32> = 1800..=2199;

impl DateFormat {
    /// Detects the format that fits all texts.
    ///
    /// If both day and month could come first, the result is ambiguous, except that dates written
    /// with dots put the day first.
    pub(crate) fn find(texts: &[&str]) -> Found {
        let fits = |order: &Order| texts.iter().all(|text| order.read(text.trim()).is_some());
        if texts.is_empty() {
            return Found::NoDate;
        }
        let orders: Vec<Order> = ORDERS.into_iter().filter(fits).collect();
        match orders.as_slice() {
            [] => find_pattern(texts),
            // A slash or a dash is used with both orders.
            [Order::Dmy, Order::Mdy] if texts.iter().any(|text| !text.contains('.')) => {
                Found::Ambiguous(orders.into_iter().map(Self::of_order).collect())
            }
            [first, ..] => Found::Format(Self::of_order(*first)),
        }
    }

    /// Detects months such as `03.1967`, which can be read as numbers. One of them has a leading
    /// zero, which numbers do not have.
    pub(super) fn find_dotted_months(texts: &[&str]) -> Option<Self> {
        let is_month = |text: &&str| is_month(text.trim(), '.') && text.trim().len() == 7;
        let is_padded = |text: &&str| text.trim().starts_with('0');
        let fits = texts.iter().all(is_month) && texts.iter().any(is_padded);
        "%m.%Y".parse().ok().filter(|_| fits)
    }
}

/// Detects formats that are patterns.
fn find_pattern(texts: &[&str]) -> Found {
    // Most columns of words are refused by their first value.
    if !texts[0].bytes().any(|byte| byte.is_ascii_digit()) {
        return Found::NoDate;
    }
    let parsed = |pattern: &&str| pattern.parse::<DateFormat>().ok();
    let fits = |format: &DateFormat| texts.iter().all(|text| format.reads(text));
    match find_short_years(texts) {
        Found::NoDate => {
            let of_months = MONTHS.iter().filter(|_| are_months(texts));
            let patterns = WITH_NAMES.iter().chain(&PERIODS).chain(of_months);
            patterns.filter_map(parsed).find(fits).map_or(Found::NoDate, Found::Format)
        }
        found => found,
    }
}

/// Detects dates in digits whose years have two of them.
fn find_short_years(texts: &[&str]) -> Found {
    let Some(separator) = texts[0].chars().find(|c| matches!(c, '-' | '/' | '.')) else {
        return Found::NoDate;
    };
    for time in TIMES {
        let fitting = ORDERS.into_iter().filter_map(|order| {
            let format: DateFormat = (order.pattern(separator, "%y") + time).parse().ok()?;
            let is_read =
                |text: &&str| has_short_year(text.trim(), order, separator) && format.reads(text);
            texts.iter().all(is_read).then_some((order, format))
        });
        let (orders, mut formats): (Vec<Order>, Vec<DateFormat>) = fitting.unzip();
        match orders.as_slice() {
            [] => {}
            [_] => return formats.pop().map_or(Found::NoDate, Found::Format),
            // With dots the day comes first, unless the year could.
            [Order::Dmy, Order::Mdy] if separator == '.' => {
                return Found::Format(formats.swap_remove(0));
            }
            _ => {
                // With dots a year in front is the least likely, so it is offered last.
                if separator == '.' && orders.first() == Some(&Order::Ymd) {
                    formats.rotate_left(1);
                }
                return Found::Ambiguous(formats);
            }
        }
    }
    Found::NoDate
}

/// Whether the parts of a date have the lengths of a date in this order with a year of two digits.
/// With dots all parts have two digits, because `1.2.10` may be a version.
fn has_short_year(text: &str, order: Order, separator: char) -> bool {
    let date = text.split(' ').next().unwrap_or(text);
    let parts: Vec<&str> = date.split(separator).collect();
    let is_part = |part: &&str| {
        part.bytes().all(|byte| byte.is_ascii_digit())
            && (part.len() == 2 || (part.len() == 1 && separator != '.'))
    };
    let year = if order == Order::Ymd { 0 } else { 2 };
    parts.len() == 3 && parts.iter().all(is_part) && parts[year].len() == 2
}

/// Whether texts in digits are months: `1949-02`, `02/1949`.
fn are_months(texts: &[&str]) -> bool {
    let Some(separator) = texts[0].chars().find(|c| matches!(c, '-' | '/')) else { return false };
    let is_season = |text: &&str| {
        let ends = text.trim().split_once(separator);
        let numbers = ends
            .and_then(|(one, other)| Some((one.parse::<u32>().ok()?, other.parse::<u32>().ok()?)));
        numbers.is_some_and(|(one, other)| one > 12 && (one + 1) % 100 == other)
    };
    // `2010-11` next to `2011-12` is a season or a school year.
    texts.iter().all(|text| is_month(text.trim(), separator)) && !texts.iter().all(is_season)
}

/// Whether a text is a year of four digits and a month of two, or a month and a year.
fn is_month(text: &str, separator: char) -> bool {
    let is_year = |text: &str| text.len() == 4 && text.parse().is_ok_and(|y| YEARS.contains(&y));
    let is_number = |text: &str| text.parse::<u32>().is_ok_and(|month| (1..=12).contains(&month));
    text.split_once(separator).is_some_and(|(one, other)| {
        (is_year(one) && other.len() == 2 && is_number(other))
            || (one.len() <= 2 && is_number(one) && is_year(other))
    })
}

/// Whether `text` is a date in any order of day, month and year.
pub(crate) fn is_in_some_order(text: &str) -> bool {
    let text = text.trim();
    let separator = digits(text).and_then(|(_, rest)| rest.chars().next());
    let is_short = |order: Order| {
        separator.is_some_and(|sign| {
            let format = order.pattern(sign, "%y").parse::<DateFormat>();
            has_short_year(text, order, sign) && format.is_ok_and(|format| format.reads(text))
        })
    };
    ORDERS.into_iter().any(|order| order.read(text).is_some() || is_short(order))
}

/// Returns the order of day, month and year in which most texts are dates.
pub(super) fn most_frequent(texts: &[&str]) -> DateFormat {
    let is_date = |order: Order, text: &str| order.read(text.trim()).is_some();
    let n_dates = |order: &Order| texts.iter().filter(|text| is_date(*order, text)).count();
    // `max_by_key` returns the last maximum, so reversing makes ties go to the earlier order.
    let best = ORDERS.into_iter().rev().max_by_key(n_dates).unwrap_or(Order::Ymd);
    DateFormat::of_order(best)
}

/// Returns the index of the first text that is not a date in the most frequent order.
pub(crate) fn odd_one_out(texts: &[&str]) -> usize {
    let best = most_frequent(texts);
    texts.iter().position(|text| !best.reads(text)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str]) -> String {
        match DateFormat::find(texts) {
            Found::Format(format) => format.to_string(),
            Found::Ambiguous(formats) => {
                let each: Vec<String> = formats.iter().map(ToString::to_string).collect();
                each.join(" or ")
            }
            Found::NoDate => format!("not {}", texts[odd_one_out(texts)]),
        }
    }

    #[test]
    fn days_that_could_be_months_are_not_guessed() {
        assert_eq!(found(&["01/02/2024", "03/04/2024"]), "dmy or mdy");
        assert_eq!(found(&["01/02/2024", "13/04/2024"]), "dmy");
        assert_eq!(found(&["01/02/2024", "03/14/2024"]), "mdy");
        assert_eq!(found(&["01.02.2024", "03.04.2024"]), "dmy");
        assert_eq!(found(&["31/01/2024", "01/31/2024", "30/01/2024"]), "not 01/31/2024");
        assert_eq!(found(&["soon"]), "not soon");
    }

    #[test]
    fn years_of_two_digits_are_found_where_the_order_is_certain() {
        assert_eq!(found(&["04/30/92", "5/1/92"]), "%m/%d/%y");
        assert_eq!(found(&["17.03.35", "04.12.45"]), "%d.%m.%y");
        assert_eq!(found(&["92-04-30", "92-05-01"]), "%y-%m-%d");
        assert_eq!(found(&["04/30/92 10:15"]), "%m/%d/%y %H:%M");
        assert_eq!(found(&["04/05/92"]), "%d/%m/%y or %m/%d/%y");
        assert_eq!(found(&["04.05.03"]), "%d.%m.%y or %m.%d.%y or %y.%m.%d");
        for version in ["1.2.35", "10.0.4.30"] {
            assert_eq!(found(&[version]), format!("not {version}"));
        }
    }

    #[test]
    fn names_of_months_are_read() {
        for (text, format) in [
            ("18MAR1967", "%d%B%Y"),
            ("18-MAR-67", "%d-%B-%y"),
            ("18 March 1967", "%d %B %Y"),
            ("March 18, 1967", "%B %d, %Y"),
            ("18MAR1967:08:23:00", "%d%B%Y:%H:%M:%S"),
            ("Mar 1967", "%B %Y"),
        ] {
            assert_eq!(found(&[text]), format);
        }
    }

    #[test]
    fn months_and_quarters_are_dates_and_seasons_are_not() {
        assert_eq!(found(&["1949-02", "1950-11"]), "%Y-%m");
        assert_eq!(found(&["03/1967", "12/1970"]), "%m/%Y");
        assert_eq!(found(&["1967Q1", "1968Q4"]), "%YQ%q");
        for none in [&["2009-10", "2010-11"][..], &["1949-02", "1949-13"], &["4711-02"], &["1967"]]
        {
            assert!(found(none).starts_with("not "), "{none:?}");
        }
        let dotted = |texts: &[&str]| DateFormat::find_dotted_months(texts).is_some();
        assert!(dotted(&["03.1967", "12.1970"]) && !dotted(&["12.1967"]) && !dotted(&["03.50"]));
    }
}
