//! Addresses of nodes in operations, which stay valid after other edits.

use serde::{Deserialize, Serialize};

use crate::error::{Advice, did_you_mean};
use crate::hierarchy::{Hierarchy, Leaf, Node};
use crate::noun::listed;
use crate::{Error, Result};

/// Names a node of a hierarchy by its label or by values that it covers.
///
/// Numbers of nodes shift with every edit, so they are not used. A label is enough if only one node
/// has it. Values are always enough: they name the lowest node that covers all of them, and `up`
/// counts the nodes above it, for nodes that cover the same values as their only child.
///
/// In a script, an address is a text or an object:
///
/// ```json
/// "[32, 39]"
/// {"covers": ["32", "39"]}
/// {"covers": ["nurse"], "up": 1}
/// ```
///
/// # Examples
///
/// ```
/// use hedgerow::edit::Address;
/// use hedgerow::format::Format;
/// let tree = Format::named("hrc")?.read("*\n@care\n@@nurse\n@@surgeon\n@pianist\n", None)?;
/// let by_label = Address::from("care").find(&tree)?;
/// assert_eq!(Address::covering(["nurse", "surgeon"]).find(&tree)?, by_label);
/// assert_eq!(Address::of(&tree, by_label), Address::covering(["nurse", "surgeon"]));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a node is a label, or an object with covers and perhaps up")]
pub enum Address {
    /// The only node with this label.
    Label(String),
    /// The lowest node that covers some values, or a node above it.
    Covers(Covers),
}

/// Values that a node covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covers {
    /// Some values that the node covers; the least and the greatest are enough.
    pub covers: Vec<String>,
    /// Number of nodes above the lowest one that covers these values.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub up: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference to the field")]
fn is_zero(up: &u32) -> bool {
    *up == 0
}

impl From<&str> for Address {
    fn from(label: &str) -> Self {
        Self::Label(label.to_owned())
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Label(label) => write!(f, "'{label}'"),
            Self::Covers(Covers { covers, up: 0 }) => {
                write!(f, "the lowest node with {}", listed(covers))
            }
            Self::Covers(Covers { covers, up }) => {
                write!(f, "the node {up} above the lowest one with {}", listed(covers))
            }
        }
    }
}

impl Address {
    /// The lowest node that covers some values.
    pub fn covering<V: Into<String>>(values: impl IntoIterator<Item = V>) -> Self {
        Self::Covers(Covers { covers: values.into_iter().map(Into::into).collect(), up: 0 })
    }

    /// Returns an address that no other node of the tree has: the first and the last value below
    /// the node.
    pub fn of(tree: &Hierarchy, node: Node) -> Self {
        let leaves = tree.leaves_of(node);
        let (first, last) = (leaves.start, leaves.greatest());
        let mut covers = vec![tree.spelling(first).into_owned()];
        covers.extend((first != last).then(|| tree.spelling(last).into_owned()));
        // Nodes with the same leaves form a chain of only children, which `up` climbs.
        let mut up = 0;
        let mut lowest = tree.lowest_common_ancestor(first, last);
        while let Some(parent) = tree.parent(lowest).filter(|_| lowest != node) {
            lowest = parent;
            up += 1;
        }
        Self::Covers(Covers { covers, up })
    }

    /// Returns the node.
    ///
    /// # Errors
    ///
    /// [`Error::Value`] if no node has the address, or several nodes have the label.
    pub fn find(&self, tree: &Hierarchy) -> Result<Node> {
        match self {
            Self::Label(label) => labelled(tree, label),
            Self::Covers(Covers { covers, up }) => covering(tree, covers, *up),
        }
    }
}

/// Returns the only node with a label.
fn labelled(tree: &Hierarchy, label: &str) -> Result<Node> {
    // Users may have the label from the file or from a release.
    let is_called = |&node: &Node| tree.label(node) == label || tree.published(node) == label;
    let mut called = tree.nodes().filter(is_called);
    let Some(first) = called.next() else {
        let labels: Vec<String> = tree.nodes().map(|node| tree.label(node).into()).collect();
        let near = did_you_mean(label, labels.iter().map(String::as_str));
        let problem = format!("is not a value or group{near}");
        let choose = near.is_empty().then(|| format!("choose from {}", listed(&labels)));
        return Err(
            Error::value(tree.attribute(), label, None, problem).advise(choose.map(Advice::words))
        );
    };
    match called.count() {
        0 => Ok(first),
        more => {
            let problem = format!("is the label of {} nodes", more + 1);
            let name = serde_json::to_string(&Address::of(tree, first)).unwrap_or_default();
            let advice = format!("name the node by its values, for example {name}");
            Err(Error::value(tree.attribute(), label, None, problem)
                .advise([Advice::words(advice)]))
        }
    }
}

/// Returns the node `up` above the lowest one that covers some values.
fn covering(tree: &Hierarchy, values: &[String], up: u32) -> Result<Node> {
    let leaves: Vec<Leaf> =
        values.iter().map(|value| leaf_of(tree, value)).collect::<Result<_>>()?;
    let Some((&first, &last)) = leaves.iter().min().zip(leaves.iter().max()) else {
        return Err(Error::column(tree.attribute(), "a node is named by no values")
            .advise([Advice::words("list one or more values in 'covers'")]));
    };
    // Leaves of a node are adjacent, so a node with the first and the last one has all.
    let mut node = tree.lowest_common_ancestor(first, last);
    for step in 0..up {
        node = tree.parent(node).ok_or_else(|| {
            let problem = format!("the root is {step} above the lowest node with these values");
            Error::value(
                tree.attribute(),
                listed(values),
                None,
                format!("is named with up {up}, but {problem}"),
            )
        })?;
    }
    Ok(node)
}

/// Returns the leaf of a value, which can be spelt differently if it is a number or a date.
pub(super) fn leaf_of(tree: &Hierarchy, value: &str) -> Result<Leaf> {
    let values = tree.leaves();
    // `1.0` and `1` are the same leaf of a column of numbers.
    let by_size = || values.scale()?.place_of(values.read(value)?).map(Leaf::new);
    by_size().or_else(|| tree.ground().leaf_spelt(value)).ok_or_else(|| {
        let spelt: Vec<_> = Leaf::first(tree.n_leaves()).map(|leaf| tree.spelling(leaf)).collect();
        let near = did_you_mean(value, spelt.iter().map(AsRef::as_ref));
        Error::value(
            tree.attribute(),
            value,
            None,
            format!("is not a value of the hierarchy{near}"),
        )
    })
}
