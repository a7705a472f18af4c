//! Accepts connections, and closes those on which no request arrives.

use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

/// Time to wait after a connection could not be accepted, because too many files are open perhaps.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves every connection on a task of its own. The head of a request must have arrived after
/// `most`, counted from the end of the request before it.
pub(super) async fn serve(listener: TcpListener, router: Router, most: Duration) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(most);
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        // A connection that fails does not affect the others.
        tokio::spawn(async move { connection.await.ok() });
    }
}
