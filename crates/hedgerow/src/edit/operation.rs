//! The operations that change a hierarchy.

use serde::{Deserialize, Serialize};

use super::address::Address;
use super::patch::Patch;
use crate::method::Spec;

/// One change of a hierarchy.
///
/// In a script, an operation is an object whose `edit` names it:
///
/// ```json
/// {"edit": "rename", "node": "[32, 39]", "label": "thirties"}
/// {"edit": "move-cut", "from": "36", "to": "35"}
/// {"edit": "move", "node": "nurse", "below": "care"}
/// ```
///
/// Labels can be left out: a group of numbers or dates is then labelled with its interval, and a
/// group of words with a list of its values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Operation {
    /// Gives a group another label.
    Rename {
        /// The group.
        node: Address,
        /// The new label.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    /// Makes one group of sibling nodes. The children of groups become its children, and values
    /// become children themselves. Siblings that are all children of their parent are removed
    /// instead, because the merged group would be the parent.
    Merge {
        /// The siblings, two or more; those of numbers and dates must be adjacent.
        nodes: Vec<Address>,
        /// Label of the merged group.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    /// Splits a group of numbers or dates in two. Groups below it that have values on both sides
    /// are split too. The parts of the root become its children.
    SplitAt {
        /// The group.
        node: Address,
        /// The least number or date of the second part.
        at: String,
    },
    /// Moves children of a group of words to new groups next to it. The parts of the root become
    /// its children.
    SplitBy {
        /// The group, which keeps the children that no part has.
        node: Address,
        /// The new groups.
        groups: Vec<Part>,
    },
    /// Makes a node of words the last child of another group. Groups that this leaves without
    /// values are removed.
    Move {
        /// The value or group.
        node: Address,
        /// The group that gets it.
        below: Address,
    },
    /// Moves the boundary between two adjacent groups of numbers or dates. Groups below them end
    /// at the new boundary too.
    MoveCut {
        /// The least number or date of the second group.
        from: String,
        /// The new least number or date of the second group.
        to: String,
    },
    /// Inserts a new group between siblings and their parent.
    Insert {
        /// The siblings; those of numbers and dates must be adjacent.
        nodes: Vec<Address>,
        /// Label of the new group.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        label: Option<String>,
    },
    /// Removes a group. Its children become children of its parent.
    Remove {
        /// The group.
        node: Address,
    },
    /// Removes all groups below a group, so that values are its children.
    Prune {
        /// The group.
        node: Address,
    },
    /// Locks a node: the values below it are never generalized above it, as with a limit.
    Lock {
        /// The value or group.
        node: Address,
    },
    /// Removes a lock.
    Unlock {
        /// The value or group.
        node: Address,
    },
    /// States the meaning of a value, and builds the hierarchy of words again. Meanings of other
    /// values stay, but other edits are lost.
    SetSense {
        /// The value.
        value: String,
        /// The concept, such as `machinist.n.01`, several joined by `|`, or empty for a value that
        /// is to be a child of the root.
        sense: String,
    },
    /// Builds the groups below a node with a method.
    Regrow {
        /// The group.
        node: Address,
        /// The method that builds the hierarchy of its values, such as `otf`.
        method: Spec,
    },
    /// Takes back another operation. Only [`apply`](super::apply) makes it, for the tree that it
    /// returns; it is not part of scripts.
    #[serde(skip)]
    Restore(Patch),
}

/// Children of a group that become a group of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Label of the new group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The children.
    pub nodes: Vec<Address>,
}

impl Operation {
    /// Name of the operation, as in scripts.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rename { .. } => "rename",
            Self::Merge { .. } => "merge",
            Self::SplitAt { .. } => "split-at",
            Self::SplitBy { .. } => "split-by",
            Self::Move { .. } => "move",
            Self::MoveCut { .. } => "move-cut",
            Self::Insert { .. } => "insert",
            Self::Remove { .. } => "remove",
            Self::Prune { .. } => "prune",
            Self::Lock { .. } => "lock",
            Self::Unlock { .. } => "unlock",
            Self::SetSense { .. } => "set-sense",
            Self::Regrow { .. } => "regrow",
            Self::Restore(_) => "restore",
        }
    }
}
