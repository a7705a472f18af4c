//! `auto`: the hierarchy that loses least on this table, found by trying.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::anonymize::{Anonymizer, KMember};
use crate::hierarchy::{self, Generalization};
use crate::loss::{Loss, Ntil, Partition};
use crate::method::Spec;
use crate::privacy::KAnonymity;
use crate::problem::Problem;
use crate::progress::{Progress, Silent};
use crate::table::{Column, Table};
use crate::{Error, Result};

/// The `k` that hierarchies are chosen for when nobody says one.
pub const USUAL_K: u64 = 5;

/// How many records a trial takes; more would rank the candidates no better, and take longer.
const SAMPLE: u64 = 2_000;

/// Losses this near to each other are equal: then the candidate that is named first is taken.
const TIE: f64 = 1e-9;

/// How hierarchies are chosen.
#[derive(Debug, Clone, Copy)]
pub struct Auto {
    /// The `k` of the release.
    pub k: u64,
    /// What decides the sample.
    pub seed: u64,
    /// Takes only hierarchies with levels, not `free`.
    pub needs_levels: bool,
}

/// What a column is generalized by, and why.
#[derive(Debug, Clone)]
pub struct Choice {
    /// What was built.
    pub generalization: Generalization,
    /// One line of reason; none if the user asked for it.
    pub why: Option<String>,
}

impl Auto {
    /// Builds what is asked for by column, and chooses for columns of which nothing, or `auto`, is.
    ///
    /// The column's kind decides the candidates ([`hierarchy::candidates`]). Each is built on the
    /// whole column and tried with k-member on a sample of the table, the other columns keeping
    /// what was chosen for them or, until then, their first candidate. The least NTIL wins.
    ///
    /// # Complexity
    ///
    /// One build of each candidate and one k-member of a small sample; nothing else depends on
    /// the number of records.
    pub fn choose(
        &self,
        table: &Table,
        asked: &BTreeMap<String, Spec>,
        progress: &dyn Progress,
    ) -> Result<Vec<Choice>> {
        let mut choices = Vec::new();
        let mut open = Vec::new();
        for (place, column) in table.columns().iter().enumerate() {
            let spec = asked.get(&column.name).filter(|spec| spec.name != "auto");
            let generalization = match spec {
                Some(spec) => hierarchy::build(spec, column, Some(self.k))?,
                None => {
                    let mut candidates = self.candidates(column);
                    let first = candidates.next().ok_or_else(|| no_candidate(column))?;
                    open.push((place, first.0, candidates.collect::<Vec<_>>()));
                    first.1
                }
            };
            choices.push(Choice { generalization, why: None });
        }
        if open.is_empty() {
            return Ok(choices);
        }
        let sample = table.sample(SAMPLE, self.seed);
        for (place, first, others) in open {
            let first = (first, choices[place].generalization.clone());
            let mut tried: Vec<(Spec, f64)> = Vec::new();
            let mut best: Option<(f64, Generalization)> = None;
            for (spec, generalization) in [first].into_iter().chain(others) {
                if progress.cancelled() {
                    return Err(Error::Cancelled);
                }
                choices[place].generalization = generalization.clone();
                let loss = self.loss(&sample, &choices)?;
                if best.as_ref().is_none_or(|(least, _)| loss < least - TIE) {
                    best = Some((loss, generalization));
                }
                tried.push((spec, loss));
            }
            if let Some((_, generalization)) = best {
                choices[place].generalization = generalization;
            }
            choices[place].why = Some(reason(tried, &sample, table));
        }
        Ok(choices)
    }

    /// The candidates that can be built for a column, in their order.
    fn candidates(&self, column: &Column) -> impl Iterator<Item = (Spec, Generalization)> {
        let specs = hierarchy::candidates(column).into_iter();
        let build = |spec: Spec| {
            let built = hierarchy::build(&spec, column, Some(self.k)).ok()?;
            let fits = !self.needs_levels || built.ground().is_some();
            fits.then_some((spec, built))
        };
        specs.filter_map(build)
    }

    /// The NTIL of k-member on the sample.
    fn loss(&self, sample: &Table, choices: &[Choice]) -> Result<f64> {
        let k = self.k.min(sample.cohorts().n_records()).max(1);
        let built = choices.iter().map(|choice| choice.generalization.clone()).collect();
        let problem = Problem::new(sample, built, vec![Box::new(KAnonymity::new(k)?)])?;
        let recoding = KMember::default().anonymize(&problem, &Silent)?;
        Ok(Ntil.of(&Partition::of(&problem, &recoding)))
    }
}

fn no_candidate(column: &Column) -> Error {
    Error::invalid(format!(
        "no hierarchy can be built for column '{0}' from its values alone; give one with \
         --hierarchy {0}=METHOD or {0}=FILE",
        column.name
    ))
}

/// `least loss of 3: iotf 0.0120, otf 0.0125, chu 0.0131 (ntil on 2000 sampled records)`
fn reason(mut tried: Vec<(Spec, f64)>, sample: &Table, table: &Table) -> String {
    let n_sampled = sample.cohorts().n_records();
    let of_what = if n_sampled < table.cohorts().n_records() {
        format!("{n_sampled} sampled records")
    } else {
        format!("all {n_sampled} records")
    };
    if let [(only, _)] = tried.as_slice() {
        return format!("{only} is the only method for its kind");
    }
    let mut why = format!("least loss of {}: ", tried.len());
    tried.sort_by(|a, b| a.1.total_cmp(&b.1)); // stable, so ties stay in the order tried
    for (place, (spec, loss)) in tried.iter().enumerate() {
        let _ = write!(why, "{}{spec} {loss:.4}", if place == 0 { "" } else { ", " });
    }
    let _ = write!(why, " (ntil on {of_what})");
    why
}
