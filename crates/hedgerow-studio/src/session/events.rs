//! Notifies open pages of changes.

use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Events that a page can be behind; one that is further behind is disconnected and asks again.
const MOST_WAITING: usize = 1024;

/// The listeners.
#[derive(Default)]
pub(crate) struct Events(Mutex<Vec<Sender<Bytes>>>);

impl Events {
    /// Adds a listener, who first hears which revision is current.
    pub(crate) fn subscribe(&self, revision: u64) -> Receiver<Bytes> {
        let (sender, receiver) = channel(MOST_WAITING);
        let hello = json!({ "revision": revision, "event": "hello" });
        // A new channel has room.
        let _ = sender.try_send(written("hello", &hello));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
        receiver
    }

    /// Reports that parts of the session changed.
    pub(crate) fn changed(&self, revision: u64, what: &[&str]) {
        let event = json!({ "revision": revision, "event": "changed", "what": what });
        self.send(&written("changed", &event));
    }

    /// Reports the progress of a task.
    pub(crate) fn progress(&self, revision: u64, progress: &Value) {
        let event = json!({ "revision": revision, "event": "progress", "progress": progress });
        self.send(&written("progress", &event));
    }

    /// Reports the state of a run.
    pub(crate) fn run(&self, revision: u64, run: &Value) {
        let event = json!({ "revision": revision, "event": "run", "run": run });
        self.send(&written("run", &event));
    }

    /// Keeps connections open, and forgets those that are closed.
    pub(crate) fn ping(&self) {
        self.send(&Bytes::from_static(b": still here\n\n"));
    }

    fn send(&self, event: &Bytes) {
        let mut senders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|sender| sender.try_send(event.clone()).is_ok());
    }
}

fn written(name: &str, event: &Value) -> Bytes {
    Bytes::from(format!("event: {name}\ndata: {event}\n\n"))
}
