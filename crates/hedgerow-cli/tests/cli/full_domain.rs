//! Full-domain methods with the real binary.

use crate::support::{Place, shown};

const TABLE: &str = "age,zip\n20,7\n21,7\n30,8\n31,8\n20,9\n31,9\n";
const ASKED: &str = "anonymize t.csv -q age,zip -k 2 -o r.csv --force --keep-order --json";

fn notes(place: &Place, flags: &str) -> String {
    let output = place.hedgerow(&format!("{ASKED} {flags}"));
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    json["notes"].to_string()
}

#[test]
fn every_method_publishes_and_says_its_levels() {
    let place = Place::new().with("t.csv", TABLE);
    for method in ["optimal", "local", "incognito", "samarati", "datafly"] {
        let notes = notes(&place, &format!("--method {method} --suppress 40%"));
        assert!(notes.contains("age "), "{method}: {notes}");
    }
    assert!(notes(&place, "--method optimal --loss dm").contains("least dm of all"));
    assert!(notes(&place, "--method incognito --loss dm").contains("least dm taken"));
}

#[test]
fn a_search_ends_early_when_it_is_told_to() {
    let place = Place::new().with("t.csv", TABLE);
    let found = notes(&place, "--method optimal:budget=2");
    assert!(found.contains("the budget ended: 2 of ") && found.contains("a gap of"), "{found}");
    let found = notes(&place, "--method optimal --time 0.000000001");
    assert!(found.contains("depends on the machine"), "{found}");
    for flags in
        ["--method optimal --time 0", "--method optimal:budget=0", "--method datafly --time 1"]
    {
        let refused = place.hedgerow(&format!("{ASKED} {flags}"));
        assert_eq!(refused.status.code(), Some(2), "{}", shown(&refused));
    }
}

/// Bottom-up and top-down give up where one class of all would do.
#[test]
fn what_a_method_cannot_reach_another_can() {
    let place = Place::new().with("t.csv", "a,b\n1,x\n2,y\n3,z\n4,w\n");
    for method in ["top-down", "bottom-up", "mu-argus"] {
        let output = place.hedgerow(&format!(
            "anonymize t.csv -q a,b -k 4 -o r.csv --suppress 100% --drop-suppressed --method {method}"
        ));
        let said = shown(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("take another method; --method hedge can\n"), "{said}");
        assert_eq!(place.files(), ["t.csv"]);
    }
}

/// Records that show nothing are suppressed only if the count of suppressed records says so.
#[test]
fn what_mu_argus_says_of_records_at_risk_is_what_is_counted() {
    let rows: String =
        (0..8).map(|row| format!("{},{},{}\n", row / 4, row / 2 % 2, row % 2)).collect();
    let place = Place::new().with("t.csv", format!("a,b,c\n{rows}0,0,0\n0,0,0\n"));
    for (share, suppressed, sign) in [
        ("100%", 7, "7 of 10 records were then still at risk and are suppressed"),
        ("0%", 0, "too many to be suppressed: a class of 7 shows * everywhere"),
    ] {
        let rows = "anonymize t.csv -q a,b,c -k 2 -o r.csv --force --json";
        let output =
            place.hedgerow(&format!("{rows} --method mu-argus:max-comb=2 --suppress {share}"));
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(outcome["notes"].to_string().contains(sign), "{outcome:#}");
        assert_eq!(outcome["suppressed"], suppressed, "{outcome:#}");
    }
}

#[test]
fn what_has_no_levels_is_refused_with_what_can() {
    let place = Place::new().with("t.csv", TABLE);
    let flags = "--method optimal --hierarchy age=free --hierarchy zip=iotf";
    let refused = place.hedgerow(&format!("{ASKED} {flags}"));
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("column 'age'") && said.contains("these methods can: hedge"), "{said}");
}
