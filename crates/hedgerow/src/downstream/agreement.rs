//! How well a ranking of hierarchies predicts the quality of releases.

use std::sync::Arc;

use serde::Serialize;

use super::{METRICS, Metric, Outcome, Terms, correlation, outcomes};
use crate::hierarchy::Hierarchy;
use crate::progress::Progress;
use crate::rank::{ASPECTS, Evaluated, Lexicon, Question, Weights, evaluate};
use crate::table::Table;
use crate::{Error, Result};

/// The metric that each of [`ASPECTS`] should predict.
const FORETOLD: [&str; 4] = ["sse", "linkage", "gen-iloss", "c-avg"];

/// How well ranks predict a metric of the releases, for a given weight of an aspect.
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
    /// The mean of the correlations; `None` if there are none because all candidates or outcomes
    /// are equal.
    pub correlation: Option<f64>,
}

/// Releases to measure.
#[derive(Debug, Clone, Copy)]
pub struct Trials<'a> {
    /// A table of one column.
    pub table: &'a Table,
    /// The `k` of each release.
    pub ks: &'a [u64],
}

/// Publishes a column with Datafly, once for each hierarchy and `k` ([`outcomes`]).
pub fn releases(
    question: &Question,
    trees: &[&Hierarchy],
    trials: Trials<'_>,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Outcome>>> {
    let mut lexicon = Lexicon::new(question.knowledge);
    let of_tree = |&tree: &&Hierarchy| {
        let concepts = question.concepts(tree, &mut lexicon)?;
        let terms = Terms::new(question.knowledge, Arc::new(tree.clone()), &concepts)?;
        outcomes(&terms, trials.table, trials.ks, progress)
    };
    trees.iter().map(of_tree).collect()
}

/// Measures how well the ranks of hierarchies predict the quality of releases made with them.
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
/// Deterministic. Returns the aspects in order, each with weights from 0 to 1. A `k` for which all
/// candidates have the same metric is ignored.
///
/// # References
///
/// \[Ayala2016\], section 4 and figure 6; METHODS 5.8. Deviation: the paper does not say how it
/// aggregates over `k`; hedgerow uses the mean of the correlations.
pub fn agreement(
    question: &Question,
    trees: &[&Hierarchy],
    releases: &[Vec<Outcome>],
) -> Result<Vec<Agreement>> {
    let ks = releases.first().map_or(&[][..], Vec::as_slice).iter().map(|outcome| outcome.k);
    let has_meaning = question.meanings.iter().any(Option::is_some);
    let grid = Weights::grid();
    // For each aspect and weight in quarters: the sum and the number of the correlations.
    let mut sums = [[(0.0, 0u32); 5]; 4];
    for (place, k) in ks.enumerate() {
        let candidates = evaluate(&Question { k, ..*question }, trees)?;
        for (aspect, of_aspect) in sums.iter_mut().enumerate() {
            let metric = metric(FORETOLD[aspect])?;
            // Without meanings, semantic metrics carry no information.
            if metric.is_semantic && !has_meaning {
                continue;
            }
            let measured: Vec<f64> =
                releases.iter().map(|of_tree| (metric.of)(&of_tree[place])).collect();
            for weights in &grid {
                // The grid has steps of a quarter.
                let weight = (weights.shares()[aspect] * 4.0).round() as usize;
                if let Some(r) = correlation(&scores(&candidates, weights), &measured) {
                    of_aspect[weight].0 += r;
                    of_aspect[weight].1 += 1;
                }
            }
        }
    }
    let mut found = Vec::new();
    for (aspect, of_aspect) in sums.iter().enumerate() {
        for (weight, &(sum, n_sums)) in of_aspect.iter().enumerate() {
            found.push(Agreement {
                aspect: ASPECTS[aspect],
                metric: FORETOLD[aspect],
                weight: weight as f64 / 4.0,
                correlation: (n_sums > 0).then(|| sum / f64::from(n_sums)),
            });
        }
    }
    Ok(found)
}

fn scores(candidates: &[Evaluated], weights: &Weights) -> Vec<f64> {
    candidates.iter().map(|candidate| candidate.rewards.score(weights)).collect()
}

fn metric(name: &str) -> Result<Metric> {
    let found = METRICS.into_iter().find(|metric| metric.name == name);
    found.ok_or_else(|| Error::Internal(format!("no metric is called {name}")))
}
