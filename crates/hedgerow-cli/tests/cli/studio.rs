//! `hedgerow studio`: its address, the exported job, a full disk, and Ctrl-C.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::Place;

const TABLE: &str = "age,sex,ill\n31,f,flu\n32,f,cold\n33,f,flu\n41,m,flu\n42,m,cold\n43,m,gout\n";

/// A studio that is ended with the test.
struct Studio {
    child: Child,
    host: String,
    token: String,
}

impl Studio {
    fn start(place: &Place) -> Self {
        Self::with(place, Stdio::null())
    }

    /// Starts a studio whose messages are kept.
    fn logged(place: &Place) -> Self {
        Self::with(place, Stdio::piped())
    }

    fn with(place: &Place, stderr: Stdio) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hedgerow"))
            .args(["studio", "t.csv", "--no-open"])
            .current_dir(place.folder.path())
            .env("TMPDIR", place.folder.path())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://").unwrap();
        let (host, token) = rest.split_once("/#token=").unwrap();
        let (host, token) = (host.to_owned(), token.to_owned());
        Self { child, host, token }
    }

    /// Sends a request and returns status and body.
    fn send(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, token, n) = (&self.host, &self.token, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nX-Hedgerow-Token: {token}\r\nContent-Length: {n}\r\n\
             Connection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    /// Asks until an answer contains a text.
    fn until(&self, path: &str, text: &str) -> String {
        for _ in 0..400 {
            let (_, body) = self.send("GET", path, "");
            if body.contains(text) {
                return body;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{path} never contained {text}");
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command that an export shows gives the same bytes, in the start folder.
#[test]
fn the_shown_command_gives_the_same_bytes() {
    let place = Place::new().with("t.csv", TABLE);
    let studio = Studio::start(&place);
    studio.until("/api/state", "\"rows\":6");
    let roles = r#"{"roles":{"age":"quasi","sex":"quasi","ill":"keep"},"k":3}"#;
    assert_eq!(studio.send("PATCH", "/api/job", roles).0, 200);
    let run = r#"{"kind":"single","method":{"name":"hedge"}}"#;
    assert_eq!(studio.send("POST", "/api/runs", run).0, 200);
    studio.until("/api/runs", "\"state\":\"done\"");
    let export =
        r#"{"run":1,"release":"r.csv","recipe":"r.json","report":"r.html","job":"r.toml"}"#;
    let (status, body) = studio.send("POST", "/api/export", export);
    assert_eq!(status, 200, "{body}");
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    let names = ["r.csv", "r.json", "r.html"];
    let first = names.map(|name| place.read(name));
    let command = body["command"].as_str().unwrap();
    let args = command.strip_prefix("hedgerow ").unwrap();
    let done = place.hedgerow(args);
    assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
    for (name, first) in names.iter().zip(first) {
        assert!(place.read(name) == first, "{name} differs");
    }
}

/// Also if the hierarchy was edited, and edited again after the run, and from another folder.
#[test]
fn the_shown_command_has_the_edits_of_the_run() {
    let place = Place::new().with("t.csv", TABLE);
    let studio = Studio::start(&place);
    studio.until("/api/state", "\"rows\":6");
    let roles = r#"{"roles":{"age":"quasi","sex":"quasi","ill":"keep"},"k":2}"#;
    assert_eq!(studio.send("PATCH", "/api/job", roles).0, 200);
    let fine = |method: &str, path: &str, body: &str| {
        let (status, body) = studio.send(method, path, body);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str::<serde_json::Value>(&body).unwrap()
    };
    fine("POST", "/api/hierarchies/age", r#"{"action":"grow","method":"equal-frequency"}"#);
    fine("PUT", "/api/hierarchies/age", r#"{"candidate":"equal-frequency"}"#);
    let at = "/api/hierarchies/age/equal-frequency/edits";
    fine("POST", at, r#"{"version":0,"operation":{"op":"rename","node":1,"label":"younger"}}"#);
    fine("POST", "/api/runs", r#"{"kind":"single","method":{"name":"mondrian"}}"#);
    studio.until("/api/runs", "\"state\":\"done\"");
    fine("POST", at, r#"{"version":1,"operation":{"op":"rename","node":1,"label":"others"}}"#);
    let export = r#"{"run":1,"release":"out/r.csv","recipe":"out/r.json","job":"out/r.toml"}"#;
    let exported = fine("POST", "/api/export", export);
    let names = ["out/r.csv", "out/r.json"];
    let first = names.map(|name| place.read(name));
    let command = exported["command"].as_str().unwrap();
    let done = place.hedgerow(command.strip_prefix("hedgerow ").unwrap());
    assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
    for (name, first) in names.iter().zip(first) {
        assert!(place.read(name) == first, "{name} differs");
    }
}

/// Values of the table are not written to where logs go, whatever is asked.
#[test]
fn values_are_not_logged() {
    let place = Place::new().with("t.csv", TABLE);
    let mut studio = Studio::logged(&place);
    studio.until("/api/state", "\"rows\":6");
    let roles = r#"{"roles":{"age":"quasi","sex":"quasi","ill":"sensitive"},"k":400}"#;
    assert_eq!(studio.send("PATCH", "/api/job", roles).0, 200);
    assert_eq!(studio.send("POST", "/api/search", r#"{"q":"gout"}"#).0, 200);
    assert_eq!(studio.send("GET", "/api/rows?count=5", "").0, 200);
    assert_eq!(studio.send("PATCH", "/api/job", r#"{"roles":{"gout":"quasi"}}"#).0, 422);
    assert_eq!(studio.send("GET", "/api/hierarchies/gout", "").0, 422);
    assert_eq!(studio.send("POST", "/api/runs", r#"{"kind":"single"}"#).0, 200);
    studio.until("/api/runs", "\"state\":\"failed\"");
    kill(Pid::from_raw(studio.child.id() as i32), Signal::SIGINT).unwrap();
    let mut log = String::new();
    studio.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("serving on this machine only"), "{log}");
    for value in ["gout", "flu", "cold", "41"] {
        assert!(!log.contains(value), "{log}");
    }
}

#[test]
fn ctrl_c_ends_it_within_a_second() {
    let place = Place::new().with("t.csv", TABLE);
    let mut studio = Studio::start(&place);
    studio.until("/api/state", "\"rows\":6");
    let start = Instant::now();
    kill(Pid::from_raw(studio.child.id() as i32), Signal::SIGINT).unwrap();
    let status = studio.child.wait().unwrap();
    assert!(status.success(), "{status}");
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert_eq!(place.files(), ["t.csv"]);
}

/// A table on which searches take long.
fn large() -> String {
    let mut table = String::from("a,b,c,d,e,f\n");
    for n in 0..20_000_u64 {
        let digit = |by: u64| (n.wrapping_mul(2_654_435_761) / by) % 97;
        let row = [1, 89, 7919, 104_729, 3, 31].map(|by| digit(by).to_string());
        table += &(row.join(",") + "\n");
    }
    table
}

/// Also in the middle of a run: its drafts are removed, and those of reports.
#[test]
fn ctrl_c_during_a_run_leaves_no_temporary_file() {
    let place = Place::new().with("t.csv", large());
    let mut studio = Studio::start(&place);
    studio.until("/api/state", "\"rows\":20000");
    let names = ["a", "b", "c", "d", "e", "f"].map(|name| format!("\"{name}\":\"quasi\""));
    let roles = format!(r#"{{"roles":{{{}}},"k":3}}"#, names.join(","));
    assert_eq!(studio.send("PATCH", "/api/job", &roles).0, 200);
    for run in [
        r#"{"kind":"single","method":{"name":"mondrian"}}"#,
        r#"{"kind":"single","method":{"name":"k-member"}}"#,
    ] {
        assert_eq!(studio.send("POST", "/api/runs", run).0, 200);
    }
    studio.until("/api/runs", "\"state\":\"done\"");
    studio.until("/api/runs", "searching for classes");
    // An attack and an export are in the middle of their work, and the answer is not waited for.
    assert_eq!(studio.send("POST", "/api/runs/1/attacks", "").0, 200);
    let export = r#"{"run":1,"release":"r.csv","report":"r.html","recipe":"r.json"}"#;
    let (host, token, n) = (&studio.host, &studio.token, export.len());
    let request = format!(
        "POST /api/export HTTP/1.1\r\nHost: {host}\r\nX-Hedgerow-Token: {token}\r\nContent-Length: {n}\r\n\r\n{export}"
    );
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(30));
    let start = Instant::now();
    kill(Pid::from_raw(studio.child.id() as i32), Signal::SIGINT).unwrap();
    studio.child.wait().unwrap();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    let whole = ["r.csv", "r.html", "r.json", "t.csv", "t.job.toml"];
    let left = place.files().into_iter().filter(|name| !whole.contains(&name.as_str()));
    assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new());
}

/// A limit on the size of files is what a full disk is to a program.
#[test]
fn a_full_disk_at_export_leaves_nothing_and_can_be_tried_again() {
    let rows: String = (0..3000).map(|n| format!("{},{},x{n}\n", n % 80, n % 2)).collect();
    let place = Place::new().with("t.csv", format!("age,sex,ill\n{rows}"));
    let studio = Studio::start(&place);
    studio.until("/api/state", "\"rows\":3000");
    let roles = r#"{"roles":{"age":"quasi","sex":"quasi","ill":"keep"},"k":3}"#;
    assert_eq!(studio.send("PATCH", "/api/job", roles).0, 200);
    let run = r#"{"kind":"single","method":{"name":"mondrian"}}"#;
    assert_eq!(studio.send("POST", "/api/runs", run).0, 200);
    studio.until("/api/runs", "\"state\":\"done\"");
    let before = place.files();
    let limit = |size: &str| {
        let pid = studio.child.id().to_string();
        let size = format!("--fsize={size}");
        let done = Command::new("prlimit").args(["--pid", &pid, &size]).status().unwrap();
        assert!(done.success(), "prlimit is a part of util-linux");
    };
    let export = r#"{"run":1,"release":"r.csv","report":"r.html","job":"r.toml"}"#;
    limit("4096:unlimited");
    let (status, body) = studio.send("POST", "/api/export", export);
    assert_eq!(status, 422, "{body}");
    assert!(body.contains("r.csv") || body.contains("written"), "{body}");
    assert_eq!(place.files(), before);
    // The studio goes on, and once there is space the same export works.
    limit("unlimited:unlimited");
    let (status, body) = studio.send("POST", "/api/export", export);
    assert_eq!(status, 200, "{body}");
    assert!(place.files().contains(&"r.csv".to_owned()));
}
