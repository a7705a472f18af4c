//! Operations on one node: renaming, removing, pruning, locking.

use super::address::Address;
use super::siblings::checked;
use super::sketch::Sketch;
use crate::Result;
use crate::error::Advice;

/// Gives a group another label.
pub(super) fn rename(
    sketch: &mut Sketch<'_>,
    node: &Address,
    label: Option<&str>,
) -> Result<usize> {
    let node = node.find(sketch.tree)?.index();
    if sketch.is_leaf(node) {
        let problem =
            format!("'{}' is a value, whose label is that of the table", sketch.name(node));
        return Err(sketch
            .refuse(problem)
            .advise([Advice::words("insert a group above it and give that a label")]));
    }
    let label = match label {
        Some(label) => checked(sketch, label)?,
        None if sketch.is_scaled() => String::new(),
        None => super::siblings::values_label(sketch, &[node]),
    };
    // The origin of a node that keeps its label is still true.
    if *label != *sketch.items[node].label {
        sketch.mark(node);
    }
    sketch.set_label(node, &label);
    Ok(node)
}

/// Removes a group; its children become children of its parent.
pub(super) fn remove(sketch: &mut Sketch<'_>, node: &Address) -> Result<usize> {
    let node = node.find(sketch.tree)?.index();
    if sketch.is_leaf(node) {
        let problem = format!("'{}' is a value, and a hierarchy has all values", sketch.name(node));
        return Err(sketch.refuse(problem));
    }
    sketch.may_go(node)?;
    let children = sketch.children(node).to_vec();
    // Only the root has no parent to give the children to.
    let Some(parent) = sketch.parent(node) else {
        return remove_root(sketch, &children);
    };
    sketch.replace(node, &children);
    sketch.mark(parent);
    Ok(parent)
}

/// Removes the root if its only child can take its place.
fn remove_root(sketch: &mut Sketch<'_>, children: &[usize]) -> Result<usize> {
    let problem = match children {
        [only] if !sketch.is_leaf(*only) => {
            let root = sketch.root;
            sketch.replace(root, children);
            sketch.mark(*only);
            return Ok(*only);
        }
        [_] => "the root would be a value",
        _ => "its children would have no root",
    };
    Err(sketch.refuse(format!("the root cannot be removed: {problem}")))
}

/// Removes all groups below a group.
pub(super) fn prune(sketch: &mut Sketch<'_>, node: &Address) -> Result<usize> {
    let node = node.find(sketch.tree)?.index();
    sketch.must_be_group(node)?;
    let leaves = clear(sketch, node)?;
    if leaves != sketch.children(node) {
        sketch.mark(node);
    }
    sketch.set_children(node, leaves);
    Ok(node)
}

/// Returns the leaves below a group in order, or an error if a group between is locked.
pub(super) fn clear(sketch: &Sketch<'_>, node: usize) -> Result<Vec<usize>> {
    let mut leaves = Vec::new();
    // Depth first in the order of children, so the leaves keep their order.
    let mut open: Vec<usize> = sketch.children(node).iter().rev().copied().collect();
    while let Some(node) = open.pop() {
        if sketch.is_leaf(node) {
            leaves.push(node);
        } else {
            sketch.may_go(node)?;
        }
        open.extend(sketch.children(node).iter().rev());
    }
    Ok(leaves)
}

/// Locks a node, or removes its lock.
pub(super) fn lock(sketch: &mut Sketch<'_>, node: &Address, is_locked: bool) -> Result<usize> {
    let node = node.find(sketch.tree)?.index();
    let name = sketch.name(node);
    if is_locked && node == sketch.root {
        return Err(sketch.refuse(format!("'{name}' is the root, and a lock on it limits nothing")));
    }
    if sketch.items[node].is_locked == is_locked {
        let state = if is_locked { "is locked already" } else { "is not locked" };
        return Err(sketch.refuse(format!("'{name}' {state}")));
    }
    sketch.change(node).is_locked = is_locked;
    sketch.mark(node);
    Ok(node)
}
