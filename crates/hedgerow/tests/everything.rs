//! Everything at once: random tables, methods, hierarchies, models, policies and styles, from file to
//! file, and what comes out judged by a second implementation that knows the files only.
//!
//! How many cases were released, refused and compared is printed at the end; `--nocapture` shows it.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod cases;
mod judged;
mod quick;
mod random;
mod remeasure;
mod second;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use cases::cases;
use hedgerow::Error;
use hedgerow::job::{self, Job};
use hedgerow::progress::Silent;
use hedgerow::release::IntervalStyle;
use judged::{Judged, Kept};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use random::{Case, case};
use remeasure::original;
use second::File;

/// How many cases ended in which way, and were compared in which.
#[derive(Debug, Default)]
struct Counts(RefCell<BTreeMap<&'static str, u32>>);

impl Counts {
    fn add(&self, what: &'static str) {
        *self.0.borrow_mut().entry(what).or_default() += 1;
    }
}

#[test]
fn whatever_is_asked_for_the_release_is_what_it_claims() {
    let counts = Counts::default();
    let mut runner = TestRunner::new(cases(600));
    let result = runner.run(&case(), |case| {
        counts.add("cases");
        check(&case, &counts)
    });
    eprintln!("{:?}", counts.0.borrow());
    result.unwrap_or_else(|error| panic!("{error}\n{runner}"));
}

fn check(case: &Case, counts: &Counts) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("t.csv"), folder.path().join("r.csv"));
    case.write(&input);
    let job = case.job(&input, &output);
    let table = File::read(&input, false);
    let outcome = match job::run(&job, &Silent) {
        Ok(outcome) => outcome,
        Err(error) => {
            prop_assert!(!output.exists());
            let may_fail = !job.limit.is_empty() || !Kept::of(&table, &job).is_private(case);
            match refused(&error) {
                Some(Refusal::Unreachable) if may_fail => counts.add("refused as unreachable"),
                Some(Refusal::Invalid(why)) if why != FORCE || !job.force_labels => {
                    counts.add("refused as invalid");
                    counts.add(why);
                }
                _ => prop_assert!(false, "{error}\n{job:?}"),
            }
            return Ok(());
        }
    };
    counts.add("released");
    let release = File::read(&output, job.spreadsheet_safe);
    let plain = in_brackets(&job, folder.path());
    let judged = Judged {
        case,
        job: &job,
        outcome: &outcome,
        kept: Kept::of(&table, &job),
        plain: plain.as_ref().unwrap_or(&release),
        table: &table,
        original: &original(&job).unwrap(),
        release: &release,
    };
    judged.check_rows()?;
    judged.check_claims()?;
    for name in &job.quasi {
        if judged.check_column(name)? {
            counts.add("columns whose spelled values are known exactly");
        }
        counts.add("columns");
    }
    if judged.check_losses()? {
        counts.add("losses compared");
    }
    check_order(&job, &release)
}

/// The same release with intervals in brackets, where its own style does not show their ends.
fn in_brackets(job: &Job, folder: &Path) -> Option<File> {
    (job.interval_style == IntervalStyle::Midpoint).then(|| {
        let output = folder.join("brackets.csv");
        let interval_style = IntervalStyle::Brackets;
        let job = Job { interval_style, output, ..job.clone() };
        job::run(&job, &Silent).unwrap();
        File::read(&job.output, job.spreadsheet_safe)
    })
}

/// Why a job is refused.
enum Refusal {
    /// No release meets the goal.
    Unreachable,
    /// The options contradict each other or the table; a part of the message says how.
    Invalid(&'static str),
}

/// A group has the name of a value, and nobody said that it may.
const FORCE: &str = "--force-labels";

/// Why a job is refused; none if nothing that random jobs ask for is a reason.
fn refused(error: &Error) -> Option<Refusal> {
    let told = [
        "cannot do this",
        "cannot be hidden",
        "has missing values",
        "choose another loss",
        "no hierarchy can be built",
        "has a limit but no tree",
        "is no level",
        "generalizes one quasi-identifier",
        FORCE,
    ];
    match error {
        Error::Unreachable(_) => Some(Refusal::Unreachable),
        Error::Invalid(message) => {
            told.into_iter().find(|told| message.contains(told)).map(Refusal::Invalid)
        }
        _ => None,
    }
}

/// In random order the same records are published, the same with any number of threads.
fn check_order(job: &Job, kept: &File) -> Result<(), TestCaseError> {
    let bytes = |threads| {
        let job = Job { keep_order: false, threads, ..job.clone() };
        job::run(&job, &Silent).map(|_| std::fs::read(&job.output).unwrap())
    };
    let (one, two) = (bytes(1).unwrap(), bytes(2).unwrap());
    prop_assert!(one == two, "{job:?}");
    let mut rows = File::read(&job.output, job.spreadsheet_safe).rows;
    let mut wanted = kept.rows.clone();
    rows.sort();
    wanted.sort();
    prop_assert_eq!(rows, wanted);
    Ok(())
}
