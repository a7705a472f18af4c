//! Generalizations that the values of a column can have: by a tree, by levels, or freely.

use std::borrow::Cow;
use std::sync::Arc;

use super::ground::Ground;
use super::labels::Labels;
use super::leaf::{Leaf, LeafRange};
use super::levels::Levels;
use super::node::{Entry, LevelFunction, Node};
use super::tree::Hierarchy;
use crate::error::Advice;
use crate::method::Spec;
use crate::table::{Domain, Missing, Values};
use crate::{Error, Result};

/// The generalizations that the values of a column can have.
#[derive(Debug, Clone, PartialEq)]
pub enum Generalization {
    /// To a node of a tree.
    Tree(Arc<Hierarchy>),
    /// To a group on a level. Levels need not be nested.
    Levels(Arc<Levels>),
    /// To any interval of the column's numbers or dates.
    Interval(Values),
    /// To any set of the column's values.
    Set(Values),
    /// To one of these labels, which were fixed before. No method searches among them.
    Fixed(Arc<Labels>),
}

impl Generalization {
    /// Returns the tree, or `None` if this is not a tree.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        match self {
            Self::Tree(tree) => Some(tree),
            Self::Levels(_) | Self::Interval(_) | Self::Set(_) | Self::Fixed(_) => None,
        }
    }

    /// Returns the leaves of a tree or of levels, or `None` for free generalizations.
    pub fn ground(&self) -> Option<&Ground> {
        match self {
            Self::Tree(tree) => Some(tree.ground()),
            Self::Levels(levels) => Some(levels.ground()),
            Self::Interval(_) | Self::Set(_) | Self::Fixed(_) => None,
        }
    }

    /// Adds a leaf for missing values, which shares only the root with other leaves.
    #[must_use]
    pub(crate) fn with_missing(self, label: &str, count: u64) -> Self {
        match self {
            Self::Tree(tree) => Arc::unwrap_or_clone(tree).with_missing(label, count).into(),
            Self::Levels(levels) => Self::Levels(Arc::new(levels.with_missing(label, count))),
            // Free generalizations are made from the values of a class, so they need no leaf in
            // advance.
            free @ (Self::Interval(_) | Self::Set(_) | Self::Fixed(_)) => free,
        }
    }

    /// Adds a leaf for the missing values of a column, if they are a value of their own and have no
    /// leaf yet.
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

    /// Returns the root of a tree, or the last group of levels.
    pub fn root(&self) -> Option<Entry> {
        match self {
            Self::Tree(_) => Some(Node::ROOT.into()),
            Self::Levels(levels) => Some(levels.root().into()),
            Self::Interval(_) | Self::Set(_) | Self::Fixed(_) => None,
        }
    }

    /// Returns the leaves of a node of a tree or of a group of a level.
    pub(crate) fn leaves_of(&self, entry: Entry) -> LeafRange {
        match self {
            Self::Tree(tree) => tree.leaves_of(entry.node()),
            Self::Levels(levels) => levels.leaves_of(entry.group()),
            Self::Interval(_) | Self::Set(_) | Self::Fixed(_) => Leaf::first(0),
        }
    }

    /// Returns the published text of a node of a tree or of a group of a level.
    pub(crate) fn published(&self, entry: Entry) -> Cow<'_, str> {
        match self {
            Self::Tree(tree) => tree.published(entry.node()),
            Self::Levels(levels) => levels.published(entry.group()),
            Self::Interval(_) | Self::Set(_) | Self::Fixed(_) => Cow::Borrowed("*"),
        }
    }

    /// Returns the cost of each node of a tree or of each group of a level.
    pub fn costs(&self) -> Arc<[f64]> {
        match self {
            Self::Tree(tree) => tree.costs().into(),
            Self::Levels(levels) => levels.costs().into(),
            Self::Interval(_) | Self::Set(_) | Self::Fixed(_) => Arc::new([]),
        }
    }

    /// Returns the builder's name and parameters as users write them, `file` if unknown, or `free`.
    pub fn method(&self) -> String {
        match self.ground() {
            Some(ground) => ground.builder().map_or("file".to_owned(), Spec::to_string),
            None if matches!(self, Self::Fixed(_)) => "recipe".to_owned(),
            None => "free".to_owned(),
        }
    }

    /// Returns the node or group of each leaf on each level, or `None` for free generalizations.
    /// Those of a tree are described at [`Hierarchy::levels`].
    pub fn levels(&self) -> Option<LevelFunction> {
        match self {
            Self::Tree(tree) => Some(tree.levels().of_entries()),
            Self::Levels(levels) => Some(levels.levels().of_entries()),
            Self::Interval(_) | Self::Set(_) | Self::Fixed(_) => None,
        }
    }

    /// Number of levels, including that of the values; 0 for free generalizations.
    pub fn n_levels(&self) -> u32 {
        match self {
            Self::Tree(tree) => tree.height() + 1,
            Self::Levels(levels) => levels.n_levels(),
            Self::Interval(_) | Self::Set(_) | Self::Fixed(_) => 0,
        }
    }

    /// The values that can be generalized.
    pub fn values(&self) -> &Values {
        match self {
            Self::Tree(tree) => tree.leaves(),
            Self::Levels(levels) => levels.values(),
            Self::Interval(values) | Self::Set(values) => values,
            Self::Fixed(labels) => labels.values(),
        }
    }
}

impl From<Hierarchy> for Generalization {
    fn from(tree: Hierarchy) -> Self {
        Self::Tree(Arc::new(tree))
    }
}

/// Returns the tree, or an error that explains why there is none.
pub fn tree_of(generalization: Generalization) -> Result<Hierarchy> {
    match generalization {
        Generalization::Tree(tree) => Ok(Arc::unwrap_or_clone(tree)),
        Generalization::Levels(_) => Err(Error::invalid(
            "the levels of this hierarchy are not nested, so it is not a tree, and formats other than .json need a tree",
        )
        .advise([Advice::words("choose nested=true to keep only levels that are nested")])),
        Generalization::Interval(_) | Generalization::Set(_) | Generalization::Fixed(_) => {
            let problem = "generalizes each class separately, so it has no tree to show or save";
            Err(Error::method("free", problem).advise([
                Advice::words("choose another hierarchy method"),
                Advice::words(
                    "for words, write a hierarchy file with one line per value: nurse;care;*",
                ),
            ]))
        }
    }
}
