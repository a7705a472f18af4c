//! Caps: limits on how far values can be generalized (constrained k-anonymity).

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::Attribute;
use crate::error::{Advice, did_you_mean};
use crate::hierarchy::{Generalization, Hierarchy, Leaf, LevelFunction, Node};
use crate::noun::listed;
use crate::table::{Cohort, Cohorts};
use crate::{Error, Result};

/// For each attribute with a cap, the highest node that each of its leaves can be generalized to.
///
/// # References
///
/// \[Miller2008\] J. Miller, A. Campan, T. M. Truta: Constrained k-Anonymity: Privacy with
/// Generalization Boundaries, SDM workshop on practical privacy-preserving data mining, 2008;
/// METHODS 6.9.
#[derive(Debug, Clone, Default)]
pub(super) struct Caps(Vec<Option<Vec<Node>>>);

impl Caps {
    /// Builds the caps from labels of nodes by column and from the locks of hierarchies; a value
    /// below none of these nodes has no cap.
    pub(super) fn new(
        attributes: &[Attribute],
        asked: &BTreeMap<String, Vec<String>>,
    ) -> Result<Self> {
        if let Some(name) = asked.keys().find(|name| attributes.iter().all(|a| a.name() != **name))
        {
            return Err(not_limited(name));
        }
        let of_attribute = |attribute: &Attribute| {
            let labels = asked.get(attribute.name()).map_or(&[][..], Vec::as_slice);
            let tree = attribute.known_generalization().hierarchy();
            let is_locked = tree.is_some_and(|tree| !tree.locks().is_empty());
            let is_capped = is_locked || !labels.is_empty();
            is_capped.then(|| tops_of_attribute(attribute, labels)).transpose()
        };
        Ok(Self(attributes.iter().map(of_attribute).collect::<Result<_>>()?))
    }

    /// Whether any value has a cap.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Whether a leaf of an attribute can be generalized to `node`.
    pub(super) fn allow(&self, attribute: usize, tree: &Hierarchy, leaf: Leaf, node: Node) -> bool {
        let tops = self.0.get(attribute).and_then(Option::as_ref);
        // Attributes without a limit have no list, and then every node is allowed.
        let Some(top) = tops.and_then(|tops| tops.get(leaf.index())) else { return true };
        let (inner, outer) = (tree.leaves_of(node), tree.leaves_of(*top));
        // An ancestor of `top` can have the same leaves as `top`, but its number is lower.
        *top <= node && outer.covers(&inner)
    }

    /// Groups the cohorts whose values have the same caps, and which can therefore share a class.
    pub(super) fn groups(&self, attributes: &[Attribute], cohorts: &Cohorts) -> Vec<Group> {
        let mut numbers: HashMap<Vec<Node>, usize> = HashMap::new();
        let mut groups: Vec<Group> = Vec::new();
        for cohort in cohorts.all() {
            let columns = self.0.iter().zip(attributes);
            let tops: Vec<Node> = columns
                .map(|(tops, attribute)| top_of(tops.as_deref(), attribute, cohort))
                .collect();
            let next = groups.len();
            // Groups are numbered by their first cohort, so the order is that of the table.
            let number = *numbers.entry(tops).or_insert_with_key(|tops| {
                groups.push(Group { tops: tops.clone(), cohorts: Vec::new() });
                next
            });
            groups[number].cohorts.push(cohort);
        }
        groups
    }
}

/// The error for a limit on a column that is not a quasi-identifier.
pub(crate) fn not_limited(column: &str) -> Error {
    Error::column(column, "it has a limit but is not a quasi-identifier")
        .advise([Advice::NameQuasi { column: Some(column.to_owned()) }, no_limit(column)])
}

/// Advice to leave the limit of a column out.
fn no_limit(column: &str) -> Advice {
    Advice::LeaveOut { key: "limit", column: Some(column.to_owned()) }
}

/// Cohorts that can share a class, with the highest node of each attribute.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) tops: Vec<Node>,
    pub(super) cohorts: Vec<Cohort>,
}

/// The highest node that the value of a cohort can be generalized to, given the highest node of
/// each leaf.
fn top_of(tops: Option<&[Node]>, attribute: &Attribute, cohort: Cohort) -> Node {
    // Missing values that match anything, and attributes without caps, can become the root.
    let leaf = attribute.leaves()[cohort.index()].known();
    tops.zip(leaf).map_or(Node::ROOT, |(tops, leaf)| tops[leaf.index()])
}

/// The highest allowed node of each leaf of an attribute that is limited by `labels`.
fn tops_of_attribute(attribute: &Attribute, labels: &[String]) -> Result<Vec<Node>> {
    let Generalization::Tree(tree) = attribute.generalization() else {
        let column = attribute.name();
        let problem = "it has a limit but no tree, and a limit is a node of a tree";
        return Err(Error::column(column, problem)
            .advise([Advice::hierarchy_method(column), no_limit(column)]));
    };
    // Labels refer to the hierarchy that was given, even if rare values are hidden in another one.
    let known = attribute.known_generalization().hierarchy().unwrap_or(tree);
    let tops = tops(known, labels)?;
    if std::ptr::eq(tree.as_ref(), known) || tree.as_ref() == known {
        return Ok(tops);
    }
    let highest = |(leaf, top)| highest_below(tree, leaf, known, top);
    // The allowed node may have been removed to hide rare values; a lower one takes its place.
    Ok(Leaf::first(tops.len()).zip(tops).map(highest).collect())
}

/// The highest node of `tree` that contains `leaf` and is not above the node `top` of `whole`.
///
/// Both trees have the same leaves, but `tree` has fewer nodes because it hides rare values.
fn highest_below(tree: &Hierarchy, leaf: Leaf, whole: &Hierarchy, top: Node) -> Node {
    let range = whole.leaves_of(top);
    // If several nodes have the same leaves, those above `top` are not allowed.
    let is_highest = whole.parent(top).is_none_or(|parent| whole.leaves_of(parent) != range);
    let mut node = tree.leaf_node(leaf);
    while let Some(parent) = tree.parent(node) {
        let leaves = tree.leaves_of(parent);
        if !range.covers(&leaves) || (leaves == range && !is_highest) {
            break;
        }
        node = parent;
    }
    node
}

/// The highest allowed node of each leaf; the root for leaves without a limit.
fn tops(tree: &Hierarchy, labels: &[String]) -> Result<Vec<Node>> {
    let mut tops: Vec<Node> = vec![Node::ROOT; tree.n_leaves()];
    for &node in tree.locks() {
        cap(tree, &mut tops, node, &tree.label(node))?;
    }
    for (place, label) in labels.iter().enumerate() {
        if labels[..place].contains(label) {
            return Err(Error::column(
                tree.attribute(),
                format!("the limit '{label}' is given twice"),
            )
            .advise([Advice::words("give it once")]));
        }
        for node in capped_by(tree, label)? {
            cap(tree, &mut tops, node, label)?;
        }
    }
    Ok(tops)
}

/// Makes a node the highest one that its leaves can be generalized to.
fn cap(tree: &Hierarchy, tops: &mut [Node], node: Node, label: &str) -> Result<()> {
    let leaves = &mut tops[tree.leaves_of(node).places()];
    // A leaf below two limits would have two highest nodes.
    if let Some(&other) = leaves.iter().find(|&&top| top != Node::ROOT && top != node) {
        let problem = format!("the limits '{}' and '{label}' overlap", tree.label(other));
        return Err(
            Error::column(tree.attribute(), problem).advise([Advice::words("give one of them")])
        );
    }
    leaves.fill(node);
    Ok(())
}

/// The node with a label, or all nodes of the level in `level:N`.
fn capped_by(tree: &Hierarchy, label: &str) -> Result<Vec<Node>> {
    if let Some(level) = label.strip_prefix("level:") {
        let LevelFunction { nodes: mut levels, .. } = tree.levels();
        let asked = level.trim().parse::<usize>().ok().filter(|&level| level < levels.len());
        let Some(level) = asked else {
            let highest = levels.len() - 1;
            let problem = format!("is not a level; the levels are 0 to {highest}");
            return Err(Error::value(tree.attribute(), label, None, problem));
        };
        let mut nodes = levels.swap_remove(level);
        // Leaves of the same node are adjacent.
        nodes.dedup();
        return Ok(nodes);
    }
    let is_called = |&node: &Node| tree.label(node) == label || tree.published(node) == label;
    tree.nodes().find(is_called).map(|node| vec![node]).ok_or_else(|| not_a_node(tree, label))
}

/// The error for a label that no node has.
fn not_a_node(tree: &Hierarchy, label: &str) -> Error {
    let labels: Vec<String> = tree.nodes().map(|node| tree.label(node).into()).collect();
    let near = did_you_mean(label, labels.iter().map(String::as_str));
    let problem = format!("is not a value or group{near}");
    let choose = near.is_empty().then(|| format!("choose from {}", listed(&labels)));
    Error::value(tree.attribute(), label, None, problem).advise(choose.map(Advice::words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    const TREE: &str = "a;A;X;*\nb;A;X;*\nc;c;X;*\nd;d;d;*\n";

    fn tops_of(labels: &[&str]) -> Result<Vec<String>> {
        let tree = Format::named("arx")?.read(TREE, Some("w"))?;
        let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        Ok(tops(&tree, &labels)?.iter().map(|&top| tree.label(top).into_owned()).collect())
    }

    #[test]
    fn values_below_no_cap_may_become_anything() {
        assert_eq!(tops_of(&["A", "c"]).unwrap(), ["A", "A", "c", "*"]);
        assert_eq!(tops_of(&["level:2"]).unwrap(), ["X", "X", "X", "d"]);
    }

    #[test]
    fn caps_that_overlap_or_do_not_exist_are_refused() {
        assert_eq!(
            tops_of(&["X", "b"]).unwrap_err().to_string(),
            "column 'w': the limits 'X' and 'b' overlap; give one of them"
        );
        assert_eq!(
            tops_of(&["A", "A"]).unwrap_err().to_string(),
            "column 'w': the limit 'A' is given twice; give it once"
        );
        let message = tops_of(&["Y"]).unwrap_err().to_string();
        assert!(message.starts_with("column 'w': 'Y' is not a value or group"), "{message}");
        assert!(tops_of(&["level:9"]).unwrap_err().to_string().contains("the levels are 0 to 3"));
    }
}
