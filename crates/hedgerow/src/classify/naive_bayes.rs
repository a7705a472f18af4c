//! Naive Bayes: predicts a label as if attributes were independent given the label.

use hashbrown::HashMap;

use super::examples::Examples;

/// A naive Bayes classifier of codes.
///
/// The score of a label is the logarithm of its share, plus the logarithms of the shares of the
/// record's codes among the training records with that label. Counts are increased by one
/// (Laplace), so codes that did not occur with a label do not exclude it. Codes of ordered
/// attributes are categories too. Ties go to the smallest label.
///
/// # Complexity
///
/// `O(p m)` for `m` examples of `p` attributes to train, `O(p c)` for `c` labels to predict.
///
/// # Guarantees
///
/// Deterministic, independent of the order of the examples.
///
/// # References
///
/// \[Domingos1997\] P. Domingos, M. Pazzani: On the Optimality of the Simple Bayesian Classifier
/// under Zero-One Loss, Machine Learning 29, 1997.
///
/// # Examples
///
/// ```
/// use hedgerow::classify::{Examples, NaiveBayes};
/// let examples = Examples {
///     is_ordered: vec![false],
///     codes: vec![0, 1],
///     labels: vec![0, 1],
///     weights: vec![3, 4],
/// };
/// let learner = NaiveBayes::train(&examples);
/// assert_eq!((learner.predict(&[0]), learner.predict(&[1]), learner.predict(&[7])), (0, 1, 1));
/// ```
#[derive(Debug, Clone)]
pub struct NaiveBayes {
    /// Number of training records with each label.
    labels: Vec<u64>,
    /// For each attribute, the number of training records with a code and a label.
    counts: Vec<HashMap<(u32, u32), u64>>,
    /// For each attribute, the number of different codes.
    n_codes: Vec<usize>,
}

impl NaiveBayes {
    /// Counts the codes of each label.
    pub fn train(examples: &Examples) -> Self {
        let n_labels = examples.labels.iter().max().map_or(0, |last| *last as usize + 1);
        let width = examples.is_ordered.len();
        let mut labels = vec![0; n_labels];
        let mut counts: Vec<HashMap<(u32, u32), u64>> = vec![HashMap::new(); width];
        for (example, (&label, &weight)) in
            examples.labels.iter().zip(&examples.weights).enumerate()
        {
            labels[label as usize] += weight;
            for (counts, &code) in counts.iter_mut().zip(examples.row(example)) {
                *counts.entry((code, label)).or_default() += weight;
            }
        }
        let n_codes = counts.iter().map(|counts| {
            let mut codes: Vec<u32> = counts.keys().map(|(code, _)| *code).collect();
            codes.sort_unstable();
            codes.dedup();
            codes.len()
        });
        Self { labels, n_codes: n_codes.collect(), counts }
    }

    /// The predicted label of a record.
    pub fn predict(&self, row: &[u32]) -> u32 {
        let score = |label: usize| {
            let with_label = self.labels[label];
            let columns = self.counts.iter().zip(&self.n_codes).zip(row);
            let of_codes = columns.map(|((counts, &n_codes), &code)| {
                let count = counts.get(&(code, label as u32)).copied().unwrap_or(0);
                ((count + 1) as f64 / (with_label as f64 + n_codes as f64)).ln()
            });
            (with_label.max(1) as f64).ln() + of_codes.sum::<f64>()
        };
        let used = (0..self.labels.len()).filter(|&label| self.labels[label] > 0);
        let scores = used.map(|label| (score(label), label));
        let best = scores.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
        best.map_or(0, |(_, label)| label as u32)
    }

    /// Number of records in `examples` whose label is predicted wrongly.
    pub fn n_errors(&self, examples: &Examples) -> u64 {
        let known = examples.labels.iter().zip(&examples.weights).enumerate();
        let wrong = known.filter(|(place, (label, weight))| {
            **weight > 0 && self.predict(examples.row(*place)) != **label
        });
        wrong.map(|(_, (_, weight))| weight).sum()
    }
}
