//! `hierarchy candidates`: many hierarchies of a column of words.

use std::fmt::Write as _;

use crate::support::{Place, shown};

const JOBS: &str = "job\nsurgeon\nsurgeon\nnurse\nnurse\nnurse\npianist\nviolinist\njunior dentist\nOther\nzzgardner\n";

const CANDIDATES: &str = "hierarchy candidates t.csv --column job --method wordnet -k 3 -o out";

fn place() -> Place {
    Place::new().with("t.csv", JOBS)
}

#[test]
fn the_report_lists_found_and_unknown_values() {
    insta::assert_snapshot!(shown(&place().hedgerow(CANDIDATES)));
}

#[test]
fn candidates_are_saved_twice_with_an_index_and_a_senses_file() {
    let place = place();
    place.hedgerow(CANDIDATES);
    let index: serde_json::Value = serde_json::from_slice(&place.read("out/index.json")).unwrap();
    let candidates = index["candidates"].as_array().unwrap();
    assert_eq!(candidates[0]["name"], "base");
    for candidate in candidates {
        let file = candidate["file"].as_str().unwrap();
        let show = |file: &str| {
            let output = place.hedgerow(&format!("hierarchy show out/{file} --format csv"));
            assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
            output.stdout
        };
        assert_eq!(show(file), show(&file.replace(".json", ".xml")), "{file}");
    }
    let base = String::from_utf8(place.read("out/001-base.xml")).unwrap();
    assert!(base.contains(
        "<leaf value=\"nurse\" concept=\"nurse.n.01\" note=\"whole\" how=\"whole\" count=\"3\"/>"
    ));
    insta::assert_snapshot!(String::from_utf8(place.read("out/senses.toml")).unwrap());
}

#[test]
fn candidates_are_deterministic() {
    let (one, other) = (place(), place());
    one.hedgerow(CANDIDATES);
    other.hedgerow(CANDIDATES);
    let listed = |place: &Place| place.shell("cd out && cat *").stdout;
    assert!(listed(&one).len() > 10_000);
    assert_eq!(listed(&one), listed(&other));
}

#[test]
fn the_senses_file_overrides_the_lookup() {
    let senses = "\"zzgardner\" = \"gardener#1\"\n\"nurse\" = \"nanny.n.01\"\n\"Other\" = \"\"\n";
    let place = place().with("senses.toml", senses);
    let output = place.hedgerow(&format!("{CANDIDATES} --senses senses.toml"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("6 of 7 values found") && !said.contains("zzgardner"), "{said}");
    let xml = String::from_utf8(place.read("out/001-base.xml")).unwrap();
    assert!(xml.contains("<leaf value=\"nurse\" concept=\"nanny.n.01\" note=\"given"), "{xml}");
}

#[test]
fn an_unedited_senses_file_changes_nothing() {
    let jobs = JOBS.replace("Other\n", "Other\n\"a \"\"nurse\"\"\ntoo\"\ndriver #2\ncar (new)\n");
    let place = Place::new().with("t.csv", jobs);
    let first = place.hedgerow(CANDIDATES);
    assert_eq!(first.status.code(), Some(0), "{}", shown(&first));
    let again =
        place.hedgerow("hierarchy candidates t.csv -c job -k 3 --senses out/senses.toml -o again");
    assert_eq!(again.status.code(), Some(0), "{}", shown(&again));
    let tree =
        |folder: &str| place.hedgerow(&format!("hierarchy show {folder}/001-base.json")).stdout;
    assert_eq!(tree("out"), tree("again"));
}

#[test]
fn only_folders_of_candidates_are_replaced() {
    let place = place();
    place.hedgerow(CANDIDATES);
    std::fs::write(place.folder.path().join("out/senses.toml"), "\"nurse\" = \"nurse#2\"\n")
        .unwrap();
    let again = place.hedgerow(&format!("{CANDIDATES} --force"));
    assert!(shown(&again).contains("which are kept as senses-before.toml"), "{}", shown(&again));
    assert_eq!(place.read("out/senses-before.toml"), b"\"nurse\" = \"nurse#2\"\n");
    std::fs::write(place.folder.path().join("out/mine.txt"), "mine").unwrap();
    let refused = place.hedgerow(&format!("{CANDIDATES} --force"));
    assert_eq!(refused.status.code(), Some(2), "{}", shown(&refused));
    assert_eq!(place.read("out/mine.txt"), b"mine");
}

#[test]
fn records_without_a_value_are_left_out_of_outcomes() {
    let place = place().with("more.csv", format!("{JOBS}\"\"\n\"\"\n"));
    place.hedgerow(CANDIDATES);
    for table in ["t", "more"] {
        let line = "hierarchy rank out --column job -k 3 --ks 2,5";
        let output =
            place.hedgerow(&format!("{line} --table {table}.csv --outcomes {table}-o.csv"));
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    }
    assert_eq!(place.read("t-o.csv"), place.read("more-o.csv"));
}

#[test]
fn the_next_command_can_be_copied_to_a_shell() {
    let jobs = "\"job, last\"\nsurgeon\nnurse\nteacher\nteacher\n";
    let place = Place::new().with("my table.csv", jobs);
    let line = "$HEDGEROW hierarchy candidates 'my table.csv' -c 'job, last' -k 2 -o 'my trees'";
    let made = place.shell(line);
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    let next = said.lines().find_map(|line| line.strip_prefix("next: hedgerow ")).unwrap();
    let ranked = place.shell(&format!("$HEDGEROW {next}"));
    assert_eq!(ranked.status.code(), Some(0), "{next}: {}", shown(&ranked));
}

#[test]
fn ranking_candidates_of_another_source_needs_that_source() {
    let codes =
        "code,parent,label\nH,,Health\nH1,H,Surgeon\nH2,H,Nurse\nE,,Teaching\nE1,E,Teacher\n";
    let jobs = "job\nSurgeon\nNurse\nTeacher\nTeacher\n";
    let place = Place::new().with("t.csv", jobs).with("codes.csv", codes);
    let made = place.hedgerow(&format!("{CANDIDATES} --knowledge codes.csv"));
    let said = shown(&made);
    assert!(said.contains(
        "next: hedgerow hierarchy rank out --table t.csv --column job -k 3 --knowledge codes.csv"
    ));
    assert!(
        said.contains("codes.csv has 2 roots, with '*' above them: Health, Teaching"),
        "{said}"
    );
    let rank = "hierarchy rank out --table t.csv --column job -k 3";
    let refused = place.hedgerow(rank);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        shown(&refused).contains("name them with --knowledge codes.csv"),
        "{}",
        shown(&refused)
    );
    assert_eq!(place.hedgerow(&format!("{rank} --knowledge codes.csv")).status.code(), Some(0));
    // Concepts that have only '*' in common are not similar.
    let apart = place.hedgerow("knowledge similarity Nurse Teacher --knowledge codes.csv");
    assert_eq!(String::from_utf8_lossy(&apart.stdout), "0.000000\n");
}

#[test]
fn candidates_are_ranked_and_the_best_is_used() {
    let place = place();
    place.hedgerow(CANDIDATES);
    let ranked = place.hedgerow("hierarchy rank out --table t.csv --column job -k 3 --json");
    let ranked: serde_json::Value = serde_json::from_slice(&ranked.stdout).unwrap();
    let best = ranked["candidates"][0]["name"].as_str().unwrap();
    let name = best[4..].strip_suffix(".json").unwrap();
    // The file and the method with the candidate's name give the same release.
    for (hierarchy, release) in
        [(format!("out/{best}"), "a.csv"), (format!("wordnet:candidate={name}"), "b.csv")]
    {
        let output = place.hedgerow(&format!(
            "anonymize t.csv -q job -k 3 --hierarchy job={hierarchy} -o {release}"
        ));
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    }
    assert_eq!(place.read("a.csv"), place.read("b.csv"));
}

#[test]
fn outcomes_of_candidates_are_measured() {
    let place = place();
    place.hedgerow(CANDIDATES);
    let output = place.hedgerow(
        "hierarchy rank out --table t.csv --column job -k 3 --outcomes o.csv --ks 2..4,6",
    );
    insta::assert_snapshot!(shown(&output));
    let csv = String::from_utf8(place.read("o.csv")).unwrap();
    let n_candidates = csv.lines().filter(|line| line.contains(",6,")).count();
    assert_eq!(csv.lines().count(), 4 * n_candidates + 1);
    let start = "column,candidate,k,suppress,suppressed,sse,gen-iloss,c-avg,linkage\njob,001-base.json,2,none,0,";
    assert!(csv.starts_with(start), "{csv}");
}

#[test]
fn outcomes_with_suppression_and_the_best_candidates() {
    let place = place();
    place.hedgerow(CANDIDATES);
    let rank = "hierarchy rank out --table t.csv --column job -k 3 --outcomes o.csv --ks 2..4";
    let output = place.hedgerow(&format!("{rank} --suppress none,k --top 2 --weights privacy=1"));
    insta::assert_snapshot!(shown(&output));
    let csv = String::from_utf8(place.read("o.csv")).unwrap();
    // Up to k records are suppressed, never more.
    for line in csv.lines().skip(1).filter(|line| line.contains(",k,")) {
        let fields: Vec<&str> = line.split(',').collect();
        let [k, suppressed] = [fields[2], fields[4]].map(|n| n.parse::<u64>().unwrap());
        assert!(suppressed <= k, "{line}");
    }
    assert!(csv.lines().skip(1).any(|line| line.contains(",k,") && !line.contains(",k,0,")));
    let json = place.hedgerow(&format!("{rank} --suppress k --json --force"));
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["columns"][0]["suppress"], "k");
    assert_eq!(json["together"][0]["agreement"].as_array().unwrap().len(), 20);
}

#[test]
fn a_column_that_cannot_tell_candidates_apart_says_so() {
    let place =
        Place::new().with("t.csv", format!("job\n{}", "nurse\nsurgeon\npianist\n".repeat(9)));
    place.hedgerow(CANDIDATES);
    let rank = "hierarchy rank out --table t.csv --column job -k 3 --outcomes o.csv";
    let output = shown(&place.hedgerow(&format!("{rank} --ks 2..9")));
    let sign = "job cannot tell its candidates apart: its rarest value has 9 records, so nothing is generalized for k up \
                to 9; use larger k with --ks, such as --ks 10..13";
    assert!(output.contains(sign), "{output}");
    let two = Place::new().with("t.csv", format!("job\n{}", "nurse\nsurgeon\n".repeat(9)));
    two.hedgerow(CANDIDATES);
    let output = shown(&two.hedgerow(&format!("{rank} --ks 2..9")));
    assert!(output.contains("a larger k would put all records into one class"), "{output}");
    let some = shown(&place.hedgerow(&format!("{rank} --ks 8..11 --force")));
    let sign = "for 2 of 4 values of k, from 8 to 9, nothing is generalized, because the rarest value has 9 records";
    assert!(some.contains(sign), "{some}");
}

#[test]
fn several_columns_are_ranked_at_once() {
    let rows = "job,tool\nsurgeon,saw\nnurse,drill\npianist,hammer\nnurse,hammer\n";
    let place = Place::new()
        .with("t.csv", rows)
        .with("tool.csv", "saw;cutting;*\ndrill;cutting;*\nhammer;hammer;*\n");
    for column in ["job", "tool"] {
        let made =
            place.hedgerow(&format!("hierarchy candidates t.csv -c {column} -k 2 -o {column}s"));
        assert_eq!(made.status.code(), Some(0), "{}", shown(&made));
    }
    let rank = "hierarchy rank jobs tools tool.csv --table t.csv -c job,tool -k 2";
    let grid = shown(&place.hedgerow(&format!("{rank} --grid")));
    let together = "all 2 columns:\nby hand: best in 4 of 70 (6%), 4 drawn\nwordnet: best in 62 of 70 (89%), 4 drawn\n";
    assert!(grid.contains(together), "{grid}");
    assert!(
        grid.contains(
            "by hand (1 candidate): best in 4 of 35 (11%), 4 drawn; its best is 18.5 places behind"
        ),
        "{grid}"
    );
    let outcomes = place.hedgerow(&format!("{rank} --outcomes o.csv --ks 2..4"));
    let said = shown(&outcomes);
    assert!(said.contains("all 2 columns") && said.contains("for tool, each anonymized"), "{said}");
    let csv = String::from_utf8(place.read("o.csv")).unwrap();
    assert!(csv.contains("\njob,") && csv.contains("\ntool,tool.csv,2,none,"), "{csv}");
    let ranked = place.hedgerow(&format!("{rank} --json"));
    let ranked: serde_json::Value = serde_json::from_slice(&ranked.stdout).unwrap();
    assert_eq!((&ranked[0]["column"], &ranked[1]["column"]), (&"job".into(), &"tool".into()));
    let mut refusals = String::new();
    for wrong in ["jobs --table t.csv -c job,tool -k 2", "jobs tools --table t.csv -c job,age -k 2"]
    {
        let output = place.hedgerow(&format!("hierarchy rank {wrong}"));
        assert_eq!(output.status.code(), Some(2));
        let _ = writeln!(refusals, "{}", shown(&output));
    }
    insta::assert_snapshot!(refusals);
}

#[test]
fn word_hierarchies_report_doubtful_meanings() {
    insta::assert_snapshot!(shown(&place().hedgerow("hierarchy build t.csv -c job -m wordnet")));
}

#[test]
fn a_custom_classification_replaces_wordnet() {
    let codes =
        "code,parent,label\nA,,Animals\nB,A,Birds\nB1,B,Robin\nB2,B,Wren\nC,A,Cats\nC1,C,Lynx\n";
    let place = Place::new().with("t.csv", "x\nRobin\nWren\nLynx\nLynx\n").with("codes.csv", codes);
    let output = place.hedgerow("hierarchy build t.csv -c x -m wordnet:knowledge=codes.csv");
    insta::assert_snapshot!(shown(&output));
}

#[test]
fn bad_input_is_refused() {
    let place = place()
        .with("unknown.csv", "job\nqqx\nzzy\n")
        .with("empty.csv", "job\n\"\"\n")
        .with("synset.toml", "\"surgeon\" = \"surgeon#1\"\n\"nurse\" = \"nurze.n.01\"\n")
        .with("value.toml", "\"surgeon\" = \"surgeon#1\"\n\n\"nurs\" = \"nurse.n.01\"\n")
        .with("number.toml", "\"nurse\" = \"nurse#7\"\n")
        .with("broken.toml", "\"nurse\" = nurse\n")
        .with("circle.csv", "code,parent,label\na,b,\nb,a,\n")
        .with("dangling.csv", "code,parent,label\na,b,A\n");
    std::fs::create_dir(place.folder.path().join("mine")).unwrap();
    let place = place.with("mine/keep.txt", "mine");
    let mut all = String::new();
    for (change, to, code) in [
        ("t.csv", "unknown.csv", 2),
        ("-k 3", "-k 3 --senses synset.toml", 2),
        ("-k 3", "-k 3 --senses value.toml", 2),
        ("-k 3", "-k 3 --senses number.toml", 2),
        ("-k 3", "-k 3 --senses broken.toml", 2),
        ("-k 3", "-k 3 --senses none.toml", 2),
        ("-k 3", "-k 3 --knowledge circle.csv", 2),
        ("-k 3", "-k 3 --knowledge dangling.csv", 2),
        ("-k 3", "-k 3 --wordnet mine", 2),
        ("-k 3", "-k 0", 2),
        ("wordnet", "frequency", 2),
        ("wordnet", "wordnet:alike=2", 2),
        ("wordnet", "wordnet:most=0", 2),
        ("wordnet -k 3", "wordnet:k=0", 2),
        ("wordnet", "wordnet:candidate=base", 2),
        ("t.csv", "empty.csv", 2),
        ("wordnet", "wordnet:mots=5", 2),
        ("--column job", "--column jobs", 2),
        ("-o out", "-o mine --force", 2),
        ("-o out", "-o t.csv", 2),
    ] {
        let output = place.hedgerow(&CANDIDATES.replace(change, to));
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{to}");
        let _ = writeln!(all, "{change} -> {to}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    insta::assert_snapshot!(all);
    assert!(!place.files().iter().any(|name| name.starts_with(".hedgerow") || name == "out"));
}
