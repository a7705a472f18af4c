//! Counts all vids again for every generalization; the reference that the index must equal.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::cut::{Cut, Step};
use super::{Counts, Vids};
use crate::hierarchy::{Hierarchy, Node};

/// The vids with their numbers of records.
pub(super) struct Recount<'a> {
    trees: Vec<&'a Hierarchy>,
    vids: BTreeMap<Box<[Node]>, u64>,
}

impl<'a> Recount<'a> {
    pub(super) fn new(vids: &Vids, trees: Vec<&'a Hierarchy>) -> Self {
        Self { trees, vids: vids.iter().map(|(vid, count)| (vid.into(), count)).collect() }
    }

    fn after(&self, step: &Step) -> BTreeMap<Box<[Node]>, u64> {
        let mut after = BTreeMap::new();
        for (vid, count) in &self.vids {
            let mut vid = vid.clone();
            let node = &mut vid[step.attribute];
            if step.joins(self.trees[step.attribute], *node) {
                *node = step.to;
            }
            *after.entry(vid).or_default() += count;
        }
        after
    }

    /// Whether a generalization gives a vid the value of another that is equal in all attributes
    /// before.
    fn merges(&self, vid: &[Node], step: &Step) -> bool {
        let (prefix, own) = (&vid[..step.attribute], vid[step.attribute]);
        let joins = |node: Node| step.joins(self.trees[step.attribute], node);
        let from: (Bound<&[Node]>, Bound<&[Node]>) = (Bound::Included(prefix), Bound::Unbounded);
        let near =
            self.vids.range::<[Node], _>(from).take_while(|(other, _)| other.starts_with(prefix));
        let mut values = near.map(|(other, _)| other[step.attribute]);
        joins(own) && values.any(|value| value != own && joins(value))
    }
}

impl Counts for Recount<'_> {
    fn len(&self) -> usize {
        self.vids.len()
    }

    fn smallest(&self) -> u64 {
        self.vids.values().copied().min().unwrap_or(0)
    }

    fn sizes(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.vids.values().copied())
    }

    fn candidates(&self, cut: &Cut<'_>) -> Vec<Step> {
        let fewest = self.smallest();
        let smallest = || self.vids.iter().filter(|(_, count)| **count == fewest);
        cut.open().filter(|step| smallest().all(|(vid, _)| self.merges(vid, step))).collect()
    }

    fn smallest_after(&self, step: &Step) -> u64 {
        self.after(step).into_values().min().unwrap_or(0)
    }

    fn apply(&mut self, step: &Step) {
        self.vids = self.after(step);
    }
}
