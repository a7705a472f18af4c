//! The values of a quasi-identifier, and the meaning of its published cells.

use std::collections::BTreeMap;

use super::cell::{Cell, read_cell};

/// Values of a column in the records that are not left out.
pub(crate) struct Values<'a> {
    na: &'a [String],
    are_numbers: bool,
    /// Number of records with each value, by a key that all its spellings share.
    counts: BTreeMap<String, u64>,
}

impl<'a> Values<'a> {
    /// Counts values; a missing value counts if it is a value of its own.
    pub(crate) fn new(texts: &[&str], na: &'a [String], is_missing_a_value: bool) -> Self {
        let is_known = |text: &&&str| !is_missing(text, na);
        let are_numbers = texts.iter().any(|text| is_known(&text))
            && texts.iter().filter(is_known).all(|text| is_number(text));
        let mut values = Self { na, are_numbers, counts: BTreeMap::new() };
        for text in texts.iter().filter(|text| is_missing_a_value || is_known(text)) {
            *values.counts.entry(values.key(text)).or_default() += 1;
        }
        values
    }

    /// Whether the values are numbers, so that intervals of them have a style.
    pub(crate) fn are_numbers(&self) -> bool {
        self.are_numbers
    }

    /// Whether a text is missing.
    pub(crate) fn is_missing(&self, text: &str) -> bool {
        is_missing(text, self.na)
    }

    /// Returns the key that all spellings of a value share.
    pub(crate) fn key(&self, text: &str) -> String {
        match text.parse::<f64>() {
            _ if is_missing(text, self.na) => String::new(),
            Ok(number) if self.are_numbers => (number + 0.0).to_string(),
            _ => text.to_owned(),
        }
    }

    /// Returns the number of records with the value that a text spells.
    pub(crate) fn n_records(&self, text: &str) -> u64 {
        self.counts.get(&self.key(text)).copied().unwrap_or(0)
    }

    /// Returns the least and the greatest number.
    pub(crate) fn range(&self) -> (f64, f64) {
        let known = self.counts.keys().filter(|key| !key.is_empty());
        let numbers = known.map(|key| key.parse::<f64>().unwrap());
        numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
            (low.min(number), high.max(number))
        })
    }

    /// Reads the published text of a record. A text that is a value is read as that value, even if
    /// it looks like another notation.
    pub(crate) fn read(&self, shown: &[&str]) -> Cell {
        let is_value = shown.len() == 1 && self.counts.contains_key(shown[0]);
        match self.read_otherwise(shown) {
            cell if cell == Cell::Anything || !is_value => cell,
            _ => Cell::Name(shown[0].to_owned()),
        }
    }

    /// Reads the same text, but prefers the other notation if a value looks like one.
    pub(crate) fn read_otherwise(&self, shown: &[&str]) -> Cell {
        read_cell(shown, self.are_numbers)
    }

    /// Whether a cell covers a value, as far as this can be decided without a hierarchy.
    pub(crate) fn covers(&self, cell: &Cell, value: &str) -> bool {
        match cell {
            Cell::Anything => true,
            Cell::Ends(low, high) => is_between(value, low, high),
            Cell::Members(members, _) => {
                members.iter().any(|member| self.key(member) == self.key(value))
            }
            Cell::Name(name) => self.key(name) == self.key(value),
        }
    }
}

fn is_missing(text: &str, na: &[String]) -> bool {
    text.trim().is_empty() || na.iter().any(|spelling| spelling == text)
}

/// Whether a text is a number; digits that start with a zero are a code.
fn is_number(text: &str) -> bool {
    let is_code =
        text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    !is_code && text.parse::<f64>().is_ok()
}

/// Whether a number or date is between two others, inclusive.
fn is_between(value: &str, low: &str, high: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    if let (Some(low), Some(value), Some(high)) = (number(low), number(value), number(high)) {
        return low <= value && value <= high;
    }
    match (moments(low), moments(value), moments(high)) {
        (Some(low), Some(value), Some(high)) => low.0 <= value.0 && value.1 <= high.1,
        _ => false,
    }
}

/// Returns the first and the last minute of a date, a time or a calendar period, where all months
/// have 31 days: `2024-02-05`, `05.02.2024`, `2024-02-05T14:30:00`, `2024-02-05T14`, `2024-02`,
/// `2024-Q1`, `2024`, `2020s`.
fn moments(text: &str) -> Option<(i64, i64)> {
    let number = |text: &str| text.parse::<i64>().ok();
    let span = |[year, month, day, minute]: [i64; 4], n_minutes: i64| {
        let start = ((year * 12 + month - 1) * 31 + day - 1) * DAY + minute;
        (start, start + n_minutes - 1)
    };
    if let [day, month, year] = text.split('.').collect::<Vec<_>>()[..] {
        return Some(span([number(year)?, number(month)?, number(day)?, 0], DAY));
    }
    if let Some(decade) = text.strip_suffix('s') {
        return Some(span([number(decade)?, 1, 1, 0], 10 * 12 * MONTH));
    }
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    let parts: Vec<&str> = date.split('-').collect();
    let year = number(parts[0]).filter(|_| parts[0].len() == 4)?;
    match parts[1..] {
        [] => Some(span([year, 1, 1, 0], 12 * MONTH)),
        [quarter] if quarter.starts_with('Q') => {
            Some(span([year, 3 * number(&quarter[1..])? - 2, 1, 0], 3 * MONTH))
        }
        [month] => Some(span([year, number(month)?, 1, 0], MONTH)),
        [month, day] => {
            let of_time: Vec<i64> = time.split(':').filter_map(number).collect();
            let (minute, n_minutes) = match of_time[..] {
                [] => (0, DAY),
                [hour] => (60 * hour, 60),
                [hour, minute, ..] => (60 * hour + minute, 1),
            };
            Some(span([year, number(month)?, number(day)?, minute], n_minutes))
        }
        _ => None,
    }
}

/// Minutes.
const DAY: i64 = 24 * 60;
const MONTH: i64 = 31 * DAY;
