//! A tree while it is edited: nodes with lists of children, and a journal of their former states.

use std::collections::BTreeMap;

use super::item::{Item, edited};
use super::patch::{Patch, Place};
use crate::error::Advice;
use crate::hierarchy::{Hierarchy, Node, Notation, Stored};
use crate::method::Spec;
use crate::{Error, Result};

/// A tree while it is edited.
///
/// Nodes of the tree have their numbers as positions, and new nodes come after them. A position is
/// never reused.
pub(super) struct Sketch<'a> {
    pub(super) tree: &'a Hierarchy,
    pub(super) items: Vec<Item>,
    parents: Vec<Option<usize>>,
    pub(super) root: usize,
    /// Nodes of the tree as they were before they were changed.
    pub(super) journal: BTreeMap<usize, Item>,
    pub(super) stored: Stored,
    pub(super) builder: Option<Spec>,
    /// Groups whose values changed, so that a label that lists values is not true any more.
    pub(super) stale: Vec<usize>,
}

impl<'a> Sketch<'a> {
    /// Takes a tree apart.
    pub(super) fn of(tree: &'a Hierarchy) -> Result<Self> {
        if tree.n_leaves() != tree.leaves().len() {
            let problem =
                "its hierarchy has a node for missing values, which is added for a search";
            let advice = "edit the hierarchy as it was built or read";
            return Err(Error::column(tree.attribute(), problem).advise([Advice::words(advice)]));
        }
        let mut items: Vec<Item> = tree.nodes().map(|node| Item::of(tree, node)).collect();
        let parents: Vec<_> = tree.nodes().map(|node| tree.parent(node).map(Node::index)).collect();
        // Pre-order lists siblings in their order.
        for (node, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                items[parent].children.push(node);
            }
        }
        Ok(Self {
            tree,
            items,
            parents,
            root: 0,
            journal: BTreeMap::new(),
            stored: tree.stored(),
            builder: tree.builder().cloned(),
            stale: Vec::new(),
        })
    }

    /// Whether the values are numbers or dates, whose order is fixed.
    pub(super) fn is_scaled(&self) -> bool {
        self.tree.leaves().scale().is_some()
    }

    pub(super) fn is_leaf(&self, node: usize) -> bool {
        self.items[node].leaf.is_some()
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    pub(super) fn children(&self, node: usize) -> &[usize] {
        &self.items[node].children
    }

    /// Returns a node to be changed, and records its former state.
    pub(super) fn change(&mut self, node: usize) -> &mut Item {
        if node < self.tree.len() {
            self.journal.entry(node).or_insert_with(|| self.items[node].clone());
        }
        &mut self.items[node]
    }

    /// Adds a node, which has no parent yet.
    pub(super) fn add(&mut self, item: Item) -> usize {
        let node = self.items.len();
        for &child in &item.children {
            self.parents[child] = Some(node);
        }
        // Labels and origins of nodes are stored as soon as one node has them.
        self.stored.origins |= !item.origin.is_empty();
        self.items.push(item);
        self.parents.push(None);
        node
    }

    /// Gives a group other children.
    pub(super) fn set_children(&mut self, node: usize, children: Vec<usize>) {
        for &child in &children {
            self.parents[child] = Some(node);
        }
        self.change(node).children = children;
    }

    /// Replaces a node by others in the list of its parent.
    pub(super) fn replace(&mut self, node: usize, by: &[usize]) {
        let Some(parent) = self.parents[node] else {
            // Callers replace the root by one node only.
            self.root = by[0];
            self.parents[by[0]] = None;
            return;
        };
        let place = self.place_in_parent(node, parent);
        let mut children = self.items[parent].children.clone();
        children.splice(place..=place, by.iter().copied());
        self.set_children(parent, children);
    }

    fn place_in_parent(&self, node: usize, parent: usize) -> usize {
        let is_it = |&child: &usize| child == node;
        self.items[parent].children.iter().position(is_it).expect("a parent lists its children")
    }

    /// Sets the label of a group; an empty one is computed from the leaves.
    pub(super) fn set_label(&mut self, node: usize, label: &str) {
        if !self.stored.labels && !label.is_empty() {
            // The root of a tree without names is published as `*`, and stays so.
            self.stored.labels = true;
            let published = self.tree.published(Node::ROOT).into();
            let root = self.root;
            self.change(root).label = published;
        }
        self.change(node).label = label.into();
    }

    /// Notes that a node was edited.
    pub(super) fn mark(&mut self, node: usize) {
        self.stored.origins = true;
        let origin = edited(&self.items[node].origin);
        self.change(node).origin = origin;
    }

    /// The label of a node, as messages quote it.
    pub(super) fn name(&self, node: usize) -> String {
        match &self.items[node].label {
            label if !label.is_empty() => label.to_string(),
            _ if node < self.tree.len() => self.tree.label(Node::new(node)).into_owned(),
            _ => "the new group".to_owned(),
        }
    }

    /// Returns an error about the edited hierarchy.
    pub(super) fn refuse(&self, problem: impl Into<String>) -> Error {
        Error::column(self.tree.attribute(), problem)
    }

    /// Returns an error if a node is locked and would be removed.
    pub(super) fn may_go(&self, node: usize) -> Result<()> {
        if !self.items[node].is_locked {
            return Ok(());
        }
        let problem = format!("'{}' is locked and would be removed", self.name(node));
        Err(self.refuse(problem).advise([Advice::words("unlock it first")]))
    }

    /// Returns an error if a node is a value, which has no children.
    pub(super) fn must_be_group(&self, node: usize) -> Result<()> {
        if self.is_leaf(node) {
            return Err(self.refuse(format!("'{}' is a value, not a group", self.name(node))));
        }
        Ok(())
    }

    /// Whether the label of a group states a range, which must be that of its values.
    pub(super) fn states_range(&self, node: usize) -> bool {
        let label = &self.items[node].label;
        !label.is_empty()
            && matches!(Notation::read_as(self.tree.leaves(), label), Notation::Range(..))
    }

    /// Restores the state of the nodes before another operation.
    pub(super) fn restore(&mut self, patch: &Patch) {
        let first = self.items.len();
        let position = |place: Place| match place {
            Place::Node(node) => node.index(),
            Place::Removed(place) => first + place,
        };
        for former in &patch.removed {
            self.items.push(former.item.clone());
            self.parents.push(None);
        }
        let changed = patch.changed.iter().map(|(node, former)| (node.index(), former));
        let removed = patch.removed.iter().enumerate();
        let all: Vec<_> = changed.chain(removed.map(|(at, former)| (first + at, former))).collect();
        for (node, former) in all {
            let leaf = self.items[node].leaf;
            *self.change(node) = Item { leaf, ..former.item.clone() };
            self.set_children(node, former.children.iter().map(|&place| position(place)).collect());
        }
        self.root = position(patch.root);
        self.parents[self.root] = None;
        self.stored = patch.stored;
        self.builder.clone_from(&patch.builder);
    }
}
