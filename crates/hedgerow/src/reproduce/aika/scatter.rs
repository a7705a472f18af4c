//! Figure 7: ranks of hierarchies against the risk of releases.

use super::measured::Measured;
use super::subjects::Subject;
use crate::chart::{Plot, Series};
use crate::downstream::{Outcome, Suppression, correlation};
use crate::rank::{Evaluated, Weights, evaluate, rank};
use crate::reproduce::numbers::{fixed, mean};
use crate::reproduce::{Exhibit, Sheet, Verdict};
use crate::{Error, Result};

/// The k at which candidates are ranked.
const K: u64 = 50;

/// The choices of weights that are shown.
const WEIGHTS: [(&str, [f64; 4]); 2] =
    [("privacy 100%", [0.0, 1.0, 0.0, 0.0]), ("privacy 0%, others equal", [1.0, 0.0, 1.0, 1.0])];

pub(super) fn exhibit(subjects: &[Subject], measured: &[Measured]) -> Result<Exhibit> {
    let subject = occupations(subjects)?;
    let releases = measured
        .iter()
        .find(|one| one.name == subject.name() && one.suppression == Suppression::K)
        .ok_or_else(|| lacking("no releases"))?;
    // Ranks are those at one k, but the risk is a mean over all, so that one lucky release decides
    // nothing.
    let linkage = |of_tree: &Vec<Outcome>| {
        mean(&of_tree.iter().map(|outcome| outcome.linkage).collect::<Vec<_>>())
    };
    let risks: Vec<f64> = releases.outcomes.iter().map(linkage).collect();
    let Scatter { sheet, series, rs } = Scatter::of(subject, &risks)?;
    let plot = Plot {
        title: format!("Ranks and risk of hierarchies for {}", subject.name()),
        x: "rank".to_owned(),
        is_linear: true,
        y: "linkage, mean over k = 2 to 100, %".to_owned(),
        series,
        ..Plot::default()
    };
    let exhibit = Exhibit::new("Figure 7", "better ranks have less risk")
        .says("If privacy has the weight, hierarchies with better ranks give releases with less disclosure risk.")
        .found(format!(
            "For {}, the correlation of rank and linkage is {} with all weight on privacy, and {} with none.",
            subject.name(),
            fixed(rs[0], 2),
            fixed(rs[1], 2)
        ))
        .with_figure("scatter", "Every point is a candidate", plot.svg())
        .with_sheet(sheet);
    let (verdict, reason) = judged(rs[0], rs[1]);
    Ok(exhibit.verdict(verdict, reason))
}

/// The verdict, given the correlation with all weight on privacy, and with none. The second one is
/// the control: if any ranking correlated as well, privacy would not be the cause.
fn judged(with: f64, without: f64) -> (Verdict, &'static str) {
    let is_strong = with >= 0.6;
    match without < with {
        true if is_strong && without <= 0.0 => (
            Verdict::Reproduced,
            "a strong correlation, which vanishes or turns without the weight",
        ),
        true if is_strong => {
            (Verdict::Reproduced, "a strong correlation, which is weaker without the weight")
        }
        true if with > 0.0 => (Verdict::InDirection, "a positive correlation that is not strong"),
        _ if with > 0.0 => (Verdict::Not, "the correlation is not weaker if privacy has no weight"),
        _ => (Verdict::Not, "no positive correlation"),
    }
}

/// The ranks of all candidates and their risks.
struct Scatter {
    sheet: Sheet,
    /// The points of each choice of weights.
    series: Vec<Series>,
    /// The correlation of scores and risks with each choice of weights.
    rs: Vec<f64>,
}

impl Scatter {
    fn of(subject: &Subject, risks: &[f64]) -> Result<Self> {
        let candidates = evaluate(&subject.question(K), &subject.trees())?;
        let mut sheet = Sheet::new(
            "scatter",
            "Rank and mean linkage of each candidate",
            &["weights", ">rank", ">linkage, %"],
        )
        .file_only();
        let (mut series, mut rs) = (Vec::new(), Vec::new());
        for (name, weights) in WEIGHTS {
            let weights = Weights::new(weights)?;
            rs.push(correlation(&scores(&candidates, &weights), risks).unwrap_or(0.0));
            // Places are counted from 1, the best first, as in the figure.
            let mut points = Vec::new();
            for (place, ranked) in (1..).zip(rank(&candidates, &weights)) {
                let risk = risks[ranked.candidate];
                points.push((f64::from(place), risk, format!("rank {place}: {risk:.2}%")));
                sheet.row([name.to_owned(), place.to_string(), fixed(risk, 3)]);
            }
            series.push(Series { name: name.to_owned(), points, line: Vec::new() });
        }
        Ok(Self { sheet, series, rs })
    }
}

/// The authors' occupations if they are given, otherwise those of claims.
fn occupations(subjects: &[Subject]) -> Result<&Subject> {
    let of = |set: &str| subjects.iter().find(|s| s.set == set && s.column == "occupation");
    // The paper's own data, if they are given.
    of("insurance").or_else(|| of("claims")).ok_or_else(|| lacking("no occupations"))
}

fn scores(candidates: &[Evaluated], weights: &Weights) -> Vec<f64> {
    candidates.iter().map(|candidate| candidate.rewards.score(weights)).collect()
}

fn lacking(what: &str) -> Error {
    Error::Internal(format!("the scatter of ranks has {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranking_without_privacy_is_the_control() {
        let verdict = |with, without| judged(with, without).0;
        assert_eq!(verdict(0.9, -0.9), Verdict::Reproduced);
        assert_eq!(judged(0.9, 0.7).1, "a strong correlation, which is weaker without the weight");
        assert_eq!(verdict(0.5, 0.1), Verdict::InDirection);
        assert_eq!([verdict(0.9, 0.95), verdict(-0.1, -0.5)], [Verdict::Not, Verdict::Not]);
    }
}
