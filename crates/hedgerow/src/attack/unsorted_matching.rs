//! Unsorted matching: the rows of a release are in the order of the original.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::scene::{EXAMPLES, Scene};
use super::{Attack, Attempt, Discloses, Other, Tried};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::method::{Described, Description, Need};
use crate::noun::counted;
use crate::population::Cover;
use crate::progress::Progress;
use crate::random::Random;
use crate::table::{Code, Cohort, Table};

/// Number of random orders that are compared with the order of the release.
const ROUNDS: u64 = 3;

/// Number of standard deviations by which the hits must exceed chance.
const SIGNIFICANT: f64 = 4.0;

/// Pairs rows by their position: the first of the release with the first of the original, and so
/// on.
///
/// A hit is a pair in which the record of the release can come from the row of the original: its
/// cells cover the values, and kept columns are equal. If the release has fewer rows, rows of the
/// original are skipped as needed. A second variant pairs the first record of each class with the
/// first person who fits only that class, and so on, which finds releases that are sorted by class
/// but not shuffled within. Other releases of equally many rows are paired in the same way. Those
/// that are exposed are the hits; chance is the number of hits with rows in random order. The
/// success is the share of the possible hits beyond chance, and 0 if the difference is not
/// significant.
///
/// # Complexity
///
/// `O(n)` for `n` rows.
///
/// # Guarantees
///
/// Deterministic. A release whose rows are in random order has a success of 0 except with a
/// probability below 1 in 10,000.
///
/// # References
///
/// \[Sweeney2002\] L. Sweeney: k-Anonymity: A Model for Protecting Privacy, IJUFKS 10(5), 2002,
/// section 4.1. The comparison with chance and the pairs within classes are hedgerow's own.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Given, Scene, UnsortedMatching};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let ages: Vec<[String; 1]> = (0..40).map(|i| [(20 + i * 7 % 40).to_string()]).collect();
/// let decades = |i: usize| [["20-29", "30-39", "40-49", "50-59"][i * 7 % 40 / 10]];
/// let original = Table::from_rows(&["age"], &ages)?;
/// let release = Table::from_rows(&["age"], &(0..40).map(decades).collect::<Vec<_>>())?;
/// let tried = UnsortedMatching.run(&Scene::new(Given::new(original, release))?, &Silent)?;
/// assert_eq!(tried[0].as_ref().expect("rows are known").success, 1.0);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct UnsortedMatching;

impl Described for UnsortedMatching {
    const DESCRIPTION: Description = Description {
        name: "unsorted-matching",
        about: "pairs rows of the release and of the original by their position",
        reference: Some("Sweeney2002"),
        needs: &[Need::Rows],
        parameters: &[],
    };
}

impl Attack for UnsortedMatching {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        let mut tried = vec![Ok(with_original(scene))];
        tried.extend(within_classes(scene).map(Ok));
        tried.extend(scene.others().iter().map(|other| with_other(scene, other)));
        Ok(tried)
    }

    fn reads_kept(&self) -> bool {
        true
    }
}

/// The hits among a number of rows.
struct Hits {
    found: u64,
    chance: f64,
    n_rows: u64,
}

impl Hits {
    fn attempt(&self, variant: &'static str) -> Attempt {
        let excess = self.found as f64 - self.chance;
        // Hits in random order are about Poisson distributed, so their deviation is the root of the
        // mean.
        let is_significant = excess > SIGNIFICANT * (self.chance + 1.0).sqrt();
        // The share of hits beyond chance, as in Cohen's kappa: (found - chance) / (rows - chance).
        let possible = self.n_rows as f64 - self.chance;
        let success = if is_significant && possible > 0.0 { excess / possible } else { 0.0 };
        Attempt {
            variant: Some(variant),
            attacked: self.n_rows,
            exposed: self.found,
            chance: self.chance,
            success,
            mean: success,
            prevention: vec![
                Advice::LeaveOut { key: "keep-order", column: None },
                Advice::words("shuffle the rows of the release"),
            ],
            of_records: true,
            ..Attempt::new(UnsortedMatching::DESCRIPTION.name, Discloses::Identity)
        }
    }
}

/// The cohorts of the rows that were not dropped.
fn rows_of(table: &Table) -> Vec<Cohort> {
    table.rows().unwrap_or_default().iter().flatten().copied().collect()
}

fn with_original(scene: &Scene) -> Attempt {
    let (rows, shown) = (rows_of(scene.original()), rows_of(scene.release()));
    let fits = |row: Cohort, shown: Cohort| {
        let values = scene.original().cohorts().tuple(row);
        let cells = scene.release().cohorts().tuple(shown).iter().zip(&scene.covers);
        cells.zip(values).all(|((cell, covers), &value)| covers[cell.index()].has(value))
    };
    let found = paired(&rows, &shown, fits);
    let example =
        |place: usize| format!("row {0} of the release fits row {0} of the original", place + 1);
    let fitting = (0..rows.len().min(shown.len())).filter(|&place| fits(rows[place], shown[place]));
    let attempt = found.attempt("rows");
    Attempt {
        knew: "the order of the original's rows".to_owned(),
        tried: "paired the rows of the release with those of the original, in order".to_owned(),
        examples: if attempt.success > 0.0 {
            fitting.take(EXAMPLES).map(example).collect()
        } else {
            Vec::new()
        },
        ..attempt
    }
}

/// Pairs rows in order, and in random orders for comparison.
fn paired(rows: &[Cohort], shown: &[Cohort], fits: impl Fn(Cohort, Cohort) -> bool) -> Hits {
    let chance = (0..ROUNDS).map(|round| {
        // A Fisher-Yates shuffle.
        let mut mixed = shown.to_vec();
        let mut random = Random::new(round);
        for last in (1..mixed.len()).rev() {
            mixed.swap(last, random.below(last + 1));
        }
        hits(rows, &mixed, &fits)
    });
    let chance = chance.sum::<u64>() as f64 / ROUNDS as f64;
    Hits { found: hits(rows, shown, &fits), chance, n_rows: shown.len() as u64 }
}

/// Number of rows that fit the row at their position, after skipping rows that do not fit as long
/// as there are more rows than are shown.
fn hits(rows: &[Cohort], shown: &[Cohort], fits: impl Fn(Cohort, Cohort) -> bool) -> u64 {
    let mut spare = rows.len().saturating_sub(shown.len());
    let mut rows = rows.iter();
    let mut n_hits = 0;
    for &shown in shown {
        let mut row = rows.next();
        // Suppressed records are missing from the release, so rows of the original may be skipped.
        while spare > 0 && row.is_some_and(|&row| !fits(row, shown)) {
            row = rows.next();
            spare -= 1;
        }
        n_hits += u64::from(row.is_some_and(|&row| fits(row, shown)));
    }
    n_hits
}

/// Pairs the records of each class with the people who fit only that class, in order, if kept
/// columns show whether a pair is a hit.
fn within_classes(scene: &Scene) -> Option<Attempt> {
    let n_quasi = scene.original().columns().len();
    let n_columns = scene.release().all_columns().len();
    let kept: Vec<usize> =
        (n_quasi..n_columns).filter(|place| !scene.known().contains(place)).collect();
    if kept.is_empty() {
        return None;
    }
    // Quasi-identifiers always fit within a class, so only kept columns can show a hit.
    let of_row = sequences(scene, &kept);
    let mut found = Hits { found: 0, chance: 0.0, n_rows: 0 };
    // If the numbers differ, people of the class are missing or not certain, and positions do not
    // match.
    let mut hits_of: Vec<(usize, u64, u64)> = Vec::new();
    let whole = of_row.iter().enumerate().filter(|(_, [people, rows])| people.len() == rows.len());
    for (class, [people, records]) in whole {
        let pairs = people.iter().zip(records);
        let n_hits = pairs.filter(|(person, record)| person == record).count() as u64;
        hits_of.push((class, n_hits, records.len() as u64));
        found.found += n_hits;
        found.n_rows += records.len() as u64;
        let mut counts: HashMap<&Vec<Option<Code>>, [u64; 2]> = HashMap::new();
        people.iter().for_each(|kept| counts.entry(kept).or_default()[0] += 1);
        records.iter().for_each(|kept| counts.entry(kept).or_default()[1] += 1);
        // In random order, a pair of positions is a hit with the product of both shares of a value.
        let products: u64 = counts.values().map(|[own, shown]| own * shown).sum();
        found.chance += products as f64 / records.len().max(1) as f64;
    }
    let attempt = found.attempt("within-classes");
    // The classes with most hits first; the sort is stable.
    hits_of.sort_by_key(|&(_, n_hits, _)| std::cmp::Reverse(n_hits));
    let told = |&(class, n_hits, n): &(usize, u64, u64)| {
        let records = counted(n, "record");
        format!("{}: {n_hits} of {records} are in the order of the people", scene.told_class(class))
    };
    let is_found = attempt.success > 0.0;
    Some(Attempt {
        knew: "the order of the original's rows and who is in which class".to_owned(),
        tried: "paired the records of each class with the people in it, in order".to_owned(),
        examples: hits_of.iter().filter(|_| is_found).take(EXAMPLES).map(told).collect(),
        ..attempt
    })
}

/// The kept values of the people who fit only a class, and of its records, in row order.
fn sequences(scene: &Scene, kept: &[usize]) -> Vec<[Vec<Vec<Option<Code>>>; 2]> {
    let mut sequences = vec![[Vec::new(), Vec::new()]; scene.view.len()];
    let (original, release) = (scene.original().cohorts(), scene.release().cohorts());
    for row in rows_of(scene.original()) {
        if let [class] = scene.candidates().sets[scene.set_of(row)].as_slice() {
            let own = kept.iter().map(|&place| Some(original.tuple(row)[place]));
            sequences[*class as usize][0].push(own.collect());
        }
    }
    let same: Vec<Vec<Option<Code>>> = kept.iter().map(|&place| scene.kept_codes(place)).collect();
    let mut class_of = vec![0; release.len()];
    for (class, members) in scene.view.members.iter().enumerate() {
        members.iter().for_each(|cohort| class_of[cohort.index()] = class);
    }
    for row in rows_of(scene.release()) {
        let shown =
            kept.iter().zip(&same).map(|(&place, same)| same[release.tuple(row)[place].index()]);
        sequences[class_of[row.index()]][1].push(shown.collect());
    }
    sequences
}

/// Pairs the rows of the release with those of another release.
fn with_other(scene: &Scene, other: &Other) -> Tried {
    let (rows, shown) = (rows_of(&other.table), rows_of(scene.release()));
    if rows.len() != shown.len() {
        let problem =
            format!("rows cannot be paired with {}, which has {} of them", other.name, rows.len());
        return Err(Warning::new(problem));
    }
    let columns = other.table.all_columns().iter().enumerate();
    let common: Vec<(usize, usize, Vec<Cover>)> = columns
        .filter_map(|(at, column)| {
            let mut places = 0..scene.release().all_columns().len();
            let place = places.find(|&place| scene.column(place).name == column.name)?;
            Some((at, place, scene.covers_in(&other.table, at, place)))
        })
        .collect();
    let fits = |row: Cohort, shown: Cohort| {
        let cells = other.table.cohorts().tuple(row);
        let own = scene.release().cohorts().tuple(shown);
        common.iter().all(|(at, place, covers)| {
            // Both cells can be generalized, so a pair fits if some value is in both.
            covers[cells[*at].index()].meets(&scene.covers[*place][own[*place].index()])
        })
    };
    Ok(Attempt {
        other: Some(other.name.clone()),
        knew: format!("the order of the rows of {}", other.name),
        tried: "paired the rows of both releases, in order".to_owned(),
        ..paired(&rows, &shown, fits).attempt("rows")
    })
}
