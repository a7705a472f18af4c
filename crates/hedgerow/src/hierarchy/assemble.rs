//! Trees from nodes that name their parents, in any order: what files give.

use hashbrown::HashMap;

use super::ground::Leaves;
use super::tree::Hierarchy;
use crate::table::{DateFormat, Kind, Values, read_number};
use crate::{Error, Result};

/// A node as a file gives it.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    /// Its parent's place in the list; none for the root.
    pub(crate) parent: Option<usize>,
    pub(crate) label: Box<str>,
    /// The range of values that the label speaks of, where the file says so.
    pub(crate) bounds: Option<(f64, f64)>,
    /// Records with this value; only for leaves.
    pub(crate) count: u64,
}

/// Lays nodes out in pre-order, children in order of their least value if the leaves are numbers
/// and not stated to be words, else in the order given. Labels of inner nodes are kept, and so are ranges that they spell out.
/// The leaves' kind is inferred unless it is given.
pub(crate) fn assemble(attribute: &str, nodes: &[Given], kind: Option<Kind>) -> Result<Hierarchy> {
    assemble_dates(attribute, nodes, kind, None)
}

/// The same, with the format of dates where the file says it.
pub(crate) fn assemble_dates(
    attribute: &str,
    nodes: &[Given],
    kind: Option<Kind>,
    dates: Option<&DateFormat>,
) -> Result<Hierarchy> {
    let mut children = Children::of(nodes)?;
    if kind.is_none_or(|kind| kind == Kind::Number) {
        children.sort_by_number(nodes)?;
    }
    let order = children.preorder(nodes.len())?;
    let leaves: Vec<usize> = order.iter().copied().filter(|&n| children.is_leaf(n)).collect();
    let ranges = leaf_ranges(nodes, &order, &children);
    let spellings: Vec<&str> = leaves.iter().map(|&leaf| &*nodes[leaf].label).collect();
    let values = values_in_order(&spellings, kind, dates)?;
    if let Some((one, other)) = twice(&spellings, &values) {
        let below = |leaf: usize| nodes[leaf].parent.map_or("", |parent| &*nodes[parent].label);
        return Err(Error::invalid(format!(
            "the value '{}' stands twice, below '{}' and below '{}'; a hierarchy is a tree, so keep \
             one of them",
            spellings[one],
            below(leaves[one]),
            below(leaves[other])
        )));
    }
    let counts = leaves.iter().map(|&leaf| nodes[leaf].count).collect();
    let is_scaled = values.scale().is_some();
    let tree = Leaves { attribute: attribute.to_owned(), values, counts };
    let tree = Hierarchy::from_ranges(tree, &ranges)?;
    let labels: Vec<Box<str>> = order.iter().map(|&node| nodes[node].label.clone()).collect();
    let tree = match is_scaled.then(|| stated_bounds(&tree, &order, nodes)).flatten() {
        Some(bounds) => tree.with_bounds(bounds),
        None => tree,
    };
    let derived = (0..tree.len() as u32).all(|node| tree.label(node) == *labels[node as usize]);
    Ok(if derived { tree } else { tree.with_labels(labels) })
}

/// Leaves as values, which are numbers or dates only if they stand in their order.
fn values_in_order(
    spellings: &[&str],
    kind: Option<Kind>,
    dates: Option<&DateFormat>,
) -> Result<Values> {
    let found = match (kind, dates) {
        (Some(Kind::Date), Some(format)) => Values::of_dates(format, spellings),
        (Some(kind), _) => Values::of_kind(kind, spellings),
        (None, _) => Ok(Values::infer(spellings)),
    };
    let (values, codes) = found.map_err(|bad| {
        Error::invalid(format!("the leaf '{}' is not of the kind the file states", spellings[bad]))
    })?;
    let in_order = codes.iter().enumerate().all(|(place, &code)| place == code as usize);
    let as_given = || spellings.iter().map(|&spelling| spelling.into()).collect();
    Ok(match values {
        values if in_order => values,
        Values::Code(_) => Values::Code(as_given()),
        _ => Values::Text(as_given()),
    })
}

/// Two places of one value, if there are any.
fn twice(spellings: &[&str], values: &Values) -> Option<(usize, usize)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    spellings.iter().enumerate().find_map(|(place, spelling)| {
        let key = values
            .read(spelling)
            .map_or_else(|| (*spelling).to_owned(), |reading| format!("{:?}", reading.value()));
        seen.insert(key, place).map(|first| (first, place))
    })
}

/// Children of each node, as one flat list.
struct Children {
    root: usize,
    starts: Vec<usize>,
    list: Vec<usize>,
}

impl Children {
    fn of(nodes: &[Given]) -> Result<Self> {
        let mut roots = (0..nodes.len()).filter(|&node| nodes[node].parent.is_none());
        let root = roots.next().ok_or_else(|| Error::invalid("there is no root"))?;
        if let Some(second) = roots.next() {
            return Err(Error::invalid(format!(
                "there are two roots, '{}' and '{}'; put both under one node",
                nodes[root].label, nodes[second].label
            )));
        }
        let mut starts = vec![0; nodes.len() + 1];
        for parent in nodes.iter().filter_map(|node| node.parent) {
            starts[parent + 1] += 1;
        }
        for node in 0..nodes.len() {
            starts[node + 1] += starts[node];
        }
        let mut list = vec![0; nodes.len() - 1];
        let mut filled = starts.clone();
        for (node, given) in nodes.iter().enumerate() {
            if let Some(parent) = given.parent {
                list[filled[parent]] = node;
                filled[parent] += 1;
            }
        }
        Ok(Self { root, starts, list })
    }

    fn is_leaf(&self, node: usize) -> bool {
        self.starts[node] == self.starts[node + 1]
    }

    /// Puts children in order of their least leaf, if all leaves are numbers.
    fn sort_by_number(&mut self, nodes: &[Given]) -> Result<()> {
        let mut least = vec![f64::INFINITY; nodes.len()];
        for node in (0..nodes.len()).filter(|&node| self.is_leaf(node)) {
            match read_number(&nodes[node].label) {
                Some(reading) => least[node] = reading.value(),
                None => return Ok(()),
            }
        }
        for &node in self.preorder(nodes.len())?.iter().rev() {
            if let Some(parent) = nodes[node].parent {
                least[parent] = least[parent].min(least[node]);
            }
        }
        for ends in self.starts.windows(2) {
            self.list[ends[0]..ends[1]].sort_by(|&a, &b| least[a].total_cmp(&least[b]));
        }
        Ok(())
    }

    /// The nodes in pre-order; an error if some hang in a cycle.
    fn preorder(&self, n_nodes: usize) -> Result<Vec<usize>> {
        let mut order = Vec::with_capacity(n_nodes);
        let mut open = vec![self.root];
        while let Some(node) = open.pop() {
            order.push(node);
            open.extend(self.list[self.starts[node]..self.starts[node + 1]].iter().rev());
        }
        if order.len() == n_nodes {
            Ok(order)
        } else {
            let n_lost = n_nodes - order.len();
            Err(Error::invalid(format!("{n_lost} nodes are not below the root (a cycle)")))
        }
    }
}

fn leaf_ranges(nodes: &[Given], order: &[usize], children: &Children) -> Vec<(u32, u32)> {
    let mut n_below = vec![0; nodes.len()];
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

/// The range of every node, where some label speaks of more than its leaves.
fn stated_bounds(tree: &Hierarchy, order: &[usize], nodes: &[Given]) -> Option<Vec<(f64, f64)>> {
    let hull = |node: usize| tree.bounds(node as u32).expect("leaves are numbers");
    let mut bounds: Vec<(f64, f64)> = (0..tree.len())
        .map(|node| {
            let (lo, hi) = hull(node);
            let stated = nodes[order[node]].bounds.unwrap_or((lo, hi));
            (stated.0.min(lo), stated.1.max(hi))
        })
        .collect();
    // A node speaks of at least what its children speak of.
    for node in (1..tree.len()).rev() {
        let parent = tree.parent(node as u32).expect("only the root has none") as usize;
        let (lo, hi) = bounds[node];
        bounds[parent] = (bounds[parent].0.min(lo), bounds[parent].1.max(hi));
    }
    let differs = |(node, stated): (usize, &(f64, f64))| {
        let (lo, hi) = hull(node);
        stated.0 < lo || stated.1 > hi
    };
    bounds.iter().enumerate().any(differs).then_some(bounds)
}
