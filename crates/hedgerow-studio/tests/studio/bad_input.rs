//! Bad input: tables, jobs, senses, edits and goals that cannot be used, each with a reason and
//! without a change.

use crate::client::Studio;
use serde_json::{Value, json};

#[test]
fn a_table_that_cannot_be_read_leaves_the_open_one() {
    let studio = Studio::decided(3);
    let before = studio.get("/api/state");
    let bad: [(&str, &[u8], &str); 5] = [
        ("cut.parquet", b"PAR1 and nothing else", "cut.parquet"),
        ("none.csv", b"", "none.csv"),
        ("ragged.csv", b"a,b\n1,2\n3\n", "3"),
        ("twice.csv", b"a,a\n1,2\n", "a"),
        ("open.csv", b"a,b\n\"1,2\n3,4\n", "open.csv"),
    ];
    for (name, content, part) in bad {
        std::fs::write(studio.path(name), content).unwrap();
        let reply = studio.send("POST", "/api/table", Some(&json!({ "path": name })));
        assert_eq!(reply.status, 422, "{name}: {}", reply.message());
        assert!(reply.message().contains(part), "{name}: {}", reply.message());
        // No folder of this machine is named.
        assert!(!reply.message().contains(studio.folder.path().to_str().unwrap()));
        assert_eq!(studio.get("/api/state")["table"], before["table"], "{name}");
    }
    let missing = studio.send("POST", "/api/table", Some(&json!({ "path": "absent.csv" })));
    assert_eq!(missing.status, 404);
}

#[test]
fn a_job_with_unknown_columns_and_keys_is_shown_with_its_reason() {
    let studio = Studio::start();
    for (text, line, part) in [
        ("input = 'patients.csv'\nquasi = ['sex'\nk = 2\n", 3, ""),
        ("input = 'patients.csv'\nquasy = ['sex']\nk = 2\n", 2, "quasy"),
        ("input = 'patients.csv'\nquasi = ['sex']\nk = 'five'\n", 3, ""),
    ] {
        std::fs::write(studio.path("bad.toml"), text).unwrap();
        let reply = studio.send("POST", "/api/table", Some(&json!({ "path": "bad.toml" })));
        assert_eq!(reply.status, 422, "{text}");
        assert_eq!(reply.json()["error"]["line"], line, "{}", reply.message());
        assert!(reply.message().contains(part), "{}", reply.message());
        assert_eq!(studio.get("/api/job/text")["toml"], text);
        assert!(studio.get("/api/state")["job_problem"].is_object());
        // A correction that is wrong too says so, and the file stays as it was.
        let again = studio.send("PUT", "/api/job/text", Some(&json!({ "toml": "k = 0\n" })));
        assert_eq!(again.status, 422);
        assert_eq!(std::fs::read_to_string(studio.path("bad.toml")).unwrap(), text);
    }
}

#[cfg(feature = "wordnet")]
#[test]
fn unknown_senses_are_refused_and_nothing_is_written() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies/job", json!({ "action": "grow", "method": "wordnet" }));
    let before = studio.get("/api/senses/job");
    let value = before["values"][0]["value"].as_str().unwrap().to_owned();
    let change = json!({ "senses": { value.as_str(): ["hedgehog.n.99"] } });
    let reply = studio.send("PUT", "/api/senses/job", Some(&change));
    assert_eq!(reply.status, 422);
    assert!(reply.message().contains("hedgehog.n.99"), "{}", reply.message());
    let unknown = json!({ "senses": { "no such value": ["nurse.n.01"] } });
    assert_eq!(studio.send("PUT", "/api/senses/job", Some(&unknown)).status, 422);
    assert_eq!(studio.get("/api/senses/job"), before);
    assert!(!studio.path("patients.job.senses.toml").exists());
    // The same in a file that was written by hand, with the value that it is about.
    let text = format!("{} = \"hedgehog.n.99\"\n", toml_key(&value));
    std::fs::write(studio.path("mine.toml"), text).unwrap();
    let grow =
        json!({ "action": "grow", "method": "wordnet", "parameters": { "senses": "mine.toml" } });
    let reply = studio.send("POST", "/api/hierarchies/job", Some(&grow));
    assert_eq!(reply.status, 422);
    assert!(reply.message().contains("hedgehog.n.99"), "{}", reply.message());
}

#[cfg(feature = "wordnet")]
fn toml_key(value: &str) -> String {
    Value::from(value).to_string()
}

#[test]
fn an_edit_that_breaks_the_tree_is_refused_and_changes_nothing() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies/job", json!({ "action": "grow", "method": "frequency" }));
    let at = "/api/hierarchies/job/frequency";
    let before = studio.get(at);
    let n = before["total"].as_u64().unwrap();
    let operations = [
        json!({ "op": "merge", "nodes": [0] }),
        json!({ "op": "merge", "nodes": [1, n] }),
        json!({ "op": "move", "node": 1, "to": 1 }),
        json!({ "op": "move", "node": 0, "to": 1 }),
        json!({ "op": "remove", "node": 0 }),
        json!({ "op": "rename", "node": 1, "label": "" }),
        json!({ "op": "move-cut", "node": 1, "to": 1 }),
        json!({ "op": "split", "node": 1, "at": [] }),
        json!({ "op": "regrow", "node": 1, "method": "none" }),
        json!({ "op": "lock", "node": n + 5 }),
    ];
    for operation in operations {
        let request = json!({ "version": 0, "operation": operation });
        for path in [format!("{at}/edits/preview"), format!("{at}/edits")] {
            let reply = studio.send("POST", &path, Some(&request));
            assert_eq!(reply.status, 422, "{operation}: {}", reply.message());
            assert!(!reply.message().is_empty());
        }
        assert_eq!(studio.get(at), before, "{operation}");
    }
}

#[test]
fn a_goal_beyond_the_table_names_the_best_and_one_change_reaches_it() {
    let studio = Studio::decided(401);
    let run = |studio: &Studio| {
        let request = json!({ "kind": "single", "method": { "name": "mondrian" } });
        let started = studio.post("/api/runs", request);
        studio.wait(started["runs"][0]["id"].as_u64().unwrap())
    };
    let failed = run(&studio);
    let error = &failed["error"]["error"];
    assert_eq!(
        (failed["state"].as_str(), error["kind"].as_str()),
        (Some("failed"), Some("unreachable"))
    );
    // The page sends this change when the offer is taken.
    let change = error["attainable"]["change"].clone();
    assert_eq!(change, json!({ "k": 400 }), "{error}");
    assert!(error["attainable"]["about"].as_str().unwrap().contains("400"));
    studio.fine("PATCH", "/api/job", Some(change));
    let done = run(&studio);
    assert_eq!(
        (done["state"].as_str(), done["smallest_class"].as_u64()),
        (Some("done"), Some(400))
    );
}

/// Twelve records of an age, an illness, a salary and the illnesses that a record guards.
const TWELVE: &str = "age,ill,pay,guard\n20,flu,100,\n21,flu,100,infection\n22,flu,100,\n\
    30,flu,100,\n31,flu,100,\n32,flu,100,\n40,cold,200,\n41,cold,200,\n42,cold,200,\n\
    50,cold,200,\n51,ulcer,200,\n52,ulcer,200,\n";

/// Models that twelve records cannot meet, and the option of the job that they need.
const STRICT: [(&str, &str); 10] = [
    ("l-diversity:l=9", ""),
    ("l-diversity:l=2.9,kind=entropy", ""),
    ("l-diversity:l=3,c=2,kind=recursive", ""),
    ("p-sensitive:p=9", ""),
    ("alpha-k:alpha=0.3", ""),
    ("l-plus:l=5", ""),
    ("epsilon-m:epsilon=1,m=9,column=pay", ""),
    ("personalized:p=0.1,guard=guard,column=ill", "hierarchy = { ill = \"file:path=ills.csv\" }"),
    ("tau-lambda:tau=12,lambda=1", ""),
    ("k-map:k=99", "population = \"twelve.csv\""),
];

/// Models that one class of all records always meets, and k-anonymity, which the job asks for by k.
const ALWAYS_MET: [&str; 4] = ["k-anonymity", "t-closeness", "beta-likeness", "delta-disclosure"];

/// Whatever a model asks for too much of, taking what the page offers leads to a release.
#[test]
fn what_is_offered_instead_of_a_goal_is_attainable_for_every_model() {
    let studio = Studio::start();
    std::fs::write(studio.path("twelve.csv"), TWELVE).unwrap();
    let tree = "flu;infection;*\ncold;infection;*\nulcer;stomach;*\n";
    std::fs::write(studio.path("ills.csv"), tree).unwrap();
    studio.post("/api/table", json!({ "path": "twelve.csv" }));
    for (model, option) in STRICT {
        let job = format!(
            "input = \"twelve.csv\"\nquasi = [\"age\"]\nsensitive = [\"ill\", \"pay\"]\n\
             drop = [\"guard\"]\nk = 2\nmethod = \"mondrian\"\nprivacy = [\"{model}\"]\n{option}\n"
        );
        studio.fine("PUT", "/api/job/text", Some(json!({ "toml": job })));
        let run = || {
            let started = studio.post("/api/runs", json!({ "kind": "single" }));
            studio.wait(started["runs"][0]["id"].as_u64().unwrap())
        };
        let mut ended = run();
        assert_eq!(ended["state"], "failed", "{model} is met");
        for _ in 0..3 {
            if ended["state"] == "done" {
                break;
            }
            let offer = &ended["error"]["error"]["attainable"];
            assert!(offer["change"].is_object(), "{model}: {ended:#}");
            assert!(!offer["about"].as_str().unwrap().is_empty());
            studio.fine("PATCH", "/api/job", Some(offer["change"].clone()));
            ended = run();
        }
        assert_eq!(ended["state"], "done", "{model}: {ended:#}");
        // The model is still required, with another parameter.
        assert_eq!(studio.get("/api/state")["job"]["privacy"].as_array().unwrap().len(), 1);
    }
    for method in studio.get("/api/methods")["privacy"].as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        let is_strict = STRICT.iter().any(|(model, _)| model.split(':').next() == Some(name));
        assert!(is_strict != ALWAYS_MET.contains(&name), "{name} is not tried");
    }
}

/// A studio with the twelve records and privacy models, and the offer that its run ends with.
fn offered(models: &[&str]) -> (Studio, Value) {
    let studio = Studio::start();
    std::fs::write(studio.path("twelve.csv"), TWELVE).unwrap();
    std::fs::write(studio.path("weights.csv"), "value,l\nulcer,2\n").unwrap();
    let job = format!(
        "input = \"twelve.csv\"\nquasi = [\"age\"]\nsensitive = [\"ill\"]\ndrop = [\"pay\", \"guard\"]\n\
         k = 2\nmethod = \"mondrian\"\nprivacy = {models:?}\n"
    );
    std::fs::write(studio.path("twelve.job.toml"), job).unwrap();
    studio.post("/api/table", json!({ "path": "twelve.csv" }));
    let started = studio.post("/api/runs", json!({ "kind": "single" }));
    let ended = studio.wait(started["runs"][0]["id"].as_u64().unwrap());
    let offer = ended["error"]["error"]["attainable"].clone();
    assert!(offer["change"].is_object(), "{ended:#}");
    (studio, offer["change"].clone())
}

/// The models of the job as it is now.
fn models(studio: &Studio) -> Vec<String> {
    let job = studio.get("/api/state")["job"].clone();
    let all = job["privacy"].as_array().unwrap().iter();
    all.map(|spec| spec["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_offer_keeps_the_paths_of_the_job() {
    let (studio, change) = offered(&["l-plus:file=weights.csv", "p-sensitive:p=9"]);
    studio.fine("PATCH", "/api/job", Some(change));
    let now = models(&studio);
    assert_eq!(now[0], "l-plus:file=weights.csv");
    assert!(now[1].starts_with("p-sensitive:p=") && !now[1].ends_with("=9"), "{now:?}");
    let text = std::fs::read_to_string(studio.path("twelve.job.toml")).unwrap();
    assert!(!text.contains(studio.folder.path().to_str().unwrap()), "{text}");
}

#[test]
fn an_offer_of_an_old_run_keeps_models_that_were_added_since() {
    let (studio, change) = offered(&["p-sensitive:p=9"]);
    let with = |p: u64| {
        let strict = json!({ "name": "p-sensitive", "parameters": { "p": p } });
        let added = json!({ "name": "l-diversity", "parameters": { "l": 2 } });
        json!({ "privacy": [strict, added] })
    };
    studio.fine("PATCH", "/api/job", Some(with(9)));
    studio.fine("PATCH", "/api/job", Some(change.clone()));
    let eased = models(&studio);
    assert!(eased[0].starts_with("p-sensitive:p=") && !eased[0].ends_with("=9"), "{eased:?}");
    assert_eq!(eased[1..], ["l-diversity:l=2"]);
    // The model that the offer was about is no longer there.
    studio.fine("PATCH", "/api/job", Some(with(8)));
    let reply = studio.send("PATCH", "/api/job", Some(&change));
    assert_eq!(reply.status, 409, "{}", reply.message());
    assert!(reply.message().contains("p-sensitive:p=9"), "{}", reply.message());
    assert_eq!(models(&studio), ["p-sensitive:p=8", "l-diversity:l=2"]);
}

#[test]
fn a_run_on_a_table_that_changed_or_vanished_says_so() {
    let studio = Studio::decided(3);
    std::fs::remove_file(studio.path("patients.csv")).unwrap();
    let request = json!({ "kind": "single", "method": { "name": "mondrian" } });
    let started = studio.post("/api/runs", request);
    let run = studio.wait(started["runs"][0]["id"].as_u64().unwrap());
    assert_eq!(run["state"], "failed");
    let message = run["error"]["error"]["message"].as_str().unwrap();
    assert!(message.contains("patients.csv"), "{message}");
    // What is open can still be looked at.
    assert_eq!(studio.get("/api/rows?count=3")["total"], 400);
    let reload = studio.send("POST", "/api/table/reload", None);
    assert_eq!(reload.status, 422, "{}", reload.message());
}
