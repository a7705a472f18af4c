//! The highest nodes that lose less than a given loss, where no record may be suppressed.

use super::{Objective, ROUNDING};
use crate::lattice::{Grid, Nodes, Vertex};

/// How much more than the limit a part of a sum may be before the sum is given up, so that rounding
/// gives up none that is below it.
const SLACK: f64 = 1e-9;

/// The loss of every node of a lattice as a sum over the attributes.
///
/// If no record may be suppressed and levels nest, a node that fails rules out all nodes below it. So
/// the least loss is proved once every node of the frontier fails: the nodes that lose less than
/// the best one, without those below another such node. They follow from the losses alone, and few
/// nodes of a lattice are among them.
#[derive(Debug)]
pub(super) struct Frontier {
    /// What each attribute adds at each of its levels in the grid, in ascending order.
    added: Vec<Vec<f64>>,
    /// The place of the first level of each attribute on which it alone makes no class too small.
    firsts: Vec<usize>,
    /// The least that the attributes from this one on add.
    rest: Vec<f64>,
}

impl Frontier {
    /// The losses of the nodes of a grid, or `None` if the loss is not such a sum.
    pub(super) fn of(objective: &Objective, nodes: &Nodes<'_>, grid: &Grid) -> Option<Self> {
        let lows = grid.lows();
        let added = objective.of_levels_alone(nodes, lows)?;
        let is_ascending = |of_levels: &Vec<f64>| of_levels.is_sorted();
        if added.is_empty() || !added.iter().all(is_ascending) {
            return None;
        }
        let floors = nodes.ladders().iter().zip(lows).map(|(ladder, low)| {
            // No record may fail, so rare values have to be generalized.
            ladder.floor(0).index().saturating_sub(low.index())
        });
        let firsts: Vec<usize> = floors.collect();
        let mut rest = vec![0.0; added.len() + 1];
        for place in (0..added.len()).rev() {
            rest[place] = rest[place + 1] + added[place][firsts[place]];
        }
        Some(Self { added, firsts, rest })
    }

    /// The nodes that lose less than `least` while every node directly above them does not. Nodes on
    /// many levels come first, because they are most likely to be private.
    pub(super) fn below(&self, least: f64, grid: &Grid) -> Vec<Vertex> {
        let limit = least - ROUNDING;
        let last = self.added.len() - 1;
        // The attributes before `last` take all combinations of levels that can stay below the limit.
        let mut at = self.firsts.clone();
        let mut sums = vec![0.0; self.added.len()];
        let mut place = 0;
        let mut found: Vec<(usize, Vertex)> = Vec::new();
        loop {
            if place == last {
                let highest = self.added[last].partition_point(|added| sums[last] + added < limit);
                if highest > self.firsts[last] {
                    at[last] = highest - 1;
                    if self.is_maximal(&mut at, limit) {
                        found.push((at.iter().sum(), grid.at(&at)));
                    }
                }
            } else if let Some(added) = self.added[place].get(at[place])
                && sums[place] + added + self.rest[place + 1] < limit + SLACK
            {
                sums[place + 1] = sums[place] + added;
                place += 1;
                at[place] = self.firsts[place];
                continue;
            }
            // No higher level of this attribute stays below the limit.
            if place == 0 {
                break;
            }
            place -= 1;
            at[place] += 1;
        }
        found.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        found.into_iter().map(|(_, node)| node).collect()
    }

    /// Whether every node directly above loses at least `limit`.
    fn is_maximal(&self, at: &mut [usize], limit: f64) -> bool {
        (0..at.len()).all(|place| {
            if at[place] + 1 == self.added[place].len() {
                return true;
            }
            at[place] += 1;
            let loss: f64 = self.added.iter().zip(&*at).map(|(added, &level)| added[level]).sum();
            at[place] -= 1;
            loss >= limit
        })
    }
}
