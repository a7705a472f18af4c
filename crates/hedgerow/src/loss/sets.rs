//! Losses of generalization sets, for a column in which each value is published as one set or
//! unchanged.

use std::collections::BTreeMap;

use super::ratio;
use crate::method::{Description, Method, Need};

/// The input of all losses of generalization sets of a column.
///
/// The cost of a set is the share of the column's values that it contains (`il` and its variants),
/// or the share of the other records with which one of its records can be confused (`hdm`); see
/// [`SET_LOSSES`].
///
/// # Complexity
///
/// `O(m)` for `m` values in sets.
///
/// # Guarantees
///
/// Deterministic. Without sets every loss is 0.
///
/// # References
///
/// \[Hernandez2018\], equations 1 to 4; METHODS 2.3 and 2.4.
///
/// # Examples
///
/// ```
/// use hedgerow::loss::Sets;
/// // 24 40 55 51 | 45 23 28 28 46 35: the paper's example, 0.5 and 0.625
/// let counts = vec![vec![1, 1, 1, 1], vec![1, 1, 2, 1, 1]];
/// let sets = Sets { n_records: 10, n_values: 9, counts };
/// assert!((sets.losses()["il"] - 0.575).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sets {
    /// Number of records that have a value.
    pub n_records: u64,
    /// Number of distinct values of the original column.
    pub n_values: usize,
    /// For each set, the number of records with each of its values.
    pub counts: Vec<Vec<u64>>,
}

/// Computes the loss of the sets of a column.
pub type OfSets = fn(&Sets) -> f64;

/// Registry of all losses of generalization sets; less is better.
pub const SET_LOSSES: &[Method<OfSets>] = &[
    Method::new(described("il", "mean of |set| / (values - 1) over the records in sets"), |sets| {
        sets.mean(sets.n_in_sets(), |counts| sets.share(counts.len()))
    }),
    Method::new(
        described("il-all", "the same over all records; unchanged values count 0"),
        |sets| sets.mean(sets.n_records, |counts| sets.share(counts.len())),
    ),
    Method::new(described("il-set-mean", "mean of |set| / (values - 1) over the sets"), |sets| {
        mean(sets.counts.iter().map(|counts| sets.share(counts.len())))
    }),
    Method::new(
        described("il-iyengar", "mean of (|set| - 1) / (values - 1) over the records in sets"),
        |sets| sets.mean(sets.n_in_sets(), |counts| sets.share(counts.len() - 1)),
    ),
    Method::new(
        described("hdm", "share of other records confusable with a record, mean over sets"),
        |sets| mean(sets.counts.iter().map(|counts| sets.hdm(counts))),
    ),
];

const fn described(name: &'static str, about: &'static str) -> Description {
    let (reference, needs) = (Some("Hernandez2018"), &[Need::OneAttribute]);
    Description { name, about, reference, needs, parameters: &[] }
}

impl Sets {
    /// All losses by name.
    pub fn losses(&self) -> BTreeMap<&'static str, f64> {
        SET_LOSSES.iter().map(|loss| (loss.name, (loss.item)(self))).collect()
    }

    fn n_in_sets(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// Equation 1: IL(GS) = |GS| / (U - 1), which can exceed 1.
    fn share(&self, n_values: usize) -> f64 {
        ratio(n_values as f64, self.n_values as f64 - 1.0)
    }

    /// Equation 2 as the paper's example computes it: each set is weighted by its records.
    fn mean(&self, n_records: u64, of_set: impl Fn(&[u64]) -> f64) -> f64 {
        let weighted = self.counts.iter().map(|counts| {
            let n_records: u64 = counts.iter().sum();
            n_records as f64 * of_set(counts)
        });
        ratio(weighted.sum(), n_records as f64)
    }

    /// Equations 3 and 4: the mean of (Ne - Nv) / (N - Nv) over the values of a set.
    fn hdm(&self, counts: &[u64]) -> f64 {
        let n_in_set: u64 = counts.iter().sum();
        mean(counts.iter().map(|count| {
            ratio((n_in_set - count) as f64, self.n_records.saturating_sub(*count) as f64)
        }))
    }
}

/// The mean of some numbers; 0 if there are none.
fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = numbers.len() as f64;
    ratio(numbers.sum(), n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 5e-7, "{found} {wanted}");
    }

    #[test]
    fn hdm_is_that_of_methods_2_4() {
        let sets = Sets { n_records: 1000, n_values: 12, counts: vec![vec![50, 200]] };
        assert_near(sets.hdm(&[50, 200]), f64::midpoint(4.0 / 19.0, 1.0 / 16.0));
        assert_near(sets.losses()["hdm"], 0.136_513);
    }

    #[test]
    fn the_readings_of_il_differ_as_they_should() {
        let counts = vec![vec![1, 1, 1, 1], vec![1, 1, 2, 1, 1]];
        let losses = Sets { n_records: 20, n_values: 9, counts }.losses();
        assert_near(losses["il"], 0.575);
        assert_near(losses["il-all"], 0.2875);
        assert_near(losses["il-set-mean"], 0.5625);
        assert_near(losses["il-iyengar"], 0.45);
    }

    #[test]
    fn nothing_generalized_is_nothing_lost_and_il_may_exceed_1() {
        let none = Sets { n_records: 3, n_values: 1, counts: Vec::new() };
        assert!(none.losses().values().all(|loss| loss.abs() < 1e-12));
        let both = Sets { n_records: 2, n_values: 2, counts: vec![vec![1, 1]] };
        assert_near(both.losses()["il"], 2.0);
        assert_near(both.losses()["il-iyengar"], 1.0);
    }
}
