//! Losses of the regions of an attribute, for all losses at once.

use super::{Cell, Whole};
use crate::hierarchy::{Entry, Generalization, Leaf, LeafOrAny};
use crate::problem::{Attribute, Region};

/// An attribute of a problem, prepared for lookups of many regions.
pub(super) struct Facts<'a> {
    attribute: &'a Attribute,
    /// Prefix sums of the number of records per leaf.
    running: Vec<u64>,
    /// The loss of each node of a tree, or of each group of a level.
    nodes: Vec<Cell>,
    whole: Whole,
}

/// Returns the loss of an attribute with levels as a whole and that of each of its nodes or groups,
/// given the number of records of each cohort.
pub(crate) fn of_attribute(attribute: &Attribute, counts: &[u64]) -> (Whole, Vec<Cell>) {
    let facts = Facts::of(attribute, counts);
    (facts.whole, facts.nodes)
}

impl<'a> Facts<'a> {
    pub(super) fn of(attribute: &'a Attribute, counts: &[u64]) -> Self {
        let of_leaf = attribute.leaf_counts(counts);
        // Missing values that match anything have no leaf, so their cells cannot be guessed.
        let is_known = !attribute.leaves().contains(&LeafOrAny::ANY);
        let generalization = attribute.generalization();
        let nodes = of_nodes(generalization, &of_leaf);
        let root = generalization.root().map(|root| nodes[root.index()].distortion);
        let log_counts = is_known.then(|| log_counts(&of_leaf));
        let whole = Whole { distortion: root, log_counts };
        Self { attribute, running: running(&of_leaf), nodes, whole }
    }

    pub(super) fn whole(&self) -> Whole {
        self.whole
    }

    /// Number of records that have one of the `n` rarest values.
    fn rarest(&self, n: usize) -> u64 {
        // Values that no record has are not hidden members.
        let mut counts: Vec<u64> =
            self.running.windows(2).map(|pair| pair[1] - pair[0]).filter(|&n| n > 0).collect();
        counts.sort_unstable();
        counts.iter().take(n).sum()
    }

    pub(super) fn cell(&self, region: &Region) -> Cell {
        let mass_of =
            |first: Leaf, last: Leaf| self.running[last.index() + 1] - self.running[first.index()];
        let (mass, n_leaves) = match region {
            Region::Node(node) => return self.nodes[node.index()],
            Region::Group(group) => return self.nodes[group.index()],
            Region::Interval(first, last) => {
                (mass_of(*first, *last), last.index() + 1 - first.index())
            }
            Region::Set(leaves) => {
                (leaves.iter().map(|&leaf| mass_of(leaf, leaf)).sum(), leaves.len())
            }
            Region::PartialSet(leaves, n_more) => {
                // The hidden values are not known here, only that they are rare: assume the rarest
                // ones.
                let named: u64 = leaves.iter().map(|&leaf| mass_of(leaf, leaf)).sum();
                let n_more = *n_more as usize;
                (named + self.rarest(n_more), leaves.len() + n_more)
            }
            Region::Label(tag) => match self.attribute.label(*tag) {
                None => (0, 0),
                Some(label) => {
                    let masses = label.runs.iter().map(|&(start, end)| {
                        self.running[end as usize] - self.running[start as usize]
                    });
                    (masses.sum(), label.n_leaves())
                }
            },
            // Nothing is known about a missing value that matches any, so nothing is lost.
            Region::Unknown => (0, 0),
        };
        let cost = self.attribute.cost(region);
        let is_numeric = self.attribute.values().scale().is_some();
        let words = share(cost, n_leaves, self.attribute.n_leaves());
        Cell { cost, share: if is_numeric { cost } else { words }, mass, ..Cell::default() }
    }
}

/// The loss of each node of a tree, or of each group of a level. `of_leaf` holds the number of
/// records of each leaf.
pub(crate) fn of_nodes(generalization: &Generalization, of_leaf: &[u64]) -> Vec<Cell> {
    let (levels, distortions) = match generalization {
        Generalization::Tree(tree) => (tree.relative_levels(), tree.distortions()),
        Generalization::Levels(levels) => (levels.relative_levels(), levels.distortions().to_vec()),
        Generalization::Interval(_) | Generalization::Set(_) | Generalization::Fixed(_) => {
            return Vec::new();
        }
    };
    let running = running(of_leaf);
    let is_numeric = generalization.values().scale().is_some();
    let costs = generalization.costs();
    let mut cells = Vec::with_capacity(costs.len());
    for (place, &cost) in costs.iter().enumerate() {
        let leaves = generalization.leaves_of(Entry::new(place));
        let (level, distortion) = (levels[place], distortions[place]);
        let words = share(cost, leaves.len(), of_leaf.len());
        // Leaves of a node are contiguous, so a difference of prefix sums counts their records.
        let mass = running[leaves.end.index()] - running[leaves.start.index()];
        let share = if is_numeric { cost } else { words };
        cells.push(Cell { cost, share, level, distortion, mass });
    }
    cells
}

/// The share `n_values / n_all` of all values: 0 for a single value, 1 for a cell that costs 1.
pub(crate) fn share(cost: f64, n_values: usize, n_all: usize) -> f64 {
    match n_values {
        // Before the count: a root above one value can still cost 1.
        _ if cost >= 1.0 => 1.0,
        0 | 1 => 0.0,
        n => n as f64 / n_all as f64,
    }
}

/// The sum of `c log2 c` over counts `c`.
pub(crate) fn log_counts(counts: &[u64]) -> f64 {
    counts.iter().filter(|&&count| count > 0).map(|&c| c as f64 * (c as f64).log2()).sum()
}

/// Prefix sums: the total before each index, and the total of all counts last.
pub(crate) fn running(counts: &[u64]) -> Vec<u64> {
    let mut total = 0;
    let sums = counts.iter().map(|count| {
        total += count;
        total
    });
    std::iter::once(0).chain(sums).collect()
}
