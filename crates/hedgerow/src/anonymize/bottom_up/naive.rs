//! Counts all vids again for every generalization; the reference that the index must equal.

use std::collections::BTreeMap;

use super::cut::Step;
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

    fn smallest_after(&self, step: &Step) -> u64 {
        self.after(step).into_values().min().unwrap_or(0)
    }

    fn apply(&mut self, step: &Step) {
        self.vids = self.after(step);
    }
}
