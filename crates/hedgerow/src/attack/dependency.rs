//! Dependency: kept columns reveal generalized quasi-identifiers.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::leaks::{Leak, leaks};
use super::narrow::left;
use super::scene::{EXAMPLES, Guess, Scene, Tally};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::method::{Described, Description};
use crate::noun::counted;
use crate::progress::Progress;
use crate::table::Code;

/// Undoes a generalization with a column that was published unchanged and depends on it.
///
/// If `education` is kept, hiding `education-num` does not help. The attack uses the kept columns
/// that the guard of a run would stop because they reveal a known quasi-identifier, alone or
/// together: the year and the age at a marriage reveal the year of birth. The attacker knows which
/// pairs of values occur, and drops the candidates whose kept values do not occur with
/// what is known of the person. Of `m` that remain, a guess is right with probability `1 / m`, and
/// a person is exposed if one remains. Chance is the number of people who are exposed without kept
/// columns.
///
/// A second attempt for each quasi-identifier that kept columns narrow counts its values. It also
/// uses columns that remove at least a tenth of the entropy. The attacker takes the published cell
/// of each record and drops the values that do not occur with the kept values of the record. A
/// record is exposed if one value remains; chance is the number of records whose cells show one
/// value without kept columns.
///
/// # Complexity
///
/// `O(n log n)` for `n` records and each pair of columns, after candidates were found as for
/// [`Linking`](super::Linking).
///
/// # Guarantees
///
/// Deterministic. Columns without a dependency, and values with fewer than five records, are not
/// used, so that a coincidence of few records does not count as knowledge. Where a column reveals
/// the whole quasi-identifier, two records are enough.
///
/// # References
///
/// hedgerow's own; the dependency is Goodman and Kruskal's lambda, the explained variance of ranks
/// and the share of entropy, as in [`guard`](crate::guard). \[Sweeney2002\] assumes that
/// the publisher names all columns that also appear in external information.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Dependency, Given, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["grade"]).and_beside(&["school"]);
/// let row = |i: usize, grade: String| [grade, format!("school {}", i % 30)];
/// let rows = |shown: fn(usize) -> String| (0..60).map(|i| row(i, shown(i))).collect::<Vec<_>>();
/// let table = |rows: &[[String; 2]]| Table::encode(&columns, rows, &Encoding::default());
/// let original = table(&rows(|i| (i % 30).to_string()))?;
/// let release = table(&rows(|_| "[0, 29]".to_owned()))?;
/// let tried = Dependency.run(&Scene::new(Given::new(original, release))?, &Silent)?;
/// assert_eq!(tried[0].as_ref().expect("a column is kept").success, 0.5);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Dependency;

impl Described for Dependency {
    const DESCRIPTION: Description = Description {
        name: "dependency",
        about: "undoes generalization with kept columns that depend on it",
        reference: Some("Sweeney2002"),
        needs: &[],
        parameters: &[],
    };
}

impl Attack for Dependency {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        let n_quasi = scene.original().columns().len();
        let n_columns = scene.release().all_columns().len();
        let is_free = |place: &usize| !scene.known().contains(place);
        let kept: Vec<usize> = (n_quasi..n_columns).filter(is_free).collect();
        if kept.is_empty() {
            let reason = "every column of the release is generalized or known";
            return Ok(vec![Err(Warning::new(reason))]);
        }
        let all = leaks(scene, &kept);
        let values = scene.known().iter().filter_map(|&quasi| values_left(scene, &all, quasi));
        let values: Vec<Attempt> = values.collect();
        // Weak dependencies narrow values, but are not certain enough to exclude a candidate.
        let leaks: Vec<Leak> = all.into_iter().filter(|leak| leak.is_strong).collect();
        let remaining = remaining(scene, &leaks);
        let candidates = scene.candidates();
        let tally = scene.tally(|cohort| {
            let n = remaining[scene.targets.target_of(cohort)];
            Guess { probability: if n > 0 { 1.0 / n as f64 } else { 0.0 }, exposed: n == 1 }
        });
        // Chance counts the people who are found without the kept columns.
        let alone = scene.tally(|cohort| Guess {
            probability: 0.0,
            exposed: candidates.sizes[scene.set_of(cohort)] == 1,
        });
        let advice = leaks.iter().map(|leak| Advice::words(leak.remedy(scene)));
        let mut attempt = Attempt {
            knew: format!(
                "{} of every {}, and which values occur together",
                scene.told_known(),
                scene.original().counted_noun()
            ),
            tried: tried(scene, &leaks, kept.len()),
            examples: examples(scene, &remaining),
            prevention: advice.collect(),
            ..Attempt::new(Self::DESCRIPTION.name, Discloses::Identity)
        };
        attempt.prevention.dedup();
        attempt.figures.insert("dependencies", leaks.len() as f64);
        let identity = attempt.counted(tally, alone.exposed as f64);
        Ok([identity].into_iter().chain(values).map(Ok).collect())
    }

    fn reads_kept(&self) -> bool {
        true
    }
}

/// Describes an attempt with the leaks of some of `n_kept` kept columns.
fn tried(scene: &Scene, leaks: &[Leak], n_kept: usize) -> String {
    let told: Vec<String> = (leaks.iter())
        .map(|leak| format!("'{}': {}", scene.name(leak.kept[0]), leak.reason))
        .collect();
    match told.as_slice() {
        [] => format!(
            "looked at {}; none gives a known column away",
            counted(n_kept as u64, "kept column")
        ),
        all => format!("dropped candidates that do not match ({})", all.join("; ")),
    }
}

/// Intersects the published cells of a quasi-identifier with the values that occur with the kept
/// values; `None` if this leaves no more records with one value than before.
fn values_left(scene: &Scene, leaks: &[Leak], quasi: usize) -> Option<Attempt> {
    let leaks: Vec<&Leak> = leaks.iter().filter(|leak| leak.quasi == quasi).collect();
    if leaks.is_empty() {
        return None;
    }
    let (mut before, mut after, mut examples) = (Vec::new(), Vec::new(), Vec::new());
    let cohorts = scene.release().cohorts();
    for (cohort, count) in cohorts.counted() {
        let tuple = cohorts.tuple(cohort);
        let cover = &scene.covers[quasi][tuple[quasi].index()];
        let n_covered: u32 = cover.runs().map(|(start, end)| end - start).sum();
        let kept = leaks.iter().filter_map(|leak| Some((&leak.links, leak.number(tuple)?)));
        // A value is left if the cell covers it and it occurs with every kept value of the record.
        let n_left = left(kept, |code| cover.has(Code::from(code)));
        let n_covered = n_covered as usize;
        let n_left = n_left.map_or(n_covered, |n| n.min(n_covered));
        before.push((Guess { probability: 0.0, exposed: n_covered == 1 }, count));
        // A cell that shows one value does so without the kept columns.
        let probability = if n_covered > 1 { 1.0 / n_left.max(1) as f64 } else { 0.0 };
        after.push((Guess { probability, exposed: n_left == 1 }, count));
        if n_left == 1 && n_covered > 1 && examples.len() < EXAMPLES {
            examples.push(told(scene, quasi, &leaks, tuple));
        }
    }
    let (before, after) = (Tally::of(before.into_iter()), Tally::of(after.into_iter()));
    // An attempt that finds nothing new would repeat the information in the cells.
    if after.exposed == before.exposed {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    for place in leaks.iter().flat_map(|leak| &leak.kept) {
        let name = format!("'{}'", scene.name(*place));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let name = scene.name(quasi);
    let attempt = Attempt {
        column: Some(name.clone()),
        knew: "which values occur together".to_owned(),
        tried: format!(
            "took the values of '{name}' in each published cell that occur with {}; one is left in this \
             number of records",
            names.join(", ")
        ),
        examples,
        prevention: vec![Advice::words(format!("leave out or generalize {}", names.join(", ")))],
        ..Attempt::new(Dependency::DESCRIPTION.name, Discloses::Attribute)
    };
    Some(attempt.counted(after, before.exposed as f64))
}

/// A published cell of a quasi-identifier and the kept values that leave one value of it.
fn told(scene: &Scene, quasi: usize, leaks: &[&Leak], tuple: &[Code]) -> String {
    let shown = |place: usize| scene.told_cell(place, tuple[place]);
    let mut places: Vec<usize> = leaks.iter().flat_map(|leak| leak.kept.iter().copied()).collect();
    places.sort_unstable();
    places.dedup();
    let kept: Vec<String> = places.into_iter().map(shown).collect();
    format!("{} with {}: one value left", shown(quasi), kept.join(", "))
}

/// Number of candidates of each target whose kept values occur with the known values.
fn remaining(scene: &Scene, leaks: &[Leak]) -> Vec<u64> {
    let candidates = scene.candidates();
    if leaks.is_empty() {
        return candidates.of_target.iter().map(|&set| candidates.sizes[set as usize]).collect();
    }
    // Position of the quasi-identifier of each leak within the known columns of a target.
    let at: Vec<usize> = leaks
        .iter()
        .filter_map(|leak| scene.known().iter().position(|&place| place == leak.quasi))
        .collect();
    // The kept values that matter, counted once for each class.
    let of_class: Vec<Vec<(Vec<Option<u32>>, u64)>> =
        (0..scene.view.len()).map(|class| kept_values(scene, leaks, class)).collect();
    let left = |target: usize| {
        let known = scene.targets.tuple(target);
        let classes = &candidates.sets[candidates.set_of(target)];
        let records = classes.iter().flat_map(|&class| &of_class[class as usize]);
        let fits = |(values, _): &&(Vec<Option<u32>>, u64)| {
            let mut checks = values.iter().zip(leaks).zip(&at);
            checks.all(|((value, leak), &at)| {
                value.is_some_and(|value| leak.links.allows(value, known[at].get()))
            })
        };
        let n = records.filter(fits).map(|(_, count)| count).sum::<u64>();
        // Candidates are people where a person can have several records; records would overstate
        // them.
        n.min(candidates.sizes[candidates.set_of(target)])
    };
    (0..scene.targets.len()).map(left).collect()
}

/// The values of the columns that leak in the records of a class, with counts.
fn kept_values(scene: &Scene, leaks: &[Leak], class: usize) -> Vec<(Vec<Option<u32>>, u64)> {
    let cohorts = scene.release().cohorts();
    let mut counts: HashMap<Vec<Option<u32>>, u64> = HashMap::new();
    for &cohort in &scene.view.members[class] {
        let tuple = cohorts.tuple(cohort);
        let values = leaks.iter().map(|leak| leak.number(tuple));
        *counts.entry(values.collect()).or_default() += cohorts.counts[cohort.index()];
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    // Sorted, so that nothing depends on the order of the hash map.
    counts.sort_unstable();
    counts
}

fn examples(scene: &Scene, remaining: &[u64]) -> Vec<String> {
    let candidates = scene.candidates();
    let size = |target: usize| candidates.sizes[candidates.set_of(target)];
    let mut order: Vec<usize> = (0..remaining.len())
        .filter(|&target| remaining[target] > 0 && remaining[target] < size(target))
        .collect();
    order.sort_by_key(|&target| (remaining[target], target));
    let told = |target: usize| {
        let left = counted(remaining[target], "candidate");
        format!("{}: {left} left", scene.told_set(candidates.set_of(target)))
    };
    order.into_iter().take(EXAMPLES).map(told).collect()
}
