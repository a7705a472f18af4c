//! The choice of a method: those that can take a problem are tried on a sample of it.

use serde::Deserialize;

use super::from_spec;
use crate::error::Advice;
use crate::loss::{self, Choice};
use crate::method::{Described, Description, Need, Parameter, Spec, Type};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// The methods that `auto` tries; the first of equally good ones is taken. Those that are left out
/// are slow, or made for another purpose than little loss.
const CANDIDATES: &[Candidate] = &[
    Candidate { method: "hedge", most_cohorts: 300_000, takes_loss: false },
    Candidate {
        method: "mondrian:variant=relaxed,cut=loss",
        most_cohorts: usize::MAX,
        takes_loss: false,
    },
    Candidate {
        method: "mondrian:variant=relaxed,cut=loss,choose=width",
        most_cohorts: usize::MAX,
        takes_loss: false,
    },
    Candidate { method: "local", most_cohorts: 300_000, takes_loss: true },
];

/// A method that may be tried.
struct Candidate {
    method: &'static str,
    /// It takes too long beyond so many distinct records.
    most_cohorts: usize,
    /// Whether it minimises the loss that is asked for.
    takes_loss: bool,
}

/// What `auto` says about itself: it stands for the method that loses least on a sample.
pub const AUTO: Description = Asked::DESCRIPTION;

/// What `auto` may be told.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Asked {
    /// The loss that decides.
    loss: Choice,
}

impl Described for Asked {
    const DESCRIPTION: Description = Description {
        name: "auto",
        about: "tries some on a sample and takes what loses least (default)",
        reference: None,
        needs: &[],
        parameters: &[Parameter::new(
            "loss",
            Type::Loss(loss::names),
            "the loss that decides; methods that can minimise it do",
        )
        .or("ntil")],
    };
}

/// A sample has so many records,
const FEWEST_RECORDS: u64 = 5_000;

/// or so many times those that a class must have.
const CLASSES: u64 = 200;

/// A method that was chosen, and why.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Chosen {
    /// The method.
    pub method: Spec,
    /// What was tried, and what it lost.
    pub why: String,
}

/// Chooses the method that loses least on a sample of a problem.
///
/// The parameter `loss` says which loss decides; methods that can minimise it do. What is published
/// counts: classes that show the same are one.
///
/// # Complexity
///
/// That of each candidate on some thousand records.
///
/// # Guarantees
///
/// Deterministic. The least loss on the sample need not be the least on all records.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize;
/// use hedgerow::builder::{HierarchyBuilder, Iotf};
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
/// let tree = Iotf.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![tree], vec![Box::new(KAnonymity::new(2)?)])?;
/// let chosen = anonymize::choose(&"auto".parse()?, &problem, &Silent)?;
/// assert_eq!(chosen.method.name, "hedge"); // no other lost less, and it is the first
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn choose(auto: &Spec, problem: &Problem, progress: &dyn Progress) -> Result<Chosen> {
    let n_records = problem.cohorts().n_records();
    let wanted = problem.least_size().saturating_mul(CLASSES).max(FEWEST_RECORDS).min(n_records);
    let drawn = problem.table().draw(wanted, problem.seed());
    let sample = problem.table().with_rows(drawn.iter().copied());
    let cohorts: Vec<u32> = drawn.iter().map(|&(cohort, _)| cohort).collect();
    let share = u128::from(problem.most_suppressed()) * u128::from(wanted) / u128::from(n_records);
    let sample = problem.part(&sample, &cohorts, share as u64);
    AUTO.check(auto)?;
    let Asked { loss } = auto.read()?;
    let mut tried: Vec<(f64, Spec)> = Vec::new();
    let mut fallback = None;
    for candidate in CANDIDATES {
        stop_if_cancelled(progress)?;
        let mut method: Spec = candidate.method.parse()?;
        if candidate.takes_loss && auto.parameters.contains_key("loss") {
            method.parameters.insert("loss".into(), loss.name().into());
        }
        let Ok(anonymizer) = from_spec(&method) else { continue };
        let is_too_large = problem.cohorts().len() > candidate.most_cohorts;
        if is_too_large || anonymizer.obstacle(problem).is_some() {
            continue;
        }
        fallback.get_or_insert_with(|| method.clone());
        match sample.solve(&*anonymizer, progress) {
            Ok(found) => tried.push((loss.published_penalty(&sample, &found)?, method)),
            Err(Error::Unreachable { .. }) => {} // a sample may lack what the whole table has
            Err(error) => return Err(error),
        }
    }
    // The first of the least.
    let best = tried.iter().enumerate().min_by(|(i, a), (j, b)| a.0.total_cmp(&b.0).then(i.cmp(j)));
    let Some((_, (_, method))) = best else {
        let method = fallback.ok_or_else(|| {
            Error::method("auto", "tries no method that can solve this problem")
                .advise([Advice::OtherMethod { methods: Vec::new() }])
        })?;
        let sampled = counted(wanted, "sampled record");
        let why = format!("no method met the goal on {sampled}, so the first was chosen");
        return Ok(Chosen { method, why });
    };
    let mut losses: Vec<&(f64, Spec)> = tried.iter().collect();
    losses.sort_by(|a, b| a.0.total_cmp(&b.0));
    let losses: Vec<String> = losses
        .iter()
        .map(|(lost, method)| format!("{method} {}", loss.written_penalty(*lost)))
        .collect();
    let why = format!(
        "{} {loss} of {}: {} (on {})",
        loss.best(),
        tried.len(),
        losses.join(", "),
        counted(wanted, if wanted < n_records { "sampled record" } else { "record" })
    );
    Ok(Chosen { method: method.clone(), why })
}

/// Another method that meets the goal where one does not: the first of the fast ones. A point that a
/// method was told to stop at is its own affair.
///
/// # Complexity
///
/// One run of each of the fast ones at most; none when time is up.
pub(super) fn instead(method: &Spec, problem: &Problem, progress: &dyn Progress) -> Option<Spec> {
    if method.parameters.contains_key("until") || progress.out_of_time() {
        return None;
    }
    let others = CANDIDATES.iter().filter(|other| problem.cohorts().len() <= other.most_cohorts);
    let mut others = others.filter_map(|other| other.method.parse::<Spec>().ok());
    others.find(|other| {
        other.name != method.name
            && from_spec(other).is_ok_and(|anonymizer| {
                !anonymizer.needs(Need::Levels)
                    && anonymizer.obstacle(problem).is_none()
                    && problem.solve(&*anonymizer, progress).is_ok()
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::privacy::KAnonymity;
    use crate::proposal::Proposal;
    use crate::proposal::Take;
    use crate::table::Table;

    #[test]
    fn classes_that_show_the_same_are_judged_as_one() {
        let rows = [["1"], ["1"], ["1"], ["1"], ["2"], ["2"]];
        let table = Table::from_rows(&["age"], &rows).unwrap();
        let tree = builder::build(&Spec::named("iotf"), &table.columns()[0], None).unwrap();
        let model = Box::new(KAnonymity::new(2).unwrap());
        let problem = Problem::new(&table, vec![tree], vec![model]).unwrap();
        let takes =
            [(0, 0), (0, 1), (1, 2)].map(|(cohort, class)| Take { cohort, class, count: 2 });
        let halved = Proposal::new(&problem, 3, takes.to_vec());
        let dm = "dm".parse::<Choice>().unwrap().published_penalty(&problem, &halved).unwrap();
        assert!((dm - (16.0 + 4.0)).abs() < 1e-9, "{dm}");
    }
}
