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

/// A gain such as `precision` is maximized, where a loss is minimized.
#[test]
fn a_gain_is_maximized() {
    let place = Place::new().with("t.csv", TABLE);
    let trees = "--hierarchy age=iotf --hierarchy zip=iotf --loss precision";
    let by = |method: &str| notes(&place, &format!("--method {method} {trees}"));
    assert!(by("optimal").contains("most precision of all"));
    assert!(by("incognito").contains("the one of most precision taken"));
    let output = place.hedgerow(&format!("{ASKED} {trees}"));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let kept = found["release_loss"]["precision"].as_f64().unwrap();
    let tried = found["choosing"]["tried"].as_array().unwrap();
    let of_best = tried.iter().map(|trial| trial["loss"].as_f64().unwrap()).reduce(f64::min);
    assert!(tried.len() > 2 && (1.0 - kept - of_best.unwrap()).abs() < 1e-9, "{tried:?}");
    let early = by("optimal:budget=1");
    assert!(early.contains("best precision 0.000000"), "all at the roots: {early}");
}

#[test]
fn a_search_stops_at_its_budget() {
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

/// With limits, groups are searched separately, but the user sees one result, which must state
/// whether a search stopped early.
#[test]
fn stopping_early_is_reported_with_limits_too() {
    let place = Place::new().with("t.csv", TABLE).with("zip.csv", "7;a;*\n8;b;*\n9;b;*\n");
    let limit = "--hierarchy zip=zip.csv --hierarchy age=iotf --limit zip=level:1 --method optimal";
    let found = notes(&place, &format!("{limit} --time 0.000000001"));
    let sign = "in 2 of 2 groups the time limit was reached, so the result depends on the machine; largest gap ";
    assert!(found.contains(sign), "{found}");
    let found = notes(&place, &format!("{limit}:budget=1 --loss nil1"));
    let sign = "in 2 of 2 groups the budget ended; largest gap ";
    assert!(found.contains(sign), "{found}");
    assert!(!notes(&place, limit).contains("in 2 of 2"), "what is proved needs no excuse");
}

/// With `residual=refuse`, mu-argus fails where a single class of all records would satisfy the
/// goal.
#[test]
fn an_error_names_a_method_that_reaches_the_goal() {
    let rows: String =
        (0..8).map(|row| format!("{},{},{}\n", row / 4, row / 2 % 2, row % 2)).collect();
    let place = Place::new().with("t.csv", format!("a,b,c\n{rows}"));
    let output = place.hedgerow(
        "anonymize t.csv -q a,b,c -k 2 -o r.csv --method mu-argus:max-comb=2,residual=refuse",
    );
    let said = shown(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("or choose another method such as hedge (--method hedge)\n"), "{said}");
    assert_eq!(place.files(), ["t.csv"]);
}

/// Runs a job that must succeed, and returns the JSON of its outcome.
fn solved(place: &Place, job: &str) -> serde_json::Value {
    let output = place.hedgerow(&format!("anonymize {job} -o r.csv --force --json"));
    assert_eq!(output.status.code(), Some(0), "{job}: {}", shown(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn suppression_is_the_last_resort() {
    let place = Place::new()
        .with("four.csv", "a\n1\n2\n3\n4\n")
        .with("words.csv", "w\na\nb\n")
        .with("two.csv", "a,s\n1,x\n2,y\n");
    for method in ["bottom-up", "top-down", "mu-argus"] {
        for share in ["50%", "100%"] {
            let job = format!("four.csv -q a -k 2 --hierarchy a=iotf --suppress {share}");
            let outcome = solved(&place, &format!("{job} --method {method}"));
            assert_eq!(outcome["suppressed"], 0, "{method} {share}: {outcome:#}");
        }
    }
    solved(&place, "words.csv -q w -k 2 --suppress 50% --method traversal");
    let release = place.read("r.csv");
    assert_eq!(release, b"w\n\"{a, b}\"\n\"{a, b}\"\n");
    for method in ["hedge", "k-member"] {
        let job = "two.csv -q a --sensitive s -k 1 --t-closeness 0.1 --suppress 50%";
        let outcome = solved(&place, &format!("{job} --method {method}"));
        assert_eq!(outcome["suppressed"], 0, "{method}: {outcome:#}");
    }
}

/// Three of five records have flu. If one of them is suppressed, no illness has more than half.
#[test]
fn records_are_suppressed_where_the_others_meet_the_goal_without_them() {
    let rows = "a,s\n1,flu\n2,flu\n3,flu\n4,cold\n5,cold\n";
    let place = Place::new().with("t.csv", rows);
    for method in ["hedge", "k-member", "mondrian", "optimal", "samarati", "bottom-up", "top-down"]
    {
        let job = "t.csv -q a --sensitive s -k 4 --privacy alpha-k:alpha=0.5 --hierarchy a=iotf";
        let outcome = solved(&place, &format!("{job} --suppress 20% --method {method}"));
        assert_eq!(outcome["suppressed"], 1, "{method}: {outcome:#}");
        let output = place.hedgerow(&format!(
            "anonymize {job} -o r.csv --force --suppress 20% --privacy l-diversity:l=3 --method {method}"
        ));
        let said = shown(&output);
        assert_eq!(output.status.code(), Some(1), "{method}: {said}");
    }
}

#[test]
fn records_that_match_anything_fill_sets_of_a_walk() {
    let place = Place::new().with("t.csv", "w,x\na,1\nb,1\n,1\n,1\n");
    for tree in ["avl", "bst", "huffman"] {
        let job = format!("t.csv -q w -k 4 --missing wildcard --method traversal:tree={tree}");
        let outcome = solved(&place, &job);
        assert_eq!(outcome["classes"], 1, "{tree}: {outcome:#}");
        solved(
            &place,
            &format!("t.csv -q w -k 4 --missing wildcard --hierarchy w={tree} --method hedge"),
        );
    }
}

/// Records with every quasi-identifier at `*` count as suppressed only if the outcome says so.
#[test]
fn mu_argus_reports_the_suppressed_records_that_are_counted() {
    let rows: String =
        (0..8).map(|row| format!("{},{},{}\n", row / 4, row / 2 % 2, row % 2)).collect();
    let place = Place::new().with("t.csv", format!("a,b,c\n{rows}0,0,0\n0,0,0\n"));
    for (share, suppressed, sign) in [
        ("100%", 7, "7 of 10 records were then still at risk and are suppressed"),
        ("0%", 0, "too many to be suppressed: 7 show * everywhere"),
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
fn a_column_without_levels_is_refused_with_the_methods_that_accept_it() {
    let place = Place::new().with("t.csv", TABLE);
    let flags = "--method optimal --hierarchy age=free --hierarchy zip=iotf";
    let refused = place.hedgerow(&format!("{ASKED} {flags}"));
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        said.contains("column 'age'") && said.contains("choose another method such as hedge, "),
        "{said}"
    );
}

/// An analyst asks for the same bands for everybody without knowing which methods do that.
#[test]
fn auto_recodes_as_uniformly_as_it_is_asked_to() {
    let place = Place::new().with("t.csv", TABLE);
    let run = |flags: &str| {
        let output = place.hedgerow(&format!("{ASKED} {flags}"));
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        json["method"].as_str().unwrap().to_owned()
    };
    assert_eq!(run("--recoding local"), "hedge");
    assert!(["optimal", "datafly"].contains(&run("--recoding full-domain").as_str()));
    assert!(["optimal", "top-down"].contains(&run("--recoding global").as_str()));
    assert_eq!(run("--recoding global --method top-down"), "top-down");
    let json: serde_json::Value =
        serde_json::from_slice(&place.hedgerow("methods --json").stdout).unwrap();
    let methods = json["method"].as_array().or(json["anonymizer"].as_array()).unwrap();
    let of = |name: &str| methods.iter().find(|m| m["name"] == name).unwrap()["recoding"].clone();
    assert_eq!((of("optimal"), of("hedge")), ("full-domain".into(), "local".into()));
    assert!(of("auto").is_null());
}
