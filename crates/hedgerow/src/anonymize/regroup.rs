//! Regroups records by the privacy models, for goals that merging classes cannot reach.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use hashbrown::HashMap;

use super::cluster::Cluster;
use super::selection::gap;
use crate::Result;
use crate::hierarchy::Leaf;
use crate::loss::Choice;
use crate::problem::{Attribute, Problem, Tally};
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{self, Proposal, Take};
use crate::table::Cohort;

/// Number of records that are compared before one joins a class.
const MOST_COMPARED: usize = 64;

/// Up to this many records, all partitions are tried (about 20,000).
const MOST_DIVIDED: u64 = 8;

/// A class that still fails at this many times the smallest allowed size is given up.
const MOST_GROWN: u64 = 4;

/// Number of consecutive seeds without a class after which the search stops.
const MOST_FAILED: u32 = 32;

/// Forms classes that meet a goal that is not monotone; returns `None` if none were found.
///
/// [Mending](super::mend::mend) merges classes until they are private. If a value must not occur
/// too often in a class, merging leads away from the goal. Here each class grows from one record.
/// The next record is the one that brings the models nearest to the goal; ties are broken by the
/// fewest records in the class with the same sensitive values, then by the least cost. The class is
/// closed as soon as it is private. Records from which no class could be closed join a class that
/// stays private, or are suppressed. If that fails, a second attempt prefers records with frequent
/// sensitive values, so that these do not remain at the end \[Xiao2006b\]. For eight records or
/// fewer, all partitions are tried and the one that loses least is taken.
///
/// # Complexity
///
/// For each record of a class, at most 64 evaluations of the models and one of the published
/// values. The same for at most 32 consecutive failed attempts, each of at most four times the
/// smallest class size. For each remaining record, one evaluation per class, until too many fail.
///
/// # Guarantees
///
/// Every class is private, also together with classes that publish the same values, and no more
/// records are suppressed than allowed. With more than eight records, an existing solution may be
/// missed. Deterministic: of equal choices, the first record in Z-order wins.
///
/// # References
///
/// \[Xiao2006b\] X. Xiao, Y. Tao: Anatomy: Simple and Effective Privacy Preservation, VLDB 2006,
/// for taking values from the most frequent first. Deviation: classes are formed of records that
/// are near each other, and any model decides when a class is complete.
pub(super) fn regroup(problem: &Problem, progress: &dyn Progress) -> Result<Option<Proposal>> {
    let few = problem.cohorts().n_records() <= MOST_DIVIDED;
    let mut found = if few { best_of_all(problem, progress)? } else { grouped(problem, progress)? };
    if let Some(proposal) = &mut found {
        let note = "classes were formed again for the models, because those of the method failed when \
                    merged";
        proposal.notes.push(note.to_owned());
    }
    Ok(found)
}

/// Grows classes record by record: first prefers near records, then frequent ones.
fn grouped(problem: &Problem, progress: &dyn Progress) -> Result<Option<Proposal>> {
    for prefers_frequent in [false, true] {
        let mut grouping = Grouping::new(problem, prefers_frequent);
        let mut n_failed = 0;
        while n_failed < MOST_FAILED
            && let Some(seed) = grouping.next_seed()
        {
            n_failed = if grouping.grow(seed, progress)? { 0 } else { n_failed + 1 };
        }
        if let Some(found) = grouping.finish(progress)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Returns the private partition of least loss, over all partitions of all selections of records.
fn best_of_all(problem: &Problem, progress: &dyn Progress) -> Result<Option<Proposal>> {
    let counts = problem.cohorts().counted();
    let records: Vec<Cohort> =
        counts.flat_map(|(cohort, count)| std::iter::repeat_n(cohort, count as usize)).collect();
    let mut best: Option<(f64, Proposal)> = None;
    let mut open: Vec<(Vec<Option<proposal::Class>>, usize)> = vec![(Vec::new(), 0)];
    while let Some((class_of, n_classes)) = open.pop() {
        if class_of.len() < records.len() {
            // Adding at most one new class at a time visits every partition once.
            let choices = proposal::Class::first(n_classes + 1).map(Some).chain([None]);
            open.extend(choices.map(|class| {
                let is_new = class.is_some_and(|class| class.index() == n_classes);
                let n_classes = n_classes + usize::from(is_new);
                ([class_of.as_slice(), &[class]].concat(), n_classes)
            }));
            continue;
        }
        let members = records.iter().zip(class_of);
        let takes = members.map(|(&cohort, class)| Take { cohort, class, count: 1 }).collect();
        let proposal = Proposal::new(problem, n_classes, takes)?;
        if n_classes == 0 || proposal.flaw(problem, progress)?.is_some() {
            continue;
        }
        let lost = Choice::default().published_penalty(problem, &proposal)?;
        if best.as_ref().is_none_or(|(least, _)| lost < *least) {
            best = Some((lost, proposal));
        }
    }
    Ok(best.map(|(_, proposal)| proposal))
}

/// A private class.
struct Class {
    cluster: Cluster,
    tally: Tally,
    cohorts: Vec<Cohort>,
    texts: Vec<String>,
}

/// Criteria for the next record, compared from left to right; the place makes the order total.
type Score = (f64, u64, Reverse<u64>, f64, usize);

struct Grouping<'a> {
    problem: &'a Problem,
    prefers_frequent: bool,
    /// The cohorts in Z-order, so that near cohorts have near places.
    order: Vec<Cohort>,
    /// The kind of the records at each place: everything the models see of them.
    kinds: Vec<usize>,
    /// Number of records at each place that are in no class.
    left: Vec<u64>,
    /// The places that still have such records.
    open: BTreeSet<usize>,
    /// For each kind, the number of records in no class, and their places.
    by_kind: Vec<(u64, BTreeSet<usize>)>,
    classes: Vec<Class>,
    /// The classes that publish the same texts.
    shown: HashMap<Vec<String>, Vec<usize>>,
    /// Cohorts of the seeds from which no class could be closed.
    remaining: Vec<Cohort>,
}

impl<'a> Grouping<'a> {
    fn new(problem: &'a Problem, prefers_frequent: bool) -> Self {
        let goal = problem.goal();
        let counts = &problem.cohorts().counts;
        let mut order: Vec<Cohort> = problem.cohorts().all().collect();
        order.sort_by_cached_key(|&cohort| (z_order(problem, cohort), cohort));
        let mut numbers = HashMap::new();
        let mut kinds: Vec<usize> = Vec::with_capacity(order.len());
        for &cohort in &order {
            let next = numbers.len();
            kinds.push(*numbers.entry(goal.kind_of(cohort)).or_insert(next));
        }
        let left: Vec<u64> = order.iter().map(|&cohort| counts[cohort.index()]).collect();
        let mut by_kind = vec![(0, BTreeSet::new()); numbers.len()];
        for (place, (&kind, &count)) in kinds.iter().zip(&left).enumerate() {
            by_kind[kind].0 += count;
            by_kind[kind].1.insert(place);
        }
        Self {
            problem,
            prefers_frequent,
            open: (0..order.len()).collect(),
            order,
            kinds,
            left,
            by_kind,
            classes: Vec::new(),
            shown: HashMap::new(),
            remaining: Vec::new(),
        }
    }

    /// Whether there are few enough kinds to compare the nearest records of each.
    fn has_few_kinds(&self) -> bool {
        2 * self.by_kind.len() <= MOST_COMPARED
    }

    /// Returns the first place of the most frequent open kind, or of all if there are many kinds.
    fn next_seed(&self) -> Option<usize> {
        let most = self.by_kind.iter().rev().max_by_key(|(n_left, _)| *n_left);
        let places = if self.has_few_kinds() { &most?.1 } else { &self.open };
        places.first().copied()
    }

    /// Removes one record from a place.
    fn take(&mut self, place: usize) {
        self.left[place] -= 1;
        let (n_left, places) = &mut self.by_kind[self.kinds[place]];
        *n_left -= 1;
        if self.left[place] == 0 {
            places.remove(&place);
            self.open.remove(&place);
        }
    }

    /// Returns one record to its place.
    fn put_back(&mut self, place: usize) {
        self.left[place] += 1;
        let (n_left, places) = &mut self.by_kind[self.kinds[place]];
        *n_left += 1;
        places.insert(place);
        self.open.insert(place);
    }

    /// Grows a class from a seed. If it cannot be closed, returns `false` and sets the seed aside.
    fn grow(&mut self, seed: usize, progress: &dyn Progress) -> Result<bool> {
        let goal = self.problem.goal();
        let (mut cluster, mut tally) = (Cluster::empty(self.problem), goal.tally());
        let mut members = Vec::new();
        let mut next = Some(seed);
        while let Some(place) = next {
            stop_if_cancelled(progress)?;
            self.take(place);
            members.push(place);
            let cohort = self.order[place];
            cluster.add(self.problem, cohort, 1);
            goal.add(&mut tally, cohort, 1);
            // Classes with the same texts are one class to a reader, so they must hold together.
            if goal.holds(&tally) {
                let cohorts: Vec<Cohort> = members.iter().map(|&place| self.order[place]).collect();
                let texts = self.texts(&cohorts);
                if self.holds_with_others(&texts, Some(&tally), None) {
                    self.shown.entry(texts.clone()).or_default().push(self.classes.len());
                    self.classes.push(Class { cluster, tally, cohorts, texts });
                    return Ok(true);
                }
            }
            // `least_size` can be 1, which would give up too early, hence the lower bound of 2.
            let is_too_large = tally.size() >= MOST_GROWN * goal.least_size().max(2);
            next = if is_too_large { None } else { self.next(seed, &cluster, &mut tally) };
        }
        members.drain(1..).for_each(|place| self.put_back(place));
        self.remaining.push(self.order[seed]);
        Ok(false)
    }

    /// Returns the places of candidates for a class: the nearest of each kind on both sides of the
    /// seed, or the nearest of all if there are many kinds.
    fn near(&self, seed: usize) -> Vec<usize> {
        let around = |places: &BTreeSet<usize>, n: usize| {
            let before = places.range(..seed).rev().take(n);
            before.chain(places.range(seed..).take(n)).copied().collect::<Vec<usize>>()
        };
        if self.has_few_kinds() {
            self.by_kind.iter().flat_map(|(_, places)| around(places, 1)).collect()
        } else {
            around(&self.open, MOST_COMPARED / 2)
        }
    }

    /// Returns the place of the record to add next.
    fn next(&self, seed: usize, cluster: &Cluster, tally: &mut Tally) -> Option<usize> {
        let scores = self.near(seed).into_iter().map(|place| self.score(place, cluster, tally));
        scores.reduce(|a, b| if b < a { b } else { a }).map(|(.., place)| place)
    }

    /// Returns the score of a record for a class; the least is best. `tally` is restored.
    fn score(&self, place: usize, cluster: &Cluster, tally: &mut Tally) -> Score {
        let (goal, cohort) = (self.problem.goal(), self.order[place]);
        let crowd = goal.crowd(tally, cohort);
        goal.add(tally, cohort, 1);
        let gap = gap(goal, tally);
        goal.remove(tally, cohort, 1);
        let n_left = if self.prefers_frequent { self.by_kind[self.kinds[place]].0 } else { 0 };
        let leaves = self.problem.attributes().iter().map(|a| a.leaves()[cohort.index()]);
        (gap, crowd, Reverse(n_left), cluster.cost_with(self.problem, leaves), place)
    }

    /// Returns the texts that a class of these cohorts publishes.
    fn texts(&self, cohorts: &[Cohort]) -> Vec<String> {
        let text = |attribute: &Attribute| {
            let leaves = cohorts.iter().map(|&cohort| attribute.leaves()[cohort.index()]);
            attribute.text(&attribute.region(leaves))
        };
        self.problem.attributes().iter().map(text).collect()
    }

    /// Whether the classes with these texts are private together, with one class added or removed.
    fn holds_with_others(
        &self,
        texts: &[String],
        more: Option<&Tally>,
        without: Option<usize>,
    ) -> bool {
        let goal = self.problem.goal();
        let classes = self.shown.get(texts).map_or(&[][..], Vec::as_slice);
        let mut together = more.cloned().unwrap_or_else(|| goal.tally());
        let others = classes.iter().filter(|&&class| Some(class) != without);
        others.for_each(|&class| together.absorb(&self.classes[class].tally));
        together.size() == 0 || goal.holds(&together)
    }

    /// Puts the remaining records into classes that stay private, or suppresses them.
    fn finish(mut self, progress: &dyn Progress) -> Result<Option<Proposal>> {
        let open = std::mem::take(&mut self.open).into_iter();
        let untried = open
            .flat_map(|place| std::iter::repeat_n(self.order[place], self.left[place] as usize));
        let remaining: Vec<Cohort> = self.remaining.iter().copied().chain(untried).collect();
        let mut takes = Vec::new();
        for cohort in remaining {
            stop_if_cancelled(progress)?;
            if self.join(cohort) {
                continue;
            }
            takes.push(Take { cohort, class: None, count: 1 });
            if takes.len() as u64 > self.problem.most_suppressed() {
                return Ok(None);
            }
        }
        if self.classes.is_empty() {
            return Ok(None);
        }
        let numbers = proposal::Class::first(self.classes.len());
        for (class, members) in numbers.map(Some).zip(&mut self.classes) {
            members.cohorts.sort_unstable();
            let runs = members.cohorts.chunk_by(|a, b| a == b);
            takes.extend(runs.map(|run| Take { cohort: run[0], class, count: run.len() as u64 }));
        }
        let found = Proposal::new(self.problem, self.classes.len(), takes)?;
        Ok(found.is_private(self.problem).then_some(found))
    }

    /// Adds a record to the class whose cost grows least and that stays private, if there is one.
    fn join(&mut self, cohort: Cohort) -> bool {
        let goal = self.problem.goal();
        let leaves = || self.problem.attributes().iter().map(|a| a.leaves()[cohort.index()]);
        let with = |class: &Class| {
            let mut tally = class.tally.clone();
            goal.add(&mut tally, cohort, 1);
            tally
        };
        let increase = |class: &Class| {
            let cost = class.cluster.cost_with(self.problem, leaves());
            (class.cluster.size + 1) as f64 * cost
                - class.cluster.size as f64 * class.cluster.cost(self.problem)
        };
        // Candidates are the classes that still meet the goal with the record, the cheapest first.
        let private = self.classes.iter().enumerate().filter(|(_, class)| goal.holds(&with(class)));
        let mut candidates: Vec<(f64, usize)> =
            private.map(|(number, class)| (increase(class), number)).collect();
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, number) in candidates {
            let class = &self.classes[number];
            let tally = with(class);
            let cohorts = [class.cohorts.as_slice(), &[cohort]].concat();
            let texts = self.texts(&cohorts);
            // If the texts change, the classes with the old texts must hold without this one.
            let is_private = self.holds_with_others(&texts, Some(&tally), Some(number))
                && (texts == class.texts
                    || self.holds_with_others(&class.texts, None, Some(number)));
            if is_private {
                self.replace(number, cohort, tally, texts);
                return true;
            }
        }
        false
    }

    /// Adds a record to a class and updates its tally and texts.
    fn replace(&mut self, number: usize, cohort: Cohort, tally: Tally, texts: Vec<String>) {
        let class = &mut self.classes[number];
        let listed = self.shown.get_mut(&class.texts);
        listed.expect("every class is listed under its texts").retain(|&other| other != number);
        self.shown.entry(texts.clone()).or_default().push(number);
        class.cluster.add(self.problem, cohort, 1);
        class.cohorts.push(cohort);
        (class.tally, class.texts) = (tally, texts);
    }
}

/// Returns the interleaved bits of the leaves of a cohort (Z-order), which are near for near
/// cohorts.
fn z_order(problem: &Problem, cohort: Cohort) -> u128 {
    let attributes = problem.attributes();
    let n_bits = (128 / attributes.len().max(1)).clamp(1, 16);
    let at = |place: usize| {
        let leaf = attributes[place].leaves()[cohort.index()].known().map_or(0, Leaf::get);
        // Scaling each leaf to `n_bits` bits gives all attributes the same weight.
        (u64::from(leaf) << n_bits) / attributes[place].n_leaves().max(1) as u64
    };
    let bits =
        (0..n_bits).rev().flat_map(|bit| (0..attributes.len()).map(move |place| (bit, place)));
    bits.take(128).fold(0, |key, (bit, place)| key << 1 | u128::from(at(place) >> bit & 1))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::anonymize::Hedge;
    use crate::builder::{Free, HierarchyBuilder};
    use crate::privacy::{self, KAnonymity, Known, PrivacyModel, Secret};
    use crate::problem::Limits;
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding, Table};
    use twox_hash::XxHash3_64;

    /// A problem over the given ages and illnesses, with classes of at least two records.
    fn problem(rows: &[[String; 2]], model: &str, most_suppressed: u64) -> Problem {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let table = Table::encode(&columns, rows, &Encoding::default()).unwrap();
        let secrets = [Arc::new(Secret::of(&table, "ill").unwrap())];
        let known = Known { table: &table, secrets: &secrets, has_population: false };
        let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(2).unwrap())];
        models.extend(privacy::from_spec(&model.parse().unwrap(), &known).unwrap());
        let limits = Limits { most_suppressed, ..Limits::default() };
        let free = Free.build(&table.columns()[0]).unwrap();
        Problem::with_limits(&table, vec![free], models, limits).unwrap()
    }

    /// Returns the number of classes that hedge finds, and of records that it suppresses.
    fn classes_of(rows: &[[String; 2]], model: &str, most_suppressed: u64) -> (usize, u64) {
        let problem = problem(rows, model, most_suppressed);
        let found = problem.solve(&Hedge::default(), &Silent).unwrap();
        (found.n_classes(), found.n_suppressed())
    }

    /// Pseudorandom numbers that are the same in every run.
    fn random(seed: u64, place: u64, below: u64) -> u64 {
        XxHash3_64::oneshot_with_seed(seed, &place.to_le_bytes()) % below
    }

    /// Compares growing with trying all partitions of a few records.
    #[test]
    fn growing_finds_nearly_what_trying_everything_finds() {
        let (mut n_possible, mut n_found) = (0, 0);
        for seed in 0..120 {
            let row = |place| {
                let (age, ill) = (random(seed, place, 9), random(seed, 100 + place, 4));
                [age.to_string(), format!("ill {ill}")]
            };
            let rows: Vec<[String; 2]> = (0..5 + seed % 3).map(row).collect();
            let problem = problem(&rows, "tau-lambda:tau=2,lambda=1", seed % 2);
            let found = grouped(&problem, &Silent).unwrap();
            assert!(found.iter().all(|f| f.flaw(&problem, &Silent).unwrap().is_none()), "{rows:?}");
            let is_possible = best_of_all(&problem, &Silent).unwrap().is_some();
            assert!(is_possible || found.is_none());
            n_possible += u32::from(is_possible);
            n_found += u32::from(found.is_some());
        }
        assert!(n_possible > 40 && 10 * n_found >= 9 * n_possible, "{n_found} of {n_possible}");
    }

    /// Groups of three different illnesses are spread over all ages, so a partition exists.
    #[test]
    fn classes_that_were_mixed_up_are_found_again() {
        let mut n_found = 0;
        for seed in 0..40 {
            let group = |group: u64| {
                let first = random(seed, 1000 + group, 6);
                (0..3).map(move |member| {
                    let age = random(seed, 3 * group + member, 90);
                    [age.to_string(), format!("ill {}", (first + member) % 6)]
                })
            };
            let rows: Vec<[String; 2]> = (0..7 + seed % 13).flat_map(group).collect();
            let problem = problem(&rows, "tau-lambda:tau=3,lambda=1", 0);
            let found = grouped(&problem, &Silent).unwrap();
            assert!(found.iter().all(|f| f.flaw(&problem, &Silent).unwrap().is_none()), "{rows:?}");
            n_found += u32::from(found.is_some());
        }
        assert!(n_found >= 36, "{n_found} of 40");
    }

    #[test]
    fn what_cannot_be_done_is_refused_soon() {
        let rows: Vec<[String; 2]> = (0..3000u32).map(|i| [i.to_string(), "flu".into()]).collect();
        let problem = problem(&rows, "tau-lambda:tau=20,lambda=1", 0);
        assert!(grouped(&problem, &Silent).unwrap().is_none());
        let rows: Vec<[String; 2]> =
            (0..3000u32).map(|i| [i.to_string(), (i * 7).to_string()]).collect();
        let problem = self::problem(&rows, "epsilon-m:epsilon=100000,m=20", 0);
        assert!(grouped(&problem, &Silent).unwrap().is_none());
    }

    #[test]
    fn pairs_are_found_where_all_records_together_fail() {
        let rows = [1, 2, 3, 4, 5].map(|age: u32| [age.to_string(), "flu".to_owned()]);
        assert_eq!(classes_of(&rows, "tau-lambda:tau=2,lambda=2", 1), (2, 1));
    }

    /// Neighbours have the same illness, so classes of neighbours fail, larger ones by more.
    #[test]
    fn values_that_must_not_repeat_come_from_further_away() {
        let row = |age: u32| [age.to_string(), format!("ill {}", age / 10)];
        let rows: Vec<[String; 2]> = (0..60).map(row).collect();
        let (n_classes, n_suppressed) = classes_of(&rows, "tau-lambda:tau=3,lambda=1", 0);
        assert!((10..=20).contains(&n_classes), "{n_classes}");
        assert_eq!(n_suppressed, 0);
    }
}
