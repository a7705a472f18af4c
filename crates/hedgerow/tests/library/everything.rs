//! Runs whole jobs on random tables, methods, hierarchies, models, policies and styles, and checks
//! the written files with a second implementation that sees only the files.
//!
//! At the end it prints how many cases were released, refused and compared; `--nocapture` shows it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use crate::cases::{cases, is_fixed};
use crate::judged::{Judged, Kept};
use crate::random::{Case, case};
use crate::refusals;
use crate::refusals::Refused;
use crate::remeasure::original;
use crate::second::File;
use hedgerow::job::{self, Job};
use hedgerow::progress::Silent;
use hedgerow::release::IntervalStyle;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Number of cases by how they ended and how they were compared.
#[derive(Debug, Default)]
pub(crate) struct Counts(RefCell<BTreeMap<&'static str, u32>>);

/// Minimum number of the fixed cases that must end in each of these ways, so that a library that
/// refuses everything does not pass.
const LEAST: [(&str, u32); 3] = [
    ("released", 300),
    ("losses compared", 220),
    ("columns whose spelled values are known exactly", 600),
];

impl Counts {
    pub(crate) fn add(&self, what: &'static str) {
        *self.0.borrow_mut().entry(what).or_default() += 1;
    }

    fn of(&self, what: &str) -> u32 {
        self.0.borrow().get(what).copied().unwrap_or(0)
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
    if is_fixed() {
        for (what, least) in LEAST {
            assert!(counts.of(what) >= least, "{what}: fewer than {least}");
        }
    }
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
            return refusals::check(&Refused { case, job: &job, table: &table, error }, counts);
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

/// Returns the same release with intervals in brackets, if its own style does not show their ends.
fn in_brackets(job: &Job, folder: &Path) -> Option<File> {
    (job.interval_style == IntervalStyle::Midpoint).then(|| {
        let output = folder.join("brackets.csv");
        let interval_style = IntervalStyle::Brackets;
        let job = Job { interval_style, output, ..job.clone() };
        job::run(&job, &Silent).unwrap();
        File::read(&job.output, job.spreadsheet_safe)
    })
}

/// Checks that a shuffled release has the same records, and is the same with any number of threads.
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
