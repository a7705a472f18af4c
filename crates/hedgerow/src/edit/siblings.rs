//! Operations on siblings: merging them, and grouping them below a new node.

use super::address::Address;
use super::item::Item;
use super::sketch::Sketch;
use crate::Result;
use crate::error::Advice;
use crate::hierarchy::{Notation, set_label};
use crate::noun::listed;

/// Children of one group, in their order.
struct Siblings {
    nodes: Vec<usize>,
    parent: usize,
    /// Position of the first in the list of the parent.
    first: usize,
}

/// Merges siblings into one group and returns it.
pub(super) fn merge(
    sketch: &mut Sketch<'_>,
    nodes: &[Address],
    label: Option<&str>,
) -> Result<usize> {
    let found = siblings(sketch, nodes)?;
    if found.nodes.len() < 2 {
        return Err(sketch
            .refuse("one node cannot be merged")
            .advise([Advice::words("name two or more siblings")]));
    }
    let is_whole = found.nodes.len() == sketch.children(found.parent).len();
    // The merged group has the children of the siblings; a value among them becomes its child.
    let mut children = Vec::new();
    for &node in &found.nodes {
        if sketch.is_leaf(node) {
            children.push(node);
        } else {
            children.extend_from_slice(sketch.children(node));
        }
    }
    if is_whole {
        return merge_all(sketch, &found, children, label);
    }
    // A lock must not be lost by merging around it.
    let is_locked = found.nodes.iter().any(|&node| sketch.items[node].is_locked);
    let name = match label {
        Some(label) => checked(sketch, label)?,
        None => merged_label(sketch, &found.nodes, &children),
    };
    let merged = Item {
        bounds: hull(sketch, &found.nodes),
        distortion: greatest(sketch, &found.nodes),
        is_locked,
        ..Item::group("", children)
    };
    Ok(put(sketch, &found, merged, &name))
}

/// Removes siblings that are all children of their parent, so that it gets their children.
fn merge_all(
    sketch: &mut Sketch<'_>,
    found: &Siblings,
    children: Vec<usize>,
    label: Option<&str>,
) -> Result<usize> {
    if label.is_some() {
        let parent = sketch.name(found.parent);
        let problem =
            format!("these are all children of '{parent}', which would be the merged group");
        return Err(sketch
            .refuse(problem)
            .advise([Advice::words("leave the label out, and rename that group")]));
    }
    for &node in found.nodes.iter().filter(|&&node| !sketch.is_leaf(node)) {
        sketch.may_go(node)?;
    }
    if children != sketch.children(found.parent) {
        sketch.mark(found.parent);
    }
    sketch.set_children(found.parent, children);
    Ok(found.parent)
}

/// Inserts a group between siblings and their parent, and returns it.
pub(super) fn insert(
    sketch: &mut Sketch<'_>,
    nodes: &[Address],
    label: Option<&str>,
) -> Result<usize> {
    let found = siblings(sketch, nodes)?;
    let name = match label {
        Some(label) => checked(sketch, label)?,
        // An empty label is published as the interval of the group.
        None if sketch.is_scaled() => String::new(),
        None => values_label(sketch, &found.nodes),
    };
    let bounds = hull(sketch, &found.nodes);
    let group = Item { bounds, ..Item::group("", found.nodes.clone()) };
    Ok(put(sketch, &found, group, &name))
}

/// Returns a label that a group can have.
pub(super) fn checked(sketch: &Sketch<'_>, label: &str) -> Result<String> {
    if label.trim().is_empty() {
        return Err(sketch
            .refuse("a group cannot have an empty label")
            .advise([Advice::words("give it a name")]));
    }
    Ok(label.to_owned())
}

/// Returns the label of a group with these children: a list of its values.
pub(super) fn values_label(sketch: &Sketch<'_>, nodes: &[usize]) -> String {
    let mut leaves = Vec::new();
    // Reversed, because the stack returns the last one first.
    let mut open: Vec<usize> = nodes.iter().rev().copied().collect();
    while let Some(node) = open.pop() {
        leaves.extend(sketch.items[node].leaf);
        open.extend(sketch.children(node).iter().rev());
    }
    set_label(leaves.into_iter().map(|leaf| sketch.tree.spelling(leaf)))
}

/// Returns the label of merged groups: their interval, a list of their values, or their names.
fn merged_label(sketch: &Sketch<'_>, nodes: &[usize], children: &[usize]) -> String {
    let is_list = |&node: &usize| {
        let label = sketch.name(node);
        sketch.is_leaf(node)
            || matches!(Notation::read(&label), Notation::Set(_) | Notation::PartialSet(..))
    };
    if sketch.is_scaled() {
        return String::new();
    }
    if nodes.iter().all(is_list) {
        return values_label(sketch, children);
    }
    // A name that a person chose is more informative than a list of values.
    nodes.iter().map(|&node| sketch.name(node)).collect::<Vec<_>>().join(" or ")
}

/// Puts a group in the place of siblings, of which some are its children.
fn put(sketch: &mut Sketch<'_>, found: &Siblings, group: Item, label: &str) -> usize {
    let group = sketch.add(group);
    // The group is where the first of the siblings was.
    let is_kept = |node: &&usize| !found.nodes.contains(node);
    let before = sketch.children(found.parent)[..found.first].iter();
    let after = sketch.children(found.parent)[found.first..].iter().filter(is_kept);
    let children = before.copied().chain([group]).chain(after.copied()).collect();
    sketch.set_children(found.parent, children);
    sketch.set_label(group, label);
    group
}

/// Finds siblings by their addresses.
fn siblings(sketch: &Sketch<'_>, addresses: &[Address]) -> Result<Siblings> {
    let mut nodes = Vec::with_capacity(addresses.len());
    for address in addresses {
        nodes.push(address.find(sketch.tree)?.index());
    }
    let Some(&one) = nodes.first() else {
        return Err(sketch
            .refuse("no nodes are named")
            .advise([Advice::words("name the nodes that belong together")]));
    };
    let Some(parent) = sketch.parent(one) else {
        let problem = format!("'{}' is the root, which has no siblings", sketch.name(one));
        return Err(sketch.refuse(problem));
    };
    if let Some(&other) = nodes.iter().find(|&&node| sketch.parent(node) != Some(parent)) {
        let [one, other] = [one, other].map(|node| sketch.name(node));
        let problem = format!("'{one}' and '{other}' are not children of the same group");
        return Err(sketch.refuse(problem));
    }
    // Nodes of a tree are numbered in the order of siblings.
    nodes.sort_unstable();
    if let Some(pair) = nodes.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(sketch.refuse(format!("'{}' is named twice", sketch.name(pair[0]))));
    }
    let all = sketch.children(parent);
    let first = all.partition_point(|&child| child < nodes[0]);
    // Groups of an ordered column are intervals, so only neighbours can form one.
    let adjacent = &all[first..(first + nodes.len()).min(all.len())];
    if sketch.is_scaled() && adjacent != nodes {
        let names: Vec<String> = nodes.iter().map(|&node| sketch.name(node)).collect();
        let problem =
            format!("{} are not adjacent, so no interval has just their values", listed(&names));
        return Err(sketch
            .refuse(problem)
            .advise([Advice::words("name the groups between them too")]));
    }
    Ok(Siblings { nodes, parent, first })
}

/// Returns the range from the least to the greatest bound of nodes, if bounds are stored.
fn hull(sketch: &Sketch<'_>, nodes: &[usize]) -> Option<(f64, f64)> {
    let bounds = nodes.iter().map(|&node| sketch.items[node].bounds);
    bounds.reduce(|one, other| {
        let ((low, high), (lower, higher)) = one.zip(other)?;
        Some((low.min(lower), high.max(higher)))
    })?
}

/// Returns the greatest distortion of nodes, if distortions are stored.
fn greatest(sketch: &Sketch<'_>, nodes: &[usize]) -> Option<f64> {
    nodes.iter().filter_map(|&node| sketch.items[node].distortion).reduce(f64::max)
}
