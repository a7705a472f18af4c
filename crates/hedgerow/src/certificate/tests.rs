//! Bounds that METHODS states, and bounds that are checked by brute force.

use super::*;
use crate::builder;
use crate::loss::{Loss, Ntil, Partition};
use crate::privacy::KAnonymity;
use crate::problem::Limits;
use crate::progress::Silent;
use crate::proposal::{Class, Proposal, Take};
use crate::random::Random;
use crate::table::{Cohort, Table};

/// Three numbers of Adult.
fn adult() -> Table {
    let mut reader =
        csv::Reader::from_path(concat!(env!("CARGO_MANIFEST_DIR"), "/data/adult.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let names = ["age", "education-num", "hours-per-week"];
    let places = names.map(|name| header.iter().position(|column| column == name).unwrap());
    let rows = reader
        .records()
        .map(|record| places.map(|place| record.as_ref().unwrap()[place].to_owned()));
    Table::from_rows(&names, &rows.collect::<Vec<_>>()).unwrap()
}

fn problem(table: &Table, methods: &[&str], k: u64) -> Problem {
    suppressing(table, methods, k, 0)
}

/// A problem in which records may be suppressed.
fn suppressing(table: &Table, methods: &[&str], k: u64, most_suppressed: u64) -> Problem {
    let columns = table.columns().iter().zip(methods.iter().cycle());
    let built = columns
        .map(|(column, method)| builder::build(&method.parse().unwrap(), column, None).unwrap());
    let limits = Limits { most_suppressed, ..Limits::default() };
    let model = Box::new(KAnonymity::new(k).unwrap());
    Problem::with_limits(table, built.collect(), vec![model], limits).unwrap()
}

fn assert_near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 5.1e-8, "{found} instead of {wanted}");
}

#[test]
fn distances_to_the_nearest_records_are_those_of_methods() {
    let table = adult();
    let found = |method, k| {
        let problem = problem(&table, &[method], k);
        let space = Space::new(&problem);
        mean(&nearest(&space, &problem.cohorts().counts, &Silent).unwrap().farthest, &problem)
    };
    for (k, wanted) in [(2, 0.001_538_9), (5, 0.004_613_9), (10, 0.008_054_0), (20, 0.013_059_0)] {
        assert_near(found("iotf", k), wanted);
    }
    for (k, wanted) in [(2, 0.000_832_1), (5, 0.002_407_1), (10, 0.004_088_7), (20, 0.006_408_8)] {
        assert_near(found("free", k), wanted);
    }
}

#[test]
fn the_cheapest_boxes_and_the_ascent_reach_what_methods_say() {
    let table = adult();
    let wanted =
        [(2, 0.001_538_9, 0.002_04), (5, 0.005_195_3, 0.007_17), (20, 0.015_459_0, 0.021_4)];
    for (k, cheapest, ascent) in wanted {
        let problem = problem(&table, &["iotf"], k);
        assert_near(mean(&cheapest_prices(&problem), &problem), cheapest);
        let found = Certificate::of(&problem, Certificate::EFFORT, &Silent).unwrap();
        assert!(found.bound >= ascent, "k = {k}: {found:?}");
        assert_eq!(found.proof, Proof::Relaxation);
        assert!(found.effort.boxes > 10_000, "{found:?}");
        assert_eq!((found.effort.tuples, found.effort.nearest), (problem.cohorts().len(), 0));
    }
}

fn cheapest_prices(problem: &Problem) -> Vec<f64> {
    let space = Space::new(problem);
    let found = nearest(&space, &problem.cohorts().counts, &Silent).unwrap();
    let mut cheapest = Cheapest::new(found.farthest, found.hulls);
    assert!(Boxes::new(problem, &space, u64::MAX / 4).visit(&mut cheapest, &Silent).unwrap());
    cheapest.prices().0
}

/// Small tables of three columns, with trees, levels that are not nested, intervals and sets.
fn small_tables() -> impl Iterator<Item = (Table, [&'static str; 3], u64)> {
    let methods = [
        ["iotf", "iotf", "frequency"],
        ["free", "iotf", "free"],
        ["dbgh", "free", "frequency"],
        ["free", "least-loss", "free"],
    ];
    (0..60).map(move |seed| {
        let mut random = Random::new(seed);
        let words = ["a", "b", "c", "d", "e"];
        let rows: Vec<[String; 3]> = (0..6 + seed % 20)
            .map(|_| {
                let number = |random: &mut Random, n: usize| random.below(n).to_string();
                let (x, y) = (number(&mut random, 9), number(&mut random, 4));
                [x, y, words[random.below(words.len())].to_owned()]
            })
            .collect();
        let table = Table::from_rows(&["x", "y", "z"], &rows).unwrap();
        (table, methods[seed as usize % methods.len()], 2 + seed % 3)
    })
}

#[test]
fn no_box_is_too_cheap_for_its_prices() {
    let mut n_tables = 0;
    for (table, methods, k) in small_tables() {
        let problem = problem(&table, &methods, k);
        let space = Space::new(&problem);
        let first = cheapest_prices(&problem);
        let ceilings = first.iter().map(|price| price * 10.0).collect();
        let mut collected = Collected::new(ceilings);
        assert!(Boxes::new(&problem, &space, u64::MAX / 4).visit(&mut collected, &Silent).unwrap());
        let mut ascent = Ascent::new(&problem, collected, &first);
        ascent.run(&Silent).unwrap();
        assert!(mean(ascent.prices(), &problem) >= mean(&first, &problem));
        let farthest = nearest(&space, &problem.cohorts().counts, &Silent).unwrap().farthest;
        for prices in [&farthest, &first, ascent.prices()] {
            check_prices(&problem, prices, &format!("{methods:?} {k}"));
        }
        n_tables += usize::from(problem.cohorts().n_records() <= MOST_RECORDS);
    }
    assert!(n_tables >= 20);
}

/// Tables of more records have too many classes to try them all.
const MOST_RECORDS: u64 = 16;

/// In every class of `k` records, which some release can have, the prices are at most the cost of
/// its records in total.
fn check_prices(problem: &Problem, prices: &[f64], name: &str) {
    let k = problem.least_size();
    let counted = problem.cohorts().counted();
    let cohorts: Vec<Cohort> =
        counted.flat_map(|(cohort, n)| std::iter::repeat_n(cohort, n as usize)).collect();
    if cohorts.len() as u64 > MOST_RECORDS {
        return;
    }
    for subset in (0_u32..1 << cohorts.len()).filter(|subset| u64::from(subset.count_ones()) == k) {
        let members: Vec<usize> = (0..cohorts.len()).filter(|r| subset >> r & 1 == 1).collect();
        let cost = |attribute: &Attribute| {
            let leaves = members.iter().map(|&r| attribute.leaves()[cohorts[r].index()]);
            attribute.cost(&attribute.region(leaves))
        };
        let cost: f64 = problem.attributes().iter().map(cost).sum();
        let total: f64 = members.iter().map(|&r| prices[cohorts[r].index()]).sum();
        assert!(total <= k as f64 * cost + 1e-9, "{name} {members:?}: {total} {cost}");
    }
}

/// Prices need not respect the boxes, because their excess is deducted.
#[test]
fn no_release_loses_less_than_any_prices_less_their_excess() {
    let tiny = |(table, ..): &(Table, _, _)| table.cohorts().n_records() <= 8;
    for (seed, (table, methods, k)) in (0..).zip(small_tables().filter(tiny)) {
        let problem = problem(&table, &methods, k);
        let space = Space::new(&problem);
        let n_cohorts = problem.cohorts().len();
        let most = problem.attributes().len() as f64;
        let mut random = Random::new(seed);
        let least = least_loss(&problem, k);
        for _ in 0..20 {
            let mut collected = Collected::new(vec![most; n_cohorts]);
            let boxes = Boxes::new(&problem, &space, u64::MAX / 4);
            assert!(boxes.visit(&mut collected, &Silent).unwrap());
            let scale = random.unit() * most;
            let prices: Vec<f64> = (0..n_cohorts).map(|_| random.unit() * scale).collect();
            let value = Relaxation::new(&problem, &collected, &prices).value();
            let bound = mean_of(value, &problem);
            assert!(bound <= least + 1e-9, "{methods:?} {k} {prices:?}: {bound}, but {least}");
        }
    }
}

#[test]
fn no_release_of_a_tiny_table_loses_less() {
    let mut n_tables = 0;
    for (table, methods, k) in small_tables().filter(|(table, ..)| table.cohorts().n_records() <= 8)
    {
        for most_suppressed in 0..3 {
            check_least(&suppressing(&table, &methods, k, most_suppressed), k);
        }
        n_tables += 1;
    }
    assert!(n_tables >= 5);
}

/// Records that are far from all others are the first to be suppressed, and have the highest
/// prices.
#[test]
fn no_release_that_suppresses_outliers_loses_less() {
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut rows: Vec<[String; 2]> =
            (0..6).map(|_| [random.below(3), random.below(2)].map(|x| x.to_string())).collect();
        rows.push(["100".to_owned(), random.below(2).to_string()]);
        let table = Table::from_rows(&["x", "y"], &rows).unwrap();
        let methods = [["iotf", "free"], ["free", "iotf"]][seed as usize % 2];
        for (k, most_suppressed) in [(3, 1), (4, 1), (3, 2), (5, 2)] {
            check_least(&suppressing(&table, &methods, k, most_suppressed), k);
        }
    }
}

#[test]
fn an_outlier_that_may_be_suppressed_costs_no_more_than_that() {
    let mut rows = vec![["0"]; 10];
    rows.push(["100"]);
    let table = Table::from_rows(&["x"], &rows).unwrap();
    let bound = |most_suppressed| {
        let problem = suppressing(&table, &["iotf"], 5, most_suppressed);
        Certificate::of(&problem, Certificate::EFFORT, &Silent).unwrap().bound
    };
    assert_near(bound(1), 1.0 / 11.0);
    // Four other records have to be published together with the outlier.
    assert_near(bound(0), 5.0 / 11.0);
}

#[test]
fn a_loss_below_the_bound_is_an_error() {
    let effort = Effort { boxes: 1, tuples: 2, nearest: 0, ceiling: Some(10.0) };
    let certificate = Certificate { bound: 0.5, proof: Proof::Ascent, effort };
    assert!(matches!(certificate.certifies(0.4), Err(Error::Internal(_))));
    let rounded = certificate.certifies(0.5 - 1e-12).unwrap();
    assert!(rounded.ratio.is_some_and(|ratio| (ratio - 1.0).abs() < 1e-15), "{rounded:?}");
}

/// A bound is not above the least loss that is possible.
fn check_least(problem: &Problem, k: u64) {
    let found = Certificate::of(problem, 1_000_000, &Silent).unwrap();
    let least = least_loss(problem, k);
    let most = problem.most_suppressed();
    assert!(found.bound <= least + 1e-9, "{k} {most}: {found:?}, but {least} is possible");
}

/// The least loss of any partition of the records into classes of at least `k`, without those that
/// are suppressed.
fn least_loss(problem: &Problem, k: u64) -> f64 {
    let records: Vec<Cohort> =
        problem.cohorts().counted().flat_map(|(cohort, n)| vec![cohort; n as usize]).collect();
    let mut least = f64::INFINITY;
    // Partitions as growing lists of class numbers: each number is at most one above those before.
    // Records without one are suppressed.
    let mut open: Vec<Vec<Option<usize>>> = vec![Vec::new()];
    while let Some(classes) = open.pop() {
        let n_classes = classes.iter().flatten().max().map_or(0, |last| last + 1);
        let size = |class| classes.iter().filter(|&&c| c == class).count() as u64;
        if classes.len() < records.len() {
            let may_suppress = size(None) < problem.most_suppressed();
            let next = (0..=n_classes).map(Some).chain(may_suppress.then_some(None));
            open.extend(next.map(|class| [classes.clone(), vec![class]].concat()));
            continue;
        }
        if (0..n_classes).all(|class| size(Some(class)) >= k) {
            let takes = records.iter().zip(&classes);
            let takes = takes.map(|(&cohort, &class)| Take {
                cohort,
                class: class.map(Class::new),
                count: 1,
            });
            let proposal = Proposal::new(problem, n_classes, takes.collect()).unwrap();
            least = least.min(Ntil.of(&Partition::of(problem, &proposal)).unwrap());
        }
    }
    least
}

#[test]
fn too_little_effort_gives_a_weaker_bound_that_says_so() {
    let table = adult();
    let problem = problem(&table, &["iotf"], 5);
    let found = Certificate::of(&problem, 1_000, &Silent).unwrap();
    assert_eq!((found.proof, found.effort.ceiling), (Proof::Nearest, None));
    assert!((1..=found.effort.tuples).contains(&found.effort.nearest), "{found:?}");
    assert!(found.bound >= 0.004_613_8 && found.bound < 0.005_195_3, "{found:?}");
}

#[test]
fn classes_that_are_large_enough_already_lose_nothing() {
    let table = Table::from_rows(&["x"], &[["1"], ["1"], ["2"], ["2"]]).unwrap();
    let found = Certificate::of(&problem(&table, &["free"], 2), 1_000, &Silent).unwrap();
    assert!(found.bound <= 0.0, "{found:?}");
}

/// One record for each of some words, published in sets.
fn words(n_words: usize) -> Table {
    let rows: Vec<[String; 1]> = (0..n_words).map(|i| [format!("w{i:02}")]).collect();
    Table::from_rows(&["word"], &rows).unwrap()
}

#[test]
fn every_set_is_met_that_is_cheap_enough_for_one_of_its_values() {
    let problem = problem(&words(6), &["free"], 2);
    let space = Space::new(&problem);
    let mut random = Random::new(5);
    for _ in 0..50 {
        let ceilings: Vec<f64> = (0..6).map(|_| random.unit() * 1.2).collect();
        let mut collected = Collected::new(ceilings.clone());
        assert!(Boxes::new(&problem, &space, 1_000_000).visit(&mut collected, &Silent).unwrap());
        let wanted = (0_u32..1 << 6).filter(|set| {
            let cost = f64::from(set.count_ones().saturating_sub(1)) / 5.0;
            set.count_ones() >= 2 && (0..6).any(|i| set >> i & 1 == 1 && ceilings[i] > cost)
        });
        assert_eq!(collected.costs.len(), wanted.count(), "{ceilings:?}");
    }
}

#[test]
fn more_sets_or_ranges_than_the_effort_allows_are_given_up() {
    // More than a billion sets, and half a million ranges.
    let numbers: Vec<[String; 1]> = (0..1000_u64).map(|i| [(i * i).to_string()]).collect();
    let numbers = Table::from_rows(&["x"], &numbers).unwrap();
    for (table, effort) in [(words(60), 20_000), (numbers, 5_000)] {
        let problem = problem(&table, &["free"], 3);
        let found = Certificate::of(&problem, effort, &Silent).unwrap();
        assert!(found.bound > 0.0 && found.proof < Proof::Relaxation, "{found:?}");
        assert_eq!(found.effort.nearest > 0, found.proof == Proof::Nearest, "{found:?}");
    }
}

/// Is cancelled when it was asked a number of times.
struct Impatient(std::sync::atomic::AtomicUsize);

impl Progress for Impatient {
    fn cancelled(&self) -> bool {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 10
    }
}

#[test]
fn an_enumeration_of_sets_can_be_cancelled() {
    let problem = problem(&words(60), &["free"], 3);
    let found = Certificate::of(&problem, Certificate::EFFORT, &Impatient(0.into()));
    assert!(matches!(found, Err(Error::Cancelled)), "{found:?}");
}
