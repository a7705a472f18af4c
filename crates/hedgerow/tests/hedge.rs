//! `hedge`: sweeps and time never increase the loss, and threads change nothing.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hedgerow::certificate::Certificate;
use hedgerow::loss::{Loss, Ntil, Partition};
use hedgerow::prelude::*;
use hedgerow::privacy::{self, Known, Secret};

/// Lets a search go on until it has asked for the time this many times.
struct Patient {
    asked: AtomicU64,
    most: u64,
    threads: usize,
}

impl Patient {
    fn new(most: u64) -> Self {
        Self { asked: AtomicU64::new(0), most, threads: 1 }
    }
}

impl Progress for Patient {
    fn out_of_time(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.most
    }

    fn goes_on(&self) -> bool {
        self.most > 0
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

/// A table of three columns of numbers and one of words, without regularity.
fn table(n_rows: u64, seed: u64) -> Table {
    Table::from_rows(&["x", "y", "z", "tree"], &rows(n_rows, seed)).unwrap()
}

fn rows(n_rows: u64, seed: u64) -> Vec<[String; 4]> {
    let mixed = |row: u64, column: u64| {
        let x = (row * 4 + column + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (x ^ (x >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
    };
    let words = ["oak", "ash", "elm", "fir", "yew"];
    (0..n_rows)
        .map(|row| {
            // Small numbers are more frequent, so that some tuples occur several times.
            let number =
                |column: u64, n: u64| (mixed(row, column) % n).min(mixed(row, column + 9) % n);
            let word = words[(mixed(row, 3) % 5) as usize];
            let [x, y, z] = [number(0, 40), number(1, 12), number(2, 7)];
            [x.to_string(), y.to_string(), z.to_string(), word.to_owned()]
        })
        .collect()
}

fn problem(n_rows: u64, seed: u64, k: u64) -> Problem {
    let table = table(n_rows, seed);
    let methods = if seed.is_multiple_of(2) { ["iotf", "frequency"] } else { ["free", "free"] };
    let built = table.columns().iter().map(|column| {
        let method = methods[usize::from(column.name == "tree")];
        hedgerow::builder::build(&method.parse().unwrap(), column, None).unwrap()
    });
    let model = Box::new(KAnonymity::new(k).unwrap());
    Problem::new(&table, built.collect(), vec![model]).unwrap()
}

/// A problem with a model for the column of words, of which some records may be suppressed.
fn required(n_rows: u64, seed: u64, model: &str, most_suppressed: u64) -> Problem {
    let rows = rows(n_rows, seed);
    let columns = Columns::quasi(&["x", "y", "z"]).and_beside(&["tree"]);
    let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
    let secrets = [Arc::new(Secret::of(&table, "tree").unwrap())];
    let known = Known { table: &table, secrets: &secrets, has_population: false };
    let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(3).unwrap())];
    models.extend(privacy::from_spec(&model.parse().unwrap(), &known).unwrap());
    let built = table.columns().iter().map(|column| Free.build(column).unwrap()).collect();
    let limits = Limits { most_suppressed, ..Limits::default() };
    Problem::with_limits(&table, built, models, limits).unwrap()
}

/// The loss of a result in which every class is large enough.
fn loss(problem: &Problem, hedge: Hedge, progress: &dyn Progress) -> f64 {
    let recoding = problem.solve(&hedge, progress).unwrap();
    assert!(recoding.sizes().iter().all(|&size| size >= problem.k()));
    Ntil.of(&Partition::of(problem, &recoding)).unwrap()
}

#[test]
fn no_sweep_increases_the_loss_and_the_first_ones_lower_it() {
    let mut totals = [0.0; 2];
    for seed in 0..6 {
        let problem = problem(300 + 50 * seed, seed, 2 + seed);
        let of_sweeps = |sweeps| loss(&problem, Hedge { sweeps, ..Hedge::default() }, &Silent);
        let losses: Vec<f64> = (0..7).map(of_sweeps).collect();
        assert!(losses.is_sorted_by(|a, b| *b <= a + 1e-12), "{losses:?}");
        totals = [totals[0] + losses[0], totals[1] + losses[2]];
    }
    assert!(totals[1] < totals[0], "{totals:?}");
}

#[test]
fn more_time_never_loses_more() {
    for threads in [1, 3] {
        let problem = problem(400, 1, 4);
        let losses: Vec<f64> = [1, 20, 200, 1000, 3000]
            .map(|most| {
                loss(&problem, Hedge::default(), &Patient { threads, ..Patient::new(most) })
            })
            .into();
        assert!(losses.is_sorted_by(|a, b| *b <= a + 1e-12), "{losses:?}");
        assert!(losses[4] < losses[0], "{losses:?}");
    }
}

/// The models are met by mending after the search, which can cost more for better classes.
#[test]
fn more_time_never_loses_more_whatever_is_required() {
    let models =
        ["l-diversity:l=3", "t-closeness:t=0.3", "alpha-k:alpha=0.4", "tau-lambda:tau=3,lambda=2"];
    for (seed, model) in (0..).zip(models) {
        for most_suppressed in [0, 5, 60] {
            let problem = required(150, seed, model, most_suppressed);
            let losses: Vec<f64> = [1, 20, 130, 200, 300, 600, 2000]
                .map(|most| {
                    let patient = Patient::new(most);
                    let recoding = problem.solve(&Hedge::default(), &patient).unwrap();
                    Ntil.of(&Partition::of(&problem, &recoding)).unwrap()
                })
                .into();
            let never_more = losses.is_sorted_by(|a, b| *b <= a + 1e-12);
            assert!(never_more, "{model} {most_suppressed}: {losses:?}");
        }
    }
}

#[test]
fn a_time_limit_is_used_and_told() {
    let table = table(200, 0);
    let study = Study::new(&table, Demands { k: 3, ..Demands::default() }, None, &Silent).unwrap();
    let solved = study.search(&"hedge".parse().unwrap(), Some(0.2), &Silent).unwrap();
    assert!(solved.recoding.notes.iter().any(|note| note.contains("until the time limit")));
    // A time for `auto` is what it plans for.
    let chosen = study.search(&"auto".parse().unwrap(), Some(0.2), &Silent).unwrap();
    assert!(!chosen.recoding.notes.iter().any(|note| note.contains("until the time limit")));
}

#[test]
fn a_search_that_gains_nothing_more_does_not_blame_the_time() {
    let table = Table::from_rows(&["x"], &[["1"], ["2"], ["5"], ["6"], ["7"]]).unwrap();
    let study = Study::new(&table, Demands { k: 2, ..Demands::default() }, None, &Silent).unwrap();
    let solved = study.search(&"hedge".parse().unwrap(), Some(600.0), &Silent).unwrap();
    let notes = &solved.recoding.notes;
    assert!(notes.iter().any(|note| note.ends_with("the last 40 without a gain")), "{notes:?}");
    assert!(!notes.iter().any(|note| note.contains("time limit")), "{notes:?}");
}

/// A limit that `auto` plans for ends a search that takes longer than estimated.
#[test]
fn a_time_limit_ends_mending_and_sweeps_that_need_not_use_it_up() {
    struct Late;
    impl Progress for Late {
        fn out_of_time(&self) -> bool {
            true
        }
    }
    let problem = problem(400, 1, 4);
    let cut = problem.solve(&Hedge::default(), &Late).unwrap();
    assert!(cut.early.is_some());
    let merged = problem.solve(&Hedge { rounds: 0, sweeps: 0, ..Hedge::default() }, &Silent);
    assert_eq!(cut.takes(), merged.unwrap().takes());
}

#[test]
fn mondrian_cuts_the_same_on_any_number_of_threads() {
    for (seed, method) in (0..).zip(["mondrian", "mondrian:variant=relaxed,cut=loss"]) {
        let problem = problem(3000, seed, 3);
        let mondrian = hedgerow::anonymize::from_spec(&method.parse().unwrap()).unwrap();
        let on = |threads| {
            let progress = Patient { threads, ..Patient::new(0) };
            problem.solve(&*mondrian, &progress).unwrap().takes().to_vec()
        };
        let alone = on(1);
        assert_eq!(alone, on(2));
        assert_eq!(alone, on(7));
    }
}

#[test]
fn threads_do_not_matter() {
    // Large enough for batches that are divided among threads.
    let problem = problem(9000, 2, 3);
    let on = |threads| {
        let progress = Patient { threads, ..Patient::new(0) };
        problem.solve(&Hedge::default(), &progress).unwrap().takes().to_vec()
    };
    let alone = on(1);
    assert_eq!(alone, on(2));
    assert_eq!(alone, on(5));
}

#[test]
fn no_release_is_below_its_certificate() {
    for seed in 0..6 {
        let problem = problem(150, seed, 2 + seed % 3);
        let certificate = Certificate::of(&problem, 4_000_000, &Silent).unwrap();
        let certified = certificate.certifies(loss(&problem, Hedge::default(), &Silent)).unwrap();
        assert!(certified.bound > 0.0 && certified.bound <= certified.loss, "{certified:?}");
        let ratio = certified.ratio.unwrap();
        assert!((1.0..2.0).contains(&ratio), "{certified:?}");
    }
}
