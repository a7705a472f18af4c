//! Attacks on the release of a report.

use super::Case;
use crate::Result;
use crate::attack::{self, Evidence, Given, Scene, Skipped};
use crate::error::Warning;
use crate::progress::Progress;
use crate::schema::Role;

/// The findings of attacks, or the reason why they could not read a release.
pub type Attacked = std::result::Result<Evidence, Warning>;

/// Attacks that train learners, which on large tables take longer than everything else.
const SLOW: [&str; 1] = ["inference"];

/// Slow attacks are run up to this product of distinct records, quasi-identifiers and sensitive
/// values, to which the time of learners is proportional.
const MOST_LEARNT: usize = 300_000;

/// Runs the attacks, without those that would take too long.
pub(super) fn attacked(case: &Case<'_>, progress: &dyn Progress) -> Result<Attacked> {
    let mut given = Given::new(case.original.clone(), case.release.clone());
    given.hierarchies = case.owned_trees();
    given.k = Some(case.facts.k).filter(|&k| k > 0);
    given.threads = case.facts.threads;
    given.sensitive = case.facts.with(Role::Sensitive).into_iter().cloned().collect();
    let sensitive = case.facts.with(Role::Sensitive);
    let others = case.original.beside().iter().filter(|column| sensitive.contains(&&column.name));
    let n_labels: usize = others.map(|column| column.domain.n_codes()).sum();
    // Proportional to the time that learners take.
    let work = case.release.cohorts().len() * case.release.columns().len() * n_labels;
    let is_quick = |name: &str| work <= MOST_LEARNT || !SLOW.contains(&name);
    let (attacks, slow): (Vec<_>, Vec<_>) =
        attack::all()?.into_iter().partition(|attack| is_quick(attack.description().name));
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
    found.skipped.extend(slow.iter().map(|attack| {
        let reason = "it trains learners, which would take longer than the rest of this report";
        Skipped::new(attack.description().name, Warning::new(reason))
    }));
    Ok(Ok(found))
}
