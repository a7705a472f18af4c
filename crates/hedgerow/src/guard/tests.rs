//! Tests of the guard on small tables.

use super::*;

/// Looks at a table of `n` records whose cells `cell` gives, with `age` as the quasi-identifier.
fn found(names: &[&str], n: usize, cell: impl Fn(&str, usize) -> String) -> Vec<Finding> {
    with_roles(names, &[("age", Role::Quasi)], n, cell)
}

fn with_roles(
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
    // A column that is kept knowingly is not examined.
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
        let several = Reason::SeveralRowsPerPerson { people: 50, records: 200 };
        assert!(findings.iter().any(|found| found.reason == several && !found.stops), "{role:?}");
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
