//! Arguments for estimates of risk: the population that a table is a sample of, and thresholds.

use hedgerow::job::Job;
use hedgerow::population::Population;
use hedgerow::risk::Extent;

#[derive(Debug, clap::Args)]
pub(crate) struct SampleArgs {
    /// Size of the table divided by that of its population, above 0 and at most 1, for estimates of
    /// risk
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["population", "weights"])]
    pub(crate) sampling_fraction: Option<f64>,
    /// Column with the sampling weight of each record, for estimates of risk: how many members of
    /// the population it represents
    #[arg(long, value_name = "COLUMN", conflicts_with = "population")]
    pub(crate) weights: Option<String>,
    /// Risk above which a record counts as at risk; may be repeated [default: 0.2, 0.09 and 0.05]
    #[arg(long = "threshold", value_name = "T", allow_negative_numbers = true)]
    pub(crate) thresholds: Vec<f64>,
}

impl SampleArgs {
    /// Overrides what a job says about its sample and about thresholds.
    pub(crate) fn give(&self, job: &mut Job) {
        if self.sampling_fraction.is_some() || self.weights.is_some() {
            job.sampling_fraction = self.sampling_fraction;
            job.weights.clone_from(&self.weights);
        }
        if !self.thresholds.is_empty() {
            job.threshold.clone_from(&self.thresholds);
        }
    }

    /// What is known of the population, which was read if its table is named.
    pub(crate) fn extent<'a>(&'a self, population: Option<&'a Population>) -> Extent<'a> {
        Extent::known(population, self.sampling_fraction, self.weights.as_deref())
    }
}
