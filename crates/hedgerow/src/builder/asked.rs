//! The hierarchy requested for a column: one to be built, or one already in memory.

use std::sync::Arc;

use crate::Result;
use crate::hierarchy::{Generalization, Hierarchy};
use crate::method::Spec;
use crate::table::Column;

use super::{Sources, build};

/// The way in which a column is to be generalized.
///
/// ```
/// use hedgerow::builder::Asked;
/// use hedgerow::hierarchy::{Hierarchy, Leaves};
/// use hedgerow::method::Spec;
/// let by_method = Asked::from(Spec::named("iotf"));
/// let from_file = Asked::from("age.json".parse::<Spec>()?);
/// assert_ne!(by_method, from_file);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Asked {
    /// With the hierarchy that a method builds or that a file contains; `auto` chooses a method.
    Method(Spec),
    /// With a hierarchy in memory, which must contain every value of the column.
    Given(Generalization),
    /// With the hierarchy that a method builds, after edits.
    Edited(EditedAsked),
}

/// A method, and a change of the hierarchies that it builds.
#[derive(Debug, Clone)]
pub struct EditedAsked {
    /// The method.
    pub(crate) method: Spec,
    /// The change.
    pub(crate) change: Arc<dyn Change>,
}

/// A change of a hierarchy after it was built.
pub(crate) trait Change: std::fmt::Debug + Send + Sync {
    /// Returns the changed hierarchy.
    fn change(&self, built: Generalization) -> Result<Generalization>;
}

impl PartialEq for EditedAsked {
    fn eq(&self, other: &Self) -> bool {
        // Two changes of the same description are not compared further.
        self.method == other.method && Arc::ptr_eq(&self.change, &other.change)
    }
}

impl EditedAsked {
    /// Builds the hierarchy and changes it.
    pub(super) fn build(&self, column: &Column, k: Option<u64>) -> Result<Generalization> {
        let changed = self.change.change(build(&self.method, column, k)?)?;
        if let Some(ground) = changed.ground() {
            ground.bind(&column.domain)?;
        }
        Ok(changed)
    }
}

impl Asked {
    /// Returns the same request with sources of concepts, if it is for a tree of words that names
    /// none.
    pub(crate) fn with_sources(&self, sources: &Sources) -> Option<Self> {
        match self {
            Self::Method(spec) => sources.given_to(spec).map(Self::Method),
            Self::Edited(edited) => {
                let method = sources.given_to(&edited.method)?;
                Some(Self::Edited(EditedAsked { method, ..edited.clone() }))
            }
            Self::Given(_) => None,
        }
    }

    /// Builds the hierarchy for a column.
    ///
    /// Methods that depend on the `k` of the release use this `k` unless their parameters set
    /// another.
    pub fn build(&self, column: &Column, k: Option<u64>) -> Result<Generalization> {
        match self {
            Self::Method(spec) => build(spec, column, k),
            Self::Given(generalization) => Ok(generalization.clone()),
            Self::Edited(edited) => edited.build(column, k),
        }
    }

    /// Returns the method if it is `auto`.
    pub(crate) fn as_auto(&self) -> Option<&Spec> {
        match self {
            Self::Method(spec) if spec.name == "auto" => Some(spec),
            _ => None,
        }
    }
}

impl From<Spec> for Asked {
    fn from(spec: Spec) -> Self {
        Self::Method(spec)
    }
}

impl From<Generalization> for Asked {
    fn from(generalization: Generalization) -> Self {
        Self::Given(generalization)
    }
}

impl From<Hierarchy> for Asked {
    fn from(tree: Hierarchy) -> Self {
        Self::Given(tree.into())
    }
}
