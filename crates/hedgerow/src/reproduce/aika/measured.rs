//! The releases with every candidate, and their correlations with the ranks.

use super::subjects::Subject;
use crate::Result;
use crate::downstream::{Correlations, Outcome, Suppression, Trials, releases, untouched};
use crate::progress::{Progress, Silent};
use crate::reproduce::Materials;

/// The releases of a column with one treatment of suppression.
pub(super) struct Measured {
    /// The data set.
    pub(super) set: &'static str,
    /// The column with its data set.
    pub(super) name: String,
    pub(super) suppression: Suppression,
    /// The outcomes of each candidate for each k.
    pub(super) outcomes: Vec<Vec<Outcome>>,
    pub(super) correlations: Correlations,
    /// Number of records of the rarest value.
    pub(super) rarest: u64,
    /// Number of values of k, and how many of them leave everything as it is.
    pub(super) n_ks: usize,
    pub(super) n_untouched: usize,
}

impl Measured {
    /// Publishes every column with every candidate, k and treatment of suppression.
    pub(super) fn all(
        subjects: &[Subject],
        materials: &Materials<'_>,
        progress: &dyn Progress,
    ) -> Result<Vec<Self>> {
        // One item for a column and a treatment: its 99 values of k share their candidates.
        let treatments = subjects.iter().flat_map(|subject| Suppression::ALL.map(|s| (subject, s)));
        let items: Vec<(&Subject, Suppression)> = treatments.collect();
        materials.each(&items, progress, |&(subject, suppression)| {
            Self::of(subject, suppression, materials)
        })
    }

    fn of(subject: &Subject, suppression: Suppression, materials: &Materials<'_>) -> Result<Self> {
        // As in the paper, whose number of solutions is that of 99 values of k and 100 candidates.
        let step = if materials.is_trial { 24 } else { 1 };
        let ks: Vec<u64> = (2..=100).step_by(step).collect();
        let (question, trees) = (subject.question(ks[0]), subject.trees());
        let trials = Trials { table: &subject.table, ks: &ks, suppression };
        let outcomes = releases(&question, &trees, trials, &Silent)?;
        Ok(Self {
            set: subject.set,
            name: subject.name(),
            suppression,
            correlations: Correlations::of(&question, &trees, &outcomes)?,
            rarest: subject.rarest(),
            n_ks: ks.len(),
            // Outcomes are moved last, because everything else is computed from them.
            n_untouched: untouched(&outcomes).len(),
            outcomes,
        })
    }
}
