//! Ranks several hierarchies of a column by four weighted aspects.

mod concepts;
mod aspects;
mod weights;
mod contest;
#[cfg(test)]
mod tests;

pub use aspects::{distortion, interval, privacy, semantic};
pub use concepts::{Lexicon, concepts, meanings};
pub use contest::{Round, Standing, Wins, contest, leads, wins};
pub use weights::{ASPECTS, Weights};

use serde::Serialize;

use crate::Result;
use crate::hierarchy::{Hierarchy, Leaf};
use crate::knowledge::{Concept, Knowledge};
use crate::table::Column;

/// Numbers that differ by at most this are equal.
pub(crate) const TIE: f64 = 1e-12;

/// The column and the knowledge for which hierarchies are evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The column to generalize.
    pub column: &'a Column,
    /// The source of the concepts.
    pub knowledge: &'a Knowledge,
    /// The meaning of each value of the column, the same for all candidates (see [`meanings`]).
    pub meanings: &'a [Option<Concept>],
    /// Number of records that must share a generalized value.
    pub k: u64,
}

/// The quality of a hierarchy; lower is better for every aspect.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Aspects {
    /// Loss of the values' meaning in the nodes above them; `None` if no value has a meaning.
    pub semantic: Option<f64>,
    /// Information that the nodes reveal about a value.
    pub privacy: f64,
    /// Relative height of the lowest level on which each value is shared by `k` records.
    pub distortion: f64,
    /// Mean number of children of an inner node.
    pub interval: f64,
}

/// For each aspect, the number of candidates minus the number of better candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Rewards {
    /// Reward for [`Aspects::semantic`]; the same for all candidates if no value has a meaning.
    pub semantic: usize,
    /// Reward for [`Aspects::privacy`].
    pub privacy: usize,
    /// Reward for [`Aspects::distortion`].
    pub distortion: usize,
    /// Reward for [`Aspects::interval`].
    pub interval: usize,
}

/// The evaluation of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Evaluated {
    /// Number of nodes.
    pub nodes: usize,
    /// Its aspects.
    pub aspects: Aspects,
    /// Its rewards compared with the other candidates.
    pub rewards: Rewards,
}

/// An entry in the ranking of candidates.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Ranked {
    /// Index of the candidate in the input.
    pub candidate: usize,
    /// Weighted sum of its rewards.
    pub score: f64,
}

/// Scores hierarchies of one column by four aspects, without anonymizing anything.
///
/// [`semantic`], [`privacy`], [`distortion`] and [`interval`] have different units, so only their
/// order counts: a candidate's reward is the number of candidates minus the number of better ones.
/// Equal candidates have the same reward.
///
/// # Complexity
///
/// Linear in the number of nodes, and in the number of pairs of a leaf and a concept above it. The
/// similarity of two concepts is computed once for all candidates.
///
/// # Guarantees
///
/// Deterministic. Fails if a value of the column is missing from a candidate.
///
/// # References
///
/// \[Ayala2016\], section 3.3; METHODS 5.7. The paper gives no formulas; those of the aspects are
/// reconstructed, as described for each.
///
/// # Examples
///
/// The deep hierarchy loses less meaning; the flat one reveals less.
///
/// ```
/// use hedgerow::format::Format;
/// use hedgerow::knowledge::{Knowledge, Senses};
/// use hedgerow::rank::{Question, Weights, evaluate, meanings, rank};
/// use hedgerow::table::Table;
///
/// let table = Table::from_rows(&["job"], &[["surgeon"], ["nurse"], ["teacher"], ["nurse"]])?;
/// let (column, knowledge) = (&table.columns()[0], Knowledge::wordnet());
/// let read = |text: &str| Format::named("hrc")?.read(text, Some("job"));
/// let flat = read("person\n@surgeon\n@nurse\n@teacher\n")?;
/// let deep = read("person\n@health professional\n@@surgeon\n@@nurse\n@educator\n@@teacher\n")?;
/// let trees = [&flat, &deep];
///
/// let meanings = meanings(knowledge, column, &Senses::default(), &trees)?;
/// let candidates = evaluate(&Question { column, knowledge, meanings: &meanings, k: 2 }, &trees)?;
/// let by_meaning = rank(&candidates, &"semantic=1".parse()?);
/// assert_eq!((by_meaning[0].candidate, by_meaning[0].score), (1, 2.0));
/// let by_privacy = rank(&candidates, &"privacy=1".parse::<Weights>()?);
/// assert_eq!(by_privacy[0].candidate, 0);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn evaluate(question: &Question, trees: &[&Hierarchy]) -> Result<Vec<Evaluated>> {
    let mut lexicon = Lexicon::new(question.knowledge);
    let aspects: Vec<Aspects> = trees
        .iter()
        .map(|tree| Aspects::of(tree, question, &mut lexicon))
        .collect::<Result<_>>()?;
    // If the aspect is undefined, all candidates are equal.
    let semantic = rewards(aspects.iter().map(|found| found.semantic.unwrap_or(0.0)));
    let privacy = rewards(aspects.iter().map(|found| found.privacy));
    let distortion = rewards(aspects.iter().map(|found| found.distortion));
    let interval = rewards(aspects.iter().map(|found| found.interval));
    let candidate = |(place, tree): (usize, &&Hierarchy)| Evaluated {
        nodes: tree.len(),
        aspects: aspects[place],
        rewards: Rewards {
            semantic: semantic[place],
            privacy: privacy[place],
            distortion: distortion[place],
            interval: interval[place],
        },
    };
    Ok(trees.iter().enumerate().map(candidate).collect())
}

/// Orders candidates by their weighted rewards, best first.
///
/// Ties go to the candidate with fewer nodes, then to the first.
pub fn rank(candidates: &[Evaluated], weights: &Weights) -> Vec<Ranked> {
    let scores = candidates.iter().map(|candidate| candidate.rewards.score(weights));
    let mut ranked: Vec<Ranked> =
        scores.enumerate().map(|(candidate, score)| Ranked { candidate, score }).collect();
    // Scores that differ only by a rounding error are equal.
    let coarse = |ranked: &Ranked| (ranked.score * 1e9).round();
    ranked.sort_by(|a, b| {
        let by_nodes = candidates[a.candidate].nodes.cmp(&candidates[b.candidate].nodes);
        coarse(b).total_cmp(&coarse(a)).then(by_nodes)
    });
    ranked
}

impl Question<'_> {
    /// Returns the concept of each node of a candidate.
    pub(crate) fn concepts(
        &self,
        tree: &Hierarchy,
        lexicon: &mut Lexicon,
    ) -> Result<Vec<Option<Concept>>> {
        Ok(self.concepts_of(tree, &tree.ground().bind(&self.column.domain)?, lexicon))
    }

    /// Returns the concept of each node; `leaves` are those of the column's values.
    fn concepts_of(
        &self,
        tree: &Hierarchy,
        leaves: &[Leaf],
        lexicon: &mut Lexicon,
    ) -> Vec<Option<Concept>> {
        if self.meanings.iter().all(Option::is_none) {
            return vec![None; tree.len()];
        }
        // Leaves that do not occur in the column have no concept.
        let mut of_leaves = vec![None; tree.n_leaves()];
        for (&leaf, meaning) in leaves.iter().zip(self.meanings) {
            of_leaves[leaf.index()] = *meaning;
        }
        concepts(tree, &of_leaves, lexicon)
    }
}

impl Aspects {
    fn of(tree: &Hierarchy, question: &Question, lexicon: &mut Lexicon) -> Result<Self> {
        let domain = &question.column.domain;
        let leaves = tree.ground().bind(domain)?;
        let mut counts = vec![0; tree.n_leaves()];
        for (code, &leaf) in leaves.iter().enumerate() {
            counts[leaf.index()] += domain.counts[code];
        }
        let concepts = question.concepts_of(tree, &leaves, lexicon);
        Ok(Self {
            semantic: semantic(tree, &concepts, &leaves, lexicon),
            privacy: privacy(tree),
            distortion: distortion(tree, &counts, question.k),
            interval: interval(tree),
        })
    }
}

impl Rewards {
    /// Returns the weighted sum of all four rewards.
    pub fn score(&self, weights: &Weights) -> f64 {
        let rewards = [self.semantic, self.privacy, self.distortion, self.interval];
        rewards.iter().zip(weights.shares()).map(|(&reward, share)| reward as f64 * share).sum()
    }
}

/// Returns, for each score, the number of scores minus the number of lower ones.
fn rewards(scores: impl Iterator<Item = f64>) -> Vec<usize> {
    let scores: Vec<f64> = scores.collect();
    let mut sorted = scores.clone();
    sorted.sort_by(f64::total_cmp);
    // Binary search in the sorted scores; scores within `TIE` are not better.
    let n_better = |score: f64| sorted.partition_point(|&other| other < score - TIE);
    scores.iter().map(|&score| scores.len() - n_better(score)).collect()
}
