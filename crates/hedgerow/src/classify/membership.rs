//! How much better a learner predicts a column of the people it was trained on.

use serde::Serialize;

use super::c45::{C45, Examples};
use super::naive_bayes::NaiveBayes;
use super::view::{View, encode};
use super::{cross_validated, majority_errors};
use crate::Result;
use crate::table::Table;

/// Shares of records whose label a learner predicts correctly from published cells.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub(crate) struct Membership {
    /// The learner.
    pub learner: &'static str,
    /// Accuracy on people whose records it was trained on.
    pub inside: f64,
    /// Accuracy on people whose records were held out.
    pub outside: f64,
    /// Accuracy of always predicting the most frequent label, on people who were held out.
    pub majority: f64,
    /// Number of records.
    pub tested: u64,
}

/// Trains [`C45`] and [`NaiveBayes`] on a release and tests them on people inside and outside.
///
/// The tables are read as for [`release`](super::release), and `class` is one of the columns
/// besides the quasi-identifiers. People outside are those of the fold that was held out (three
/// folds, by a hash of `seed`); people inside are tested by a learner that has seen all records.
pub(crate) fn membership(
    original: &Table,
    release: &Table,
    class: &str,
    seed: u64,
) -> Result<[Membership; 2]> {
    let view = View::of(release, class)?;
    let examples = encode(original.columns(), &[&view]).swap_remove(0);
    let majority = 1.0 - cross_validated(&examples, seed, majority_errors);
    let tested = examples.n_records();
    let of_learner = |learner, n_errors: fn(&Examples, &Examples) -> u64| Membership {
        learner,
        inside: 1.0 - n_errors(&examples, &examples) as f64 / tested.max(1) as f64,
        outside: 1.0 - cross_validated(&examples, seed, n_errors),
        majority,
        tested,
    };
    Ok([
        of_learner("c4.5", |train, test| C45::grow(train).n_errors(test)),
        of_learner("naive-bayes", |train, test| NaiveBayes::train(train).n_errors(test)),
    ])
}
