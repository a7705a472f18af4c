//! Dates of birth whose years have two digits, which can be of another century.

use chrono::{DateTime, Datelike};

use super::names::is_of_birth;
use crate::error::{Advice, Warning};
use crate::noun::counted;
use crate::table::{Column, Table, Values};

/// First year of the century that a birth in `15` need not be in.
const CENTURY: i32 = 2000;

/// Warnings about dates of birth with years of two digits of which some are read as years from 2000
/// on: `15` is the year 2015 or 1915, and only the owner of the table knows which.
pub fn doubtful_births(table: &Table) -> Vec<Warning> {
    table.columns().iter().filter_map(doubt).collect()
}

fn doubt(column: &Column) -> Option<Warning> {
    let Values::Date(scale, format) = &column.domain.values else { return None };
    let (_, last) = format.short_years()?;
    let year = |place: usize| {
        DateTime::from_timestamp(scale.floor(place), 0).map_or(1970, |moment| moment.year())
    };
    let late = (0..scale.len()).filter(|&place| year(place) >= CENTURY);
    let n_late: u64 = late.map(|place| column.domain.counts[place]).sum();
    (n_late > 0 && is_of_birth(&column.name)).then(|| {
        let problem = format!(
            "the years of '{name}' have two digits, and {n} read as born from {CENTURY} to {last}",
            name = column.name,
            n = if n_late == 1 {
                "1 record is".to_owned()
            } else {
                counted(n_late, "record") + " are"
            },
        );
        let format = format!("{} until {}", format.pattern(), CENTURY - 1);
        let words = "if no one in the table was born so late";
        Warning::new(problem).advise([
            Advice::words(words),
            Advice::StateDateFormat { column: column.name.clone(), format },
            Advice::words("write years with four digits if both centuries occur"),
        ])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubts(name: &str, texts: &[&str]) -> String {
        let rows: Vec<[&str; 1]> = texts.iter().map(|&text| [text]).collect();
        let table = Table::from_rows(&[name], &rows).unwrap();
        doubtful_births(&table).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn births_with_short_years_from_2000_on_are_doubted() {
        let texts = ["17.03.35", "04.12.45", "01.01.15", "31.05.15"];
        let said = doubts("dob", &texts);
        assert!(said.contains("2 records are read as born from 2000 to 2026"), "{said}");
        assert!(said.contains("%d.%m.%y until 1999"), "{said}");
        assert!(doubts("visit", &texts).is_empty());
        assert!(doubts("dob", &texts[..2]).is_empty());
        assert!(doubts("dob", &["17.03.1935", "04.12.2015"]).is_empty());
    }
}
