//! Anonymizers: searches for a partition that meets the goal and loses little.

mod box_tree;
mod cluster;
mod selection;
mod regroup;
mod mend;
mod constrained;
mod suppression;
mod information;
mod trace;
mod hedge;
mod k_member;
mod mondrian;
mod full_domain;
mod optimal;
mod local;
mod incognito;
mod samarati;
mod datafly;
mod bottom_up;
mod top_down;
mod genetic;
mod mu_argus;
mod traversal;
mod solve;
mod choose;

pub use bottom_up::{BottomUp, Metric, Search, Until};
pub use choose::{AUTO, Chosen, choose};
pub use datafly::Datafly;
pub use genetic::Genetic;
pub use hedge::Hedge;
pub use incognito::Incognito;
pub use k_member::KMember;
pub use local::Local;
pub use mondrian::Mondrian;
pub use mu_argus::MuArgus;
pub use optimal::Optimal;
pub use samarati::Samarati;
pub use top_down::{Score, TopDown};
pub use traversal::{Traversal, Tree};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Advice;
use crate::loss::Choice;
use crate::method::{Describe, Described, Description, Make, Method, Spec, Validate};
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::Proposal;
use crate::recoding::Recoding;
use crate::{Error, Result};

/// A method that divides records into classes which meet the privacy models of a problem.
///
/// It only proposes: [`Problem::solve`] asks it, mends what is not private yet, and checks the result.
pub trait Anonymizer: Describe + Validate + std::fmt::Debug + Send + Sync {
    /// Finds a partition. Its classes may still fail, as long as they can be put together or
    /// suppressed.
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal>;

    /// Returns the reason this method cannot solve `problem`, or `None`.
    fn obstacle(&self, _problem: &Problem) -> Option<Error> {
        None
    }

    /// Whether the search can end at any time with the best it has; see
    /// [`Progress::out_of_time`].
    fn is_anytime(&self) -> bool {
        false
    }

    /// Whether the method's definition says which records are suppressed, or it weighs what that
    /// loses; its result is then final even if less would be lost without suppression.
    fn defines_suppression(&self) -> bool {
        false
    }

    /// Whether a parameter says where the method stops: what it refuses then is not solved in another
    /// way.
    fn is_told_where_to_stop(&self) -> bool {
        false
    }

    /// The loss that the method minimises, where it has the choice; by it, what is found with and
    /// without suppression is compared.
    fn loss(&self) -> Choice {
        Choice::default()
    }

    /// The hierarchy method that belongs to this method, where no other can take its place.
    fn hierarchy(&self) -> Option<Spec> {
        None
    }
}

/// Every anonymizer.
pub const ALL: &[Method<Make<dyn Anonymizer>>] = &[
    method::<Hedge>(),
    method::<KMember>(),
    method::<Mondrian>(),
    method::<Local>(),
    method::<Optimal>(),
    method::<Incognito>(),
    method::<Samarati>(),
    method::<Datafly>(),
    method::<BottomUp>(),
    method::<TopDown>(),
    method::<Genetic>(),
    method::<MuArgus>(),
    method::<Traversal>(),
];

/// The line of a method in its registry.
const fn method<A>() -> Method<Make<dyn Anonymizer>>
where
    A: Anonymizer + Described + Serialize + DeserializeOwned + 'static,
{
    Method::new(A::DESCRIPTION, |spec| Ok(Box::new(spec.read::<A>()?)))
}

/// What users can write for a method: `auto`, and every anonymizer.
pub fn descriptions() -> impl Iterator<Item = &'static Description> + Clone {
    [&AUTO].into_iter().chain(ALL.iter().map(|method| &method.description))
}

/// The method that `spec` names.
pub fn from_spec(spec: &Spec) -> Result<Box<dyn Anonymizer>> {
    Method::from_spec(ALL.iter(), "method", spec)
}

/// The method that `spec` names; none for `auto`, which chooses once it knows the problem.
pub fn named(spec: &Spec) -> Result<Option<Box<dyn Anonymizer>>> {
    if spec.name == AUTO.name {
        return AUTO.check(spec).map(|()| None);
    }
    if ALL.iter().all(|method| method.name != spec.name) {
        let names = descriptions().map(|method| method.name);
        return Err(Error::unknown("method", &spec.name, names));
    }
    from_spec(spec).map(Some)
}

/// What a method found, and which method it was.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Solved {
    /// The method with its parameters.
    pub method: Spec,
    /// What it found.
    pub recoding: Recoding,
}

/// Runs a method, or the one that `auto` chooses, on a problem.
pub fn run(method: &Spec, problem: &Problem, progress: &dyn Progress) -> Result<Solved> {
    let (method, why) = if method.name == "auto" {
        let Chosen { method, why } = choose(method, problem, progress)?;
        (method, Some(why))
    } else {
        (method.clone(), None)
    };
    let mut recoding = match problem.solve(from_spec(&method)?.as_ref(), progress) {
        Err(refusal @ Error::Unreachable { .. }) => {
            let other = choose::instead(&method, problem, progress);
            stop_if_cancelled(progress)?;
            let other = other.map(|other| Advice::OtherMethod { methods: vec![other.to_string()] });
            return Err(refusal.advise(other));
        }
        solved => solved?,
    };
    recoding.put_first(why);
    Ok(Solved { method, recoding })
}

/// The methods that can end at any time with the best they have.
pub(crate) fn anytime() -> Vec<&'static str> {
    let is_anytime = |name: &&str| from_spec(&Spec::named(*name)).is_ok_and(|a| a.is_anytime());
    ALL.iter().map(|method| method.name).filter(is_anytime).collect()
}
