//! Searches end soon after their time limit, whatever they would do with more time.

use std::time::{Duration, Instant};

use hedgerow::anonymize::Solved;
use hedgerow::method::{Scope, Spec};
use hedgerow::progress::Silent;
use hedgerow::study::{Demands, Study};
use hedgerow::table::Table;

/// Seconds that a search is given.
const TIME: f64 = 0.5;

/// Time after which it must have ended, however slow the computer is. It includes the part of a
/// search that cannot be left out.
const ENOUGH: Duration = Duration::from_secs(20);

/// Ten columns of numbers, of which a full-domain search would visit millions of generalizations.
fn table() -> Table {
    let names: Vec<String> = (0..10).map(|place| format!("c{place}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let cell = |row: u64, place: u64| {
        let x = (row * 16 + place).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) % (3 + 4 * place)
    };
    let row = |row| (0..10).map(|place| cell(row, place).to_string()).collect();
    let rows: Vec<Vec<String>> = (0..3000).map(row).collect();
    Table::from_rows(&names, &rows).unwrap()
}

/// The result of a search with a time limit, which must not take much longer.
fn in_time(method: &str, recoding: Scope, suppressed: &str) -> Solved {
    let table = table();
    let start = Instant::now();
    let method: Spec = method.parse().unwrap();
    let is_chosen = method.name == "auto";
    let demands = Demands {
        k: 5,
        recoding,
        suppress: suppressed.parse().unwrap(),
        method: (!is_chosen).then(|| method.clone()),
        time: Some(TIME),
        ..Demands::default()
    };
    let study = Study::new(&table, demands, None, &Silent).unwrap();
    let solved = study.search(&method, Some(TIME), &Silent).unwrap();
    let taken = start.elapsed();
    assert!(taken < ENOUGH, "{method} took {taken:?}");
    solved
}

#[test]
fn genetic_ends_when_its_time_is_over_and_says_so() {
    let solved = in_time("genetic:steps=1000000000000", Scope::Local, "5%");
    let early = solved.recoding.early.unwrap();
    assert!(early.why.contains("time limit"), "{}", early.why);
}

#[test]
fn auto_ends_when_its_time_is_over_for_every_recoding() {
    for recoding in [Scope::Local, Scope::Global, Scope::FullDomain] {
        for suppressed in ["0%", "5%"] {
            let solved = in_time("auto", recoding, suppressed);
            // Local recoding may end in time; a lattice of millions of nodes is always cut.
            let may_end = recoding == Scope::Local || solved.recoding.early.is_some();
            assert!(may_end, "{} for {recoding:?} was not cut", solved.method);
        }
    }
}

#[test]
fn hedge_ends_when_its_time_is_over() {
    let solved = in_time("hedge", Scope::Local, "0%");
    assert!(solved.recoding.early.is_some());
}
