//! Operations on groups of words, whose order is free: moving a subtree, and splitting by children.

use super::address::Address;
use super::item::Item;
use super::operation::Part;
use super::siblings::{checked, values_label};
use super::sketch::Sketch;
use crate::Result;
use crate::error::Advice;

/// Makes a node the last child of a group.
pub(super) fn relocate(sketch: &mut Sketch<'_>, node: &Address, below: &Address) -> Result<usize> {
    let [node, target] = [node.find(sketch.tree)?.index(), below.find(sketch.tree)?.index()];
    let [name, below] = [node, target].map(|node| sketch.name(node));
    if sketch.is_scaled() {
        return Err(sketch
            .refuse("groups of numbers and dates have their places by the order of the values")
            .advise([Advice::words("move a cut between two groups instead")]));
    }
    if sketch.is_leaf(target) {
        return Err(sketch
            .refuse(format!("'{below}' is a value, which has nothing below it"))
            .advise([Advice::words("merge the two, or insert a group above it first")]));
    }
    let ways = ancestors(sketch, target);
    if node == target || ways.contains(&node) {
        return Err(sketch.refuse(format!("'{name}' cannot be moved below itself")));
    }
    // The root is an ancestor of every group, so it was refused.
    let Some(source) = sketch.parent(node) else {
        return Err(sketch.refuse("the root cannot be moved"));
    };
    if source == target {
        return Err(sketch.refuse(format!("'{name}' is a child of '{below}' already")));
    }
    let touched = ancestors(sketch, node);
    detach(sketch, node)?;
    let children = [sketch.children(target), &[node]].concat();
    sketch.set_children(target, children);
    sketch.mark(node);
    sketch.stale.extend(touched.into_iter().chain(ways).chain([target]));
    Ok(node)
}

/// Returns the groups above a node.
fn ancestors(sketch: &Sketch<'_>, node: usize) -> Vec<usize> {
    std::iter::successors(sketch.parent(node), |&above| sketch.parent(above)).collect()
}

/// Takes a node from its parent, and removes the groups that have no other values.
fn detach(sketch: &mut Sketch<'_>, node: usize) -> Result<()> {
    let mut gone = node;
    // A chain of only children goes as a whole.
    while let Some(parent) = sketch.parent(gone).filter(|&above| sketch.children(above).len() == 1)
    {
        sketch.may_go(parent)?;
        gone = parent;
    }
    match sketch.parent(gone) {
        Some(_) => sketch.replace(gone, &[]),
        None => return Err(sketch.refuse("all values are below this node already")),
    }
    Ok(())
}

/// Moves children of a group to new groups next to it, and returns the first of these.
pub(super) fn split_by(sketch: &mut Sketch<'_>, node: &Address, parts: &[Part]) -> Result<usize> {
    let node = node.find(sketch.tree)?.index();
    sketch.must_be_group(node)?;
    if sketch.is_scaled() {
        return Err(sketch
            .refuse("a group of numbers or dates is split at a value")
            .advise([Advice::words("use split-at with the least value of the second part")]));
    }
    let mut taken = Vec::new();
    let mut made = Vec::new();
    for part in parts {
        let children = members(sketch, node, part, &mut taken)?;
        let label = match &part.label {
            Some(label) => checked(sketch, label)?,
            None => values_label(sketch, &children),
        };
        let Item { distortion, is_locked, .. } = sketch.items[node];
        let item = Item { distortion, is_locked, ..Item::group("", children) };
        let group = sketch.add(item);
        sketch.set_label(group, &label);
        made.push(group);
    }
    let rest: Vec<usize> =
        sketch.children(node).iter().copied().filter(|child| !taken.contains(child)).collect();
    if rest.is_empty() && node != sketch.root {
        let problem = format!("no child would be left in '{}'", sketch.name(node));
        return Err(sketch
            .refuse(problem)
            .advise([Advice::words("leave out one of the parts, and rename the group")]));
    }
    if node == sketch.root {
        sketch.set_children(node, [&made[..], &rest].concat());
    } else {
        sketch.set_children(node, rest);
        sketch.stale.push(node);
        sketch.replace(node, &[&[node], &made[..]].concat());
    }
    sketch.mark(node);
    made.first().copied().ok_or_else(|| {
        sketch.refuse("no parts are named").advise([Advice::words("name one or more groups")])
    })
}

/// Returns the children of a part, which no other part may have.
fn members(
    sketch: &Sketch<'_>,
    node: usize,
    part: &Part,
    taken: &mut Vec<usize>,
) -> Result<Vec<usize>> {
    let mut children = Vec::new();
    for address in &part.nodes {
        let child = address.find(sketch.tree)?.index();
        let name = sketch.name(child);
        if sketch.parent(child) != Some(node) {
            let group = sketch.name(node);
            return Err(sketch.refuse(format!("'{name}' is not a child of '{group}'")));
        }
        if taken.contains(&child) {
            return Err(sketch.refuse(format!("'{name}' is named twice")));
        }
        taken.push(child);
        children.push(child);
    }
    if children.is_empty() {
        return Err(sketch
            .refuse("a part has no children")
            .advise([Advice::words("list its children in 'nodes'")]));
    }
    Ok(children)
}
