//! Tests of the guard on tables that resemble those in which something was published by mistake.

use super::tests::{found, random, with_roles};
use super::*;

/// The columns that stop a run.
fn stops(findings: &[Finding]) -> Vec<&str> {
    findings.iter().filter(|found| found.stops).map(|found| found.column.as_str()).collect()
}

/// Dates of a diagnosis, a relapse and a death, with the days between them. For six of ten
/// patients nothing happened before the last visit, so that the last two dates are the same.
fn patients(name: &str, row: usize) -> String {
    let diagnosed = 5000 + random(row, 1) % 2500;
    let relapse = diagnosed + 30 + random(row, 2) % 2000;
    let is_same = random(row, 3) % 10 < 6;
    let death = if is_same { relapse } else { relapse + 40 + random(row, 4) % 2000 };
    let number = match name {
        "diagnosed" => diagnosed,
        "relapse" => relapse,
        "death" => death,
        "relapse_after" => relapse - diagnosed,
        "survived" => death - diagnosed,
        _ => random(row, 5) % 60,
    };
    match name {
        "diagnosed" | "relapse" | "death" => {
            let days = 715_000 + i32::try_from(number).unwrap();
            chrono::NaiveDate::from_num_days_from_ce_opt(days).unwrap().to_string()
        }
        _ => number.to_string(),
    }
}

const DATES: [&str; 6] = ["diagnosed", "relapse", "death", "relapse_after", "survived", "size"];

#[test]
fn nothing_is_given_away_once_the_proposed_columns_are_left_out() {
    for quasi in ["diagnosed", "death", "relapse"] {
        let mut roles = vec![(quasi, Role::Quasi)];
        let findings = with_roles(&DATES, &roles, 700, patients);
        let proposed = stops(&findings);
        assert!(!proposed.is_empty() && !proposed.contains(&"size"), "{quasi}: {findings:?}");
        roles.extend(proposed.iter().map(|&name| (name, Role::Dropped)));
        let rest = with_roles(&DATES, &roles, 700, patients);
        assert_eq!(stops(&rest), [""; 0], "{quasi}: {proposed:?}");
        // A date and the time after which it happened never stay together.
        let is_left = |name: &str| !proposed.contains(&name);
        let pairs =
            [["relapse", "relapse_after"], ["death", "survived"], ["death", "relapse_after"]];
        if quasi == "diagnosed" {
            let left: Vec<_> =
                pairs.iter().filter(|pair| pair.iter().all(|n| is_left(n))).collect();
            assert!(left.is_empty(), "{left:?}");
        }
    }
}

#[test]
fn a_date_that_is_the_same_for_most_records_stops() {
    let findings = with_roles(&["death", "relapse"], &[("death", Role::Quasi)], 700, patients);
    assert_eq!(stops(&findings), ["relapse"], "{findings:?}");
}

#[test]
fn three_columns_that_tell_a_state_together_stop() {
    let state = |row: usize| random(row, 1) % 27;
    // Each has a third of the information, and is wrong in some records.
    let digit = |row: usize, place: usize| {
        let lot = random(row, 10 + place);
        if lot % 100 < 6 { lot / 100 % 3 } else { state(row) / [1, 3, 9][place] % 3 }
    };
    let cell = |name: &str, row: usize| match name {
        "state" => format!("s{}", state(row)),
        "poverty" => digit(row, 0).to_string(),
        "alcohol" => digit(row, 1).to_string(),
        "jobless" => digit(row, 2).to_string(),
        _ => (random(row, 7) % 5).to_string(),
    };
    let names = ["state", "poverty", "alcohol", "jobless", "other"];
    let findings = with_roles(&names, &[("state", Role::Quasi)], 3000, cell);
    let stopped = stops(&findings);
    assert!(!stopped.is_empty() && !stopped.contains(&"other"), "{findings:?}");
    assert!(matches!(findings[0].reason, Reason::GivesAwayWith { .. }), "{findings:?}");
}

#[test]
fn whole_numbers_that_no_two_records_share_stop() {
    let cell = |name: &str, row: usize| match name {
        "age" => (20 + random(row, 0) % 50).to_string(),
        // A sequence with gaps, account numbers of eight digits, and two measurements.
        "seqn" => format!("{}.0", 233 + 15 * row + random(row, 1) % 15),
        "V7" => (10_000_000 + (row * 7_919 + random(row, 2) % 7_919) * 9 % 89_000_000).to_string(),
        "population" => (1 + random(row, 3).pow(2) / 7 + row).to_string(),
        _ => format!("{}.{:03}", random(row, 4) % 90, row),
    };
    let names = ["age", "seqn", "V7", "population", "level"];
    let findings = found(&names, 800, cell);
    assert_eq!(stops(&findings), ["seqn", "V7"], "{findings:?}");
    assert!(findings.iter().all(|found| found.suggested == Role::Identifier), "{findings:?}");
}

#[test]
fn small_tables_are_counted_exactly() {
    let cell = |name: &str, row: usize| match name {
        "age" => (20 + random(row, 0) % 50).to_string(),
        _ => format!("w{row}x"),
    };
    for n in [1495, 1629, 3000] {
        let findings = found(&["age", "word"], n, cell);
        let told = findings[0].reason.to_string();
        assert_eq!(told, format!("{n} of {n} records have a value that no other has"));
    }
}

#[test]
fn times_and_counts_are_not_people() {
    // Each value has several records that agree in all quasi-identifiers.
    let cell = |name: &str, row: usize| {
        let place = row / 6;
        match name {
            "age" => (20 + random(place, 0) % 30).to_string(),
            "sex" => ["f", "m"][random(place, 3) % 2].to_owned(),
            "time_hour" => format!("2013-01-{:02}T{:02}:00:00Z", 1 + place / 24, place % 24),
            "totpop" => (random(place, 1) * (1 + random(place, 2) % 90) + place).to_string(),
            "rate" => format!("{}.{:03}", random(place, 4) % 50, place),
            _ => (random(row, 5) % 9).to_string(),
        }
    };
    let roles = [("age", Role::Quasi), ("sex", Role::Quasi)];
    for column in ["time_hour", "totpop", "rate"] {
        let findings = with_roles(&["age", "sex", column, "visits"], &roles, 600, cell);
        let is_person = |found: &Finding| found.suggested == Role::Person;
        assert!(!findings.iter().any(is_person), "{column}: {findings:?}");
    }
}

#[test]
fn the_code_of_a_country_is_not_a_person() {
    let cell = |name: &str, row: usize| {
        let place = row / 12;
        match name {
            "country_name" => format!("land {}", random(place, 0)),
            "region" => format!("r{}", place % 9),
            "continent" => format!("c{}", place % 3),
            _ => (20 + 3 * place).to_string(),
        }
    };
    let names = ["country_name", "region", "continent", "cowcode"];
    let rows: Vec<Vec<String>> =
        (0..600).map(|row| names.iter().map(|name| cell(name, row)).collect()).collect();
    let suggestions = suggest(&Glance::of_rows(&names, &rows, &[]));
    assert!(suggestions.iter().all(|found| found.role != Role::Person), "{suggestions:?}");
}

#[test]
fn suggestions_agree_with_findings_and_take_categories_for_categories() {
    let cell = |name: &str, row: usize| match name {
        "PID" => (random(row, 1) % 7).to_string(),
        "un_continent_name" => ["Africa", "Asia", "Europe"][random(row, 2) % 3].to_owned(),
        "nr" => (17 * (row / 5) + 3).to_string(),
        "age_at_diagnosis" => (20 + random(row / 5, 3) % 40).to_string(),
        "female" => (random(row / 5, 4) % 2).to_string(),
        _ => unreachable!("no other column"),
    };
    let names = ["PID", "un_continent_name", "nr", "age_at_diagnosis", "female"];
    let rows: Vec<Vec<String>> =
        (0..500).map(|row| names.iter().map(|name| cell(name, row)).collect()).collect();
    let roles: Vec<Role> =
        suggest(&Glance::of_rows(&names, &rows, &[])).iter().map(|found| found.role).collect();
    let (quasi, undecided) = (Role::Quasi, Role::Undecided);
    assert_eq!(roles, [undecided, quasi, Role::Person, quasi, quasi]);
}
