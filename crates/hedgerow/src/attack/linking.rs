//! Linking: joins the known columns of people with the classes of a release.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::index::{Candidates, Index, LEAST_OF_THREAD};
use super::scene::{EXAMPLES, Guess, Scene, Tally};
use super::view::{Reading, Targets, View, covers, hides_empty};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::method::{Described, Description};
use crate::noun::counted;
use crate::parallel::in_parallel;
use crate::progress::{Progress, stop_if_cancelled};
use crate::table::{Code, Cohort, Table};

/// Number of candidates beyond which the search for one person with noisy knowledge stops.
const ENOUGH: u64 = 100;

/// Joins a table with names with the release, to find the class of each person and the number of
/// records in it.
///
/// The attacker knows the known columns of every person of the original. The candidates of a person
/// are the records of all classes whose cells cover the known values; if there are none, the
/// records that show nothing. Choosing one of `m` candidates is right with probability `1 / m`, and
/// a person is exposed if there is one candidate. With noisy knowledge, one column may be wrong,
/// and the attacker does not know which: candidates are then all records that fit in all columns
/// but one, and more than 100 of them count as 100. A given external table is joined in the same
/// way; of its people, `F` fit the same class, and not all of them need be in the release, so a
/// guess is right with probability `1 / max(m, F)`.
///
/// # Complexity
///
/// `O(c log c)` for `c` classes to build an index of hulls, and near `O(log c)` for each distinct
/// tuple of known values where classes do not overlap. Rows are never compared with rows. Noisy
/// knowledge stops at 100 candidates.
///
/// # Guarantees
///
/// Deterministic. The success on a k-anonymous release is at most `1 / k` if the attacker knows
/// only quasi-identifiers. Candidates are counted as if all were equally likely.
///
/// # References
///
/// \[Sweeney2002\] L. Sweeney: k-Anonymity: A Model for Protecting Privacy, IJUFKS 10(5), 2002,
/// the example of the voter list; \[Samarati2001\]; \[Narayanan2008\] A. Narayanan, V. Shmatikov:
/// Robust De-anonymization of Large Sparse Datasets, IEEE S&P 2008, for knowledge with errors,
/// which here is one wrong column.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Given, Linking, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let original = Table::from_rows(&["age", "sex"], &[["23", "F"], ["25", "F"], ["41", "M"]])?;
/// let shown = [["[23, 25]", "F"], ["[23, 25]", "F"], ["41", "M"]];
/// let release = Table::from_rows(&["age", "sex"], &shown)?;
/// let tried = Linking.run(&Scene::new(Given::new(original, release))?, &Silent)?;
/// let exact = tried[0].as_ref().expect("nothing is missing");
/// assert_eq!((exact.exposed, exact.success), (1, 1.0));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Linking;

impl Described for Linking {
    const DESCRIPTION: Description = Description {
        name: "linking",
        about: "joins known columns of people with the classes they fit",
        reference: Some("Sweeney2002"),
        needs: &[],
        parameters: &[],
    };
}

impl Attack for Linking {
    fn attack(&self, scene: &Scene, progress: &dyn Progress) -> Result<Vec<Tried>> {
        let mut tried = vec![Ok(exact(scene))];
        stop_if_cancelled(progress)?;
        tried.push(noisy(scene));
        if let Some(table) = scene.external() {
            tried.push(external(scene, table));
        }
        Ok(tried)
    }
}

/// The attempt of a variant, with advice that would prevent it.
fn attempt(variant: &'static str) -> Attempt {
    Attempt {
        variant: Some(variant),
        prevention: vec![
            Advice::ChooseK,
            Advice::words("name every column that others may know as a quasi-identifier"),
        ],
        ..Attempt::new(Linking::DESCRIPTION.name, Discloses::Identity)
    }
}

/// Number of people that a random choice among all records of the release would find.
fn by_chance(scene: &Scene, attacked: u64) -> f64 {
    attacked as f64 / scene.release().n_rows().max(1) as f64
}

fn exact(scene: &Scene) -> Attempt {
    let candidates = scene.candidates();
    let tally = scene.tally(|cohort| guess(candidates.sizes[scene.set_of(cohort)]));
    let order = candidates.by_size();
    let found = order.into_iter().filter(|&set| candidates.sizes[set] > 0).take(EXAMPLES);
    Attempt {
        knew: format!("{} of every {}", scene.told_known(), scene.original().counted_noun()),
        tried: format!(
            "joined {} with {} that fit",
            counted(scene.targets.len() as u64, "known combination"),
            counted(scene.view.len() as u64, "published combination")
        ),
        examples: found.map(|set| scene.told_set(set)).collect(),
        ..attempt("exact").counted(tally, by_chance(scene, tally.attacked))
    }
}

/// The guess that one of `n` candidates is the person.
fn guess(n: u64) -> Guess {
    Guess { probability: if n > 0 { 1.0 / n as f64 } else { 0.0 }, exposed: n == 1 }
}

fn noisy(scene: &Scene) -> Tried {
    if scene.known().len() < 2 {
        let reason = "with one wrong column, at least two columns must be known";
        return Err(Warning::new(reason));
    }
    let index = scene.index();
    let people = scene.people_of_classes(scene.candidates());
    let crowd = Crowd { sizes: &scene.view.sizes, people: people.as_deref() };
    let found = in_parallel(scene.threads(), scene.targets.len(), LEAST_OF_THREAD, |range| {
        range.map(|target| candidates(index, crowd, scene.targets.tuple(target))).collect()
    });
    let (sizes, classes): (Vec<u64>, Vec<Option<u32>>) = found.into_iter().unzip();
    let tally = scene.tally(|cohort| guess(sizes[scene.targets.target_of(cohort)]));
    let mut order: Vec<usize> = (0..sizes.len()).filter(|&target| sizes[target] > 0).collect();
    order.sort_by_key(|&target| sizes[target]);
    let told = |&target: &usize| {
        let class = scene.told_class(classes[target]? as usize);
        Some(format!("{class} ({} left)", counted(sizes[target], "candidate")))
    };
    Ok(Attempt {
        knew: format!(
            "{} of every {}, of which one may be wrong",
            scene.told_known(),
            scene.original().counted_noun()
        ),
        tried: "joined them with every class that fits in all columns but one".to_owned(),
        examples: order.iter().take(EXAMPLES).filter_map(told).collect(),
        ..attempt("noisy").counted(tally, by_chance(scene, tally.attacked))
    })
}

/// The records and people of each class.
#[derive(Clone, Copy)]
struct Crowd<'a> {
    /// Number of records of each class.
    sizes: &'a [u64],
    /// The people who fit each class, if a person can have several records.
    people: Option<&'a [BTreeSet<Code>]>,
}

/// Number of candidates for a person if one known column may be wrong, counted until there are
/// enough, and a class with some of them.
fn candidates(index: &Index, crowd: Crowd<'_>, tuple: &[Code]) -> (u64, Option<u32>) {
    let (mut n_records, mut first, mut people) = (0, None, BTreeSet::new());
    index.search(tuple, 1, |class| {
        first.get_or_insert(class);
        n_records += crowd.sizes[class as usize];
        let Some(of_class) = crowd.people else { return n_records < ENOUGH };
        people.extend(of_class[class as usize].iter().copied());
        people.len() < ENOUGH as usize
    });
    // Several records of one person are one candidate.
    let size = crowd.people.map_or(n_records, |_| n_records.min(people.len() as u64));
    // The last class can exceed the number, which must not depend on the order of the search.
    (size.min(ENOUGH), first)
}

/// Joins a table that the attacker has.
fn external(scene: &Scene, table: &Table) -> Tried {
    let places: Vec<usize> = table
        .columns()
        .iter()
        .filter_map(|column| {
            scene.known().iter().copied().find(|&place| scene.column(place).name == column.name)
        })
        .collect();
    if places.len() < table.columns().len() || places.is_empty() {
        return Err(Warning::new("the external table has no column that the attacker knows"));
    }
    let view = Arc::new(seen_from(scene, table, &places));
    // People of the external table need not be in the original, so they are targets themselves.
    let all: Vec<usize> = (0..places.len()).collect();
    let targets = Targets::of(table, &all);
    // The codes are those of the external table, whose values the covers above refer to.
    let n_codes: Vec<usize> = table.columns().iter().map(|c| c.domain.n_codes()).collect();
    let index = Index::new(&view, &n_codes);
    let candidates = Candidates::new(&index, &targets, scene.threads());
    let fitting = fitting(&view, &targets, &candidates);
    let guess_of = |target: usize| {
        let set = candidates.set_of(target);
        // The class that fewest people of the external table fit narrows the choice most.
        let least = candidates.sets[set].iter().map(|&class| fitting[class as usize]).min();
        // 1 / max(m, F): the attacker picks one of m records, or one of F people, if those are
        // more.
        guess(least.map_or(0, |people| people.max(candidates.sizes[set])))
    };
    let each = (0..targets.len()).map(|target| (guess_of(target), targets.records[target]));
    let tally = Tally::of(each);
    // Rows are named by number: names of the external table must not be printed.
    let rows = table
        .cohorts()
        .all()
        .filter(|&cohort: &Cohort| guess_of(targets.target_of(cohort)).exposed);
    let told = |cohort: Cohort| {
        format!(
            "row {} of the external table fits one record",
            table.cohorts().first_rows[cohort.index()] + 1
        )
    };
    Ok(Attempt {
        knew: format!("an external table of {}", counted(table.n_rows(), "person")),
        tried: "joined its people with every class that fits, and counted who fits the same"
            .to_owned(),
        examples: rows.take(EXAMPLES).map(told).collect(),
        ..attempt("external").counted(tally, by_chance(scene, tally.attacked))
    })
}

/// The classes as the values of an external table see them, whose columns are at `places` of the
/// release.
fn seen_from(scene: &Scene, table: &Table, places: &[usize]) -> View {
    let n_quasi = scene.original().columns().len();
    let shown = places.iter().zip(table.columns()).map(|(&place, column)| {
        let reading = Reading {
            tree: scene.hierarchy(&column.name),
            is_kept: place >= n_quasi,
            missing: scene.original().missing(),
            hides_empty: hides_empty(scene.original(), place),
        };
        covers(column, &scene.release().all_columns()[place].domain, reading)
    });
    View::new(scene.release(), places, shown.collect())
}

/// Number of people of an external table that fit each class.
fn fitting(view: &View, targets: &Targets, candidates: &Candidates) -> Vec<u64> {
    let mut people = vec![0; view.len()];
    for target in 0..targets.len() {
        for &class in &candidates.sets[candidates.set_of(target)] {
            people[class as usize] += targets.records[target];
        }
    }
    people
}
