//! What ranges of leaves cost.

use std::sync::Arc;

use crate::hierarchy::{End, Generalization, Hierarchy, Leaf, Levels, Rare};
use crate::table::Scale;

/// Up to this many leaves the cost of every range of leaves is kept in a table.
const MOST_TABLED: usize = 1024;

/// The cost of every range of leaves: that of the least region that holds it (METHODS 3.2).
#[derive(Debug, Clone)]
pub enum Costs {
    /// `costs[first * n + last]`.
    Tabled {
        /// How many leaves.
        n: usize,
        /// The costs.
        costs: Vec<f64>,
    },
    /// By the node that joins the range.
    Tree {
        /// The tree.
        tree: Arc<Hierarchy>,
        /// The cost of each of its nodes.
        costs: Arc<[f64]>,
    },
    /// By the lowest level with a group that holds the range.
    Levels {
        /// The levels.
        levels: Arc<Levels>,
        /// The cost of each of their groups.
        costs: Arc<[f64]>,
    },
    /// By distance.
    Line {
        /// The distance of each leaf from the least value, where it is the first of a range.
        lows: Vec<f64>,
        /// The same where it is the last.
        highs: Vec<f64>,
        /// The distance of the greatest value.
        width: f64,
    },
    /// By the number of different leaves.
    Set {
        /// How many leaves.
        n: usize,
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
        let exact = match generalization {
            Generalization::Tree(tree) => Self::Tree { tree: Arc::clone(tree), costs: costs() },
            Generalization::Levels(levels) => {
                Self::Levels { levels: Arc::clone(levels), costs: costs() }
            }
            Generalization::Interval(values) => match (rare, values.scale()) {
                (Some(rare), Some(scale)) => Self::hidden_line(rare, scale),
                (None, Some(scale)) => Self::line(scale),
                (_, None) => Self::Line { lows: Vec::new(), highs: Vec::new(), width: 0.0 },
            },
            Generalization::Set(_) => return Self::Set { n: n_leaves },
        };
        if n_leaves > MOST_TABLED {
            return exact;
        }
        let all = Leaf::first(n_leaves);
        let pairs = all.clone().flat_map(|first| all.clone().map(move |last| (first, last)));
        let cost = |(first, last)| {
            if first <= last { exact.of_range(first, last) } else { 0.0 }
        };
        Self::Tabled { n: n_leaves, costs: pairs.map(cost).collect() }
    }

    /// Distances of the values themselves.
    fn line(scale: &Scale) -> Self {
        let positions = scale.positions();
        let width = positions.last().copied().unwrap_or(0.0);
        Self::Line { lows: positions.clone(), highs: positions, width }
    }

    /// Distances of the ends that intervals show, as far as these lie between the least and the
    /// greatest value.
    fn hidden_line(rare: &Rare, scale: &Scale) -> Self {
        let (least, greatest) = scale.ends().unwrap_or_default();
        // Ends need not be values of the scale, so everything is measured as values are written, not
        // in units of the scale.
        let width = greatest - least;
        let position = |end: &End| (end.value - least).clamp(0.0, width);
        let leaves = Leaf::first(scale.len());
        let lows = leaves.clone().map(|leaf| position(rare.low(leaf))).collect();
        Self::Line { lows, highs: leaves.map(|leaf| position(rare.high(leaf))).collect(), width }
    }

    /// The cost of the leaves `first..=last`.
    #[inline]
    pub fn of_range(&self, first: Leaf, last: Leaf) -> f64 {
        match self {
            Self::Tabled { n, costs } => costs[first.index() * n + last.index()],
            // A single value that must not be spelt out is published as an interval.
            Self::Line { lows, highs, width } => match highs.get(last.index()) {
                Some(_) if *width <= 0.0 => 0.0,
                Some(high) => (high - lows[first.index()]) / width,
                None if first == last => 0.0,
                None => 1.0, // a missing value among others
            },
            _ if first == last => 0.0,
            Self::Tree { tree, costs } => costs[tree.lowest_common_ancestor(first, last) as usize],
            Self::Levels { levels, costs } => {
                costs[levels.lowest_common_group(first, last) as usize]
            }
            Self::Set { .. } => self.of_set(2),
        }
    }

    /// The cost of a set of so many different values.
    #[inline]
    pub fn of_set(&self, n_different: usize) -> f64 {
        match self {
            Self::Set { n } if n_different > 1 => (n_different - 1) as f64 / (n - 1) as f64,
            _ => 0.0,
        }
    }
}
