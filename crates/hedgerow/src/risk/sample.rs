//! A sample for risk models: the number of matches of each record, here and in the population.

use std::cmp::Ordering;

use super::{Above, Extreme, Figure, Figures, RiskModel, Spread};
use crate::method::Method;

/// Records or people with the same figures.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// Number of records or people in the group.
    pub n: u64,
    /// Number of records or people of the sample that each of them matches, itself included: `f`.
    pub size: u64,
    /// Number of members of the population that each of them matches, at least `size`: `F`.
    /// Without a population table it is `size`.
    pub population: f64,
    /// Sum of the sampling weights of the matching records, an estimate of `F`.
    pub weight: Option<f64>,
}

impl Group {
    /// The lowest figures of two groups, with the number of this one.
    pub(super) fn worst(&self, other: &Self) -> Self {
        let weight = match (self.weight, other.weight) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        Self {
            n: self.n,
            // The least of each figure separately, so that no model understates the risk of a
            // person.
            size: self.size.min(other.size),
            population: self.population.min(other.population),
            weight,
        }
    }

    /// Compares figures, not the number of records: by size, then population and weight.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let weight = |group: &Self| group.weight.unwrap_or(0.0);
        (self.size.cmp(&other.size))
            .then(self.population.total_cmp(&other.population))
            .then(weight(self).total_cmp(&weight(other)))
    }
}

/// A sample as models see it.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{Prosecutor, RiskModel, Sample};
/// let sample = Sample::of_sizes(&[1, 2, 2]);
/// assert!((Prosecutor.of(&sample).unwrap().share - 0.6).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Sample {
    /// The records by their figures, ascending by size.
    pub groups: Vec<Group>,
    /// Number of distinct tuples of quasi-identifiers.
    pub n_classes: u64,
    /// Size of the population, if it is known.
    pub n_population: Option<f64>,
    /// Whether the population is a table, so that the `population` of groups was counted.
    pub is_counted: bool,
    /// The thresholds of [`Spread::above`].
    pub thresholds: Vec<f64>,
}

impl Sample {
    /// A sample of classes of these sizes, without a population.
    pub fn of_sizes(sizes: &[u64]) -> Self {
        let mut sizes: Vec<u64> = sizes.iter().copied().filter(|&size| size > 0).collect();
        sizes.sort_unstable();
        let of_run = |run: &[u64]| {
            let n = run.iter().sum();
            Group { n, size: run[0], population: run[0] as f64, weight: None }
        };
        let groups = sizes.chunk_by(|one, other| one == other).map(of_run).collect();
        let n_classes = sizes.len() as u64;
        Self { groups, n_classes, ..Self::default() }
    }

    /// The same sample, drawn from a population of which it is this fraction.
    #[must_use]
    pub fn drawn(mut self, sampling_fraction: f64) -> Self {
        self.n_population = Some(self.n() as f64 / sampling_fraction);
        self
    }

    /// The same sample with thresholds of risk.
    #[must_use]
    pub fn judged_by(mut self, thresholds: &[f64]) -> Self {
        self.thresholds = thresholds.to_vec();
        self
    }

    /// Number of records or people.
    pub fn n(&self) -> u64 {
        self.groups.iter().map(|group| group.n).sum()
    }

    /// Number of records or people that match only themselves.
    pub fn alone(&self) -> u64 {
        self.groups.iter().filter(|group| group.size == 1).map(|group| group.n).sum()
    }

    /// The sampling fraction, if the size of the population is known.
    pub fn sampling_fraction(&self) -> Option<f64> {
        Some(self.n() as f64 / self.n_population?)
    }

    /// Whether the table is the whole population.
    pub(super) fn is_whole(&self) -> bool {
        // The fraction is a quotient, so it is not compared with 1 exactly.
        self.sampling_fraction().is_some_and(|fraction| fraction > 1.0 - 1e-9)
    }

    /// The sizes of classes, ascending, with their numbers of classes.
    ///
    /// A class of size `i` has `i` records, so the number of classes is the number of records
    /// divided by `i`. It need not be whole if records with `*` match several classes.
    pub fn histogram(&self) -> Vec<(u64, f64)> {
        let runs = self.groups.chunk_by(|one, other| one.size == other.size);
        let of_run = |run: &[Group]| {
            let n: u64 = run.iter().map(|group| group.n).sum();
            (run[0].size, n as f64 / run[0].size as f64)
        };
        runs.map(of_run).collect()
    }

    /// The figures of all models that apply.
    pub(super) fn figures(&self, models: &[Method<&'static dyn RiskModel>]) -> Figures {
        let smallest = self.groups.first().map_or(0, |group| group.size);
        // Shares of no records are not defined.
        let models = match self.n() {
            0 => Vec::new(),
            _ => models.iter().filter_map(|model| model.item.of(self)).collect(),
        };
        Figures { n: self.n(), classes: self.n_classes, alone: self.alone(), smallest, models }
    }

    /// The distribution of a risk over records; `None` without records.
    pub(super) fn spread(&self, risk: impl Fn(&Group) -> f64) -> Option<Spread> {
        let risks: Vec<(f64, u64)> =
            self.groups.iter().map(|group| (risk(group), group.n)).collect();
        let n = self.n();
        let share = |part: u64| part as f64 / n as f64;
        // Risks of one group are computed once, so equal risks are equal to the last bit.
        let extreme = |risk: f64| {
            let own = risks.iter().filter(|found| found.0.total_cmp(&risk).is_eq());
            let n = own.map(|found| found.1).sum();
            Extreme { risk, n, share: share(n) }
        };
        let above = |&threshold: &f64| {
            let n = risks.iter().filter(|found| found.0 > threshold).map(|found| found.1).sum();
            Above { threshold, n, share: share(n) }
        };
        let of_risk = risks.iter().map(|found| found.0);
        Some(Spread {
            above: self.thresholds.iter().map(above).collect(),
            highest: extreme(of_risk.clone().max_by(f64::total_cmp)?),
            average: risks.iter().map(|(risk, n)| risk * *n as f64).sum::<f64>() / n as f64,
            lowest: extreme(of_risk.min_by(f64::total_cmp)?),
        })
    }
}

impl Figure {
    /// The estimate of an attacker model with this distribution of risk.
    pub(super) fn of_spread(model: &'static str, n: u64, spread: Spread) -> Self {
        // The expected share of re-identified records is the mean of their risks.
        let share = spread.average;
        Self { model, share, expected: share * n as f64, spread: Some(spread), how: None }
    }

    /// The estimate of a model of population uniqueness. If the table is the population, the share
    /// is known and the estimate is not used.
    pub(super) fn of_uniques(model: &'static str, sample: &Sample, estimate: f64) -> Self {
        let known = sample.alone() as f64 / sample.n() as f64;
        // An estimator can leave 0..=1, which a share cannot.
        let share = if sample.is_whole() { known } else { estimate.clamp(0.0, 1.0) };
        let expected = share * sample.n_population.unwrap_or(0.0);
        Self { model, share, expected, spread: None, how: None }
    }
}
