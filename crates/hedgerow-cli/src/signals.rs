//! Signals that stop a run.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hedgerow::Error;

/// Set by the first Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Time that a run has to stop after Ctrl-C before the process exits. Users expect it to stop
/// within a second.
const GRACE: Duration = Duration::from_millis(500);

/// Set by a command whose finished work is kept.
static IS_RESUMABLE: AtomicBool = AtomicBool::new(false);

/// Message of a command that keeps its finished work, when it is interrupted.
pub(crate) const RESUMABLE: &str =
    "interrupted; cells that are done are kept, and the same command goes on from there";

/// States that the work which is finished by now is kept if the run is interrupted.
pub(crate) fn keeps_finished_work() {
    IS_RESUMABLE.store(true, Ordering::Relaxed);
}

/// Whether a signal has asked the run to stop.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Makes Ctrl-C, SIGTERM and SIGHUP stop the run without leaving partial output, and makes writing
/// beyond the file size limit an error.
pub(crate) fn install() {
    make_too_large_files_an_error();
    // Installing a handler fails only if there already is one, and this is the only place.
    let _ = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::Relaxed);
        std::thread::sleep(GRACE);
        give_up();
    });
}

/// Exits a run that has not stopped within [`GRACE`]: it is in a step that does not check for
/// cancellation, or it waits for another process.
#[expect(clippy::exit, reason = "the thread that could return from main is busy")]
fn give_up() {
    let has_output = hedgerow::io::abandon();
    let mut err = std::io::stderr();
    if err.is_terminal() {
        let _ = writeln!(err); // the current line may contain a progress bar
    }
    let _ = if IS_RESUMABLE.load(Ordering::Relaxed) {
        writeln!(err, "hedgerow: {RESUMABLE}")
    } else if has_output {
        writeln!(err, "hedgerow: interrupted; the output was already written")
    } else {
        writeln!(err, "hedgerow: {}", Error::Cancelled)
    };
    std::process::exit(2);
}

/// Blocks SIGXFSZ, which kills a process that exceeds its file size limit. With the signal blocked
/// the write fails instead, and the partial output is removed.
#[cfg(unix)]
fn make_too_large_files_an_error() {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // Threads inherit the signal mask of their parent. If blocking fails, the signal still kills
    // the process.
    let _ = signals.thread_block();
}

#[cfg(not(unix))]
fn make_too_large_files_an_error() {}
