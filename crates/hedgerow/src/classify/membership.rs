//! Advantage of a learner in predicting a column of the people it was trained on.

use std::cmp::Reverse;

use serde::Serialize;
use twox_hash::XxHash3_64;

use super::c45::C45;
use super::examples::Examples;
use super::naive_bayes::NaiveBayes;
use super::view::{View, encode};
use super::{cross_validated, majority_errors};
use crate::Result;
use crate::table::{Cohort, Table};

/// Shares of records whose label a learner predicts correctly from published cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// Number of records that were drawn.
    pub tested: u64,
    /// Number of distinct records that were drawn.
    pub n_distinct: usize,
    /// Cohorts of the release whose label is predicted correctly inside, the largest first.
    #[serde(skip)]
    pub right: Vec<Cohort>,
}

/// The records of a release that learners are trained and tested on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn {
    /// Seed of the sample and of the folds.
    pub(crate) seed: u64,
    /// Maximum number of distinct records; 0 for all.
    pub(crate) most: usize,
}

impl Drawn {
    /// The drawn cohorts of a release, in order.
    fn cohorts(self, release: &Table) -> Vec<Cohort> {
        let mut all: Vec<Cohort> = release.cohorts().all().collect();
        if self.most == 0 || all.len() <= self.most {
            return all;
        }
        let random = |cohort: &Cohort| {
            XxHash3_64::oneshot_with_seed(self.seed, &(cohort.index() as u64).to_le_bytes())
        };
        all.sort_by_cached_key(|cohort| (random(cohort), cohort.index()));
        all.truncate(self.most);
        all.sort_unstable_by_key(|cohort| cohort.index());
        all
    }
}

/// Trains [`C45`] and [`NaiveBayes`] on a release and tests them on people inside and outside.
///
/// The tables are read as for [`release`](super::release), and `class` is one of the columns
/// besides the quasi-identifiers. People outside are those of the fold that was held out (three
/// folds, by a hash of the seed); people inside are tested by a learner that has seen
/// all records that were drawn.
pub(crate) fn membership(
    original: &Table,
    release: &Table,
    class: &str,
    drawn: Drawn,
) -> Result<[Membership; 2]> {
    let view = View::of(release, class)?;
    let cohorts = drawn.cohorts(release);
    let places: Vec<usize> = cohorts.iter().map(|cohort| cohort.index()).collect();
    let examples = encode(original.columns(), &[&view]).swap_remove(0).among(&places);
    let majority = 1.0 - cross_validated(&examples, drawn.seed, majority_errors);
    let tested = examples.n_records();
    let inside = |predict: &dyn Fn(&[u32]) -> u32| -> Vec<Cohort> {
        let numbered = cohorts.iter().enumerate();
        let is_right = |(place, _): &(usize, &Cohort)| {
            predict(examples.row(*place)) == examples.labels[*place]
        };
        numbered.filter(is_right).map(|(_, &cohort)| cohort).collect()
    };
    let of_learner = |learner, mut right: Vec<Cohort>, n_errors: Errors| {
        let count = |cohort: &Cohort| release.cohorts().counts[cohort.index()];
        let n_right: u64 = right.iter().map(count).sum();
        // The sort is stable, so equally large cohorts stay in the order of their first rows.
        right.sort_by_key(|cohort| Reverse(count(cohort)));
        Membership {
            learner,
            inside: n_right as f64 / tested.max(1) as f64,
            outside: 1.0 - cross_validated(&examples, drawn.seed, n_errors),
            majority,
            tested,
            n_distinct: cohorts.len(),
            right,
        }
    };
    let (tree, bayes) = (C45::grow(&examples), NaiveBayes::train(&examples));
    Ok([
        of_learner("c4.5", inside(&|row| tree.predict(row)), |train, test| {
            C45::grow(train).n_errors(test)
        }),
        of_learner("naive-bayes", inside(&|row| bayes.predict(row)), |train, test| {
            NaiveBayes::train(train).n_errors(test)
        }),
    ])
}

/// Counts the errors of a learner that was trained on the first examples, on the second.
type Errors = fn(&Examples, &Examples) -> u64;
