//! The reasons for a choice, as text and as data.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::arm::Arm;
use super::arms::{Arms, Tried, size};
use super::column::{Built, Open};
use super::trials::{Choosing, Trial};
use crate::loss::Ntil;
use crate::method::Described;
use crate::noun::counted;
use crate::table::Table;

impl Arms<'_> {
    /// Describes the losses of the candidates of a column with the method of `best`, the least
    /// first: `least loss of 2: least-loss 0.0120, iotf 0.0125 (loss from 0 to 1, on 2000 sampled
    /// records)`.
    pub(super) fn reason(&self, place: usize, best: &Arm) -> Option<String> {
        let (n_records, losses) = self.compared(place, best)?;
        let chosen = self.columns[place].built[best.picks[place]].spec.to_string();
        // The chosen candidate need not lose least: others must be clearly better to replace it.
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
        // The usual loss is described instead of named, for readers who do not study losses.
        let name = match self.loss.name() {
            name if name == Ntil::DESCRIPTION.name => "loss from 0 to 1,",
            other => other,
        };
        let _ = write!(why, " ({name} on {sampled})");
        Some(why)
    }

    /// The losses of the candidates of a column with the method of `best`, the least first, on the
    /// most records on which several were tried, and the number of these records.
    fn compared(&self, place: usize, best: &Arm) -> Option<(u64, Vec<(String, f64)>)> {
        let mut sizes: Vec<u64> = self.tried.iter().map(|tried| tried.n_records).collect();
        // Comparisons on more records are more reliable, so the largest one of at least two
        // candidates is reported.
        sizes.sort_unstable();
        sizes.dedup();
        let of_size = |n_records: u64| (n_records, self.losses(place, best, n_records));
        sizes.into_iter().rev().map(of_size).find(|(_, losses)| losses.len() > 1)
    }

    /// The least loss of each candidate of a column with the method of `best` on a sample.
    fn losses(&self, place: usize, best: &Arm, n_records: u64) -> Vec<(String, f64)> {
        let of_candidate = |(pick, built): (usize, &Built)| {
            let losses = self.tried.iter().filter_map(|tried| {
                let is_it = tried.arm.picks[place] == pick && tried.arm.method == best.method;
                tried.loss.filter(|_| is_it && tried.n_records == n_records)
            });
            // A candidate can be in several combinations; the best of them counts.
            Some((built.spec.to_string(), losses.reduce(f64::min)?))
        };
        let candidates = self.columns[place].built.iter().enumerate();
        let mut losses: Vec<(String, f64)> = candidates.filter_map(of_candidate).collect();
        losses.sort_by(|a, b| a.1.total_cmp(&b.1));
        losses
    }

    fn noun(&self) -> &'static str {
        if self.loss.is_gain() { "gain" } else { "loss" }
    }

    /// The trials before `best` was chosen, as data.
    pub(super) fn choosing(&self, table: &Table, best: &Arm, of_method: bool) -> Choosing {
        let seconds = size(&self.problem).seconds(&best.method);
        Choosing {
            of_method,
            loss: self.loss.name(),
            estimated_seconds: of_method.then_some(seconds),
            tried: self.tried.iter().map(|tried| self.trial_of(table, tried)).collect(),
            // The last trial of a combination is the one on most records.
            chosen: self.tried.iter().rposition(|tried| tried.arm == *best),
            left_out: self.left_out.clone(),
        }
    }

    fn trial_of(&self, table: &Table, tried: &Tried) -> Trial {
        let is_open = |open: &Open| open.built.len() > 1;
        let columns = table.columns().iter().zip(self.columns).zip(&tried.arm.picks);
        let hierarchies: BTreeMap<String, String> = columns
            // Columns with one candidate have the same hierarchy in every trial.
            .filter(|((_, open), _)| is_open(open))
            .map(|((column, open), &pick)| (column.name.clone(), open.built[pick].spec.to_string()))
            .collect();
        Trial {
            method: tried.arm.method.to_string(),
            hierarchies,
            estimated_seconds: size(&self.problem).seconds(&tried.arm.method),
            records: tried.n_records,
            all: tried.n_records == self.problem.cohorts().n_records(),
            loss: tried.loss,
            risk: tried.risk,
        }
    }
}
