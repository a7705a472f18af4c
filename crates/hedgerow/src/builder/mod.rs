//! Methods that build hierarchies: one trait, one registry, one file a method.

mod even;
pub mod numeric;
pub mod traversal;
#[cfg(feature = "wordnet")]
mod ontology;
mod categorical;
#[cfg_attr(not(feature = "wordnet"), path = "no_words.rs")]
mod words;
mod calendar;
mod free;
mod file;
mod asked;

pub use asked::Asked;
pub use calendar::Calendar;
pub use categorical::{Basis, Frequency, Ordered, Prefix, Side};
pub use file::File;
pub use free::Free;
pub use numeric::*;
#[cfg(feature = "wordnet")]
pub use ontology::{knowledge, with_knowledge};
pub use traversal::{Avl, Bst, Huffman, Key, Order, Walk};
pub use words::doubts;
#[cfg(feature = "wordnet")]
pub use words::{Candidate, Constructed, Constructor, Pins, Wordnet};

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Result;
use crate::hierarchy::Generalization;
use crate::method::{Describe, Described, Description, Make, Method, Spec, Validate};
use crate::table::{Column, Kind};

/// A method that decides how the values of a column may be generalized.
pub trait HierarchyBuilder: Describe + Validate + std::fmt::Debug + Send + Sync {
    /// Builds the hierarchy of a column, or says which parameter is outside its range.
    fn build(&self, column: &Column) -> Result<Generalization> {
        self.validate()?;
        self.grow(column)
    }

    /// Builds the hierarchy of a column, with parameters that were validated.
    fn grow(&self, column: &Column) -> Result<Generalization>;

    /// Takes note of the `k` that the release must have, unless a parameter said one; returns
    /// whether the method goes by it.
    fn for_k(&mut self, _k: u64) -> bool {
        false
    }
}

/// Every method that builds hierarchies.
pub fn all() -> impl Iterator<Item = &'static Method<Make<dyn HierarchyBuilder>>> + Clone {
    let of_numbers = numeric::ALL.iter();
    let of_words = categorical::ALL.iter().chain(words::ALL);
    of_numbers.chain(DATES).chain(of_words).chain(traversal::ALL).chain(ANY_KIND)
}

/// What `auto` says about itself: it stands for the method that loses least on a column.
pub const AUTO: Description = Description {
    name: "auto",
    about: "any kind: tries what suits the column on a sample and takes what loses least (default)",
    reference: None,
    needs: &[],
    parameters: &[],
};

/// The methods for dates.
const DATES: &[Method<Make<dyn HierarchyBuilder>>] = &[method::<Calendar>()];

/// The methods for columns of any kind.
const ANY_KIND: &[Method<Make<dyn HierarchyBuilder>>] = &[method::<File>(), method::<Free>()];

/// The line of a method in its registry.
const fn method<B>() -> Method<Make<dyn HierarchyBuilder>>
where
    B: HierarchyBuilder + Described + Serialize + DeserializeOwned + 'static,
{
    Method::new(B::DESCRIPTION, |spec| Ok(Box::new(spec.read::<B>()?)))
}

/// Builds what `spec` asks for. Methods that go by the `k` of the release take it from here unless
/// their parameters say another.
pub fn build(spec: &Spec, column: &Column, k: Option<u64>) -> Result<Generalization> {
    let mut chosen = as_method(spec.clone());
    #[cfg(not(feature = "wordnet"))]
    words::check(&chosen)?;
    let mut builder = Method::from_spec(all(), "hierarchy method", &chosen)?;
    if let Some(k) = k
        && builder.for_k(k)
    {
        let k = toml::Value::Integer(k.try_into().unwrap_or(i64::MAX));
        chosen.parameters.entry("k").or_insert(k);
    }
    Ok(match builder.build(column)? {
        // A file says itself how its tree was made, if it knows.
        Generalization::Tree(tree) if chosen.name != "file" => {
            Generalization::from(Arc::unwrap_or_clone(tree).built_by(chosen))
        }
        Generalization::Levels(levels) => {
            Generalization::Levels(Arc::new(Arc::unwrap_or_clone(levels).built_by(chosen)))
        }
        other => other,
    })
}

/// A spec that names no method but looks like a file is a file.
pub fn as_method(spec: Spec) -> Spec {
    let is_known = all().any(|method| method.name == spec.name);
    let path = spec.to_string();
    if is_known || !path.contains(['.', '/', '\\']) {
        return spec;
    }
    let mut file = Spec::named("file");
    file.parameters.insert("path".into(), path.into());
    file
}

/// The methods that `auto` may choose from for a column, by its kind; the first suits the kind
/// best before anything is measured.
///
/// Numbers get trees only: the intervals of `free` overlap, so that a release could not be counted by
/// them. Dates get the calendar, whose parts people know, and words of which WordNet knows most get
/// what is above them there: what a group says matters more than how many values it has.
pub fn candidates(column: &Column) -> Suited {
    let suited = |names: &[&str], why| Suited {
        methods: names.iter().map(|&name| Spec::named(name)).collect(),
        why,
    };
    let by_kind = |names: &[&str]| suited(names, "suits its kind");
    match column.domain.values.kind() {
        _ if column.domain.is_empty() => by_kind(&["free"]),
        Kind::Number => by_kind(&["iotf", "least-loss", "otf", "chu", "equal-frequency"]),
        Kind::Date => by_kind(&["calendar"]),
        Kind::Code => by_kind(&["prefix", "free"]),
        Kind::Text if words::are_known(column) => suited(&["wordnet"], "knows most of its values"),
        Kind::Text => by_kind(&["frequency", "free"]),
    }
}

/// The methods that may suit a column.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Suited {
    /// The methods, the likeliest first.
    pub methods: Vec<Spec>,
    /// Why the first is likely.
    pub why: &'static str,
}
