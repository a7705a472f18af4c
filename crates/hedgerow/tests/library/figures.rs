//! The losses that a run reports equal those computed from its files: cases that are hard to get
//! right. `everything.rs` checks the same on random jobs.

use std::collections::BTreeMap;

use crate::remeasure::{measured, original};
use hedgerow::builder;
use hedgerow::format::{self, Format};
use hedgerow::hierarchy::{Generalization, Hierarchy, RareValues};
use hedgerow::job::{self, Job};
use hedgerow::method::Spec;
use hedgerow::progress::Silent;
use hedgerow::table::Table;

/// A job on a table of one column, with a hierarchy.
struct Example {
    folder: tempfile::TempDir,
    job: Job,
}

impl Example {
    fn new(cells: &[&str], k: u64, hierarchy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("table.csv"), folder.path().join("release.csv"));
        let rows: String = cells.iter().map(|cell| format!("\"{cell}\"\n")).collect();
        std::fs::write(&input, format!("x\n{rows}")).unwrap();
        let mut job = Job::new(input, output, vec!["x".into()], k);
        job.hierarchy.insert("x".into(), hierarchy.parse().unwrap());
        job.method = Spec::named("k-member");
        job.delimiter = Some(',');
        Self { folder, job }
    }

    /// Returns a job with a hierarchy from a file.
    fn of_file(cells: &[&str], k: u64, name: &str, text: &str) -> Self {
        let mut example = Self::new(cells, k, "free");
        let path = example.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        example.job.hierarchy.insert("x".into(), path.to_str().unwrap().parse().unwrap());
        example
    }

    fn with(mut self, change: impl Fn(&mut Job)) -> Self {
        change(&mut self.job);
        self
    }

    fn shown(&self) -> String {
        std::fs::read_to_string(&self.job.output).unwrap()
    }

    /// Returns the losses of the run, after checking that its files give the same.
    fn losses(&self) -> BTreeMap<&'static str, f64> {
        let outcome = job::run(&self.job, &Silent).unwrap();
        let table = original(&self.job).unwrap();
        let built = builder::build(&self.job.hierarchy["x"], &table.columns()[0], Some(self.job.k));
        let trees = match built.unwrap() {
            Generalization::Tree(tree) => BTreeMap::from([("x".to_owned(), (*tree).clone())]),
            _ => BTreeMap::new(),
        };
        for (name, found) in measured(&self.job, &trees, self.job.k) {
            let wanted = outcome.release_loss[name];
            assert!((found - wanted).abs() < 1e-9, "{name}: {wanted}, measured {found}");
        }
        outcome.release_loss
    }
}

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
}

#[test]
fn identical_records_lose_nothing() {
    let losses = Example::new(&["7"; 7], 3, "iotf").losses();
    for name in ["ntil", "entropy", "distortion", "gcp", "nil1", "nilinf"] {
        near(losses[name], 0.0);
    }
    near(losses["precision"], 1.0);
}

/// The class of `a` and `b` is published as `*`, and so is a class with a missing value, so a
/// reader cannot distinguish them.
#[test]
fn a_star_counts_the_missing_values_that_it_may_represent() {
    let tree = "a;*\nb;*\nc;*\nd;*\n";
    let cells = ["a", "b", "c", "d", "", ""];
    let example = Example::of_file(&cells, 2, "x.csv", tree);
    let losses = example.losses();
    assert!(example.shown().contains('*'));
    // Four of six records are published as `*`, which may be any of the six.
    let all = 6.0 * 6f64.log2() - 2.0;
    near(losses["entropy"], (4.0 * 6f64.log2()) / all);
    near(losses["precision"], 1.0 - 4.0 / 6.0);
    near(losses["distortion"], 4.0 / 6.0);
}

#[test]
fn a_star_always_has_a_cost() {
    let losses = Example::new(&["12", "12", "12", ""], 4, "dbgh").losses();
    near(losses["ntil"], 1.0);
}

/// Returns a tree as a file in every format that can represent it.
fn files(tree: &Hierarchy) -> Vec<(String, String)> {
    let file = |format: &Format| {
        let bytes = format.encode(tree, false).ok()?.bytes;
        Some((format!("x.{}", format.item.extension), String::from_utf8(bytes).unwrap()))
    };
    let files: Vec<_> = format::ALL.iter().filter_map(file).collect();
    assert!(files.len() > 5, "{files:?}");
    files
}

/// Dates have the same cost with a built tree and with that tree read from a file.
#[test]
fn dates_of_a_file_have_the_cost_of_the_built_tree() {
    let cells = ["2024-02-01", "2024-02-02", "2024-02-05", "2024-02-06"];
    let built = Example::new(&cells, 2, "iotf");
    let losses = built.losses();
    near(losses["ntil"], 0.2);
    let table = original(&built.job).unwrap();
    let tree = builder::build(&Spec::named("iotf"), &table.columns()[0], None).unwrap();
    for (name, text) in files(tree.hierarchy().unwrap()) {
        near(Example::of_file(&cells, 2, &name, &text).losses()["ntil"], 0.2);
    }
}

/// The date format of the column decides which number is the day and which the month.
#[test]
fn dates_of_a_file_have_the_format_of_the_column() {
    let cells = ["01/02/2024", "02/02/2024", "05/02/2024", "06/02/2024"];
    let tree = "01/02/2024;early;*\n02/02/2024;early;*\n05/02/2024;late;*\n06/02/2024;late;*\n";
    let example = Example::of_file(&cells, 2, "x.csv", tree);
    let example = example.with(|job| {
        job.date_format.insert("x".into(), "dmy".parse().unwrap());
    });
    near(example.losses()["ntil"], 0.2);
}

/// Calendar groups end at their last moment, but not after the last date.
#[test]
fn named_groups_of_dates_have_the_same_end_in_every_format() {
    let cells = ["2024-01-03", "2024-01-05", "2024-02-01", "2024-02-03"];
    let by_calendar = Example::new(&cells, 2, "calendar").losses();
    let table = Table::from_rows(&["x"], &cells.map(|cell| [cell])).unwrap();
    let tree = builder::build(&Spec::named("calendar"), &table.columns()[0], None).unwrap();
    for (name, text) in files(tree.hierarchy().unwrap()) {
        let losses = Example::of_file(&cells, 2, &name, &text).losses();
        near(losses["ntil"], by_calendar["ntil"]);
    }
    let named = "2024-01-03;winter;*\n2024-01-05;winter;*\n2024-02-01;late;*\n2024-02-03;late;*\n";
    near(Example::of_file(&cells, 2, "x.csv", named).losses()["ntil"], 2.0 / 31.0);
}

#[test]
fn a_label_on_two_levels_is_on_the_higher_one() {
    // [1, 6] has descendants [1, 2] on two levels, and [3, 6] with children [3, 4] and [5, 6].
    let example = Example::new(&["1", "2", "4", "6"], 2, "cbgh");
    let losses = example.losses();
    assert!(example.shown().contains("[1, 2]"), "{}", example.shown());
    near(losses["precision"], 1.0 - 2.0 / 3.0);
}

/// A reader cannot distinguish a value that is spelled `*` from a generalized one.
#[test]
fn a_star_among_words_means_anything() {
    for hierarchy in ["free", "frequency"] {
        let example = Example::new(&["*", "*", "a", "b", "c", "d"], 2, hierarchy);
        let losses = example.losses();
        assert!(losses["ntil"] >= 2.0 / 6.0, "{hierarchy}: {losses:?}");
        let warnings =
            job::run(&example.with(|job| job.force = true).job, &Silent).unwrap().warnings;
        assert!(
            warnings.iter().any(|warning| warning.to_string().contains("the value '*' (row 1"))
        );
    }
}

/// Six records have the value `**`, and the other six are suppressed.
#[test]
fn suppressed_records_are_distinct_from_values_that_are_stars() {
    let cells = [["**"; 6], ["a", "b", "b", "b", "b", "b"]].concat();
    let example = Example::new(&cells, 6, "frequency").with(|job| {
        job.limit.insert("x".into(), vec!["level:0".into()]);
        job.suppress = "60%".parse().unwrap();
    });
    near(example.losses()["ntil"], 0.5);
}

/// The dates are 5 and 20 January, and only one record has the first.
#[test]
fn rare_dates_are_hidden_and_counted_in_every_notation() {
    for (label, hidden) in [
        ("[5/1/2024, 31/1/2024]", "[2024, 31/1/2024]"),
        ("[05/01/2024,31/01/2024]", "[2024, 31/01/2024]"),
        ("[05/01/2024; 31/01/2024[", "[2024, 31/01/2024]"),
        ("5.1.2024 - 31.1.2024", "[2024, 31.1.2024]"),
        ("[2024-01-05, 2024-01]", "[2024, 2024-01]"),
        ("<=5/2/2024", "<=5/2/2024"),
    ] {
        let cells = ["05/01/2024", "20/01/2024", "20/01/2024", "05/03/2024", "05/03/2024"];
        let january = ["05/01/2024", "20/01/2024"].map(|day| format!("{day};\"{label}\";*\n"));
        let tree = format!("{}05/03/2024;later;*\n", january.concat());
        let example = |rare_values| {
            let example = Example::of_file(&cells, 2, "x.csv", &tree);
            example.with(|job| {
                job.date_format.insert("x".into(), "dmy".parse().unwrap());
                job.rare_values = rare_values;
                job.limit.insert("x".into(), vec!["level:1".into()]);
                job.method = Spec::named("optimal");
                job.force = true;
            })
        };
        let shown = |example: &Example| {
            example.losses();
            let spelled = job::run(&example.job, &Silent).unwrap().exposure.spelled["x"];
            (example.shown(), spelled.rare)
        };
        let (text, n_rare) = shown(&example(RareValues::Show));
        assert!(text.contains(label), "{text}");
        assert_eq!(n_rare, usize::from(label != hidden), "{label}");
        let (text, n_rare) = shown(&example(RareValues::Hide));
        assert!(text.contains(hidden), "{text}");
        assert_eq!(n_rare, 0, "{label}");
    }
}

/// Nanoseconds since 1970 have 19 digits.
#[test]
fn timestamps_with_nanoseconds_are_hidden() {
    let cells = [
        "2024-03-03T05:55:00.123456789",
        "2024-03-03T05:55:00.123456790",
        "2024-03-05T05:55:00.000000001",
        "2024-03-05T05:55:00.000000001",
    ];
    for hierarchy in ["free", "iotf", "calendar"] {
        let example = Example::new(&cells, 2, hierarchy);
        let example = example.with(|job| job.rare_values = RareValues::Hide);
        example.losses();
        assert!(!example.shown().contains(".12345"), "{hierarchy}: {}", example.shown());
    }
}
