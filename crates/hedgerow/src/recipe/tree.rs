//! Labels of a hierarchy as a tree, so that attacks can read a release.

use std::cmp::Reverse;

use super::bind::Bound;
use crate::hierarchy::{Hierarchy, Leaves};
use crate::table::{Code, Column, Values};

/// A node of a tree: the leaves from `start` to `end`, which is excluded.
struct Labelled {
    start: u32,
    end: u32,
    text: Box<str>,
}

impl Bound<'_> {
    /// The labels above the values of a column as a tree, or `None` if the column had no hierarchy.
    /// Labels that overlap others are left out.
    pub(super) fn tree(&self, column: &Column) -> Option<Hierarchy> {
        let n_values = column.domain.len();
        if self.rule.free || n_values == 0 {
            return None;
        }
        let order = self.tree_order(n_values);
        let mut place_of = vec![0; n_values];
        order.iter().enumerate().for_each(|(place, &leaf)| place_of[leaf as usize] = place as u32);
        let spelling = |leaf: u32| column.domain.spelling(Code::from(leaf)).into();
        let leaves = order.iter().zip(0..).map(|(&leaf, place)| Labelled {
            start: place,
            end: place + 1,
            text: spelling(leaf),
        });
        // Values that were never seen are leaves too, below the root alone.
        let mut nodes: Vec<Labelled> = leaves.collect();
        for label in &self.labels[..self.rule.labels.len()] {
            let own = label.runs.iter().flat_map(|&(start, end)| start..end);
            let mut places: Vec<u32> =
                own.filter_map(|leaf| place_of.get(leaf as usize).copied()).collect();
            places.sort_unstable();
            let (Some(&first), Some(&last)) = (places.first(), places.last()) else { continue };
            // A node of a tree covers neighbours; a label with gaps cannot be one.
            let is_run = (last - first) as usize + 1 == places.len();
            // The label of a value is its leaf.
            let is_value = places.len() == 1 && *label.text == *nodes[first as usize].text;
            if is_run && !is_value && &*label.text != "*" {
                nodes.push(Labelled { start: first, end: last + 1, text: label.text.clone() });
            }
        }
        let root = Labelled { start: 0, end: n_values as u32, text: "*".into() };
        let nodes = nested(root, nodes);
        let values = match &column.domain.values {
            Values::Text(texts) => Values::Text(reordered(texts, &order)),
            Values::Code(texts) => Values::Code(reordered(texts, &order)),
            ordered => ordered.clone(),
        };
        let leaves = Leaves { attribute: column.name.clone(), values, counts: Vec::new() };
        let (ranges, labels): (Vec<(u32, u32)>, Vec<Box<str>>) =
            nodes.into_iter().map(|node| ((node.start, node.end), node.text)).unzip();
        Some(Hierarchy::from_ranges(leaves, &ranges).ok()?.with_labels(labels))
    }

    /// The leaves in the order of the hierarchy of the recipe.
    fn tree_order(&self, n_values: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n_values as u32).collect();
        if self.scale.is_none() {
            // Words of one group are adjacent in the order of the recipe; unseen ones come last.
            let place = |leaf: u32| self.places[leaf as usize];
            order.sort_by_key(|&leaf| (place(leaf).is_none(), place(leaf), leaf));
        }
        order
    }
}

/// The nodes in pre-order below a root, without those that overlap others.
fn nested(root: Labelled, mut nodes: Vec<Labelled>) -> Vec<Labelled> {
    // Leaves were listed first, and a stable sort would put them before groups of the same leaf.
    nodes.reverse();
    nodes.sort_by_key(|node| (node.start, Reverse(node.end)));
    let mut kept = vec![root];
    let mut open_ends: Vec<u32> = Vec::new();
    for node in nodes {
        // The ends of the nodes on the path from the root to the last one; those that end before
        // this node are left.
        while open_ends.last().is_some_and(|&end| end <= node.start) {
            open_ends.pop();
        }
        if open_ends.last().is_none_or(|&end| node.end <= end) {
            open_ends.push(node.end);
            kept.push(node);
        }
    }
    kept
}

fn reordered(texts: &[Box<str>], order: &[u32]) -> Vec<Box<str>> {
    order.iter().map(|&leaf| texts[leaf as usize].clone()).collect()
}
