//! Work that goes on after a request was answered: attacks, and trials of many candidates.

use std::time::{Duration, Instant};

use crate::client::Studio;
use serde_json::{Value, json};

/// A studio with a run that is done.
fn with_run() -> (Studio, u64) {
    let studio = Studio::decided(3);
    let started =
        studio.post("/api/runs", json!({ "kind": "single", "method": { "name": "mondrian" } }));
    let id = started["runs"][0]["id"].as_u64().unwrap();
    assert_eq!(studio.wait(id)["state"], "done");
    (studio, id)
}

/// Asks until an answer fits.
#[track_caller]
fn until(studio: &Studio, path: &str, fits: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..1200 {
        let answer = studio.get(path);
        if fits(&answer) {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{path} never had the expected answer");
}

/// A look at a run or at its report attacks nothing; asking for attacks does, once for all.
#[test]
fn attacks_run_when_they_are_asked_for() {
    let (studio, id) = with_run();
    let (risk, report) = (format!("/api/runs/{id}/risk"), format!("/api/runs/{id}/report"));
    let run = studio.get(&format!("/api/runs/{id}"));
    assert!(
        run["attacks"].is_null() && run["columns"].as_array().is_some_and(|all| all.len() == 4)
    );
    let before = studio.get(&risk);
    assert_eq!((before["state"].as_str(), before["attacks"].is_null()), (Some("none"), true));
    assert!(before["risk"].is_object());
    let shown = studio.get(&report);
    assert_eq!(shown["attacks"], "none");
    assert!(!shown["body"].as_str().unwrap().contains("Attempts to break it"));

    studio.post(&format!("/api/runs/{id}/attacks"), Value::Null);
    let after = until(&studio, &risk, |risk| risk["state"] == "done");
    let attempts = after["attacks"]["attempts"].as_array().unwrap();
    let has = |of: &Value, key: &str| of[key].as_array().is_some_and(|all| !all.is_empty());
    assert!(attempts.iter().any(|attempt| has(attempt, "prevention")));
    for attempt in attempts {
        // Following advice against an attack that failed would only cost information.
        let is_right = attempt["exposed"] != 0 && attempt["success"] != 0.0;
        let none = json!([]);
        let expected = if is_right { &attempt["prevention"] } else { &none };
        assert_eq!(&attempt["remedies"], expected, "{attempt:#}");
    }
    let shown = studio.get(&report);
    assert_eq!(shown["attacks"], "done");
    assert!(shown["body"].as_str().unwrap().contains("Attempts to break it"));
    // Asking again starts nothing.
    let again = studio.post(&format!("/api/runs/{id}/attacks"), Value::Null);
    assert_eq!(again["state"], "done");
}

#[test]
fn attacks_can_be_stopped_and_started_again() {
    let (studio, id) = with_run();
    let (attacks, risk) = (format!("/api/runs/{id}/attacks"), format!("/api/runs/{id}/risk"));
    studio.post(&attacks, Value::Null);
    studio.fine("DELETE", &attacks, None);
    // Small attacks can be done before they are stopped.
    let ended = until(&studio, &risk, |risk| risk["state"] != "running");
    assert!(["none", "done"].contains(&ended["state"].as_str().unwrap()), "{ended}");
    studio.post(&attacks, Value::Null);
    until(&studio, &risk, |risk| risk["state"] == "done");
}

/// Candidates of words, and columns without a tree, have a loss too.
#[test]
fn every_candidate_gets_a_loss() {
    let (studio, _) = with_run();
    let grown = studio.post("/api/hierarchies", Value::Null);
    for column in grown["columns"].as_array().unwrap() {
        for candidate in column["candidates"].as_array().unwrap() {
            assert!(candidate["loss"].is_number(), "{}: {candidate}", column["column"]);
        }
    }
}

/// What a preview says of a candidate as it is, with these weights of the aspects.
fn previewed(studio: &Studio, column: &str, candidate: &Value, weights: &str) -> Value {
    let id = candidate["id"].as_str().unwrap();
    let operation = json!({ "op": "rename", "node": 0, "label": "everything" });
    let request = json!({ "version": 0, "operation": operation, "weights": weights });
    studio.post(&format!("/api/hierarchies/{column}/{id}/edits/preview"), request)["now"].clone()
}

/// A choice for one column changes what the candidates of the others lose in a release of all columns;
/// they are tried again, so that the list and previews say the same.
#[test]
fn losses_follow_the_choices_of_other_columns() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies", Value::Null);
    let another = json!({ "action": "grow", "method": "least-loss" });
    let grown = studio.post("/api/hierarchies/birth", another);
    let other = grown["candidates"].as_array().unwrap().iter().find(|one| one["chosen"] == false);
    let other = other.unwrap()["id"].clone();
    studio.fine("PUT", "/api/hierarchies/birth", Some(json!({ "candidate": other })));
    let says_the_same = |all: &Value| {
        all["columns"].as_array().unwrap().iter().all(|column| {
            let (name, candidates) = (&column["column"], column["candidates"].as_array().unwrap());
            candidates.iter().filter(|one| one["kind"] == "tree").all(|one| {
                let now = previewed(&studio, name.as_str().unwrap(), one, "");
                let loss = |one: &Value| one["loss"].as_f64().unwrap();
                let better = candidates.iter().filter(|other| loss(other) < loss(one)).count();
                now["loss"] == one["loss"] && now["place"] == better + 1
            })
        })
    };
    until(&studio, "/api/hierarchies", says_the_same);
}

#[cfg(feature = "wordnet")]
#[test]
fn a_preview_has_the_place_of_the_ranking() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies/job", json!({ "action": "candidates", "most": 8 }));
    let listed = studio.get("/api/hierarchies/job");
    for weights in ["", "privacy=1", "semantic=3,interval=1"] {
        let ranking = studio.get(&format!("/api/hierarchies/job/rank?weights={weights}"));
        let places = ranking["places"].as_array().unwrap();
        assert!(places.len() > 2);
        for place in places {
            let candidates = listed["candidates"].as_array().unwrap();
            let candidate = candidates.iter().find(|one| one["id"] == place["candidate"]).unwrap();
            let now = previewed(&studio, "job", candidate, weights);
            assert_eq!((&now["rank"], &now["ranked"]), (&place["place"], &json!(places.len())));
        }
    }
}

#[cfg(feature = "wordnet")]
#[test]
fn many_candidates_are_tried_in_the_background() {
    let (studio, _) = with_run();
    let most = json!({ "action": "candidates", "most": 60 });
    studio.post("/api/hierarchies/job", most);
    let is_tried = |column: &Value| {
        column["candidates"].as_array().unwrap().iter().all(|one| one["loss"].is_number())
    };
    let column = until(&studio, "/api/hierarchies/job", is_tried);
    assert!(column["candidates"].as_array().unwrap().len() > 12);
}

/// The chart of losses joins runs by k, in whatever order they were made.
#[test]
fn losses_are_joined_by_k() {
    let (studio, _) = with_run();
    for k in [20, 5, 10, 2] {
        let request = json!({ "kind": "single", "method": { "name": "mondrian" }, "k": k });
        let started = studio.post("/api/runs", request);
        studio.wait(started["runs"][0]["id"].as_u64().unwrap());
    }
    let compared = studio.get("/api/compare");
    let svg = compared["loss_by_k"].as_str().unwrap();
    let line = svg.lines().find(|line| line.contains("front")).unwrap();
    let path = line.split(" d=\"").nth(1).unwrap().split('"').next().unwrap();
    let numbers: Vec<f64> = path
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter_map(|text| text.parse().ok())
        .collect();
    let xs: Vec<f64> = numbers.iter().step_by(2).copied().collect();
    assert_eq!(xs.len(), 5, "{path}");
    assert!(xs.is_sorted(), "{path}");
    assert!(!compared["why"].as_str().unwrap().contains("with :"), "{}", compared["why"]);
}

/// A run leaves a thread to requests, so a page stays usable while it works.
#[test]
fn requests_are_answered_while_a_run_works() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies", Value::Null);
    let endless = json!({ "name": "genetic", "parameters": { "steps": 1_000_000_000_000u64 } });
    let started = studio.post("/api/runs", json!({ "kind": "single", "method": endless }));
    let id = started["runs"][0]["id"].as_u64().unwrap();
    let is_searching = |runs: &Value| {
        let run = runs["runs"].as_array().unwrap().iter().find(|run| run["id"] == id);
        run.is_some_and(|run| run["stage"] == "search")
    };
    until(&studio, "/api/runs", is_searching);
    for turn in 0..5 {
        let requests = [
            ("GET", "/api/state", None),
            ("GET", "/api/rows?count=50", None),
            ("POST", "/api/risk", Some(json!({}))),
            ("GET", "/api/hierarchies", None),
            ("PATCH", "/api/job", Some(json!({ "k": 3 + turn }))),
        ];
        for (method, path, body) in requests {
            let start = Instant::now();
            studio.fine(method, path, body);
            // Far more than an answer takes, for the other tests that run at the same time.
            assert!(start.elapsed() < Duration::from_secs(3), "{path}: {:?}", start.elapsed());
        }
    }
    assert!(is_searching(&studio.get("/api/runs")), "the run ended before its time");
    studio.fine("DELETE", &format!("/api/runs/{id}"), None);
    assert_eq!(studio.wait(id)["state"], "cancelled");
}
