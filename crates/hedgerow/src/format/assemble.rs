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
        let nodes = &self.nodes;
        let mut children = Children::of(nodes);
        let faults = lint::structure(self, &children);
        if let Some(fault) = faults.iter().find(|fault| fault.severity == Severity::Error) {
            return Err(fault.to_error());
        }
        if !matches!(self.kind, Some(Kind::Code | Kind::Text)) {
            let reader = Reader::of(self, &children);
            children.sort_by_value(nodes, |label| match &reader {
                Some(reader) => reader.read(label),
                None => read_number(label),
            });
        }
        let order = children.preorder();
        let leaves: Vec<usize> = order.iter().copied().filter(|&n| children.is_leaf(n)).collect();
        let ranges = leaf_ranges(nodes, &order, &children);
        let spellings: Vec<&str> = leaves.iter().map(|&leaf| &*nodes[leaf].label).collect();
        let values = self.values_in_order(&spellings);
        let counts = leaves.iter().map(|&leaf| nodes[leaf].count).collect();
        let is_scaled = values.scale().is_some();
        let tree = Leaves { attribute: self.attribute.clone(), values, counts };
        let tree = Hierarchy::from_ranges(tree, &ranges)?;
        // Labels of numbers and dates have no surrounding blanks.
        let label = |&node: &usize| match &nodes[node].label {
            label if is_scaled && children.is_leaf(node) => label.trim().into(),
            label => label.clone(),
        };
        let labels: Vec<Box<str>> = order.iter().map(label).collect();
        let is_called =
            |tree: &Hierarchy| tree.nodes().all(|node| tree.label(node) == *labels[node.index()]);
        // Labels are stored only if they differ from the values and ranges.
        let tree = match is_scaled.then(|| stated_bounds(&tree, &order, nodes)) {
            Some((_, false)) if is_called(&tree) => tree,
            Some((bounds, _)) => tree.with_bounds(bounds),
            None => tree,
        };
        let tree = if is_called(&tree) { tree } else { tree.with_labels(labels) };
        let distortions: Option<Vec<f64>> = order.iter().map(|&n| nodes[n].distortion).collect();
        let tree = match distortions {
            Some(distortions) => tree.with_distortions(distortions),
            None => tree,
        };
        let tree = if nodes.iter().all(|node| node.origin.is_empty()) {
            tree
        } else {
            tree.with_origins(order.iter().map(|&node| nodes[node].origin.clone()).collect())
        };
        Ok(match &self.builder {
            Some(spec) => tree.built_by(spec.clone()),
            None => tree,
        })
    }

    /// Returns the leaves as values, which are numbers or dates only if they are in ascending
    /// order.
    fn values_in_order(&self, spellings: &[&str]) -> Values {
        let stated = match (self.kind, &self.dates) {
            (Some(Kind::Date), Some(format)) => Values::of_dates(format, spellings).ok(),
            (Some(kind), _) => Values::of_kind(kind, spellings).ok(),
            (None, _) => None,
        };
        let (values, codes) = stated.unwrap_or_else(|| Values::infer(spellings));
        // Leaves are in tree order; a scale is possible only if that is also the order of values.
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
        ranges.push((next_leaf, next_leaf + n_below[node]));
        next_leaf += u32::from(children.is_leaf(node));
    }
    ranges
}

/// Returns the range of every node, and whether any range exceeds the leaves of its node.
fn stated_bounds(tree: &Hierarchy, order: &[usize], nodes: &[Given]) -> (Vec<(f64, f64)>, bool) {
    let hull = |node: usize| tree.bounds(Node::new(node)).expect("leaves are numbers");
    let mut bounds: Vec<(f64, f64)> = (0..tree.len())
        .map(|node| {
            let (lo, hi) = hull(node);
            if tree.as_leaf(Node::new(node)).is_some() {
                return (lo, hi); // a date is a moment, even if its label names a day
            }
            let given = &nodes[order[node]];
            // `finite_range` assumes whole numbers, which would move an open end by 1, so a range
            // taken from the label is parsed again as these values are.
            let is_label = given.bounds == finite_range(&given.label);
            let of_label = Notation::read_as(tree.leaves(), &given.label).finite_range();
            let stated = if is_label { of_label } else { given.bounds }.unwrap_or((lo, hi));
            (stated.0.min(lo), stated.1.max(hi))
        })
        .collect();
    // The range of a node contains those of its children.
    for node in (1..tree.len()).rev() {
        let parent = tree.parent(Node::new(node)).expect("only the root has none").index();
        let (lo, hi) = bounds[node];
        bounds[parent] = (bounds[parent].0.min(lo), bounds[parent].1.max(hi));
    }
    let differs = |(node, stated): (usize, &(f64, f64))| {
        let (lo, hi) = hull(node);
        stated.0 < lo || stated.1 > hi
    };
    let is_wider = bounds.iter().enumerate().any(differs);
    (bounds, is_wider)
}
