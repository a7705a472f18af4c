//! Combinations of a method and hierarchies, and their trials on samples.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::column::{Built, Open};
use super::cost::Size;
use super::trials::{Choosing, LeftOut, Trial};
use crate::anonymize::from_spec;
use crate::error::Advice;
use crate::hierarchy::Generalization;
use crate::loss;
use crate::method::{Need, Spec};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::table::{Cohort, Table};
use crate::{Error, Result};

/// Minimum number of records of a sample, and of smallest classes that it has room for. Smaller
/// samples say nothing.
const FEWEST_RECORDS: u64 = 400;
const FEWEST_CLASSES: u64 = 50;

/// Parts of the budget for the small and for the large sample. The rest is for drawing them.
const SMALL: f64 = 0.5;
const LARGE: f64 = 0.4;

/// The work for a distinct record that is private as it is, in relation to any other.
const PRIVATE: f64 = 0.1;

/// Another combination must lose less than this share of the first one's loss. Records of a sample
/// are farther apart than those of the table, which favours some trees by a few percent, and the
/// first combination is nearly always the best.
const CLEARLY: f64 = 0.97;

/// Number of combinations, besides the first, that are tried on the larger sample.
const FINALISTS: usize = 2;

/// A method with one hierarchy for every column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arm {
    pub(super) method: Spec,
    /// The position of each column's hierarchy among its candidates.
    pub(super) picks: Vec<usize>,
}

/// The loss of a combination on a sample.
#[derive(Debug)]
struct Tried {
    arm: Arm,
    n_records: u64,
    /// `None` if the goal was not met.
    loss: Option<f64>,
}

/// All combinations.
#[derive(Debug)]
pub(super) struct Arms<'a> {
    columns: &'a [Open],
    methods: Vec<Spec>,
    /// The loss that decides.
    loss: loss::Choice,
    /// The whole problem, with the hierarchies at `picks`.
    problem: Problem,
    picks: Vec<usize>,
    tried: Vec<Tried>,
    left_out: Vec<LeftOut>,
}

/// The size of a problem.
pub(super) fn size(problem: &Problem) -> Size {
    Size { cohorts: problem.cohorts().len(), columns: problem.attributes().len() }
}

impl<'a> Arms<'a> {
    /// Builds the problem with the first combination for which that is possible.
    pub(super) fn new(
        columns: &'a [Open],
        methods: Vec<Spec>,
        loss: loss::Choice,
        build: impl Fn(Vec<Generalization>) -> Result<Problem>,
    ) -> Result<(Self, Problem)> {
        let mut refusal = None;
        for picks in combinations(columns, &methods[0]) {
            match build(picked(columns, &picks)) {
                Ok(problem) => {
                    let (tried, left_out) = (Vec::new(), Vec::new());
                    let whole = problem.clone();
                    let arms = Self { columns, methods, loss, problem, picks, tried, left_out };
                    return Ok((arms, whole));
                }
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        Err(refusal.unwrap_or_else(|| Error::Internal("no column has a hierarchy".to_owned())))
    }

    /// Whether there is only one combination.
    pub(super) fn is_decided(&self) -> bool {
        self.arms().len() == 1
    }

    /// Leaves out methods that cannot solve the problem, or that are estimated to take longer than
    /// `time` seconds; the fastest is kept in any case.
    pub(super) fn keep_what_fits(&mut self, time: f64) -> Result<()> {
        let size = size(&self.problem);
        let methods = std::mem::take(&mut self.methods);
        let mut able: Vec<Spec> =
            methods.into_iter().filter(|method| self.can_solve(method)).collect();
        let fastest = able.iter().map(|method| size.seconds(method)).fold(f64::INFINITY, f64::min);
        able.retain(|method| {
            let estimated_seconds = size.seconds(method);
            let fits = estimated_seconds <= time.max(fastest);
            if !fits {
                let method = method.to_string();
                self.left_out.push(LeftOut { method, estimated_seconds });
            }
            fits
        });
        self.methods = able;
        if self.methods.is_empty() {
            return Err(Error::method("auto", "tries no method that can solve this problem")
                .advise([Advice::OtherMethod { methods: Vec::new() }]));
        }
        Ok(())
    }

    fn can_solve(&self, method: &Spec) -> bool {
        let arm = Arm { method: method.clone(), picks: self.first_picks(method) };
        let can = |problem: Problem| {
            from_spec(method).is_ok_and(|method| method.obstacle(&problem).is_none())
        };
        self.problem(&arm).is_ok_and(can)
    }

    /// Tries the combinations and returns the best, within the time that the search leaves.
    pub(super) fn run(&mut self, time: f64, progress: &dyn Progress) -> Result<Arm> {
        let mut arms = self.arms();
        let first = arms[0].clone();
        let search = size(&self.problem).seconds(&first.method);
        // The trials may take as long as the search, or what the search leaves of the time.
        let share = ((time - search) / search).min(1.0);
        let budget = share * self.effort(&self.problem.cohorts().counts);
        // Which method reaches a goal besides k-anonymity, minimises another loss than usual, or
        // gains by suppression is worth a trial at any price.
        let is_usual = self.loss == loss::Choice::default();
        let has_models = self.problem.goal().models().len() > 1;
        let must_try = self.methods.len() > 1
            && (has_models || !is_usual || self.problem.most_suppressed() > 0);
        let is_poor = (SMALL + LARGE) * budget < work(&arms) * self.fewest() as f64;
        if arms.len() == 1 || is_poor && !must_try {
            return Ok(first);
        }
        let small = self.sample(SMALL * budget / work(&arms), &first);
        self.try_all(&arms, &small, progress)?;
        let better = self.better(&first);
        if better.is_empty() || small.cohorts().n_records() == self.problem.cohorts().n_records() {
            return Ok(better.into_iter().next().unwrap_or(first));
        }
        arms = vec![first.clone()];
        arms.extend(union(&better, &first));
        arms.extend(better.iter().take(FINALISTS).cloned());
        let large = self.sample(LARGE * budget / work(&arms), &first);
        // A sample of about the same size would not tell more.
        if large.cohorts().n_records() > small.cohorts().n_records() * 3 / 2 {
            self.try_all(&arms, &large, progress)?;
        }
        Ok(self.better(&first).into_iter().next().unwrap_or(first))
    }

    /// Every combination that is tried at first; the first is the most promising.
    fn arms(&self) -> Vec<Arm> {
        let (first, others) = self.methods.split_at(1);
        let first_picks = self.first_picks(&first[0]);
        let mut all = vec![Arm { method: first[0].clone(), picks: first_picks }];
        let of_first = combinations(self.columns, &first[0]).into_iter();
        all.extend(of_first.map(|picks| Arm { method: first[0].clone(), picks }));
        all.extend(others.iter().map(|method| {
            let picks = self.first_picks(method);
            Arm { method: method.clone(), picks }
        }));
        let mut distinct: Vec<Arm> = Vec::new();
        for arm in all {
            if !distinct.contains(&arm) {
                distinct.push(arm);
            }
        }
        distinct
    }

    /// The most promising hierarchies for a method: those of the problem, if it accepts them.
    fn first_picks(&self, method: &Spec) -> Vec<usize> {
        let suits =
            |(open, &pick): (&Open, &usize)| !needs_levels(method) || open.built[pick].has_levels();
        if self.columns.iter().zip(&self.picks).all(suits) {
            return self.picks.clone();
        }
        combinations(self.columns, method).swap_remove(0)
    }

    /// The whole problem with the hierarchies of a combination.
    pub(super) fn problem(&self, arm: &Arm) -> Result<Problem> {
        if arm.picks == self.picks {
            return Ok(self.problem.clone());
        }
        self.problem.with_generalizations(picked(self.columns, &arm.picks))
    }

    /// Draws a sample that takes about this much work, and of some records in any case.
    fn sample(&self, effort: f64, first: &Arm) -> Problem {
        let problem = self.problem(first).unwrap_or_else(|_| self.problem.clone());
        let n_records = problem.cohorts().n_records();
        let fewest = self.fewest().min(n_records);
        let per_record = self.effort(&problem.cohorts().counts) / n_records as f64;
        let mut wanted = ((effort / per_record) as u64).clamp(fewest, n_records);
        loop {
            let drawn = problem.table().draw(wanted, problem.seed());
            let counts: Vec<u64> = drawn.iter().map(|&(_, count)| count).collect();
            // A part of the records has more than that part of the distinct ones.
            if self.effort(&counts) <= 1.1 * effort || wanted == fewest {
                return part(&problem, &drawn, wanted);
            }
            wanted = (wanted * 4 / 5).max(fewest);
        }
    }

    /// The work that a search takes for distinct records with these counts.
    fn effort(&self, counts: &[u64]) -> f64 {
        let least = self.problem.least_size();
        counts.iter().map(|&count| if count < least { 1.0 } else { PRIVATE }).sum()
    }

    /// Minimum number of records of a sample.
    fn fewest(&self) -> u64 {
        self.problem.least_size().saturating_mul(FEWEST_CLASSES).max(FEWEST_RECORDS)
    }

    fn try_all(&mut self, arms: &[Arm], sample: &Problem, progress: &dyn Progress) -> Result<()> {
        for arm in arms {
            stop_if_cancelled(progress)?;
            let loss = self.trial(arm, sample, progress)?;
            let n_records = sample.cohorts().n_records();
            self.tried.push(Tried { arm: arm.clone(), n_records, loss });
        }
        Ok(())
    }

    /// The loss of a combination on a sample; `None` if it cannot meet the goal there.
    fn trial(&self, arm: &Arm, sample: &Problem, progress: &dyn Progress) -> Result<Option<f64>> {
        let anonymizer = from_spec(&arm.method)?;
        let Ok(problem) = sample.with_generalizations(picked(self.columns, &arm.picks)) else {
            return Ok(None);
        };
        match problem.solve(&*anonymizer, progress) {
            // The loss is that of the release, in which classes that publish the same are one.
            Ok(found) => self.loss.published_penalty(&problem, &found).map(Some),
            // The whole table may still succeed, and if not, the search says why.
            Err(Error::Unreachable { .. } | Error::Obstacle { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The combinations that lose clearly less than `first` on the largest sample, the best first.
    fn better(&self, first: &Arm) -> Vec<Arm> {
        let n_records = self.tried.last().map_or(0, |tried| tried.n_records);
        let on_largest = || self.tried.iter().filter(|tried| tried.n_records == n_records);
        let of_first = on_largest().find(|tried| tried.arm == *first).and_then(|tried| tried.loss);
        let bound = of_first.map_or(f64::INFINITY, |loss| loss * CLEARLY);
        let mut better: Vec<(f64, &Arm)> = on_largest()
            .filter_map(|tried| Some((tried.loss?, &tried.arm)))
            .filter(|(loss, _)| *loss < bound)
            .collect();
        // A stable sort: of equal losses, the first combination wins.
        better.sort_by(|a, b| a.0.total_cmp(&b.0));
        better.into_iter().map(|(_, arm)| arm.clone()).collect()
    }

    /// What the candidates of a column lost with the method of `best`, the least loss first:
    /// `least loss of 2: least-loss 0.0120, iotf 0.0125 (ntil on 2000 sampled records)`.
    pub(super) fn reason(&self, place: usize, best: &Arm) -> Option<String> {
        let n_records = self.tried.first()?.n_records;
        let of_candidate = |(pick, built): (usize, &Built)| {
            let losses = self.tried.iter().filter_map(|tried| {
                let is_it = tried.arm.picks[place] == pick && tried.arm.method == best.method;
                tried.loss.filter(|_| is_it && tried.n_records == n_records)
            });
            Some((built.spec.to_string(), losses.reduce(f64::min)?))
        };
        let candidates = self.columns[place].built.iter().enumerate();
        let mut losses: Vec<(String, f64)> = candidates.filter_map(of_candidate).collect();
        losses.sort_by(|a, b| a.1.total_cmp(&b.1));
        if losses.len() < 2 {
            return None;
        }
        let chosen = self.columns[place].built[best.picks[place]].spec.to_string();
        let mut why = if losses[0].0 == chosen {
            format!("{} {} of {}: ", self.loss.best(), self.noun(), losses.len())
        } else {
            format!("no other of {} is clearly better: ", losses.len())
        };
        for (place, (spec, loss)) in losses.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let _ = write!(why, "{comma}{spec} {}", self.loss.written_penalty(*loss));
        }
        let sampled = if n_records < self.problem.cohorts().n_records() {
            counted(n_records, "sampled record")
        } else {
            format!("all {}", counted(n_records, "record"))
        };
        let _ = write!(why, " ({} on {sampled})", self.loss);
        Some(why)
    }

    fn noun(&self) -> &'static str {
        if self.loss.is_gain() { "gain" } else { "loss" }
    }

    /// What was tried before `method` was chosen, as data.
    pub(super) fn choosing(&self, table: &Table, method: &Spec, of_method: bool) -> Choosing {
        let n_records = self.problem.cohorts().n_records();
        let is_open = |open: &Open| open.built.len() > 1;
        let trial = |tried: &Tried| {
            let columns = table.columns().iter().zip(self.columns).zip(&tried.arm.picks);
            let hierarchies: BTreeMap<String, String> = columns
                .filter(|((_, open), _)| is_open(open))
                .map(|((column, open), &pick)| {
                    (column.name.clone(), open.built[pick].spec.to_string())
                })
                .collect();
            Trial {
                method: tried.arm.method.to_string(),
                hierarchies,
                records: tried.n_records,
                all: tried.n_records == n_records,
                loss: tried.loss,
            }
        };
        let seconds = size(&self.problem).seconds(method);
        Choosing {
            of_method,
            loss: self.loss.name(),
            estimated_seconds: of_method.then_some(seconds),
            tried: self.tried.iter().map(trial).collect(),
            left_out: self.left_out.clone(),
        }
    }
}

/// Returns the hierarchies of all columns, for each combination that a method accepts: the first
/// candidate of each column, then, for every other method of hierarchies, that one wherever it is a
/// candidate.
fn combinations(columns: &[Open], method: &Spec) -> Vec<Vec<usize>> {
    let needs_levels = needs_levels(method);
    let suits = |built: &Built| !needs_levels || built.has_levels();
    let first: Vec<usize> =
        columns.iter().map(|open| open.built.iter().position(suits).unwrap_or(0)).collect();
    let mut names: Vec<&str> = Vec::new();
    for built in columns.iter().flat_map(|open| open.built.iter().filter(|built| suits(built))) {
        if !names.contains(&built.spec.name.as_str()) {
            names.push(&built.spec.name);
        }
    }
    let with = |name: &&str| -> Vec<usize> {
        let picks = columns.iter().zip(&first);
        picks.map(|(open, &usual)| open.position(name).unwrap_or(usual)).collect()
    };
    let mut all = vec![first.clone()];
    for picks in names.iter().map(with) {
        if !all.contains(&picks) {
            all.push(picks);
        }
    }
    all
}

fn needs_levels(method: &Spec) -> bool {
    from_spec(method).is_ok_and(|method| method.needs(Need::Levels))
}

fn picked(columns: &[Open], picks: &[usize]) -> Vec<Generalization> {
    let built = columns.iter().zip(picks).map(|(open, &pick)| &open.built[pick]);
    built.map(|built| built.generalization.clone()).collect()
}

/// All changes of the first combination that help, at once; the best change of a column wins.
fn union(better: &[Arm], first: &Arm) -> Option<Arm> {
    let of_first: Vec<&Arm> = better.iter().filter(|other| other.method == first.method).collect();
    let mut union = first.clone();
    for arm in of_first.iter().rev() {
        let changes = arm.picks.iter().zip(&first.picks).enumerate();
        for (place, (&pick, _)) in changes.filter(|(_, (pick, usual))| pick != usual) {
            union.picks[place] = pick;
        }
    }
    (of_first.len() > 1 && !better.contains(&union)).then_some(union)
}

/// The work of trying each combination once, in relation to that of the first.
fn work(arms: &[Arm]) -> f64 {
    arms.iter().map(|arm| Size::weight(&arm.method, &arms[0].method)).sum()
}

/// Restricts a problem to the drawn records. They may suppress the same share of records as the
/// whole table.
fn part(problem: &Problem, drawn: &[(Cohort, u64)], n_sampled: u64) -> Problem {
    let table = problem.table().with_rows(drawn.iter().copied());
    let cohorts: Vec<Cohort> = drawn.iter().map(|&(cohort, _)| cohort).collect();
    let n_records = u128::from(problem.cohorts().n_records());
    let share = u128::from(problem.most_suppressed()) * u128::from(n_sampled) / n_records;
    problem.part(&table, &cohorts, share as u64)
}
