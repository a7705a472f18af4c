//! Makes a tree of an edited one, checks it, and finds the inverse of the edit.

use super::item::Item;
use super::patch::{Former, Patch, Place, print};
use super::sketch::Sketch;
use crate::error::Advice;
use crate::format::lint;
use crate::hierarchy::{Hierarchy, Leaf, LeafRange, Leaves, Node, Notation, set_label};
use crate::table::Values;
use crate::{Error, Result};

/// The nodes of an edited tree in pre-order.
struct Layout {
    /// Their positions in the sketch.
    order: Vec<usize>,
    /// Their ranges of leaves.
    ranges: Vec<(u32, u32)>,
    /// The leaves in their new order, by their former numbers.
    leaves: Vec<Leaf>,
    /// The number of each node of the sketch, unless it was removed.
    numbers: Vec<Option<Node>>,
}

/// A tree that was edited, and the inverse of the edit.
pub(super) struct Finished {
    pub(super) tree: Hierarchy,
    pub(super) patch: Patch,
    pub(super) node: Node,
}

impl Sketch<'_> {
    /// Makes a tree, or returns an error if it would not be valid or would be the same.
    ///
    /// `focus` is the node that the operation was about. If it was removed, the root takes its
    /// place.
    pub(super) fn finish(mut self, of: &'static str, focus: usize) -> Result<Finished> {
        let layout = self.lay_out()?;
        self.list_values(&layout);
        let tree = self.assemble(&layout)?;
        self.check(&tree)?;
        let patch = self.patch(of, &layout, print(&tree));
        Ok(Finished { tree, patch, node: layout.numbers[focus].unwrap_or(Node::ROOT) })
    }

    fn lay_out(&self) -> Result<Layout> {
        let broken = || Error::Internal("an edit made something else than a tree".to_owned());
        let mut numbers = vec![None; self.items.len()];
        let mut order = Vec::with_capacity(self.items.len());
        let mut above = Vec::with_capacity(self.items.len());
        let mut open = vec![(self.root, 0)];
        while let Some((node, parent)) = open.pop() {
            let number = order.len();
            // A node that is reached twice has two parents.
            if numbers[node].replace(Node::new(number)).is_some() {
                return Err(broken());
            }
            order.push(node);
            above.push(parent);
            // Reversed, because the stack returns the last one first.
            open.extend(self.items[node].children.iter().rev().map(|&child| (child, number)));
        }
        let leaves: Vec<Leaf> = order.iter().filter_map(|&node| self.items[node].leaf).collect();
        let is_whole = |&node: &usize| self.is_leaf(node) == self.items[node].children.is_empty();
        if leaves.len() != self.tree.n_leaves() || !order.iter().all(is_whole) {
            return Err(broken());
        }
        let ranges = self.ranges(&order, &above);
        Ok(Layout { order, ranges, leaves, numbers })
    }

    /// Returns the leaf ranges of nodes in pre-order, given the number of the parent of each.
    fn ranges(&self, order: &[usize], above: &[usize]) -> Vec<(u32, u32)> {
        let mut n_below: Vec<u32> =
            order.iter().map(|&node| u32::from(self.is_leaf(node))).collect();
        // Backwards through pre-order, children come before their parents.
        for node in (1..order.len()).rev() {
            n_below[above[node]] += n_below[node];
        }
        let mut next = 0;
        let range = |(&node, n): (&usize, u32)| {
            let start = next;
            next += u32::from(self.is_leaf(node));
            (start, start + n)
        };
        order.iter().zip(n_below).map(range).collect()
    }

    /// Writes labels that list values again if the values changed.
    fn list_values(&mut self, layout: &Layout) {
        for node in std::mem::take(&mut self.stale) {
            let Some(number) = layout.numbers[node] else { continue };
            let lists = |label: &str| {
                matches!(Notation::read(label), Notation::Set(_) | Notation::PartialSet(..))
            };
            // A name stays; only a list of values follows the values.
            if self.is_leaf(node) || !lists(&self.items[node].label) {
                continue;
            }
            let (start, end) = layout.ranges[number.index()];
            let leaves = &layout.leaves[start as usize..end as usize];
            let label = set_label(leaves.iter().map(|&leaf| self.tree.spelling(leaf)));
            self.change(node).label = label.into();
        }
    }

    fn assemble(&self, layout: &Layout) -> Result<Hierarchy> {
        let tree = self.tree;
        let count =
            |&leaf: &Leaf| tree.ground().count(&LeafRange { start: leaf, end: leaf.next() });
        let leaves = Leaves {
            attribute: tree.attribute().to_owned(),
            values: self.values(&layout.leaves)?,
            counts: layout.leaves.iter().map(count).collect(),
        };
        let mut made = Hierarchy::from_ranges(leaves, &layout.ranges)?;
        let items = || layout.order.iter().map(|&node| &self.items[node]);
        if self.stored.bounds {
            let hull = |node: Node| made.bounds(node).unwrap_or((f64::NAN, f64::NAN));
            let bounds = made.nodes().zip(items());
            let bounds = bounds.map(|(node, item)| item.bounds.unwrap_or_else(|| hull(node)));
            let bounds = bounds.collect();
            made = made.with_bounds(bounds);
        }
        if self.stored.labels {
            made = made.with_labels(items().map(|item| item.label.clone()).collect());
        }
        if self.stored.distortions {
            let distortions = distortions(&made, items());
            made = made.with_distortions(distortions);
        }
        if self.stored.origins {
            made = made.with_origins(items().map(|item| item.origin.clone()).collect());
        }
        if let Some(builder) = &self.builder {
            made = made.built_by(builder.clone());
        }
        let locks = made.nodes().zip(items()).filter(|(_, item)| item.is_locked);
        let locks = locks.map(|(node, _)| node).collect();
        Ok(made.with_locks(locks))
    }

    /// Returns the values in a new order.
    fn values(&self, leaves: &[Leaf]) -> Result<Values> {
        let in_order = |texts: &[Box<str>]| {
            leaves.iter().map(|leaf| texts[leaf.index()].clone()).collect::<Vec<_>>()
        };
        match self.tree.leaves() {
            Values::Text(texts) => Ok(Values::Text(in_order(texts))),
            Values::Code(texts) => Ok(Values::Code(in_order(texts))),
            scaled if leaves.is_sorted() => Ok(scaled.clone()),
            _ => Err(self.refuse("its values would not be in ascending order any more")),
        }
    }

    /// Returns an error if the edited tree is not valid, although the tree was, or is the same.
    fn check(&self, tree: &Hierarchy) -> Result<()> {
        let nested = tree.locks().windows(2).find(|pair| {
            let [outer, inner] = [pair[0], pair[1]].map(|node| tree.leaves_of(node));
            outer.covers(&inner)
        });
        if let Some(pair) = nested {
            let [outer, inner] = [pair[0], pair[1]].map(|node| tree.label(node));
            let problem =
                format!("'{inner}' would be a locked node below the locked node '{outer}'");
            return Err(self.refuse(problem).advise([Advice::words("unlock one of them first")]));
        }
        // A fault that the hierarchy had before must not prevent other edits.
        if let Some(found) = lint::misplaced_value(tree)
            && lint::misplaced_value(self.tree).is_none()
        {
            return Err(self.refuse(found).advise([Advice::words("choose another label")]));
        }
        if tree == self.tree {
            return Err(self.refuse("the hierarchy would stay the same"));
        }
        Ok(())
    }

    /// Returns the inverse of the edit.
    fn patch(&self, of: &'static str, layout: &Layout, print: u64) -> Patch {
        let is_gone = |node: &usize| layout.numbers[*node].is_none();
        let gone: Vec<usize> = (0..self.tree.len()).filter(is_gone).collect();
        let place = |&node: &usize| match layout.numbers[node] {
            Some(number) => Place::Node(number),
            None => Place::Removed(gone.partition_point(|&other| other < node)),
        };
        let former = |item: &Item| {
            let children = item.children.iter().map(place).collect();
            Former { item: Item { children: Vec::new(), ..item.clone() }, children }
        };
        // A removed node that was not changed is still as it was.
        let before = |node: &usize| former(self.journal.get(node).unwrap_or(&self.items[*node]));
        let changed = self
            .journal
            .iter()
            .filter_map(|(node, item)| Some((layout.numbers[*node]?, former(item))));
        Patch {
            of,
            print,
            root: place(&0),
            changed: changed.collect(),
            removed: gone.iter().map(before).collect(),
            stored: self.tree.stored(),
            builder: self.tree.builder().cloned(),
        }
    }
}

/// Returns the distortions of nodes. A new group has the greatest distortion of its children.
fn distortions<'a>(tree: &Hierarchy, items: impl Iterator<Item = &'a Item>) -> Vec<f64> {
    let stated: Vec<Option<f64>> = items.map(|item| item.distortion).collect();
    let mut greatest = vec![0.0; tree.len()];
    // Backwards, children come before their parents; a group loses at least as much as they do.
    for node in (0..tree.len()).rev() {
        greatest[node] = stated[node].unwrap_or(greatest[node]);
        if let Some(parent) = tree.parent(Node::new(node)) {
            greatest[parent.index()] = f64::max(greatest[parent.index()], greatest[node]);
        }
    }
    greatest
}
