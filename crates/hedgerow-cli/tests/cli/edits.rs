//! Edit scripts: `hierarchy edit`, and jobs that replay them.

use crate::support::{Place, shown};

const JOBS: &str = "nurse;care;*\ndoctor;care;*\ncook;food;*\nbaker;food;*\nsmith;craft;*\n";

fn script(edits: &str) -> String {
    format!(
        "{{\"hedgerow-edits\": 1, \"attribute\": \"job\", \"base\": \"job.csv\", \"edits\": [\n{edits}\n]}}\n"
    )
}

fn place(edits: &str) -> Place {
    Place::new().with("job.csv", JOBS).with("job.edits.json", script(edits))
}

const EDIT: &str = "hierarchy edit job.csv --script job.edits.json";

#[test]
fn edits_are_made_in_their_order() {
    let edits = r#"{"edit": "merge", "nodes": ["food", "craft"], "label": "trade"},
{"edit": "rename", "node": "care", "label": "health"},
{"edit": "lock", "node": "trade"}"#;
    let place = place(edits);
    insta::assert_snapshot!(shown(&place.hedgerow(EDIT)));
    insta::assert_snapshot!(shown(&place.hedgerow(&format!("{EDIT} --undo 2"))));
    insta::assert_snapshot!(shown(&place.hedgerow(&format!("{EDIT} -o out.csv"))));
    let done = place.hedgerow(&format!("{EDIT} -o out.json"));
    assert_eq!(done.status.code(), Some(0), "{}", shown(&done));
    let text = String::from_utf8(place.read("out.json")).unwrap();
    assert_eq!(text.matches("\"locked\":true").count(), 1, "{text}");
    assert!(text.contains("\"note\":\"edited\""), "{text}");
}

#[test]
fn edits_that_cannot_be_made_say_why() {
    let cases = [
        r#"{"edit": "rename", "node": "caer", "label": "health"}"#,
        r#"{"edit": "merge", "nodes": ["nurse", "cook"]}"#,
        r#"{"edit": "move", "node": "care", "below": "nurse"}"#,
        r#"{"edit": "move-cut", "from": "3", "to": "4"}"#,
        r#"{"edit": "delete", "node": "care"}"#,
        r#"{"edit": "remove", "node": "care"}, {"edit": "remove", "node": "care"}"#,
    ];
    for edits in cases {
        let place = place(edits);
        let done = place.hedgerow(&format!("{EDIT} -o out.json"));
        assert_eq!(done.status.code(), Some(2), "{edits}");
        assert_eq!(place.files(), ["job.csv", "job.edits.json"], "nothing is written");
    }
    let said: Vec<String> = cases.iter().map(|edits| shown(&place(edits).hedgerow(EDIT))).collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn scripts_that_cannot_be_read_say_what_to_do() {
    let good = script(r#"{"edit": "remove", "node": "care"}"#);
    let other_version = good.replace("edits\": 1", "edits\": 9");
    let cases = [&good[..90], &other_version, "{\"k\": 5}", "", "not JSON"];
    let run = |text: &&str| {
        let place = Place::new().with("job.csv", JOBS).with("job.edits.json", text);
        shown(&place.hedgerow(EDIT))
    };
    insta::assert_snapshot!(cases.iter().map(run).collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_edit_does_not_replace_what_it_reads() {
    let place = place(r#"{"edit": "remove", "node": "care"}"#);
    for output in ["job.csv", "job.edits.json"] {
        let done = place.hedgerow(&format!("{EDIT} -o {output} --force"));
        assert!(shown(&done).contains("this file is an input"), "{}", shown(&done));
    }
    let too_many = place.hedgerow(&format!("{EDIT} --undo 2"));
    assert!(
        shown(&too_many).contains("has 1 edit, so 2 cannot be left out"),
        "{}",
        shown(&too_many)
    );
}

const TABLE: &str = "job,age\nnurse,1\ndoctor,2\ncook,3\nbaker,4\nsmith,5\nnurse,6\n";

#[test]
fn a_job_makes_the_edits_of_its_hierarchies() {
    let edits = r#"{"edit": "merge", "nodes": ["food", "craft"], "label": "trade"},
{"edit": "lock", "node": "trade"}, {"edit": "lock", "node": "care"}"#;
    let job = "input = \"../t.csv\"\noutput = \"release.csv\"\nquasi = [\"job\"]\nkeep = [\"age\"]\nk = 3\n\
               keep-order = true\n[edits]\njob = \"job.edits.json\"\n";
    let place = Place::new().with("t.csv", TABLE);
    place.shell("mkdir sub");
    let place = place.with("sub/job.csv", JOBS).with("sub/job.edits.json", script(edits));
    let place = place.with("sub/job.toml", job);
    let done = place.hedgerow("anonymize sub/job.toml --quiet");
    assert_eq!(done.status.code(), Some(0), "{}", shown(&done));
    let released = String::from_utf8(place.read("sub/release.csv")).unwrap();
    assert_eq!(released, "job,age\ncare,1\ncare,2\ntrade,3\ntrade,4\ntrade,5\ncare,6\n");
    // The same by flags, and the files that the script reads are inputs.
    let flags = "anonymize t.csv --quasi job --keep age -k 3 --keep-order --edits job=sub/job.edits.json --quiet";
    let done = place.hedgerow(&format!("{flags} -o other.csv"));
    assert_eq!(String::from_utf8(place.read("other.csv")).unwrap(), released, "{}", shown(&done));
    for output in ["-o sub/job.csv", "-o third.csv --recipe sub/job.edits.json"] {
        let done = place.hedgerow(&format!("{flags} --force {output}"));
        assert!(shown(&done).contains("this file is an input"), "{}", shown(&done));
    }
}

#[test]
fn a_job_whose_edits_do_not_fit_is_refused() {
    let with = |edits: &str, args: &str| {
        let place = Place::new().with("t.csv", TABLE).with("job.csv", JOBS);
        let place = place.with("job.edits.json", edits);
        let done = place
            .hedgerow(&format!("anonymize t.csv --quasi job --keep age -k 3 {args} -o out.csv"));
        assert!(!place.files().contains(&"out.csv".to_owned()));
        shown(&done)
    };
    let gone = script(r#"{"edit": "remove", "node": "craft"}, {"edit": "lock", "node": "craft"}"#);
    let without_base = gone.replace("\"base\": \"job.csv\", ", "");
    let of_other = gone.replace("\"job\"", "\"work\"");
    let said = [
        with(&gone, "--edits job=job.edits.json"),
        with(&without_base, "--edits job=job.edits.json"),
        with(&of_other, "--edits job=job.edits.json"),
        with(&gone, "--edits age=job.edits.json"),
        with(&gone, "--edits job=absent.json"),
        with(&gone, "--edits job=job.edits.json --hierarchy job=free"),
    ];
    insta::assert_snapshot!(said.join("\n"));
}
