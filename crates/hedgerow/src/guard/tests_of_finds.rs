//! Tests of what the guard finds in notes, divided dates, numbers of people and measurements.

use super::tests::{random, with_roles};
use super::*;

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
