//! The order of records: the same for the same job, unrelated in different releases of a table.

use std::collections::BTreeMap;

use crate::support::{Place, shown};

const N_ROWS: usize = 600;

/// A table in which each record has a number that is published unchanged, so that orders can be
/// compared.
fn table() -> String {
    let row = |i: usize| {
        let age = if i.is_multiple_of(50) { 500 + 70 * i } else { 20 + i * i % 47 }; // some are far from all
        let zip = 100 + i * 7 % 13;
        format!("{i},{age},{zip},{}\n", ["flu", "ulcer", "gout"][i % 3])
    };
    "id,age,zip,illness\n".to_owned() + &(0..N_ROWS).map(row).collect::<String>()
}

/// Returns the position of every record in a release.
fn places(place: &Place, options: &str) -> BTreeMap<usize, f64> {
    let run =
        place.hedgerow(&format!("anonymize t.csv -o r.csv --keep id --quiet --force {options}"));
    assert_eq!(run.status.code(), Some(0), "{options}: {}", shown(&run));
    let release = String::from_utf8(place.read("r.csv")).unwrap();
    let ids = release.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap());
    ids.zip(0..).map(|(id, place)| (id, f64::from(place))).collect()
}

/// Returns Spearman's rank correlation (without ties) of the records that two releases share.
fn correlation(one: &BTreeMap<usize, f64>, other: &BTreeMap<usize, f64>) -> f64 {
    let ranks = |places: &BTreeMap<usize, f64>, among: &BTreeMap<usize, f64>| {
        let mut order: Vec<_> = places.iter().filter(|(id, _)| among.contains_key(id)).collect();
        order.sort_by(|a, b| a.1.total_cmp(b.1));
        order.into_iter().map(|(&id, _)| id).zip(0..).collect::<BTreeMap<usize, i32>>()
    };
    let (one, other) = (ranks(one, other), ranks(other, one));
    let n = one.len() as f64;
    let squares = one.iter().map(|(id, rank)| f64::from(rank - other[id]).powi(2)).sum::<f64>();
    1.0 - 6.0 * squares / (n * (n * n - 1.0))
}

#[test]
fn releases_that_differ_in_one_option_have_unrelated_orders() {
    let place = Place::new().with("t.csv", table());
    let base = places(&place, "-q age -k 30");
    for options in [
        "-q zip -k 30",
        "-q age,zip -k 30",
        "-q age -k 31",
        "-q age -k 30 --seed 1",
        "-q age -k 30 --method mondrian",
        "-q age -k 30 --interval-style dash",
        "-q age -k 30 --interval-style bounds",
        "-q age -k 30 --hierarchy age=equal-width",
        "-q age -k 30 --suppress 20% --method optimal --drop-suppressed",
        "-q age -k 30 -i zip",
        "-q age -k 30 -s illness",
        "-q age -k 30 -s illness --l-diversity 2",
        "-q age -k 30 --missing drop",
    ] {
        let rho = correlation(&base, &places(&place, options));
        assert!(rho.abs() < 4.0 / (N_ROWS as f64).sqrt(), "{options}: {rho}");
    }
}

#[test]
fn leaving_suppressed_records_out_gives_another_order() {
    let place = Place::new().with("t.csv", table());
    let options = "-q age -k 30 --suppress 30% --method optimal";
    let all = places(&place, options);
    let published = places(&place, &format!("{options} --drop-suppressed"));
    assert!(published.len() < all.len(), "something is suppressed");
    let rho = correlation(&all, &published);
    assert!(rho.abs() < 4.0 / (published.len() as f64).sqrt(), "{rho}");
}

#[test]
fn the_same_job_gives_the_same_order_wherever_its_files_are() {
    let tree = (0..12).map(|i| format!("{};*\n", 500 + 3500 * i)).collect::<String>()
        + &(20..67).map(|age| format!("{age};*\n")).collect::<String>();
    let job = "input = 't.csv'\noutput = 'r.csv'\nquasi = ['age']\nkeep = ['id']\nk = 5\nhierarchy.age = 'age.csv'\n";
    let run = || {
        let place = Place::new().with("t.csv", table()).with("age.csv", &tree).with("j.toml", job);
        let run = place.shell("cd /; \"$HEDGEROW\" anonymize \"$OLDPWD/j.toml\" --quiet");
        assert_eq!(run.status.code(), Some(0), "{}", shown(&run));
        place.read("r.csv")
    };
    assert!(run() == run());
}
