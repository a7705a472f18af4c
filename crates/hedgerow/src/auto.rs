//! `auto`: tries the hierarchies that fit a column and keeps the one that loses least.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::anonymize::KMember;
use crate::builder::{self, Asked, Suited};
use crate::error::{Advice, HierarchySource};
use crate::hierarchy::Generalization;
use crate::loss::{self, Partition};
use crate::method::Spec;
use crate::noun::counted;
use crate::privacy::KAnonymity;
use crate::problem::Problem;
use crate::progress::{Progress, Silent};
use crate::table::{Column, Table};
use crate::{Error, Result};

/// The `k` that hierarchies are chosen for if none is given.
pub const USUAL_K: u64 = 5;

/// Number of records for all trials together.
const RECORDS: u64 = 50_000;

/// Minimum and maximum number of records in a trial.
const SAMPLE: (u64, u64) = (1_000, 5_000);

/// A trial has enough records for this number of classes, up to [`MOST_RECORDS`].
const CLASSES: u64 = 20;
const MOST_RECORDS: u64 = 20_000;

/// A column with more distinct values gets its first candidate without a trial: building the others
/// would take longer than they could save.
const MOST_VALUES: usize = 100_000;

/// Precision of comparing losses, in parts of 1. If losses are equal, the first candidate wins.
const PARTS: f64 = 1e9;

/// Settings for the choice of hierarchies.
#[derive(Debug, Clone, Copy)]
pub struct Auto {
    /// The `k` of the release.
    pub k: u64,
    /// Seed of the sample.
    pub seed: u64,
    /// Considers only hierarchies with levels, not `free`.
    pub needs_levels: bool,
}

/// The generalization of a column, and the reason for it.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The generalization.
    pub generalization: Generalization,
    /// The reason and any doubts, in one line; `None` if the user chose it and there are no doubts.
    pub why: Option<String>,
}

impl Auto {
    /// Builds the hierarchies in `asked` and chooses those of columns without an entry or with
    /// `auto`.
    ///
    /// The column's kind decides the candidates ([`builder::candidates`]). Each candidate is built
    /// from the whole column and tried with k-member on a sample of the table. The other columns
    /// use the hierarchy that was chosen for them or, until then, their first candidate. The
    /// smallest NTIL wins.
    ///
    /// # Complexity
    ///
    /// One build and one k-member run on a small sample for each candidate. A column with more than
    /// 100,000 distinct values gets its first candidate without a trial.
    ///
    /// # Guarantees
    ///
    /// The same table, `k` and seed give the same choice; if losses are equal, the first candidate
    /// wins.
    pub fn choose(
        &self,
        table: &Table,
        asked: &BTreeMap<String, Asked>,
        progress: &dyn Progress,
    ) -> Result<Vec<Choice>> {
        let mut choices = Vec::new();
        let mut open = Vec::new();
        for (place, column) in table.columns().iter().enumerate() {
            let asked = asked.get(&column.name);
            // An explicit `auto` is a spec too, so its parameters are checked.
            asked.and_then(Asked::as_auto).map_or(Ok(()), |auto| builder::AUTO.check(auto))?;
            if let Some(asked) = asked.filter(|asked| asked.as_auto().is_none()) {
                let generalization = asked.build(column, Some(self.k))?;
                let why = generalization.hierarchy().and_then(builder::doubts);
                choices.push(Choice { generalization, why });
                continue;
            }
            let (choice, candidates) = self.first_choice(column)?;
            choices.push(choice);
            if column.domain.len() <= MOST_VALUES {
                open.push((place, candidates));
            }
        }
        // Columns with a single candidate need no trial and do not count towards the sample size.
        open.retain(|(_, candidates)| candidates.len() > 1);
        let n_trials: usize = open.iter().map(|(_, candidates)| candidates.len()).sum();
        let sample = table.sample(self.sample_size(n_trials as u64), self.seed);
        for (place, candidates) in open {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let tried = self.try_all(&sample, place, candidates, &mut choices)?;
            choices[place].why = Some(reason(tried, &sample, table));
        }
        for (choice, column) in choices.iter_mut().zip(table.columns()) {
            let is_left_out = !asked.contains_key(&column.name) && self.leaves_free_out(column);
            if let Some(why) = choice.why.as_mut().filter(|_| is_left_out) {
                let _ = write!(
                    why,
                    "; free was not tried, because most values belong to fewer than {} records",
                    self.k
                );
            }
        }
        Ok(choices)
    }

    /// The first candidate for a column that can be built, as its choice for now, and the
    /// candidates from that one on.
    fn first_choice(&self, column: &Column) -> Result<(Choice, Vec<Spec>)> {
        let Suited { methods, why } = self.suited(column);
        let mut candidates = methods.into_iter();
        let first = candidates.find_map(|spec| Some((self.build(&spec, column)?, spec)));
        let (generalization, spec) = first.ok_or_else(|| no_candidate(column))?;
        let mut why = format!("{spec} {why}");
        if let Some(doubts) = generalization.hierarchy().and_then(builder::doubts) {
            let _ = write!(why, "; {doubts}");
        }
        let choice = Choice { generalization, why: Some(why) };
        Ok((choice, [spec].into_iter().chain(candidates).collect()))
    }

    /// The candidates for a column: those of its kind, without `free` if that would mostly spell
    /// out values of fewer than `k` records.
    fn suited(&self, column: &Column) -> Suited {
        let mut suited = builder::candidates(column);
        if self.leaves_free_out(column) {
            suited.methods.retain(|spec| spec.name != "free");
        }
        suited
    }

    /// Whether `free` is not a candidate because most values of a column are rare.
    fn leaves_free_out(&self, column: &Column) -> bool {
        let counts = &column.domain.counts;
        let n_rare = counts.iter().filter(|&&count| count < self.k).count();
        let methods = builder::candidates(column).methods;
        let is_tried = !self.needs_levels && methods.iter().any(|method| method.name == "free");
        2 * n_rare > counts.len() && methods.len() > 1 && is_tried
    }

    /// Tries the candidates for a column, stores the best in `choices`, and returns all losses.
    fn try_all(
        &self,
        sample: &Table,
        place: usize,
        candidates: Vec<Spec>,
        choices: &mut [Choice],
    ) -> Result<Vec<(Spec, f64)>> {
        let mut tried: Vec<(Spec, f64)> = Vec::new();
        let mut best: Option<(i64, Generalization)> = None;
        for spec in candidates {
            let Some(generalization) = self.build(&spec, &sample.columns()[place]) else {
                continue;
            };
            choices[place].generalization = generalization.clone();
            let loss = self.loss(sample, choices)?;
            if best.as_ref().is_none_or(|(least, _)| rounded(loss) < *least) {
                best = Some((rounded(loss), generalization));
            }
            tried.push((spec, loss));
        }
        if let Some((_, generalization)) = best {
            choices[place].generalization = generalization;
        }
        Ok(tried)
    }

    /// Builds a candidate; `None` if it cannot be built, or has no levels although they are needed.
    fn build(&self, spec: &Spec, column: &Column) -> Option<Generalization> {
        let built = builder::build(spec, column, Some(self.k)).ok()?;
        (!self.needs_levels || built.ground().is_some()).then_some(built)
    }

    fn sample_size(&self, n_trials: u64) -> u64 {
        // More trials get smaller samples, so that the total effort is bounded.
        let in_turn = (RECORDS / n_trials.max(1)).clamp(SAMPLE.0, SAMPLE.1);
        in_turn.max(self.k.saturating_mul(CLASSES)).min(MOST_RECORDS)
    }

    /// The NTIL of k-member on the sample.
    fn loss(&self, sample: &Table, choices: &[Choice]) -> Result<f64> {
        // A sample can have fewer than `k` records.
        let k = self.k.min(sample.cohorts().n_records()).max(1);
        let built = choices.iter().map(|choice| choice.generalization.clone()).collect();
        let problem = Problem::new(sample, built, vec![Box::new(KAnonymity::new(k)?)])?;
        let found = problem.solve(&KMember::default(), &Silent)?;
        loss::Choice::default().penalty(&Partition::of(&problem, &found))
    }
}

fn rounded(loss: f64) -> i64 {
    (loss * PARTS).round() as i64
}

fn no_candidate(column: &Column) -> Error {
    let source = HierarchySource::Any;
    Error::column(&column.name, "no hierarchy can be built from its values alone")
        .advise([Advice::GiveHierarchy { column: column.name.clone(), source }])
}

/// `least loss of 3: iotf 0.0120, otf 0.0125, chu 0.0131 (ntil on 2000 sampled records)`
fn reason(mut tried: Vec<(Spec, f64)>, sample: &Table, table: &Table) -> String {
    let n_sampled = sample.cohorts().n_records();
    let of_what = if n_sampled < table.cohorts().n_records() {
        counted(n_sampled, "sampled record")
    } else {
        format!("all {}", counted(n_sampled, "record"))
    };
    if let [(only, _)] = tried.as_slice() {
        return format!("{only} suits its kind");
    }
    let mut why = format!("least loss of {}: ", tried.len());
    tried.sort_by_key(|&(_, loss)| rounded(loss)); // stable, so ties stay in the order tried
    for (place, (spec, loss)) in tried.iter().enumerate() {
        let _ = write!(why, "{}{spec} {loss:.4}", if place == 0 { "" } else { ", " });
    }
    let _ = write!(why, " (ntil on {of_what})");
    why
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ages in two clusters, and words of which some are rare.
    fn table() -> Table {
        let row = |i: u32| {
            [(20 + i * i % 41).to_string(), ["a", "b", "c", "d"][(i % 7 % 4) as usize].to_owned()]
        };
        Table::from_rows(&["age", "job"], &(0..300).map(row).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn what_is_chosen_lost_least_of_all_that_was_tried() {
        let (table, auto) = (table(), Auto { k: 3, seed: 0, needs_levels: false });
        let chosen = auto.choose(&table, &BTreeMap::new(), &Silent).unwrap();
        // The last column was tried with the final choices of all others.
        let of_choice = auto.loss(&table.sample(u64::MAX, 0), &chosen).unwrap();
        for spec in builder::candidates(&table.columns()[1]).methods {
            let mut other = chosen.clone();
            other[1].generalization = auto.build(&spec, &table.columns()[1]).unwrap();
            let of_other = auto.loss(&table.sample(u64::MAX, 0), &other).unwrap();
            assert!(rounded(of_other) >= rounded(of_choice), "{spec}");
        }
        let why = chosen[1].why.as_deref().unwrap();
        let said = format!("{of_choice:.4}");
        assert!(why.starts_with("least loss of 2: ") && why.contains(&said), "{why}");
    }

    #[test]
    fn free_is_no_candidate_for_values_of_single_people() {
        let row =
            |i: u32| [format!("{:05}", i * 7919 % 90_000), ["a", "b"][(i % 2) as usize].into()];
        let rows: Vec<[String; 2]> = (0..100).map(row).collect();
        let table = Table::from_rows(&["zip", "sex"], &rows).unwrap();
        let auto = Auto { k: 3, seed: 0, needs_levels: false };
        let chosen = auto.choose(&table, &BTreeMap::new(), &Silent).unwrap();
        assert_eq!(chosen[0].generalization.method(), "prefix");
        assert!(chosen[0].why.as_ref().unwrap().contains("free was not tried"));
        let why = chosen[1].why.as_ref().unwrap();
        assert!(why.contains("free 0.") && !why.contains("not tried"), "{why}");
    }

    #[test]
    fn what_is_asked_for_is_not_tried_and_levels_are_had_where_needed() {
        let table = table();
        let asked = BTreeMap::from([("age".to_owned(), Spec::named("chu").into())]);
        let auto = Auto { k: 3, seed: 0, needs_levels: true };
        let chosen = auto.choose(&table, &asked, &Silent).unwrap();
        assert_eq!(chosen[0].generalization.method(), "chu");
        assert!(chosen[0].why.is_none());
        assert_eq!(chosen[1].generalization.method(), "frequency");
    }

    #[test]
    fn a_large_k_gets_a_larger_sample() {
        let auto = |k| Auto { k, seed: 0, needs_levels: false };
        assert_eq!(auto(5).sample_size(15), 3_333);
        assert_eq!(auto(5).sample_size(1_000), 1_000);
        assert_eq!(auto(400).sample_size(15), 8_000);
        assert_eq!(auto(u64::MAX).sample_size(15), MOST_RECORDS);
    }
}
