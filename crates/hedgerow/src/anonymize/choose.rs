//! Chooses a method by trying several on a sample of the problem.

use serde::Deserialize;

use super::{Anonymizer, from_spec};
use crate::error::Advice;
use crate::loss::{self, Choice};
use crate::method::{Described, Description, Need, Parameter, Spec, Type};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::table::Cohort;
use crate::{Error, Result};

/// The methods that `auto` tries; of equally good ones the first wins. The methods that are not
/// listed are slow, or have another purpose than low loss.
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

/// A method that `auto` can try.
struct Candidate {
    method: &'static str,
    /// Maximum number of distinct records; beyond it the method takes too long.
    most_cohorts: usize,
    /// Whether the method can minimise the requested loss.
    takes_loss: bool,
}

impl Candidate {
    /// Makes the method, unless it cannot solve the problem or would take too long.
    fn anonymizer(&self, method: &Spec, problem: &Problem) -> Option<Box<dyn Anonymizer>> {
        let anonymizer = from_spec(method).ok()?;
        let is_small = problem.cohorts().len() <= self.most_cohorts;
        (is_small && anonymizer.obstacle(problem).is_none()).then_some(anonymizer)
    }
}

/// The description of `auto`, which runs the method that loses least on a sample.
pub const AUTO: Description = Asked::DESCRIPTION;

/// The parameters of `auto`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Asked {
    /// The loss that decides.
    loss: Choice,
}

impl Described for Asked {
    const DESCRIPTION: Description = Description {
        name: "auto",
        about: "tries several methods on a sample and takes the one that loses least (default)",
        reference: None,
        needs: &[],
        parameters: &[Parameter::new(
            "loss",
            Type::Loss(loss::names),
            "the loss that decides; methods that can minimise it do so",
        )
        .or("ntil")],
    };
}

/// Minimum number of records of a sample.
const FEWEST_RECORDS: u64 = 5_000;

/// A sample also has at least this many times the smallest allowed class size.
const CLASSES: u64 = 200;

/// A method that was chosen, and the reason.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Chosen {
    /// The method.
    pub method: Spec,
    /// The candidates that were tried and their losses.
    pub why: String,
}

/// Chooses the method that loses least on a sample of a problem.
///
/// The parameter `loss` names the loss that decides; methods that can minimise it do so. The loss
/// is that of the published table, so classes that publish the same values count as one.
///
/// # Complexity
///
/// That of each candidate on some thousands of records.
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
    let sample = sampled(problem, wanted);
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
        let Some(anonymizer) = candidate.anonymizer(&method, problem) else { continue };
        // The first applicable method is used if none meets the goal on the sample.
        fallback.get_or_insert_with(|| method.clone());
        match sample.solve(&*anonymizer, progress) {
            Ok(found) => tried.push((loss.published_penalty(&sample, &found)?, method)),
            Err(Error::Unreachable { .. }) => {} // the whole table may still succeed
            Err(error) => return Err(error),
        }
    }
    // A stable sort: of equal losses, the first candidate wins.
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some((_, method)) = tried.first() else {
        let method = fallback.ok_or_else(|| {
            Error::method("auto", "tries no method that can solve this problem")
                .advise([Advice::OtherMethod { methods: Vec::new() }])
        })?;
        let sampled = counted(wanted, "sampled record");
        let why = format!("no method met the goal on {sampled}, so the first was chosen");
        return Ok(Chosen { method, why });
    };
    let losses: Vec<String> = tried
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

/// Draws a sample of `n_sampled` records.
fn sampled(problem: &Problem, n_sampled: u64) -> Problem {
    let drawn = problem.table().draw(n_sampled, problem.seed());
    let table = problem.table().with_rows(drawn.iter().copied());
    let cohorts: Vec<Cohort> = drawn.iter().map(|&(cohort, _)| cohort).collect();
    // The sample may suppress the same share of its records as the whole table.
    let n_records = u128::from(problem.cohorts().n_records());
    let share = u128::from(problem.most_suppressed()) * u128::from(n_sampled) / n_records;
    problem.part(&table, &cohorts, share as u64)
}

/// Returns another method that meets the goal where `method` does not: the first fast candidate
/// that succeeds.
///
/// Returns `None` if `method` has the parameter `until`, because the user chose where it stops.
///
/// # Complexity
///
/// At most one run of each fast candidate; none if the time limit is reached.
pub(super) fn instead(method: &Spec, problem: &Problem, progress: &dyn Progress) -> Option<Spec> {
    if method.parameters.contains_key("until") || progress.out_of_time() {
        return None;
    }
    CANDIDATES
        .iter()
        .filter(|other| problem.cohorts().len() <= other.most_cohorts)
        .filter_map(|other| other.method.parse::<Spec>().ok())
        .find(|other| other.name != method.name && succeeds(other, problem, progress))
}

/// Whether a method meets the goal and needs no levels.
fn succeeds(method: &Spec, problem: &Problem, progress: &dyn Progress) -> bool {
    from_spec(method).is_ok_and(|anonymizer| {
        !anonymizer.needs(Need::Levels)
            && anonymizer.obstacle(problem).is_none()
            && problem.solve(&*anonymizer, progress).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::privacy::KAnonymity;
    use crate::proposal::{Class, Proposal, Take};
    use crate::table::Table;

    #[test]
    fn classes_that_show_the_same_are_judged_as_one() {
        let rows = [["1"], ["1"], ["1"], ["1"], ["2"], ["2"]];
        let table = Table::from_rows(&["age"], &rows).unwrap();
        let tree = builder::build(&Spec::named("iotf"), &table.columns()[0], None).unwrap();
        let model = Box::new(KAnonymity::new(2).unwrap());
        let problem = Problem::new(&table, vec![tree], vec![model]).unwrap();
        let takes = [(0, 0), (0, 1), (1, 2)].map(|(cohort, class)| Take {
            cohort: Cohort::new(cohort),
            class: Some(Class::new(class)),
            count: 2,
        });
        let halved = Proposal::new(&problem, 3, takes.to_vec());
        let dm = "dm".parse::<Choice>().unwrap().published_penalty(&problem, &halved).unwrap();
        assert!((dm - (16.0 + 4.0)).abs() < 1e-9, "{dm}");
    }
}
