//! The `hedgerow` command line: parses arguments, runs a job and renders its outcome.

mod advice;
mod args;
mod commands;
mod console;
mod signals;
mod style;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};

/// Result of a command that ran without error; it decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The command succeeded and no check failed.
    Fine,
    /// A check found a violation.
    Violation,
}

fn main() -> ExitCode {
    silence_caught_panics();
    // The parser divides lists at every comma, also inside quotes.
    let args = Args::parse().with_quoted_names();
    signals::install();
    let spell = match args.command {
        Command::Hierarchy(_) => advice::spell_for_hierarchy,
        _ => advice::spell,
    };
    let done = match args.command {
        Command::Inspect(args) => commands::inspect::run(&args),
        Command::Init(args) => commands::init::run(&args),
        #[cfg(feature = "studio")]
        Command::Studio(args) => commands::studio::run(&args),
        #[cfg(not(feature = "studio"))]
        Command::Studio(args) => commands::absent::studio(&args),
        Command::Hierarchy(args) => commands::hierarchy::run(&args),
        Command::Anonymize(args) => commands::anonymize::run(&args),
        Command::Plan(args) => commands::plan::run(&args),
        Command::Apply(args) => commands::apply::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Measure(args) => commands::measure::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Risk(args) => commands::risk::run(&args),
        Command::Attack(args) => commands::attack::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Lattice(args) => commands::lattice::run(&args),
        Command::Knowledge(args) => commands::knowledge::run(&args),
        Command::Generate(args) => commands::generate::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::Import(args) => commands::import::run(&args),
        Command::Methods(args) => commands::methods::run(&args),
        Command::Completions(args) => commands::manual::completions(&args),
        Command::Man(args) => commands::manual::run(&args),
        Command::Help(args) => commands::help::run(&args),
    };
    match done {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Violation) => ExitCode::from(1),
        // `hedgerow inspect t.csv | head` ends this way, and is not a failure.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "hedgerow: {}", advice::message(&error, &spell));
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Suppresses the report of panics that the library catches and returns as errors.
fn silence_caught_panics() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // Decoders of foreign formats can panic on broken files; the library turns that into an
        // error with the file.
        if !hedgerow::io::is_guarded() {
            report(panic);
        }
    }));
}

/// Returns 1 if the goal cannot be met and 2 for every other error.
fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        // The call was right, so a script can distinguish this from a mistake and try a smaller k.
        Some(hedgerow::Error::Unreachable { .. } | hedgerow::Error::Unfit { .. }) => 1,
        _ => 2,
    }
}

/// Whether the reader of our output closed the pipe, which is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
