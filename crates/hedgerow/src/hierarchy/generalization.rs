//! How the values of a column may be generalized: by a tree, by levels, or freely.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::ground::Ground;
use super::levels::Levels;
use super::node::{LevelFunction, Node};
use super::tree::Hierarchy;
use crate::error::Advice;
use crate::method::Spec;
use crate::table::{Domain, Missing, Values};
use crate::{Error, Result};

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
    pub(crate) fn with_missing(self, label: &str, count: u64) -> Self {
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

impl From<Hierarchy> for Generalization {
    fn from(tree: Hierarchy) -> Self {
        Self::Tree(Arc::new(tree))
    }
}

/// The error of a builder that only makes trees.
pub fn tree_of(generalization: Generalization) -> Result<Hierarchy> {
    match generalization {
        Generalization::Tree(tree) => Ok(Arc::unwrap_or_clone(tree)),
        Generalization::Levels(_) => Err(Error::invalid(
            "the levels of this hierarchy are not nested, so it is not a tree that a file can hold",
        )
        .advise([Advice::words("choose nested=true to keep only levels that are nested")])),
        Generalization::Interval(_) | Generalization::Set(_) => {
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
