//! Selects records to suppress so that all others together are private.

use hashbrown::HashMap;

use crate::privacy::Sense;
use crate::problem::{Goal, Problem, Tally};
use crate::table::Cohort;

/// Maximum number of selections for an exhaustive search.
const MOST_TRIED: u64 = 1 << 16;

/// Approximate maximum number of steps of a greedy search. In large tables each step leaves out
/// several records. Tables with many kinds of records use fewer steps, but at least
/// [`FEWEST_STEPS`].
const MOST_STEPS: u64 = 512;
const FEWEST_STEPS: u64 = 16;

/// Approximate number of kinds examined in all steps together.
const MOST_LOOKED_AT: u64 = 1 << 22;

/// Number of kinds of records that are compared in one step.
const MOST_COMPARED: usize = 64;

/// Returns the cohorts that remain, with their numbers of records, after leaving out records so
/// that the rest is private as one class. Returns `None` if nothing must be left out or no
/// selection was found.
///
/// Records that no model can distinguish are of one kind. If there are few selections of kinds, all
/// of them are tried and the one that leaves out the fewest records is taken. Otherwise two greedy
/// searches leave out records step by step: one from the kind whose sensitive values are most
/// frequent, the other from the kind whose removal brings the models nearest to the goal. The
/// better result is taken.
///
/// # Complexity
///
/// Linear in cohorts, and a bounded number of evaluations of the models.
///
/// # Guarantees
///
/// The remaining records are private, and no more than [`Problem::most_suppressed`] are left out.
/// In small tables a selection is found if one exists; in large tables one may be missed. For
/// models that prefer an even distribution of one column, leaving out the most frequent values one
/// record at a time is exact. Deterministic.
pub(super) fn remaining(problem: &Problem) -> Option<Vec<(Cohort, u64)>> {
    let kinds = Kinds::of(problem);
    let mut left_out = kinds.fewest(problem.most_suppressed())?;
    let mut remaining: Vec<(Cohort, u64)> = problem.cohorts().counted().collect();
    // The last cohorts lose their records first.
    for (cohort, count) in remaining.iter_mut().rev() {
        let left_out = &mut left_out[kinds.of_cohort[cohort.index()]];
        let n_gone = (*count).min(*left_out);
        *count -= n_gone;
        *left_out -= n_gone;
    }
    remaining.retain(|&(_, count)| count > 0);
    Some(remaining)
}

/// Returns the number of records that must be left out, or 0 if it is not known.
pub(super) fn n_needed(problem: &Problem) -> u64 {
    let left_out = Kinds::of(problem).fewest(problem.most_suppressed());
    left_out.map_or(0, |left_out| left_out.iter().sum())
}

/// Records grouped by everything the models see of them.
struct Kinds<'a> {
    goal: &'a Goal,
    of_cohort: Vec<usize>,
    /// One cohort of each kind.
    example: Vec<Cohort>,
    counts: Vec<u64>,
    all: Tally,
}

impl<'a> Kinds<'a> {
    fn of(problem: &'a Problem) -> Self {
        let goal = problem.goal();
        let mut numbers: HashMap<Vec<u64>, usize> = HashMap::new();
        let (mut example, mut counts, mut of_cohort) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = goal.tally();
        for (cohort, count) in problem.cohorts().counted() {
            goal.add(&mut all, cohort, count);
            // Records of one kind are interchangeable for the models, so only their numbers matter.
            let kind = *numbers.entry(goal.kind_of(cohort)).or_insert(counts.len());
            if kind == counts.len() {
                example.push(cohort);
                counts.push(0);
            }
            counts[kind] += count;
            of_cohort.push(kind);
        }
        Self { goal, of_cohort, example, counts, all }
    }

    /// Returns the number of records of each kind to leave out, at most `most` in total.
    fn fewest(&self, most: u64) -> Option<Vec<u64>> {
        if most == 0 || self.goal.holds(&self.all) {
            return None;
        }
        if self.n_selections(most) <= MOST_TRIED {
            return self.best_of_all(most);
        }
        // Neither greedy rule is always better, so both run and the smaller selection wins.
        let crowded = self.step_by_step(most, |tally, open| self.most_crowded(tally, open));
        let nearest = self.step_by_step(most, |tally, open| self.nearest(tally, open));
        crowded.into_iter().chain(nearest).min_by_key(|left_out| left_out.iter().sum::<u64>())
    }

    /// Returns an upper bound of the number of selections.
    fn n_selections(&self, most: u64) -> u64 {
        let of_kind = self.counts.iter().map(|&count| count.min(most).saturating_add(1));
        let by_kinds = of_kind.fold(1, u64::saturating_mul);
        // Each of the `most` records is of some kind, or is not left out.
        let by_records = (self.counts.len() as u64 + 1).saturating_pow(most.min(64) as u32);
        by_kinds.min(by_records)
    }

    /// Tries every selection by counting up like the digits of a number.
    fn best_of_all(&self, most: u64) -> Option<Vec<u64>> {
        let mut tally = self.all.clone();
        let mut left_out = vec![0; self.counts.len()];
        let mut n_out = 0;
        let mut best: Option<(u64, Vec<u64>)> = None;
        let mut kind = 0;
        while kind < left_out.len() {
            let can_grow = left_out[kind] < self.counts[kind] && n_out < most;
            // This digit is at its maximum: reset it and carry over to the next.
            if !can_grow {
                self.goal.add(&mut tally, self.example[kind], left_out[kind]);
                n_out -= std::mem::take(&mut left_out[kind]);
                kind += 1;
                continue;
            }
            self.goal.remove(&mut tally, self.example[kind], 1);
            left_out[kind] += 1;
            n_out += 1;
            kind = 0;
            let is_fewer = best.as_ref().is_none_or(|(fewest, _)| n_out < *fewest);
            if is_fewer && self.goal.holds(&tally) {
                best = Some((n_out, left_out.clone()));
            }
        }
        best.map(|(_, left_out)| left_out)
    }

    /// Leaves out records of one kind after another; `choose` picks the next of the open kinds.
    fn step_by_step(
        &self,
        most: u64,
        choose: impl Fn(&mut Tally, &[usize]) -> Option<usize>,
    ) -> Option<Vec<u64>> {
        let mut tally = self.all.clone();
        let mut left_out = vec![0; self.counts.len()];
        let mut n_out = 0;
        let n_kinds = self.counts.len() as u64;
        let n_steps = (MOST_LOOKED_AT / n_kinds.max(1)).clamp(FEWEST_STEPS, MOST_STEPS);
        // Fewer and larger steps if each of them has to examine many kinds.
        let step = (most / n_steps).max(1);
        while n_out < most {
            let is_open = |&kind: &usize| left_out[kind] < self.counts[kind];
            let open: Vec<usize> = (0..left_out.len()).filter(is_open).collect();
            let kind = choose(&mut tally, &open)?;
            let count = step.min(self.counts[kind] - left_out[kind]).min(most - n_out);
            self.goal.remove(&mut tally, self.example[kind], count);
            left_out[kind] += count;
            n_out += count;
            if self.goal.holds(&tally) {
                return Some(left_out);
            }
        }
        None
    }

    /// Returns the kind whose sensitive values are most frequent; ties go to the first.
    fn most_crowded(&self, tally: &Tally, open: &[usize]) -> Option<usize> {
        let crowd = |&&kind: &&usize| self.goal.crowd(tally, self.example[kind]);
        open.iter().rev().max_by_key(crowd).copied()
    }

    /// Returns the kind for which leaving out one record brings the models nearest to the goal;
    /// ties go to the kind whose sensitive values are most frequent.
    fn nearest(&self, tally: &mut Tally, open: &[usize]) -> Option<usize> {
        let mut open = open.to_vec();
        let crowd = |&kind: &usize| self.goal.crowd(tally, self.example[kind]);
        // Each comparison evaluates all models, so only the most crowded kinds are compared.
        open.sort_by_cached_key(|kind| std::cmp::Reverse(crowd(kind)));
        open.truncate(MOST_COMPARED);
        let gaps = open.into_iter().map(|kind| (self.gap_without(tally, kind), kind));
        gaps.reduce(|a, b| if b.0 < a.0 { b } else { a }).map(|(_, kind)| kind)
    }

    /// Returns the [gap] of a class without one record of a kind; `tally` is restored.
    fn gap_without(&self, tally: &mut Tally, kind: usize) -> f64 {
        self.goal.remove(tally, self.example[kind], 1);
        let gap = gap(self.goal, tally);
        self.goal.add(tally, self.example[kind], 1);
        gap
    }
}

/// Returns the distance of a class from meeting each model, relative to the requested value, summed
/// over the models.
pub(super) fn gap(goal: &Goal, tally: &Tally) -> f64 {
    let mut sum = 0.0;
    for (place, model) in goal.models().iter().enumerate() {
        let view = goal.view(tally, place);
        if model.holds(&view) {
            continue;
        }
        let lacking = match model.sense() {
            Sense::AtLeast => model.asked() - model.attained(&view),
            Sense::AtMost | Sense::Below => model.attained(&view) - model.asked(),
        };
        // Relative, because the parameters of models have different units.
        sum += (lacking / model.asked().max(f64::EPSILON)).clamp(0.0, f64::MAX);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Free, HierarchyBuilder};
    use crate::privacy::{self, Known, Secret};
    use crate::problem::Limits;
    use crate::table::{Columns, Encoding, Table};
    use std::sync::Arc;

    /// No illness may have a share of more than half: of 300, 100 and 50 records, 150 of the first
    /// must be left out.
    #[test]
    fn no_more_are_left_out_than_must_be_where_not_all_selections_are_tried() {
        let ills = [("flu", 300), ("cold", 100), ("cough", 50)];
        let ills = ills.iter().flat_map(|&(ill, count)| std::iter::repeat_n(ill, count));
        let rows: Vec<[String; 2]> =
            ills.enumerate().map(|(row, ill)| [(row % 7).to_string(), ill.to_owned()]).collect();
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let secrets = [Arc::new(Secret::of(&table, "ill").unwrap())];
        let known = Known { table: &table, secrets: &secrets, has_population: false };
        for (most_suppressed, n_needed) in [(200, Some(150)), (150, Some(150)), (149, None)] {
            let models = privacy::from_spec(&"alpha-k:alpha=0.5".parse().unwrap(), &known);
            let free = Free.build(&table.columns()[0]).unwrap();
            let limits = Limits { most_suppressed, ..Limits::default() };
            let problem =
                Problem::with_limits(&table, vec![free], models.unwrap(), limits).unwrap();
            let remaining = remaining(&problem);
            let n_remaining = remaining.map(|r| r.iter().map(|(_, count)| count).sum::<u64>());
            assert_eq!(n_remaining.map(|n| 450 - n), n_needed, "{most_suppressed}");
        }
    }
}
