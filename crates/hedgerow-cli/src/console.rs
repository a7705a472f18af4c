//! The progress bar, and printing to stdout and stderr.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::Instant;

use hedgerow::error::Warning;
use hedgerow::guard::doubtful_births;
use hedgerow::io::Source;
use hedgerow::progress::{Progress, Stage};
use hedgerow::table::Table;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{advice, signals};

/// Watches a run: times each stage, and draws a progress bar if stderr is a terminal.
pub(crate) struct Console {
    bar: ProgressBar,
    stages: Mutex<Vec<(Stage, Instant)>>,
}

impl Console {
    pub(crate) fn new(quiet: bool) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        let target =
            if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        // Only a mistake in the template fails, and a plain bar is better than none.
        if let Ok(style) =
            ProgressStyle::with_template("{msg:24} {bar:30} {percent:>3}%  {eta} left")
        {
            bar.set_style(style);
        }
        Self { bar, stages: Mutex::new(Vec::new()) }
    }

    /// Removes the progress bar and returns the seconds that each stage took until now.
    pub(crate) fn seconds(&self) -> BTreeMap<&'static str, f64> {
        self.bar.finish_and_clear();
        // A lock is poisoned only by a panic, and times are not worth another one.
        let Ok(stages) = self.stages.lock() else {
            return BTreeMap::new();
        };
        // A stage ends when the next one starts; the last one ends now.
        let ends = stages.iter().skip(1).map(|(_, start)| *start).chain([Instant::now()]);
        let stages = stages.iter().zip(ends);
        stages.map(|((stage, start), end)| (stage.name(), (end - *start).as_secs_f64())).collect()
    }
}

impl Progress for Console {
    fn stage(&self, stage: Stage) {
        if let Ok(mut stages) = self.stages.lock() {
            stages.push((stage, Instant::now()));
        }
        self.bar.reset();
        self.bar.set_message(stage.name());
    }

    fn trying(&self, method: &str) {
        if let Ok(stages) = self.stages.lock()
            && let Some((stage, _)) = stages.last()
        {
            self.bar.set_message(format!("{}: {method}", stage.name()));
        }
    }

    fn advance(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
    }

    fn cancelled(&self) -> bool {
        signals::interrupted()
    }
}

/// Prints to stdout a result that is not also written to a file; failing to print it is an error.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints the summary of files that a command has written. The files exist even if the summary
/// cannot be printed, so that is not an error.
pub(crate) fn report(text: &str) {
    match print(text) {
        // A closed pipe means that the reader has seen enough.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            note(&format!(
                "WARNING: the output is written, but its summary cannot be printed: {error}"
            ));
        }
        _ => {}
    }
}

/// Prints the summary of written files as JSON (see [`report`]).
pub(crate) fn report_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    report(&(serde_json::to_string_pretty(value)? + "\n"));
    Ok(())
}

/// Prints a result as JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    Ok(print(&(text + "\n"))?)
}

/// Prints a note to stderr.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "hedgerow: {text}");
}

/// Prints how a file and its columns were read, in a command that publishes none of them.
pub(crate) fn note_reading(source: &Source, notes: &[String]) {
    // Every column counts as left out, because nothing is published here.
    warn(&source.warnings(source.header(), &[]));
    source.notes().iter().chain(notes).for_each(|told| note(told));
}

/// Prints which values of a table may mean something else than what they were read as.
pub(crate) fn note_doubts(table: &Table) {
    warn(&table.doubts());
    warn(&doubtful_births(table));
}

/// Prints warnings.
pub(crate) fn warn(warnings: &[Warning]) {
    for warning in warnings {
        note(&format!("WARNING: {}", warning.message(&advice::spell)));
    }
}
