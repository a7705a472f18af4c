//! How the system and people stop a run.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hedgerow::Error;

/// Set by the first Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How long a run may take to end by itself after Ctrl-C; people wait a second at most.
const GRACE: Duration = Duration::from_millis(500);

/// Whether somebody wants the run to end.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Makes Ctrl-C, SIGTERM and SIGHUP end the run without a trace, and too large a file an error.
pub(crate) fn install() {
    make_too_large_files_an_error();
    // Only a second handler could fail, and there is one.
    let _ = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::Relaxed);
        std::thread::sleep(GRACE);
        give_up();
    });
}

/// Ends a run that has not ended by itself: one that is in a step which does not ask, or waits for
/// another process.
#[expect(clippy::exit, reason = "the thread that could return from main is busy")]
fn give_up() {
    let has_output = hedgerow::io::abandon();
    let mut err = std::io::stderr();
    if err.is_terminal() {
        let _ = writeln!(err); // the line may have a progress bar
    }
    let _ = if has_output {
        writeln!(err, "hedgerow: interrupted; the output was already written")
    } else {
        writeln!(err, "hedgerow: {}", Error::Cancelled)
    };
    std::process::exit(2);
}

/// A process that may not write so large a file is killed by SIGXFSZ, unless that is blocked: then
/// writing fails, and what was begun is removed.
#[cfg(unix)]
fn make_too_large_files_an_error() {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // Threads inherit what their parent blocks. Without it we are killed, as before.
    let _ = signals.thread_block();
}

#[cfg(not(unix))]
fn make_too_large_files_an_error() {}
