//! Anonymizers: searches for a partition that meets the goal and loses little.

mod k_member;
mod mondrian;
mod traversal;

pub use k_member::KMember;
pub use mondrian::Mondrian;
pub use traversal::{Traversal, Tree};

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

    /// The hierarchy method that belongs to this method, where no other can take its place.
    fn hierarchy(&self) -> Option<Spec> {
        None
    }
}

/// Every anonymizer.
pub const ALL: &[Method<dyn Anonymizer>] = &[
    Method {
        name: "k-member",
        about: "greedy clusters of k records: local recoding, little loss, any hierarchy",
        make: |spec| Ok(Box::new(spec.read::<KMember>()?)),
    },
    Method {
        name: "mondrian",
        about: "cuts at medians, or where the loss falls most: fast on millions of records",
        make: |spec| Ok(Box::new(spec.read::<Mondrian>()?)),
    },
    Method {
        name: "traversal",
        about: "sets of values along a walk of a tree, for one quasi-identifier",
        make: |spec| Ok(Box::new(spec.read::<Traversal>()?)),
    },
];

/// The method that `spec` names; `auto` is the one that loses least.
pub fn from_spec(spec: &Spec) -> Result<Box<dyn Anonymizer>> {
    if spec.name == "auto" {
        spec.plain(())?;
    }
    Method::from_spec(ALL.iter(), "method", &resolve(spec))
}

/// What `auto` stands for.
pub fn resolve(spec: &Spec) -> Spec {
    if spec.name == "auto" { Spec::named("k-member") } else { spec.clone() }
}
