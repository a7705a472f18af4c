//! A second, naive implementation of what a release must be, which shares no code with the library:
//! it reads the files as anybody would, and counts.

use std::collections::{BTreeMap, BTreeSet};

/// A CSV file.
pub(crate) struct File {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl File {
    pub(crate) fn read(path: &std::path::Path) -> Self {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
        Self { header, rows: rows.collect() }
    }

    /// The cells of a column.
    pub(crate) fn column(&self, name: &str) -> Vec<&str> {
        let place = self.header.iter().position(|column| column == name);
        let place = place.unwrap_or_else(|| panic!("{name} is not in {:?}", self.header));
        self.rows.iter().map(|row| row[place].as_str()).collect()
    }
}

/// What a published cell may stand for.
#[derive(Debug, PartialEq)]
pub(crate) enum Cell {
    Anything,
    Ends(String, String),
    Members(Vec<String>, usize),
    Name(String),
}

/// Reads a published cell as a person would.
pub(crate) fn read_cell(text: &str) -> Cell {
    if text == "*" {
        return Cell::Anything;
    }
    if let Some(inner) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'))
        && let Some((low, high)) = inner.split_once(", ")
    {
        return Cell::Ends(low.to_owned(), high.to_owned());
    }
    if let Some(inner) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        return members(inner);
    }
    Cell::Name(text.to_owned())
}

/// Members between braces; those with commas stand in quotes, which are doubled inside.
fn members(inner: &str) -> Cell {
    let (mut members, mut rest) = (Vec::new(), inner);
    loop {
        let member;
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut end = 0;
            let bytes = quoted.as_bytes();
            while bytes[end] != b'"' || bytes.get(end + 1) == Some(&b'"') {
                end += if bytes[end] == b'"' { 2 } else { 1 };
            }
            member = quoted[..end].replace("\"\"", "\"");
            rest = &quoted[end + 1..];
        } else {
            let end =
                rest.find(", ").or_else(|| rest.rfind(" and ").filter(|_| rest.ends_with(" more")));
            let end = end.unwrap_or(rest.len());
            member = rest[..end].to_owned();
            rest = &rest[end..];
        }
        members.push(member);
        if let Some(next) = rest.strip_prefix(", ") {
            rest = next;
        } else if let Some(more) = rest.strip_prefix(" and ") {
            let n_more = more.strip_suffix(" more").unwrap().parse().unwrap();
            return Cell::Members(members, n_more);
        } else {
            assert_eq!(rest, "", "{inner}");
            return Cell::Members(members, 0);
        }
    }
}

/// The days that an ISO date or a part of the calendar spans, as `year * 372 + month * 31 + day`.
pub(crate) fn days(text: &str) -> Option<(i64, i64)> {
    let (start, end) = match text.strip_suffix('s') {
        Some(decade) => {
            let year: i64 = decade.parse().ok()?;
            (year, year + 9)
        }
        None => {
            let year: i64 = text.get(..4)?.parse().ok()?;
            (year, year)
        }
    };
    let parts: Vec<&str> = text.split('-').skip(1).collect();
    let day = |year: i64, month: i64, day: i64| year * 372 + (month - 1) * 31 + day - 1;
    match parts.as_slice() {
        [] => Some((day(start, 1, 1), day(end, 12, 31))),
        [quarter] if quarter.starts_with('Q') => {
            let quarter: i64 = quarter[1..].parse().ok()?;
            Some((day(start, 3 * quarter - 2, 1), day(start, 3 * quarter, 31)))
        }
        [month] => {
            let month: i64 = month.parse().ok()?;
            Some((day(start, month, 1), day(start, month, 31)))
        }
        [month, of_month] => {
            let found = day(start, month.parse().ok()?, of_month.parse().ok()?);
            Some((found, found))
        }
        _ => None,
    }
}

/// What is counted of the sensitive values of a class and of the table.
pub(crate) struct Secrets<'a> {
    pub(crate) class: Vec<&'a str>,
    pub(crate) table: Vec<&'a str>,
}

impl Secrets<'_> {
    fn counts<'a>(values: &[&'a str]) -> BTreeMap<&'a str, f64> {
        let mut counts = BTreeMap::new();
        values.iter().for_each(|value| *counts.entry(*value).or_default() += 1.0);
        counts
    }

    /// How much a class attains of a model, and whether more is stricter; none for models that are
    /// not counted here.
    pub(crate) fn holds(&self, model: &str, asked: &BTreeMap<String, f64>) -> Option<bool> {
        let (class, table) = (Self::counts(&self.class), Self::counts(&self.table));
        let (size, all) = (self.class.len() as f64, self.table.len() as f64);
        let shares: BTreeMap<&str, f64> = class.iter().map(|(v, n)| (*v, n / size)).collect();
        let slack = 1e-9;
        Some(match model {
            "l-diversity" => class.len() as f64 >= asked["l"],
            "entropy" => {
                let entropy: f64 = shares.values().map(|p| -p * p.ln()).sum();
                entropy.exp() >= asked["l"] - slack
            }
            "recursive" => {
                let mut counts: Vec<f64> = class.values().copied().collect();
                counts.sort_by(|a, b| b.total_cmp(a));
                let rest: f64 = counts.iter().skip(asked["l"] as usize - 1).sum();
                counts[0] < asked["c"] * rest
            }
            "p-sensitive" => class.len() as f64 >= asked["p"],
            "alpha-k" => shares.values().all(|share| *share <= asked["alpha"] + slack),
            "t-closeness" => {
                let values: BTreeSet<&str> = table.keys().copied().collect();
                let of = |counts: &BTreeMap<&str, f64>, value: &str, n: f64| {
                    counts.get(value).copied().unwrap_or(0.0) / n
                };
                let gaps = values.iter().map(|v| (of(&class, v, size) - of(&table, v, all)).abs());
                gaps.sum::<f64>() / 2.0 <= asked["t"] + slack
            }
            "beta-likeness" => shares.iter().all(|(value, q)| {
                let p = table[value] / all;
                (q - p) / p <= asked["beta"] + slack
            }),
            "delta-disclosure" => {
                let is_near = |(value, q): (&&str, &f64)| {
                    (q / (table[*value] / all)).ln().abs() < asked["delta"] + slack
                };
                class.len() == table.len() && shares.iter().all(is_near)
            }
            _ => return None,
        })
    }
}
