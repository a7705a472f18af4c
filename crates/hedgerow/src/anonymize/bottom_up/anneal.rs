//! Simulated annealing: random changes of a cut that meets the goal, to find one that loses less.

use twox_hash::XxHash3_64;

use super::cut::n_failing;
use super::{BottomUp, Metric};
use crate::Result;
use crate::anonymize::information::{self, Labels, children};
use crate::hierarchy::{Hierarchy, Leaf, Node};
use crate::problem::{Problem, Region};
use crate::progress::{Progress, stop_if_cancelled};

/// The loss of each node; the loss of a cut is the sum over its nodes.
#[derive(Default)]
struct Losses<'a> {
    trees: Vec<&'a Hierarchy>,
    of_nodes: Vec<Vec<f64>>,
    /// Every inner node, with its attribute.
    joints: Vec<(usize, Node)>,
    /// The largest increase of the loss by one change.
    hottest: f64,
}

/// Number of cooling cycles.
const ROUNDS: u64 = 5;

/// Improves the nodes that leaves are published as, while the goal stays met. Returns a note about
/// the saving.
///
/// Each change picks an inner node at random. If the node is in the cut, its children replace it;
/// if all its children are, it replaces them. A change is kept only if the goal stays met. One that
/// raises the loss is kept with a probability that decreases over time and is reset a few times
/// (simulated annealing). The best cut that was seen is the result.
pub(super) fn improve(
    method: &BottomUp,
    problem: &Problem,
    nodes: &mut Vec<Vec<Node>>,
    progress: &dyn Progress,
) -> Result<String> {
    let losses = Losses::of(method, problem);
    let n_tries = u64::from(method.anneal);
    let mut best = nodes.clone();
    let (mut change, mut best_change) = (0.0, 0.0);
    for turn in 0..if losses.joints.is_empty() { 0 } else { n_tries } {
        stop_if_cancelled(progress)?;
        progress.advance(turn, n_tries);
        // Hashing the turn instead of keeping a state makes every draw independent of earlier ones.
        let draw = |what: u8| {
            let key = [&turn.to_le_bytes()[..], &[what]].concat();
            XxHash3_64::oneshot_with_seed(problem.seed(), &key) as f64 / u64::MAX as f64
        };
        let place = (draw(0) * losses.joints.len() as f64) as usize;
        let (attribute, node) = losses.joints[place.min(losses.joints.len() - 1)];
        let Some((rise, changed)) = losses.change(attribute, node, &nodes[attribute]) else {
            continue;
        };
        // The temperature falls linearly within each round; exp(-rise / heat) is the Metropolis
        // rule.
        let heat = losses.hottest * (1.0 - (turn * ROUNDS % n_tries) as f64 / n_tries as f64);
        if rise > 0.0 && draw(1) >= (-rise / heat).exp() {
            continue;
        }
        // The goal is checked last, because it counts all cohorts.
        let former = std::mem::replace(&mut nodes[attribute], changed);
        if n_failing(problem, nodes) > problem.most_suppressed() {
            nodes[attribute] = former;
            continue;
        }
        change += rise;
        if change < best_change {
            best_change = change;
            best.clone_from(nodes);
        }
    }
    *nodes = best;
    Ok(format!("; {n_tries} random changes then saved {:.6}", -best_change))
}

impl<'a> Losses<'a> {
    fn of(method: &BottomUp, problem: &'a Problem) -> Self {
        let n_records = problem.cohorts().n_records() as f64;
        let is_ip = method.metric == Metric::Ip && problem.class().is_some();
        let mut losses = Self::default();
        for (place, attribute) in problem.attributes().iter().enumerate() {
            let Some(tree) = attribute.generalization().hierarchy() else { continue };
            let mut labels = vec![Labels::default(); tree.len()];
            let of_leaves = information::of_leaves(problem, attribute);
            for (leaf, of_leaf) in Leaf::first(of_leaves.len()).zip(of_leaves) {
                labels[tree.leaf_node(leaf).index()] = of_leaf;
            }
            let mut of_nodes = vec![0.0; tree.len()];
            // Nodes are in pre-order, so in reverse every node comes after all its descendants.
            for node in (0..tree.len()).rev() {
                let of_node = std::mem::take(&mut labels[node]);
                let region = Region::Node(Node::new(node));
                let loss = if is_ip { of_node.info() } else { attribute.cost(&region) };
                of_nodes[node] = loss * of_node.n_records() as f64 / n_records;
                if let Some(parent) = tree.parent(Node::new(node)) {
                    labels[parent.index()].absorb(&of_node);
                }
                if tree.as_leaf(Node::new(node)).is_none() {
                    losses.joints.push((place, Node::new(node)));
                }
            }
            losses.trees.push(tree);
            losses.of_nodes.push(of_nodes);
        }
        let rises = losses.joints.iter().map(|&(attribute, node)| losses.rise(attribute, node));
        losses.hottest = rises.fold(f64::MIN_POSITIVE, f64::max);
        losses
    }

    /// Returns the additional loss of a node over its children together.
    fn rise(&self, attribute: usize, node: Node) -> f64 {
        let of_nodes = &self.of_nodes[attribute];
        let of_children = children(self.trees[attribute], node).map(|c| of_nodes[c.index()]);
        (of_nodes[node.index()] - of_children.sum::<f64>()).max(0.0)
    }

    /// Returns the change that a node allows, with the increase of the loss, or `None` if it allows
    /// none.
    fn change(&self, attribute: usize, node: Node, nodes: &[Node]) -> Option<(f64, Vec<Node>)> {
        let tree = self.trees[attribute];
        let first = |node: Node| tree.leaves_of(node).start.index();
        let mut changed = nodes.to_vec();
        let mut fill = |node: Node| {
            changed[tree.leaves_of(node).places()].fill(node);
        };
        let rise = self.rise(attribute, node);
        // The first leaf is published as `node` only if the node is in the cut.
        if nodes[first(node)] == node {
            children(tree, node).for_each(fill);
            return Some((-rise, changed));
        }
        let is_whole = children(tree, node).all(|child| nodes[first(child)] == child);
        fill(node);
        is_whole.then_some((rise, changed))
    }
}
