//! What is kept: edits and senses of runs, jobs of several tables, and what a release was made of.

use std::path::Path;
use std::process::Command;

use crate::client::{Studio, upload};
use hedgerow::job::{self, Job};
use hedgerow::progress::Silent;
use hedgerow_studio::Limits;
use serde_json::{Value, json};

/// Makes a release with mondrian, and returns its number.
#[track_caller]
fn run(studio: &Studio) -> u64 {
    let request = json!({ "kind": "single", "method": { "name": "mondrian" } });
    let started = studio.post("/api/runs", request);
    let id = started["runs"][0]["id"].as_u64().unwrap();
    let run = studio.wait(id);
    assert_eq!(run["state"], "done", "{run}");
    id
}

/// Whether a run is marked as made with older settings.
fn is_stale(studio: &Studio, id: u64) -> bool {
    let runs = studio.get("/api/runs");
    runs["runs"].as_array().unwrap().iter().any(|run| run["id"] == id && run["stale"] == true)
}

/// Grows a hierarchy of `job` and chooses it; returns its address.
fn grow(studio: &Studio, method: &str) -> String {
    studio.post("/api/hierarchies/job", json!({ "action": "grow", "method": method }));
    studio.fine("PUT", "/api/hierarchies/job", Some(json!({ "candidate": method })));
    format!("/api/hierarchies/job/{method}")
}

/// Gives the first inner node below the root another name.
#[track_caller]
fn rename(studio: &Studio, at: &str, label: &str) -> Value {
    let tree = studio.get(at);
    let (start, end) = (&tree["arrays"]["start"], &tree["arrays"]["end"]);
    let n = tree["arrays"]["node"].as_array().unwrap().len();
    let width = |n: usize| end[n].as_u64().unwrap() - start[n].as_u64().unwrap();
    let inner = (1..n).find(|&n| width(n) > 1).unwrap();
    let operation = json!({ "op": "rename", "node": inner, "label": label });
    studio
        .post(&format!("{at}/edits"), json!({ "version": tree["version"], "operation": operation }))
}

/// Runs an exported job in the way of the command line, and compares the release.
#[track_caller]
fn repeats(job_file: &Path, release: &Path) {
    let first = std::fs::read(release).unwrap();
    let job = Job::from_file(job_file).unwrap();
    assert_eq!(job.output.canonicalize().unwrap(), release.canonicalize().unwrap());
    job::run(&Job { force: true, ..job }, &Silent).unwrap();
    assert!(first == std::fs::read(release).unwrap(), "the release differs");
}

#[test]
fn a_run_keeps_the_edits_that_it_was_made_with() {
    let studio = Studio::decided(3);
    let at = grow(&studio, "frequency");
    rename(&studio, &at, "first");
    let id = run(&studio);
    assert!(!is_stale(&studio, id));
    rename(&studio, &at, "second");
    assert!(is_stale(&studio, id), "the edits changed");
    // The exported job has the edits of the run, not those of now.
    let export = json!({ "run": id, "release": "out/r.csv", "job": "out/r.toml" });
    let exported = studio.post("/api/export", export.clone());
    let written: Vec<&str> = exported["written"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert!(written.contains(&"out/r.job.edits.json"), "{written:?}");
    let text = std::fs::read_to_string(studio.path("out/r.job.edits.json")).unwrap();
    assert!(text.contains("first") && !text.contains("second"), "{text}");
    assert!(std::fs::read_to_string(studio.path("out/r.csv")).unwrap().contains("first"));
    repeats(&studio.path("out/r.toml"), &studio.path("out/r.csv"));
    // All files are asked about before they are replaced.
    let again = studio.send("POST", "/api/export", Some(&export));
    assert_eq!(again.json()["error"]["existing"].as_array().map(Vec::len), Some(3));
    // Going back to the same edits is the same state again.
    studio.post(&format!("{at}/edits/undo"), Value::Null);
    let text = studio.get(&format!("{at}/edits"));
    assert_eq!(text["done"].as_array().unwrap().len(), 1);
}

#[cfg(feature = "wordnet")]
#[test]
fn a_run_keeps_the_senses_that_it_was_made_with() {
    let studio = Studio::decided(3);
    let at = grow(&studio, "wordnet");
    let set = |senses: &[&str]| {
        studio.fine("PUT", "/api/senses/job", Some(json!({ "senses": { "clerk": senses } })));
    };
    set(&["clerk.n.01"]);
    rename(&studio, &at, "working people");
    let id = run(&studio);
    assert!(!is_stale(&studio, id));
    set(&["salesclerk.n.01"]);
    assert!(is_stale(&studio, id), "the senses changed");
    let tree = studio.get(&at);
    let labels = tree["arrays"]["label"].as_array().unwrap();
    assert!(labels.contains(&json!("working people")), "the edit was made again: {labels:?}");
    let export = json!({ "run": id, "release": "r.csv", "job": "r.toml" });
    studio.post("/api/export", export);
    let senses = std::fs::read_to_string(studio.path("r.job.senses.toml")).unwrap();
    assert!(senses.contains("clerk.n.01") && !senses.contains("sales"), "{senses}");
    repeats(&studio.path("r.toml"), &studio.path("r.csv"));
}

/// A correction that an edit does not survive is refused, and the senses stay as they were.
#[cfg(feature = "wordnet")]
#[test]
fn corrections_do_not_drop_edits() {
    let studio = Studio::decided(3);
    let at = grow(&studio, "wordnet");
    let tree = studio.get(&at);
    let labels = tree["arrays"]["label"].as_array().unwrap();
    let place = labels.iter().position(|label| label == "nurse").unwrap();
    let parent = tree["arrays"]["parent"][place].as_u64().unwrap();
    assert!(parent > 0, "nurse has a group of its own below the root");
    let remove = json!({ "op": "remove", "node": parent });
    studio.post(&format!("{at}/edits"), json!({ "version": 0, "operation": remove }));
    let change = json!({ "senses": { "nurse": ["fish.n.01"] } });
    let reply = studio.send("PUT", "/api/senses/job", Some(&change));
    let left = studio.get(&format!("{at}/edits"));
    assert_eq!(left["done"].as_array().unwrap().len(), 1, "{left}");
    if reply.status != 200 {
        assert_eq!(reply.status, 409, "{}", reply.message());
        assert!(reply.message().contains("edits of 'wordnet'"), "{}", reply.message());
        assert!(!studio.path("patients.job.senses.toml").exists());
    }
}

#[test]
fn growing_again_keeps_edits() {
    let studio = Studio::decided(3);
    let at = grow(&studio, "frequency");
    rename(&studio, &at, "carers");
    let has_edit =
        || studio.get(&at)["arrays"]["label"].as_array().unwrap().contains(&json!("carers"));
    studio.post("/api/hierarchies/job", json!({ "action": "grow", "method": "frequency" }));
    assert!(has_edit());
    studio.post("/api/hierarchies/job", json!({ "action": "suited" }));
    assert!(has_edit());
    let text = studio.get("/api/job/text")["toml"].as_str().unwrap().to_owned();
    assert!(text.contains("[edits]"), "{text}");
}

/// Edits of a candidate that releases do not use are there after a restart too.
#[test]
fn edits_of_all_candidates_survive_a_restart() {
    let studio = Studio::decided(3);
    let other = grow(&studio, "prefix");
    rename(&studio, &other, "P");
    let chosen = grow(&studio, "frequency");
    rename(&studio, &chosen, "carers");
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    let column = studio.get("/api/hierarchies/job");
    assert_eq!(column["chosen"], "frequency");
    let edits = |id: &str| {
        let found = column["candidates"].as_array().unwrap().iter().find(|one| one["id"] == id);
        found.unwrap_or_else(|| panic!("{id}: {column}"))["edits"].as_u64().unwrap()
    };
    assert_eq!((edits("frequency"), edits("prefix")), (1, 1));
    // One that is removed from the list does not come back.
    studio.fine("DELETE", &other, None);
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    let column = studio.get("/api/hierarchies/job");
    assert_eq!(column["candidates"].as_array().unwrap().len(), 1, "{column}");
}

/// A refused edit leaves no trace in the file.
#[test]
fn edits_of_two_tabs_at_once_are_made_one_after_the_other() {
    let studio = Studio::decided(3);
    let at = grow(&studio, "frequency");
    let edit = |n: usize| {
        let label = format!("name {n}");
        let operation = json!({ "op": "rename", "node": 1, "label": label });
        let request = json!({ "version": 0, "operation": operation });
        (studio.send("POST", &format!("{at}/edits"), Some(&request)).status, label)
    };
    let edit = &edit;
    let done: Vec<(u16, String)> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|n| scope.spawn(move || edit(n))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let fine: Vec<&String> =
        done.iter().filter(|(code, _)| *code == 200).map(|(_, of)| of).collect();
    assert_eq!(fine.len(), 1, "{done:?}");
    let text = std::fs::read_to_string(studio.path("patients.job.frequency.edits.json")).unwrap();
    assert!(text.contains(fine[0].as_str()), "{text}");
    assert_eq!(text.matches("\"rename\"").count(), 1, "{text}");
}

/// An uploaded table with an edit: the job needs nothing of the temporary folder.
#[test]
fn an_exported_job_outlives_an_upload() {
    let studio = Studio::start();
    let content = std::fs::read_to_string(studio.path("patients.csv")).unwrap();
    std::fs::remove_file(studio.path("patients.csv")).unwrap();
    assert_eq!(upload(&studio, "sent.csv", &content).status, 200);
    let roles = json!({ "name": "identifier", "birth": "quasi", "sex": "quasi", "zip": "quasi",
        "job": "quasi", "diagnosis": "keep" });
    studio.fine("PATCH", "/api/job", Some(json!({ "roles": roles, "k": 3 })));
    let at = grow(&studio, "frequency");
    rename(&studio, &at, "carers");
    let id = run(&studio);
    studio.post("/api/export", json!({ "run": id, "release": "out/r.csv", "job": "out/r.toml" }));
    let folder = studio.into_folder();
    std::fs::write(folder.path().join("out/sent.csv"), content).unwrap();
    repeats(&folder.path().join("out/r.toml"), &folder.path().join("out/r.csv"));
}

/// Files of populations, hierarchies and methods are named from the folder of the job file.
#[test]
fn an_exported_job_names_all_files_from_its_folder() {
    let studio = Studio::decided(2);
    std::fs::create_dir(studio.path("data")).unwrap();
    std::fs::copy(studio.path("patients.csv"), studio.path("data/all.csv")).unwrap();
    let at = grow(&studio, "frequency");
    studio.post(&format!("{at}/save"), json!({ "path": "data/job.csv" }));
    let toml = "input = 'patients.csv'\nquasi = ['sex', 'job']\ndrop = ['name', 'birth', 'zip']\n\
        keep = ['diagnosis']\nk = 2\npopulation = 'data/all.csv'\nprivacy = ['k-map:k=2']\n\
        method = 'mondrian'\nhierarchy = { job = 'data/job.csv' }\n";
    studio.fine("PUT", "/api/job/text", Some(json!({ "toml": toml })));
    let id = run(&studio);
    studio.post("/api/export", json!({ "run": id, "release": "a/b/r.csv", "job": "a/b/r.toml" }));
    let text = std::fs::read_to_string(studio.path("a/b/r.toml")).unwrap();
    assert!(text.contains("../../data/all.csv") && text.contains("../../data/job.csv"), "{text}");
    repeats(&studio.path("a/b/r.toml"), &studio.path("a/b/r.csv"));
}

/// Outputs that a job file names are those of the command line: an export writes what was asked for.
#[test]
fn an_export_writes_only_what_was_asked_for() {
    let studio = Studio::decided(3);
    let other = tempfile::tempdir().unwrap();
    let outside = other.path().join("x.csv").display().to_string();
    let before = studio.get("/api/job/text")["toml"].as_str().unwrap().to_owned();
    let toml = format!(
        "# by hand\nclasses = '{outside}'\ntrace = '{outside}'\nreport = 'mine.html'\n{before}"
    );
    studio.fine("PUT", "/api/job/text", Some(json!({ "toml": toml })));
    let id = run(&studio);
    studio.post("/api/export", json!({ "run": id, "release": "r.csv", "job": "r.toml" }));
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 0);
    assert!(!studio.path("mine.html").exists());
    let text = std::fs::read_to_string(studio.path("r.toml")).unwrap();
    assert!(!text.contains(&outside), "{text}");
    // The job file keeps what was written by hand.
    studio.fine("PATCH", "/api/job", Some(json!({ "k": 4 })));
    let text = std::fs::read_to_string(studio.path("patients.job.toml")).unwrap();
    assert!(
        text.contains("# by hand\nclasses = ") && text.contains("report = \"mine.html\""),
        "{text}"
    );
}

#[test]
fn tables_with_the_same_first_name_have_jobs_of_their_own() {
    let studio = Studio::start();
    for (name, k) in [("s.2020.csv", 3), ("s.2021.csv", 4), ("s.tsv", 5)] {
        std::fs::write(
            studio.path(name),
            "age\tsex\n30\tf\n31\tm\n".replace('\t', if name == "s.tsv" { "\t" } else { "," }),
        )
        .unwrap();
        studio.post("/api/table", json!({ "path": name }));
        studio.fine("PATCH", "/api/job", Some(json!({ "k": k, "roles": { "age": "quasi" } })));
    }
    for (name, k) in [("s.2020.csv", 3), ("s.2021.csv", 4), ("s.tsv", 5)] {
        studio.post("/api/table", json!({ "path": name }));
        let state = studio.get("/api/state");
        assert_eq!(
            (state["table"]["name"].as_str(), state["job"]["k"].as_u64()),
            (Some(name), Some(k))
        );
    }
}

#[test]
fn columns_with_similar_names_have_edits_of_their_own() {
    let studio = Studio::start();
    let rows: String =
        (0..60).map(|n| format!("{},{},{},{}\n", n % 7, n % 11, n % 13, n % 17)).collect();
    std::fs::write(studio.path("t.csv"), format!("Age,age,年齢,性別\n{rows}")).unwrap();
    studio.post("/api/table", json!({ "path": "t.csv" }));
    let names = [
        ("Age", "Age"),
        ("age", "age"),
        ("年齢", "%E5%B9%B4%E9%BD%A2"),
        ("性別", "%E6%80%A7%E5%88%A5"),
    ];
    let roles: serde_json::Map<String, Value> =
        names.iter().map(|(name, _)| ((*name).to_owned(), json!("quasi"))).collect();
    studio.fine("PATCH", "/api/job", Some(json!({ "roles": roles, "k": 2 })));
    for (_, address) in names {
        let at = format!("/api/hierarchies/{address}");
        studio.post(&at, json!({ "action": "grow", "method": "equal-frequency" }));
        studio.fine("PUT", &at, Some(json!({ "candidate": "equal-frequency" })));
        rename(&studio, &format!("{at}/equal-frequency"), "low");
    }
    let files = std::fs::read_dir(studio.folder.path()).unwrap().flatten();
    let names_of: Vec<String> =
        files.map(|file| file.file_name().to_string_lossy().to_lowercase()).collect();
    let edits = names_of.iter().filter(|name| name.ends_with(".edits.json"));
    assert_eq!(edits.collect::<std::collections::BTreeSet<_>>().len(), 4, "{names_of:?}");
    run(&studio);
}

/// A misspelt column would leave the real one with another role.
#[test]
fn a_job_with_unknown_columns_is_refused() {
    let studio = Studio::start();
    let toml = "input = 'patients.csv'\nk = 2\nquasi = ['sex', 'birht']\nkeep-others = true\n";
    std::fs::write(studio.path("bad.toml"), toml).unwrap();
    let reply = studio.send("POST", "/api/table", Some(&json!({ "path": "bad.toml" })));
    assert_eq!((reply.status, reply.json()["error"]["line"].as_u64()), (422, Some(3)));
    assert!(
        reply.message().contains("'birht'") && reply.message().contains("birth"),
        "{}",
        reply.message()
    );
    assert_eq!(studio.get("/api/job/text")["toml"], toml);
    let fixed = toml.replace("birht", "birth");
    studio.fine("PUT", "/api/job/text", Some(json!({ "toml": fixed })));
    assert_eq!(studio.get("/api/state")["job"]["roles"]["birth"], "quasi");
    // A column that got another name while the table was open needs a decision.
    let table = std::fs::read_to_string(studio.path("patients.csv")).unwrap();
    std::fs::write(studio.path("patients.csv"), table.replacen("birth", "born", 1)).unwrap();
    studio.post("/api/table/reload", Value::Null);
    let roles = studio.get("/api/state")["job"]["roles"].clone();
    assert_eq!((roles["born"].as_str(), roles["zip"].as_str()), (Some("undecided"), Some("keep")));
}

#[test]
fn runs_of_a_table_that_was_read_again_are_marked() {
    let studio = Studio::decided(3);
    let id = run(&studio);
    studio.get(&format!("/api/runs/{id}/records?count=2"));
    let mut text = std::fs::read_to_string(studio.path("patients.csv")).unwrap();
    let first = text.find('\n').unwrap() + 1;
    text.insert_str(first, "Eve Doe,1950-01-01,F,04230,nurse,flu\n");
    std::fs::write(studio.path("patients.csv"), text).unwrap();
    studio.post("/api/table/reload", Value::Null);
    assert!(is_stale(&studio, id));
    for path in [format!("/api/runs/{id}/records"), format!("/api/runs/{id}/classes/0")] {
        let reply = studio.send("GET", &path, None);
        assert_eq!((reply.status, reply.json()["error"]["kind"].as_str()), (409, Some("stale")));
    }
    let id = run(&studio);
    studio.get(&format!("/api/runs/{id}/records?count=2"));
    assert!(!is_stale(&studio, id));
}

/// A job file that was edited as text is another job for the same table, so its runs stay.
#[test]
fn runs_outlive_another_job_for_their_table() {
    let studio = Studio::decided(3);
    let id = run(&studio);
    let text = studio.get("/api/job/text")["toml"].as_str().unwrap().replace("k = 3", "k = 4");
    studio.fine("PUT", "/api/job/text", Some(json!({ "toml": text })));
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    assert_eq!(studio.get("/api/state")["job"]["k"], 4);
    studio.get(&format!("/api/runs/{id}/records?count=2"));
    std::fs::write(studio.path("other.csv"), "a,b\n1,2\n3,4\n").unwrap();
    studio.post("/api/table", json!({ "path": "other.csv", "drop_runs": true }));
    assert_eq!(studio.get("/api/runs")["runs"], json!([]));
}

/// Cells of a sweep end one by one, and are cancelled one by one.
#[test]
fn cells_of_a_sweep_are_runs_of_their_own() {
    let studio = Studio::decided(3);
    let id = run(&studio);
    let sweep =
        json!({ "kind": "sweep", "ks": [2, 3, 4, 5, 6, 7], "methods": ["mondrian", "k-member"] });
    let started = studio.post("/api/runs", sweep);
    let ids: Vec<u64> =
        started["runs"].as_array().unwrap().iter().map(|run| run["id"].as_u64().unwrap()).collect();
    let last = *ids.last().unwrap();
    studio.fine("DELETE", &format!("/api/runs/{last}"), None);
    for &id in &ids {
        let state = studio.wait(id)["state"].clone();
        assert_eq!(state, if id == last { "cancelled" } else { "done" }, "{id}");
    }
    // Neither is the one that reports are about, because it has no release.
    assert_eq!(studio.get("/api/state")["chosen_run"], id);
    let reply = studio.send("PUT", &format!("/api/runs/{}", ids[0]), None);
    assert_eq!(reply.status, 409, "{}", reply.message());
}

/// The release of a cell is that of the cell, with its parameters and hierarchies.
#[test]
fn the_release_of_a_cell_is_what_was_measured() {
    let studio = Studio::decided(3);
    grow(&studio, "frequency");
    let sweep = json!({ "kind": "sweep", "ks": [4], "methods": ["mondrian:cut=median"], "hierarchies": ["prefix", "auto"] });
    let reply = studio.send("POST", "/api/runs", Some(&sweep));
    assert_eq!(reply.status, 200, "{}", reply.message());
    for cell in reply.json()["runs"].as_array().unwrap() {
        let cell = studio.wait(cell["id"].as_u64().unwrap());
        assert_eq!(cell["state"], "done", "{cell}");
        let again = studio.post("/api/runs", json!({ "kind": "again", "run": cell["id"] }));
        let made = studio.wait(again["runs"][0]["id"].as_u64().unwrap());
        assert_eq!(made["state"], "done", "{made}");
        for name in ["method", "k", "hierarchies", "loss", "average_risk", "classes"] {
            assert_eq!(made[name], cell[name], "{name}");
        }
        assert_eq!(studio.get("/api/state")["chosen_run"], made["id"]);
    }
}

/// Uploads that are refused, given up or replaced leave nothing behind.
#[cfg(unix)]
#[test]
fn uploads_go_away_with_their_table() {
    let temporary = tempfile::tempdir().unwrap();
    // The temporary folder is that of the process, so this test runs in one of its own.
    let own = std::env::current_exe().unwrap();
    let done = Command::new(own)
        .args(["--exact", "kept::in_own_temporary_folder", "--ignored"])
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}

#[test]
#[ignore = "is run by uploads_go_away_with_their_table"]
fn in_own_temporary_folder() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { upload: 2000, ..Limits::default() };
    let studio = Studio::serve(folder, limits, None);
    let uploads = || -> Vec<String> {
        let inside = |path: &Path| {
            std::fs::read_dir(path)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path())
                .collect::<Vec<_>>()
        };
        let private = inside(&std::env::temp_dir())
            .into_iter()
            .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("hedgerow-"));
        private
            .flat_map(|path| inside(&path))
            .flat_map(|path| inside(&path))
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect()
    };
    assert_eq!(upload(&studio, "large.csv", &"a,b\n1,2\n".repeat(1000)).status, 413);
    assert_eq!(uploads(), Vec::<String>::new());
    assert_eq!(upload(&studio, "bad.csv", "a,b\n1\n").status, 422);
    assert_eq!(uploads(), Vec::<String>::new());
    assert_eq!(upload(&studio, "one.csv", "a,b\n1,2\n3,4\n").status, 200);
    assert_eq!(uploads(), ["one.csv"]);
    assert_eq!(upload(&studio, "two.csv", "a,b\n1,2\n3,4\n").status, 200);
    assert_eq!(uploads(), ["two.csv"]);
    // The text of the job of an uploaded table can be changed too.
    let toml = "input = 'two.csv'\nquasi = ['a']\nkeep = ['b']\nk = 2\n";
    studio.fine("PUT", "/api/job/text", Some(json!({ "toml": toml })));
    assert_eq!(studio.get("/api/state")["job"]["k"], 2);
    assert_eq!(uploads(), ["two.csv"]);
}
