//! Papers run again, with the real binary.

use std::fmt::Write;
use std::path::Path;

use crate::support::{Place, adult, json, shown};

/// A small table with the columns that the paper of tree traversal needs.
fn small() -> String {
    let mut table = "age,hours-per-week\n".to_owned();
    for row in 0..90 {
        writeln!(table, "{},{}", 20 + row * 7 % 41, 30 + row * 5 % 23).unwrap();
    }
    table
}

#[test]
fn a_run_writes_a_page_tables_and_figures() {
    let place = Place::new().with("t.csv", small());
    let run = place.hedgerow("reproduce traversal --data t.csv -o out");
    insta::assert_snapshot!(shown(&run));
    let files: Vec<String> = std::fs::read_dir(place.folder.path().join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in ["index.html", "papers.md", "results.json", "traversal-runs.csv"] {
        assert!(files.iter().any(|file| file == name), "{name} is not in {files:?}");
    }
    let page = String::from_utf8(place.read("out/index.html")).unwrap();
    let is_linked = |file: &&String| [".csv", ".svg"].iter().any(|ending| file.ends_with(ending));
    for file in files.iter().filter(is_linked) {
        assert!(page.contains(&format!("href=\"{file}\"")), "the page does not link to {file}");
    }
    let drawn = String::from_utf8(place.read("out/traversal-walk-avl-pre.svg")).unwrap();
    assert!(drawn.starts_with("<svg xmlns=") && drawn.contains(">24</text>"));
}

#[test]
fn threads_do_not_change_a_byte() {
    let place = Place::new().with("t.csv", small());
    for (threads, folder) in [(1, "one"), (3, "three")] {
        let call =
            format!("reproduce traversal --data adult=t.csv --threads {threads} -o {folder}");
        assert_eq!(place.hedgerow(&call).status.code(), Some(0));
    }
    for file in ["index.html", "papers.md", "results.json", "traversal-runs.csv"] {
        assert!(
            place.read(&format!("one/{file}")) == place.read(&format!("three/{file}")),
            "{file}"
        );
    }
}

#[test]
fn verdicts_are_printed_as_json_too() {
    let place = Place::new().with("t.csv", small());
    let found = json(&place.hedgerow("reproduce traversal --data t.csv -o out --json"));
    assert_eq!(found[0]["paper"], "traversal");
    assert_eq!(found[0]["exhibits"][0]["verdict"], "reproduced");
    let again = place.hedgerow("reproduce traversal --data t.csv -o out --force --quiet");
    assert!(again.status.success() && again.stdout.is_empty() && again.stderr.is_empty());
}

#[test]
fn wrong_calls_name_the_way_out() {
    let place = Place::new().with("t.csv", small()).with("other.csv", "a,b\n1,2\n");
    let place = place.with("taken", "a file");
    for (name, args) in [
        ("no data", "reproduce traversal -o out"),
        ("no such file", "reproduce traversal --data none.csv -o out"),
        ("unknown data set", "reproduce traversal --data adlut=t.csv -o out"),
        ("given twice", "reproduce traversal --data t.csv --data adult=t.csv -o out"),
        ("other columns", "reproduce traversal --data other.csv -o out"),
        ("not a folder", "reproduce traversal --data t.csv -o taken"),
        ("foreign folder", "reproduce traversal --data t.csv -o . --force"),
        ("no paper", "reproduce -o out"),
    ] {
        let found = shown(&place.hedgerow(args));
        insta::assert_snapshot!(format!("reproduce_{}", name.replace(' ', "_")), found);
    }
    assert_eq!(place.files(), ["other.csv", "t.csv", "taken"]);
}

#[test]
fn an_unknown_paper_lists_all() {
    let run = Place::new().hedgerow("reproduce traversel -o out");
    let found = shown(&run);
    assert_eq!(run.status.code(), Some(2), "{found}");
    assert!(found.contains("there is no paper 'traversel' (did you mean 'traversal'?)"), "{found}");
    for paper in hedgerow::reproduce::ALL {
        assert!(found.contains(paper.name), "{} is not in {found}", paper.name);
    }
}

/// The commands of tables 1 and 2 of the paper of divisors, on a few records.
#[test]
fn the_command_of_every_technique_runs() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../hedgerow/src/reproduce/divisors/techniques.csv");
    let Ok(list) = std::fs::read_to_string(list) else { return };
    let table = std::fs::read_to_string(adult()).unwrap();
    let few: String = table.split_inclusive('\n').take(401).collect();
    // As the command of personalized anonymity adds the column.
    let wish = |line: &str| match line.split(',').nth(6) {
        Some("occupation") => format!("{line},wish\n"),
        Some("Other-service") => format!("{line},Service\n"),
        _ => format!("{line},\n"),
    };
    let wishes: String = few.lines().map(wish).collect();
    let tree =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../hedgerow/data/hierarchies/occupation.csv");
    let place = Place::new()
        .with("adult.csv", few)
        .with("wishes.csv", wishes)
        .with("occupation.csv", std::fs::read_to_string(tree).unwrap());
    let mut n_run = 0;
    for line in list.lines().filter(|line| line.contains("hedgerow anonymize")) {
        let command = line.split("hedgerow anonymize ").nth(1).unwrap().trim_end_matches('"');
        // Fewer steps, so that the test is fast.
        let command = command.replace("--method genetic", "--method genetic:steps=50");
        let run = place.hedgerow(&format!("anonymize {command} --force"));
        assert_eq!(run.status.code(), Some(0), "{command}: {}", shown(&run));
        n_run += 1;
    }
    assert!(n_run > 15, "{n_run} commands were found");
}

/// `adult.csv` has lines that end in CR and LF.
#[test]
fn the_command_of_personalized_anonymity_adds_a_column() {
    let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/papers.md");
    let Ok(papers) = std::fs::read_to_string(papers) else { return };
    let line =
        papers.lines().find(|line| line.starts_with("| Personalized anonymity | `awk")).unwrap();
    let command = line.split('`').nth(1).unwrap().split(" && ").next().unwrap();
    let rows =
        "a,b,c,d,e,f,occupation,income\r\n1,2,3,4,5,6,Other-service,8\r\n1,2,3,4,5,6,Sales,8\r\n";
    let place = Place::new().with("adult.csv", rows);
    let run = place.shell(command);
    assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
    let wishes = String::from_utf8(place.read("wishes.csv")).unwrap();
    let wanted = "a,b,c,d,e,f,occupation,income,wish\n1,2,3,4,5,6,Other-service,8,Service\n1,2,3,4,5,6,Sales,8,\n";
    assert_eq!(wishes, wanted);
}
