//! Methods that build hierarchies: one trait, one registry, one file per method.

mod even;
pub mod numeric;
pub mod traversal;
#[cfg(feature = "wordnet")]
mod ontology;
mod categorical;
#[cfg_attr(not(feature = "wordnet"), path = "no_words.rs")]
mod words;
mod catalogue;
mod calendar;
mod free;
mod file;
mod asked;
mod shelf;

pub(crate) use asked::Change;
pub use asked::{Asked, EditedAsked};
pub use calendar::Calendar;
pub use catalogue::{Country, Icd10, UsState};
pub use categorical::{Basis, Frequency, Ordered, Prefix, Side};
pub use file::File;
pub use free::Free;
pub use numeric::*;
#[cfg(feature = "wordnet")]
pub use ontology::{gather, knowledge};
pub use shelf::Shelf;
pub use traversal::{Avl, Bst, Huffman, Key, Order, Walk, Walked, walked};
#[cfg(feature = "wordnet")]
pub(crate) use words::Constructor;
pub(crate) use words::Sources;
#[cfg(feature = "wordnet")]
pub use words::{Candidate, Constructed, Pins, Wordnet};
pub use words::{TakenFor, taken_for};

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Result;
use crate::error::Warning;
use crate::hierarchy::{Generalization, Hierarchy};
use crate::method::{Describe, Described, Description, Make, Method, Need, Spec, Validate};
use crate::table::{Column, Kind};

/// A method that decides how the values of a column may be generalized.
pub trait HierarchyBuilder: Describe + Validate + std::fmt::Debug + Send + Sync {
    /// Validates the parameters and builds the hierarchy of a column.
    fn build(&self, column: &Column) -> Result<Generalization> {
        self.validate()?;
        self.grow(column)
    }

    /// Builds the hierarchy of a column; the parameters must have been validated.
    fn grow(&self, column: &Column) -> Result<Generalization>;

    /// Returns an error if the parameters are wrong for every column. Conditions that depend on the
    /// column, such as whether cut points are numbers or dates, are checked by [`Self::grow`] only.
    fn check(&self) -> Result<()> {
        self.validate()
    }

    /// Uses `k`, the one required of the release, unless a parameter already set one.
    ///
    /// Returns whether the method depends on `k`.
    fn for_k(&mut self, _k: u64) -> bool {
        false
    }
}

/// Returns every method that builds hierarchies.
pub fn all() -> impl Iterator<Item = &'static Method<Make<dyn HierarchyBuilder>>> + Clone {
    let of_numbers = numeric::ALL.iter();
    let of_words = categorical::ALL.iter().chain(words::ALL).chain(catalogue::ALL);
    of_numbers.chain(DATES).chain(of_words).chain(traversal::ALL).chain(ANY_KIND)
}

/// Description of `auto`, which selects the method that loses least on a column.
pub(crate) const AUTO: Description = Description {
    name: "auto",
    about: "any kind: tries suitable methods on a sample and keeps what loses least (default)",
    reference: None,
    needs: &[],
    parameters: &[],
};

/// The methods for dates.
const DATES: &[Method<Make<dyn HierarchyBuilder>>] = &[method::<Calendar>()];

/// The methods for columns of any kind.
const ANY_KIND: &[Method<Make<dyn HierarchyBuilder>>] = &[method::<File>(), method::<Free>()];

/// Returns the registry entry of a method.
const fn method<B>() -> Method<Make<dyn HierarchyBuilder>>
where
    B: HierarchyBuilder + Described + Serialize + DeserializeOwned + 'static,
{
    Method::new(B::DESCRIPTION, |spec| Ok(Box::new(spec.read::<B>()?)))
}

/// Returns an error if `spec` cannot describe a hierarchy, independently of the column.
pub(crate) fn check(spec: &Spec) -> Result<()> {
    let chosen = as_method(spec.clone());
    if chosen.name == AUTO.name {
        return Ok(());
    }
    #[cfg(not(feature = "wordnet"))]
    words::check(&chosen)?;
    Method::from_spec(all(), "hierarchy method", &chosen)?.check()
}

/// Builds the hierarchy that `spec` describes.
///
/// Methods that depend on the `k` of the release use this `k` unless their parameters set another.
pub fn build(spec: &Spec, column: &Column, k: Option<u64>) -> Result<Generalization> {
    Ready::new(spec, k)?.build(column)
}

/// A method with all its parameters, ready to build hierarchies.
struct Ready {
    /// The method as it is recorded in the hierarchy, with the `k` that it uses.
    spec: Spec,
    builder: Box<dyn HierarchyBuilder>,
}

impl Ready {
    fn new(spec: &Spec, k: Option<u64>) -> Result<Self> {
        let mut spec = as_method(spec.clone());
        #[cfg(not(feature = "wordnet"))]
        words::check(&spec)?;
        let mut builder = Method::from_spec(all(), "hierarchy method", &spec)?;
        if let Some(k) = k
            && builder.for_k(k)
        {
            // Record the `k` that was used, so that the stored spec rebuilds the same tree.
            let k = toml::Value::Integer(k.try_into().unwrap_or(i64::MAX));
            spec.parameters.entry("k").or_insert(k);
        }
        Ok(Self { spec, builder })
    }

    fn build(self, column: &Column) -> Result<Generalization> {
        let Self { spec, builder } = self;
        let numbers = as_numbers(builder.description(), column);
        Ok(match builder.build(numbers.as_ref().unwrap_or(column))? {
            // A tree read from a file keeps the builder recorded in that file, if any.
            Generalization::Tree(tree) if spec.name != "file" => {
                Generalization::from(Arc::unwrap_or_clone(tree).built_by(spec))
            }
            Generalization::Levels(levels) if spec.name != "file" => {
                Generalization::Levels(Arc::new(Arc::unwrap_or_clone(levels).built_by(spec)))
            }
            other => other,
        })
    }
}

/// Returns a column of two whole numbers, which are read as categories, as numbers again if the
/// method needs numbers.
fn as_numbers(method: &Description, column: &Column) -> Option<Column> {
    let needs_numbers = method.needs.iter().any(|need| matches!(need, Need::Scale | Need::Numbers));
    let domain = &column.domain;
    let are_two = domain.values.kind() == Kind::Text && domain.len() == 2;
    (needs_numbers && are_two)
        .then(|| domain.as_numbers())
        .flatten()
        .map(|domain| Column { name: column.name.clone(), domain })
}

/// Turns a spec that is not a known method but looks like a path into a `file` spec.
pub(crate) fn as_method(spec: Spec) -> Spec {
    // Names of methods take precedence over files with the same name.
    let is_known = all().any(|method| method.name == spec.name);
    let path = spec.to_string();
    if is_known || !path.contains(['.', '/', '\\']) {
        return spec;
    }
    let mut file = Spec::named("file");
    file.parameters.insert("path".into(), path.into());
    file
}

/// Returns the methods that `auto` tries for a column, according to its kind.
///
/// The first is the best guess before anything is measured. Numbers get trees only: the intervals
/// of `free` can overlap, so the records of a release could not be counted by published value.
/// Dates get the calendar. Words can also get their hypernyms if WordNet knows their meaning.
pub fn candidates(column: &Column) -> Suited {
    let suited = |names: &[&str], why| Suited {
        methods: names.iter().map(|&name| Spec::named(name)).collect(),
        why,
    };
    let by_kind = |names: &[&str]| suited(names, "suits its kind");
    let kind = column.domain.values.kind();
    if let Some(name) = catalogue::suited(column) {
        let other = if kind == Kind::Code { "prefix" } else { "frequency" };
        return suited(&[name, other, "free"], "knows nearly all of its values");
    }
    if let Some(addresses) = categorical::addresses(column) {
        let mut candidates = by_kind(&["free"]);
        candidates.methods.insert(0, addresses);
        return candidates;
    }
    match kind {
        _ if column.domain.is_empty() => by_kind(&["free"]),
        Kind::Number => by_kind(&["least-loss", "iotf"]),
        Kind::Date => by_kind(&["calendar"]),
        // Codes and words without a known meaning can also do without a tree.
        Kind::Code => by_kind(&["prefix", "free"]),
        // Of two values, every method makes the same groups.
        Kind::Text if column.domain.len() <= 2 => by_kind(&["frequency"]),
        Kind::Text if words::are_sound(column) => by_kind(&["free", "frequency", "wordnet"]),
        Kind::Text => by_kind(&["free", "frequency"]),
    }
}

/// Whether a source of concepts is `wordnet`, a word for the built-in nouns, and not a file.
pub fn is_wordnet(source: &Path) -> bool {
    source == Path::new("wordnet")
}

/// Lists the values of a tree that the source of its groups does not know, or knows only in part.
pub fn doubts(tree: &Hierarchy) -> Vec<Warning> {
    catalogue::doubts(tree).into_iter().chain(words::doubts(tree)).collect()
}

/// The methods that may suit a column.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Suited {
    /// The methods, most promising first.
    pub methods: Vec<Spec>,
    /// Reason that the first method is promising.
    pub why: &'static str,
}
