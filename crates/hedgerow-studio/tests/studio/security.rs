//! The points of security on loopback, each against the running server.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::client::{Reply, Studio, raw, read, upload};
use hedgerow_studio::Limits;
use serde_json::{Value, json};

/// Sends a request with these headers and nothing else.
fn with(studio: &Studio, line: &str, headers: &[(&str, &str)]) -> Reply {
    let headers: String =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    raw(studio.address, format!("{line} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").as_bytes())
}

#[test]
fn it_listens_on_loopback_only() {
    let studio = Studio::start();
    assert!(studio.address.ip().is_loopback());
    assert_eq!(studio.token.len(), 32);
    assert!(studio.token.chars().all(|c| c.is_ascii_hexdigit()));
    assert_ne!(studio.token, Studio::start().token);
}

#[test]
fn a_wrong_host_is_refused_before_everything_else() {
    let studio = Studio::start();
    let own = studio.address.to_string();
    let port = studio.address.port();
    let rebound = format!("evil.example:{port}");
    let other = format!("127.0.0.1:{}", port.wrapping_add(1));
    let token = studio.token.as_str();
    for host in [rebound.as_str(), other.as_str(), "127.0.0.1", "localhost", "", "[::1]"] {
        for line in ["GET /", "GET /api/state", "POST /api/table", "OPTIONS /api/state", "PUT /x"] {
            // Even with the token and an Origin that equals the Host, as after DNS rebinding.
            let origin = format!("http://{host}");
            let headers =
                [("Host", host), ("Origin", origin.as_str()), ("X-Hedgerow-Token", token)];
            assert_eq!(with(&studio, line, &headers).status, 421, "{line} {host}");
        }
    }
    let twice = [("Host", own.as_str()), ("Host", rebound.as_str()), ("X-Hedgerow-Token", token)];
    assert!([400, 421].contains(&with(&studio, "GET /api/state", &twice).status));
    let whole = format!("GET http://{rebound}/api/state");
    let headers = [("Host", own.as_str()), ("X-Hedgerow-Token", token)];
    assert!([400, 421].contains(&with(&studio, &whole, &headers).status));
    let old = format!("GET /api/state HTTP/1.0\r\nX-Hedgerow-Token: {token}\r\n\r\n");
    assert_eq!(raw(studio.address, old.as_bytes()).status, 421);
    let named = format!("localhost:{port}");
    let headers = [("Host", named.as_str()), ("X-Hedgerow-Token", token)];
    assert_eq!(with(&studio, "GET /api/state", &headers).status, 200);
}

#[test]
fn other_sites_are_refused() {
    let studio = Studio::start();
    let own = studio.address.to_string();
    let token = studio.token.as_str();
    let ask = |name: &str, value: &str| {
        let headers = [("Host", own.as_str()), ("X-Hedgerow-Token", token), (name, value)];
        with(&studio, "GET /api/state", &headers).status
    };
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1"] {
        assert_eq!(ask("Origin", origin), 403, "{origin}");
    }
    assert_eq!(ask("Origin", &format!("http://{own}")), 200);
    for site in ["cross-site", "same-site", "unknown"] {
        assert_eq!(ask("Sec-Fetch-Site", site), 403, "{site}");
    }
    assert_eq!(ask("Sec-Fetch-Site", "same-origin"), 200);
    // Without CORS headers a browser does not show answers to other sites either.
    let headers = [("Host", own.as_str()), ("X-Hedgerow-Token", token)];
    let reply = with(&studio, "GET /api/state", &headers);
    assert!(reply.header("access-control-allow-origin").is_none());
    assert!(reply.header("set-cookie").is_none());
}

#[test]
fn the_token_is_needed_for_every_endpoint() {
    let studio = Studio::start();
    let own = studio.address.to_string();
    let half = studio.token[..16].to_owned();
    let longer = format!("{}0", studio.token);
    for (method, path) in hedgerow_studio::routes() {
        let line = format!("{} {}", method.to_uppercase(), path.replace(['{', '}'], ""));
        let none = with(&studio, &line, &[("Host", &own)]);
        assert_eq!(none.status, 401, "{line}");
        assert_eq!(none.json()["error"]["kind"], "token");
        for wrong in [half.as_str(), longer.as_str(), "", "0"] {
            let headers = [("Host", own.as_str()), ("X-Hedgerow-Token", wrong)];
            assert_eq!(with(&studio, &line, &headers).status, 401, "{line} {wrong}");
        }
    }
    // Nor does it count in an address or a cookie.
    let line = format!("GET /api/state?token={}", studio.token);
    let cookie = format!("token={}", studio.token);
    assert_eq!(with(&studio, &line, &[("Host", &own), ("Cookie", &cookie)]).status, 401);
    // The page itself has no secrets.
    assert_eq!(with(&studio, "GET /", &[("Host", &own)]).status, 200);
}

#[test]
fn every_answer_has_the_headers() {
    let studio = Studio::start();
    let own = studio.address.to_string();
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                  connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let bad = with(&studio, "GET /api/state", &[("Host", "evil.example")]);
    let page = with(&studio, "GET /", &[("Host", &own)]);
    let deep = with(&studio, "GET /hierarchies/age/least-loss?node=3", &[("Host", &own)]);
    let none = with(&studio, "GET /none.js", &[("Host", &own)]);
    let state = studio.send("GET", "/api/state", None);
    for reply in [&bad, &page, &deep, &none, &state] {
        assert_eq!(reply.header("content-security-policy"), Some(policy));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
    }
    assert_eq!(state.header("cache-control"), Some("no-store"));
    assert_eq!(bad.header("cache-control"), Some("no-store"));
    assert_eq!((page.status, deep.status, none.status), (200, 200, 404));
    assert_eq!(page.body, deep.body);
    // They are compressed, unless the client does not accept that.
    assert_eq!(page.header("content-encoding"), Some("gzip"));
    let plain = with(&studio, "GET /", &[("Host", &own), ("Accept-Encoding", "identity")]);
    assert_eq!(plain.header("content-encoding"), None);
    assert!(plain.body.starts_with(b"<!doctype html>"));
    // Assets are asked again with their tag.
    let tag = page.header("etag").unwrap();
    let again = with(&studio, "GET /", &[("Host", &own), ("If-None-Match", tag)]);
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn paths_do_not_leave_the_folder() {
    let studio = Studio::start();
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("secret.csv"), "a,b\n1,2\n3,4\n").unwrap();
    let outside = other.path().join("secret.csv").display().to_string();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(other.path(), studio.path("out")).unwrap();
        std::os::unix::fs::symlink(&outside, studio.path("link.csv")).unwrap();
    }
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    let paths = [
        "../secret.csv",
        "/etc/passwd",
        outside.as_str(),
        "out/secret.csv",
        "link.csv",
        "./../secret.csv",
        "sub/../../x",
        "..",
        "~/x",
        "a\u{0}b",
        "%2e%2e/x",
    ];
    let is_refused = |method: &str, path: &str, body: Value| {
        let reply = studio.send(method, path, Some(&body));
        assert!((400..500).contains(&reply.status), "{method} {path} {body}: {}", reply.status);
        let text = String::from_utf8_lossy(&reply.body);
        assert!(!text.contains("root:"), "{text}");
    };
    for path in paths {
        is_refused("POST", "/api/table", json!({ "path": path }));
        let open = json!({ "action": "open", "path": path });
        is_refused("POST", "/api/hierarchies/job", open);
        let file = json!({ "action": "grow", "method": "file", "parameters": { "path": path } });
        is_refused("POST", "/api/hierarchies/job", file);
        let senses =
            json!({ "action": "grow", "method": "wordnet", "parameters": { "senses": path } });
        is_refused("POST", "/api/hierarchies/job", senses);
        let job = format!("input = {}\nquasi = []\n", Value::from(path));
        is_refused("PUT", "/api/job/text", json!({ "toml": job }));
        let population = json!({ "others": { "population": path } });
        is_refused("PATCH", "/api/job", population);
        let written = Value::from(path);
        let spec = |start: &str| Value::from(format!("{start}={path}"));
        for option in [
            format!("hierarchy = {{ job = {} }}", spec("file:path")),
            format!("hierarchy = {{ job = {} }}", spec("wordnet:senses")),
            format!("edits = {{ job = {written} }}"),
            format!("knowledge = [{written}]"),
            format!("population = {written}"),
            format!("sensitive = [\"diagnosis\"]\nprivacy = [{}]", spec("l-plus:file")),
        ] {
            // Without its feature the method is unknown, and so are its files.
            if !cfg!(feature = "wordnet") && option.contains("wordnet") {
                continue;
            }
            let job = format!("input = \"patients.csv\"\nquasi = [\"job\"]\nk = 2\n{option}\n");
            is_refused("PUT", "/api/job/text", json!({ "toml": job }));
        }
    }
    // Outputs too: nothing is written outside, not even through a link.
    let grown =
        studio.post("/api/hierarchies/job", json!({ "action": "grow", "method": "frequency" }));
    assert!(grown["candidates"].as_array().is_some_and(|all| !all.is_empty()));
    for path in ["../x.csv", "/tmp/hedgerow-test-x.csv", "out/x.csv", "link.csv", "sub/../../x.csv"]
    {
        let save = json!({ "path": path, "format": "arx", "overwrite": true });
        is_refused("POST", "/api/hierarchies/job/frequency/save", save);
        let method =
            json!({ "op": "regrow", "node": 1, "method": "file", "parameters": { "path": path } });
        let regrow = json!({ "version": 0, "operation": method });
        for at in ["edits", "edits/preview"] {
            is_refused("POST", &format!("/api/hierarchies/job/frequency/{at}"), regrow.clone());
        }
    }
    let roles = json!({ "name": "drop", "birth": "quasi", "sex": "quasi", "zip": "keep", "job": "keep", "diagnosis": "keep" });
    studio.fine("PATCH", "/api/job", Some(json!({ "roles": roles })));
    let single = json!({ "kind": "single", "method": { "name": "mondrian" } });
    let id = studio.post("/api/runs", single)["runs"][0]["id"].as_u64().unwrap();
    assert_eq!(studio.wait(id)["state"], "done");
    for path in ["../x.csv", "/tmp/hedgerow-test-x.csv", "out/x.csv", "link.csv", "sub/../../x.csv"]
    {
        for part in ["release", "report", "report_public", "recipe", "hierarchies", "job"] {
            let mut export = json!({ "run": id, "release": "fine.csv", "overwrite": true });
            export[part] = json!(path);
            is_refused("POST", "/api/export", export);
        }
    }
    assert!(!studio.path("fine.csv").exists());
    assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 1);
    // Folders are listed below the start folder only.
    for folder in ["..", "out", "/etc"] {
        let reply = studio.send("GET", &format!("/api/files?folder={folder}"), None);
        assert!((400..500).contains(&reply.status), "{folder}: {}", reply.status);
    }
    // Assets are a table in the binary.
    let own = studio.address.to_string();
    for path in ["/../Cargo.toml", "/..%2fCargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"] {
        assert_ne!(with(&studio, &format!("GET {path}"), &[("Host", &own)]).status, 200, "{path}");
    }
}

#[test]
fn large_requests_are_refused() {
    let limits = Limits { body: 1000, upload: 2000, ..Limits::default() };
    let studio = Studio::with(limits, None);
    let large = json!({ "path": "x".repeat(2000) });
    let reply = studio.send("POST", "/api/table", Some(&large));
    assert_eq!((reply.status, reply.json()["error"]["kind"].as_str()), (413, Some("limit")));
    let reply = upload(&studio, "big.csv", &"a,b\n1,2\n".repeat(1000));
    assert_eq!(reply.status, 413);
    assert!(reply.message().contains("larger than 2000 bytes"), "{}", reply.message());
    let reply = upload(&studio, "small.csv", "a,b\n1,2\n3,4\n");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.json()["rows"], 2);
}

#[test]
fn slow_requests_are_given_up() {
    let pause = Duration::from_millis(200);
    let studio = Studio::with(Limits { pause, whole: pause, ..Limits::default() }, None);
    for path in ["/api/table/upload?name=slow.csv", "/api/table"] {
        let mut stream = TcpStream::connect(studio.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nX-Hedgerow-Token: {}\r\nContent-Length: 1000\r\n\
             Connection: close\r\n\r\na,b",
            studio.address, studio.token
        );
        stream.write_all(head.as_bytes()).unwrap();
        let start = Instant::now();
        assert_eq!(read(&mut stream).status, 408, "{path}");
        assert!(start.elapsed() < Duration::from_secs(5), "{path}");
    }
    // Also before there is a request at all: the connection is closed.
    for head in ["", "GET /api/state HTTP/1.1\r\nHost: 127"] {
        let mut stream = TcpStream::connect(studio.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let start = Instant::now();
        assert_eq!(read(&mut stream).status, 0, "{head}");
        assert!(start.elapsed() < Duration::from_secs(5), "{head}");
    }
}

/// Parts that arrive in time, but so few bytes that the upload would last for ever.
#[test]
fn an_upload_that_drips_is_given_up() {
    let pause = Duration::from_millis(400);
    let studio = Studio::with(Limits { pause, rate: 1000, ..Limits::default() }, None);
    let mut stream = TcpStream::connect(studio.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let head = format!(
        "POST /api/table/upload?name=slow.csv HTTP/1.1\r\nHost: {}\r\nX-Hedgerow-Token: {}\r\n\
         Content-Length: 1000000\r\nConnection: close\r\n\r\na,b\n",
        studio.address, studio.token
    );
    stream.write_all(head.as_bytes()).unwrap();
    let start = Instant::now();
    // Ends when the server has closed the connection.
    while stream.write_all(b"1,2\n").is_ok() && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let quick = upload(&studio, "quick.csv", "a,b\n1,2\n3,4\n");
    assert_eq!(quick.status, 200);
}

/// Every parameter in the path of an address, at every endpoint, with the others as they should be.
#[test]
fn parameters_of_addresses_do_not_leave_the_folder() {
    let studio = Studio::decided(3);
    studio.post("/api/hierarchies/job", json!({ "action": "grow", "method": "frequency" }));
    let single = json!({ "kind": "single", "method": { "name": "mondrian" } });
    let id = studio.post("/api/runs", single)["runs"][0]["id"].as_u64().unwrap();
    assert_eq!(studio.wait(id)["state"], "done");
    let id = id.to_string();
    let usual = [("column", "job"), ("candidate", "frequency"), ("run", &*id), ("class", "0")];
    let outside = [
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2fetc%2fpasswd",
        "..",
        "%2e%2e",
        "..%5c..%5cwindows",
        "job%00",
        "%252e%252e%252fjob",
    ];
    let mut n_asked = 0;
    for (method, path) in hedgerow_studio::routes() {
        for (name, _) in usual.iter().filter(|(name, _)| path.contains(&format!("{{{name}}}"))) {
            for part in outside {
                let address = usual.iter().fold(path.to_owned(), |path, (other, value)| {
                    let value = if other == name { part } else { value };
                    path.replace(&format!("{{{other}}}"), value)
                });
                let reply = studio.send(&method.to_uppercase(), &address, Some(&json!({})));
                assert!((400..500).contains(&reply.status), "{method} {address}: {}", reply.status);
                assert!(!String::from_utf8_lossy(&reply.body).contains("root:"), "{address}");
                n_asked += 1;
            }
        }
    }
    assert!(n_asked > 100, "{n_asked}");
}

/// Every endpoint gets bodies of wrong shapes and numbers at their limits.
#[test]
fn malformed_requests_are_refused_with_a_message() {
    let studio = Studio::start();
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    let bodies = [
        "",
        "{",
        "null",
        "[]",
        "\"x\"",
        "{\"k\": -1}",
        "{\"k\": 1e400}",
        "{\"k\": \"5\"}",
        "{\"path\": 3}",
        "{\"unknown\": true}",
        "{\"roles\": {\"none\": \"quasi\"}}",
        "{\"roles\": {\"job\": \"king\"}}",
        "{\"kind\": \"single\", \"k\": 0}",
        "{\"kind\": \"sweep\", \"ks\": [], \"methods\": []}",
        "{\"kind\": \"sweep\", \"ks\": [18446744073709551615], \"methods\": [\"none\"]}",
        "{\"action\": \"grow\", \"method\": \"none\"}",
        "{\"run\": 18446744073709551615}",
        "{\"senses\": {\"none\": [\"none.n.01\"]}}",
        "{\"suppress\": 2}",
        "\u{0}\u{1}",
    ];
    for (method, path) in hedgerow_studio::routes() {
        if path == "/api/events" || path == "/api/table/upload" || path == "/api/table/reload" {
            continue;
        }
        for part in ["job", "none", "18446744073709551616", "-1", "%ff", "%00", "%F0%9F%8C%B3"] {
            let path = ["{column}", "{candidate}", "{run}", "{class}"]
                .iter()
                .fold(path.to_owned(), |path, name| path.replace(name, part));
            for body in bodies.iter().take(if method == "get" { 1 } else { bodies.len() }) {
                let head = format!(
                    "{} {path} HTTP/1.1\r\nHost: {}\r\nX-Hedgerow-Token: {}\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n{body}",
                    method.to_uppercase(),
                    studio.address,
                    studio.token,
                    body.len()
                );
                let reply = raw(studio.address, head.as_bytes());
                assert!(
                    reply.status != 500 && reply.status != 0,
                    "{method} {path} {body}: {}",
                    reply.status
                );
                if reply.status != 200 {
                    assert!(!reply.message().is_empty(), "{method} {path} {body}");
                }
            }
            if !path.contains(part) {
                break;
            }
        }
    }
    for query in
        ["from=-1", "count=0", "count=501", "from=x", "alone=maybe", "from=99999999999999999999"]
    {
        assert_eq!(studio.send("GET", &format!("/api/rows?{query}"), None).status, 400, "{query}");
    }
    assert_eq!(studio.get("/api/state")["table"]["rows"], 400);
}

#[test]
fn many_requests_at_once_are_answered() {
    let studio = Studio::start();
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    let roles = json!({ "birth": "quasi", "sex": "quasi", "zip": "quasi" });
    let ask = |n: usize| match n % 4 {
        0 => studio.send("GET", "/api/state", None).status,
        1 => studio.send("POST", "/api/risk", Some(&json!({ "roles": roles }))).status,
        2 => studio.send("GET", "/api/rows?count=100", None).status,
        _ => studio.send("PATCH", "/api/job", Some(&json!({ "k": 2 + n % 5 }))).status,
    };
    let ask = &ask;
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..300).map(|n| scope.spawn(move || ask(n))).collect();
        for one in all {
            assert_eq!(one.join().unwrap(), 200);
        }
    });
}

#[test]
fn a_tab_that_vanishes_changes_nothing() {
    let studio = Studio::start();
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    let roles = json!({ "name": "drop", "birth": "quasi", "sex": "quasi", "zip": "quasi", "job": "keep", "diagnosis": "keep" });
    studio.fine("PATCH", "/api/job", Some(json!({ "roles": roles })));
    let head = format!(
        "GET /api/events HTTP/1.1\r\nHost: {}\r\nX-Hedgerow-Token: {}\r\n\r\n",
        studio.address, studio.token
    );
    let mut tab = TcpStream::connect(studio.address).unwrap();
    tab.write_all(head.as_bytes()).unwrap();
    let started =
        studio.post("/api/runs", json!({ "kind": "single", "method": { "name": "hedge" } }));
    drop(tab);
    let run = studio.wait(started["runs"][0]["id"].as_u64().unwrap());
    assert_eq!(run["state"], "done", "{run}");
}

#[test]
fn it_ends_within_a_second_and_leaves_nothing() {
    let studio = Studio::start();
    let reply = upload(&studio, "mine.csv", "age,sex\n30,f\n31,m\n32,f\n33,m\n");
    assert_eq!(reply.status, 200);
    let uploads = || {
        let entries = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
        let is_ours = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let has_file = std::fs::read_dir(path)
                .into_iter()
                .flatten()
                .flatten()
                .any(|inside| inside.path().join("mine.csv").exists());
            name.starts_with("hedgerow-") && has_file
        };
        entries.map(|entry| entry.path()).filter(is_ours).count()
    };
    assert_eq!(uploads(), 1);
    // A page that listens does not keep the server alive.
    let mut tab = TcpStream::connect(studio.address).unwrap();
    let head = format!(
        "GET /api/events HTTP/1.1\r\nHost: {}\r\nX-Hedgerow-Token: {}\r\n\r\n",
        studio.address, studio.token
    );
    tab.write_all(head.as_bytes()).unwrap();
    assert!(studio.end() < Duration::from_secs(1));
    assert_eq!(uploads(), 0);
}
