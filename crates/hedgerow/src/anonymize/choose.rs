//! The choice of a method: those that can take a problem are tried on a sample of it.

use super::{from_spec, solve};
use crate::loss::{Loss, Ntil, Partition};
use crate::method::Spec;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// The methods that `auto` tries; the first of equally good ones is taken. Those that are left out
/// are slow, or made for another purpose than little loss.
const CANDIDATES: &[Candidate] = &[
    Candidate { method: "hedge", most_cohorts: 300_000 },
    Candidate { method: "mondrian:variant=relaxed,cut=loss", most_cohorts: usize::MAX },
    Candidate {
        method: "mondrian:variant=relaxed,cut=loss,choose=width",
        most_cohorts: usize::MAX,
    },
    Candidate { method: "local", most_cohorts: 300_000 },
];

/// A method that may be tried.
struct Candidate {
    method: &'static str,
    /// It takes too long beyond so many distinct records.
    most_cohorts: usize,
}

/// A sample has so many records,
const FEWEST_RECORDS: u64 = 5_000;

/// or so many times those that a class must have.
const CLASSES: u64 = 200;

/// A method that was chosen, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The method.
    pub method: Spec,
    /// What was tried, and what it lost.
    pub why: String,
}

/// Chooses the method that loses least on a sample of a problem.
///
/// Parameters of `auto` go to every method that has them; the others are not tried.
pub fn choose(auto: &Spec, problem: &Problem<'_>, progress: &dyn Progress) -> Result<Chosen> {
    let n_records = problem.cohorts().n_records();
    let wanted = problem.least_size().saturating_mul(CLASSES).max(FEWEST_RECORDS).min(n_records);
    let drawn = problem.table().draw(wanted, problem.seed());
    let sample = problem.table().with_rows(drawn.iter().copied());
    let cohorts: Vec<u32> = drawn.iter().map(|&(cohort, _)| cohort).collect();
    let share = u128::from(problem.most_suppressed()) * u128::from(wanted) / u128::from(n_records);
    let sample = problem.part(&sample, &cohorts, share as u64);
    let mut tried: Vec<(f64, Spec)> = Vec::new();
    for candidate in CANDIDATES {
        stop_if_cancelled(progress)?;
        let mut method: Spec = candidate.method.parse()?;
        method.parameters.extend(auto.parameters.clone());
        let Ok(anonymizer) = from_spec(&method) else { continue };
        let is_too_large = problem.cohorts().len() > candidate.most_cohorts;
        if is_too_large || anonymizer.obstacle(problem).is_some() {
            continue;
        }
        if let Ok(recoding) = solve(&method, &sample, progress) {
            let loss = Ntil.of(&Partition::of(&sample, &recoding));
            tried.push((loss.unwrap_or(1.0), method));
        }
    }
    // The first of the least.
    let best = tried.iter().enumerate().min_by(|(i, a), (j, b)| a.0.total_cmp(&b.0).then(i.cmp(j)));
    let Some((_, (_, method))) = best else {
        return Err(Error::invalid(
            "no method that auto tries can do this; name one with --method, hedgerow anonymize --help \
             lists them",
        ));
    };
    let mut losses: Vec<&(f64, Spec)> = tried.iter().collect();
    losses.sort_by(|a, b| a.0.total_cmp(&b.0));
    let losses: Vec<String> =
        losses.iter().map(|(loss, method)| format!("{method} {loss:.4}")).collect();
    let why = format!(
        "least loss of {}: {} (ntil on {wanted} {}records)",
        tried.len(),
        losses.join(", "),
        if wanted < n_records { "sampled " } else { "" }
    );
    Ok(Chosen { method: method.clone(), why })
}
