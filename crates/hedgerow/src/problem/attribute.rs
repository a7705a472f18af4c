//! A quasi-identifier as searches see it: leaves, ranges of leaves, and what they cost.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::Result;
use crate::hierarchy::{Generalization, Hierarchy, Levels, Node};
use crate::table::{MissingPolicy, Scale, Table, Values};

/// The leaf of a missing value that matches anything.
pub const ANY_LEAF: u32 = u32::MAX;

/// Up to this many leaves the cost of every range of leaves is kept in a table.
const MOST_TABLED: usize = 1024;

/// A quasi-identifier of a problem.
#[derive(Debug, Clone)]
pub struct Attribute {
    name: String,
    generalization: Generalization,
    /// How a missing value is written, when it is a value of its own and the tree lacks it.
    missing: Option<Box<str>>,
    /// How a missing value that matches anything is written.
    unknown: Box<str>,
    /// The leaf of each code of the column.
    leaf_of_code: Arc<[u32]>,
    /// The leaf of each cohort; [`ANY_LEAF`] where a missing value matches anything.
    leaves: Vec<u32>,
    n_leaves: usize,
    /// The cost of each node of a tree or group of a level.
    node_costs: Arc<[f64]>,
    costs: Arc<Costs>,
}

/// What a class publishes for one attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Region {
    /// A node of the tree, or a group of a level.
    Node(Node),
    /// The values from one leaf to another.
    Interval(u32, u32),
    /// These leaves, ascending.
    Set(Box<[u32]>),
    /// No value is known: all are missing and match anything.
    Unknown,
}

impl Attribute {
    pub(super) fn new(table: &Table, place: usize, given: Generalization) -> Result<Self> {
        let column = &table.columns()[place];
        let domain = &column.domain;
        let mut missing = None;
        let mut missing_leaf = None;
        let is_own = matches!(table.missing(), MissingPolicy::Own | MissingPolicy::Error);
        let mut generalization = given;
        let mut leaf_of_code = match generalization.ground() {
            Some(ground) => ground.bind(domain)?,
            None => (0..domain.len() as u32).collect(),
        };
        if let Some(found) = domain.missing.as_ref().filter(|_| is_own) {
            missing_leaf = generalization.ground().and_then(|g| g.leaf_spelt(&found.spelling));
            if missing_leaf.is_none() {
                generalization = generalization.with_missing(&found.spelling, found.count);
                missing = Some(found.spelling.clone());
            }
        }
        let n_leaves = match generalization.ground() {
            Some(ground) => ground.len(),
            None => generalization.values().len() + usize::from(missing.is_some()),
        };
        if domain.missing.is_some() {
            let last = n_leaves as u32 - u32::from(is_own);
            leaf_of_code.push(if is_own { missing_leaf.unwrap_or(last) } else { ANY_LEAF });
        }
        let cohorts = table.cohorts();
        let leaves = (0..cohorts.len())
            .map(|cohort| leaf_of_code[cohorts.tuple(cohort)[place] as usize])
            .collect();
        let node_costs = generalization.costs();
        let costs = Arc::new(Costs::new(&generalization, &node_costs, n_leaves));
        let name = column.name.clone();
        let unknown = domain.missing.as_ref().map_or("".into(), |found| found.spelling.clone());
        let leaf_of_code = leaf_of_code.into();
        Ok(Self {
            name,
            generalization,
            missing,
            unknown,
            leaf_of_code,
            leaves,
            n_leaves,
            node_costs,
            costs,
        })
    }

    /// The same attribute over some of the cohorts.
    pub(super) fn part(&self, cohorts: &[u32]) -> Self {
        let leaves = cohorts.iter().map(|&cohort| self.leaves[cohort as usize]).collect();
        Self {
            name: self.name.clone(),
            generalization: self.generalization.clone(),
            missing: self.missing.clone(),
            unknown: self.unknown.clone(),
            leaf_of_code: Arc::clone(&self.leaf_of_code),
            leaves,
            n_leaves: self.n_leaves,
            node_costs: Arc::clone(&self.node_costs),
            costs: Arc::clone(&self.costs),
        }
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How its values may be generalized.
    pub fn generalization(&self) -> &Generalization {
        &self.generalization
    }

    /// The leaf of each cohort.
    pub fn leaves(&self) -> &[u32] {
        &self.leaves
    }

    /// The leaf of a code of the column.
    #[inline]
    pub(super) fn leaf_of_code(&self, code: u32) -> u32 {
        self.leaf_of_code[code as usize]
    }

    /// Whether all records have the same leaf.
    pub(crate) fn is_constant(&self) -> bool {
        self.leaves.windows(2).all(|two| two[0] == two[1])
    }

    /// How many leaves there are.
    pub fn n_leaves(&self) -> usize {
        self.n_leaves
    }

    /// How many records have each leaf, of cohorts with so many; a missing value that matches anything
    /// has none.
    pub(crate) fn leaf_counts(&self, counts: &[u64]) -> Vec<u64> {
        let mut of_leaf = vec![0; self.n_leaves];
        for (&leaf, count) in
            self.leaves().iter().zip(counts).filter(|(leaf, _)| **leaf != ANY_LEAF)
        {
            of_leaf[leaf as usize] += count;
        }
        of_leaf
    }

    /// What ranges and sets of leaves cost.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The least region that holds some leaves.
    pub fn region(&self, leaves: impl Iterator<Item = u32>) -> Region {
        if let Generalization::Set(_) = self.generalization {
            let mut known: Vec<u32> = leaves.collect();
            known.sort_unstable();
            known.dedup();
            known.pop_if(|last| *last == ANY_LEAF);
            return if known.is_empty() { Region::Unknown } else { Region::Set(known.into()) };
        }
        let known = leaves.filter(|&leaf| leaf != ANY_LEAF);
        let span = known.map(|leaf| (leaf, leaf)).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        let Some((first, last)) = span else { return Region::Unknown };
        match &self.generalization {
            Generalization::Tree(tree) => Region::Node(tree.lowest_common_ancestor(first, last)),
            Generalization::Levels(levels) => Region::Node(levels.lowest_common_group(first, last)),
            Generalization::Interval(_) | Generalization::Set(_) => Region::Interval(first, last),
        }
    }

    /// The widest region that may be published.
    pub fn whole(&self) -> Region {
        let n_leaves = self.n_leaves as u32;
        match &self.generalization {
            _ if n_leaves == 0 => Region::Unknown,
            Generalization::Tree(_) => Region::Node(0),
            Generalization::Levels(levels) => Region::Node(levels.root()),
            Generalization::Interval(_) => Region::Interval(0, n_leaves - 1),
            Generalization::Set(_) => Region::Set((0..n_leaves).collect()),
        }
    }

    /// Whether a region holds a leaf.
    pub fn covers(&self, region: &Region, leaf: u32) -> bool {
        match (region, &self.generalization) {
            _ if leaf == ANY_LEAF => true,
            (Region::Node(node), Generalization::Tree(tree)) => {
                tree.leaves_of(*node).contains(&leaf)
            }
            (Region::Node(group), Generalization::Levels(levels)) => {
                levels.leaves_of(*group).contains(&leaf)
            }
            (Region::Interval(first, last), _) => (*first..=*last).contains(&leaf),
            (Region::Set(leaves), _) => leaves.contains(&leaf),
            _ => false,
        }
    }

    /// What a region costs: 0 for a single value, 1 for anything at all.
    pub fn cost(&self, region: &Region) -> f64 {
        match region {
            Region::Node(node) => self.node_costs[*node as usize],
            Region::Interval(first, last) => self.costs.of_range(*first, *last),
            Region::Set(leaves) => self.costs.of_set(leaves.len()),
            Region::Unknown => 0.0,
        }
    }

    /// The values that an interval or a set speaks of, and the spelling of one of them.
    pub fn values(&self) -> &Values {
        self.generalization.values()
    }

    /// How a leaf is written.
    pub fn spelling(&self, leaf: u32) -> std::borrow::Cow<'_, str> {
        match (self.generalization.ground(), &self.missing) {
            (Some(ground), _) => ground.spelling(leaf),
            (_, Some(missing)) if leaf as usize == self.values().len() => missing.as_ref().into(),
            _ => self.values().spelling(leaf as usize),
        }
    }

    /// How a class is written in which every value is missing and matches anything.
    pub fn unknown(&self) -> &str {
        &self.unknown
    }

    /// Whether a range of leaves takes in values and the missing value beside them.
    pub fn mixes_missing(&self, leaves: &RangeInclusive<u32>) -> bool {
        let n_values = self.values().len() as u32;
        self.missing.is_some() && *leaves.start() < n_values && *leaves.end() >= n_values
    }
}

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
        /// Distances from the least value.
        positions: Vec<f64>,
        /// The greatest of them.
        width: f64,
    },
    /// By the number of different leaves.
    Set {
        /// How many leaves.
        n: usize,
    },
}

impl Costs {
    fn new(generalization: &Generalization, of_nodes: &Arc<[f64]>, n_leaves: usize) -> Self {
        let costs = || Arc::clone(of_nodes);
        let exact = match generalization {
            Generalization::Tree(tree) => Self::Tree { tree: Arc::clone(tree), costs: costs() },
            Generalization::Levels(levels) => {
                Self::Levels { levels: Arc::clone(levels), costs: costs() }
            }
            Generalization::Interval(values) => {
                let positions = values.scale().map_or_else(Vec::new, Scale::positions);
                let width = positions.last().copied().unwrap_or(0.0);
                Self::Line { positions, width }
            }
            Generalization::Set(_) => return Self::Set { n: n_leaves },
        };
        if n_leaves > MOST_TABLED {
            return exact;
        }
        let n = n_leaves as u32;
        let pairs = (0..n).flat_map(|first| (0..n).map(move |last| (first, last)));
        let cost = |(first, last)| {
            if first < last { exact.of_range(first, last) } else { 0.0 }
        };
        Self::Tabled { n: n_leaves, costs: pairs.map(cost).collect() }
    }

    /// The cost of the leaves `first..=last`.
    #[inline]
    pub fn of_range(&self, first: u32, last: u32) -> f64 {
        match self {
            Self::Tabled { n, costs } => costs[first as usize * n + last as usize],
            _ if first == last => 0.0,
            Self::Tree { tree, costs } => costs[tree.lowest_common_ancestor(first, last) as usize],
            Self::Levels { levels, costs } => {
                costs[levels.lowest_common_group(first, last) as usize]
            }
            Self::Line { positions, width } => match positions.get(last as usize) {
                Some(last) => (last - positions[first as usize]) / width,
                None => 1.0, // a missing value among others
            },
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
