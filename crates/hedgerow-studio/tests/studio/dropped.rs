//! Runs are dropped with their table only after a yes.

use crate::client::{Reply, Studio, upload};
use serde_json::{Value, json};

/// A studio with a run that is done and one that failed, and another table with a job.
fn with_runs() -> Studio {
    let studio = Studio::decided(3);
    for k in [3, 500] {
        let method = json!({ "name": "mondrian" });
        let started =
            studio.post("/api/runs", json!({ "kind": "single", "method": method, "k": k }));
        studio.wait(started["runs"][0]["id"].as_u64().unwrap());
    }
    std::fs::write(studio.path("other.csv"), "a,b\n1,2\n3,4\n").unwrap();
    std::fs::write(studio.path("other.toml"), OTHER).unwrap();
    studio
}

const OTHER: &str = "input = \"other.csv\"\nquasi = [\"a\"]\nkeep-others = true\nk = 2\n";

/// Checks that a request was refused because of one run, and that nothing changed.
#[track_caller]
fn is_asked(studio: &Studio, reply: &Reply) {
    assert_eq!((reply.status, &reply.json()["error"]["runs"]), (409, &json!(1)));
    assert!(reply.message().contains("1 run of patients.csv"), "{}", reply.message());
    let state = studio.get("/api/state");
    assert_eq!(state["table"]["path"], "patients.csv");
    assert_eq!(state["job_problem"], Value::Null);
    assert_eq!(state["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn another_table_or_job_drops_runs_only_after_a_yes() {
    let requests = [
        ("POST", "/api/table", json!({ "path": "other.csv" })),
        ("POST", "/api/table", json!({ "path": "other.toml" })),
        ("PUT", "/api/job/text", json!({ "toml": OTHER })),
    ];
    for (method, path, mut request) in requests {
        let studio = with_runs();
        is_asked(&studio, &studio.send(method, path, Some(&request)));
        request["drop_runs"] = json!(true);
        studio.fine(method, path, Some(request));
        let state = studio.get("/api/state");
        assert_eq!((&state["table"]["path"], &state["runs"]), (&json!("other.csv"), &json!([])));
    }
}

/// An upload is another table, even with the name of the open one.
#[test]
fn an_upload_drops_runs_only_after_a_yes() {
    let studio = with_runs();
    let content = "a,b\n1,2\n3,4\n";
    is_asked(&studio, &upload(&studio, "patients.csv", content));
    let reply = upload(&studio, "patients.csv&drop_runs=true", content);
    assert_eq!(reply.status, 200, "{}", reply.message());
    assert_eq!(studio.get("/api/state")["runs"], json!([]));
    // Without runs there is nothing to ask.
    assert_eq!(upload(&studio, "more.csv", content).status, 200);
}

#[test]
fn the_same_table_keeps_its_runs_without_a_question() {
    let studio = with_runs();
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    assert_eq!(studio.get("/api/state")["runs"].as_array().unwrap().len(), 2);
}
