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
pub use choose::{Chosen, choose};
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

use crate::loss::Choice;
use crate::method::{Method, Spec};
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::Proposal;
use crate::recoding::Recoding;
use crate::{Error, Result};

/// A method that divides records into classes which meet the privacy models of a problem.
///
/// It only proposes: [`Problem::solve`] asks it, mends what is not private yet, and checks the result.
pub trait Anonymizer: std::fmt::Debug + Send + Sync {
    /// The method's name as users write it.
    fn name(&self) -> &'static str;

    /// Finds a partition. Its classes may still fail, as long as they can be put together or
    /// suppressed.
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal>;

    /// Why the method cannot take a problem, if it cannot; it is then not asked to.
    fn obstacle(&self, _problem: &Problem) -> Option<String> {
        None
    }

    /// Whether the method asks for the cohort of every row, not only for cohorts.
    fn needs_rows(&self) -> bool {
        false
    }

    /// Whether every column must have a hierarchy with levels.
    fn needs_levels(&self) -> bool {
        false
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
pub const ALL: &[Method<dyn Anonymizer>] = &[
    Method {
        name: "hedge",
        about: "classes merged and mended by loss: local recoding, least loss, any hierarchy",
        make: |spec| Ok(Box::new(spec.read::<Hedge>()?)),
    },
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
        name: "local",
        about: "levels of least loss, and again for what they suppress: local recoding",
        make: |spec| Ok(Box::new(spec.read::<Local>()?.checked()?)),
    },
    Method {
        name: "optimal",
        about: "full-domain: the levels of least loss (loss=ntil|dm|..., budget=NODES)",
        make: |spec| Ok(Box::new(spec.read::<Optimal>()?.checked()?)),
    },
    Method {
        name: "incognito",
        about: "full-domain: all minimal levels, the ones of least loss taken (pick=ntil|dm|...)",
        make: |spec| Ok(Box::new(spec.read::<Incognito>()?)),
    },
    Method {
        name: "samarati",
        about: "full-domain: levels of least height",
        make: |spec| Ok(Box::new(spec.plain(Samarati)?)),
    },
    Method {
        name: "datafly",
        about: "full-domain: the attribute of most values first; fast, not minimal (threshold=RECORDS)",
        make: |spec| Ok(Box::new(spec.read::<Datafly>()?)),
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
    Method {
        name: "genetic",
        about: "cuts of all hierarchies that compete, cross and mutate: global recoding",
        make: |spec| Ok(Box::new(spec.read::<Genetic>()?.checked()?)),
    },
    Method {
        name: "mu-argus",
        about: "suppresses cells until no combination of two or three values is rare",
        make: |spec| Ok(Box::new(spec.read::<MuArgus>()?.checked()?)),
    },
    Method {
        name: "traversal",
        about: "sets of values along a walk of a tree, for one quasi-identifier",
        make: |spec| Ok(Box::new(spec.read::<Traversal>()?)),
    },
];

/// The method that `spec` names.
pub fn from_spec(spec: &Spec) -> Result<Box<dyn Anonymizer>> {
    Method::from_spec(ALL.iter(), "method", spec)
}

/// The method that `spec` names; none for `auto`, which chooses once it knows the problem.
pub fn named(spec: &Spec) -> Result<Option<Box<dyn Anonymizer>>> {
    if spec.name == "auto" {
        return Ok(None);
    }
    if ALL.iter().all(|method| method.name != spec.name) {
        return Err(Error::unknown("method", &spec.name, names()));
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
        Err(Error::Unreachable(message)) => {
            let other = choose::instead(&method, problem, progress);
            stop_if_cancelled(progress)?;
            let other = other.map_or_else(String::new, |other| format!("; --method {other} can"));
            return Err(Error::Unreachable(message + &other));
        }
        solved => solved?,
    };
    recoding.put_first(why);
    Ok(Solved { method, recoding })
}

/// The methods that take a parameter, `auto` among them; `value` is one that suits the parameter.
pub fn taking(parameter: &str, value: &str) -> Vec<&'static str> {
    let parameters = toml::Table::from_iter([(parameter.to_owned(), value.into())]);
    let takes = |name: &&str| {
        let spec = Spec { name: (*name).to_owned(), parameters: parameters.clone() };
        if *name == "auto" { choose::check(&spec).is_ok() } else { from_spec(&spec).is_ok() }
    };
    names().filter(takes).collect()
}

/// What users may write for a method.
fn names() -> impl Iterator<Item = &'static str> {
    ["auto"].into_iter().chain(ALL.iter().map(|method| method.name))
}

/// The methods that can end at any time with the best they have.
pub(crate) fn anytime() -> Vec<&'static str> {
    let is_anytime = |name: &&str| from_spec(&Spec::named(*name)).is_ok_and(|a| a.is_anytime());
    ALL.iter().map(|method| method.name).filter(is_anytime).collect()
}
