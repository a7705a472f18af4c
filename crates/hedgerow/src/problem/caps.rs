//! Caps: how far values may be generalized at most (constrained k-anonymity).

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::Attribute;
use crate::hierarchy::{Generalization, Hierarchy, Leaf, LevelFunction, Node};
use crate::table::{Cohort, Cohorts};
use crate::{Error, Result};

/// For each attribute with a cap, the highest node that each of its leaves may become.
///
/// # References
///
/// \[Miller2008\] J. Miller, A. Campan, T. M. Truta: Constrained k-Anonymity: Privacy with
/// Generalization Boundaries, SDM workshop on practical privacy-preserving data mining, 2008;
/// METHODS 6.9.
#[derive(Debug, Clone, Default)]
pub(super) struct Caps(Vec<Option<Vec<Node>>>);

impl Caps {
    /// The caps that labels of nodes ask for, by column; a value below none of them has no cap.
    pub(super) fn new(
        attributes: &[Attribute],
        asked: &BTreeMap<String, Vec<String>>,
    ) -> Result<Self> {
        if let Some(name) = asked.keys().find(|name| attributes.iter().all(|a| a.name() != **name))
        {
            return Err(not_limited(name));
        }
        let of_attribute = |attribute: &Attribute| {
            let Some(labels) = asked.get(attribute.name()) else { return Ok(None) };
            let Generalization::Tree(tree) = attribute.generalization() else {
                let name = attribute.name();
                return Err(Error::invalid(format!(
                    "column '{name}' has a limit but no tree, and a limit is a node of one; choose \
                     --hierarchy {name}=METHOD, or leave the limit out"
                )));
            };
            // Labels are those of the hierarchy that was given, also where rare values are hidden.
            let known = attribute.known_generalization().hierarchy().unwrap_or(tree);
            let tops = tops(known, labels)?;
            if std::ptr::eq(tree.as_ref(), known) || tree.as_ref() == known {
                return Ok(Some(tops));
            }
            let highest = |(leaf, top)| highest_below(tree, leaf, (known, top));
            Ok(Some(Leaf::first(tops.len()).zip(tops).map(highest).collect()))
        };
        Ok(Self(attributes.iter().map(of_attribute).collect::<Result<_>>()?))
    }

    /// Whether any value has a cap.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Whether a leaf of an attribute may become a node.
    pub(super) fn allow(&self, attribute: usize, tree: &Hierarchy, leaf: Leaf, node: Node) -> bool {
        let tops = self.0.get(attribute).and_then(Option::as_ref);
        let Some(top) = tops.and_then(|tops| tops.get(leaf.index())) else { return true };
        let (inner, outer) = (tree.leaves_of(node), tree.leaves_of(*top));
        // A node above may have the same leaves, but has a lower number.
        *top <= node && outer.covers(&inner)
    }

    /// Groups of cohorts that may share a class: all their values have the same caps. Each group
    /// has the highest node of each attribute.
    pub(super) fn groups(&self, attributes: &[Attribute], cohorts: &Cohorts) -> Vec<Group> {
        let mut numbers: HashMap<Vec<Node>, usize> = HashMap::new();
        let mut groups: Vec<Group> = Vec::new();
        for cohort in cohorts.all() {
            let top = |(tops, attribute): (&Option<Vec<Node>>, &Attribute)| {
                let leaf = attribute.leaves()[cohort.index()].known();
                tops.as_ref().zip(leaf).map_or(0, |(tops, leaf)| tops[leaf.index()])
            };
            let tops: Vec<Node> = self.0.iter().zip(attributes).map(top).collect();
            let next = groups.len();
            let number = *numbers.entry(tops).or_insert_with_key(|tops| {
                groups.push(Group { tops: tops.clone(), cohorts: Vec::new() });
                next
            });
            groups[number].cohorts.push(cohort);
        }
        groups
    }
}

/// A column has a limit but is not generalized.
pub(crate) fn not_limited(column: &str) -> Error {
    Error::invalid(format!(
        "column '{column}' has a limit but is no quasi-identifier; add it to --quasi, or leave the \
         limit out"
    ))
}

/// Cohorts that may share a class.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) tops: Vec<Node>,
    pub(super) cohorts: Vec<Cohort>,
}

/// The highest node of a tree with fewer nodes that holds a leaf and is a node `top` of the whole tree
/// or below it.
fn highest_below(tree: &Hierarchy, leaf: Leaf, (whole, top): (&Hierarchy, Node)) -> Node {
    let range = whole.leaves_of(top);
    // Of several nodes with the same leaves, those above `top` must not be reached.
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

/// The highest node of each leaf; the root where nothing is asked.
fn tops(tree: &Hierarchy, labels: &[String]) -> Result<Vec<Node>> {
    let mut tops: Vec<Node> = vec![0; tree.n_leaves()];
    for (place, label) in labels.iter().enumerate() {
        if labels[..place].contains(label) {
            let name = tree.attribute();
            return Err(Error::invalid(format!(
                "column '{name}': the limit '{label}' is given twice; give it once"
            )));
        }
        for node in capped_by(tree, label)? {
            let leaves = &mut tops[tree.leaves_of(node).places()];
            if let Some(&other) = leaves.iter().find(|&&top| top != 0 && top != node) {
                return Err(Error::invalid(format!(
                    "column '{}': the limits '{}' and '{label}' overlap; name one of them",
                    tree.attribute(),
                    tree.label(other)
                )));
            }
            leaves.fill(node);
        }
    }
    Ok(tops)
}

/// The node with a label, or all nodes of `level:N`.
fn capped_by(tree: &Hierarchy, label: &str) -> Result<Vec<Node>> {
    let attribute = tree.attribute();
    if let Some(level) = label.strip_prefix("level:") {
        let LevelFunction { mut nodes, .. } = tree.levels();
        let level = level.trim().parse::<usize>().ok().filter(|&level| level < nodes.len());
        let level = level.ok_or_else(|| {
            let highest = nodes.len() - 1;
            Error::invalid(format!(
                "column '{attribute}': '{label}' is no level; its levels are 0 to {highest}"
            ))
        })?;
        let mut nodes = nodes.swap_remove(level);
        nodes.dedup();
        return Ok(nodes);
    }
    let mut nodes = 0..tree.len() as Node;
    let found = nodes.find(|&node| tree.label(node) == label || tree.published(node) == label);
    found.map(|node| vec![node]).ok_or_else(|| {
        let labels: Vec<String> = (0..tree.len() as Node).map(|n| tree.label(n).into()).collect();
        let error = Error::unknown("value or group", label, labels.iter().map(String::as_str));
        Error::invalid(format!("column '{attribute}': {}", short(&error.to_string())))
    })
}

/// A message that lists many names, cut after some of them.
fn short(message: &str) -> String {
    const MOST: usize = 300;
    match message.char_indices().nth(MOST) {
        None => message.to_owned(),
        Some((end, _)) => format!("{}, ...", message[..end].trim_end_matches([' ', ','])),
    }
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
            "column 'w': the limits 'X' and 'b' overlap; name one of them"
        );
        assert_eq!(
            tops_of(&["A", "A"]).unwrap_err().to_string(),
            "column 'w': the limit 'A' is given twice; give it once"
        );
        let message = tops_of(&["Y"]).unwrap_err().to_string();
        assert!(message.starts_with("column 'w': there is no value or group 'Y'"), "{message}");
        assert!(tops_of(&["level:9"]).unwrap_err().to_string().contains("its levels are 0 to 3"));
    }
}
