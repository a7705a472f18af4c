//! Progress and changes as server-sent events.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use http_body::Frame;
use tokio::sync::mpsc::Receiver;

use super::Shared;

/// Events as they come; it ends when the studio drops the sender.
struct Stream(Receiver<Bytes>);

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(event))))
    }
}

pub(super) async fn stream(State(shared): State<Shared>) -> Response {
    let revision = shared.studio.session().revision;
    let stream = Stream(shared.studio.events.subscribe(revision));
    let mut response = Response::new(Body::new(stream));
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
