//! Operations on groups of numbers and dates: splitting at a value, and moving a boundary.

use super::address::Address;
use super::item::{Item, edited};
use super::sketch::Sketch;
use crate::error::Advice;
use crate::hierarchy::{Leaf, LeafRange, Node, Notation};
use crate::table::Reading;
use crate::{Error, Result};

/// One side of a cut, or one end of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Low,
    High,
}

/// A place between two leaves, and the side of it on which leaves move to another group.
#[derive(Clone, Copy)]
struct Boundary {
    cut: usize,
    side: Side,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Low => Self::High,
            Self::High => Self::Low,
        }
    }
}

/// Splits a group at a value, and returns its first part.
pub(super) fn split_at(sketch: &mut Sketch<'_>, node: &Address, at: &str) -> Result<usize> {
    let node = node.find(sketch.tree)?.index();
    sketch.must_be_group(node)?;
    let cut = place(sketch, at)?;
    let leaves = range(sketch, node);
    if cut <= leaves.start.index() || cut >= leaves.end.index() {
        return Err(not_divided(sketch, node, at));
    }
    let path = crossed(sketch, node, cut);
    let high = piece(sketch, &path, cut, Side::High)?;
    if node == sketch.root {
        // The root stays above its parts.
        let low = piece(sketch, &path, cut, Side::Low)?;
        sketch.set_children(node, vec![low, high]);
        sketch.mark(node);
        return Ok(low);
    }
    for &group in &path {
        // A name of the whole group is not that of a part.
        sketch.set_label(group, "");
    }
    sketch.replace(node, &[node, high]);
    trim(sketch, &path, cut, Side::Low)
}

/// The error for a cut that leaves all values of a group on one side.
fn not_divided(sketch: &Sketch<'_>, node: usize, at: &str) -> Error {
    let (leaves, name) = (range(sketch, node), sketch.name(node));
    if leaves.len() == 1 {
        return sketch.refuse(format!("'{name}' has one value only"));
    }
    let [low, high] = [leaves.start.next(), leaves.greatest()].map(|leaf| spelt(sketch, leaf));
    sketch
        .refuse(format!("a cut at {at} does not divide the values of '{name}'"))
        .advise([Advice::words(format!("choose a value from {low} to {high}"))])
}

/// Moves the boundary between two adjacent groups, and returns the group that grows.
pub(super) fn move_cut(sketch: &mut Sketch<'_>, from: &str, to: &str) -> Result<usize> {
    let [old, new] = [place(sketch, from)?, place(sketch, to)?];
    let n_leaves = sketch.tree.n_leaves();
    if old == 0 || old == n_leaves {
        let problem = format!("no value is on the other side of {from}, so nothing is cut there");
        return Err(sketch.refuse(problem));
    }
    let [before, after] = [Leaf::new(old - 1), Leaf::new(old)];
    // The old cut is between the two children of the lowest group that has values on both sides.
    let joint = sketch.tree.lowest_common_ancestor(before, after);
    let [low, high] = [before, after].map(|leaf| child_with(sketch, joint, leaf));
    // The part of one group between the two cuts goes to the other group.
    let (giver, taker, side) =
        if new < old { (low, high, Side::High) } else { (high, low, Side::Low) };
    let leaves = range(sketch, giver);
    if new != old && (new <= leaves.start.index() || new >= leaves.end.index()) {
        let [low, high] = [low, high].map(|node| range(sketch, node));
        let ends = [low.start.next(), high.greatest()].map(|leaf| spelt(sketch, leaf));
        let problem = format!(
            "with a cut at {to}, '{}' would have no value below '{}'",
            sketch.name(giver),
            sketch.name(joint.index())
        );
        let advice = format!("choose a value from {} to {}", ends[0], ends[1]);
        return Err(sketch.refuse(problem).advise([Advice::words(advice)]));
    }
    if new == old {
        return Err(
            sketch.refuse(format!("a cut at {to} divides the same values as one at {from}"))
        );
    }
    let path = crossed(sketch, giver, new);
    let taker = give(sketch, &path, taker, Boundary { cut: new, side })?;
    trim(sketch, &path, new, side.other())?;
    Ok(taker)
}

/// Adds the parts of crossed groups on one side of a cut to the adjacent group, and returns it.
///
/// The part of a crossed group joins the outermost group of the taker on the same level, as long
/// as no whole group lies between them.
fn give(sketch: &mut Sketch<'_>, path: &[usize], taker: usize, at: Boundary) -> Result<usize> {
    let Boundary { cut, side } = at;
    let taker = if sketch.is_leaf(taker) { above_value(sketch, taker) } else { taker };
    // Down the adjacent edges of giver and taker together, so that pieces join groups of their own
    // level.
    let mut takers = vec![taker];
    let mut depth = 0;
    let whole = loop {
        let whole = wholly(sketch, path[depth], cut, side);
        let group = takers[takers.len() - 1];
        let outermost = match side {
            Side::High => sketch.children(group)[0],
            Side::Low => sketch.children(group)[sketch.children(group).len() - 1],
        };
        if !whole.is_empty() || depth + 1 == path.len() || sketch.is_leaf(outermost) {
            break whole;
        }
        takers.push(outermost);
        depth += 1;
    };
    let rest = match &path[depth + 1..] {
        [] => None,
        rest => Some(piece(sketch, rest, cut, side)?),
    };
    let group = takers[takers.len() - 1];
    let own = sketch.children(group).to_vec();
    let rest: Vec<usize> = rest.into_iter().collect();
    let children = match side {
        // The pieces are before the taker if they come from the high end of the giver.
        Side::High => [rest, whole, own].concat(),
        Side::Low => [own, whole, rest].concat(),
    };
    sketch.set_children(group, children);
    // From the lowest up, because the bounds of a group follow from those of its children.
    for &group in takers.iter().rev() {
        refresh(sketch, group, side.other());
    }
    Ok(taker)
}

/// Inserts a group above a value.
fn above_value(sketch: &mut Sketch<'_>, value: usize) -> usize {
    let bounds = sketch.items[value].bounds;
    let group = sketch.add(Item { bounds, ..Item::group("", Vec::new()) });
    sketch.replace(value, &[group]);
    sketch.set_children(group, vec![value]);
    group
}

/// Returns the position of the first value at or after a number or date.
fn place(sketch: &Sketch<'_>, text: &str) -> Result<usize> {
    let values = sketch.tree.leaves();
    let Some(scale) = values.scale() else {
        let advice = "move values between groups, or split a group by its children";
        return Err(sketch
            .refuse("it has words or codes, which have no cuts")
            .advise([Advice::words(advice)]));
    };
    // `2024` cuts dates where the year begins.
    let of_period = || match Notation::read_as(values, text) {
        Notation::Range(low, _) => Some(low),
        _ => None,
    };
    let Some(value) = values.read(text).map(Reading::value).or_else(of_period) else {
        let problem = format!("'{text}' is not a {}", values.kind().name());
        let [first, last] =
            [Leaf::new(0), Leaf::new(scale.len() - 1)].map(|leaf| spelt(sketch, leaf));
        let advice = format!("write a value between {first} and {last}");
        return Err(sketch.refuse(problem).advise([Advice::words(advice)]));
    };
    Ok(scale.partition_point(|other| other < value))
}

/// Returns the groups from `top` down that have leaves on both sides of a cut.
fn crossed(sketch: &Sketch<'_>, top: usize, cut: usize) -> Vec<usize> {
    let is_crossed = |&&child: &&usize| {
        let leaves = range(sketch, child);
        leaves.start.index() < cut && cut < leaves.end.index()
    };
    let below = |&node: &usize| sketch.children(node).iter().find(is_crossed).copied();
    std::iter::successors(Some(top), below).collect()
}

/// Returns the children of a group that are on one side of a cut as a whole.
fn wholly(sketch: &Sketch<'_>, node: usize, cut: usize, side: Side) -> Vec<usize> {
    let is_there = |&child: &usize| {
        let leaves = range(sketch, child);
        match side {
            Side::Low => leaves.end.index() <= cut,
            Side::High => leaves.start.index() >= cut,
        }
    };
    sketch.children(node).iter().copied().filter(is_there).collect()
}

/// Returns a new node with the parts of crossed groups on one side of a cut.
fn piece(sketch: &mut Sketch<'_>, path: &[usize], cut: usize, side: Side) -> Result<usize> {
    let mut below = None;
    for &node in path.iter().rev() {
        let whole = wholly(sketch, node, cut, side);
        let children: Vec<usize> = match side {
            Side::Low => whole.into_iter().chain(below).collect(),
            Side::High => below.into_iter().chain(whole).collect(),
        };
        if let [only] = children[..] {
            // A group of one child would repeat the child.
            sketch.may_go(node)?;
            below = Some(only);
            continue;
        }
        let origin = edited(&sketch.items[node].origin);
        // Its label is that of the whole group.
        let label = Box::default();
        let like = Item { children, label, origin, ..sketch.items[node].clone() };
        let part = sketch.add(like);
        refresh(sketch, part, side.other());
        below = Some(part);
    }
    Ok(below.expect("a crossed group has leaves on both sides"))
}

/// Keeps the parts of crossed groups on one side of a cut, and returns their topmost node.
fn trim(sketch: &mut Sketch<'_>, path: &[usize], cut: usize, side: Side) -> Result<usize> {
    for (depth, &node) in path.iter().enumerate() {
        let whole = wholly(sketch, node, cut, side);
        let below = path.get(depth + 1).copied();
        let children = match side {
            Side::Low => whole.into_iter().chain(below).collect(),
            Side::High => below.into_iter().chain(whole).collect(),
        };
        sketch.set_children(node, children);
    }
    // From the lowest up, so that a group that is left with one child is replaced by it.
    let mut top = path[0];
    for &node in path.iter().rev() {
        if let [only] = sketch.children(node)[..] {
            sketch.may_go(node)?;
            sketch.replace(node, &[only]);
            top = only;
        } else {
            refresh(sketch, node, side.other());
            top = node;
        }
    }
    Ok(top)
}

/// Adjusts a group whose values changed at one end: its bounds, and its label if that states a
/// range.
fn refresh(sketch: &mut Sketch<'_>, node: usize, end: Side) {
    if sketch.states_range(node) {
        sketch.change(node).label = Box::default();
    }
    sketch.mark(node);
    let children = sketch.children(node);
    let outer = match end {
        Side::Low => children[0],
        Side::High => children[children.len() - 1],
    };
    let reach = sketch.items[outer].bounds;
    if let Some(((low, high), (lower, higher))) = sketch.items[node].bounds.zip(reach) {
        sketch.change(node).bounds = Some(match end {
            Side::Low => (lower, high),
            Side::High => (low, higher),
        });
    }
}

/// Returns the leaves of a node of the tree.
fn range(sketch: &Sketch<'_>, node: usize) -> LeafRange {
    sketch.tree.leaves_of(Node::new(node))
}

/// Returns the child of a group of the tree that has a leaf.
fn child_with(sketch: &Sketch<'_>, group: Node, leaf: Leaf) -> usize {
    let has_it = |&&child: &&usize| range(sketch, child).contains(leaf);
    let children = sketch.children(group.index()).iter();
    children
        .copied()
        .find(|child| has_it(&child))
        .expect("a group covers the leaves of its children")
}

/// The spelling of a leaf.
fn spelt(sketch: &Sketch<'_>, leaf: Leaf) -> String {
    sketch.tree.spelling(leaf).into_owned()
}
