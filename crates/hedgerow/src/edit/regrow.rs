//! Builds the groups below a node again, with a method of the registry.

use super::address::Address;
use super::item::Item;
use super::single::clear;
use super::sketch::Sketch;
use crate::builder::{AUTO, build};
use crate::error::Advice;
use crate::hierarchy::{Hierarchy, Leaf, LeafRange, Node, tree_of};
use crate::method::Spec;
use crate::table::{Column, Domain, Scale, Values};
use crate::{Error, Result};

/// Builds the groups below a node with a method.
pub(super) fn regrow(sketch: &mut Sketch<'_>, node: &Address, method: &Spec) -> Result<usize> {
    let node = node.find(sketch.tree)?.index();
    sketch.must_be_group(node)?;
    // A tree of one value is a leaf, which cannot take the place of a group.
    if sketch.tree.leaves_of(Node::new(node)).count() < 2 {
        return Err(sketch.refuse(format!("'{}' has one value only", sketch.name(node))));
    }
    if method.name == AUTO.name {
        return Err(Error::method(
            &method.name,
            "compares hierarchies in a release, not below a node",
        )
        .advise([Advice::words("name the method that builds the groups")]));
    }
    let leaves = clear(sketch, node)?;
    let column = column(sketch.tree, sketch.tree.leaves_of(Node::new(node)))?;
    let grown = tree_of(build(method, &column, None)?)?;
    if grown.n_leaves() != leaves.len() {
        return Err(Error::method(&method.to_string(), "adds values that the group does not have")
            .advise([Advice::words("choose a method that groups the values themselves")]));
    }
    graft(sketch, node, &grown)?;
    Ok(node)
}

/// Replaces everything below a node by a tree of the same values.
///
/// A tree that takes the place of the whole hierarchy also decides its labels and its builder.
pub(super) fn graft(sketch: &mut Sketch<'_>, node: usize, grown: &Hierarchy) -> Result<()> {
    let leaves = matched(sketch, node, grown)?;
    let is_all = node == sketch.root;
    let (stored, of_grown) = (sketch.stored, grown.stored());
    // If the other groups have names, new ones need names too.
    let names_values = stored.labels && !of_grown.labels && !sketch.is_scaled();
    let mut places: Vec<usize> = Vec::with_capacity(grown.len());
    for new in grown.nodes() {
        let place = match grown.as_leaf(new) {
            Some(leaf) => leaves[leaf.index()],
            None if new == Node::ROOT => node,
            None => {
                let mut item = Item::of(grown, new);
                if names_values {
                    item.label = grown.label(new).into();
                }
                item.distortion = item.distortion.filter(|_| is_all || stored.distortions);
                sketch.add(item)
            }
        };
        places.push(place);
    }
    let mut children = vec![Vec::new(); grown.len()];
    for new in grown.nodes() {
        if let Some(parent) = grown.parent(new) {
            children[parent.index()].push(places[new.index()]);
        }
    }
    for (place, children) in places.iter().zip(children) {
        if !children.is_empty() {
            sketch.set_children(*place, children);
        }
    }
    sketch.stored.labels |= of_grown.labels;
    sketch.stored.bounds |= of_grown.bounds;
    if is_all {
        take_over(sketch, node, grown, &places);
    } else if of_grown.labels && !stored.labels {
        // The root of a tree without names is published as `*`, and stays so.
        let published = sketch.tree.published(Node::ROOT).into();
        sketch.change(0).label = published;
    }
    sketch.mark(node);
    Ok(())
}

/// Makes a tree of all values the hierarchy: its root, leaves and builder take the place of those
/// before.
fn take_over(sketch: &mut Sketch<'_>, root: usize, grown: &Hierarchy, places: &[usize]) {
    sketch.stored = grown.stored();
    sketch.builder = grown.builder().cloned();
    for new in grown.nodes() {
        let place = places[new.index()];
        if place == root || grown.as_leaf(new).is_some() {
            let Item { children, leaf, is_locked, .. } = sketch.items[place].clone();
            *sketch.change(place) = Item { children, leaf, is_locked, ..Item::of(grown, new) };
        }
    }
}

/// Returns the positions of the leaves of a grown tree.
fn matched(sketch: &Sketch<'_>, node: usize, grown: &Hierarchy) -> Result<Vec<usize>> {
    let range = sketch.tree.leaves_of(Node::new(node));
    if sketch.is_scaled() && grown.leaves().scale().is_some() {
        return Ok(range.map(|leaf| sketch.tree.leaf_node(leaf).index()).collect());
    }
    // Methods may sort words differently, so leaves are matched by their spelling.
    let by_spelling: hashbrown::HashMap<_, Leaf> =
        range.map(|leaf| (sketch.tree.spelling(leaf), leaf)).collect();
    let position = |leaf: Leaf| {
        let own = by_spelling.get(&grown.spelling(leaf)).copied();
        own.map(|leaf| sketch.tree.leaf_node(leaf).index())
    };
    let all: Option<Vec<usize>> = Leaf::first(grown.n_leaves()).map(position).collect();
    all.ok_or_else(|| {
        let method = grown.builder().map_or_else(String::new, Spec::to_string);
        Error::method(&method, "writes values differently from the hierarchy")
    })
}

/// Returns leaves of a tree as a column of a table.
pub(super) fn column(tree: &Hierarchy, leaves: LeafRange) -> Result<Column> {
    let spelt: Vec<_> = leaves.clone().map(|leaf| tree.spelling(leaf)).collect();
    let texts: Vec<&str> = spelt.iter().map(AsRef::as_ref).collect();
    let made = match tree.leaves() {
        Values::Date(_, format) => Values::of_dates(format, &texts),
        values => Values::of_kind(values.kind(), &texts, values.scale().map(Scale::decimal)),
    };
    let (values, codes) = made.map_err(|_| Error::Internal("a value lost its kind".to_owned()))?;
    let mut domain = Domain {
        counts: vec![0; values.len()],
        first_rows: vec![0; values.len()],
        values,
        missing: None,
    };
    for (leaf, &code) in leaves.zip(&codes) {
        domain.counts[code as usize] += tree.count(tree.leaf_node(leaf));
        // Methods that keep the order of the table see the order of the leaves.
        domain.first_rows[code as usize] = u64::from(leaf.get());
    }
    Ok(Column { name: tree.attribute().to_owned(), domain })
}
