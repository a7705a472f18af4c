//! Anonymizers: searches for a partition that meets the goal and loses little.

mod k_member;

pub use k_member::KMember;

use crate::Result;
use crate::method::{Method, Spec};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::recoding::Recoding;

/// A method that divides records into classes which meet the privacy models of a problem.
pub trait Anonymizer: std::fmt::Debug + Send + Sync {
    /// Finds a partition.
    fn anonymize(&self, problem: &Problem<'_>, progress: &dyn Progress) -> Result<Recoding>;

    /// Whether the method asks for the cohort of every row, not only for cohorts.
    fn needs_rows(&self) -> bool {
        false
    }
}

/// Every anonymizer.
pub const ALL: &[Method<dyn Anonymizer>] = &[Method {
    name: "k-member",
    about: "greedy clusters of k records: local recoding, little loss, any hierarchy",
    make: |spec| Ok(Box::new(spec.read::<KMember>()?)),
}];

/// The method that `spec` names; `auto` is the one that loses least.
pub fn from_spec(spec: &Spec) -> Result<Box<dyn Anonymizer>> {
    Method::from_spec(ALL.iter(), "method", &resolve(spec))
}

/// What `auto` stands for.
pub fn resolve(spec: &Spec) -> Spec {
    if spec.name == "auto" { Spec::named("k-member") } else { spec.clone() }
}
