//! Hierarchies whose levels need not be nested: a stack of partitions of the leaves.

use std::borrow::Cow;
use std::ops::Range;

use super::ground::{Ground, Leaves};
use super::leaf::{Leaf, LeafRange};
use super::node::{LevelFunction, Node};
use crate::method::Spec;
use crate::table::{Scale, Values};

/// A hierarchy as a stack of partitions, each coarser than the one below but not always nested in
/// it: 21..40 belongs to neither 1..25 nor 26..50.
///
/// Level 0 are the leaves, the last level is one group of all. Groups of all levels are numbered
/// through, level by level; a leaf's number is its place. Where a method needs nesting it must not
/// take one of these.
#[derive(Debug, Clone, PartialEq)]
pub struct Levels {
    ground: Ground,
    /// Where each level's groups begin, level 0 first, and their number.
    firsts: Vec<Node>,
    /// The leaves of every group.
    ranges: Vec<(u32, u32)>,
    /// The range of values that every group stands for; not a number for missing values.
    bounds: Vec<(f64, f64)>,
    /// How far every group is from the values themselves.
    distortions: Vec<f64>,
}

/// A group of a level: what it stands for, which leaves it has, and how far from values it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// The leaves, of which there is at least one.
    pub leaves: (u32, u32),
    /// The least and greatest value.
    pub bounds: (f64, f64),
    /// The distortion of its level.
    pub distortion: f64,
}

impl Levels {
    /// Stacks levels above numeric leaves, the finest first; the last has one group of all.
    pub(crate) fn new(leaves: Leaves, scale: &Scale, levels: &[Vec<Group>]) -> Self {
        let n_leaves = leaves.values.len() as u32;
        let mut stack = Self {
            ground: Ground::new(leaves),
            firsts: vec![0, n_leaves],
            ranges: (0..n_leaves).map(|leaf| (leaf, leaf + 1)).collect(),
            bounds: (0..scale.len()).map(|leaf| (scale.value(leaf), scale.value(leaf))).collect(),
            distortions: vec![0.0; n_leaves as usize],
        };
        for level in levels {
            stack.push(level.iter().copied());
        }
        stack
    }

    fn push(&mut self, groups: impl Iterator<Item = Group>) {
        for Group { leaves, bounds, distortion } in groups {
            self.ranges.push(leaves);
            self.bounds.push(bounds);
            self.distortions.push(distortion);
        }
        self.firsts.push(self.ranges.len() as Node);
    }

    /// Notes how the levels were made.
    #[must_use]
    pub fn built_by(mut self, builder: Spec) -> Self {
        self.ground.set_builder(builder);
        self
    }

    /// Puts a leaf for missing values beside everything else, below a new last level.
    #[must_use]
    pub(crate) fn with_missing(&self, label: &str, count: u64) -> Self {
        let last = self.ground.len() as u32;
        let missing =
            Group { leaves: (last, last + 1), bounds: (f64::NAN, f64::NAN), distortion: 0.0 };
        let mut ground = self.ground.clone();
        ground.add_missing(label, count);
        let mut stack = Self {
            ground,
            firsts: vec![0],
            ranges: Vec::new(),
            bounds: Vec::new(),
            distortions: Vec::new(),
        };
        for level in 0..self.n_levels() {
            stack.push(self.level(level).map(|node| self.group(node)).chain([missing]));
        }
        let root = self.group(self.root());
        stack.push([Group { leaves: (0, last + 1), ..root }].into_iter());
        stack
    }

    fn group(&self, node: Node) -> Group {
        let node = node as usize;
        let (leaves, bounds) = (self.ranges[node], self.bounds[node]);
        Group { leaves, bounds, distortion: self.distortions[node] }
    }

    /// The leaves, whatever stands above them.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// How many groups, on all levels.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// There is at least the group of all leaves.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many levels, that of the values and that of the root included.
    pub fn n_levels(&self) -> u32 {
        self.firsts.len() as u32 - 1
    }

    /// The groups of a level.
    pub fn level(&self, level: u32) -> Range<Node> {
        self.firsts[level as usize]..self.firsts[level as usize + 1]
    }

    /// The group of all leaves.
    pub fn root(&self) -> Node {
        self.ranges.len() as Node - 1
    }

    /// The leaves of a group.
    pub fn leaves_of(&self, node: Node) -> LeafRange {
        let (start, end) = self.ranges[node as usize];
        LeafRange { start: start.into(), end: end.into() }
    }

    /// The group that stands for a leaf on a level.
    pub fn at_level(&self, leaf: Leaf, level: u32) -> Node {
        let Range { start, end } = self.level(level);
        let groups = &self.ranges[start as usize..end as usize];
        start + groups.partition_point(|&(_, end)| end <= leaf.get()) as Node
    }

    /// The lowest group that holds all leaves from `first` to `last`.
    pub fn lowest_common_group(&self, first: Leaf, last: Leaf) -> Node {
        let above = (0..self.n_levels()).map(|level| self.at_level(first, level));
        let holds = |node: &Node| self.leaves_of(*node).contains(last);
        above.into_iter().find(holds).unwrap_or(self.root())
    }

    /// The least and greatest value that a group stands for.
    pub fn bounds(&self, node: Node) -> Option<(f64, f64)> {
        let bounds = self.bounds[node as usize];
        (!bounds.0.is_nan()).then_some(bounds)
    }

    /// What stands for each leaf on each level.
    pub fn levels(&self) -> LevelFunction {
        let of_level = |level| {
            let groups = self.level(level);
            groups.flat_map(|group| vec![group; self.leaves_of(group).len()]).collect()
        };
        LevelFunction {
            nodes: (0..self.n_levels()).map(of_level).collect(),
            distortions: self.distortions.clone(),
            is_nested: false,
        }
    }

    /// How far every group is from the values themselves.
    pub fn distortions(&self) -> &[f64] {
        &self.distortions
    }

    /// The level of every group, as a share of the last; a missing value has 0 on all levels.
    pub(crate) fn relative_levels(&self) -> Vec<f64> {
        let last = f64::from(self.n_levels() - 1);
        let of_group = |level: u32, group: Node| match self.bounds(group) {
            Some(_) => f64::from(level) / last,
            None => 0.0,
        };
        let of_level = |level| self.level(level).map(move |group| of_group(level, group));
        (0..self.n_levels()).flat_map(of_level).collect()
    }

    /// What a release shows for a group: a value as itself, all values as `*`.
    pub fn published(&self, node: Node) -> Cow<'_, str> {
        if node == self.root() && self.ground.len() > 1 {
            return Cow::Borrowed("*");
        }
        self.label(node)
    }

    /// A group's interval.
    pub fn label(&self, node: Node) -> Cow<'_, str> {
        if (node as usize) < self.ground.len() {
            return self.ground.spelling(node.into());
        }
        match (self.bounds(node), self.ground.values().scale()) {
            (Some((low, high)), Some(scale)) if !self.mixes_missing(node) => {
                Cow::Owned(scale.interval(low, high))
            }
            (None, _) => self.ground.spelling(self.leaves_of(node).start),
            _ => Cow::Borrowed("*"),
        }
    }

    /// The leaves whose values a release spells out when it shows a group.
    pub(crate) fn spelt_leaves(&self, node: Node) -> Vec<Leaf> {
        let is_anything = node == self.root() || self.mixes_missing(node);
        match (self.bounds(node), self.ground.values().scale()) {
            _ if (node as usize) < self.ground.len() => vec![node.into()],
            (None, _) => vec![self.leaves_of(node).start], // missing values on a higher level
            (Some((low, high)), Some(scale)) if !is_anything => {
                let places = [low, high].map(|end| scale.place_at(end));
                places.into_iter().flatten().map(Leaf::new).collect()
            }
            _ => Vec::new(),
        }
    }

    fn mixes_missing(&self, node: Node) -> bool {
        let leaves = self.leaves_of(node).places();
        let n_values = self.ground.values().len();
        leaves.start < n_values && leaves.end > n_values
    }

    /// What each group costs: its share of the root's width, as far as both lie between the least
    /// and the greatest value; a leaf costs 0, the root of two or more leaves 1.
    pub fn costs(&self) -> Vec<f64> {
        let ends = self.values().scale().and_then(Scale::ends);
        let (least, greatest) = ends.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let width = |bounds: (f64, f64)| bounds.1.min(greatest) - bounds.0.max(least);
        let of_root = width(self.bounds[self.root() as usize]);
        let n_leaves = self.ground.len();
        let cost = |(node, &bounds): (usize, &(f64, f64))| match width(bounds) / of_root {
            _ if node < n_leaves || bounds.0.is_nan() => 0.0, // a value, or missing
            _ if node == self.root() as usize && n_leaves > 1 => 1.0,
            share if share.is_nan() => 0.0,
            share => share.min(1.0),
        };
        self.bounds.iter().enumerate().map(cost).collect()
    }

    /// The values of the leaves; the leaf for missing values comes after them.
    pub fn values(&self) -> &Values {
        self.ground.values()
    }
}

#[cfg(test)]
mod tests {
    use crate::builder;
    use crate::hierarchy::{Generalization, Leaf};
    use crate::method::Spec;
    use crate::table::Table;

    #[test]
    fn missing_values_are_spelt_out_on_every_level_but_the_last() {
        let table = Table::from_rows(&["x"], &[["1"], ["2"], ["40"], [""]]).unwrap();
        let column = &table.columns()[0];
        let built = builder::build(&Spec::named("dbgh"), column, None).unwrap();
        let Generalization::Levels(levels) = built.with_missing_of(&column.domain) else {
            panic!("levels of dbgh are not nested");
        };
        let missing = Leaf::new(3);
        for level in 0..levels.n_levels() - 1 {
            assert_eq!(levels.spelt_leaves(levels.at_level(missing, level)), [missing], "{level}");
        }
        assert!(levels.spelt_leaves(levels.root()).is_empty());
    }
}
