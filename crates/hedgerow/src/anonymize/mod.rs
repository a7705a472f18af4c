//! Anonymizers: searches for a partition that meets the goal and loses little.

mod information;
mod trace;
mod k_member;
mod traversal;
mod bottom_up;
mod top_down;

pub use bottom_up::{BottomUp, Metric, Search, Until};
pub use k_member::KMember;
pub use top_down::{Score, TopDown};
pub use traversal::{Traversal, Tree};

use crate::method::{Method, Spec};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::recoding::Recoding;
use crate::{Error, Result};

/// A method that divides records into classes which meet the privacy models of a problem.
pub trait Anonymizer: std::fmt::Debug + Send + Sync {
    /// Finds a partition.
    fn anonymize(&self, problem: &Problem<'_>, progress: &dyn Progress) -> Result<Recoding>;

    /// Why the method cannot take a problem, if it cannot; it is then not asked to.
    fn obstacle(&self, _problem: &Problem<'_>) -> Option<String> {
        None
    }

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
        name: "traversal",
        about: "sets of values along a walk of a tree, for one quasi-identifier",
        make: |spec| Ok(Box::new(spec.read::<Traversal>()?)),
    },
    Method {
        name: "bottom-up",
        about: "generalizes what buys most anonymity for its loss: global recoding, trees, class column",
        make: |spec| Ok(Box::new(spec.read::<BottomUp>()?)),
    },
    Method {
        name: "top-down",
        about: "specializes what tells most for its anonymity: global recoding, trees, class column",
        make: |spec| Ok(Box::new(spec.read::<TopDown>()?)),
    },
];

/// The method that `spec` names; `auto` is the one that loses least.
pub fn from_spec(spec: &Spec) -> Result<Box<dyn Anonymizer>> {
    if spec.name == "auto" {
        spec.plain(())?;
    }
    Method::from_spec(ALL.iter(), "method", &resolve(spec))
}

/// Runs a method on a problem and checks what it decided; says which methods can if it cannot.
pub fn solve(method: &Spec, problem: &Problem<'_>, progress: &dyn Progress) -> Result<Recoding> {
    let anonymizer = from_spec(method)?;
    if let Some(obstacle) = anonymizer.obstacle(problem) {
        let can = ALL.iter().filter(|other| {
            let other = from_spec(&Spec::named(other.name));
            other.is_ok_and(|a| a.hierarchy().is_none() && a.obstacle(problem).is_none())
        });
        let can: Vec<&str> = can.map(|method| method.name).collect();
        let name = &method.name;
        return Err(Error::invalid(format!(
            "method '{name}' cannot do this: {obstacle}; these methods can: {}",
            can.join(", ")
        )));
    }
    let recoding = anonymizer.anonymize(problem, progress)?;
    recoding.check(problem)?;
    Ok(recoding)
}

/// What `auto` stands for.
pub fn resolve(spec: &Spec) -> Spec {
    if spec.name == "auto" { Spec::named("k-member") } else { spec.clone() }
}
