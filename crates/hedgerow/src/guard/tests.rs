//! Tests of the guard on small tables.

use super::*;

/// Looks at a table of `n` records whose cells `cell` gives, with `age` as the quasi-identifier.
pub(super) fn found(
    names: &[&str],
    n: usize,
    cell: impl Fn(&str, usize) -> String,
) -> Vec<Finding> {
    with_roles(names, &[("age", Role::Quasi)], n, cell)
}

pub(super) fn with_roles(
    names: &[&str],
    roles: &[(&str, Role)],
    n: usize,
    cell: impl Fn(&str, usize) -> String,
) -> Vec<Finding> {
    let rows: Vec<Vec<String>> =
        (0..n).map(|row| names.iter().map(|name| cell(name, row)).collect()).collect();
    let header: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    look(&Glance::of_rows(names, &rows, &[]), &Schema::new(&header, roles).unwrap())
}

fn mixed(row: usize) -> usize {
    (row.wrapping_mul(2_654_435_761) >> 7) % 1_000_003
}

#[test]
fn one_missing_value_does_not_hide_what_gives_a_quasi_identifier_away() {
    let age = |row: usize| 20 + mixed(row) % 50;
    let cell = |name: &str, row: usize| match (name, row) {
        ("age", _) => age(row).to_string(),
        (_, 7) => "NA".to_owned(),
        _ => (100_000 - 365 * age(row) - row % 365).to_string(),
    };
    let findings = found(&["age", "born"], 400, cell);
    let gives_away = |finding: &Finding| matches!(finding.reason, Reason::GivesAway { .. });
    assert!(findings.iter().any(gives_away), "{findings:?}");
}

#[test]
fn names_stop_even_in_the_smallest_table() {
    let findings = found(&["age", "Nachname"], 3, |name, row| match name {
        "age" => (30 + row).to_string(),
        _ => format!("Weber{row}"),
    });
    assert_eq!(findings.len(), 1);
    assert!(
        findings[0].stops
            && matches!(&findings[0].reason, Reason::Name { word } if word == "nachname")
    );
    assert_eq!(findings[0].suggested, Role::Identifier);
}

#[test]
fn a_phone_of_yes_and_no_is_not_a_phone_number() {
    let findings = found(&["age", "phone"], 100, |name, row| match name {
        "age" => (20 + mixed(row) % 50).to_string(),
        _ => if mixed(row + 7).is_multiple_of(3) { "yes" } else { "no" }.to_owned(),
    });
    assert_eq!(findings, []);
}

#[test]
fn unique_words_stop_and_unique_numbers_are_a_warning() {
    let findings = found(&["age", "x", "y"], 200, |name, row| match name {
        "age" => (20 + mixed(row) % 50).to_string(),
        "x" => format!("w{}", mixed(row)),
        _ => mixed(row + 1000).to_string(),
    });
    let stops: Vec<(&str, bool)> =
        findings.iter().map(|finding| (finding.column.as_str(), finding.stops)).collect();
    assert_eq!(stops, [("x", true), ("y", false)]);
}

#[test]
fn numbers_of_rows_stop() {
    let findings = found(&["n", "age"], 50, |name, row| match name {
        "n" => (row + 1).to_string(),
        _ => (20 + mixed(row) % 50).to_string(),
    });
    assert!(findings.len() == 1 && findings[0].stops && findings[0].reason == Reason::RowNumber);
}

#[test]
fn a_renamed_quasi_identifier_is_to_be_dropped() {
    let cell = |name: &str, row: usize| match name {
        "age" => (20 + mixed(row) % 50).to_string(),
        "code" => format!("c{}", (20 + mixed(row) % 50) * 7919 % 101),
        _ => ["a", "b", "c"][mixed(row + 5000) % 3].to_owned(),
    };
    let findings = found(&["age", "code", "other"], 400, cell);
    assert_eq!(findings.len(), 1);
    let Finding { reason, suggested, stops, .. } = &findings[0];
    assert!(
        matches!(reason, Reason::GivesAway { quasi, restored: Restored::Value, .. } if quasi == "age")
    );
    assert!(*stops && *suggested == Role::Dropped);
    // A sensitive column is a decision, so the same is a warning.
    let roles = [("age", Role::Quasi), ("code", Role::Sensitive)];
    let findings = with_roles(&["age", "code", "other"], &roles, 400, cell);
    assert!(findings.len() == 1 && !findings[0].stops);
    // A column with the role insensitive is not examined.
    let roles = [("age", Role::Quasi), ("code", Role::Insensitive)];
    assert_eq!(with_roles(&["age", "code", "other"], &roles, 400, cell), []);
}

#[test]
fn people_with_several_rows_are_noticed_whatever_their_role() {
    let cell = |name: &str, row: usize| match name {
        "age" => (20 + mixed(row / 4) % 50).to_string(),
        _ => format!("p{}", row / 4),
    };
    for role in [Role::Identifier, Role::Dropped, Role::Undecided] {
        let roles = [("age", Role::Quasi), ("patient_id", role)];
        let findings = with_roles(&["age", "patient_id"], &roles, 200, cell);
        let [Finding { reason, suggested, stops, .. }] = findings.as_slice() else {
            panic!("{findings:?}")
        };
        assert_eq!(
            *reason,
            Reason::SeveralRowsPerPerson {
                people: 50,
                records: 200,
                unnamed: 0,
                is_estimate: false
            }
        );
        // A column with a role does not stop the run, but another role is suggested.
        assert_eq!((*stops, *suggested), (role == Role::Undecided, Role::Person));
    }
}

#[test]
fn suggestions_follow_names_and_values() {
    let names = ["patient-id", "marital-status", "Diagnosis", "fnlwgt", "x", "email_sent"];
    let cell = |name: &str, row: usize| match name {
        "x" => format!("u{row}"),
        "patient-id" => (mixed(row)).to_string(),
        _ => (row % 2).to_string(),
    };
    let rows: Vec<Vec<String>> =
        (0..40).map(|row| names.iter().map(|name| cell(name, row)).collect()).collect();
    let found = suggest(&Glance::of_rows(&names, &rows, &[]));
    let roles: Vec<Role> = found.iter().map(|suggestion| suggestion.role).collect();
    let (identifier, quasi, sensitive) = (Role::Identifier, Role::Quasi, Role::Sensitive);
    let undecided = Role::Undecided;
    assert_eq!(roles, [identifier, quasi, sensitive, undecided, identifier, undecided]);
    assert_eq!(found[3].hint, Some(Hint::SamplingWeight));
    assert_eq!((found[4].alone, found[1].alone), (40, 0));
}

/// A pseudo-random number of a row, which does not depend on that of another `salt`.
pub(super) fn random(row: usize, salt: usize) -> usize {
    let mut x = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((salt as u64 + 1) << 40);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) % 1_000_003) as usize
}

const FIRST: [&str; 8] = ["Anna", "Peter", "Maria", "John", "Eva", "Paul", "Lucy", "Mark"];

/// The name of a person.
fn name_of(person: usize) -> String {
    format!("{} W{}l", FIRST[person % 8], ["eber", "olf", "agner", "eis", "inter"][person / 8 % 5])
}

#[test]
fn names_stop_under_any_header_even_if_they_repeat() {
    let cell = |name: &str, row: usize| match name {
        "age" => (20 + random(row / 4, 0) % 50).to_string(),
        "V3" => name_of(row / 4),
        _ => ["a", "b", "c"][random(row, 0) % 3].to_owned(),
    };
    let findings = found(&["age", "V3", "V4"], 160, cell);
    let [Finding { column, reason, suggested, stops, .. }] = findings.as_slice() else {
        panic!("{findings:?}")
    };
    assert_eq!((column.as_str(), *suggested, *stops), ("V3", Role::Identifier, true));
    assert_eq!(*reason, Reason::PersonNames { has_first_names: true });
}

#[test]
fn columns_are_compared_with_the_one_that_names_people() {
    let cell = |name: &str, row: usize| match name {
        "who" => format!("p{}", row / 4),
        "age" => (20 + random(row / 4, 0) % 50).to_string(),
        // A second number of each person, a word that few share, and values that change from row to
        // row.
        "acct" => (70_000 + random(row / 4, 0) % 20_000).to_string(),
        "V3" => format!("w{}x", row / 8),
        "amount" => (random(row, 9) % 97).to_string(),
        _ => ["x", "y", "z"][random(row / 4, 0) % 3].to_owned(),
    };
    let names = ["who", "age", "acct", "V3", "amount", "group"];
    let roles = [("age", Role::Quasi), ("who", Role::Person)];
    let findings = with_roles(&names, &roles, 400, cell);
    let stops: Vec<&str> =
        findings.iter().filter(|found| found.stops).map(|found| found.column.as_str()).collect();
    assert_eq!(stops, ["acct"], "{findings:?}");
    let one = |findings: &[Finding]| matches!(findings[0].reason, Reason::OnePersonEach { .. });
    assert!(one(&findings), "{findings:?}");
    // Words that belong to one person each stop too.
    let cell = |name: &str, row: usize| match name {
        "V3" => format!("w{}x", row / 4),
        _ => cell(name, row),
    };
    let findings = with_roles(&["who", "age", "V3"], &roles, 400, cell);
    assert!(findings.len() == 1 && findings[0].stops && one(&findings), "{findings:?}");
}

#[test]
fn a_number_of_people_is_suspected_by_what_it_restores() {
    let cell = |name: &str, row: usize| match name {
        "age" => (20 + random(row / 5, 0) % 30).to_string(),
        "sex" => ["f", "m"][random(row / 5, 3) % 2].to_owned(),
        "nr" => (17 * (row / 5) + 3).to_string(),
        _ => (random(row, 0) % 9).to_string(),
    };
    let roles = [("age", Role::Quasi), ("sex", Role::Quasi)];
    let findings = with_roles(&["age", "sex", "nr", "visits"], &roles, 500, cell);
    let [Finding { column, suggested, stops: true, .. }] = findings.as_slice() else {
        panic!("{findings:?}")
    };
    assert_eq!((column.as_str(), *suggested), ("nr", Role::Person));
}

#[test]
fn flags_that_together_say_a_quasi_identifier_stop() {
    let race =
        |row: usize| ["white", "black", "asian", "other"][[0, 0, 0, 1, 2, 3][random(row, 0) % 6]];
    let flag = |of: &str, row: usize| u8::from(race(row) == of).to_string();
    let cell = |name: &str, row: usize| match name {
        "race" => race(row).to_owned(),
        "smoker" => (random(row, 77) % 2).to_string(),
        _ => flag(name.strip_prefix("is_").unwrap(), row),
    };
    let names = ["race", "is_white", "is_black", "is_asian", "is_other", "smoker"];
    let findings = with_roles(&names, &[("race", Role::Quasi)], 400, cell);
    let columns: Vec<&str> = findings.iter().map(|found| found.column.as_str()).collect();
    assert_eq!(columns, ["is_white", "is_black", "is_asian", "is_other"]);
    assert!(findings.iter().all(|found| found.stops && found.suggested == Role::Dropped));
    assert_eq!(
        findings[0].reason.to_string(),
        "together with 'is_black', 'is_asian' and 'is_other' it gives 'race' away: they tell 100% of the \
         values that could not be guessed otherwise"
    );
}

/// A height in cm and a weight in kg.
fn body(row: usize) -> (f64, f64) {
    (150.0 + (random(row, 0) % 500) as f64 / 10.0, 45.0 + (random(row, 999) % 700) as f64 / 10.0)
}

#[test]
fn two_numbers_that_give_a_third_away_stop() {
    let cell = |name: &str, row: usize| {
        let (height, weight) = body(row);
        match name {
            "height" => height.to_string(),
            "weight" => weight.to_string(),
            "bmi" => format!("{:.1}", weight / (height / 100.0).powi(2)),
            _ => (random(row, 31) % 1000).to_string(),
        }
    };
    let names = ["height", "weight", "bmi", "score"];
    for roles in
        [&[("weight", Role::Quasi)][..], &[("weight", Role::Quasi), ("height", Role::Quasi)]]
    {
        let findings = with_roles(&names, roles, 300, cell);
        let stops: Vec<&Finding> = findings.iter().filter(|found| found.stops).collect();
        assert!(stops.len() == 1 && stops[0].column == "bmi", "{findings:?}");
        let Reason::GivesAwayWith { share, .. } = &stops[0].reason else { panic!("{findings:?}") };
        assert!(*share > 0.95, "{share}");
        let told = stops[0].reason.to_string();
        assert!(told.starts_with("together with 'height' it gives 'weight' away"), "{told}");
    }
}

#[test]
fn the_year_of_a_survey_and_a_later_age_give_an_age_away() {
    let age = |row: usize| 18 + random(row, 0) % 12;
    let year = |row: usize| 66 + random(row, 50) % 8;
    let cell = |name: &str, row: usize| match name {
        "age" => age(row).to_string(),
        "year" => year(row).to_string(),
        "age80" => (age(row) + 80 - year(row)).to_string(),
        _ => (random(row, 5) % 40).to_string(),
    };
    let findings = found(&["age", "year", "age80", "iq"], 700, cell);
    assert!(findings.len() == 1 && findings[0].stops, "{findings:?}");
    assert!(matches!(findings[0].reason, Reason::GivesAwayWith { .. }), "{findings:?}");
}

#[test]
fn unrelated_columns_give_nothing_away_together() {
    let names: Vec<String> = (0..20).map(|i| format!("x{i}")).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.extend(["age", "sex"]);
    for n in [30, 100, 1000] {
        let cell = |name: &str, row: usize| match name {
            "age" => (20 + random(row, 0) % 50).to_string(),
            "sex" => (random(row, 40_000) % 2).to_string(),
            _ => {
                let column: usize = name[1..].parse().unwrap();
                let many = [2, 3, 5, 50, 100_000][column % 5];
                (random(row, column + 7) % many).to_string()
            }
        };
        let roles = [("age", Role::Quasi), ("sex", Role::Quasi)];
        let findings = with_roles(&names, &roles, n, cell);
        assert!(findings.iter().all(|found| !found.stops), "{n}: {findings:?}");
    }
}

#[test]
fn copies_are_found_in_tables_of_few_records() {
    let weight = |row: usize| 60.0 + (random(row, 0) % 300) as f64 / 10.0;
    let cell = |name: &str, row: usize| match name {
        "age" | "same" => weight(row).to_string(),
        "scaled" => format!("{:.3}", 2.2 * weight(row)),
        _ => (random(row, 60) % 1000).to_string(),
    };
    for n in [7, 12, 30] {
        let findings = found(&["age", "same", "scaled", "other"], n, cell);
        let stops: Vec<&str> = findings
            .iter()
            .filter(|found| found.stops)
            .map(|found| found.column.as_str())
            .collect();
        assert_eq!(stops, ["same", "scaled"], "{n}: {findings:?}");
    }
    // Categories, too: five values of two records each.
    let cell = |name: &str, row: usize| match name {
        "age" => ["p", "q", "r", "s", "t"][row % 5].to_owned(),
        _ => ["k", "z", "a", "m", "b"][row % 5].to_owned(),
    };
    let findings = found(&["age", "code"], 10, cell);
    assert!(findings.len() == 1 && findings[0].stops, "{findings:?}");
}

#[test]
fn unique_words_stop_in_a_table_of_ten_records() {
    let cell = |name: &str, row: usize| match name {
        "age" => (20 + 3 * row).to_string(),
        "n" => (row + 1).to_string(),
        "town" => ["here", "there", "else"][row % 3].to_owned(),
        _ => format!("x{}", random(row, 0)),
    };
    let findings = found(&["age", "note", "town"], 10, cell);
    assert!(findings.len() == 1 && findings[0].column == "note" && findings[0].stops);
    assert_eq!(findings[0].reason.to_string(), "10 of 10 records have a value that no other has");
    let findings = found(&["age", "n"], 10, cell);
    assert_eq!(findings[0].reason, Reason::RowNumber);
}

#[test]
fn the_number_of_a_person_in_a_household_is_not_a_person_with_several_rows() {
    let cell = |name: &str, row: usize| match name {
        "persnum" => (1 + random(row, 1) % 40).to_string(),
        "age" => (20 + random(row, 2) % 50).to_string(),
        _ => (random(row, 3) % 9).to_string(),
    };
    let findings = found(&["persnum", "age", "kids"], 2000, cell);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(matches!(findings[0].reason, Reason::Name { .. }) && findings[0].stops);
    assert_eq!(findings[0].suggested, Role::Identifier);
}
