//! The costs of ranges of leaves.

use std::sync::Arc;

use crate::hierarchy::{End, Generalization, Hierarchy, Leaf, Levels, Rare};
use crate::table::Scale;

/// Up to this number of leaves, the costs of all ranges are precomputed.
const MOST_TABLED: usize = 1024;

/// The cost of every range of leaves: that of the smallest region that contains it (METHODS 3.2).
#[derive(Debug, Clone)]
pub enum Costs {
    /// Precomputed: `costs[first * n + last]`.
    Tabled {
        /// Number of leaves.
        n: usize,
        /// The costs.
        costs: Vec<f64>,
    },
    /// Computed for each range, because there are too many for a table.
    Computed(Computed),
    /// The number of distinct leaves, as in `Costs::of_set`.
    Set {
        /// Number of leaves.
        n: usize,
    },
}

/// The costs of ranges of leaves, computed when they are needed.
#[derive(Debug, Clone)]
pub enum Computed {
    /// The cost of the lowest common ancestor.
    Tree {
        /// The tree.
        tree: Arc<Hierarchy>,
        /// The cost of each of its nodes.
        costs: Arc<[f64]>,
    },
    /// The cost of the group that contains the range on the lowest level that has one.
    Levels {
        /// The levels.
        levels: Arc<Levels>,
        /// The cost of each of their groups.
        costs: Arc<[f64]>,
    },
    /// The distance between the ends of the range, relative to the distance between all values.
    Line {
        /// For each leaf, the position of the lower end of a range that starts at it.
        lows: Vec<f64>,
        /// For each leaf, the position of the upper end of a range that ends at it.
        highs: Vec<f64>,
        /// The position of the largest value; the smallest value has position 0.
        width: f64,
    },
}

impl Costs {
    pub(super) fn new(
        generalization: &Generalization,
        of_nodes: &Arc<[f64]>,
        n_leaves: usize,
        rare: Option<&Rare>,
    ) -> Self {
        let costs = || Arc::clone(of_nodes);
        let computed = match generalization {
            Generalization::Tree(tree) => Computed::Tree { tree: Arc::clone(tree), costs: costs() },
            Generalization::Levels(levels) => {
                Computed::Levels { levels: Arc::clone(levels), costs: costs() }
            }
            Generalization::Interval(values) => match (rare, values.scale()) {
                (Some(rare), Some(scale)) => Computed::hidden_line(rare, scale),
                (None, Some(scale)) => Computed::line(scale),
                (_, None) => Computed::Line { lows: Vec::new(), highs: Vec::new(), width: 0.0 },
            },
            Generalization::Set(_) | Generalization::Fixed(_) => return Self::Set { n: n_leaves },
        };
        // The table has n^2 entries, which is 8 MB at the limit.
        if n_leaves > MOST_TABLED {
            return Self::Computed(computed);
        }
        let all = Leaf::first(n_leaves);
        let pairs = all.clone().flat_map(|first| all.clone().map(move |last| (first, last)));
        // Only the upper triangle is ever read; the rest of the table stays 0.
        let cost = |(first, last)| {
            if first <= last { computed.of_range(first, last) } else { 0.0 }
        };
        Self::Tabled { n: n_leaves, costs: pairs.map(cost).collect() }
    }

    /// The cost of the leaves `first..=last`.
    #[inline]
    pub(crate) fn of_range(&self, first: Leaf, last: Leaf) -> f64 {
        match self {
            Self::Tabled { n, costs } => costs[first.index() * n + last.index()],
            Self::Computed(computed) => computed.of_range(first, last),
            // Lower bound: of the leaves in the range, only the two ends are known to occur.
            Self::Set { .. } => self.of_set(if first == last { 1 } else { 2 }),
        }
    }

    /// The cost of a set of `n_different` distinct values.
    #[inline]
    pub(crate) fn of_set(&self, n_different: usize) -> f64 {
        match self {
            // METHODS 3.2: the share of the other values that the set could be confused with.
            Self::Set { n } if n_different > 1 => (n_different - 1) as f64 / (n - 1) as f64,
            _ => 0.0,
        }
    }
}

impl Computed {
    /// Costs of intervals that end at the values themselves.
    fn line(scale: &Scale) -> Self {
        let positions = scale.positions();
        let width = positions.last().copied().unwrap_or(0.0);
        Self::Line { lows: positions.clone(), highs: positions, width }
    }

    /// Costs of intervals that hide rare values, with ends clamped to the smallest and the largest
    /// value.
    fn hidden_line(rare: &Rare, scale: &Scale) -> Self {
        let (least, greatest) = scale.ends().unwrap_or_default();
        // These ends need not be values of the scale, so positions are in the units of the values,
        // not in those of the scale.
        let width = greatest - least;
        let position = |end: &End| (end.value - least).clamp(0.0, width);
        let leaves = Leaf::first(scale.len());
        let lows = leaves.clone().map(|leaf| position(rare.low(leaf))).collect();
        Self::Line { lows, highs: leaves.map(|leaf| position(rare.high(leaf))).collect(), width }
    }

    /// The cost of the leaves `first..=last`.
    // Not inlined: searches mostly look costs up in a table, and that path stays short.
    #[inline(never)]
    fn of_range(&self, first: Leaf, last: Leaf) -> f64 {
        match self {
            // A single value that must not be spelt out is published as an interval, which costs
            // something.
            Self::Line { lows, highs, width } => match highs.get(last.index()) {
                Some(_) if *width <= 0.0 => 0.0,
                Some(high) => (high - lows[first.index()]) / width,
                None if first == last => 0.0,
                None => 1.0, // a missing value among others
            },
            _ if first == last => 0.0,
            Self::Tree { tree, costs } => costs[tree.lowest_common_ancestor(first, last).index()],
            Self::Levels { levels, costs } => {
                costs[levels.lowest_common_group(first, last).index()]
            }
        }
    }
}
