//! No command overwrites a file that it reads.

use crate::support::{Place, is_possible, shown};

const TABLE: &str = "age,job\n21,nurse\n22,nurse\n35,cook\n36,cook\n";
const TREE: &str = "nurse;care;*\ncook;food;*\n";

fn place() -> Place {
    let senses = "\"nurse\" = \"nurse.n.01\"\n";
    let job = "input = \"t.csv\"\noutput = \"job.toml\"\nquasi = [\"age\"]\nk = 2\nforce = true\n";
    Place::new()
        .with("t.csv", TABLE)
        .with("tree.csv", TREE)
        .with("order.csv", "nurse\ncook\n")
        .with("x", "nurse\ncook\n")
        .with("2024", "nurse\ncook\n")
        .with("senses.toml", senses)
        .with("job.toml", job)
        .with("people.csv", TABLE)
}

#[test]
fn outputs_never_replace_inputs() {
    let calls = [
        "anonymize t.csv -q age -k 2 -o t.csv",
        "anonymize t.csv -q age -k 2 -o ./../PLACE/t.csv",
        "anonymize t.csv -q age -k 2 -o out.csv --method bottom-up --trace t.csv",
        "anonymize t.csv -q age -k 2 -o out.csv --classes t.csv",
        "measure --original t.csv --release people.csv -q age --classes people.csv",
        "measure --original t.csv --release people.csv -q job --hierarchy job=tree.csv --classes tree.csv",
        "hierarchy build t.csv -c age -m avl:k=2 --walk -o t.csv",
        "anonymize t.csv -q job -k 2 -o tree.csv --hierarchy job=tree.csv",
        "anonymize t.csv -q job -k 2 -o order.csv --hierarchy job=ordered:order-file=order.csv",
        "anonymize t.csv -q job -k 2 -o x --hierarchy job=ordered:order-file=x",
        "anonymize t.csv -q job -k 2 -o 2024 --hierarchy job=ordered:order-file=2024",
        "anonymize t.csv -q age -s job -k 2 -o x --privacy l-plus:file=x",
        "anonymize t.csv -q job -k 2 -o senses.toml --hierarchy job=wordnet:senses=senses.toml",
        "anonymize t.csv -q age -k 2 -o people.csv --population people.csv --privacy k-map:k=2",
        "anonymize t.csv -q age -k 2 -o out.csv --recipe t.csv",
        "anonymize job.toml -o out.csv --recipe job.toml",
        "anonymize job.toml",
        "anonymize job.toml -o out.csv --method bottom-up --trace job.toml",
        "hierarchy build t.csv -c age -m iotf -o t.csv",
        "hierarchy build t.csv -c job -m ordered:order-file=order.csv -o order.csv",
        "hierarchy build t.csv -c job -m file:path=tree.csv -o tree.csv",
        "hierarchy convert tree.csv tree.csv",
        "hierarchy check tree.csv --fix tree.csv",
        "hierarchy check tree.csv --table t.csv -c job --fix t.csv",
        "hierarchy rank tree.csv --table t.csv -c job -k 2 --outcomes t.csv",
        "hierarchy rank tree.csv --table t.csv -c job -k 2 --outcomes tree.csv",
        "hierarchy rank tree.csv --table t.csv -c job -k 2 --senses senses.toml --outcomes senses.toml",
        "lattice t.csv -q age -o t.csv",
        "lattice t.csv -q job --hierarchy job=tree.csv -o tree.csv",
        "lattice t.csv -q job -m ordered:order-file=order.csv -o order.csv",
        "generate t.csv -c age --sigma 3 --rho 1 -o t.csv",
        "generate t.csv -c job --hierarchy job=tree.csv --sigma 3 --rho 1 -o tree.csv",
    ];
    for call in calls.into_iter().filter(|call| is_possible(call)) {
        let place = place();
        let name = place.folder.path().file_name().unwrap().to_str().unwrap().to_owned();
        let before: Vec<_> =
            place.files().into_iter().map(|name| (place.read(&name), name)).collect();
        let output = place.hedgerow(&format!("{} --force", call.replace("PLACE", &name)));
        assert_eq!(output.status.code(), Some(2), "{call}: {}", shown(&output));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("this file is an input"), "{call}: {said}");
        let after: Vec<_> =
            place.files().into_iter().map(|name| (place.read(&name), name)).collect();
        assert_eq!(after, before, "{call}");
    }
}

#[test]
#[cfg_attr(not(feature = "wordnet"), ignore = "needs words")]
fn a_folder_of_candidates_may_hold_the_outcomes_of_their_ranking() {
    let place = place();
    let made = place.hedgerow("hierarchy candidates t.csv -c job -k 2 -o trees");
    assert_eq!(made.status.code(), Some(0), "{}", shown(&made));
    let rank = "hierarchy rank trees --table t.csv -c job -k 2 --outcomes trees";
    assert_eq!(place.hedgerow(&format!("{rank}/outcomes.csv")).status.code(), Some(0));
    let over = place.hedgerow(&format!("{rank}/001-base.json --force"));
    assert_eq!(over.status.code(), Some(2), "{}", shown(&over));
}
