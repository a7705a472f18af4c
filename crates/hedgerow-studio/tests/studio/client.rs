//! A running studio and a small client, for tests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hedgerow_studio::{Limits, Options, Server};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A studio in a folder of its own.
pub(crate) struct Studio {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    pub(crate) folder: TempDir,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// An answer.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// The message of an error.
    pub(crate) fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap_or_default().to_owned()
    }
}

impl Studio {
    pub(crate) fn start() -> Self {
        Self::with(Limits::default(), None)
    }

    pub(crate) fn with(limits: Limits, open: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy("patients.csv", folder.path());
        Self::serve(folder, limits, open)
    }

    /// A studio with the patients and roles with which they can be published.
    pub(crate) fn decided(k: u64) -> Self {
        let studio = Self::start();
        studio.post("/api/table", json!({ "path": "patients.csv" }));
        let roles = json!({ "name": "identifier", "birth": "quasi", "sex": "quasi", "zip": "quasi",
            "job": "quasi", "diagnosis": "sensitive" });
        studio.fine("PATCH", "/api/job", Some(json!({ "roles": roles, "k": k })));
        studio
    }

    /// A studio in a folder that is there already.
    pub(crate) fn serve(folder: TempDir, limits: Limits, open: Option<&str>) -> Self {
        let options = Options {
            folder: folder.path().to_owned(),
            open: open.map(PathBuf::from),
            port: 0,
            assets: None,
            threads: 2,
            limits,
            verify: None,
        };
        let server = Server::bind(options).unwrap();
        let (address, token) = (server.address(), server.token().to_owned());
        let stop = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&stop);
        let thread =
            std::thread::spawn(move || server.run(|| ends.load(Ordering::Relaxed)).unwrap());
        Self { address, token, folder, stop, thread: Some(thread) }
    }

    /// Ends the server, and returns how long that took.
    pub(crate) fn end(mut self) -> Duration {
        let start = Instant::now();
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
        start.elapsed()
    }

    /// Ends the server, and returns its folder.
    pub(crate) fn into_folder(mut self) -> TempDir {
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        self.end();
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Sends a request as a page of the studio does.
    pub(crate) fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let body = body.map(ToString::to_string).unwrap_or_default();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nX-Hedgerow-Token: {}\r\nOrigin: http://{}\r\n\
             Sec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.address,
            self.token,
            self.address,
            body.len()
        );
        raw(self.address, head.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        self.fine("GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> Value {
        self.fine("POST", path, Some(body))
    }

    /// Sends a request that must succeed.
    #[track_caller]
    pub(crate) fn fine(&self, method: &str, path: &str, body: Option<Value>) -> Value {
        let reply = self.send(method, path, body.as_ref());
        assert_eq!(reply.status, 200, "{method} {path}: {}", String::from_utf8_lossy(&reply.body));
        reply.json()
    }

    /// Waits until a run has ended, and returns its brief.
    #[track_caller]
    pub(crate) fn wait(&self, id: u64) -> Value {
        for _ in 0..600 {
            let runs = self.get("/api/runs");
            let run = runs["runs"].as_array().unwrap().iter().find(|run| run["id"] == id).cloned();
            let run = run.unwrap_or_else(|| panic!("run {id} is listed"));
            if !["queued", "running"].contains(&run["state"].as_str().unwrap()) {
                return run;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("run {id} did not end");
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Sends bytes and reads the answer to its end.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(bytes);
    read(&mut stream)
}

/// Reads an answer to its end.
pub(crate) fn read(stream: &mut TcpStream) -> Reply {
    let mut all = Vec::new();
    let mut part = [0; 8192];
    loop {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(n) => all.extend_from_slice(&part[..n]),
        }
    }
    let end = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(all.len());
    let head = String::from_utf8_lossy(&all[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let body = all.get(end + 4..).unwrap_or_default().to_vec();
    Reply { status, head, body }
}

/// Sends a file as the page does.
pub(crate) fn upload(studio: &Studio, name: &str, content: &str) -> Reply {
    let head = format!(
        "POST /api/table/upload?name={name} HTTP/1.1\r\nHost: {}\r\nX-Hedgerow-Token: {}\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{content}",
        studio.address,
        studio.token,
        content.len()
    );
    raw(studio.address, head.as_bytes())
}

/// Copies a file of the project's data.
pub(crate) fn copy(name: &str, folder: &Path) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    std::fs::copy(data.join(name), folder.join(name)).unwrap();
}
