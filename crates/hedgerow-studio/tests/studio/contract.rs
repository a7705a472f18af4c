//! The server and `openapi.json` agree: every endpoint is described, and every answer has the
//! described structure.

use std::collections::BTreeSet;

use crate::client::Studio;
use crate::schema;
use hedgerow_studio::{OPENAPI, routes};
use serde_json::{Value, json};

fn document() -> Value {
    serde_json::from_str(OPENAPI).unwrap()
}

#[test]
fn every_endpoint_is_described_and_answered() {
    let document = document();
    let mut described = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            described.insert((method.clone(), path.clone()));
        }
    }
    let answered: BTreeSet<(String, String)> =
        routes().into_iter().map(|(method, path)| (method.to_owned(), path.to_owned())).collect();
    assert_eq!(answered, described);
}

/// A studio whose answers are compared with the document.
struct Checked {
    studio: Studio,
    document: Value,
}

impl Checked {
    /// Sends a request to a path; `of` is the path with its parameters, as in the document.
    #[track_caller]
    fn ask(&self, method: &str, of: &str, path: &str, body: Option<Value>) -> Value {
        let reply = self.studio.send(&method.to_uppercase(), path, body.as_ref());
        let value = reply.json();
        let pointer = of.replace('/', "~1");
        let operation = &self.document["paths"][of][method];
        assert!(operation.is_object(), "{pointer} is described");
        let schema = if reply.status == 200 {
            operation.pointer("/responses/200/content/application~1json/schema").unwrap().clone()
        } else {
            json!({ "$ref": "#/components/schemas/Problem" })
        };
        let faults = schema::faults(&self.document, &schema, &value, "answer");
        let faults: Vec<&String> = faults.iter().take(10).collect();
        assert!(faults.is_empty(), "{method} {path} ({}): {faults:#?}", reply.status);
        assert_eq!(reply.status, 200, "{method} {path}: {value}");
        value
    }

    fn get(&self, of: &str, path: &str) -> Value {
        self.ask("get", of, path, None)
    }
}

/// A whole session on a small table: every answer has its structure.
#[test]
fn answers_have_the_described_structure() {
    let checked = Checked { studio: Studio::start(), document: document() };
    let same =
        |method: &str, path: &str, body: Option<Value>| checked.ask(method, path, path, body);
    same("get", "/api/state", None);
    same("get", "/api/methods", None);
    same("get", "/api/glossary", None);
    same("get", "/api/files", None);
    same("post", "/api/table", Some(json!({ "path": "patients.csv" })));
    same("get", "/api/table", None);
    let roles = json!({ "name": "identifier", "birth": "quasi", "sex": "quasi", "zip": "quasi",
        "job": "quasi", "diagnosis": "sensitive" });
    same("patch", "/api/job", Some(json!({ "roles": roles, "k": 3 })));
    same("get", "/api/job/text", None);
    same("post", "/api/risk", Some(json!({})));
    checked.get("/api/rows", "/api/rows?count=5&alone=true");
    same("get", "/api/hierarchies", None);
    same("post", "/api/hierarchies", None);
    let of_column = "/api/hierarchies/{column}";
    checked.get(of_column, "/api/hierarchies/birth");
    let grow = json!({ "action": "grow", "method": "frequency" });
    let grown = checked.ask("post", of_column, "/api/hierarchies/job", Some(grow));
    let id = grown["candidates"][0]["id"].as_str().unwrap().to_owned();
    let choice = Some(json!({ "candidate": id }));
    checked.ask("put", of_column, "/api/hierarchies/job", choice);
    let of_tree = "/api/hierarchies/{column}/{candidate}";
    checked.get(of_tree, "/api/hierarchies/job/frequency?px=800");
    let save = Some(json!({ "path": "trees/job.csv" }));
    let of_save = "/api/hierarchies/{column}/{candidate}/save";
    checked.ask("post", of_save, "/api/hierarchies/job/frequency/save", save);
    let open = Some(json!({ "action": "open", "path": "trees/job.csv" }));
    checked.ask("post", of_column, "/api/hierarchies/job", open);
    words(&checked);
    runs(&checked);
    same("post", "/api/search", Some(json!({ "q": "nurse" })));
    same("post", "/api/table/reload", None);
}

#[cfg(feature = "wordnet")]
fn words(checked: &Checked) {
    let candidates = Some(json!({ "action": "candidates", "most": 8 }));
    checked.ask("post", "/api/hierarchies/{column}", "/api/hierarchies/job", candidates);
    checked.get("/api/hierarchies/{column}/rank", "/api/hierarchies/job/rank?weights=semantic=1");
    let senses = checked.get("/api/senses/{column}", "/api/senses/job");
    let value = senses["values"][0]["value"].as_str().unwrap();
    let change = json!({ "senses": { value: [] }, "preview": true });
    checked.ask("put", "/api/senses/{column}", "/api/senses/job", Some(change));
    let word = Some(json!({ "word": "nurses" }));
    checked.ask("post", "/api/senses/{column}/lookup", "/api/senses/job/lookup", word);
}

#[cfg(not(feature = "wordnet"))]
fn words(_: &Checked) {}

fn runs(checked: &Checked) {
    let single = Some(json!({ "kind": "single", "method": { "name": "mondrian" } }));
    let started = checked.ask("post", "/api/runs", "/api/runs", single);
    let id = started["runs"][0]["id"].as_u64().unwrap();
    let run = checked.studio.wait(id);
    assert_eq!(run["state"], "done", "{run}");
    let sweep = json!({ "kind": "sweep", "ks": [2, 4], "methods": ["mondrian"], "hierarchies": ["chosen", "auto"] });
    let started = checked.ask("post", "/api/runs", "/api/runs", Some(sweep));
    for run in started["runs"].as_array().unwrap() {
        let run = checked.studio.wait(run["id"].as_u64().unwrap());
        assert_eq!(run["state"], "done", "{run}");
    }
    checked.get("/api/runs", "/api/runs");
    checked.get("/api/runs/{run}", &format!("/api/runs/{id}"));
    checked.ask("put", "/api/runs/{run}", &format!("/api/runs/{id}"), None);
    let classes =
        checked.get("/api/runs/{run}/classes", &format!("/api/runs/{id}/classes?count=3"));
    let class = classes["classes"][0]["class"].as_u64().unwrap();
    let records =
        checked.get("/api/runs/{run}/classes/{class}", &format!("/api/runs/{id}/classes/{class}"));
    assert_eq!(records["size"], classes["classes"][0]["size"]);
    checked.get("/api/runs/{run}/records", &format!("/api/runs/{id}/records?count=4"));
    checked.get("/api/runs/{run}/risk", &format!("/api/runs/{id}/risk"));
    let (attacks, at) = ("/api/runs/{run}/attacks", format!("/api/runs/{id}/attacks"));
    checked.ask("post", attacks, &at, None);
    checked.ask("delete", attacks, &at, None);
    checked.get("/api/runs/{run}/report", &format!("/api/runs/{id}/report?audience=public"));
    checked.get("/api/compare", "/api/compare");
    let export = json!({ "run": id, "release": "out/release.csv", "job": "out/release.job.toml" });
    checked.ask("post", "/api/export", "/api/export", Some(export));
    checked.ask("delete", "/api/runs/{run}", &format!("/api/runs/{id}"), None);
}
