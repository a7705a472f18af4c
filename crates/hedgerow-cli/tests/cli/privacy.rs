//! Privacy models with the real binary: required, recounted, and verified from files alone.

use crate::support::{Place, json, packed, shown};
use crate::whole_path::parquet_of;

/// Records that are neighbours in age make classes of two, with different illnesses and distant
/// salaries.
const PATIENTS: &str = "age,illness,salary,wish\n\
    20,flu,30,\n21,ulcer,60,stomach\n30,gastritis,40,\n31,flu,70,\n\
    40,ulcer,30,ulcer\n41,flu,60,\n60,flu,40,flu\n61,gastritis,70,\n";
const TREE: &str = "flu;lungs;*\nulcer;stomach;*\ngastritis;stomach;*\n";

/// Models with the strictest parameters that those classes satisfy.
const MODELS: [&str; 16] = [
    "--l-diversity 2",
    "--t-closeness 0.5",
    "--privacy l-diversity:l=2,kind=entropy",
    "--privacy l-diversity:l=2,c=1.5,kind=recursive",
    "--privacy t-closeness:t=0.16667,distance=ordered,column=salary",
    "--privacy t-closeness:t=0.125,distance=hierarchical,column=illness",
    "--privacy p-sensitive:p=2",
    "--privacy alpha-k:alpha=0.5",
    "--privacy alpha-k:alpha=0.5,value=ulcer,column=illness",
    "--privacy l-plus:file=l.csv,l=1,column=illness",
    "--privacy delta-disclosure:delta=0.7,absent=allowed",
    "--privacy beta-likeness:beta=1,column=salary",
    "--privacy beta-likeness:beta=1,kind=enhanced,column=salary",
    "--privacy epsilon-m:epsilon=20,m=2,column=salary",
    "--privacy tau-lambda:tau=2,lambda=1",
    "--hierarchy illness=illness.csv",
];

fn clinic() -> Place {
    let place = Place::new().with("t.csv", PATIENTS).with("illness.csv", TREE);
    place.with("l.csv", "value,l\nulcer,2\ngastritis,1.5\n")
}

/// Returns the lines of a release, sorted.
fn lines(place: &Place, name: &str) -> Vec<String> {
    let text = String::from_utf8(place.read(name)).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[1..].sort();
    lines
}

#[test]
fn every_model_is_asked_recounted_and_verified_from_the_file() {
    let place = clinic();
    let claims = format!("-q age -s illness,salary -k 2 {}", MODELS.join(" "));
    let outcome = json(&place.hedgerow(&format!("anonymize t.csv -o r.csv --json {claims}")));
    let verified = json(&place.hedgerow(&format!("verify r.csv --json {claims}")));
    assert_eq!(outcome["privacy"], verified["privacy"]);
    assert_eq!(outcome["privacy"].as_array().unwrap().len(), 24);
    insta::assert_snapshot!(shown(&place.hedgerow(&format!("verify r.csv {claims}"))));
    let report = place.hedgerow(&format!("anonymize t.csv -o r.csv --force {claims}"));
    let report = String::from_utf8(report.stdout).unwrap();
    let asked = report.split_once("Protection\n").unwrap().1.split_once("  records").unwrap().0;
    insta::assert_snapshot!(asked);
    assert_eq!(lines(&place, "r.csv")[..2], ["age,illness,salary,wish", "\"[20, 21]\",flu,30,"]);
}

#[test]
fn verify_reports_claims_that_fail_and_claims_that_hold() {
    let place = clinic();
    let claims = "-q age -s illness,salary -k 3 --l-diversity 2 --t-closeness 0.3";
    let args = format!("verify t.csv {claims} --privacy p-sensitive:p=1,column=salary");
    insta::assert_snapshot!(shown(&place.hedgerow(&args)));
    let output = place.hedgerow(&format!("{args} --json"));
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&found["privacy"]).unwrap());
}

#[test]
fn a_guard_column_is_left_out_unless_it_is_sensitive() {
    let place = clinic();
    let personalized = "--privacy personalized:p=0.5,guard=wish,column=illness \
                        --hierarchy illness=illness.csv";
    let claims = format!("-q age -s illness -k 2 {personalized}");
    let outcome = json(&place.hedgerow(&format!("anonymize t.csv -o r.csv --json {claims}")));
    insta::assert_snapshot!(format!("{:#}\n{:#}", outcome["privacy"], outcome["warnings"]));
    assert_eq!(lines(&place, "r.csv")[..2], ["age,illness,salary", "\"[20, 21]\",flu,30"]);
    insta::assert_snapshot!(shown(&place.hedgerow(&format!("verify r.csv {claims}"))));
    let claims = claims.replace("-s illness", "-s illness,wish");
    let outcome = json(&place.hedgerow(&format!("anonymize t.csv -o s.csv --json {claims}")));
    assert_eq!(outcome["warnings"], serde_json::json!([]));
    let verified = json(&place.hedgerow(&format!("verify s.csv --json {claims}")));
    assert_eq!(outcome["privacy"], verified["privacy"]);
    assert_eq!(lines(&place, "s.csv")[0], "age,illness,salary,wish");
    let strict = claims.replace("p=0.5", "p=0.4");
    assert_eq!(place.hedgerow(&format!("verify s.csv {strict}")).status.code(), Some(1));
}

#[test]
fn a_class_may_be_small_if_its_population_is_not() {
    let ages = [20, 21, 30, 31, 40, 41, 60, 60, 60, 60, 60, 60];
    let people: String =
        ages.iter().flat_map(|age| [format!("{age},x\n"), format!("{age},y\n")]).collect();
    let place = clinic().with("all.csv", format!("age,more\n{people}"));
    let claims = "-q age -k 2 --privacy k-map:k=4 --population all.csv";
    let outcome = json(&place.hedgerow(&format!("anonymize t.csv -o r.csv --json {claims}")));
    insta::assert_snapshot!(format!("{:#}\n{:#}", outcome["privacy"], outcome["warnings"]));
    insta::assert_snapshot!(shown(&place.hedgerow(&format!("verify r.csv {claims}"))));
    let stricter = claims.replace("k=4", "k=5");
    insta::assert_snapshot!(shown(&place.hedgerow(&format!("verify r.csv {stricter}"))));
    let alone =
        "anonymize t.csv -q age -k 2 -o s.csv --json --privacy k-map:k=2 --population t.csv";
    assert_eq!(json(&place.hedgerow(alone))["privacy"][1]["attained"], 2);
}

#[test]
fn names_cover_what_their_hierarchy_says() {
    let jobs = "job,age\nnurse,1\nmedic,2\ncook,3\nsmith,4\n";
    let all = "job\nnurse\nnurse\nmedic\nmedic\nporter\ncook\ncook\nsmith\nsmith\nsmith\n";
    let tree = "nurse;care;*\nmedic;care;*\nporter;care;*\ncook;craft;*\nsmith;craft;*\n";
    let place = Place::new().with("t.csv", jobs).with("all.csv", all).with("job.csv", tree);
    let claims = "-q job -k 2 --privacy k-map:k=4 --population all.csv";
    let tree = "--hierarchy job=job.csv";
    let outcome =
        json(&place.hedgerow(&format!("anonymize t.csv -o r.csv --json {claims} {tree}")));
    assert_eq!(outcome["privacy"][1]["attained"], 5, "{outcome:#}");
    let verified = json(&place.hedgerow(&format!("verify r.csv --json {claims} {tree}")));
    assert_eq!(outcome["privacy"], verified["privacy"]);
    let unexplained = place.hedgerow(&format!("verify r.csv {claims}"));
    assert_eq!(unexplained.status.code(), Some(1), "{}", shown(&unexplained));
    insta::assert_snapshot!(shown(&unexplained));
}

#[test]
fn a_job_file_requires_models_and_finds_their_files_in_its_folder() {
    let job = "input = \"t.csv\"\noutput = \"r.csv\"\nquasi = [\"age\"]\nsensitive = [\"illness\", \"salary\"]\n\
        k = 2\npopulation = \"t.csv\"\n\
        privacy = [\"t-closeness:t=0.25,column=illness\", \"l-plus:file=l.csv,column=illness\", \"k-map:k=2\"]\n";
    let place = clinic();
    let folder = place.folder.path().join("jobs");
    std::fs::create_dir(&folder).unwrap();
    for (name, text) in [("job.toml", job), ("t.csv", PATIENTS), ("l.csv", "ulcer,2\n")] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let outcome = json(&place.hedgerow("anonymize jobs/job.toml --json"));
    insta::assert_snapshot!(serde_json::to_string_pretty(&outcome["privacy"]).unwrap());
}

/// A number with two spellings and a missing value with two, one of each in every class.
#[test]
fn spellings_of_one_sensitive_value_are_the_same_value() {
    let table = "age,score\n20,1\n21,?\n30,\n31,1.0\n40,2\n41,?\n60,2.00\n61,1\n";
    let gzip = packed(table);
    let place = Place::new().with("t.csv.gz", gzip);
    for seed in 0..5 {
        let claims =
            "-q age -s score -k 2 --na ? --l-diversity 2 --privacy epsilon-m:epsilon=0.5,m=2";
        let args = format!("anonymize t.csv.gz -o r.csv --force --json --seed {seed} {claims}");
        let outcome = json(&place.hedgerow(&args));
        let verified = json(&place.hedgerow(&format!("verify r.csv --json {claims}")));
        assert_eq!(outcome["privacy"], verified["privacy"]);
    }
}

#[test]
fn t_closeness_of_numbers_proposes_the_ordered_distance() {
    let place = clinic();
    let told = |claims: &str| {
        let args = format!("anonymize t.csv -q age -k 2 -o r.csv --force {claims}");
        shown(&place.hedgerow(&args))
    };
    let said = told("-s salary --keep illness --t-closeness 0.5");
    assert!(said.contains("--privacy t-closeness:distance=ordered,t=0.5"), "{said}");
    for claims in [
        "-s salary --keep illness --t-closeness ordered:0.5",
        "-s illness --keep salary --t-closeness 0.5",
    ] {
        let said = told(claims);
        assert!(!said.contains("equally far apart"), "{said}");
    }
}

#[test]
#[cfg_attr(not(feature = "parquet"), ignore = "needs Parquet")]
fn sensitive_columns_of_parquet_files_are_read() {
    let rows = [("a", 20), ("b", 21), ("b", 40), ("c", 41), ("a", 60), ("c", 61)];
    let place = Place::new().with("t.parquet", parquet_of(&rows));
    let claims = "-q age -s job -k 2 --t-closeness 0.34 --privacy p-sensitive:p=2";
    let outcome = json(&place.hedgerow(&format!("anonymize t.parquet -o r.csv --json {claims}")));
    let verified = json(&place.hedgerow(&format!("verify r.csv --json {claims}")));
    assert_eq!(outcome["privacy"], verified["privacy"]);
}

/// Runs a command that must fail with the given exit code and leave no file behind.
fn refused(code: i32, args: &str) -> String {
    let place = clinic();
    let files = place.files();
    let output = place.hedgerow(&format!("anonymize t.csv -q age -k 2 -o out.csv {args}"));
    assert_eq!(place.files(), files, "{args} left something behind");
    assert_eq!(output.status.code(), Some(code), "{args}: {}", shown(&output));
    format!("{args}\n{}", String::from_utf8_lossy(&output.stderr))
}

/// The exit code is 1, and the message has the best attainable value.
#[test]
fn unattainable_goals_are_reported_with_the_best_attainable() {
    let asked = [
        "-s illness --l-diversity 4",
        "-s illness --l-diversity 4 --suppress 50%",
        "-s illness --l-diversity entropy:2.9",
        "-s illness --l-diversity recursive:1,3",
        "-s illness --privacy p-sensitive:p=9",
        "-s illness --privacy alpha-k:alpha=0.3",
        "-s illness --privacy alpha-k:alpha=0.4",
        "-s illness --privacy alpha-k:alpha=0.00001",
        "-s illness --l-diversity recursive:0.00001,3",
        "-s illness --privacy tau-lambda:tau=4,lambda=1 --method k-member",
        "-s illness --privacy alpha-k:alpha=0.2,value=ulcer",
        "-s illness --privacy l-plus:l=4",
        "-s salary --privacy epsilon-m:epsilon=1,m=5",
        "-s illness --privacy tau-lambda:tau=9,lambda=9",
        "--privacy k-map:k=9 --population t.csv",
    ];
    insta::assert_snapshot!(asked.map(|args| refused(1, args)).join("\n"));
}

/// Two classes of ten violate the model.
#[test]
fn the_classes_that_fail_a_model_are_shown() {
    let rows: String = (0..10).map(|age| format!("{age},flu\n{age},ulcer\n")).collect();
    let rows = rows.replace("3,ulcer", "3,flu").replace("7,ulcer", "7,flu");
    let place = Place::new().with("t.csv", format!("age,illness\n{rows}"));
    let verify = "verify t.csv -q age -s illness -k 2 --l-diversity 2";
    let said = shown(&place.hedgerow(verify));
    assert!(said.contains("holds: the release is 2-anonymous\n"), "{said}");
    let sign =
        "attained 1; 2 classes with 4 records violate it, such as\n  2 x age=3\n  2 x age=7\n";
    assert!(said.contains(sign), "{said}");
    let output = place.hedgerow(&format!("{verify} --json"));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["privacy"][1]["failing_classes"], 2);
    assert!(found["privacy"][0].get("failing_classes").is_none());
}

/// Asked and attained values are shown with enough digits to differ.
#[test]
fn violations_show_asked_and_attained() {
    let two = "age,illness\n20,flu\n20,flu\n20,ulcer\n30,flu\n30,ulcer\n30,ulcer\n";
    let place = Place::new().with("t.csv", two);
    let by = |what: &str| {
        let output =
            place.hedgerow(&format!("verify t.csv -q age -s illness -k 3 --privacy {what}"));
        assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let found = [
        "alpha-k:alpha=0.6666",
        "alpha-k:alpha=0.66666",
        "delta-disclosure:delta=0.405465108108164",
        "tau-lambda:tau=4,lambda=2",
    ];
    insta::assert_snapshot!(found.map(by).concat());
}

/// The distribution that `verify` computes omits the values of records that were left out.
#[test]
fn a_release_that_verify_will_refute_comes_with_a_warning() {
    let mut table = "age,illness\n".to_owned();
    for (age, n_flu, n_ulcer) in [(1, 9, 1), (2, 12, 18)] {
        table.push_str(&format!("{age},flu\n").repeat(n_flu));
        table.push_str(&format!("{age},ulcer\n").repeat(n_ulcer));
    }
    table.extend((50..58).map(|age| format!("{age},flu\n")));
    let place = Place::new().with("t.csv", table);
    let told = |t: &str| {
        let claims = format!("-q age -s illness -k 4 --t-closeness {t}");
        let run = "anonymize t.csv -o r.csv --force --json --suppress 20% --method optimal";
        let outcome = json(&place.hedgerow(&format!("{run} --hierarchy age=iotf {claims}")));
        assert_eq!(outcome["suppressed"], 8);
        let verified = place.hedgerow(&format!("verify r.csv {claims}"));
        (verified.status.code(), outcome["warnings"].to_string())
    };
    // Share of flu: 0.9 among records of age 1, 0.6042 in the table, 0.525 in the release.
    let (code, warnings) = told("0.3");
    assert_eq!(code, Some(1));
    insta::assert_snapshot!(warnings);
    assert_eq!(told("0.38"), (Some(0), "[]".to_owned()));
}

/// The exit code is 2, and the message has the correct form.
#[test]
fn invalid_models_are_refused_with_the_correct_form() {
    let asked = [
        "--l-diversity 2",
        "-s illness --l-diversity two",
        "-s illness --l-diversity recursive:3",
        "-s illness --l-diversity 0",
        "-s illness --l-diversity 2.5",
        "-s illness --t-closeness far",
        "-s illness --t-closeness -0.1",
        "-s illness --t-closeness ordered:0.1",
        "-s illness --t-closeness hierarchical:0.1",
        "-s illness --privacy t-closness:t=0.1",
        "-s illness --privacy t-closeness",
        "-s illness --privacy t-closeness:t",
        "-s illness --privacy t-closeness:t=0.1,distance=long",
        "-s illness --privacy t-closeness:t=0.1,column=salary",
        "-s illness --privacy alpha-k:alpha=0.5,value=ulcers",
        "-s illness --privacy l-plus:file=illness.csv",
        "-s illness --privacy epsilon-m:epsilon=1,m=2",
        "-s illness --privacy personalized:p=0.5",
        "-s illness --privacy personalized:p=0.5,guard=wish",
        "-s illness --privacy personalized:p=0.5,guard=age --hierarchy illness=illness.csv",
        "-s illness --privacy personalized:p=0.5,guard=salary --hierarchy illness=illness.csv",
        "-s illness --l-diversity 2 --hierarchy illness=free",
        "--privacy k-map:k=5",
        "--privacy k-map:k=2 --population no.csv",
        "--privacy k-map:k=2 --population l.csv",
        "--privacy k-map:k=2 --population t.csv --interval-style midpoint",
    ];
    insta::assert_snapshot!(asked.map(|args| refused(2, args)).join("\n"));
}

/// A release is checked against a population only for a model that counts it.
#[test]
fn a_population_without_a_model_is_for_estimates_of_risk() {
    let place = Place::new().with("t.csv", "age\n20\n20\n30\n30\n");
    let run = place.hedgerow("anonymize t.csv -q age -k 2 --population t.csv -o r.csv");
    let said = shown(&run);
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert!(said.contains("hedgerow verify r.csv --quasi age -k 2\n"), "{said}");
    let refused = place.hedgerow("verify r.csv -q age -k 2 --population t.csv");
    insta::assert_snapshot!(shown(&refused));
}

/// Methods that form classes of people, and sets that hide rare values, know no weights.
#[test]
fn a_population_without_a_model_changes_no_release() {
    let rows: String = (0..40).map(|i| format!("p{},{},j{}\n", i / 2, 20 + i % 7, i % 5)).collect();
    let place = Place::new().with("t.csv", format!("who,age,job\n{rows}"));
    let released = |args: &str| {
        let run =
            place.hedgerow(&format!("anonymize t.csv -q age,job -k 3 -o r.csv --force {args}"));
        assert_eq!(run.status.code(), Some(0), "{args}: {}", shown(&run));
        place.read("r.csv")
    };
    for args in ["--identifier who", "--person who", "--identifier who --rare-values hide"] {
        let alone = released(args);
        assert!(released(&format!("{args} --population t.csv")) == alone, "{args}");
    }
}

/// `e` and `f` have the same sensitive value, so their group is suppressed. Then only one more
/// record may be suppressed, so `c` and `d` are generalized instead.
#[test]
fn a_group_that_is_not_private_leaves_the_others_less_to_suppress() {
    let rows = ["a,1", "a,2", "a,1", "a,2", "b,1", "b,2", "b,1", "b,2", "c,1", "d,2", "e,1", "f,1"];
    let tree = "a;ac;x;*\nc;ac;x;*\nb;bd;x;*\nd;bd;x;*\ne;ef;y;*\nf;ef;y;*\n";
    let place =
        Place::new().with("t.csv", format!("v,s\n{}\n", rows.join("\n"))).with("v.csv", tree);
    let outcome = json(&place.hedgerow(
        "anonymize t.csv -q v -s s -k 2 --privacy alpha-k:alpha=0.9 --hierarchy v=v.csv --limit v=level:2 \
         --suppress 25% --method optimal -o r.csv --json",
    ));
    assert_eq!(outcome["suppressed"], 2);
    assert_eq!(lines(&place, "r.csv")[1..].iter().filter(|line| line.starts_with("ac")).count(), 5);
}

#[test]
fn a_k_of_one_comes_with_a_warning() {
    let place = clinic();
    let warnings = |args: &str| {
        let outcome = json(
            &place.hedgerow(&format!("anonymize t.csv -q age -o r.csv --force --json {args}")),
        );
        outcome["warnings"].to_string()
    };
    assert!(warnings("-k 1").contains("k is 1, which every table satisfies"));
    let quiet = place.hedgerow("anonymize t.csv -q age -o r.csv --force --quiet -k 1");
    assert!(
        shown(&quiet).contains("WARNING: k is 1, which every table satisfies"),
        "{}",
        shown(&quiet)
    );
    assert!(!warnings("-k 2").contains("which every table satisfies"));
    assert!(!warnings("-k 1 -s illness --l-diversity 2").contains("which every table satisfies"));
}

/// Models treat a missing value as a value, and a few suppressed records are a recognizable group.
#[test]
fn risks_that_no_model_covers_come_with_a_warning() {
    let rows: String = (0..12).map(|i| format!("{},{}\n", i / 4, ["flu", ""][i % 2])).collect();
    let place = Place::new().with("t.csv", format!("age,illness\n{rows}99,flu\n"));
    let warnings = |args: &str| {
        let run = place.hedgerow(&format!("anonymize t.csv -q age -o r.csv --force --json {args}"));
        json(&run)["warnings"].to_string()
    };
    let unknown = warnings("-k 4 -s illness --l-diversity 2 --suppress 20%");
    assert!(unknown.contains("column 'illness': in 3 groups, all records with a"), "{unknown}");
    // No group can have two known illnesses, so no model helps.
    assert!(!unknown.contains("require a privacy model"), "{unknown}");
    let few = warnings("-k 4 --suppress 20%");
    assert!(few.contains("1 record is suppressed and published with `*`"), "{few}");
    let dropped = warnings("-k 4 --suppress 20% --drop-suppressed");
    assert!(!dropped.contains("suppressed and published"), "{dropped}");
}

#[test]
fn a_hierarchy_that_no_model_uses_is_refused() {
    let refused = refused(2, "-s illness --hierarchy illness=nowhere.csv");
    assert!(refused.contains("no privacy model uses it"), "{refused}");
}

/// The loss, stopping point and time limit of a job file apply only to the method in that file.
#[test]
fn a_method_on_the_command_line_drops_the_settings_of_the_method_in_the_file() {
    let job = "input = \"t.csv\"\noutput = \"r.csv\"\nquasi = [\"age\"]\nk = 2\nmethod = \"optimal\"\n\
        loss = \"dm\"\ntime = 2.5\n";
    let place = clinic().with("job.toml", job);
    let outcome = json(&place.hedgerow("anonymize job.toml --method hedge --json"));
    assert_eq!(outcome["method"], "hedge");
    let outcome = json(&place.hedgerow("anonymize job.toml --force --json"));
    assert_eq!(outcome["method"], "optimal:loss=dm");
}

/// Only the pairs 1, 6 and 3, 4 differ in illness and job, and both have the midpoint 3.5.
#[test]
fn classes_with_the_same_text_count_as_one() {
    let place = Place::new().with("t.csv", "n,ill,job\n1,a,x\n3,a,y\n4,b,x\n6,b,y\n");
    let call = "anonymize t.csv -o r.csv -q n -s ill,job -k 2 --hierarchy n=free \
                --privacy tau-lambda:tau=2,lambda=1";
    let refused = place.hedgerow(&format!("{call} --interval-style midpoint"));
    assert_eq!(refused.status.code(), Some(1), "{}", shown(&refused));
    assert!(
        shown(&refused).contains("same text in the release (tau-lambda)"),
        "{}",
        shown(&refused)
    );
    assert_eq!(place.files(), ["t.csv"]);
    assert_eq!(place.hedgerow(call).status.code(), Some(0));
}
