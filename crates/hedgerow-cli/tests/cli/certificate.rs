//! `--certificate`: how near the optimum a release is, with the real binary.

use crate::support::{Place, json, shown};

const TABLE: &str = "age,rooms\n20,1\n21,1\n30,1\n31,2\n45,3\n46,3\n47,5\n70,2\n72,2\n73,4\n";
const QUASI: &str = "-q age,rooms -k 2 --hierarchy age=iotf --hierarchy rooms=iotf";

#[test]
fn the_summary_says_how_near_the_optimum_the_release_is() {
    let place = Place::new().with("t.csv", TABLE);
    let run =
        place.hedgerow(&format!("anonymize t.csv {QUASI} --method hedge -o r.csv --certificate"));
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let text = String::from_utf8(run.stdout).unwrap();
    let lines: Vec<&str> = text.lines().skip_while(|line| !line.contains("certificate")).collect();
    insta::assert_snapshot!(lines[..2].join("\n"));
}

/// The same bound is found from the files and the saved hierarchies, and told by the report.
#[test]
fn files_and_reports_tell_the_same_certificate() {
    let place = Place::new().with("t.csv", TABLE);
    let outcome = json(&place.hedgerow(&format!(
        "anonymize t.csv {QUASI} --method hedge -o r.csv --certificate --json --hierarchies trees \
         --report report.json"
    )));
    let found = &outcome["certificate"];
    let [bound, loss, ratio] = ["bound", "loss", "ratio"].map(|key| found[key].as_f64().unwrap());
    assert!(bound > 0.0 && bound <= loss && ratio >= 1.0, "{found:#}");
    assert!((ratio - loss / bound).abs() < 1e-9, "{found:#}");
    assert!((outcome["loss"]["ntil"].as_f64().unwrap() - loss).abs() < 1e-12);
    let files = "measure --original t.csv --release r.csv -q age,rooms --hierarchies trees";
    let measured = json(&place.hedgerow(&format!("{files} -k 2 --certificate --json")));
    let near = |key: &str| (measured["certificate"][key].as_f64().unwrap(), found[key].as_f64());
    for key in ["bound", "loss", "ratio"] {
        let (one, other) = near(key);
        assert!((one - other.unwrap()).abs() < 1e-9, "{key}: {measured:#}");
    }
    let report: serde_json::Value = serde_json::from_slice(&place.read("report.json")).unwrap();
    assert_eq!(&report["certificate"], found);
    let effort = &found["effort"];
    assert!(effort["boxes"].as_u64().unwrap() > 0, "{effort:#}");
    assert_eq!((&effort["tuples"], &effort["nearest"]), (&10.into(), &0.into()), "{effort:#}");
    assert!(effort["ceiling"].as_f64().unwrap() > 1.0, "{effort:#}");
    let text = place.hedgerow(&format!("{files} -k 2 --certificate"));
    assert!(shown(&text).contains("The release loses"), "{}", shown(&text));
}

#[test]
fn full_domain_methods_are_compared_with_the_optimal_levels() {
    let place = Place::new().with("t.csv", TABLE);
    for (method, is_best) in [("optimal", true), ("datafly", false)] {
        let call = format!("anonymize t.csv {QUASI} --method {method} -o r.csv --force");
        let outcome = json(&place.hedgerow(&format!("{call} --certificate --json")));
        let found = &outcome["certificate"];
        assert_eq!(found["proof"], "lattice", "{method}: {found:#}");
        assert!(found["effort"].is_null(), "{method}: {found:#}");
        let ratio = found["ratio"].as_f64().unwrap();
        assert!(ratio >= 1.0 && (!is_best || ratio < 1.0 + 1e-9), "{method}: {found:#}");
    }
}

/// Three of five records have flu, so one of them is selected for suppression. No levels do that, so
/// the optimal levels say nothing about the release.
#[test]
fn a_release_without_selected_records_is_not_compared_with_levels() {
    let place = Place::new().with("t.csv", "a,s\n1,flu\n2,flu\n3,flu\n4,cold\n5,cold\n");
    for method in ["optimal", "samarati", "datafly"] {
        let outcome = json(&place.hedgerow(&format!(
            "anonymize t.csv -q a --sensitive s -k 4 --privacy alpha-k:alpha=0.5 --hierarchy a=iotf \
             --suppress 20% --method {method} -o r.csv --force --certificate --json"
        )));
        assert_eq!(outcome["suppressed"], 1, "{method}: {outcome:#}");
        let found = &outcome["certificate"];
        assert_ne!(found["proof"], "lattice", "{method}: {found:#}");
        assert!(found["ratio"].as_f64().unwrap() >= 1.0, "{method}: {found:#}");
    }
}

/// Suppressing the outlier loses a 1/11; publishing it would lose five times as much.
#[test]
fn suppressed_records_are_part_of_the_bound() {
    let place = Place::new().with("t.csv", format!("a\n{}100\n", "0\n".repeat(10)));
    let call =
        "anonymize t.csv -q a -k 5 --hierarchy a=iotf --method local --suppress 10% -o r.csv";
    let outcome =
        json(&place.hedgerow(&format!("{call} --certificate --json --hierarchies trees")));
    let measured = json(&place.hedgerow(
        "measure --original t.csv --release r.csv -q a --hierarchies trees -k 5 --certificate --json",
    ));
    for found in [&outcome["certificate"], &measured["certificate"]] {
        let [bound, loss] = ["bound", "loss"].map(|key| found[key].as_f64().unwrap());
        assert!((loss - 1.0 / 11.0).abs() < 1e-9 && (bound - loss).abs() < 1e-6, "{found:#}");
    }
}

/// With a time limit, `hedge` says why it ended, and the certificate how near the optimum it came.
#[test]
fn a_search_with_a_time_limit_says_the_ratio_that_it_reached() {
    let place = Place::new().with("t.csv", TABLE);
    let call = format!(
        "anonymize t.csv {QUASI} --method hedge --time 60 --certificate --verbose -o r.csv"
    );
    let text = shown(&place.hedgerow(&call));
    assert!(text.contains("the last 40 without a gain"), "{text}");
    assert!(text.contains("any release with these hierarchies must lose"), "{text}");
}

/// A job file asks for it by a key, and the release is the same with and without it.
#[test]
fn a_job_file_can_ask_for_it() {
    let job = "input = \"t.csv\"\noutput = \"r.csv\"\nquasi = [\"age\", \"rooms\"]\nk = 2\n";
    let place = Place::new().with("t.csv", TABLE).with("plain.toml", job);
    let place = place.with("asked.toml", format!("{job}certificate = true\nforce = true\n"));
    assert!(json(&place.hedgerow("anonymize plain.toml --json"))["certificate"].is_null());
    let plain = place.read("r.csv");
    let outcome = json(&place.hedgerow("anonymize asked.toml --json"));
    assert!(outcome["certificate"]["bound"].as_f64().unwrap() > 0.0);
    assert_eq!(place.read("r.csv"), plain);
}

#[test]
fn wrong_uses_are_explained() {
    let place = Place::new()
        .with("t.csv", TABLE)
        .with("gaps.csv", "age,rooms\n20,1\n,1\n30,1\n31,2\n")
        .with("sets.csv", release("{20, 73}"))
        .with("whole.csv", release("[20, 73]"))
        .with("age.csv", "20;young;*\n21;young;*\n30;young;*\n31;young;*\n45;old;*\n46;old;*\n47;old;*\n70;old;*\n72;old;*\n73;old;*\n");
    let files = "measure --original t.csv -q age,rooms --certificate";
    let wrong = [
        "anonymize gaps.csv -q age,rooms -k 2 -o o.csv --missing wildcard --certificate".to_owned(),
        format!("{files} --release whole.csv -k 11"),
        format!("{files} --release sets.csv"),
        format!("{files} --release whole.csv --hierarchy age=age.csv"),
    ];
    let told: Vec<String> = wrong
        .iter()
        .map(|call| format!("$ hedgerow {call}\n{}", shown(&place.hedgerow(call))))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

/// A release of ten records in one class.
fn release(age: &str) -> String {
    format!("age,rooms\n{}", format!("\"{age}\",\"[1, 5]\"\n").repeat(10))
}
