//! Rare values that are hidden: what that costs does not depend on how numbers are written, and only
//! the records that have them pay for it.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Write as _;
use std::path::Path;

use hedgerow::hierarchy::RareValues;
use hedgerow::job::{self, Job};
use hedgerow::progress::Silent;
use hedgerow::report::Outcome;

fn hidden(folder: &Path, rows: &str, hierarchy: Option<&str>, method: &str) -> Outcome {
    let input = folder.join("t.csv");
    std::fs::write(&input, rows).unwrap();
    let mut job = Job::new(input, folder.join("r.csv"), vec!["x".to_owned()], 5);
    job.rare_values = RareValues::Hide;
    job.method = method.parse().unwrap();
    job.force = true;
    job.keep_order = true;
    job.hierarchy.extend(hierarchy.map(|spec| ("x".to_owned(), spec.parse().unwrap())));
    job::run(&job, &Silent).unwrap()
}

#[test]
fn decimals_do_not_change_what_an_interval_costs() {
    let folder = tempfile::tempdir().unwrap();
    let mut wholes = "x\n".to_owned();
    let mut decimals = "x\n".to_owned();
    for i in 0..200_u32 {
        let number = i * i * 7 % 9_973;
        writeln!(wholes, "{number}").unwrap();
        writeln!(decimals, "{}.{:02}", number / 100, number % 100).unwrap();
    }
    for method in ["hedge", "k-member", "mondrian"] {
        let wholes = hidden(folder.path(), &wholes, Some("free"), method);
        let decimals = hidden(folder.path(), &decimals, Some("free"), method);
        for outcome in [&wholes, &decimals] {
            let (classes, release) = (outcome.loss["ntil"], outcome.release_loss["ntil"]);
            assert!((classes - release).abs() < 1e-9, "{method}: {classes} and {release}");
        }
        let ratio = decimals.loss["ntil"] / wholes.loss["ntil"];
        assert!((0.8..1.25).contains(&ratio), "{method}: {ratio}");
    }
}

#[test]
fn sets_of_a_traversal_stay_where_only_some_values_are_rare() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = "x\n".to_owned();
    for value in 0..40 {
        let n_records = if value % 4 == 0 { 2 } else { 6 };
        (0..n_records).for_each(|_| writeln!(rows, "v{value}").unwrap());
    }
    let outcome = hidden(folder.path(), &rows, None, "traversal");
    let release = std::fs::read_to_string(folder.path().join("r.csv")).unwrap();
    let n_stars = release.lines().filter(|line| *line == "*").count();
    // Ten values belong to two records each, and no others have to be generalized.
    assert_eq!(n_stars, 20, "{outcome:?}");
}
