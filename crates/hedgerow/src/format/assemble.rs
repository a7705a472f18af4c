//! Builds trees from drafts, whose nodes refer to their parents and come in any order.

use super::children::Children;
use super::draft::{Draft, Given};
use super::lint::{self, Reader, Severity};
use crate::Result;
use crate::hierarchy::{Hierarchy, Leaves, Node, Notation, finite_range};
use crate::table::{Kind, Values, read_number};

impl Draft {
    /// Builds a tree, or returns the first error that makes this impossible.
    ///
    /// Nodes are in pre-order. Children are ordered by their least value if the leaves are numbers
    /// or dates, otherwise as in the file. Labels of inner nodes are kept, and so are the ranges
    /// that they state. The kind of the leaves is inferred unless the file states it.
    pub fn assemble(&self) -> Result<Hierarchy> {
        let mut children = Children::of(&self.nodes);
        // Errors are found here, so everything after this can rely on a tree.
        let reader = Reader::of(self, &children);
        let faults = lint::structure(self, &children, reader.as_ref());
        if let Some(fault) = faults.iter().find(|fault| fault.severity == Severity::Error) {
            return Err(fault.to_error());
        }
        if !matches!(self.kind, Some(Kind::Code | Kind::Text)) {
            children.sort_by_value(&self.nodes, |label| match &reader {
                Some(reader) => reader.read(label),
                None => read_number(label),
            });
        }
        // Sorted before the order is taken, because leaf ranges follow it.
        let order = children.preorder();
        let ranges = leaf_ranges(&self.nodes, &order, &children);
        let unnamed = Hierarchy::from_ranges(self.leaves(&order, &children), &ranges)?;
        let named = self.with_stated_names(unnamed, &order, &children);
        Ok(self.with_stated_origin(named, &order))
    }

    /// Returns the leaves with their counts, in pre-order.
    fn leaves(&self, order: &[usize], children: &Children) -> Leaves {
        let leaves: Vec<&Given> = order
            .iter()
            .filter(|&&node| children.is_leaf(node))
            .map(|&leaf| &self.nodes[leaf])
            .collect();
        let spellings: Vec<&str> = leaves.iter().map(|leaf| &*leaf.label).collect();
        let values = self.values_in_order(&spellings);
        let counts = leaves.iter().map(|leaf| leaf.count).collect();
        Leaves { attribute: self.attribute.clone(), values, counts }
    }

    /// Sets the bounds and labels of a tree, unless they are those of the leaves anyway.
    fn with_stated_names(
        &self,
        mut tree: Hierarchy,
        order: &[usize],
        children: &Children,
    ) -> Hierarchy {
        let is_scaled = tree.leaves().scale().is_some();
        // Labels of numbers and dates have no surrounding blanks.
        let label = |&node: &usize| match &self.nodes[node].label {
            label if is_scaled && children.is_leaf(node) => label.trim().into(),
            label => label.clone(),
        };
        let labels: Vec<Box<str>> = order.iter().map(label).collect();
        let is_called =
            |tree: &Hierarchy| tree.nodes().all(|node| tree.label(node) == *labels[node.index()]);
        if is_scaled {
            let (bounds, is_wider) = stated_bounds(&tree, order, &self.nodes);
            if is_wider || !is_called(&tree) {
                tree = tree.with_bounds(bounds);
            }
        }
        // Bounds change the labels, so labels are compared again.
        if !is_called(&tree) {
            tree = tree.with_labels(labels);
        }
        tree
    }

    /// Sets the distortions, the origins, the builder and the locks that the file states.
    fn with_stated_origin(&self, mut tree: Hierarchy, order: &[usize]) -> Hierarchy {
        let nodes = &self.nodes;
        // Kept only if every node has one.
        let distortions: Option<Vec<f64>> = order.iter().map(|&n| nodes[n].distortion).collect();
        if let Some(distortions) = distortions {
            tree = tree.with_distortions(distortions);
        }
        if nodes.iter().any(|node| !node.origin.is_empty()) {
            let origins = order.iter().map(|&node| nodes[node].origin.clone()).collect();
            tree = tree.with_origins(origins);
        }
        if let Some(spec) = &self.builder {
            tree = tree.built_by(spec.clone());
        }
        let locks = tree.nodes().zip(order).filter(|(_, given)| nodes[**given].is_locked);
        let locks = locks.map(|(node, _)| node).collect();
        tree.with_locks(locks)
    }

    /// Returns the leaves as values, which are numbers or dates only if they are in ascending
    /// order.
    fn values_in_order(&self, spellings: &[&str]) -> Values {
        let stated = match (self.kind, &self.dates) {
            (Some(Kind::Date), Some(format)) => Values::of_dates(format, spellings).ok(),
            (Some(kind), _) => Values::of_kind(kind, spellings, None).ok(),
            (None, _) => None,
        };
        let (values, codes) = stated.unwrap_or_else(|| Values::infer("", spellings, 0, None));
        // Leaves are in tree order; a scale is possible only if that is also the order of values.
        // Fewer values than spellings means that two leaves are the same number.
        let in_order = values.len() == spellings.len()
            && codes.iter().enumerate().all(|(place, &code)| place == code as usize);
        let as_given = || spellings.iter().map(|&spelling| spelling.into()).collect();
        match values {
            values if in_order => values,
            Values::Code(_) => Values::Code(as_given()),
            _ => Values::Text(as_given()),
        }
    }
}

fn leaf_ranges(nodes: &[Given], order: &[usize], children: &Children) -> Vec<(u32, u32)> {
    let mut n_below = vec![0; nodes.len()];
    // Backwards through pre-order, children come before their parents.
    for &node in order.iter().rev() {
        if children.is_leaf(node) {
            n_below[node] = 1;
        }
        if let Some(parent) = nodes[node].parent {
            n_below[parent] += n_below[node];
        }
    }
    let mut next_leaf = 0;
    let mut ranges = Vec::with_capacity(order.len());
    for &node in order {
        // In pre-order, the leaves below a node are the next ones.
        ranges.push((next_leaf, next_leaf + n_below[node]));
        next_leaf += u32::from(children.is_leaf(node));
    }
    ranges
}

/// Returns the range of every node, and whether any range exceeds the leaves of its node.
fn stated_bounds(tree: &Hierarchy, order: &[usize], nodes: &[Given]) -> (Vec<(f64, f64)>, bool) {
    let mut bounds: Vec<(f64, f64)> = tree
        .nodes()
        .zip(order)
        .map(|(node, &given)| stated_range(tree, node, &nodes[given]))
        .collect();
    // The range of a node contains those of its children.
    for node in (1..tree.len()).rev() {
        let parent = tree.parent(Node::new(node)).expect("only the root has none").index();
        let (lo, hi) = bounds[node];
        bounds[parent] = (bounds[parent].0.min(lo), bounds[parent].1.max(hi));
    }
    let differs = |(node, stated): (Node, &(f64, f64))| {
        let (lo, hi) = hull(tree, node);
        stated.0 < lo || stated.1 > hi
    };
    let is_wider = tree.nodes().zip(&bounds).any(differs);
    (bounds, is_wider)
}

/// Returns the range that the file states for a node, widened to the values of its leaves.
fn stated_range(tree: &Hierarchy, node: Node, given: &Given) -> (f64, f64) {
    let (lo, hi) = hull(tree, node);
    if tree.as_leaf(node).is_some() {
        return (lo, hi); // a date is a moment, even if its label names a day
    }
    // `finite_range` assumes whole numbers, which would move an open end by 1, so a range taken
    // from the label is parsed again as these values are.
    let is_label = given.bounds == finite_range(&given.label);
    let of_label = Notation::read_as(tree.leaves(), &given.label).finite_range();
    let stated = if is_label { of_label } else { given.bounds }.unwrap_or((lo, hi));
    (stated.0.min(lo), stated.1.max(hi))
}

/// Returns the least and the greatest value below a node of a tree that has no bounds yet.
fn hull(tree: &Hierarchy, node: Node) -> (f64, f64) {
    tree.bounds(node).expect("leaves are numbers")
}
