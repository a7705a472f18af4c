//! Tests of the findings of the guard in notes, divided dates, numbers of people and measurements.

use super::names::{Meaning, meaning};
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

/// The roles that are suggested for the columns of a table of `n` records.
fn suggested(names: &[&str], n: usize, cell: impl Fn(&str, usize) -> String) -> Vec<Role> {
    let rows: Vec<Vec<String>> =
        (0..n).map(|row| names.iter().map(|name| cell(name, row)).collect()).collect();
    suggest(&Glance::of_rows(names, &rows, &[])).iter().map(|found| found.role).collect()
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
fn postal_codes_of_eight_digits_are_not_phone_numbers() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        _ => format!("{:05}-{:03}", 1000 + row % 20, row % 3 * 10),
    };
    assert!(stops(&found(&["age", "cep"], 400, cell)).is_empty());
    assert_eq!(suggested(&["age", "cep"], 400, cell), [Role::Quasi, Role::Quasi]);
    // Under another name they have the form of phone numbers.
    assert_eq!(stops(&found(&["age", "x1"], 400, cell)), ["x1"]);
}

/// `cp`, `cap` and `cep` are postal codes alone and next to words for that of which they are the
/// code.
#[test]
fn short_words_for_postal_codes_mean_something_else_in_other_names() {
    let is_quasi = |name: &str| matches!(meaning(name), Some((Meaning::Quasi, _)));
    for name in "cp CAP cep cp_patient cap_residenza codCP cp2 zip_home PLZ_Wohnort".split(' ') {
        assert!(is_quasi(name), "{name}");
    }
    for name in "cap_color cap.shape market_cap cp_type cp_level capital capital_gain".split(' ') {
        assert_eq!(meaning(name), None, "{name}");
    }
}

/// The kinds of chest pain in a column `cp`, and postal codes.
#[test]
fn a_short_word_for_postal_codes_needs_values_that_can_be_codes() {
    let kinds =
        |name: &str, row: usize| if name == "age" { age(row) } else { (row % 4).to_string() };
    assert_eq!(suggested(&["age", "cp"], 400, kinds), [Role::Quasi, Role::Undecided]);
    assert_eq!(suggested(&["age", "plz"], 400, kinds), [Role::Quasi, Role::Quasi]);
    let codes = |name: &str, row: usize| match name {
        "age" => age(row),
        _ => format!("{}", 75001 + row % 20),
    };
    assert_eq!(suggested(&["age", "cp"], 400, codes), [Role::Quasi, Role::Quasi]);
    assert_eq!(suggested(&["age", "cap_color"], 400, kinds), [Role::Quasi, Role::Undecided]);
}

/// A year, a month or a day of birth, by the last letter of a word for it.
fn part(name: &str, row: usize) -> String {
    match name {
        "byear" => 1930 + random(row, 3) % 70,
        "bmon" => 1 + random(row, 4) % 12,
        "bday" => 1 + random(row, 5) % 28,
        _ => random(row, 6) % 2,
    }
    .to_string()
}

#[test]
fn a_year_a_month_and_a_day_of_birth_stop_and_two_of_them_do_not() {
    let names = ["sex", "byear", "bmon", "bday"];
    let findings = with_roles(&names, &[("sex", Role::Quasi)], 600, part);
    let [Finding { column, reason, suggested, or_quasi, stops: true }] = findings.as_slice() else {
        panic!("{findings:?}")
    };
    assert_eq!((column.as_str(), *suggested, *or_quasi), ("bday", Role::Dropped, true));
    assert_eq!(
        reason.to_string(),
        "together with 'bmon' and 'byear' it gives exact dates of birth"
    );
    // A year that is generalized, and a column that is left out, leave no exact date.
    for decided in [("byear", Role::Quasi), ("bday", Role::Dropped), ("bmon", Role::Identifier)] {
        let roles = [("sex", Role::Quasi), decided];
        assert!(stops(&with_roles(&names, &roles, 600, part)).is_empty(), "{decided:?}");
    }
    // Months that are different in nearly every record are a warning, as for a column of months.
    let findings = with_roles(&names[..3], &[("sex", Role::Quasi)], 25, part);
    assert!(findings.len() == 1 && !findings[0].stops, "{findings:?}");
    // An insensitive column is a decision, and the others are still examined.
    let roles = [("sex", Role::Quasi), ("bday", Role::Insensitive)];
    assert_eq!(stops(&with_roles(&names, &roles, 600, part)), ["bmon"]);
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
    let born = |row: usize| 88 - old(row) - usize::from(random(row, 2).is_multiple_of(6));
    let cell = |name: &str, row: usize| match (name, row % 500) {
        ("age", _) => old(row).to_string(),
        ("yearborn", _) => born(row).to_string(),
        (_, 3) => String::new(),
        ("electric", _) => format!("{}.0", usize::from(random(row, 5).is_multiple_of(7))),
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

#[test]
fn small_towns_are_a_warning_in_every_language() {
    let cell = |name: &str, row: usize| match (name, row % 3) {
        ("age", _) => age(row),
        (_, 0) => format!("Small{}ton", ["ing", "er", "le"][row % 3].repeat(1 + row / 3 % 60)),
        _ => ["Here", "There"][random(row, 4) % 2].to_owned(),
    };
    for name in ["Ort", "municipio", "commune", "comune", "gemeente", "town"] {
        let findings = found(&["age", name], 180, cell);
        assert!(findings.len() == 1 && !findings[0].stops, "{name}: {findings:?}");
    }
    assert!(is_called_quasi("Ort") && is_called_quasi("âge") && !is_called_quasi("score"));
}

#[test]
fn dates_and_parts_of_births_are_quasi_identifiers_in_every_language() {
    let cell = |name: &str, row: usize| match name {
        "byear" | "bmon" | "bday" => part(name, row),
        _ => format!(
            "{}-{:02}-{:02}",
            1930 + random(row, 1) % 75,
            1 + random(row, 2) % 12,
            1 + random(row, 3) % 28
        ),
    };
    let names =
        ["Fecha_Nac", "dt_nasc", "data_ur", "Geburtsdatum", "dob", "x7", "byear", "bmon", "bday"];
    assert_eq!(suggested(&names, 300, cell), [Role::Quasi; 9]);
}

#[test]
fn products_of_a_quasi_identifier_are_not_suggested_besides_it() {
    let years = |row: usize| random(row, 1) % 14;
    let cell = |name: &str, row: usize| match name {
        "educ" => years(row).to_string(),
        "educ0" => u8::from(years(row) == 0).to_string(),
        "urb_educ" => (years(row) * usize::from(!random(row, 2).is_multiple_of(3))).to_string(),
        _ => age(row),
    };
    let names = ["age", "educ", "urb_educ", "educ0"];
    let (quasi, undecided) = (Role::Quasi, Role::Undecided);
    assert_eq!(suggested(&names, 1000, cell), [quasi, quasi, undecided, undecided]);
}

#[test]
fn names_of_rows_stop_although_one_is_missing() {
    let cell = |name: &str, row: usize| match (name, row) {
        ("age", _) => age(row),
        (_, 16) => String::new(),
        ("row", _) => (row + 1 + 2 * (row / 5)).to_string(),
        _ => (row + 1).to_string(),
    };
    for name in ["row", "n"] {
        let findings = found(&["age", name], 17, cell);
        assert_eq!(stops(&findings), [name], "{findings:?}");
        assert_eq!(findings[0].reason, Reason::RowNumber);
    }
}

/// A woman's year of birth, and the year and her age at her marriage, if she married. The age is
/// that before her birthday in half of the cases.
fn marriage(name: &str, row: usize, married: usize) -> String {
    let (born, age) = (40 + random(row, 0) % 35, 14 + random(row, 1) % 12);
    let is_married = random(row, 2) % 100 < married;
    match name {
        "born" => born.to_string(),
        "children" => (random(row, 3) % 7).to_string(),
        _ if !is_married => "NA".to_owned(),
        "year" => (born + age + random(row, 4) % 2).to_string(),
        _ => age.to_string(),
    }
}

#[test]
fn two_columns_that_most_records_lack_give_away_what_they_give_away_in_the_others() {
    let names = ["born", "children", "year", "age_then"];
    let roles = [("born", Role::Quasi)];
    for married in [15, 47, 100] {
        let cell = |name: &str, row: usize| marriage(name, row, married);
        let findings = with_roles(&names, &roles, 1500, cell);
        assert_eq!(stops(&findings).len(), 1, "{married}%: {findings:?}");
        let told = about(&findings, stops(&findings)[0]).unwrap().reason.to_string();
        assert!(told.contains("'born' away approximately ("), "{told}");
        assert_eq!(told.contains("of the records that have all values"), married < 80, "{told}");
    }
}

#[test]
fn a_difference_that_is_a_quasi_identifier_in_a_third_of_the_records_stops() {
    let share = |share: usize| {
        let cell = |name: &str, row: usize| {
            let (age, since) = (20 + random(row, 0) % 50, random(row, 1) % 40);
            let is_exact = random(row, 2) % 100 < share;
            match name {
                "age" => age.to_string(),
                "since" => since.to_string(),
                _ if is_exact => (age + since).to_string(),
                _ => (20 + random(row, 3) % 90).to_string(),
            }
        };
        stops(&found(&["age", "since", "until"], 1500, cell)).len()
    };
    assert_eq!((share(35), share(10)), (1, 0));
}

#[test]
fn amounts_that_are_mostly_zero_are_not_equations() {
    let amount = |row: usize, salt: usize, poor: usize| {
        let is_poor = random(row, 9) % 100 < poor;
        if is_poor { 0 } else { random(row, salt) % 4000 }
    };
    let cell = |name: &str, row: usize| match name {
        "earned" => amount(row, 1, 60).to_string(),
        "saved" => amount(row, 2, 65).to_string(),
        "spent" => amount(row, 3, 70).to_string(),
        _ => age(row),
    };
    let roles = [("earned", Role::Quasi), ("age", Role::Quasi)];
    let findings = with_roles(&["age", "earned", "saved", "spent"], &roles, 1500, cell);
    assert_eq!(stops(&findings), [""; 0], "{findings:?}");
}

#[test]
fn dates_of_birth_stop_under_short_names() {
    // Half of the people share their date with others.
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        _ => {
            let n = random(row, 5) % 150;
            format!("{}-{:02}-{:02}", 1950 + n % 5, 1 + n % 12, 1 + n % 28)
        }
    };
    for name in ["bday", "bdate", "b_date", "brthdt", "BIRTHDT", "date_of_birth"] {
        assert_eq!(stops(&found(&["age", name], 400, cell)), [name]);
    }
    assert!(stops(&found(&["age", "visit"], 400, cell)).is_empty());
}

#[test]
fn codes_of_participants_number_people() {
    let cell = |name: &str, row: usize| match name {
        "age" => age(row),
        _ => (10_056 + 13 * (row % 250)).to_string(),
    };
    let findings = found(&["age", "participant_code"], 700, cell);
    assert_eq!(about(&findings, "participant_code").unwrap().suggested, Role::Person);
    let findings = found(&["age", "participant_code"], 250, cell);
    assert!(about(&findings, "participant_code").unwrap().stops);
    assert_eq!(suggested(&["age", "participant_code"], 250, cell)[1], Role::Identifier);
}
