//! Agreement between a ranking of hierarchies and the quality of releases.

use std::sync::Arc;

use serde::Serialize;

use super::{METRICS, Metric, Outcome, Terms, Trials, correlation, outcomes};
use crate::hierarchy::Hierarchy;
use crate::progress::Progress;
use crate::rank::{ASPECTS, Evaluated, Lexicon, Question, TIE, Weights, evaluate};
use crate::statistics::{deviation, mean};
use crate::{Error, Result};

/// The metric that each of [`ASPECTS`] should predict.
const FORETOLD: [&str; 4] = ["sse", "linkage", "gen-iloss", "c-avg"];

/// Correlation of ranks with a metric of the releases, for a given weight of an aspect.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Agreement {
    /// The aspect.
    pub aspect: &'static str,
    /// The metric that it should predict.
    pub metric: &'static str,
    /// Its weight, from 0 to 1; the rest is divided between the other aspects in all ways of the
    /// grid.
    pub weight: f64,
    /// The mean of the correlations; `None` if there are none.
    pub correlation: Option<f64>,
    /// The standard deviation of the correlations; `None` if there are fewer than two.
    pub deviation: Option<f64>,
    /// Number of correlations: one for each `k` and each choice of the other weights, except those
    /// for which all candidates rank or measure the same.
    pub n: usize,
    /// The reason, if there is no correlation.
    pub blank: Option<Blank>,
}

/// A reason that a correlation is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blank {
    /// All candidates have the same rank.
    SameRank,
    /// All candidates measure the same for every `k`, because nothing is generalized: the rarest
    /// value has at least `k` records.
    NothingGeneralized,
    /// All candidates measure the same, although some values are generalized or suppressed.
    SameOutcome,
    /// The metric depends on meanings, and no value has one.
    NoMeaning,
}

impl Blank {
    /// Describes the reason in a few words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::SameRank => "all candidates rank the same",
            Self::SameOutcome => "all candidates measure the same",
            Self::NothingGeneralized => "nothing is generalized",
            Self::NoMeaning => "no value has a known meaning",
        }
    }
}

/// Publishes a column with Datafly, once for each hierarchy and `k` ([`outcomes`]).
pub fn releases(
    question: &Question,
    trees: &[&Hierarchy],
    trials: Trials<'_>,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Outcome>>> {
    // One lexicon for all trees: candidates share most of their concepts.
    let mut lexicon = Lexicon::new(question.knowledge);
    let of_tree = |(place, &tree): (usize, &&Hierarchy)| {
        progress.advance(place as u64, trees.len() as u64);
        let concepts = question.concepts(tree, &mut lexicon)?;
        let terms = Terms::new(question.knowledge, Arc::new(tree.clone()), &concepts)?;
        outcomes(&terms, trials, progress)
    };
    trees.iter().enumerate().map(of_tree).collect()
}

/// Returns the values of `k` for which no release generalizes or suppresses anything, so that
/// candidates cannot be compared.
pub fn untouched(releases: &[Vec<Outcome>]) -> Vec<u64> {
    let first = releases.first().map_or(&[][..], Vec::as_slice);
    let is_untouched =
        |&(place, _): &(usize, &Outcome)| releases.iter().all(|of| of[place].is_untouched());
    first.iter().enumerate().filter(is_untouched).map(|(_, outcome)| outcome.k).collect()
}

/// Measures the agreement between the ranks of hierarchies and the quality of releases made with
/// them: [`Correlations::of`] and their means.
pub fn agreement(
    question: &Question,
    trees: &[&Hierarchy],
    releases: &[Vec<Outcome>],
) -> Result<Vec<Agreement>> {
    Ok(Correlations::of(question, trees, releases)?.agreement())
}

/// The correlations between ranks and metrics, for each aspect and each of its weights.
///
/// For every `k`, the candidates are ranked with every choice of weights in the grid
/// ([`Weights::grid`]). Each aspect of a hierarchy corresponds to a metric of the release: semantic
/// loss to the semantic SSE, privacy to the linkage, distortion to `gen-iloss`, interval to
/// `c-avg`. If ranks that give an aspect much weight correlate with its metric, the aspect is
/// useful.
///
/// # Complexity
///
/// One evaluation of all candidates for each `k`.
///
/// # Guarantees
///
/// Deterministic. A `k` for which all candidates have the same metric is ignored.
///
/// # References
///
/// \[Ayala2016\], section 4 and figure 6; METHODS 5.8. Deviation: the paper does not state its
/// aggregation over `k`; hedgerow uses the mean and the standard deviation of the correlations.
#[derive(Debug, Clone, Default)]
pub struct Correlations {
    /// By aspect, then by weight in quarters.
    cells: [[Cell; 5]; 4],
}

/// The correlations of one aspect with one weight.
#[derive(Debug, Clone, Default)]
struct Cell {
    found: Vec<f64>,
    /// The strongest reason for which a correlation is not defined.
    blank: Option<Blank>,
}

impl Correlations {
    /// Measures the correlations for the candidates of a column and their releases.
    pub fn of(
        question: &Question,
        trees: &[&Hierarchy],
        releases: &[Vec<Outcome>],
    ) -> Result<Self> {
        let ks = releases.first().map_or(&[][..], Vec::as_slice).iter().map(|outcome| outcome.k);
        let untouched = untouched(releases);
        let has_meaning = question.meanings.iter().any(Option::is_some);
        let grid = Weights::grid();
        let mut all = Self::default();
        for (place, k) in ks.enumerate() {
            // Ranks depend on `k`, so candidates are ranked again for each.
            let candidates = evaluate(&Question { k, ..*question }, trees)?;
            for (aspect, cells) in all.cells.iter_mut().enumerate() {
                let metric = metric(FORETOLD[aspect])?;
                let measured: Vec<f64> =
                    releases.iter().map(|of_tree| (metric.of)(&of_tree[place])).collect();
                // Without meanings, semantic metrics carry no information.
                let blank = if metric.is_semantic && !has_meaning {
                    Some(Blank::NoMeaning)
                } else if untouched.contains(&k) {
                    Some(Blank::NothingGeneralized)
                } else {
                    are_equal(&measured).then_some(Blank::SameOutcome)
                };
                for weights in &grid {
                    // The grid has steps of a quarter.
                    let cell = &mut cells[(weights.shares()[aspect] * 4.0).round() as usize];
                    cell.add(blank, || correlation(&scores(&candidates, weights), &measured));
                }
            }
        }
        Ok(all)
    }

    /// Adds the correlations of another column.
    pub fn extend(&mut self, other: &Self) {
        for (own, others) in self.cells.iter_mut().flatten().zip(other.cells.iter().flatten()) {
            own.found.extend_from_slice(&others.found);
            // The variants of `Blank` are ordered by strength, so the maximum is the strongest
            // reason.
            own.blank = own.blank.max(others.blank);
        }
    }

    /// Returns the means and standard deviations: the aspects in order, each with weights from 0
    /// to 1.
    pub fn agreement(&self) -> Vec<Agreement> {
        let mut all = Vec::with_capacity(20);
        for (aspect, cells) in self.cells.iter().enumerate() {
            for (weight, cell) in cells.iter().enumerate() {
                let mean = mean(&cell.found);
                all.push(Agreement {
                    aspect: ASPECTS[aspect],
                    metric: FORETOLD[aspect],
                    weight: weight as f64 / 4.0,
                    correlation: mean,
                    deviation: deviation(&cell.found),
                    n: cell.found.len(),
                    blank: cell.blank.filter(|_| mean.is_none()),
                });
            }
        }
        all
    }
}

impl Cell {
    /// Adds a correlation unless there is a reason for which it is not defined.
    fn add(&mut self, blank: Option<Blank>, correlation: impl FnOnce() -> Option<f64>) {
        let found = match blank {
            Some(blank) => Err(blank),
            None => correlation().ok_or(Blank::SameRank),
        };
        match found {
            Ok(r) => self.found.push(r),
            Err(blank) => self.blank = self.blank.max(Some(blank)),
        }
    }
}

/// Whether all numbers are equal, apart from rounding errors.
fn are_equal(numbers: &[f64]) -> bool {
    let Some(&first) = numbers.first() else { return true };
    numbers.iter().all(|&other| (other - first).abs() <= TIE * first.abs().max(1.0))
}

fn scores(candidates: &[Evaluated], weights: &Weights) -> Vec<f64> {
    candidates.iter().map(|candidate| candidate.rewards.score(weights)).collect()
}

fn metric(name: &str) -> Result<Metric> {
    let found = METRICS.into_iter().find(|metric| metric.name == name);
    found.ok_or_else(|| Error::Internal(format!("no metric is called {name}")))
}
