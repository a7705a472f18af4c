//! The cut through each tree: which node stands for each value, and what may be done next.

use std::collections::BTreeSet;

use hashbrown::HashMap;

use super::{BottomUp, Metric};
use crate::Result;
use crate::anonymize::information::{self, Labels, children, rank};
use crate::hierarchy::{Hierarchy, Node};
use crate::noun::counted;
use crate::privacy::unmet;
use crate::problem::{Attribute, Problem, Region, Tally};

/// A generalization of an attribute: nodes of the cut become the node above them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub(super) attribute: usize,
    /// What they become.
    pub(super) to: Node,
    /// The child that does; none if all children do.
    pub(super) child: Option<Node>,
}

impl Step {
    /// Whether a node of the cut takes part: it becomes the node above, or is that node already.
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
    /// The generalizations that are valid now, by what they lose.
    open: BTreeSet<(u64, Step)>,
}

struct Column<'a> {
    attribute: &'a Attribute,
    tree: &'a Hierarchy,
    /// The records of each node of the cut.
    records: Vec<Labels>,
    /// How many children a node waits for before it may go up itself.
    waits_for: Vec<u32>,
    /// The nodes that have become the one above.
    is_gone: Vec<bool>,
    is_constant: bool,
}

impl<'a> Cut<'a> {
    /// The cut of all leaves.
    pub(super) fn new(problem: &'a Problem, method: &BottomUp) -> Result<Self> {
        let metric = if problem.class().is_some() { method.metric } else { Metric::Lm };
        let is_partial = method.partial;
        let columns = problem.attributes().iter().map(|attribute| {
            let tree = information::tree_of(attribute)?;
            let mut records = vec![Labels::default(); tree.len()];
            for (leaf, labels) in (0..).zip(information::of_leaves(problem, attribute)) {
                records[tree.leaf_node(leaf) as usize] = labels;
            }
            let mut waits_for = vec![0; tree.len()];
            for node in 1..tree.len() as Node {
                if let Some(parent) = tree.parent(node)
                    && (is_partial || tree.as_leaf(node).is_none())
                {
                    waits_for[parent as usize] += 1;
                }
            }
            let (is_gone, is_constant) = (vec![false; tree.len()], attribute.is_constant());
            Ok(Column { attribute, tree, records, waits_for, is_gone, is_constant })
        });
        let columns = columns.collect::<Result<_>>()?;
        let n_records = problem.cohorts().n_records() as f64;
        let mut cut = Self { metric, is_partial, n_records, columns, open: BTreeSet::new() };
        for attribute in 0..cut.columns.len() {
            for node in 0..cut.columns[attribute].tree.len() as Node {
                cut.open_from(attribute, node);
            }
        }
        Ok(cut)
    }

    pub(super) fn trees(&self) -> Vec<&'a Hierarchy> {
        self.columns.iter().map(|column| column.tree).collect()
    }

    /// The valid generalizations, those that lose least first.
    pub(super) fn open(&self) -> impl Iterator<Item = Step> {
        self.open.iter().map(|&(_, step)| step)
    }

    pub(super) fn is_open(&self, step: &Step) -> bool {
        self.open.contains(&(rank(self.loss(step)), *step))
    }

    /// I(G), or what a record loses in the mean.
    pub(super) fn loss(&self, step: &Step) -> f64 {
        let column = &self.columns[step.attribute];
        let of = |node: Node| &column.records[node as usize];
        match self.metric {
            Metric::Ip => {
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

    /// Carries a generalization out.
    pub(super) fn apply(&mut self, step: &Step) {
        let Step { attribute, to, .. } = *step;
        for sibling in self.steps_to(attribute, to) {
            let key = (rank(self.loss(&sibling)), sibling);
            self.open.remove(&key);
        }
        for node in self.sources(step) {
            let column = &mut self.columns[attribute];
            let records = std::mem::take(&mut column.records[node as usize]);
            column.records[to as usize].absorb(&records);
            column.is_gone[node as usize] = true;
            if self.is_partial {
                column.waits_for[to as usize] -= 1;
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
            column.waits_for[parent as usize] -= 1;
            self.open_from(attribute, parent);
        }
    }

    /// What stands for each leaf of an attribute: itself, or a node of the cut above it. A node that
    /// only one child has gone up to is that child.
    pub(super) fn leaf_nodes(&self, attribute: usize) -> Vec<Node> {
        let Column { tree, is_gone, .. } = &self.columns[attribute];
        let mut n_gone = vec![0; tree.len()];
        let mut nodes: Vec<Node> = (0..tree.len() as Node).collect();
        for node in (1..nodes.len()).filter(|&node| is_gone[node]) {
            n_gone[tree.parent(node as Node).unwrap_or(0) as usize] += 1;
        }
        for node in 1..nodes.len() {
            if let Some(parent) = tree.parent(node as Node).filter(|_| is_gone[node])
                && (n_gone[parent as usize] > 1 || is_gone[parent as usize])
            {
                nodes[node] = nodes[parent as usize];
            }
        }
        (0..tree.n_leaves() as u32).map(|leaf| nodes[tree.leaf_node(leaf) as usize]).collect()
    }

    /// How many records are in classes that are not private.
    pub(super) fn n_failing(&self, problem: &Problem) -> u64 {
        let nodes: Vec<_> = (0..self.columns.len()).map(|column| self.leaf_nodes(column)).collect();
        n_failing(problem, &nodes)
    }

    /// What fails: how many records are in classes that do, and what a class attains of each model
    /// that some class does not meet.
    pub(super) fn failure(&self, problem: &Problem) -> String {
        let nodes: Vec<_> = (0..self.columns.len()).map(|column| self.leaf_nodes(column)).collect();
        let goal = problem.goal();
        let failing = failing(problem, &nodes);
        let unmet = goal.models().iter().enumerate().filter_map(|(place, model)| {
            let views = failing.iter().map(|class| goal.view(class, place));
            let attained = views.filter(|class| !model.holds(class)).map(|c| model.attained(&c));
            let weakest = model.sense().weakest(attained)?;
            Some(unmet(model.as_ref(), &format!("a class {}", model.attains()), weakest))
        });
        let unmet: Vec<String> = unmet.collect();
        let n_failing: u64 = failing.iter().map(Tally::size).sum();
        format!("{} ({} in such classes)", unmet.join(" and "), counted(n_failing, "record"))
    }

    /// The nodes that a generalization replaces.
    fn sources(&self, step: &Step) -> Vec<Node> {
        match step.child {
            Some(child) => vec![child],
            None => children(self.columns[step.attribute].tree, step.to).collect(),
        }
    }

    /// Opens the generalization that a node decides: of its children, or, if they may go one by
    /// one, of itself. Where all records share a value, generalizing it gains nothing.
    fn open_from(&mut self, attribute: usize, node: Node) {
        let Column { tree, waits_for, is_gone, is_constant, .. } = &self.columns[attribute];
        if *is_constant || waits_for[node as usize] > 0 || is_gone[node as usize] {
            return;
        }
        let step = match (self.is_partial, tree.parent(node)) {
            (true, Some(to)) => Step { attribute, to, child: Some(node) },
            (false, _) if tree.as_leaf(node).is_none() => Step { attribute, to: node, child: None },
            _ => return,
        };
        self.open.insert((rank(self.loss(&step)), step));
    }

    /// The generalizations to a node.
    fn steps_to(&self, attribute: usize, to: Node) -> Vec<Step> {
        let one = |child| Step { attribute, to, child };
        if self.is_partial {
            children(self.columns[attribute].tree, to).map(Some).map(one).collect()
        } else {
            vec![one(None)]
        }
    }
}

/// How many records are in classes that are not private, if each leaf becomes such a node.
pub(super) fn n_failing(problem: &Problem, nodes: &[Vec<Node>]) -> u64 {
    failing(problem, nodes).iter().map(Tally::size).sum()
}

/// The classes that are not private then.
fn failing(problem: &Problem, nodes: &[Vec<Node>]) -> Vec<Tally> {
    let goal = problem.goal();
    let mut places: HashMap<Box<[Node]>, usize> = HashMap::new();
    let mut classes: Vec<Tally> = Vec::new();
    for (cohort, &count) in (0..).zip(&problem.cohorts().counts) {
        let leaves = problem.attributes().iter().map(|a| a.leaves()[cohort as usize] as usize);
        let vid = leaves.zip(nodes).map(|(leaf, nodes)| nodes[leaf]).collect();
        let place = *places.entry(vid).or_insert(classes.len());
        if place == classes.len() {
            classes.push(goal.tally());
        }
        goal.add(&mut classes[place], cohort, count);
    }
    classes.retain(|class| !goal.holds(class));
    classes
}
