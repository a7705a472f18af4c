//! Generalization hierarchies: the tree, the methods that build one, and the files that hold one.

mod gaps;
mod tree;
mod notation;
mod draft;
mod assemble;
pub mod numeric;
mod free;
mod file;
pub mod format;
pub mod draw;
pub mod lint;

pub use draft::Draft;
pub use file::File;
pub use free::Free;
pub use notation::{Notation, write_set};
pub use numeric::*;
pub use tree::{Hierarchy, Leaves, Node};

use std::path::Path;
use std::sync::Arc;

use crate::method::{Method, Spec};
use crate::table::{Column, Kind, Values};
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
    numeric::ALL.iter().chain(ANY_KIND)
}

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
            Self::Interval(_) | Self::Set(_) => None,
        }
    }
}

impl From<Hierarchy> for Generalization {
    fn from(tree: Hierarchy) -> Self {
        Self::Tree(Arc::new(tree))
    }
}

/// Builds what `spec` asks for; without one, what suits the column's kind. Methods that go by the
/// `k` of the release take it from here unless their parameters say another.
pub fn build(spec: Option<&Spec>, column: &Column, k: Option<u64>) -> Result<Generalization> {
    let chosen = match spec {
        Some(spec) if spec.name != "auto" => spec.clone(),
        _ => Spec::named(default_method(column)),
    };
    let mut chosen = as_method(chosen);
    let mut builder = Method::from_spec(all(), "hierarchy method", &chosen)?;
    if let Some(k) = k
        && builder.for_k(k)
    {
        let k = toml::Value::Integer(k.try_into().unwrap_or(i64::MAX));
        chosen.parameters.entry("k").or_insert(k);
    }
    Ok(match builder.build(column)? {
        Generalization::Tree(tree) if tree.builder().is_none() => {
            Generalization::from(Arc::unwrap_or_clone(tree).built_by(chosen))
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
    let mut spec = as_method(spec.clone());
    if spec.name == "file"
        && let Some(toml::Value::String(path)) = spec.parameters.get_mut("path")
    {
        *path = directory.join(&*path).to_string_lossy().into_owned();
    }
    spec
}

fn default_method(column: &Column) -> &'static str {
    match column.domain.values.kind() {
        Kind::Number | Kind::Date if !column.domain.is_empty() => "iotf",
        _ => "free",
    }
}

/// The error of a builder that only makes trees.
pub fn tree_of(generalization: Generalization) -> Result<Hierarchy> {
    match generalization {
        Generalization::Tree(tree) => Ok(Arc::unwrap_or_clone(tree)),
        Generalization::Interval(_) | Generalization::Set(_) => Err(Error::invalid(
            "method 'free' decides for each class anew and has no tree to show or save; choose another \
             method, or for words write a hierarchy file (one line a value: nurse;care;*)",
        )),
    }
}
