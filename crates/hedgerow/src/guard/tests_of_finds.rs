//! Tests of what the guard finds in notes, divided dates, numbers of people and measurements.

use super::tests::{found, random, with_roles};
use super::*;

fn age(row: usize) -> String {
    (20 + random(row, 0) % 50).to_string()
}

fn about<'a>(findings: &'a [Finding], column: &str) -> Option<&'a Finding> {
    findings.iter().find(|found| found.column == column)
}

fn stops(findings: &[Finding]) -> Vec<&str> {
    findings.iter().filter(|found| found.stops).map(|found| found.column.as_str()).collect()
}

#[test]
fn identifiers_in_a_few_notes_stop_with_their_number() {
    let note = |row: usize| match row % 50 {
        7 => format!("SSN {:03}-{:02}-{:04}", 101 + row % 500, 11 + row % 80, 1000 + row),
        place => {
            ["stable", "no change", "seen on 2024-01-31", "follow up in 3 months"][place % 4].into()
        }
    };
    let cell = |name: &str, row: usize| if name == "age" { age(row) } else { note(row) };
    let findings = found(&["age", "x1"], 500, cell);
    assert_eq!(stops(&findings), ["x1"]);
    assert_eq!(findings[0].reason.to_string(), "10 records contain national identity numbers");
    assert_eq!(findings[0].suggested, Role::Identifier);
}

#[test]
fn numbers_of_patients_stop_under_short_names() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        _ => (10_056 + 130 * row + random(row, 2) % 120).to_string(),
    };
    for name in ["pidnum", "patno", "subjid", "caseid", "ptid"] {
        assert_eq!(stops(&found(&["age", name], 300, cell)), [name]);
    }
}

#[test]
fn numbers_of_households_stop() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        "pno" => (1 + row % 3).to_string(),
        "town" => ["A", "B", "C"][random(row / 3, 9) % 3].to_owned(),
        _ => (5000 + row / 3).to_string(),
    };
    for name in ["hhid", "household_id", "famid", "Haushalt", "family_id"] {
        let findings = found(&["age", name, "pno", "town"], 360, cell);
        assert_eq!(stops(&findings), [name], "{findings:?}");
        let households = Reason::Household { households: 120, records: 360, is_estimate: false };
        assert_eq!(findings[0].reason, households);
    }
    // The size and the income of a household are not its number.
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        _ => (1 + random(row, 8) % 40).to_string(),
    };
    assert!(stops(&found(&["age", "household_size", "hhinc"], 360, cell)).is_empty());
}

#[test]
fn two_players_are_named_people() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        "player" => ["McGwire", "Sosa"][random(row, 1) % 2].to_owned(),
        _ => ["Home", "Away"][random(row, 2) % 2].to_owned(),
    };
    assert_eq!(stops(&found(&["age", "player", "place"], 300, cell)), ["player"]);
}

#[test]
fn a_column_that_adds_nothing_to_another_quasi_identifier_gives_nothing_away() {
    let old = |row: usize| 15 + random(row, 0) % 35;
    // The year of birth is 88 minus the age, for five of six people.
    let born = |row: usize| 88 - old(row) - usize::from(random(row, 2) % 6 == 0);
    let cell = |name: &str, row: usize| match (name, row % 500) {
        ("age", _) => old(row).to_string(),
        ("yearborn", _) => born(row).to_string(),
        (_, 3) => String::new(),
        ("electric", _) => format!("{}.0", usize::from(random(row, 5) % 7 == 0)),
        _ => format!("{}.0", random(row, 6) % 3),
    };
    let roles = [("age", Role::Quasi), ("yearborn", Role::Quasi)];
    let findings = with_roles(&["age", "yearborn", "electric", "radio"], &roles, 2000, cell);
    assert_eq!(findings, []);
}

#[test]
fn texts_that_measure_something_do_not_stop() {
    let cell = |name: &str, row: usize| {
        let n = random(row, name.len());
        match name {
            "age" => age(row),
            "pressure" => format!("{}/{}", 100 + n % 60, 60 + n / 60 % 40),
            "share" => format!("{}.{} %", n % 100, n / 100 % 10),
            "clock" => format!("{:02}:{:02}", n % 24, n / 24 % 60),
            "lasted" => format!("{}:{:02}:{:02}", n % 5, n / 5 % 60, n / 300 % 60),
            "tint" => format!("#{:06x}", n * 16 % 0xff_ffff),
            "amount" => format!("{} {:03} €", 1 + n % 90, n / 90 % 1000),
            _ => unreachable!(),
        }
    };
    let names = ["age", "pressure", "share", "clock", "lasted", "tint", "amount"];
    let findings = found(&names, 500, cell);
    assert!(stops(&findings).is_empty(), "{findings:?}");
    // Nearly unique ones are a warning, as numbers are.
    assert!(about(&findings, "tint").is_some_and(|found| !found.stops), "{findings:?}");
}
