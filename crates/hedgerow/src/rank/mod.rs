//! Which of several hierarchies of a column is best: four aspects, and what each is worth.

mod concepts;
mod aspects;
mod weights;
#[cfg(test)]
mod tests;

pub use aspects::{distortion, interval, privacy, semantic};
pub use concepts::{Lexicon, concepts, meanings};
pub use weights::{ASPECTS, Weights};

use serde::Serialize;

use crate::Result;
use crate::hierarchy::{Hierarchy, Leaf};
use crate::knowledge::{Concept, Knowledge};
use crate::table::Column;

/// Numbers that differ by no more are equal.
pub(crate) const TIE: f64 = 1e-12;

/// What hierarchies are asked to generalize.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The column that is generalized.
    pub column: &'a Column,
    /// What words mean.
    pub knowledge: &'a Knowledge,
    /// What each value of the column means, the same for all candidates (see [`meanings`]).
    pub meanings: &'a [Option<Concept>],
    /// How many records must share a generalized value.
    pub k: u64,
}

/// How good a hierarchy is; of every aspect, less is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Aspects {
    /// How much of the values' meaning is lost above them; none where no value has a meaning.
    pub semantic: Option<f64>,
    /// How much its nodes tell of a value.
    pub privacy: f64,
    /// How far up values must go until each is shared by k records.
    pub distortion: f64,
    /// Into how many parts a node falls.
    pub interval: f64,
}

/// For each aspect the number of candidates, less one for each that is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Rewards {
    /// That of [`Aspects::semantic`]; the same for all where it has no meaning.
    pub semantic: usize,
    /// That of [`Aspects::privacy`].
    pub privacy: usize,
    /// That of [`Aspects::distortion`].
    pub distortion: usize,
    /// That of [`Aspects::interval`].
    pub interval: usize,
}

/// A candidate among others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Evaluated {
    /// How many nodes it has.
    pub nodes: usize,
    /// How good it is.
    pub aspects: Aspects,
    /// How good it is among the others.
    pub rewards: Rewards,
}

/// A candidate in the order of their scores.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Ranked {
    /// Its place in what was given.
    pub candidate: usize,
    /// Its rewards, weighted.
    pub score: f64,
}

/// Scores hierarchies of one column by four aspects, before anything is anonymized with them.
///
/// [`semantic`], [`privacy`], [`distortion`] and [`interval`] have different units, so only their
/// order counts: the best of M candidates is rewarded with M, and every other with one less for each
/// that is better than it. Equal ones share the better place.
///
/// # Complexity
///
/// Linear in the nodes, and in the pairs of a leaf and the different concepts above it. How alike two
/// concepts are is found out once for all candidates.
///
/// # Guarantees
///
/// Deterministic. An error if a candidate lacks a value of the column.
///
/// # References
///
/// \[Ayala2016\], section 3.3; METHODS 5.7. The paper gives no formulas: those of the aspects are
/// reconstructed, see each.
///
/// # Examples
///
/// Deep below flat: nearer names, more of them.
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
    // Where an aspect has no meaning nobody is better than anybody.
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

/// Orders candidates by their weighted rewards, the best first; of equal ones that with fewer nodes,
/// then the first.
pub fn rank(candidates: &[Evaluated], weights: &Weights) -> Vec<Ranked> {
    let scores = candidates.iter().map(|candidate| candidate.rewards.score(weights));
    let mut ranked: Vec<Ranked> =
        scores.enumerate().map(|(candidate, score)| Ranked { candidate, score }).collect();
    // Scores that differ by a rounding error only are equal.
    let coarse = |ranked: &Ranked| (ranked.score * 1e9).round();
    ranked.sort_by(|a, b| {
        let by_nodes = candidates[a.candidate].nodes.cmp(&candidates[b.candidate].nodes);
        coarse(b).total_cmp(&coarse(a)).then(by_nodes)
    });
    ranked
}

impl Question<'_> {
    /// What each node of a candidate stands for.
    pub(crate) fn concepts(
        &self,
        tree: &Hierarchy,
        lexicon: &mut Lexicon,
    ) -> Result<Vec<Option<Concept>>> {
        Ok(self.concepts_of(tree, &tree.ground().bind(&self.column.domain)?, lexicon))
    }

    /// The same; `leaves` are those of the column's values.
    fn concepts_of(
        &self,
        tree: &Hierarchy,
        leaves: &[Leaf],
        lexicon: &mut Lexicon,
    ) -> Vec<Option<Concept>> {
        if self.meanings.iter().all(Option::is_none) {
            return vec![None; tree.len()];
        }
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
    /// The sum of all four, each times its weight.
    pub fn score(&self, weights: &Weights) -> f64 {
        let rewards = [self.semantic, self.privacy, self.distortion, self.interval];
        rewards.iter().zip(weights.shares()).map(|(&reward, share)| reward as f64 * share).sum()
    }
}

/// How many scores there are, less one for each that is lower.
fn rewards(scores: impl Iterator<Item = f64>) -> Vec<usize> {
    let scores: Vec<f64> = scores.collect();
    let mut sorted = scores.clone();
    sorted.sort_by(f64::total_cmp);
    let n_better = |score: f64| sorted.partition_point(|&other| other < score - TIE);
    scores.iter().map(|&score| scores.len() - n_better(score)).collect()
}
