//! Attacks on the release of a report.

use super::Case;
use crate::Result;
use crate::attack::{self, Attack, Evidence, Given, Inference, Scene, Skipped};
use crate::error::Warning;
use crate::method::Described;
use crate::progress::Progress;
use crate::schema::Role;

/// The findings of attacks, or the reason why they could not read a release.
pub type Attacked = std::result::Result<Evidence, Warning>;

/// Product of distinct records, quasi-identifiers and sensitive values to which the time of
/// learners is proportional. More records are sampled.
const MOST_LEARNT: usize = 300_000;

/// Minimum number of distinct records of a sample.
const LEAST_SAMPLE: usize = 500;

/// Runs the attacks. Learners, which on large tables take longer than everything else, learn from a
/// sample there, or are left out if that would be too small.
pub(super) fn attacked(case: &Case<'_>, progress: &dyn Progress) -> Result<Attacked> {
    let mut given = Given::new(case.original.clone(), case.release.clone());
    given.hierarchies = case.owned_trees();
    given.k = Some(case.facts.k).filter(|&k| k > 0);
    given.threads = case.facts.threads;
    given.sensitive = case.facts.with(Role::Sensitive).into_iter().cloned().collect();
    let name = Inference::DESCRIPTION.name;
    let learner = learner(case);
    let mut attacks = attack::all()?;
    attacks.retain(|attack| attack.description().name != name);
    attacks.extend(learner.map(|attack| Box::new(attack) as Box<dyn Attack>));
    let scene = match Scene::new(given) {
        Ok(scene) => scene,
        // The run itself wrote the release, so a cell that attacks cannot read is not an error of
        // the files, but the reader must know that there were no attacks.
        Err(error) if case.facts.outcome.is_some() => {
            return Ok(Err(Warning::new(error.problem()).advise(error.advice())));
        }
        Err(error) => return Err(error),
    };
    let mut found = attack::run(&scene, &attacks, progress)?;
    if learner.is_none() {
        let reason = "it trains learners, which would take longer than the rest of this report";
        found.skipped.push(Skipped::new(name, Warning::new(reason)));
    }
    Ok(Ok(found))
}

/// The attack with learners, on as many distinct records as it has time for; `None` if these are
/// too few.
fn learner(case: &Case<'_>) -> Option<Inference> {
    let sensitive = case.facts.with(Role::Sensitive);
    let others = case.original.beside().iter().filter(|column| sensitive.contains(&&column.name));
    let n_labels: usize = others.map(|column| column.domain.n_codes()).sum();
    let n_factors = case.release.columns().len() * n_labels;
    let sample = sample_of(case.release.cohorts().len(), n_factors);
    sample.map(|sample| Inference { sample, ..Inference::default() })
}

/// Number of records that learners are given, 0 for all; `None` if a sample would be too small.
fn sample_of(n_distinct: usize, n_factors: usize) -> Option<usize> {
    let most = MOST_LEARNT / n_factors.max(1);
    if n_distinct <= most { Some(0) } else { Some(most).filter(|&most| most >= LEAST_SAMPLE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learners_get_all_records_or_a_sample_or_none() {
        assert_eq!(sample_of(2_000, 100), Some(0));
        assert_eq!(sample_of(100_000, 100), Some(3_000));
        assert_eq!(sample_of(100_000, 601), None);
        // Ten columns and 40,000 sensitive values: not even one record.
        assert_eq!(sample_of(100_000, 400_000), None);
    }
}
