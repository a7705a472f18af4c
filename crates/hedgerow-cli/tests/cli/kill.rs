//! A process that is killed at a random moment leaves a complete output or none.
//!
//! `HEDGEROW_KILLS=200` kills each command 200 times; the default is a few times.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{Place, adult, project};

/// Default number of times that each command is killed.
const FEW: u64 = 6;

/// Files of an output by name; empty if there is no output.
type Content = BTreeMap<String, Vec<u8>>;

struct Case {
    command: String,
    output: &'static str,
    /// Command that makes an output which this one can replace with `--force`.
    older: String,
}

fn content(path: &Path) -> Content {
    if path.is_file() {
        return BTreeMap::from([(String::new(), std::fs::read(path).unwrap())]);
    }
    let Ok(entries) = std::fs::read_dir(path) else { return Content::new() };
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    entries.map(read).collect()
}

fn start(place: &Place, args: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_hedgerow"))
        .args(args.split(' '))
        .current_dir(place.folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn run(place: &Place, args: &str) -> Duration {
    let begin = Instant::now();
    assert!(start(place, args).wait().unwrap().success(), "{args}");
    begin.elapsed()
}

/// Pseudo-random numbers, the same in every run.
struct Draws(u64);

impl Draws {
    /// Returns the next number in `0..1`.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl Case {
    /// Kills the command at random moments, with and without an existing output.
    fn survives(&self, place: &Place) {
        let output = place.folder.path().join(self.output);
        let wipe = || place.shell(&format!("rm -rf {} .hedgerow-*", self.output));
        run(place, &self.older);
        let older = content(&output);
        wipe();
        let inputs = place.files();
        let duration = run(place, &self.command);
        let newer = content(&output);
        assert_ne!(older, newer);
        let n_kills = std::env::var("HEDGEROW_KILLS").map_or(FEW, |n| n.parse().unwrap());
        let mut draws = Draws(7);
        for number in 0..n_kills {
            wipe();
            let replaces = number % 2 == 1;
            if replaces {
                run(place, &self.older);
            }
            let signal = [Signal::SIGKILL, Signal::SIGTERM, Signal::SIGKILL, Signal::SIGINT];
            let signal = signal[number as usize / 2 % 4];
            let child = start(place, &format!("{} --force", self.command));
            std::thread::sleep(duration.mul_f64(draws.share() * 1.1));
            let _ = kill(Pid::from_raw(child.id() as i32), signal); // it may have ended
            let status = { child }.wait().unwrap();
            let about = format!("{} {signal} number {number}: {status}", self.command);

            let found = content(&output);
            let before = if replaces { &older } else { &Content::new() };
            assert!(found == newer || found == *before, "{about}: neither old nor new");
            let is_other = |name: &String| *name != self.output && !inputs.contains(name);
            let mut others: Vec<String> = place.files();
            others.retain(is_other);
            if signal == Signal::SIGKILL {
                others.retain(|name| !name.starts_with(".hedgerow-"));
            } else {
                // There is no exit code if the signal came before its handler was installed.
                assert!(matches!(status.code(), Some(0 | 2) | None), "{about}");
            }
            assert!(others.is_empty(), "{about}: {others:?}");
        }
    }
}

#[test]
fn a_killed_anonymize_leaves_a_whole_release_or_none() {
    let anonymize = |k: u32| {
        format!("anonymize {} -q age,sex -k {k} --method mondrian --quiet -o out.csv", adult())
    };
    let case = Case { command: anonymize(5), output: "out.csv", older: anonymize(9) };
    case.survives(&Place::new());
}

#[test]
fn a_killed_import_leaves_a_whole_folder_or_none() {
    let import = |project: &str| format!("import {project} -o out");
    let case = Case { command: import("new.deid"), output: "out", older: import("old.deid") };
    case.survives(&Place::new().with("new.deid", project(20_000)).with("old.deid", project(200)));
}

#[test]
#[cfg_attr(not(feature = "wordnet"), ignore = "needs words")]
fn killed_candidates_leave_a_whole_folder_or_none() {
    let jobs =
        ["surgeon", "nurse", "dentist", "pianist", "violinist", "gardener", "cook", "tailor"];
    let table = format!("job\n{}", (jobs.join("\n") + "\n").repeat(20));
    let candidates = |k: u32| format!("hierarchy candidates t.csv -c job -k {k} -o out");
    let case = Case { command: candidates(2), output: "out", older: candidates(50) };
    case.survives(&Place::new().with("t.csv", table));
}

#[test]
#[cfg_attr(not(feature = "wordnet"), ignore = "needs words")]
fn a_killed_generate_leaves_a_whole_table_or_none() {
    let generate = |n_rows: u32| format!("generate --claims {n_rows} -o out.csv");
    let case = Case { command: generate(100_000), output: "out.csv", older: generate(100) };
    case.survives(&Place::new());
}
