//! A fault in a run does not end the server.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hedgerow::job::Job;

use super::Server;
use crate::session::{Detail, Frozen, New, RunState, Texts, Watcher, Work, start_queue};
use crate::studio::{Limits, Options, Studio};

fn faulty(_: &Job, _: &Watcher<'_>) -> hedgerow::Result<Detail> {
    panic!("a method with a fault");
}

fn impossible(_: &Job, _: &Watcher<'_>) -> hedgerow::Result<Detail> {
    Err(hedgerow::Error::invalid("this cannot be done"))
}

fn telling_its_threads(job: &Job, _: &Watcher<'_>) -> hedgerow::Result<Detail> {
    Err(hedgerow::Error::invalid(format!("{} threads", job.threads)))
}

/// A server in a folder of its own.
fn bound(folder: &Path, threads: usize) -> Server {
    let folder = folder.to_owned();
    let limits = Limits::default();
    Server::bind(Options {
        folder,
        open: None,
        port: 0,
        assets: None,
        threads,
        limits,
        verify: None,
    })
    .unwrap()
}

/// Queues a run, and returns the message with which it failed.
fn failed(studio: &Studio, work: Work) -> String {
    let id = studio.change(&["runs"], |session| {
        let frozen = Frozen::new(&Job::default(), &Texts::new(), &studio.folder).unwrap();
        let (told, texts, hierarchies) = (Job::default(), Texts::new(), "chosen".to_owned());
        let new = New { frozen, told, texts, hierarchies, sweep: None };
        studio.queue.made(session, new, work)
    });
    for _ in 0..600 {
        let session = studio.session();
        let run = session.run(id).unwrap();
        if run.state == RunState::Failed {
            return run.problem.clone().unwrap().error.message;
        }
        drop(session);
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the run did not end");
}

#[test]
fn a_fault_in_a_run_does_not_end_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = bound(folder.path(), 1);
    let studio = Arc::clone(&server.studio);
    let (address, token) = (server.address(), server.token().to_owned());
    let stop = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&stop);
    let thread = std::thread::spawn(move || server.run(|| ends.load(Ordering::Relaxed)));
    let message = failed(&studio, faulty);
    assert!(message.contains("the studio goes on"), "{message}");
    // The text of the fault can have values of the table.
    assert!(!message.contains("a method with"), "{message}");
    // The next run begins, and requests are answered.
    assert!(failed(&studio, impossible).contains("this cannot be done"));
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "GET /api/runs HTTP/1.1\r\nHost: {address}\r\nX-Hedgerow-Token: {token}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    assert_eq!(reply.matches("\"state\":\"failed\"").count(), 2, "{reply}");
    stop.store(true, Ordering::Relaxed);
    thread.join().unwrap().unwrap();
}

#[test]
fn a_run_leaves_a_thread_to_requests_if_there_are_several() {
    for (threads, of_run) in [(0, 1), (1, 1), (2, 1), (8, 7)] {
        let folder = tempfile::tempdir().unwrap();
        let studio = Arc::clone(&bound(folder.path(), threads).studio);
        start_queue(&studio);
        let message = failed(&studio, telling_its_threads);
        studio.end();
        assert!(message.contains(&format!("{of_run} threads")), "{threads}: {message}");
    }
}
