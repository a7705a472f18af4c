//! What the studio tells: warnings about columns, and files of hierarchies in every format.

use std::fmt::Write as _;

use crate::client::Studio;
use serde_json::{Value, json};

/// The kinds of the notes about a column, for roles that are tried.
fn kinds(studio: &Studio, roles: Value, column: &str) -> Vec<String> {
    let found = studio.post("/api/risk", json!({ "roles": roles, "columns": false }));
    let notes = found["notes"].as_array().unwrap().iter();
    let of_column = notes.filter(|note| note["column"] == column);
    of_column.map(|note| note["kind"].as_str().unwrap().to_owned()).collect()
}

/// Columns that must not be published as they are have a note that says why.
#[test]
fn columns_that_give_people_away_are_warned_about() {
    let studio = Studio::start();
    let mut rows = String::from("full_name,visit,age,birth_year,region\n");
    for n in 0..300 {
        let age = 20 + n % 60;
        let _ = writeln!(rows, "Person {n},{},{age},{},{}", n % 90, 2020 - age, n % 4);
    }
    std::fs::write(studio.path("t.csv"), rows).unwrap();
    studio.post("/api/table", json!({ "path": "t.csv" }));
    let roles = json!({ "age": "quasi", "region": "keep" });
    let found = studio.post("/api/risk", json!({ "roles": roles, "columns": false }));
    let notes = found["notes"].as_array().unwrap();
    let is_name = |note: &Value| note["column"] == "full_name" && note["kind"] == "name";
    assert!(notes.iter().any(is_name), "{notes:?}");
    let tells_age = |note: &Value| {
        note["column"] == "birth_year" && note["message"].as_str().unwrap().contains("'age'")
    };
    assert!(notes.iter().any(tells_age), "{notes:?}");
    // A column that is left out needs no warning.
    let roles = json!({ "age": "quasi", "full_name": "identifier", "birth_year": "drop" });
    let found = studio.post("/api/risk", json!({ "roles": roles, "columns": false }));
    let left = found["notes"].as_array().unwrap();
    assert!(!left.iter().any(|note| is_name(note) || tells_age(note)), "{left:?}");
    // Every note says what to do.
    assert!(notes.iter().all(|note| !note["advice"].as_array().unwrap().is_empty()), "{notes:?}");
}

#[test]
fn rows_that_are_not_people_are_warned_about() {
    let studio = Studio::start();
    let mut rows = String::from("patient_id,age,sex\n");
    for n in 0..400 {
        let _ = writeln!(
            rows,
            "P{:04},{},{}",
            n / 4,
            20 + (n / 4) % 50,
            if n / 4 % 2 == 0 { "f" } else { "m" }
        );
    }
    std::fs::write(studio.path("visits.csv"), rows).unwrap();
    studio.post("/api/table", json!({ "path": "visits.csv" }));
    let roles = |patient: &str| json!({ "patient_id": patient, "age": "quasi", "sex": "quasi" });
    let people = "people".to_owned();
    assert!(kinds(&studio, roles("undecided"), "patient_id").contains(&people));
    assert!(!kinds(&studio, roles("person"), "patient_id").contains(&people));
}

/// A model that looks at sizes only protects no sensitive value.
#[test]
fn only_a_model_that_looks_at_a_sensitive_column_ends_its_warning() {
    let studio = Studio::decided(3);
    std::fs::copy(studio.path("patients.csv"), studio.path("all.csv")).unwrap();
    let is_warned =
        || kinds(&studio, json!({}), "diagnosis").contains(&"sensitive-without-model".to_owned());
    assert!(is_warned());
    let model = |name: &str, parameters: Value| json!({ "privacy": [{ "name": name, "parameters": parameters }] });
    let mut sizes = model("k-map", json!({ "k": 3 }));
    sizes["others"] = json!({ "population": "all.csv" });
    studio.fine("PATCH", "/api/job", Some(sizes));
    assert!(is_warned(), "k-map counts people, and looks at no sensitive column");
    let mut diverse = model("l-diversity", json!({ "l": 2 }));
    diverse["others"] = json!({ "population": null });
    studio.fine("PATCH", "/api/job", Some(diverse));
    assert!(!is_warned());
}

/// What was saved in any format can be opened, by its name or by its ending.
#[test]
fn hierarchy_files_of_every_format_are_opened() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies/job", json!({ "action": "grow", "method": "frequency" }));
    let leaves = |id: &str| {
        let tree = studio.get(&format!("/api/hierarchies/job/{id}"));
        tree["leaf_counts"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(leaves("frequency"), 400);
    let formats = studio.get("/api/methods")["format"].as_array().unwrap().clone();
    assert!(formats.len() > 5);
    for format in formats {
        let name = format["name"].as_str().unwrap();
        let path = format!("{name}.tree");
        let save = json!({ "path": path, "format": name });
        studio.post("/api/hierarchies/job/frequency/save", save);
        let open = json!({ "action": "open", "path": path, "format": name });
        let reply = studio.send("POST", "/api/hierarchies/job", Some(&open));
        assert_eq!(reply.status, 200, "{name}: {}", reply.message());
        let opened = reply.json();
        let candidates = opened["candidates"].as_array().unwrap();
        let found = candidates.iter().find(|one| one["file"] == path).unwrap();
        assert!(found["problem"].is_null(), "{name}: {found}");
        assert_eq!(leaves(found["id"].as_str().unwrap()), 400, "{name}");
    }
}
