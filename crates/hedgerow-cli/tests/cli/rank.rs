//! `hierarchy rank`: ranking several hierarchies of a column.

use std::fmt::Write as _;

use crate::support::{Place, adult, shown};

/// The example of METHODS 5.7.
const CHAIN: &str = "entity\n@person\n@@health_professional\n@@@doctor\n@@@@surgeon\n@@@@pediatrician\n@@@nurse\n\
    @@educator\n@@@teacher\n@@@@math_teacher\n@@@@music_teacher\n";
const A: &str = "person\n@health_professional\n@@doctor\n@@@surgeon\n@@@pediatrician\n@@nurse\n\
    @educator\n@@teacher\n@@@math_teacher\n@@@music_teacher\n";
const B: &str = "person\n@health_professional\n@@surgeon\n@@pediatrician\n@@nurse\n\
    @teacher\n@@math_teacher\n@@music_teacher\n";
const C: &str = "person\n@surgeon\n@pediatrician\n@nurse\n@math_teacher\n@music_teacher\n";

const RANK: &str =
    "hierarchy rank a.hrc b.hrc c.hrc --table t.csv -c job -k 3 --knowledge chain.hrc";

fn place() -> Place {
    let counts = [
        ("surgeon", 4),
        ("pediatrician", 1),
        ("nurse", 3),
        ("math_teacher", 2),
        ("music_teacher", 2),
    ];
    let rows: String =
        counts.iter().map(|(job, count)| format!("{job}\n").repeat(*count)).collect();
    let files = [("a.hrc", A), ("b.hrc", B), ("c.hrc", C), ("chain.hrc", CHAIN)];
    let place = Place::new().with("t.csv", format!("job\n{rows}"));
    files.into_iter().fold(place, |place, (name, text)| place.with(name, text))
}

fn json(place: &Place, args: &str) -> serde_json::Value {
    let output = place.hedgerow(&format!("{args} --json"));
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the names of the candidates, the best first.
fn order(found: &serde_json::Value) -> Vec<&str> {
    let candidates = found["candidates"].as_array().unwrap();
    candidates.iter().map(|candidate| candidate["name"].as_str().unwrap()).collect()
}

#[test]
fn candidates_are_ranked() {
    insta::assert_snapshot!(shown(&place().hedgerow(RANK)));
}

#[test]
fn the_ranking_depends_on_the_weights() {
    let place = place();
    let weighted = format!("{RANK} --weights privacy=3,distortion=1 --top 2");
    insta::assert_snapshot!(shown(&place.hedgerow(&weighted)));
    let found = json(&place, &weighted);
    assert_eq!((order(&found), &found["count"]), (vec!["c.hrc", "b.hrc"], &3.into()));
    assert_eq!(found["candidates"][0]["score"], 2.5);
    assert_eq!(found["candidates"][0]["aspects"]["interval"], 5.0);
    assert_eq!(found["candidates"][0]["rewards"]["distortion"], 1);
    assert_eq!(found["weights"]["privacy"], 0.75);
}

#[test]
fn the_best_for_all_weights() {
    let place = place();
    insta::assert_snapshot!(shown(&place.hedgerow(&format!("{RANK} --grid"))));
    assert_eq!(json(&place, &format!("{RANK} --grid"))["winners"].as_array().unwrap().len(), 35);
}

#[test]
fn numbers_are_ranked_without_their_meaning() {
    let (place, adult) = (Place::new(), adult());
    for method in ["iotf", "otf"] {
        let build = format!("hierarchy build {adult} -c age -m {method} -o {method}.json");
        assert!(place.hedgerow(&build).status.success());
    }
    let by_hand = adult.replace("adult.csv", "hierarchies/age.csv");
    let rank = format!("hierarchy rank iotf.json otf.json {by_hand} --table {adult} -c age -k 100");
    insta::assert_snapshot!(shown(&place.hedgerow(&rank)));
    let found = json(&place, &rank);
    assert!(found["candidates"][0]["aspects"]["semantic"].is_null(), "{found}");
    let grid = shown(&place.hedgerow(&format!("{rank} --grid")));
    assert!(grid.contains("hedgerow: semantic is the same for all: numbers"), "{grid}");
}

#[test]
fn a_directory_is_replaced_by_its_candidates() {
    let place = place();
    for (folder, trees) in [("one", ["b", "a"]), ("two", ["c", "a"])] {
        std::fs::create_dir(place.folder.path().join(folder)).unwrap();
        for tree in trees {
            let convert = format!("hierarchy convert {tree}.hrc {folder}/{tree}.json");
            assert!(place.hedgerow(&convert).status.success());
        }
        for other in ["index.json", "senses.toml", "a.xml"] {
            std::fs::write(place.folder.path().join(folder).join(other), "{}").unwrap();
        }
    }
    let rank = RANK.replace("a.hrc b.hrc c.hrc", "two one c.hrc");
    let found = json(&place, &rank);
    assert_eq!(order(&found), ["two/a.json", "one/a.json", "b.json", "c.json", "c.hrc"]);
}

/// The meanings in a senses file apply to all candidates.
#[test]
fn values_mean_what_the_senses_file_says() {
    let place = place().with("senses.toml", "nurse = \"teacher\"\n");
    let semantic = |args: &str| json(&place, args)["candidates"][0]["aspects"]["semantic"].as_f64();
    let found = semantic(&RANK.replace("a.hrc b.hrc c.hrc", "c.hrc")).unwrap();
    let said = semantic(&RANK.replace("a.hrc b.hrc c.hrc", "c.hrc --senses senses.toml")).unwrap();
    // Both nurse and teacher are 2 steps below person.
    assert!((said - found).abs() < 1e-9, "{found} {said}");
    let found = semantic(&RANK.replace(" b.hrc c.hrc", "")).unwrap();
    let said = semantic(&RANK.replace("b.hrc c.hrc", "--senses senses.toml")).unwrap();
    assert!(said > found + 0.01, "{found} {said}");
}

#[test]
fn records_left_out_and_unknown_values_are_reported() {
    let place = Place::new()
        .with("t.csv", "job,id\nnurse,1\n\"\",2\nsurgeon,3\nqwx,4\n?,5\n")
        .with("h.csv", "nurse;person;*\nsurgeon;person;*\nqwx;person;*\n");
    let rank = "hierarchy rank h.csv --table t.csv -c job -k 2 --na ?";
    insta::assert_snapshot!(shown(&place.hedgerow(rank)));
    let place = Place::new().with("t.csv", "job\nqwx\nqwy\n").with("h.csv", "qwx;*\nqwy;*\n");
    let output = shown(&place.hedgerow("hierarchy rank h.csv --table t.csv -c job -k 2"));
    assert!(
        output.contains("- (1)") && output.contains("no value of job was found in WordNet 3.0"),
        "{output}"
    );
}

#[test]
fn k_above_the_number_of_records_has_maximum_distortion() {
    let found = json(&place(), &RANK.replace("-k 3", "-k 13"));
    for candidate in found["candidates"].as_array().unwrap() {
        assert_eq!(
            (&candidate["aspects"]["distortion"], &candidate["rewards"]["distortion"]),
            (&1.0.into(), &3.into())
        );
    }
}

#[test]
fn bad_input_is_refused() {
    let place = place().with("d.hrc", "person\n@nurse\n@cook\n");
    std::fs::create_dir(place.folder.path().join("empty")).unwrap();
    let mut all = String::new();
    for (change, to) in [
        ("-k 3", "-k 3 --weights semantic=0"),
        ("-k 3", "-k 3 --weights privacy=-1"),
        ("-k 3", "-k 3 --weights privacy=nan"),
        ("-k 3", "-k 3 --weights privcy=1"),
        ("-k 3", "-k 3 --weights privacy=1,privacy=1"),
        ("-k 3", "-k 0"),
        ("-k 3", "-k 3 --top 0"),
        ("-c job", "-c jobs"),
        ("b.hrc", "d.hrc"),
        ("b.hrc", "e.hrc"),
        ("b.hrc", "empty"),
        ("a.hrc b.hrc c.hrc ", ""),
    ] {
        let output = place.hedgerow(&RANK.replace(change, to));
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{to}");
        let said = String::from_utf8_lossy(&output.stderr);
        let _ = writeln!(all, "{change} -> {to}\n{said}");
    }
    insta::assert_snapshot!(all);
}
