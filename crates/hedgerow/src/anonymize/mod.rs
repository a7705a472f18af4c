//! Anonymizers: methods that search for a partition that meets the goal at low loss.

mod cluster;
mod selection;
mod regroup;
mod mend;
mod constrained;
mod suppression;
mod information;
mod trace;
mod people;
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

pub(crate) use bottom_up::Taken;
pub use bottom_up::{BottomUp, Considered, Metric, Scene, Search, Until};
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
use crate::loss::{self, Choice};
use crate::method::{
    Describe, Described, Description, Make, Method, Parameter, Scope, Spec, Type, Validate,
};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::recoding::Recoding;
use crate::{Error, Result};

/// A method that partitions records into classes that meet the privacy models of a problem.
///
/// A method only proposes a partition. [`Problem::solve`] runs it, mends the classes that are not
/// private yet, and checks the result.
pub trait Anonymizer: Describe + Validate + std::fmt::Debug + Send + Sync {
    /// Finds a partition. Its classes may still fail the goal, as long as they can be merged or
    /// suppressed.
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal>;

    /// Returns the reason this method cannot solve the problem, or `None`.
    ///
    /// A method with an obstacle is not run on that problem.
    fn obstacle(&self, _problem: &Problem) -> Option<Error> {
        None
    }

    /// Like [`Anonymizer::obstacle`], for a search that has a time limit.
    fn obstacle_in_time(&self, problem: &Problem) -> Option<Error> {
        self.obstacle(problem)
    }

    /// Whether the search can stop at any time with the best result so far; see
    /// [`Progress::out_of_time`].
    fn is_anytime(&self) -> bool {
        false
    }

    /// Whether the search uses all of its time, if that is limited; see [`Progress::goes_on`].
    fn uses_time_up(&self) -> bool {
        false
    }

    /// Whether another seed of the problem can give another result.
    fn is_seeded(&self) -> bool {
        false
    }

    /// Whether the method itself decides which records to suppress, by its definition or by
    /// weighing the loss. Its result is then final, even if suppressing nothing would lose less.
    fn defines_suppression(&self) -> bool {
        false
    }

    /// Whether a parameter sets the point at which the method stops. If the method then fails, no
    /// other way to solve the problem is tried.
    fn is_told_where_to_stop(&self) -> bool {
        false
    }

    /// The loss that the method minimises, if it has a choice of losses. This loss also decides
    /// between the results with and without suppression.
    fn loss(&self) -> Choice {
        Choice::default()
    }

    /// The hierarchy method that this method requires, or `None` if it accepts any hierarchy.
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

/// Returns the registry entry of a method.
const fn method<A>() -> Method<Make<dyn Anonymizer>>
where
    A: Anonymizer + Described + Serialize + DeserializeOwned + 'static,
{
    let make: Make<dyn Anonymizer> = |spec| Ok(Box::new(spec.read::<A>()?));
    Method::new(A::DESCRIPTION, make).recodes(A::RECODING)
}

/// The description of `auto`, which runs the method that loses least on a sample (see
/// [`auto`](crate::auto)).
pub(crate) const AUTO: Description = Description {
    name: "auto",
    about: "tries several methods on a sample and takes the one that loses least (default)",
    reference: None,
    needs: &[],
    parameters: &[Parameter::new(
        "loss",
        Type::Loss(loss::names),
        "the loss that decides; methods that can minimise it do so",
    )
    .or("ntil")],
};

/// Returns the reason a method cannot solve a problem with or without a time limit, or `None`.
pub(crate) fn obstacle(
    method: &dyn Anonymizer,
    problem: &Problem,
    has_time_limit: bool,
) -> Option<Error> {
    if has_time_limit { method.obstacle_in_time(problem) } else { method.obstacle(problem) }
}

/// Returns the scope in which a method recodes values, or `None` if there is no such method or it
/// is `auto`.
pub fn recoding(name: &str) -> Option<Scope> {
    ALL.iter().find(|method| method.name == name).and_then(|method| method.recoding)
}

/// Returns an error if a method recodes less uniformly than it may; it names the methods that do
/// not. A method that does not state how it recodes may recode locally.
pub(crate) fn check_recoding(method: &Spec, allowed: Scope) -> Result<()> {
    let of_method = recoding(&method.name).unwrap_or(Scope::Local);
    if method.name == AUTO.name || allowed.allows(of_method) {
        return Ok(());
    }
    let problem = format!("does {of_method} recoding, but the recoding must be {allowed}");
    let mut methods = vec![AUTO.name.to_owned()];
    methods.extend(within(allowed).into_iter().map(str::to_owned));
    Err(Error::method(&method.name, problem).advise([
        Advice::OtherMethod { methods },
        Advice::LeaveOut { key: "recoding", column: None },
    ]))
}

/// Names of the methods that recode at least as uniformly as `scope`.
pub(crate) fn within(scope: Scope) -> Vec<&'static str> {
    let is_within = |name: &&str| recoding(name).is_some_and(|of_method| scope.allows(of_method));
    ALL.iter().map(|method| method.name).filter(is_within).collect()
}

/// Descriptions of all names that users can write as a method: `auto` and every anonymizer.
pub fn descriptions() -> impl Iterator<Item = &'static Description> + Clone {
    [&AUTO].into_iter().chain(ALL.iter().map(|method| &method.description))
}

/// Makes the method that `spec` names.
pub fn from_spec(spec: &Spec) -> Result<Box<dyn Anonymizer>> {
    Method::from_spec(ALL.iter(), "method", spec)
}

/// Makes the method that `spec` names, or returns `None` for `auto`, which chooses a method only
/// when the problem is known.
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

/// The result of a method, with the method that found it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Solved {
    /// The method with its parameters.
    pub method: Spec,
    /// The checked partition.
    pub recoding: Recoding,
}

impl Solved {
    pub(crate) fn new(method: Spec, recoding: Recoding) -> Self {
        Self { method, recoding }
    }
}

/// Names of the methods that can stop at any time with the best result so far.
pub(crate) fn anytime() -> Vec<&'static str> {
    let is_anytime = |name: &&str| from_spec(&Spec::named(*name)).is_ok_and(|a| a.is_anytime());
    ALL.iter().map(|method| method.name).filter(is_anytime).collect()
}
