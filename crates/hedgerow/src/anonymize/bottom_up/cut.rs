//! The cut through each tree: the node that represents each value, and the valid next steps.

use std::collections::BTreeSet;

use hashbrown::HashMap;

use super::{BottomUp, Metric};
use crate::Result;
use crate::anonymize::information::{self, Labels, children, rank};
use crate::hierarchy::{Hierarchy, Leaf, Node};
use crate::noun::counted;
use crate::privacy::unmet;
use crate::problem::{Attribute, Problem, Region, Tally};

/// A generalization of an attribute: nodes of the cut are replaced by their parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub(super) attribute: usize,
    /// The node that replaces them.
    pub(super) to: Node,
    /// The only child that is replaced, or `None` if all children are.
    pub(super) child: Option<Node>,
}

impl Step {
    /// Whether a node of the cut takes part: it is replaced, or it is the replacement already.
    pub(super) fn joins(&self, tree: &Hierarchy, node: Node) -> bool {
        let is_child = |node| match self.child {
            Some(child) => child == node,
            None => tree.parent(node) == Some(self.to),
        };
        node == self.to || is_child(node)
    }
}

/// The cut of every attribute.
pub(super) struct Cut<'a> {
    metric: Metric,
    is_partial: bool,
    n_records: f64,
    columns: Vec<Column<'a>>,
    /// The generalizations that are valid now, ordered by their loss.
    open: BTreeSet<(u64, Step)>,
}

struct Column<'a> {
    attribute: &'a Attribute,
    tree: &'a Hierarchy,
    /// The class labels of the records at each node of the cut.
    records: Vec<Labels>,
    /// Number of children that must be generalized before a node can be.
    waits_for: Vec<u32>,
    /// Whether a node was replaced by its parent.
    is_gone: Vec<bool>,
    is_constant: bool,
}

impl<'a> Column<'a> {
    /// The column at the start, when the cut consists of its leaves.
    fn new(problem: &Problem, attribute: &'a Attribute, is_partial: bool) -> Result<Self> {
        let tree = information::tree_of(attribute)?;
        let mut records = vec![Labels::default(); tree.len()];
        let of_leaves = information::of_leaves(problem, attribute);
        for (leaf, labels) in Leaf::first(of_leaves.len()).zip(of_leaves) {
            records[tree.leaf_node(leaf).index()] = labels;
        }
        let mut waits_for = vec![0; tree.len()];
        // A node waits for its inner children, in partial mode for all children.
        for node in tree.nodes().skip(1) {
            if let Some(parent) = tree.parent(node)
                && (is_partial || tree.as_leaf(node).is_none())
            {
                waits_for[parent.index()] += 1;
            }
        }
        let (is_gone, is_constant) = (vec![false; tree.len()], attribute.is_constant());
        Ok(Self { attribute, tree, records, waits_for, is_gone, is_constant })
    }
}

impl<'a> Cut<'a> {
    /// Starts with the cut of all leaves.
    pub(super) fn new(problem: &'a Problem, method: &BottomUp) -> Result<Self> {
        // Without a column to predict there is no information to lose, so the cost of cells
        // decides.
        let metric = if problem.class().is_some() { method.metric } else { Metric::Lm };
        let is_partial = method.partial;
        let columns = problem
            .attributes()
            .iter()
            .map(|attribute| Column::new(problem, attribute, is_partial))
            .collect::<Result<_>>()?;
        let n_records = problem.cohorts().n_records() as f64;
        let mut cut = Self { metric, is_partial, n_records, columns, open: BTreeSet::new() };
        // At the start, only steps from leaves are open.
        for attribute in 0..cut.columns.len() {
            for node in cut.columns[attribute].tree.nodes() {
                cut.open_from(attribute, node);
            }
        }
        Ok(cut)
    }

    pub(super) fn trees(&self) -> Vec<&'a Hierarchy> {
        self.columns.iter().map(|column| column.tree).collect()
    }

    /// Iterates over the valid generalizations by ascending loss.
    pub(super) fn open(&self) -> impl Iterator<Item = Step> {
        self.open.iter().map(|&(_, step)| step)
    }

    pub(super) fn is_open(&self, step: &Step) -> bool {
        self.open.contains(&(rank(self.loss(step)), *step))
    }

    /// Returns I(G), or the mean cost increase of a record in this attribute.
    pub(super) fn loss(&self, step: &Step) -> f64 {
        // With `Metric::Ip` this is I(G), the information that merging the parts loses.
        let column = &self.columns[step.attribute];
        let of = |node: Node| &column.records[node.index()];
        match self.metric {
            Metric::Ip => {
                // In partial mode, records that were generalized earlier are at the target already.
                let parts = self.sources(step).into_iter().chain([step.to]);
                Labels::gap(parts.map(of))
            }
            Metric::Lm => {
                let cost = |node| column.attribute.cost(&Region::Node(node));
                let more =
                    |node| of(node).n_records() as f64 * (cost(step.to) - cost(node)).max(0.0);
                self.sources(step).into_iter().map(more).sum::<f64>() / self.n_records
            }
        }
    }

    /// Applies a generalization.
    pub(super) fn apply(&mut self, step: &Step) {
        let Step { attribute, to, .. } = *step;
        // The losses of these steps change, so they are removed under their old keys.
        for sibling in self.steps_to(attribute, to) {
            let key = (rank(self.loss(&sibling)), sibling);
            self.open.remove(&key);
        }
        for node in self.sources(step) {
            let column = &mut self.columns[attribute];
            let records = std::mem::take(&mut column.records[node.index()]);
            column.records[to.index()].absorb(&records);
            column.is_gone[node.index()] = true;
            if self.is_partial {
                column.waits_for[to.index()] -= 1;
            }
        }
        let column = &mut self.columns[attribute];
        let parent = column.tree.parent(to);
        if self.is_partial {
            for node in children(column.tree, to) {
                self.open_from(attribute, node);
            }
            self.open_from(attribute, to);
        } else if let Some(parent) = parent {
            // A parent is open once all its inner children were generalized.
            column.waits_for[parent.index()] -= 1;
            self.open_from(attribute, parent);
        }
    }

    /// Returns the node of the cut for each leaf of each attribute.
    pub(super) fn nodes(&self) -> Vec<Vec<Node>> {
        (0..self.columns.len()).map(|attribute| self.leaf_nodes(attribute)).collect()
    }

    /// Returns the node of the cut for each leaf of an attribute: the leaf itself or an ancestor.
    ///
    /// A node to which only one child was generalized still publishes that child.
    fn leaf_nodes(&self, attribute: usize) -> Vec<Node> {
        let Column { tree, is_gone, .. } = &self.columns[attribute];
        let mut n_gone = vec![0; tree.len()];
        let mut nodes: Vec<Node> = tree.nodes().collect();
        for node in (1..nodes.len()).filter(|&node| is_gone[node]) {
            n_gone[tree.parent(Node::new(node)).unwrap_or(Node::ROOT).index()] += 1;
        }
        // Pre-order: the node of a parent is final before its children are visited.
        for node in 1..nodes.len() {
            if let Some(parent) = tree.parent(Node::new(node)).filter(|_| is_gone[node])
                && (n_gone[parent.index()] > 1 || is_gone[parent.index()])
            {
                nodes[node] = nodes[parent.index()];
            }
        }
        Leaf::first(tree.n_leaves()).map(|leaf| nodes[tree.leaf_node(leaf).index()]).collect()
    }

    /// Returns the number of records in classes that are not private.
    pub(super) fn n_failing(&self, problem: &Problem) -> u64 {
        n_failing(problem, &self.nodes())
    }

    /// Describes the failure: the attained value of each model that some class does not meet, and
    /// the number of records in such classes.
    pub(super) fn failure(&self, problem: &Problem) -> String {
        let goal = problem.goal();
        let failing = failing(problem, &self.nodes());
        let mut reasons: Vec<String> = Vec::new();
        for (place, model) in goal.models().iter().enumerate() {
            let views = failing.iter().map(|class| goal.view(class, place));
            let attained = views.filter(|class| !model.holds(class)).map(|c| model.attained(&c));
            if let Some(weakest) = model.sense().weakest(attained) {
                let what = format!("a class {}", model.attains());
                reasons.push(unmet(model.as_ref(), &what, weakest));
            }
        }
        let n_failing: u64 = failing.iter().map(Tally::size).sum();
        format!("{} ({} in such classes)", reasons.join(" and "), counted(n_failing, "record"))
    }

    /// Returns the nodes that a generalization replaces.
    fn sources(&self, step: &Step) -> Vec<Node> {
        match step.child {
            Some(child) => vec![child],
            None => children(self.columns[step.attribute].tree, step.to).collect(),
        }
    }

    /// Adds the generalization that a node has made valid: that of its children, or in partial mode
    /// its own. Generalizing a constant attribute gains nothing, so it is never added.
    fn open_from(&mut self, attribute: usize, node: Node) {
        let Column { tree, waits_for, is_gone, is_constant, .. } = &self.columns[attribute];
        if *is_constant || waits_for[node.index()] > 0 || is_gone[node.index()] {
            return;
        }
        let step = match (self.is_partial, tree.parent(node)) {
            (true, Some(to)) => Step { attribute, to, child: Some(node) },
            (false, _) if tree.as_leaf(node).is_none() => Step { attribute, to: node, child: None },
            _ => return,
        };
        self.open.insert((rank(self.loss(&step)), step));
    }

    /// Returns all generalizations to a node.
    fn steps_to(&self, attribute: usize, to: Node) -> Vec<Step> {
        let one = |child| Step { attribute, to, child };
        if self.is_partial {
            children(self.columns[attribute].tree, to).map(Some).map(one).collect()
        } else {
            vec![one(None)]
        }
    }
}

/// Returns the number of records in classes that are not private, if each leaf is published as the
/// given node.
pub(super) fn n_failing(problem: &Problem, nodes: &[Vec<Node>]) -> u64 {
    failing(problem, nodes).iter().map(Tally::size).sum()
}

/// Returns the classes that are not private, if each leaf is published as the given node.
fn failing(problem: &Problem, nodes: &[Vec<Node>]) -> Vec<Tally> {
    let goal = problem.goal();
    let mut places: HashMap<Box<[Node]>, usize> = HashMap::new();
    let mut classes: Vec<Tally> = Vec::new();
    // Records that are published on the same nodes of all attributes form a class (a VID).
    for (cohort, count) in problem.cohorts().counted() {
        let leaves = problem.attributes().iter().map(|a| a.known_leaf(cohort));
        let vid = leaves.zip(nodes).map(|(leaf, nodes)| nodes[leaf.index()]).collect();
        let place = *places.entry(vid).or_insert(classes.len());
        if place == classes.len() {
            classes.push(goal.tally());
        }
        goal.add(&mut classes[place], cohort, count);
    }
    classes.retain(|class| !goal.holds(class));
    classes
}
