//! Trials of combinations on records, and the choice of the best.

use super::arm::{Arm, combinations, needs_levels, picked, union, work};
use super::column::Open;
use super::cost::{MOMENT, Size, draft};
use super::sample::{Sample, effort, fewest};
use super::trials::LeftOut;
use crate::anonymize::{Anonymizer, from_spec, obstacle};
use crate::error::Advice;
use crate::hierarchy::Generalization;
use crate::loss::{self, Partition};
use crate::method::{Scope, Spec};
use crate::problem::Problem;
use crate::progress::{Deadline, Progress, stop_if_cancelled};
use crate::recoding::Recoding;
use crate::{Error, Result};

/// Parts of the budget for the small and for the large sample. The rest is for building candidates
/// and for drawing the samples.
const SMALL: f64 = 0.25;
const LARGE: f64 = 0.5;

/// On a sample whose classes are wider than those of the table, another combination must lose less
/// than this share of the first one's loss. Such samples favour some trees by a few percent, and
/// the first combination is nearly always the best.
const CLEARLY: f64 = 0.97;

/// The same on all records, and on samples with classes as wide as those of the table. Less than a
/// percent is not worth giving up the labels of the first combination, which are more informative
/// than those of others.
const AT_ALL: f64 = 0.99;

/// Another combination that loses less than this share of the first one's loss on the small sample
/// is compared with it on the large one.
const NEARLY: f64 = 1.05;

/// The part of a time limit after which no more samples are tried.
const SAMPLING: f64 = 0.5;

/// Number of combinations, besides the first, that are tried on the larger sample.
const FINALISTS: usize = 2;

/// All combinations.
#[derive(Debug)]
pub(super) struct Arms<'a> {
    pub(super) columns: &'a [Open],
    methods: Vec<Spec>,
    /// The loss that decides.
    pub(super) loss: loss::Choice,
    /// The whole problem, with the hierarchies at `picks`.
    pub(super) problem: Problem,
    picks: Vec<usize>,
    pub(super) tried: Vec<Tried>,
    pub(super) left_out: Vec<LeftOut>,
}

/// The loss of a combination on some records.
#[derive(Debug)]
pub(super) struct Tried {
    pub(super) arm: Arm,
    pub(super) n_records: u64,
    /// `None` if the goal was not met.
    pub(super) loss: Option<f64>,
    /// Mean risk of a published record; `None` if the goal was not met.
    pub(super) risk: Option<f64>,
    /// The result, if the method itself was tried on all records.
    found: Option<Recoding>,
    /// Whether the sample is like the table, so that a small difference counts.
    is_alike: bool,
}

/// Limits of the trials.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// The least uniform recoding that is allowed.
    pub(super) recoding: Scope,
    /// Seconds that the trials and the search may take together, as estimated.
    pub(super) time: f64,
    /// Seconds after which the search itself will be stopped.
    pub(super) stop: Option<f64>,
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
                // The first refusal is reported: it concerns the most promising hierarchies.
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
    /// the time; the fastest is kept in any case.
    pub(super) fn keep_what_fits(&mut self, bounds: Bounds) -> Result<()> {
        let size = size(&self.problem);
        let methods = std::mem::take(&mut self.methods);
        let mut able: Vec<Spec> =
            methods.into_iter().filter(|method| self.can_solve(method, bounds)).collect();
        // Even if nothing fits into the time, one method must remain.
        let fastest = able.iter().map(|method| size.seconds(method)).fold(f64::INFINITY, f64::min);
        able.retain(|method| {
            let estimated_seconds = size.seconds(method);
            let fits = estimated_seconds <= bounds.time.max(fastest);
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

    fn can_solve(&self, method: &Spec, bounds: Bounds) -> bool {
        let arm = Arm { method: method.clone(), picks: self.first_picks(method) };
        let can = |problem: Problem| {
            let obstacle =
                |method: &dyn Anonymizer| obstacle(method, &problem, bounds.stop.is_some());
            from_spec(method).is_ok_and(|method| obstacle(&*method).is_none())
        };
        self.problem(&arm).is_ok_and(can)
    }

    /// Tries the combinations and returns the best.
    pub(super) fn run(&mut self, bounds: Bounds, progress: &dyn Progress) -> Result<Arm> {
        let arms = self.arms();
        let size = size(&self.problem);
        let seconds = |arms: &[Arm]| arms.iter().map(|arm| size.seconds(&arm.method)).sum::<f64>();
        let n_methods = self.methods.len();
        if bounds.recoding == Scope::Local || n_methods == 1 || seconds(&arms) > bounds.time {
            return self.on_samples(&arms, bounds, progress);
        }
        let limited = Deadline::after(bounds.stop, progress);
        // With fewer records, these methods must generalize values that they would publish
        // otherwise, some methods more than others. So methods are compared on all records.
        let first = arms[0].clone();
        let (of_first, mut others): (Vec<Arm>, Vec<Arm>) =
            arms.into_iter().partition(|arm| arm.method == first.method);
        others.extend(self.others(&others));
        // On small tables even all combinations on all records take only a moment, so no sample is
        // needed.
        if seconds(&of_first[1..]) + seconds(&others) <= MOMENT {
            others.splice(0..0, of_first);
        } else {
            others.insert(0, self.on_samples(&of_first, bounds, progress)?);
        }
        let first = others[0].clone();
        self.try_all(&others, &Sample::all(&self.problem), &limited)?;
        Ok(self.better(&first).into_iter().next().unwrap_or(first))
    }

    /// The other combinations of the methods of some combinations.
    fn others(&self, arms: &[Arm]) -> Vec<Arm> {
        let of_method = |arm: &Arm| {
            let method = arm.method.clone();
            let all = combinations(self.columns, &method).into_iter();
            all.map(move |picks| Arm { method: method.clone(), picks })
        };
        arms.iter().flat_map(of_method).filter(|other| !arms.contains(other)).collect()
    }

    /// Tries combinations on samples and returns the best, within the time that the search leaves.
    fn on_samples(&mut self, arms: &[Arm], bounds: Bounds, progress: &dyn Progress) -> Result<Arm> {
        let first = arms[0].clone();
        let budget = self.budget(bounds.time, &first);
        if arms.len() == 1 || self.is_poor(budget, arms) && !self.must_try() {
            return Ok(first);
        }
        // The estimate can be wrong, so a time limit also applies to the trials.
        let progress = &Deadline::after(bounds.stop.map(|stop| SAMPLING * stop), progress);
        let problem = self.problem(&first).unwrap_or_else(|_| self.problem.clone());
        let size = size(&problem);
        let seconds = arms.iter().map(|arm| size.seconds(&arm.method)).sum::<f64>();
        let small = if seconds <= MOMENT.min(bounds.time) {
            Sample::all(&problem)
        } else {
            Sample::draw(&problem, SMALL * budget / work(arms))
        };
        self.try_all(arms, &small, progress)?;
        let better = self.better(&first);
        let union = union(&better, &first);
        if small.is_all {
            self.try_all(union.as_slice(), &small, progress)?;
        } else {
            let mut finalists = vec![first.clone()];
            finalists.extend(union);
            let rivals = if better.is_empty() { self.rival(&first) } else { better };
            finalists.extend(rivals.into_iter().take(FINALISTS));
            let large = Sample::draw(&problem, LARGE * budget / work(&finalists));
            // A sample of about the same size would add nothing.
            if finalists.len() > 1 && large.n_records() > small.n_records() * 3 / 2 {
                self.try_all(&finalists, &large, progress)?;
            }
        }
        Ok(self.better(&first).into_iter().next().unwrap_or(first))
    }

    /// The combination that comes nearest to `first` on the last sample, if it is near.
    fn rival(&self, first: &Arm) -> Vec<Arm> {
        let near = self.below(first, NEARLY).into_iter();
        near.filter(|arm| arm != first).take(1).collect()
    }

    /// The work that trials may take: as much as the search, or a moment if that is more, but no
    /// more than the time that the search leaves.
    fn budget(&self, time: f64, first: &Arm) -> f64 {
        let search = size(&self.problem).seconds(&first.method);
        // Negative if the search alone takes longer than the time; then no trial is affordable.
        let seconds = search.max(MOMENT).min(time - search);
        seconds / search * effort(&self.problem, &self.problem.cohorts().counts)
    }

    /// Whether a budget is too small for trials to be informative.
    fn is_poor(&self, budget: f64, arms: &[Arm]) -> bool {
        let of_all = effort(&self.problem, &self.problem.cohorts().counts);
        (SMALL + LARGE) * budget < work(arms) * of_all.min(fewest(&self.problem) as f64)
    }

    /// Whether trials of methods are worth any price, because the goal has more than one model, the
    /// loss is not the usual one, or records may be suppressed.
    fn must_try(&self) -> bool {
        let is_usual = self.loss == loss::Choice::default();
        let has_models = self.problem.goal().models().len() > 1;
        self.methods.len() > 1 && (has_models || !is_usual || self.problem.most_suppressed() > 0)
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
        // Another method or candidate can lead to a combination that is already there.
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

    /// The result of a combination that was tried on all records.
    pub(super) fn found(&self, arm: &Arm) -> Option<Recoding> {
        let of_arm = self.tried.iter().filter(|tried| tried.arm == *arm);
        of_arm.filter_map(|tried| tried.found.clone()).next_back()
    }

    /// Tries combinations as long as there is time.
    fn try_all(&mut self, arms: &[Arm], sample: &Sample, progress: &dyn Progress) -> Result<()> {
        for arm in arms {
            stop_if_cancelled(progress)?;
            if progress.out_of_time() {
                break;
            }
            let tried = self.trial(arm, sample, progress)?;
            self.tried.push(tried);
        }
        Ok(())
    }

    /// The loss of a combination on a sample; `None` if it cannot meet the goal there.
    fn trial(&self, arm: &Arm, sample: &Sample, progress: &dyn Progress) -> Result<Tried> {
        let tried = if sample.is_draft { draft(&arm.method) } else { arm.method.clone() };
        let anonymizer = from_spec(&tried)?;
        let (n_records, is_alike) = (sample.n_records(), sample.is_alike);
        let arm = arm.clone();
        let unmet = Tried { arm, n_records, loss: None, risk: None, found: None, is_alike };
        let generalized = if sample.is_all {
            self.problem(&unmet.arm)
        } else {
            sample.problem.with_generalizations(picked(self.columns, &unmet.arm.picks))
        };
        let Ok(problem) = generalized else { return Ok(unmet) };
        match problem.solve(&*anonymizer, progress) {
            // The loss is that of the release, in which classes that publish the same are one.
            Ok(found) => {
                let published = Partition::of(&problem, &found).published();
                let n_published = published.sizes.iter().sum::<u64>();
                // An attacker looks for people, who can have several records.
                let n_targets = n_published.min(problem.table().n_people());
                Ok(Tried {
                    loss: Some(self.loss.penalty(&published)?),
                    // A class of `f` records adds `f` times a risk of `1/f`. On a part of `k` that
                    // is more than on all of it.
                    risk: Some(
                        sample.part_of_k * published.sizes.len() as f64 / n_targets.max(1) as f64,
                    ),
                    found: Some(found).filter(|_| sample.is_all && tried == unmet.arm.method),
                    ..unmet
                })
            }
            // The whole table may still succeed; if not, the search returns the reason.
            Err(Error::Unreachable { .. } | Error::Obstacle { .. }) => Ok(unmet),
            Err(error) => Err(error),
        }
    }

    /// The combinations that lose clearly less than `first` on the last sample, the best first.
    fn better(&self, first: &Arm) -> Vec<Arm> {
        let is_alike = self.tried.last().is_some_and(|tried| tried.is_alike);
        self.below(first, if is_alike { AT_ALL } else { CLEARLY })
    }

    /// The combinations that lose less than a share of the loss of `first` on the last sample, the
    /// best first.
    fn below(&self, first: &Arm, share: f64) -> Vec<Arm> {
        let n_records = self.tried.last().map_or(0, |tried| tried.n_records);
        let on_last = || self.tried.iter().filter(|tried| tried.n_records == n_records);
        let of_first = on_last().find(|tried| tried.arm == *first).and_then(|tried| tried.loss);
        // If the first combination missed the goal, any that met it is better.
        let bound = of_first.map_or(f64::INFINITY, |loss| loss * share);
        let mut better: Vec<(f64, &Arm)> = on_last()
            .filter_map(|tried| Some((tried.loss?, &tried.arm)))
            .filter(|(loss, _)| *loss < bound)
            .collect();
        // A stable sort: of equal losses, the first combination wins.
        better.sort_by(|a, b| a.0.total_cmp(&b.0));
        better.into_iter().map(|(_, arm)| arm.clone()).collect()
    }
}
