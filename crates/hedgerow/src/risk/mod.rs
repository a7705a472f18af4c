//! Re-identification risk of a table and of its release: models of attackers, of uniqueness, and
//! of what columns contribute.

mod assessment;
mod sample;
mod classes;
mod gamma;
mod prosecutor;
mod journalist;
mod marketer;
mod sample_uniqueness;
mod zayatz;
mod pitman;
mod snb;
mod dankar;
mod individual;
mod risks;
mod weights;
mod request;
mod written;
mod contribution;
mod special;
mod questions;
mod assess;

pub use assess::assess;
pub use assessment::{
    Above, Answer, Assessment, Change, ColumnScore, ColumnSet, Contribution, Depth, Extreme,
    Figure, Figures, Frame, FrameSource, Question, RecordScore, Side, Special, Spread, Unit,
    Verdict,
};
pub use dankar::Dankar;
pub use individual::{Individual, individual_risk};
pub use journalist::Journalist;
pub use marketer::Marketer;
pub use pitman::Pitman;
pub use prosecutor::Prosecutor;
pub(crate) use request::check_thresholds;
pub use request::{Extent, Request, THRESHOLDS};
pub use risks::Risks;
pub use sample::{Group, Sample};
pub use sample_uniqueness::SampleUniqueness;
pub use snb::Snb;
pub(crate) use weights::of_cohorts as weights_of_cohorts;
pub use written::{percent, written};
pub use zayatz::Zayatz;

use crate::method::{Describe, Described, Method};

/// A model of re-identification risk.
pub trait RiskModel: Describe + Sync {
    /// The estimate for a sample, or `None` if the model does not apply to it.
    fn of(&self, sample: &Sample) -> Option<Figure>;
}

/// Registry of all models.
pub const ALL: &[Method<&'static dyn RiskModel>] = &[
    method(&Prosecutor),
    method(&Journalist),
    method(&Marketer),
    method(&SampleUniqueness),
    method(&Zayatz),
    method(&Pitman),
    method(&Snb),
    method(&Dankar),
    method(&Individual),
];

/// The entry of a model in the registry.
const fn method<M: RiskModel + Described>(model: &'static M) -> Method<&'static dyn RiskModel> {
    Method::new(M::DESCRIPTION, model)
}

#[cfg(test)]
mod tests;
