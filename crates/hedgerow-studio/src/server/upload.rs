//! Receives a table that the browser sends, into a folder that only this user can read.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use http_body_util::BodyExt;

use super::{Pairs, Shared, answer, broken};
use crate::api::{self, Answer, Call};
use crate::fault::{Done, Fault};
use crate::session::Upload;
use crate::studio::Studio;

pub(super) async fn receive(
    State(shared): State<Shared>,
    query: Result<Query<Pairs>, QueryRejection>,
    request: Request<Body>,
) -> Response {
    let (upload, drop_runs) = match received(&shared.studio, query, request).await {
        Ok(received) => received,
        Err(fault) => return answer::fault(fault),
    };
    let studio = Arc::clone(&shared.studio);
    match tokio::task::spawn_blocking(move || api::opened_upload(&studio, upload, drop_runs)).await
    {
        Ok(Ok(Answer(bytes))) => answer::json(StatusCode::OK, bytes),
        Ok(Err(fault)) => answer::fault(fault),
        Err(_) => answer::fault(broken()),
    }
}

/// The file, and whether runs of another table may be dropped.
async fn received(
    studio: &Studio,
    query: Result<Query<Pairs>, QueryRejection>,
    request: Request<Body>,
) -> Done<(Upload, bool)> {
    let Query(query) = query.map_err(|_| Fault::request("the query cannot be read"))?;
    let call = Call { path: Vec::new(), query, body: Vec::new() };
    let drop_runs = call.flag("drop_runs")?;
    let mut upload = studio.folder.upload(call.query("name").unwrap_or_default())?;
    let limits = studio.options.limits;
    let mut body = request.into_body();
    let mut size = 0u64;
    let start = Instant::now();
    loop {
        let frame = tokio::time::timeout(limits.pause, body.frame()).await;
        let frame = frame.map_err(|_| {
            let message = format!("nothing arrived for {} seconds", limits.pause.as_secs());
            Fault::refused(408, "timeout", message).advise("send the file again")
        })?;
        let Some(frame) = frame else { break };
        let frame = frame.map_err(|_| Fault::request("the upload ended early"))?;
        let Some(data) = frame.data_ref() else { continue };
        size += data.len() as u64;
        // Small parts in time would otherwise hold a connection and a file for as long as they
        // like.
        let beyond = start.elapsed().saturating_sub(limits.pause);
        if (size as f64) < beyond.as_secs_f64() * limits.rate as f64 {
            let message = format!("the upload is slower than {} bytes a second", limits.rate);
            return Err(Fault::refused(408, "timeout", message)
                .advise("start the studio in the folder of the file and open it by its name"));
        }
        if size > limits.upload {
            let message = format!("the file is larger than {} bytes", limits.upload);
            return Err(Fault::refused(413, "limit", message)
                .advise("start the studio in the folder of the file and open it by its name"));
        }
        // Parts are small, and a local disk takes them faster than they come.
        upload
            .file
            .write_all(data)
            .map_err(|cause| Fault::input(format!("the upload cannot be stored: {cause}")))?;
    }
    Ok((upload, drop_runs))
}
