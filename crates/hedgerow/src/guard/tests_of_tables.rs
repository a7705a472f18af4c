//! Tests of the guard on tables that resemble those that others brought.

use super::tests::{found, random, with_roles};
use super::*;

fn age(row: usize) -> String {
    (20 + random(row, 0) % 50).to_string()
}

/// The finding about a column, if any.
fn about<'a>(findings: &'a [Finding], column: &str) -> Option<&'a Finding> {
    findings.iter().find(|found| found.column == column)
}

/// Whether a finding is that a column numbers people with several records.
fn is_person(findings: &[Finding], column: &str) -> bool {
    about(findings, column).is_some_and(|found| {
        found.suggested == Role::Person
            && matches!(found.reason, Reason::SeveralRowsPerPerson { .. })
    })
}

#[test]
fn people_are_suspected_however_rarely_they_repeat() {
    // 1,417 people in 2,002 records, and one person with two records.
    for (n_people, n) in [(1_417, 2_002), (399, 400)] {
        let cell = |name: &str, row: usize| match name {
            "age" => age(row),
            _ => format!("P{}", 5_000_000 + row % n_people * 37),
        };
        for role in [Role::Undecided, Role::Identifier] {
            let roles = [("age", Role::Quasi), ("subject_id", role)];
            let findings = with_roles(&["subject_id", "age"], &roles, n, cell);
            assert!(is_person(&findings, "subject_id"), "{n_people}: {findings:?}");
            assert_eq!(findings[0].stops, role == Role::Undecided);
            let told = findings[0].reason.to_string();
            assert!(told.contains(&format!("({n_people} values in {n} records)")), "{told}");
            assert!(told.ends_with("k counts records"), "{told}");
        }
    }
}

#[test]
fn people_with_very_many_records_are_suspected() {
    let cell = |name: &str, row: usize| match name {
        "userId" => (1 + row / 40).to_string(),
        "movieId" => (31 + 7 * (random(row, 4) % 900)).to_string(),
        _ => age(row),
    };
    let findings = found(&["userId", "movieId", "age"], 6_000, cell);
    assert!(is_person(&findings, "userId") && !is_person(&findings, "movieId"), "{findings:?}");
}

#[test]
fn the_number_of_a_matched_set_is_not_a_person_if_every_record_has_another_id() {
    let cell = |name: &str, row: usize| match name {
        "id" => (3 * row + 2).to_string(),
        "case.id" | "family_id" | "class_id" => (10_000 + 3 * (row / 5)).to_string(),
        _ => age(row),
    };
    for group in ["case.id", "family_id", "class_id"] {
        let findings = found(&["id", "age", group], 500, cell);
        assert!(!findings.iter().any(|found| found.suggested == Role::Person), "{findings:?}");
        assert!(about(&findings, "id").is_some_and(|found| found.stops), "{findings:?}");
    }
    // The number of a visit does not hide that of the patient.
    let cell = |name: &str, row: usize| match name {
        "visit_id" => (3 * row + 2).to_string(),
        "id" => (7 + 3 * (row / 5)).to_string(),
        _ => age(row),
    };
    assert!(is_person(&found(&["visit_id", "id", "age"], 500, cell), "id"));
}

#[test]
fn dates_of_birth_stop_and_can_be_generalized() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        _ => format!(
            "{:02}.{:02}.{}",
            1 + random(row, 1) % 28,
            1 + random(row, 2) % 12,
            1940 + random(row, 3) % 60
        ),
    };
    for name in ["dob", "Né(e) le", "Дата рождения", "تاريخ الميلاد", "V9"]
    {
        let findings = found(&["age", name], 300, cell);
        let finding = about(&findings, name).unwrap_or_else(|| panic!("{name}: {findings:?}"));
        assert!(finding.stops && finding.or_quasi, "{findings:?}");
        assert_eq!(finding.suggested, Role::Dropped);
        assert!(matches!(finding.reason, Reason::BirthDates { .. }), "{findings:?}");
    }
}

#[test]
fn dates_of_birth_as_numbers_stop_like_others() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        _ => format!(
            "{}{:02}{:02}",
            1940 + random(row, 3) % 60,
            1 + random(row, 2) % 12,
            1 + random(row, 1) % 28
        ),
    };
    for name in ["dob", "birthdate", "geburtsdatum", "Date of birth"] {
        // So few days that most are shared.
        let findings = found(&["age", name], 300, |name, row| cell(name, row % 40));
        let [finding] = findings.as_slice() else { panic!("{name}: {findings:?}") };
        assert!(finding.stops && finding.or_quasi, "{findings:?}");
        assert!(matches!(finding.reason, Reason::BirthDates { .. }), "{findings:?}");
    }
}

#[test]
fn two_columns_that_are_mostly_the_same_value_give_nothing_away() {
    // 91% of the records have 0 or `no` in each column, independently of the others.
    let rare = |name: &str, row: usize| match random(row, name.len()) % 100 {
        0..91 => 0,
        91..95 => 1,
        _ => 2,
    };
    let names = ["children", "complaints", "word", "other"];
    let cell = |name: &str, row: usize| match name {
        "children" | "complaints" => rare(name, row).to_string(),
        _ => ["no", "yes", "perhaps"][rare(name, row)].to_owned(),
    };
    let roles = [("children", Role::Quasi), ("word", Role::Quasi)];
    let findings = with_roles(&names, &roles, 1000, cell);
    assert!(findings.is_empty(), "{findings:?}");
    // One that repeats the rare values, too, is a copy: of 90 wrong guesses, it corrects all but 9.
    let cell = |name: &str, row: usize| match name {
        "complaints" if row.is_multiple_of(10) => "0".to_owned(),
        "children" | "complaints" => {
            if row.is_multiple_of(11) { 1 + row % 2 } else { 0 }.to_string()
        }
        _ => random(row, 9).to_string(),
    };
    let findings = with_roles(&["children", "complaints"], &[("children", Role::Quasi)], 990, cell);
    let [Finding { reason, stops: true, .. }] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!(
        reason.to_string(),
        "it gives 'children' away: it tells 90% of the values that could not be guessed otherwise, seen \
         in 990 records"
    );
}

#[test]
fn a_few_equal_amounts_give_nothing_away() {
    // Fifteen brothers and sisters have the same income and the same year of birth.
    let family = |row: usize| if row < 16 { row / 2 } else { row };
    let cell = |name: &str, row: usize| match name {
        "age" => age(family(row)),
        _ => format!(
            "{}.{:03}",
            20_000 + random(family(row), 5) % 60_000,
            random(family(row), 6) % 1000
        ),
    };
    let findings = found(&["age", "income"], 675, cell);
    assert!(findings.iter().all(|found| !found.stops), "{findings:?}");
    // The count is part of the message where something is revealed.
    let cell = |name: &str, row: usize| match name {
        "age" => (20 + row % 40).to_string(),
        _ => format!("c{}", row % 40 * 7 % 41),
    };
    let told = found(&["age", "code"], 400, cell)[0].reason.to_string();
    assert_eq!(
        told,
        "it gives 'age' away: it tells 100% of the values that could not be guessed otherwise, seen in \
         400 records"
    );
}

#[test]
fn comments_are_unique_although_most_are_missing() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        _ if !row.is_multiple_of(3) => "NA".to_owned(),
        _ => format!("my raise was {} of what was said", random(row, 1)),
    };
    let findings = found(&["age", "other_info"], 466, cell);
    assert!(about(&findings, "other_info").is_some_and(|found| found.stops), "{findings:?}");
    let told = findings[0].reason.to_string();
    assert_eq!(told, "156 of 156 records have a value that no other has");
}

#[test]
fn exact_numbers_and_times_are_a_warning_from_half_of_the_records_on() {
    // Three quarters of the records have unique values.
    let pair = |row: usize| if row < 75 { row / 2 } else { row };
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        "time_hrs" => format!("2.{:06}", 100_000 + random(pair(row), 1) % 800_000),
        "time_stamp" => format!(
            "2014-{:02}-{:02} {:02}:{:02}:{:02}",
            1 + pair(row) % 12,
            1 + random(pair(row), 2) % 28,
            random(pair(row), 3) % 24,
            random(pair(row), 4) % 60,
            random(pair(row), 5) % 60
        ),
        _ => (random(pair(row), 6) % 5_000).to_string(),
    };
    let findings = found(&["age", "time_hrs", "time_stamp", "steps"], 300, cell);
    let columns: Vec<&str> = findings.iter().map(|found| found.column.as_str()).collect();
    assert_eq!(columns, ["time_hrs", "time_stamp"], "{findings:?}");
    assert!(findings.iter().all(|found| {
        !found.stops && found.reason.to_string().contains("records have a value that no other has")
    }));
}

#[test]
fn counts_amounts_and_categories_are_not_identifiers_whatever_they_are_called() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        "insurance_name" => ["AOK", "TK", "Barmer"][random(row, 1) % 3].to_owned(),
        "account_rest" => format!("{}.{}", random(row, 2) % 50, random(row, 3) % 10),
        _ => (random(row, name.len()) % 280).to_string(),
    };
    let names = [
        "age",
        "insurance_name",
        "account_rest",
        "url_clicks",
        "mail_received",
        "phone_minutes",
        "account_balance",
        "months_at_address",
        "name_length",
    ];
    let findings = found(&names, 800, cell);
    assert_eq!(findings, []);
    // Numbers of accounts are.
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        _ => (100 + random(row, 1) % 280).to_string(),
    };
    assert!(about(&found(&["age", "account"], 800, cell), "account").is_some());
}

#[test]
fn nearly_unique_places_and_durations_can_be_generalized() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        "hometown" => format!("Upper {}ville", ["a", "o", "u"][row % 3].repeat(1 + row / 3)),
        "id" => (row / 4).to_string(),
        _ => (400 + 13 * (row / 4)).to_string(),
    };
    let findings = found(&["age", "hometown"], 60, cell);
    let hometown = about(&findings, "hometown").unwrap_or_else(|| panic!("{findings:?}"));
    assert!(hometown.stops && hometown.or_quasi && hometown.suggested == Role::Dropped);
    let roles = [("age", Role::Quasi), ("id", Role::Person)];
    let findings = with_roles(&["id", "age", "futime"], &roles, 400, cell);
    let futime = about(&findings, "futime").unwrap_or_else(|| panic!("{findings:?}"));
    assert!(futime.stops && futime.or_quasi, "{findings:?}");
}

#[test]
fn names_stop_in_other_languages_and_scripts() {
    let syllables = ["ка", "ло", "ми", "ру", "ве", "да"];
    let word = |row: usize| {
        let parts = (0..3).map(|part| syllables[random(row, part) % 6]);
        parts.collect::<String>()
    };
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        "medecin" => format!("Dr {}", ["Martin", "Petit", "Roux"][row % 3]),
        _ => word(row % 150),
    };
    for name in ["Фамилия", "příjmení", "Soyad", "이름", "Επώνυμο", "efternamn", "medecin"]
    {
        let findings = found(&["age", name], 600, cell);
        assert!(about(&findings, name).is_some_and(|found| found.stops), "{name}: {findings:?}");
    }
}
