//! Groups records anew by what the models ask, where classes that are put together fail.

use std::collections::BTreeSet;

use hashbrown::HashMap;

use super::choose::penalty;
use super::cluster::Cluster;
use super::selection::gap;
use crate::Result;
use crate::loss::Choice;
use crate::problem::{ANY_LEAF, Problem, Region, Tally};
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{Proposal, Take};

/// How many records are compared before one joins a class.
const MOST_COMPARED: usize = 64;

/// All partitions of so many records are tried, about 20,000.
const MOST_DIVIDED: u64 = 8;

/// A class that still fails with this many times the fewest records is given up.
const MOST_GROWN: u64 = 4;

/// Forms classes that meet a goal which is not monotone; none if that was not found.
///
/// [Mending](super::mend::mend) puts classes together until they are private. Where a value must not
/// occur too often in a class, that leads away from the goal. Here each class grows from one record
/// by the record that brings the models nearest to what is asked, of these by the one whose sensitive
/// values the class has least, of these by the cheapest, and is closed as soon as it is private.
/// Records that no class could be closed with join one that stays private, or are suppressed. If that
/// fails, it is tried again with records of frequent sensitive values preferred, so that these are
/// not what is left at the end \[Xiao2006\]. Of eight records or fewer all partitions are tried, and the
/// one that loses least is taken.
///
/// # Complexity
///
/// For each record at most about 200 evaluations of the models, and for each that is left at the end
/// one for each class.
///
/// # Guarantees
///
/// Every class is private, also together with those that publish the same, and no more records are
/// suppressed than may be. Of more than eight records it may find nothing although there is
/// something. Deterministic.
///
/// # References
///
/// \[Xiao2006\] X. Xiao, Y. Tao: Anatomy: Simple and Effective Privacy Preservation, VLDB 2006.
pub(super) fn regroup(problem: &Problem, progress: &dyn Progress) -> Result<Option<Proposal>> {
    if problem.cohorts().n_records() <= MOST_DIVIDED {
        return best_of_all(problem);
    }
    for prefers_frequent in [false, true] {
        let mut grouping = Grouping::new(problem, prefers_frequent);
        while let Some(seed) = grouping.next_seed() {
            stop_if_cancelled(progress)?;
            grouping.grow(seed);
        }
        if let Some(found) = grouping.finish(progress)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Of all partitions of all selections of records the private one that loses least.
fn best_of_all(problem: &Problem) -> Result<Option<Proposal>> {
    let counts = (0..).zip(&problem.cohorts().counts);
    let records: Vec<u32> =
        counts.flat_map(|(cohort, &count)| std::iter::repeat_n(cohort, count as usize)).collect();
    let mut best: Option<(f64, Proposal)> = None;
    let mut open: Vec<(Vec<u32>, u32)> = vec![(Vec::new(), 0)];
    while let Some((class_of, n_classes)) = open.pop() {
        if class_of.len() < records.len() {
            let choices = (0..=n_classes).chain([Take::SUPPRESSED]);
            open.extend(choices.map(|class| {
                let n_classes = n_classes + u32::from(class == n_classes);
                ([class_of.as_slice(), &[class]].concat(), n_classes)
            }));
            continue;
        }
        let takes = records.iter().zip(class_of);
        let takes = takes.map(|(&cohort, class)| Take { cohort, class, count: 1 }).collect();
        let proposal = Proposal::new(problem, n_classes as usize, takes);
        if n_classes == 0 || proposal.flaw(problem).is_some() {
            continue;
        }
        let lost = penalty(Choice::default(), problem, &proposal)?;
        if best.as_ref().is_none_or(|(least, _)| lost < *least) {
            best = Some((lost, proposal));
        }
    }
    Ok(best.map(|(_, proposal)| proposal))
}

/// A class that is private.
struct Class {
    cluster: Cluster,
    tally: Tally,
    cohorts: Vec<u32>,
    shape: Vec<Region>,
}

struct Grouping<'a> {
    problem: &'a Problem,
    prefers_frequent: bool,
    /// The cohorts, so that near ones have places near each other.
    order: Vec<u32>,
    /// What the models see of the records at each place.
    kinds: Vec<usize>,
    /// How many records at each place are in no class.
    left: Vec<u64>,
    /// How many records of each kind are in no class, and the places that have them.
    open: Vec<(u64, BTreeSet<usize>)>,
    classes: Vec<Class>,
    by_shape: HashMap<Vec<Region>, Vec<usize>>,
    /// Records that no class could be closed with.
    remaining: Vec<u32>,
}

impl<'a> Grouping<'a> {
    fn new(problem: &'a Problem, prefers_frequent: bool) -> Self {
        let goal = problem.goal();
        let counts = &problem.cohorts().counts;
        let mut order: Vec<u32> = (0..counts.len() as u32).collect();
        order.sort_by_cached_key(|&cohort| (z_order(problem, cohort), cohort));
        let mut numbers = HashMap::new();
        let kinds = order.iter().map(|&cohort| {
            let next = numbers.len();
            *numbers.entry(goal.kind_of(cohort)).or_insert(next)
        });
        let kinds: Vec<usize> = kinds.collect();
        let left: Vec<u64> = order.iter().map(|&cohort| counts[cohort as usize]).collect();
        let mut open = vec![(0, BTreeSet::new()); numbers.len()];
        for (place, (&kind, &count)) in kinds.iter().zip(&left).enumerate() {
            open[kind].0 += count;
            open[kind].1.insert(place);
        }
        let (classes, by_shape, remaining) = (Vec::new(), HashMap::new(), Vec::new());
        Self { problem, prefers_frequent, order, kinds, left, open, classes, by_shape, remaining }
    }

    /// The first place of the kind that has most records left.
    fn next_seed(&self) -> Option<usize> {
        let (_, places) = self.open.iter().rev().max_by_key(|(n_left, _)| *n_left)?;
        places.first().copied()
    }

    /// Takes a record from a place.
    fn take(&mut self, place: usize) {
        self.left[place] -= 1;
        let (n_left, places) = &mut self.open[self.kinds[place]];
        *n_left -= 1;
        if self.left[place] == 0 {
            places.remove(&place);
        }
    }

    /// Gives a record back.
    fn put_back(&mut self, place: usize) {
        self.left[place] += 1;
        let (n_left, places) = &mut self.open[self.kinds[place]];
        *n_left += 1;
        places.insert(place);
    }

    /// Grows a class from a record. If none is found, the record remains.
    fn grow(&mut self, seed: usize) {
        let goal = self.problem.goal();
        let (mut cluster, mut tally) = (Cluster::empty(self.problem), goal.tally());
        let mut members = Vec::new();
        let mut next = Some(seed);
        while let Some(place) = next {
            self.take(place);
            members.push(place);
            let cohort = self.order[place];
            cluster.add(self.problem, cohort, 1);
            goal.add(&mut tally, cohort, 1);
            if goal.holds(&tally) {
                let cohorts: Vec<u32> = members.iter().map(|&place| self.order[place]).collect();
                let shape = self.shape(&cohorts);
                if self.holds_beside(&shape, Some(&tally), None) {
                    self.by_shape.entry(shape.clone()).or_default().push(self.classes.len());
                    self.classes.push(Class { cluster, tally, cohorts, shape });
                    return;
                }
            }
            let is_too_large = tally.size() >= MOST_GROWN * goal.least_size().max(2);
            next = if is_too_large { None } else { self.next(seed, &cluster, &mut tally) };
        }
        members.drain(1..).for_each(|place| self.put_back(place));
        self.remaining.push(self.order[seed]);
    }

    /// The place of the record to add next.
    fn next(&self, seed: usize, cluster: &Cluster, tally: &mut Tally) -> Option<usize> {
        let goal = self.problem.goal();
        let around = |places: &BTreeSet<usize>| {
            let places =
                places.range(..seed).next_back().into_iter().chain(places.range(seed..).next());
            places.copied().collect::<Vec<usize>>()
        };
        let mut places: Vec<usize> =
            self.open.iter().flat_map(|(_, places)| around(places)).collect();
        if places.len() > MOST_COMPARED {
            places
                .select_nth_unstable_by_key(MOST_COMPARED, |&place| (place.abs_diff(seed), place));
            places.truncate(MOST_COMPARED);
        }
        let score = |place: usize| {
            let cohort = self.order[place];
            let crowd = goal.crowd(tally, cohort);
            goal.add(tally, cohort, 1);
            let gap = gap(goal, tally);
            goal.remove(tally, cohort, 1);
            let n_left = if self.prefers_frequent { self.open[self.kinds[place]].0 } else { 0 };
            let leaves = self.problem.attributes().iter().map(|a| a.leaves()[cohort as usize]);
            let cost = cluster.cost_with(self.problem, leaves);
            (place, (gap, crowd, std::cmp::Reverse(n_left), cost))
        };
        let scores = places.into_iter().map(score);
        scores.reduce(|a, b| if b.1 < a.1 { b } else { a }).map(|(place, _)| place)
    }

    /// What records publish together.
    fn shape(&self, cohorts: &[u32]) -> Vec<Region> {
        let attributes = self.problem.attributes().iter();
        let region = attributes.map(|attribute| {
            attribute.region(cohorts.iter().map(|&cohort| attribute.leaves()[cohort as usize]))
        });
        region.collect()
    }

    /// Whether what a reader sees of a shape is private with one more class, or without one of its
    /// classes.
    fn holds_beside(&self, shape: &[Region], more: Option<&Tally>, without: Option<usize>) -> bool {
        let goal = self.problem.goal();
        let classes = self.by_shape.get(shape).map_or(&[][..], Vec::as_slice);
        let mut shown = more.cloned().unwrap_or_else(|| goal.tally());
        let others = classes.iter().filter(|&&class| Some(class) != without);
        others.for_each(|&class| shown.absorb(&self.classes[class].tally));
        shown.size() == 0 || goal.holds(&shown)
    }

    /// Puts what remains into classes that stay private, or suppresses it.
    fn finish(mut self, progress: &dyn Progress) -> Result<Option<Proposal>> {
        let mut takes = Vec::new();
        for cohort in std::mem::take(&mut self.remaining) {
            stop_if_cancelled(progress)?;
            if !self.join(cohort) {
                takes.push(Take { cohort, class: Take::SUPPRESSED, count: 1 });
            }
        }
        if self.classes.is_empty() || takes.len() as u64 > self.problem.most_suppressed() {
            return Ok(None);
        }
        for (class, members) in (0..).zip(&self.classes) {
            takes.extend(members.cohorts.iter().map(|&cohort| Take { cohort, class, count: 1 }));
        }
        let mut proposal = Proposal::new(self.problem, self.classes.len(), takes);
        proposal.notes.push(
            "classes were formed by what the models ask, since those of the method failed together"
                .to_owned(),
        );
        Ok(proposal.is_private(self.problem).then_some(proposal))
    }

    /// Puts a record into the class that grows least by it, of those that stay private.
    fn join(&mut self, cohort: u32) -> bool {
        let goal = self.problem.goal();
        let leaves = || self.problem.attributes().iter().map(|a| a.leaves()[cohort as usize]);
        let mut alone = goal.tally();
        goal.add(&mut alone, cohort, 1);
        let with = |class: &Class| {
            let mut tally = class.tally.clone();
            tally.absorb(&alone);
            tally
        };
        let classes = self.classes.iter().enumerate().filter(|(_, class)| goal.holds(&with(class)));
        let increase = |class: &Class| {
            let cost = class.cluster.cost_with(self.problem, leaves());
            (class.cluster.size + 1) as f64 * cost
                - class.cluster.size as f64 * class.cluster.cost(self.problem)
        };
        let mut classes: Vec<(f64, usize)> =
            classes.map(|(number, class)| (increase(class), number)).collect();
        classes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, number) in classes {
            let class = &self.classes[number];
            let tally = with(class);
            let cohorts = [class.cohorts.as_slice(), &[cohort]].concat();
            let shape = self.shape(&cohorts);
            let is_private = self.holds_beside(&shape, Some(&tally), Some(number))
                && (shape == class.shape || self.holds_beside(&class.shape, None, Some(number)));
            if !is_private {
                continue;
            }
            let class = &mut self.classes[number];
            self.by_shape.get_mut(&class.shape).expect("a class").retain(|&other| other != number);
            self.by_shape.entry(shape.clone()).or_default().push(number);
            class.cluster.add(self.problem, cohort, 1);
            (class.tally, class.cohorts, class.shape) = (tally, cohorts, shape);
            return true;
        }
        false
    }
}

/// A number that is near for cohorts that are near: bits of the leaves of all attributes in turn.
fn z_order(problem: &Problem, cohort: u32) -> u128 {
    let attributes = problem.attributes();
    let n_bits = (128 / attributes.len().max(1)).clamp(1, 16);
    let at = |place: usize| {
        let leaf = attributes[place].leaves()[cohort as usize];
        let leaf = if leaf == ANY_LEAF { 0 } else { u64::from(leaf) };
        (leaf << n_bits) / attributes[place].n_leaves().max(1) as u64
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
    use crate::hierarchy::{Free, HierarchyBuilder};
    use crate::privacy::{self, KAnonymity, Known, PrivacyModel, Secret};
    use crate::problem::Limits;
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding, Table};

    /// How many classes a method finds for records with such ages and illnesses, and how many
    /// records it suppresses.
    fn classes_of(rows: &[[String; 2]], model: &str, most_suppressed: u64) -> (usize, u64) {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let table = Table::encode(&columns, rows, &Encoding::default()).unwrap();
        let secrets = [Arc::new(Secret::of(&table, "ill").unwrap())];
        let known = Known { table: &table, secrets: &secrets, has_population: false };
        let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(2).unwrap())];
        models.extend(privacy::from_spec(&model.parse().unwrap(), &known).unwrap());
        let limits = Limits { most_suppressed, ..Limits::default() };
        let free = Free.build(&table.columns()[0]).unwrap();
        let problem = Problem::with_limits(&table, vec![free], models, limits).unwrap();
        let found = problem.solve(&Hedge::default(), &Silent).unwrap();
        (found.n_classes(), found.n_suppressed())
    }

    #[test]
    fn pairs_are_found_where_all_records_together_fail() {
        let rows = [1, 2, 3, 4, 5].map(|age: u32| [age.to_string(), "flu".to_owned()]);
        assert_eq!(classes_of(&rows, "tau-lambda:tau=2,lambda=2", 1), (2, 1));
    }

    /// Neighbours have the same illness, so classes of neighbours fail, the more the larger they are.
    #[test]
    fn values_that_must_not_repeat_come_from_further_away() {
        let row = |age: u32| [age.to_string(), format!("ill {}", age / 10)];
        let rows: Vec<[String; 2]> = (0..60).map(row).collect();
        let (n_classes, n_suppressed) = classes_of(&rows, "tau-lambda:tau=3,lambda=1", 0);
        assert!((10..=20).contains(&n_classes), "{n_classes}");
        assert_eq!(n_suppressed, 0);
    }
}
