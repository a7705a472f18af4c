//! Generalization hierarchies: the tree, the methods that build one, and the files that hold one.

mod gaps;
mod ground;
mod tree;
mod levels;
mod period;
mod notation;
mod ends;
mod spelt;
mod rare;
mod draft;
mod assemble;
mod even;
pub mod numeric;
pub mod traversal;
mod words;
mod calendar;
mod categorical;
mod free;
mod file;
pub mod format;
pub mod draw;
pub mod lint;
mod ontology;
mod origin;

pub use calendar::Calendar;
pub use categorical::{Basis, Frequency, Ordered, Prefix, Side};
pub use draft::Draft;
pub(crate) use ends::End;
pub use file::File;
pub use free::Free;
pub use ground::{Ground, Leaves};
pub use levels::{Group, Levels};
pub(crate) use notation::write_partial_set;
pub use notation::{Notation, write_set};
pub use numeric::*;
pub use ontology::{knowledge, with_knowledge};
pub use origin::Origin;
pub(crate) use rare::Rare;
pub use rare::RareValues;
pub(crate) use spelt::Spelt;
pub use traversal::{Avl, Bst, Huffman, Key, Order};
pub use tree::{Hierarchy, Node};
pub use words::{Candidate, Constructed, Constructor, Pins, Wordnet, doubts};

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::method::{Method, Spec};
use crate::table::{Column, Domain, Kind, Missing, Values};
use crate::{Error, Result};

/// A method that decides how the values of a column may be generalized.
pub trait HierarchyBuilder: std::fmt::Debug + Send + Sync {
    /// Builds the hierarchy of a column.
    fn build(&self, column: &Column) -> Result<Generalization>;

    /// Takes note of the `k` that the release must have, unless a parameter said one; returns
    /// whether the method goes by it.
    fn for_k(&mut self, _k: u64) -> bool {
        false
    }
}

/// Every method that builds hierarchies.
pub fn all() -> impl Iterator<Item = &'static Method<dyn HierarchyBuilder>> + Clone {
    let of_numbers = numeric::ALL.iter();
    let of_words = categorical::ALL.iter().chain(words::ALL);
    of_numbers.chain(DATES).chain(of_words).chain(traversal::ALL).chain(ANY_KIND)
}

/// The methods for dates.
const DATES: &[Method<dyn HierarchyBuilder>] = &[Method {
    name: "calendar",
    about: "dates: day, month, quarter, year, decade",
    make: |spec| Ok(Box::new(spec.read::<Calendar>()?)),
}];

/// The methods that do not ask for numbers.
const ANY_KIND: &[Method<dyn HierarchyBuilder>] = &[
    Method {
        name: "file",
        about: "any kind: a hierarchy from a file",
        make: |spec| Ok(Box::new(spec.read::<File>()?)),
    },
    Method {
        name: "free",
        about: "any kind: no tree; the interval or set of whatever a class holds",
        make: |spec| Ok(Box::new(spec.plain(Free)?)),
    },
];

/// How the values of a column may be generalized.
#[derive(Debug, Clone, PartialEq)]
pub enum Generalization {
    /// To a node of a tree.
    Tree(Arc<Hierarchy>),
    /// To a group on a level; levels need not be nested.
    Levels(Arc<Levels>),
    /// To any interval of its numbers or dates.
    Interval(Values),
    /// To any set of its values.
    Set(Values),
}

impl Generalization {
    /// The tree, where there is one.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        match self {
            Self::Tree(tree) => Some(tree),
            Self::Levels(_) | Self::Interval(_) | Self::Set(_) => None,
        }
    }

    /// The leaves of a tree or of levels.
    pub fn ground(&self) -> Option<&Ground> {
        match self {
            Self::Tree(tree) => Some(tree.ground()),
            Self::Levels(levels) => Some(levels.ground()),
            Self::Interval(_) | Self::Set(_) => None,
        }
    }

    /// The same with a leaf for missing values, which only the root holds together with others.
    #[must_use]
    pub fn with_missing(self, label: &str, count: u64) -> Self {
        match self {
            Self::Tree(tree) => Arc::unwrap_or_clone(tree).with_missing(label, count).into(),
            Self::Levels(levels) => Self::Levels(Arc::new(levels.with_missing(label, count))),
            free @ (Self::Interval(_) | Self::Set(_)) => free,
        }
    }

    /// The same for a column whose missing values, if they are a value of their own, need a leaf.
    #[must_use]
    pub(crate) fn with_missing_of(self, domain: &Domain) -> Self {
        let is_there = |missing: &Missing| {
            self.ground().is_none_or(|ground| ground.leaf_spelt(&missing.spelling).is_some())
        };
        match domain.missing.as_ref().filter(|missing| missing.is_value) {
            Some(missing) if !is_there(missing) => {
                self.with_missing(&missing.spelling, missing.count)
            }
            _ => self,
        }
    }

    /// The root of a tree, or the last group of levels.
    pub fn root(&self) -> Option<Node> {
        match self {
            Self::Tree(_) => Some(0),
            Self::Levels(levels) => Some(levels.root()),
            Self::Interval(_) | Self::Set(_) => None,
        }
    }

    /// The leaves of a node of a tree or a group of a level.
    pub(crate) fn leaves_of(&self, node: Node) -> Range<u32> {
        match self {
            Self::Tree(tree) => tree.leaves_of(node),
            Self::Levels(levels) => levels.leaves_of(node),
            Self::Interval(_) | Self::Set(_) => 0..0,
        }
    }

    /// What a release shows for a node of a tree or a group of a level.
    pub(crate) fn published(&self, node: Node) -> Cow<'_, str> {
        match self {
            Self::Tree(tree) => tree.published(node),
            Self::Levels(levels) => levels.published(node),
            Self::Interval(_) | Self::Set(_) => Cow::Borrowed("*"),
        }
    }

    /// The cost of each node of a tree or group of a level.
    pub fn costs(&self) -> Arc<[f64]> {
        match self {
            Self::Tree(tree) => tree.costs().into(),
            Self::Levels(levels) => levels.costs().into(),
            Self::Interval(_) | Self::Set(_) => Arc::new([]),
        }
    }

    /// The method that made it, as users write it.
    pub fn method(&self) -> String {
        match self.ground() {
            Some(ground) => ground.builder().map_or("file".to_owned(), Spec::to_string),
            None => "free".to_owned(),
        }
    }

    /// What stands for each leaf on each level, where there are levels: a tree's are those of
    /// [`Hierarchy::levels`].
    pub fn levels(&self) -> Option<LevelFunction> {
        match self {
            Self::Tree(tree) => Some(tree.levels()),
            Self::Levels(levels) => Some(levels.levels()),
            Self::Interval(_) | Self::Set(_) => None,
        }
    }

    /// How many levels there are, that of the values included; none without a hierarchy.
    pub fn n_levels(&self) -> u32 {
        match self {
            Self::Tree(tree) => tree.height() + 1,
            Self::Levels(levels) => levels.n_levels(),
            Self::Interval(_) | Self::Set(_) => 0,
        }
    }

    /// The values that are generalized.
    pub fn values(&self) -> &Values {
        match self {
            Self::Tree(tree) => tree.leaves(),
            Self::Levels(levels) => levels.values(),
            Self::Interval(values) | Self::Set(values) => values,
        }
    }
}

/// The levels of a hierarchy as full-domain methods see them.
#[derive(Debug, Clone)]
pub struct LevelFunction {
    /// The node or group of each leaf, level by level; level 0 are the leaves.
    pub nodes: Vec<Vec<Node>>,
    /// How far each node or group is from the values themselves.
    pub distortions: Vec<f64>,
    /// Whether every level is nested in the next, so that what a level groups stays together.
    pub is_nested: bool,
}

impl From<Hierarchy> for Generalization {
    fn from(tree: Hierarchy) -> Self {
        Self::Tree(Arc::new(tree))
    }
}

/// Builds what `spec` asks for. Methods that go by the `k` of the release take it from here unless
/// their parameters say another.
pub fn build(spec: &Spec, column: &Column, k: Option<u64>) -> Result<Generalization> {
    let mut chosen = as_method(spec.clone());
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
fn as_method(spec: Spec) -> Spec {
    let is_known = all().any(|method| method.name == spec.name);
    let path = spec.to_string();
    if is_known || !path.contains(['.', '/', '\\']) {
        return spec;
    }
    let mut file = Spec::named("file");
    file.parameters.insert("path".into(), path.into());
    file
}

/// A spec whose file, if it names one, is found from a directory.
pub fn from_directory(spec: &Spec, directory: &Path) -> Spec {
    as_method(spec.clone()).in_directory(directory)
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
pub struct Suited {
    /// The methods, the likeliest first.
    pub methods: Vec<Spec>,
    /// Why the first is likely.
    pub why: &'static str,
}

/// The error of a builder that only makes trees.
pub fn tree_of(generalization: Generalization) -> Result<Hierarchy> {
    match generalization {
        Generalization::Tree(tree) => Ok(Arc::unwrap_or_clone(tree)),
        Generalization::Levels(_) => Err(Error::invalid(
            "the levels of this hierarchy are not nested, so it is no tree that a file could hold; \
             say nested=true to keep only levels that are",
        )),
        Generalization::Interval(_) | Generalization::Set(_) => Err(Error::invalid(
            "method 'free' decides for each class anew and has no tree to show or save; choose another \
             method, or for words write a hierarchy file (one line a value: nurse;care;*)",
        )),
    }
}
