//! Allows requests only from pages of this server, and only with its token.

use std::fmt::Write as _;
use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Request, Uri};
use axum::middleware::Next;
use axum::response::Response;
use hedgerow::{Error, Result};

use super::{Shared, answer};
use crate::fault::Fault;

/// The header with the token.
const TOKEN: &str = "x-hedgerow-token";

/// The address of the server, and the secret of this session.
pub(super) struct Identity {
    address: SocketAddr,
    token: String,
    /// The values that a Host header may have.
    hosts: [String; 2],
}

impl Identity {
    pub(super) fn new(address: SocketAddr) -> Result<Self> {
        let mut secret = [0u8; 16];
        getrandom::fill(&mut secret)
            .map_err(|cause| Error::invalid(format!("there is no random number: {cause}")))?;
        let token = secret.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        // Browsers resolve `localhost` themselves, so no name server can point it elsewhere.
        let hosts = [address.to_string(), format!("localhost:{}", address.port())];
        Ok(Self { address, token, hosts })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// The reason why a request must not be answered.
    fn objection(&self, uri: &Uri, headers: &HeaderMap) -> Option<Fault> {
        // First, because after DNS rebinding everything else looks like one of our own requests.
        if !self.is_for_us(uri, headers) {
            let message = format!("this server answers requests for {} only", self.address);
            return Some(Fault::refused(421, "host", message));
        }
        if let Some(message) = self.foreign(headers) {
            return Some(Fault::refused(403, "origin", message));
        }
        let is_api = uri.path() == "/api" || uri.path().starts_with("/api/");
        (is_api && !self.has_token(headers)).then(|| {
            Fault::refused(401, "token", "the request has no token, or a wrong one")
                .advise("open the address that `hedgerow studio` printed when it started")
        })
    }

    /// Whether exactly one Host header names this server, and the address of the request too if it
    /// is a whole one.
    fn is_for_us(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let is_ours = |host: &str| self.hosts.iter().any(|own| own == host);
        let mut hosts = headers.get_all(HOST).iter();
        let first = hosts.next().and_then(|host| host.to_str().ok());
        let is_alone = hosts.next().is_none();
        let authority = uri.authority().is_none_or(|authority| is_ours(authority.as_str()));
        is_alone && authority && first.is_some_and(is_ours)
    }

    /// Says that another site asks, if it does. The Origin is compared with our own address, never
    /// with the Host header.
    fn foreign(&self, headers: &HeaderMap) -> Option<&'static str> {
        let is_ours = |origin: &str| {
            origin.strip_prefix("http://").is_some_and(|host| self.hosts.iter().any(|h| h == host))
        };
        let origins = headers.get_all(ORIGIN);
        if !origins.iter().all(|origin| origin.to_str().is_ok_and(is_ours)) {
            return Some("a page of another site asks");
        }
        let sites = headers.get_all("sec-fetch-site");
        let is_near = |site: &str| matches!(site, "same-origin" | "none");
        if !sites.iter().all(|site| site.to_str().is_ok_and(is_near)) {
            return Some("the browser says that another site asks");
        }
        None
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let mut given = headers.get_all(TOKEN).iter();
        let first = given.next();
        given.next().is_none()
            && first.is_some_and(|given| is_equal(given.as_bytes(), self.token.as_bytes()))
    }
}

/// Compares in a time that does not depend on where two texts differ.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let difference = one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && difference == 0
}

/// Refuses requests that do not come from a page of this server, and adds the headers of every
/// answer.
pub(super) async fn check(
    State(shared): State<Shared>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let objection = shared.identity.objection(request.uri(), request.headers());
    let mut response = match objection {
        Some(fault) => answer::fault(fault),
        None => next.run(request).await,
    };
    answer::protect(response.headers_mut());
    response
}
