//! The files of the page: in the binary, or in a folder while the page is developed.

use std::io::Read as _;
use std::path::{Component, Path};

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use axum::response::Response;
use flate2::read::GzDecoder;
use hedgerow::{chart, report};

use super::{Shared, answer};
use crate::fault::Fault;

/// A file of the page.
struct Asset {
    /// Its path below the root.
    path: &'static str,
    /// Identifies its content.
    tag: &'static str,
    /// Its content, compressed by gzip.
    packed: &'static [u8],
}

const ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

impl Asset {
    /// The file as it is stored, or unpacked for a client that does not accept that.
    fn answered(&self, headers: &HeaderMap) -> Response {
        let accepted = headers.get(ACCEPT_ENCODING).map(|all| all.to_str().unwrap_or_default());
        if accepted.is_none_or(|all| all.contains("gzip") || all.contains('*')) {
            let mut response = file(self.path, self.packed.to_vec());
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            return response;
        }
        let mut content = Vec::new();
        match GzDecoder::new(self.packed).read_to_end(&mut content) {
            Ok(_) => file(self.path, content),
            Err(_) => answer::fault(Fault::internal("a file of the page is broken")),
        }
    }
}

/// The stylesheet of reports, which the library provides.
const REPORT: &str = "report.css";

/// First parts of the addresses of screens, which all load the same page.
const SCREENS: [&str; 6] = ["", "table", "hierarchies", "release", "compare", "report"];

pub(super) async fn serve(State(shared): State<Shared>, request: Request<Body>) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return answer::fault(Fault::missing("there is no such endpoint"));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let fault = Fault::refused(405, "request", "this address does not answer this method");
        return answer::fault(fault);
    }
    let first = path.split('/').next().unwrap_or_default();
    let name = if SCREENS.contains(&first) && !path.contains('.') || is_screen(path) {
        "index.html"
    } else {
        path
    };
    if name == REPORT {
        let style = [chart::COLOURS, chart::STYLE, report::STYLE].concat();
        return file(name, style.into_bytes());
    }
    if let Some(folder) = &shared.studio.options.assets {
        return match on_disk(folder, name) {
            Some(bytes) => file(name, bytes),
            None => absent(),
        };
    }
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == name) else { return absent() };
    let known = request.headers().get(IF_NONE_MATCH).and_then(|tag| tag.to_str().ok());
    let mut response = if known == Some(asset.tag) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        asset.answered(request.headers())
    };
    let headers = response.headers_mut();
    headers.insert(ETAG, HeaderValue::from_static(asset.tag));
    // Asked again every time, so that a new binary on the same port shows its own page.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Whether this is the address of a screen below its first part: names of columns can have dots.
fn is_screen(path: &str) -> bool {
    path.starts_with("hierarchies/")
}

fn file(name: &str, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind_of(name)));
    response
}

fn absent() -> Response {
    answer::fault(Fault::missing("there is no such page"))
}

fn kind_of(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "png" => "image/png",
        "woff2" => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}

/// Reads a file of the page below a folder; symbolic links do not lead out of it.
fn on_disk(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let name = Path::new(name);
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let root = folder.canonicalize().ok()?;
    let path = root.join(name).canonicalize().ok()?;
    if path.starts_with(&root) && path.is_file() { std::fs::read(path).ok() } else { None }
}
