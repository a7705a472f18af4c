//! What a steward does: open, decide, grow, correct, run, compare, export, and go on later.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::client::Studio;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::{self, Job};
use hedgerow::progress::Silent;
use hedgerow::risk::{Depth, Request, assess};
use hedgerow::table::Columns;
use hedgerow_studio::Limits;
use serde_json::{Value, json};

fn run(studio: &Studio, request: Value) -> Value {
    let started = studio.post("/api/runs", request);
    studio.wait(started["runs"][0]["id"].as_u64().unwrap())
}

#[test]
fn roles_are_suggested_but_undecided() {
    let studio = Studio::start();
    let table = studio.post("/api/table", json!({ "path": "patients.csv" }));
    assert_eq!(table["rows"], 400);
    let birth = table["columns"].as_array().unwrap().iter().find(|c| c["name"] == "birth").unwrap();
    assert_eq!(
        (birth["kind"].as_str(), birth["suggested"].as_str()),
        (Some("date"), Some("quasi"))
    );
    let counted: u64 = birth["histogram"]["bins"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bin| bin["count"].as_u64().unwrap())
        .sum();
    assert_eq!(counted + birth["histogram"]["others"].as_u64().unwrap(), 400);
    let state = studio.get("/api/state");
    assert_eq!(state["job"]["roles"]["birth"], "undecided");
    let refused = studio.send("POST", "/api/runs", Some(&json!({ "kind": "single" })));
    let id = refused.json()["runs"][0]["id"].as_u64().unwrap();
    assert_eq!(studio.wait(id)["state"], "failed");
}

/// The figures of the page are those of the library.
#[test]
fn the_risk_is_that_of_the_library() {
    let studio = Studio::decided(3);
    let found = studio.post("/api/risk", json!({}));
    let path = studio.path("patients.csv");
    let source = Source::open(&path, None).unwrap();
    let columns = Columns::quasi(&["birth", "sex", "zip", "job"]).and_beside(&["diagnosis"]);
    let table = source.read(&columns, &ReadOptions::default(), &Silent).unwrap();
    let assessed = assess(&Request::new(&table).depth(Depth::Columns)).unwrap();
    let all = &assessed.original.all;
    assert_eq!(found["alone"], all.alone);
    assert_eq!((found["n"].as_u64(), found["classes"].as_u64()), (Some(all.n), Some(all.classes)));
    let spread = all.of("prosecutor").unwrap().spread.as_ref().unwrap();
    assert!((found["average_risk"].as_f64().unwrap() - spread.average).abs() < 1e-9);
    let contribution = assessed.contribution.unwrap();
    for change in &contribution.without {
        let of = found["without"].as_array().unwrap().iter().find(|c| c["column"] == change.column);
        assert_eq!(of.unwrap()["alone"], change.alone, "{}", change.column);
    }
    for change in &contribution.added {
        let of = found["added"].as_array().unwrap().iter().find(|c| c["column"] == change.column);
        assert_eq!(of.unwrap()["alone"], change.alone, "{}", change.column);
    }
    // A sensitive column without a model is said.
    let kinds: Vec<&str> = found["notes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|note| note["kind"].as_str())
        .collect();
    assert!(kinds.contains(&"sensitive-without-model"), "{kinds:?}");
    // Trying other roles stores nothing.
    let tried = studio.post("/api/risk", json!({ "roles": { "job": "keep" } }));
    assert!(tried["alone"].as_u64() <= found["alone"].as_u64());
    assert_eq!(studio.get("/api/state")["job"]["roles"]["job"], "quasi");
}

#[test]
fn people_with_several_records_count_once() {
    let studio = Studio::start();
    let rows = "who,age,sex\na,30,f\na,31,f\nb,30,f\nc,30,f\nd,50,m\nd,50,m\n";
    std::fs::write(studio.path("visits.csv"), rows).unwrap();
    studio.post("/api/table", json!({ "path": "visits.csv" }));
    let roles = json!({ "who": "person", "age": "quasi", "sex": "quasi" });
    let found = studio.post("/api/risk", json!({ "roles": roles }));
    // a is alone with 31, d with 50 although there are two records.
    assert_eq!(
        (found["unit"].as_str(), found["n"].as_u64(), found["alone"].as_u64()),
        (Some("people"), Some(4), Some(2))
    );
}

#[test]
fn rows_have_the_sizes_of_their_classes() {
    let studio = Studio::decided(3);
    let risk = studio.post("/api/risk", json!({ "columns": false }));
    let alone = studio.get("/api/rows?alone=true&count=500");
    assert_eq!(alone["total"], risk["alone"]);
    assert!(alone["rows"].as_array().unwrap().iter().all(|row| row["shared_by"] == 1));
    let page = studio.get("/api/rows?from=398&count=5");
    assert_eq!((page["rows"].as_array().unwrap().len(), page["next"].is_null()), (2, true));
}

#[test]
fn closing_and_opening_goes_on_where_one_was() {
    let studio = Studio::decided(4);
    studio.post("/api/hierarchies", Value::Null);
    let chosen = studio.get("/api/hierarchies")["columns"][0]["chosen"].clone();
    assert!(chosen.is_string());
    let text = std::fs::read_to_string(studio.path("patients.job.toml")).unwrap();
    assert!(text.contains("k = 4") && text.contains("[hierarchy]"), "{text}");
    let again = studio.post("/api/table", json!({ "path": "patients.csv" }));
    assert_eq!(again["rows"], 400);
    let state = studio.get("/api/state");
    assert_eq!(
        (state["job"]["k"].as_u64(), state["job"]["roles"]["zip"].as_str()),
        (Some(4), Some("quasi"))
    );
    assert_eq!(studio.get("/api/hierarchies")["columns"][0]["chosen"], chosen);
    // A job that was written by hand opens too.
    let by_hand = "input = 'patients.csv'\nquasi = ['sex']\nkeep-others = true\nk = 7\n";
    std::fs::write(studio.path("hand.toml"), by_hand).unwrap();
    studio.post("/api/table", json!({ "path": "hand.toml" }));
    let state = studio.get("/api/state");
    assert_eq!(
        (state["job"]["k"].as_u64(), state["job"]["roles"]["zip"].as_str()),
        (Some(7), Some("keep"))
    );
}

#[test]
fn a_broken_job_is_shown_with_its_line_and_can_be_corrected() {
    let studio = Studio::start();
    let broken = "input = 'patients.csv'\nquasi = ['sex']\nk = 0\n";
    std::fs::write(studio.path("bad.toml"), broken).unwrap();
    let reply = studio.send("POST", "/api/table", Some(&json!({ "path": "bad.toml" })));
    assert_eq!((reply.status, reply.json()["error"]["line"].as_u64()), (422, Some(3)));
    let shown = studio.get("/api/job/text");
    assert_eq!((shown["toml"].as_str(), shown["path"].as_str()), (Some(broken), Some("bad.toml")));
    let fixed = broken.replace("k = 0", "k = 2");
    studio.fine("PUT", "/api/job/text", Some(json!({ "toml": fixed })));
    let state = studio.get("/api/state");
    assert!(state["job_problem"].is_null());
    assert_eq!(
        (state["job"]["k"].as_u64(), state["job"]["path"].as_str()),
        (Some(2), Some("bad.toml"))
    );
}

#[test]
fn candidates_are_grown_opened_and_saved_in_any_format() {
    let studio = Studio::decided(3);
    for method in ["frequency", "prefix"] {
        let grown =
            studio.post("/api/hierarchies/job", json!({ "action": "grow", "method": method }));
        let found =
            grown["candidates"].as_array().unwrap().iter().find(|c| c["id"] == method).unwrap();
        assert!(found["loss"].is_number() && found["nodes"].as_u64() > Some(1), "{found}");
    }
    for format in studio.get("/api/methods")["format"].as_array().unwrap() {
        let name = format["name"].as_str().unwrap();
        let save = json!({ "path": format!("trees/{name}.tree"), "format": name });
        let written = studio.post("/api/hierarchies/job/frequency/save", save);
        assert!(written["bytes"].as_u64() > Some(0), "{name}");
    }
    // A second yes is needed to replace a file.
    let save = json!({ "path": "trees/job.csv" });
    studio.post("/api/hierarchies/job/frequency/save", save.clone());
    let again = studio.send("POST", "/api/hierarchies/job/frequency/save", Some(&save));
    assert_eq!(
        (again.status, again.json()["error"]["existing"][0].as_str()),
        (409, Some("trees/job.csv"))
    );
    let opened = json!({ "action": "open", "path": "trees/job.csv" });
    let opened = studio.post("/api/hierarchies/job", opened);
    let by_hand =
        opened["candidates"].as_array().unwrap().iter().find(|c| c["file"] == "trees/job.csv");
    assert!(by_hand.is_some_and(|found| found["problem"].is_null()), "{opened}");
    // A file that lacks values is refused with the first of them.
    std::fs::write(studio.path("few.csv"), "nurse;*\n").unwrap();
    let reply = studio.send(
        "POST",
        "/api/hierarchies/job",
        Some(&json!({ "action": "open", "path": "few.csv" })),
    );
    assert_eq!(reply.status, 422);
    assert!(reply.message().contains("is missing from its hierarchy"), "{}", reply.message());
}

#[test]
fn trees_are_flat_arrays() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies/birth", json!({ "action": "grow", "method": "calendar" }));
    let tree = studio.get("/api/hierarchies/birth/calendar");
    let arrays = &tree["arrays"];
    let n = arrays["node"].as_array().unwrap().len();
    assert_eq!(n as u64, tree["total"].as_u64().unwrap());
    for name in ["parent", "depth", "start", "end", "label", "count", "low", "high"] {
        assert_eq!(arrays[name].as_array().unwrap().len(), n, "{name}");
    }
    assert_eq!((arrays["parent"][0].as_i64(), arrays["count"][0].as_u64()), (Some(-1), Some(400)));
    let sum: u64 =
        tree["leaf_counts"].as_array().unwrap().iter().map(|c| c.as_u64().unwrap()).sum();
    assert_eq!(sum, 400);
    assert_eq!(tree["levels"][0]["smallest"], 400);
    // Only what is at least a pixel wide, and only below a node.
    let small = studio.get("/api/hierarchies/birth/calendar?px=20");
    assert!(small["arrays"]["node"].as_array().unwrap().len() < n);
    let child = arrays["node"][1].as_u64().unwrap();
    let part = studio.get(&format!("/api/hierarchies/birth/calendar?root={child}"));
    assert_eq!(part["arrays"]["node"][0], child);
    assert_eq!(studio.send("GET", "/api/hierarchies/birth/calendar?root=99999", None).status, 404);
}

/// Time must not grow with the square of the number of values: it did, and took a minute.
#[test]
fn a_tree_of_a_hundred_thousand_nodes_is_read_in_seconds() {
    let studio = Studio::start();
    let rows: String = (0..50_000).map(|n| format!("{n},{}\n", n % 3)).collect();
    std::fs::write(studio.path("many.csv"), format!("n,x\n{rows}")).unwrap();
    studio.post("/api/table", json!({ "path": "many.csv" }));
    studio.fine("PATCH", "/api/job", Some(json!({ "roles": { "n": "quasi", "x": "keep" } })));
    let grow = json!({ "action": "grow", "method": "equal-frequency" });
    let start = Instant::now();
    studio.post("/api/hierarchies/n", grow);
    let tree = studio.get("/api/hierarchies/n/equal-frequency");
    assert!(tree["total"].as_u64().unwrap() > 90_000);
    assert_eq!(tree["leaf_counts"].as_array().unwrap().len(), 50_000);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn edits_are_previewed_applied_undone_and_kept() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies/job", json!({ "action": "grow", "method": "frequency" }));
    studio.fine("PUT", "/api/hierarchies/job", Some(json!({ "candidate": "frequency" })));
    let at = "/api/hierarchies/job/frequency";
    let tree = studio.get(at);
    let labels = tree["arrays"]["label"].clone();
    let inner = (1..labels.as_array().unwrap().len())
        .find(|&n| {
            tree["arrays"]["end"][n].as_u64().unwrap()
                - tree["arrays"]["start"][n].as_u64().unwrap()
                > 1
        })
        .unwrap();
    let rename =
        json!({ "version": 0, "operation": { "op": "rename", "node": inner, "label": "carers" } });
    let preview = studio.post(&format!("{at}/edits/preview"), rename.clone());
    assert_eq!(preview["now"]["nodes"], preview["then"]["nodes"]);
    assert_eq!(studio.get(at)["arrays"]["label"], labels, "a preview changes nothing");
    let edited = studio.post(&format!("{at}/edits"), rename.clone());
    assert_eq!(edited["history"]["done"].as_array().unwrap().len(), 1);
    assert!(studio.get(at)["arrays"]["label"].as_array().unwrap().contains(&json!("carers")));
    // Another tab that still has the first version is told so.
    assert_eq!(studio.send("POST", &format!("{at}/edits"), Some(&rename)).status, 409);
    let bad = json!({ "version": 1, "operation": { "op": "merge", "nodes": [0] } });
    let reply = studio.send("POST", &format!("{at}/edits"), Some(&bad));
    assert_eq!(reply.status, 422, "{}", reply.message());
    studio.post(&format!("{at}/edits/undo"), Value::Null);
    assert_eq!(studio.get(at)["arrays"]["label"], labels);
    studio.post(&format!("{at}/edits/redo"), Value::Null);
    assert_eq!(studio.send("POST", &format!("{at}/edits/redo"), None).status, 409);
    // The edits are there after a restart, and can still be undone.
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    let column = studio.get("/api/hierarchies/job");
    assert_eq!(
        (column["chosen"].as_str(), column["candidates"][0]["edits"].as_u64()),
        (Some("frequency"), Some(1))
    );
    assert!(studio.get(at)["arrays"]["label"].as_array().unwrap().contains(&json!("carers")));
    studio.post(&format!("{at}/edits/undo"), Value::Null);
    assert_eq!(studio.get(at)["arrays"]["label"], labels);
}

/// The exported job, run by the library as the binary does, gives the same bytes.
#[test]
fn an_export_is_what_the_command_gives() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies", Value::Null);
    let done = run(&studio, json!({ "kind": "single", "method": { "name": "mondrian" } }));
    assert_eq!(done["state"], "done", "{done}");
    let export = json!({ "run": done["id"], "release": "out/release.csv", "report": "out/report.html",
        "report_public": "out/public.html", "recipe": "out/rules.json", "hierarchies": "out/trees",
        "job": "out/release.job.toml" });
    let exported = studio.post("/api/export", export.clone());
    assert!(
        exported["command"]
            .as_str()
            .unwrap()
            .starts_with("hedgerow anonymize --job out/release.job.toml")
    );
    let names = ["release.csv", "report.html", "public.html", "rules.json"];
    let read = || names.map(|name| std::fs::read(studio.path("out").join(name)).unwrap());
    let first = read();
    // As the command line reads it: paths relative to the job file, reports by flags.
    let job = Job::from_file(&studio.path("out/release.job.toml")).unwrap();
    let out = |name: &str| Some(studio.path("out").join(name));
    let job = Job {
        force: true,
        report: out("report.html"),
        report_public: out("public.html"),
        recipe: out("rules.json"),
        ..job
    };
    job::run(&job, &Silent).unwrap();
    let second = read();
    assert!(first[0] == second[0], "the release differs");
    assert!(first[3] == second[3], "the recipe differs");
    // A second yes is needed to replace files.
    let again = studio.send("POST", "/api/export", Some(&export));
    assert_eq!(again.status, 409);
    assert_eq!(again.json()["error"]["existing"].as_array().unwrap().len(), 6);
    let mut yes = export;
    yes["overwrite"] = json!(true);
    studio.post("/api/export", yes);
}

/// The level that is chosen in the list of levels is a limit of the job, of its run and its export.
#[test]
fn a_limit_by_level_is_kept_by_the_job_and_its_export() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies/zip", json!({ "action": "grow", "method": "prefix" }));
    studio.fine("PUT", "/api/hierarchies/zip", Some(json!({ "candidate": "prefix" })));
    let height = studio.get("/api/hierarchies/zip/prefix")["height"].as_u64().unwrap();
    let release = |name: &str| {
        let done = run(&studio, json!({ "kind": "single", "method": { "name": "mondrian" } }));
        assert_eq!(done["state"], "done", "{done}");
        let job = format!("{name}.job.toml");
        studio.post("/api/export", json!({ "run": done["id"], "release": name, "job": job }));
        std::fs::read(studio.path(name)).unwrap()
    };
    let free = release("free.csv");
    // One below the root.
    let level = format!("level:{}", height - 1);
    studio.fine("PATCH", "/api/job", Some(json!({ "limit": { "zip": [level] } })));
    let limited = release("limited.csv");
    assert_ne!(free, limited);
    let job = Job::from_file(&studio.path("limited.csv.job.toml")).unwrap();
    assert_eq!(job.limit["zip"], std::slice::from_ref(&level));
    job::run(&Job { force: true, ..job }, &Silent).unwrap();
    assert!(std::fs::read(studio.path("limited.csv")).unwrap() == limited, "the release differs");
    let limit = || studio.get("/api/state")["job"]["limit"].clone();
    // A job that is opened again makes the same choice.
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    studio.get("/api/hierarchies");
    assert_eq!(limit(), json!({ "zip": [level] }));
    // Another hierarchy has other levels.
    studio.post("/api/hierarchies/zip", json!({ "action": "grow", "method": "frequency" }));
    assert_eq!(limit(), json!({ "zip": [level] }));
    studio.fine("PUT", "/api/hierarchies/zip", Some(json!({ "candidate": "frequency" })));
    assert_eq!(limit(), json!({}));
}

#[test]
fn a_hierarchy_that_is_forgotten_takes_its_levels_along() {
    let studio = Studio::decided(3);
    for method in ["prefix", "frequency"] {
        studio.post("/api/hierarchies/zip", json!({ "action": "grow", "method": method }));
    }
    studio.fine("PUT", "/api/hierarchies/zip", Some(json!({ "candidate": "prefix" })));
    let limit = json!({ "limit": { "zip": ["level:1", "04"] } });
    studio.fine("PATCH", "/api/job", Some(limit));
    studio.fine("DELETE", "/api/hierarchies/zip/frequency", None);
    studio.post("/api/hierarchies/zip", json!({ "action": "grow", "method": "frequency" }));
    let job = || studio.get("/api/state")["job"].clone();
    assert_eq!(job()["limit"], json!({ "zip": ["level:1", "04"] }));
    studio.fine("DELETE", "/api/hierarchies/zip/prefix", None);
    assert_eq!(job()["hierarchy"]["zip"], "frequency");
    assert_eq!(job()["limit"], json!({ "zip": ["04"] }));
}

#[test]
fn runs_are_queued_and_cancelled() {
    let studio = Studio::start();
    // A table on which the exhaustive search takes long.
    let mut rows = String::from("a,b,c,d,e,f\n");
    for n in 0..20_000u64 {
        let digit = |by: u64| (n.wrapping_mul(2_654_435_761) / by) % 97;
        let _ = writeln!(
            rows,
            "{},{},{},{},{},{}",
            digit(1),
            digit(89),
            digit(7919),
            digit(104_729),
            digit(3),
            digit(31)
        );
    }
    std::fs::write(studio.path("wide.csv"), rows).unwrap();
    studio.post("/api/table", json!({ "path": "wide.csv" }));
    let roles: Value = ["a", "b", "c", "d", "e", "f"]
        .iter()
        .map(|name| ((*name).to_owned(), json!("quasi")))
        .collect::<serde_json::Map<_, _>>()
        .into();
    studio.fine("PATCH", "/api/job", Some(json!({ "roles": roles, "k": 10 })));
    let first =
        studio.post("/api/runs", json!({ "kind": "single", "method": { "name": "k-member" } }));
    let second =
        studio.post("/api/runs", json!({ "kind": "single", "method": { "name": "mondrian" } }));
    let (first, second) =
        (first["runs"][0]["id"].as_u64().unwrap(), second["runs"][0]["id"].as_u64().unwrap());
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    studio.fine("DELETE", &format!("/api/runs/{first}"), None);
    let cancelled = studio.wait(first);
    assert_eq!(cancelled["state"], "cancelled", "{cancelled}");
    // A second, and what other tests take of the processor meanwhile.
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    studio.fine("DELETE", &format!("/api/runs/{second}"), None);
    assert_ne!(studio.wait(second)["state"], "queued");
}

#[test]
fn an_unreachable_goal_says_what_can_be_reached() {
    let studio = Studio::decided(401);
    let run = run(&studio, json!({ "kind": "single", "method": { "name": "mondrian" } }));
    assert_eq!(run["state"], "failed");
    let error = &run["error"]["error"];
    assert_eq!(error["kind"], "unreachable", "{error}");
    assert!(error["message"].as_str().unwrap().contains("400"), "{error}");
}

#[test]
fn a_changed_input_is_noticed_and_read_again() {
    let studio = Studio::decided(3);
    assert_eq!(studio.get("/api/state")["table"]["stale"], false);
    let mut text = std::fs::read_to_string(studio.path("patients.csv")).unwrap();
    text.push_str("Eve Doe,1950-01-01,F,04230,nurse,flu\n");
    std::fs::write(studio.path("patients.csv"), text).unwrap();
    let noticed = (0..60).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        studio.get("/api/state")["table"]["stale"] == true
    });
    assert!(noticed);
    assert_eq!(studio.post("/api/table/reload", Value::Null)["rows"], 401);
    let state = studio.get("/api/state");
    assert_eq!(
        (state["table"]["stale"].as_bool(), state["job"]["roles"]["zip"].as_str()),
        (Some(false), Some("quasi"))
    );
}

#[test]
fn the_file_that_it_was_started_with_is_opened() {
    let studio = Studio::with(Limits::default(), Some("patients.csv"));
    let is_open = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        studio.get("/api/state")["table"]["rows"] == 400
    });
    assert!(is_open);
}
