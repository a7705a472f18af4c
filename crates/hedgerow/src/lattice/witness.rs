//! Groups of records whose classes were too small before, so that a node can be given up uncounted.

use super::Ladder;
use super::groups::{Groups, Merger};
use crate::hierarchy::Level;

/// Number of witnesses that are asked about a node.
const MOST: usize = 6;

/// Number of groups that are added up before the sum is looked at.
const AT_ONCE: usize = 256;

/// Bits of a level in a packed tuple of levels. The highest one is free for carries.
const BITS: usize = 4;

/// Most attributes whose levels fit into one word.
const MOST_ATTRIBUTES: usize = u64::BITS as usize / BITS;

/// The free bits of all levels.
const CARRIES: u64 = 0x8888_8888_8888_8888;

/// Most leaves of all attributes together, because every witness needs a number for each.
const MOST_LEAVES: usize = 10_000;

/// Groups of records that were in small classes. The class of such a group at another node is often
/// too small as well, and its size follows from the levels at which the others join the group.
///
/// All levels must be nested.
#[derive(Debug, Clone, Default)]
pub(super) struct Witnesses {
    /// The witnesses, the last successful one first.
    all: Vec<Witness>,
}

/// A group, by the other groups that join it.
#[derive(Debug, Clone)]
struct Witness {
    /// For each group, the lowest level of each attribute at which it joins, packed.
    joins: Vec<u64>,
}

/// Whether the levels of these attributes can be packed.
pub(super) fn is_possible(ladders: &[Ladder]) -> bool {
    let n_leaves: usize = ladders.iter().map(|ladder| ladder.rung(ladder.top()).firsts.len()).sum();
    ladders.len() <= MOST_ATTRIBUTES
        && ladders.iter().all(|ladder| ladder.top().index() < 1 << (BITS - 1))
        && n_leaves <= MOST_LEAVES
}

/// The levels of a node in one word.
fn packed(levels: impl Iterator<Item = usize>) -> u64 {
    levels.enumerate().fold(0, |word, (place, level)| word | (level as u64) << (place * BITS))
}

impl Witnesses {
    /// Whether the class of a witness has fewer than `least` records at a node, given the number of
    /// records of each group.
    pub(super) fn find_small(&mut self, levels: &[Level], counts: &[u64], least: u64) -> bool {
        // Levels that cannot be packed have no witnesses.
        if self.all.is_empty() {
            return false;
        }
        let node = packed(levels.iter().map(|level| level.index())) | CARRIES;
        let is_small = |witness: &Witness| witness.is_small(node, counts, least);
        let Some(place) = self.all.iter().position(is_small) else { return false };
        self.all[..=place].rotate_right(1);
        true
    }

    /// Adds a group as a witness; the one that was successful the longest time ago goes.
    pub(super) fn add(
        &mut self,
        group: usize,
        groups: &Groups,
        merger: &Merger,
        ladders: &[Ladder],
    ) {
        let of_attribute = |(place, ladder): (usize, &Ladder)| {
            let own = merger.packing().leaf(groups, group, place);
            let levels = joining_levels(ladder, own).into_iter();
            levels.map(|level| level << (place * BITS)).collect()
        };
        let of_leaf: Vec<Vec<u64>> = ladders.iter().enumerate().map(of_attribute).collect();
        if let Some(joins) = merger.joined(groups, &of_leaf) {
            self.all.truncate(MOST - 1);
            self.all.insert(0, Witness { joins });
        }
    }
}

impl Witness {
    /// Whether fewer than `least` records join the group at the levels of a node.
    fn is_small(&self, node: u64, counts: &[u64], least: u64) -> bool {
        let mut joined = 0;
        for (joins, counts) in self.joins.chunks(AT_ONCE).zip(counts.chunks(AT_ONCE)) {
            for (&join, &count) in joins.iter().zip(counts) {
                // No level of `join` is above that of the node if the difference keeps all carries.
                let is_inside = (node - join) & CARRIES == CARRIES;
                joined += count * u64::from(is_inside);
            }
            if joined >= least {
                return false;
            }
        }
        true
    }
}

/// The lowest level at which each leaf is in one group with the leaf `own`.
fn joining_levels(ladder: &Ladder, own: usize) -> Vec<u64> {
    let n_leaves = ladder.rung(ladder.top()).firsts.len();
    let mut joining = vec![ladder.top().index() as u64; n_leaves];
    for level in (0..ladder.top().index()).rev() {
        let firsts = &ladder.rung(Level::new(level)).firsts;
        let leaves = joining.iter_mut().zip(firsts);
        leaves.filter(|(_, first)| **first == firsts[own]).for_each(|(at, _)| *at = level as u64);
    }
    joining
}
