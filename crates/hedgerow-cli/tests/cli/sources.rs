//! Several sources of concepts at once.

use std::fmt::Write as _;

use crate::support::{Place, shown};

const JOBS: &str = "job\nSurgeon\nSurgeon\nNurse\nNurse\nNurse\npianist\npianist\nviolinist\n\
                    carpenter\ncarpenter\nOther\nzzgardner\n";

const ISCO: &str =
    "code,parent,label\n2,,Professionals\n22,2,Health\n221,22,Surgeon\n222,22,Nurse\n";

/// Industries with a code that `ISCO` has too.
const NACE: &str = "code,parent,label\nB,,Mining\n221,B,Coal\nB2,B,Nurse\n";

const BOTH: &str = "--knowledge isco.csv --knowledge wordnet";

fn place() -> Place {
    Place::new().with("t.csv", JOBS).with("isco.csv", ISCO).with("nace.csv", NACE)
}

fn succeeds(place: &Place, args: &str) -> String {
    let output = place.hedgerow(args);
    assert_eq!(output.status.code(), Some(0), "{args}\n{}", shown(&output));
    shown(&output)
}

#[test]
fn the_trees_of_two_sources_meet_below_the_root() {
    let build = "hierarchy build t.csv -c job -m wordnet:knowledge=isco.csv+wordnet";
    insta::assert_snapshot!(succeeds(&place(), build));
}

#[test]
fn nodes_say_which_source_their_concept_comes_from() {
    let place = place();
    succeeds(
        &place,
        "hierarchy build t.csv -c job -m wordnet:knowledge=isco.csv+wordnet -o job.json",
    );
    let tree: serde_json::Value = serde_json::from_slice(&place.read("job.json")).unwrap();
    let source = |value: &str| {
        let nodes = tree["nodes"].as_array().unwrap();
        let node = nodes.iter().find(|node| node["label"] == value).unwrap();
        (node["concept"].clone(), node["source"].clone())
    };
    assert_eq!(source("Nurse"), ("Nurse".into(), "isco.csv".into()));
    assert_eq!(source("Health"), ("Health".into(), "isco.csv".into()));
    assert_eq!(source("pianist"), ("pianist.n.01".into(), "wordnet".into()));
    assert_eq!(source("Other"), (serde_json::Value::Null, serde_json::Value::Null));
    // The file keeps it in another format, too.
    succeeds(&place, "hierarchy convert job.json job.xml");
    let xml = String::from_utf8(place.read("job.xml")).unwrap();
    assert!(xml.contains("concept=\"Nurse\" source=\"isco.csv\""), "{xml}");
}

#[test]
fn the_summary_lists_values_by_their_source() {
    let place = place();
    let spec = "--hierarchy job=wordnet:knowledge=isco.csv+wordnet";
    let said = succeeds(&place, &format!("anonymize t.csv -q job -k 2 {spec} -o r.csv"));
    assert!(
        said.contains("job is grouped by meaning: from isco.csv: Nurse: Nurse (Health)"),
        "{said}"
    );
    assert!(said.contains("; from wordnet: carpenter: carpenter#1"), "{said}");
    let said =
        succeeds(&place, &format!("anonymize t.csv -q job -k 2 {spec} -o r.csv --force --json"));
    let json = said.split("--- stdout\n").nth(1).unwrap().split("--- stderr").next().unwrap();
    let outcome: serde_json::Value = serde_json::from_str(json).unwrap();
    let sources = &outcome["hierarchies"]["job"]["sources"];
    assert_eq!((&sources["Nurse"], &sources["pianist"]), (&"isco.csv".into(), &"wordnet".into()));
}

#[test]
fn sources_can_be_named_for_all_columns() {
    let table = "job,sex\nSurgeon,F\nSurgeon,M\nNurse,F\nNurse,M\npianist,F\npianist,F\n";
    let place = place().with("t.csv", table);
    let run = "anonymize t.csv -q job,sex -k 2 --force --keep-order -o";
    let named = "--hierarchy job=wordnet:knowledge=isco.csv+wordnet";
    succeeds(&place, &format!("{run} named.csv {named}"));
    let said = succeeds(&place, &format!("{run} all.csv {BOTH} --verbose"));
    assert_eq!(place.read("all.csv"), place.read("named.csv"));
    assert!(said.contains("job is grouped by meaning: from isco.csv: Nurse"), "{said}");
    // In a job file, they are relative to it.
    std::fs::create_dir(place.folder.path().join("in")).unwrap();
    let job = "input = \"../t.csv\"\noutput = \"../job.csv\"\nk = 2\nquasi = [\"job\", \"sex\"]\n\
               keep-order = true\nknowledge = [\"../isco.csv\", \"wordnet\"]\n";
    let place = place.with("in/job.toml", job);
    succeeds(&place, "anonymize in/job.toml");
    assert_eq!(place.read("job.csv"), place.read("named.csv"));
}

#[test]
fn sources_are_for_columns_that_are_asked_for_words() {
    let table = "job,age\nSurgeon,30\nSurgeon,31\nNurse,30\nNurse,31\npianist,30\npianist,31\n";
    let place = place().with("t.csv", table);
    let run = format!("anonymize t.csv -q job,age -k 2 --hierarchy job=wordnet {BOTH} -o r.csv");
    let said = succeeds(&place, &run);
    assert!(said.contains("job is grouped by meaning: from isco.csv: Nurse"), "{said}");
}

#[test]
fn sources_that_know_no_column_or_cannot_be_read_are_errors() {
    let place = place().with("ages.csv", "age,town\n20,x1\n21,x1\n40,x2\n41,x2\n");
    let run = "anonymize ages.csv -q age,town -k 2 -o r.csv";
    for (flags, wanted) in [
        ("--knowledge isco.csv", "know too few values of town; leave out the option 'knowledge'"),
        ("--knowledge wordnet", ", or look at what they know of a column"),
        ("--knowledge isco.csv --hierarchy town=free", "no column without a hierarchy has words"),
        ("--knowledge no.csv", "there is no source of concepts no.csv"),
        ("--knowledge isco.csv --knowledge isco.csv", "is named twice"),
        (
            "--knowledge isco.csv --hierarchy age=iotf --hierarchy town=free",
            "every column has a hierarchy already",
        ),
        ("--knowledge isco.csv --hierarchies isco.csv --force", "isco.csv"),
    ] {
        let output = place.hedgerow(&format!("{run} {flags}"));
        assert_eq!(output.status.code(), Some(2), "{flags}: {}", shown(&output));
        assert!(shown(&output).contains(wanted), "{flags}: {}", shown(&output));
    }
    assert_eq!(place.read("isco.csv"), ISCO.as_bytes());
}

#[test]
fn a_job_file_names_sources_relative_to_itself() {
    let job = "input = \"t.csv\"\noutput = \"r.csv\"\nk = 2\nquasi = [\"job\"]\n\n[hierarchy]\n\
               job = \"wordnet:knowledge=isco.csv+wordnet\"\n";
    let place = place();
    std::fs::create_dir(place.folder.path().join("in")).unwrap();
    for name in ["t.csv", "isco.csv"] {
        std::fs::copy(place.folder.path().join(name), place.folder.path().join("in").join(name))
            .unwrap();
    }
    let place = place.with("in/job.toml", job);
    let said = succeeds(&place, "anonymize in/job.toml");
    assert!(said.contains("from isco.csv: Nurse"), "{said}");
}

#[test]
fn candidates_of_two_sources_are_ranked() {
    let place = place();
    let made = succeeds(&place, &format!("hierarchy candidates t.csv -c job -k 3 {BOTH} -o out"));
    insta::assert_snapshot!("candidates", made);
    insta::assert_snapshot!("senses", String::from_utf8(place.read("out/senses.toml")).unwrap());
    // The senses file as it is changes nothing.
    succeeds(
        &place,
        &format!("hierarchy candidates t.csv -c job -k 3 {BOTH} --senses out/senses.toml -o again"),
    );
    let tree =
        |folder: &str| place.hedgerow(&format!("hierarchy show {folder}/001-base.json")).stdout;
    assert_eq!(tree("out"), tree("again"));
    let rank = "hierarchy rank out --table t.csv --column job -k 3 --top 3";
    insta::assert_snapshot!("ranking", succeeds(&place, &format!("{rank} {BOTH}")));
    let refused = place.hedgerow(rank);
    assert_eq!(refused.status.code(), Some(2));
    let said = shown(&refused);
    assert!(said.contains("name them with --knowledge isco.csv --knowledge wordnet"), "{said}");
}

#[test]
fn words_are_looked_up_in_every_source() {
    let place = place();
    insta::assert_snapshot!("lookup", succeeds(&place, &format!("knowledge lookup nurse {BOTH}")));
    let alike = |senses: &str| succeeds(&place, &format!("knowledge similarity {senses} {BOTH}"));
    let apart = alike("Nurse surgeon.n.01");
    assert!(apart.contains("0.000000") && apart.contains("isco.csv and wordnet"), "{apart}");
    assert!(alike("221 222").contains("0.750000"), "{}", alike("221 222"));
    assert!(alike("surgeon.n.01 wordnet:nurse#1").contains("0.800000"));
}

#[test]
fn bad_sources_are_refused_or_named() {
    let place = place().with("none.csv", "code,parent,label\n1,,Animals\n2,1,Lynx\n");
    let mut all = String::new();
    for (sources, code) in [
        ("--knowledge wordnt", 2),
        ("--knowledge isco.csv --knowledge ./isco.csv", 2),
        ("--knowledge wordnet --knowledge wordnet", 2),
        ("--knowledge isco.csv --wordnet wn", 2),
        ("--knowledge isco.csv --knowledge none.csv", 0),
        ("--knowledge isco.csv --knowledge nace.csv", 0),
    ] {
        let output = place
            .hedgerow(&format!("hierarchy candidates t.csv -c job -k 3 {sources} -o o --force"));
        assert_eq!(output.status.code(), Some(code), "{sources}");
        let _ = writeln!(all, "{sources}\n{}", shown(&output));
    }
    for spec in ["isco.csv+none.csv", "isco.csv+nace.csv", "isco.csv+isco.csv", "wordnt"] {
        let output = place.hedgerow(&format!(
            "anonymize t.csv -q job -k 2 --hierarchy job=wordnet:knowledge={spec} -o r.csv --force"
        ));
        let said = shown(&output);
        let kept = said.lines().filter(|line| {
            line.starts_with("exit") || line.contains("WARNING") || line.contains("hedgerow: ")
        });
        let _ = writeln!(all, "{spec}\n{}\n", kept.collect::<Vec<_>>().join("\n"));
    }
    insta::assert_snapshot!(all);
}
