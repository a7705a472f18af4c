//! Full disks, too little memory, signals: outputs are complete or absent, and no other file is
//! left.

use std::fmt::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{Place, is_possible, project, shown};

const JOBS: [&str; 6] = ["surgeon", "nurse", "pianist", "violinist", "gardener", "cook"];

fn table(n_rows: u32) -> String {
    let row = |i: u32| format!("{},{}\n", i.wrapping_mul(2_654_435_761), JOBS[i as usize % 6]);
    (0..n_rows).fold("number,job\n".to_owned(), |mut table, i| {
        table.push_str(&row(i));
        table
    })
}

/// Commands that write more than a few kilobytes, with the names of their outputs.
fn writers() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = [
        ("import p.deid -o out", "out"),
        ("hierarchy candidates t.csv -c job -k 2 -o out", "out"),
        ("anonymize t.csv -q job -k 2 --hierarchy job=frequency -o out.csv", "out.csv"),
        ("generate --claims 2000 -o out.csv", "out.csv"),
        ("hierarchy build t.csv -c number -m iotf -o out.json", "out.json"),
    ];
    all.into_iter().filter(|(command, _)| is_possible(command))
}

fn place() -> Place {
    Place::new().with("t.csv", table(3000)).with("p.deid", project(1000))
}

/// A limit of 4 or 8 KB on file sizes simulates a full disk.
#[test]
fn a_full_disk_leaves_nothing_and_the_old_output_as_it_was() {
    for (command, output) in writers() {
        let place = place();
        let files = place.files();
        let limited = format!("ulimit -f 8; exec $HEDGEROW {command}");
        let failed = place.shell(&limited);
        assert_eq!(failed.status.code(), Some(2), "{command}: {}", shown(&failed));
        assert!(String::from_utf8_lossy(&failed.stderr).contains("File too large"), "{command}");
        assert_eq!(place.files(), files, "{command}");

        let whole = place.hedgerow(command);
        assert_eq!(whole.status.code(), Some(0), "{command}: {}", shown(&whole));
        let all = place.files();
        let content = format!("find {output} -type f | sort | xargs cat");
        let before = place.shell(&content).stdout;
        let failed = place.shell(&format!("{limited} --force"));
        assert_eq!(failed.status.code(), Some(2), "{command}: {}", shown(&failed));
        assert_eq!(place.files(), all, "{command}");
        assert_eq!(place.shell(&content).stdout, before, "{command}");
    }
}

/// A failed allocation aborts the process without cleaning up, so no output may have its final name
/// before the end.
#[test]
#[cfg(target_os = "linux")]
fn too_little_memory_leaves_nothing() {
    let place = place();
    let files = place.files();
    let mut n_aborted = 0;
    for (command, _) in writers() {
        for megabytes in [16, 20, 24, 32, 48] {
            let limit = megabytes * 1024;
            let done = place.shell(&format!("ulimit -v {limit}; exec $HEDGEROW {command}"));
            if done.status.code() == Some(0) {
                break;
            }
            n_aborted += usize::from(done.status.code().is_none());
            assert_eq!(place.files(), files, "{command} with {megabytes} MB");
        }
        place.shell("rm -rf out out.csv out.json");
    }
    assert!(n_aborted > 0, "no limit was low enough");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_does_not_fail_a_command_that_wrote_its_file() {
    for (command, output) in writers().filter(|(command, _)| !command.contains("iotf")) {
        let place = place();
        let done = place.shell(&format!("exec $HEDGEROW {command} > /dev/full"));
        assert_eq!(done.status.code(), Some(0), "{command}: {}", shown(&done));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(said.contains("WARNING: the output is written, but"), "{command}: {said}");
        assert!(place.files().contains(&output.to_owned()), "{command}");
    }
    let place = place().with("tree.csv", "nurse;care;*\ncook;food;*\n");
    let fix = "hierarchy check tree.csv --fix fixed.csv";
    assert_eq!(place.shell(&format!("$HEDGEROW {fix} > /dev/full")).status.code(), Some(0));
    assert!(place.files().contains(&"fixed.csv".to_owned()));
    // If the printed text is the only result, not being able to print it is an error.
    for command in ["hierarchy show tree.csv", "verify t.csv -q job -k 2 --json", "inspect t.csv"] {
        let done = place.shell(&format!("$HEDGEROW {command} > /dev/full"));
        assert_eq!(done.status.code(), Some(2), "{command}: {}", shown(&done));
    }
}

/// Runs a command in its own process and interrupts it after `after`; returns how long it took to
/// stop.
fn interrupted(place: &Place, args: &str, after: Duration) -> (std::process::Output, Duration) {
    let child: Child = Command::new(env!("CARGO_BIN_EXE_hedgerow"))
        .args(args.split(' '))
        .current_dir(place.folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    let start = Instant::now();
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    (output, start.elapsed())
}

/// Building a tree of this many values takes far longer, and no step of it checks for cancellation.
#[test]
fn an_interrupt_stops_within_a_second_even_in_steps_that_do_not_check() {
    let mut table = "n\n".to_owned();
    for i in 0..600_000_u64 {
        let _ = writeln!(table, "{}", i * i);
    }
    let place = Place::new().with("t.csv", table);
    let build = "hierarchy build t.csv -c n -m least-loss -k 5 -o out.json";
    let (output, seconds) = interrupted(&place, build, Duration::from_millis(1200));
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(seconds < Duration::from_secs(1), "{seconds:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("interrupted; nothing was written"), "{said}");
    assert_eq!(place.files(), ["t.csv"]);
}
