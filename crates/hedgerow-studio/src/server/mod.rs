//! The server: one thread for requests, on the loopback interface only.

mod answer;
mod assets;
mod connections;
mod guard;
mod events;
mod upload;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{Request, StatusCode};
use axum::middleware;
use axum::response::Response;
use axum::routing::{MethodFilter, get, on, post};
use hedgerow::{Error, Result};

use self::guard::Identity;
use crate::api::{self, Answer, Call, Route};
use crate::fault::{Done, Fault};
use crate::session::{self, Folder};
use crate::studio::{Options, Studio};

/// Endpoints whose bodies are streams; all others are in [`api::ROUTES`].
pub(crate) const STREAMS: [(&str, &str); 2] =
    [("get", "/api/events"), ("post", "/api/table/upload")];

/// Time between two checks whether the server should end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Time that the engine has to remove what it left unfinished when the server ends.
const GRACE: Duration = Duration::from_millis(300);

/// Threads that answer requests; more requests wait.
const THREADS: usize = 16;

/// A studio that is bound to its address.
pub struct Server {
    listener: TcpListener,
    identity: Arc<Identity>,
    studio: Arc<Studio>,
}

/// State that all handlers share.
#[derive(Clone)]
struct Shared {
    studio: Arc<Studio>,
    identity: Arc<Identity>,
}

impl Server {
    /// Binds to the loopback interface. Requests are answered from [`Server::run`] on.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the folder does not exist, or the port is taken.
    pub fn bind(options: Options) -> Result<Self> {
        let folder = Folder::new(&options.folder)?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = TcpListener::bind(address)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .map_err(|cause| {
                let problem = format!("cannot listen on {address}: {cause}");
                Error::invalid(problem)
                    .advise([hedgerow::error::Advice::words("choose another port")])
            })?;
        let address = listener.local_addr().map_err(|cause| Error::invalid(cause.to_string()))?;
        let identity = Arc::new(Identity::new(address)?);
        Ok(Self { listener, identity, studio: Studio::new(options, folder) })
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.identity.address()
    }

    /// The address of the page, with the token in its fragment, which browsers do not send.
    pub fn url(&self) -> String {
        format!("http://{}/#token={}", self.address(), self.identity.token())
    }

    /// The secret that every request to the interface needs.
    pub fn token(&self) -> &str {
        self.identity.token()
    }

    /// Answers requests until `stop` returns true. Runs are cancelled then, and uploaded files are
    /// removed.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the runtime cannot be started.
    pub fn run(self, stop: impl Fn() -> bool) -> Result<()> {
        let failed = |cause: std::io::Error| Error::invalid(format!("the server ended: {cause}"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS)
            .thread_keep_alive(Duration::from_secs(5))
            .build()
            .map_err(failed)?;
        session::start(&self.studio);
        let router = router(&self.studio, &self.identity);
        let most = self.studio.options.limits.whole;
        let done = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                () = connections::serve(listener, router, most) => {}
                () = until(&stop, &self.studio) => {}
            }
            Ok(())
        });
        self.studio.end();
        // Threads of the engine stop at their next look; no request waits for them.
        runtime.shutdown_background();
        self.studio.wait_for_work(GRACE);
        self.studio.folder.remove_private();
        done.map_err(failed)
    }
}

/// Waits until the server should end, and keeps connections of events open meanwhile.
async fn until(stop: &impl Fn() -> bool, studio: &Studio) {
    let mut turn = 0u32;
    while !stop() {
        tokio::time::sleep(LOOK_EVERY).await;
        turn = turn.wrapping_add(1);
        if turn.is_multiple_of(300) {
            studio.events.ping();
        }
        if turn.is_multiple_of(20) {
            session::watch(studio);
        }
    }
}

fn router(studio: &Arc<Studio>, identity: &Arc<Identity>) -> Router {
    let shared = Shared { studio: Arc::clone(studio), identity: Arc::clone(identity) };
    let mut router = Router::new();
    for route in api::ROUTES {
        let filter = match route.method {
            "get" => MethodFilter::GET,
            "post" => MethodFilter::POST,
            "put" => MethodFilter::PUT,
            "patch" => MethodFilter::PATCH,
            _ => MethodFilter::DELETE,
        };
        router = router.route(
            route.path,
            on(filter, move |State(shared): State<Shared>, path, query, request| {
                handled(shared, route, path, query, request)
            }),
        );
    }
    router
        .route("/api/events", get(events::stream))
        .route("/api/table/upload", post(upload::receive))
        .fallback(assets::serve)
        .method_not_allowed_fallback(not_allowed)
        .layer(middleware::from_fn_with_state(shared.clone(), guard::check))
        .with_state(shared)
}

async fn not_allowed() -> Response {
    let fault = Fault::refused(405, "request", "this address does not answer this method");
    answer::fault(fault)
}

type Pairs = Vec<(String, String)>;

/// Reads a request, runs its handler on a thread of its own, and answers.
async fn handled(
    shared: Shared,
    route: &'static Route,
    path: Result<Path<Pairs>, PathRejection>,
    query: Result<Query<Pairs>, QueryRejection>,
    request: Request<Body>,
) -> Response {
    let call = match call(&shared.studio, path, query, request).await {
        Ok(call) => call,
        Err(fault) => return answer::fault(fault),
    };
    let studio = Arc::clone(&shared.studio);
    let done = tokio::task::spawn_blocking(move || (route.handle)(&studio, &call)).await;
    match done {
        Ok(Ok(Answer(bytes))) => answer::json(StatusCode::OK, bytes),
        Ok(Err(fault)) => answer::fault(fault),
        Err(_) => answer::fault(broken()),
    }
}

/// The fault for a handler that panicked.
fn broken() -> Fault {
    Fault::internal("a fault of hedgerow: the request was given up, and the server goes on")
        .advise("report what you did, without the data")
}

async fn call(
    studio: &Studio,
    path: Result<Path<Pairs>, PathRejection>,
    query: Result<Query<Pairs>, QueryRejection>,
    request: Request<Body>,
) -> Done<Call> {
    // The texts of rejections may repeat parts of the address, so they are not passed on.
    let Path(path) = path.map_err(|_| Fault::request("the address is not valid UTF-8"))?;
    let Query(query) = query.map_err(|_| Fault::request("the query cannot be read"))?;
    let limits = studio.options.limits;
    let read = to_bytes(request.into_body(), limits.body);
    let body = tokio::time::timeout(limits.whole, read)
        .await
        .map_err(|_| Fault::refused(408, "timeout", "the request did not arrive in time"))?
        .map_err(|error| too_large_or_broken(&error, limits.body as u64))?;
    Ok(Call { path, query, body: body.to_vec() })
}

/// The fault for a body that is too large, or that ended early.
fn too_large_or_broken(error: &axum::Error, limit: u64) -> Fault {
    let source = std::error::Error::source(error);
    let is_large =
        source.is_some_and(<dyn std::error::Error>::is::<http_body_util::LengthLimitError>);
    if is_large {
        let message = format!("the request is larger than {limit} bytes");
        Fault::refused(413, "limit", message)
    } else {
        Fault::request("the request ended early")
    }
}

#[cfg(test)]
mod tests;
