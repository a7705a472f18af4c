//! Hierarchies whose levels need not be nested: a stack of partitions of the leaves.

use std::borrow::Cow;
use std::ops::Range;

use super::ground::{Ground, Leaves};
use super::leaf::{Leaf, LeafRange};
use super::node::{Group, Level, LevelFunction};
use crate::method::Spec;
use crate::table::{Scale, Values};

/// A hierarchy as a stack of partitions.
///
/// Each partition is coarser than the one below, but the one below need not be nested in it: 21..40
/// is contained in neither 1..25 nor 26..50. Level 0 has the leaves and the last level has one
/// group of all leaves. Groups are numbered consecutively, level by level, so the number of a leaf
/// is its place. Methods that need nested levels must reject this type.
#[derive(Debug, Clone, PartialEq)]
pub struct Levels {
    ground: Ground,
    /// First group of each level, level 0 first, followed by the total number of groups.
    firsts: Vec<Group>,
    /// The leaves of every group.
    ranges: Vec<(u32, u32)>,
    /// The range of values that each group represents; NaN for missing values.
    bounds: Vec<(f64, f64)>,
    /// Distortion of each group: how far it is from the original values.
    distortions: Vec<f64>,
}

/// A group of a level: its leaves, the range it represents and its distortion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// The half-open range of its leaves, which is not empty.
    pub leaves: (u32, u32),
    /// The least and the greatest value of its range.
    pub bounds: (f64, f64),
    /// The distortion of its level.
    pub distortion: f64,
}

impl Levels {
    /// Stacks levels on numeric leaves, the finest first. The last level must have one group of all
    /// leaves.
    pub(crate) fn new(leaves: Leaves, scale: &Scale, levels: &[Vec<Band>]) -> Self {
        let n_leaves = leaves.values.len() as u32;
        let mut stack = Self {
            ground: Ground::new(leaves),
            // Level 0: the group of a leaf has the number of the leaf.
            firsts: vec![Group::from(0), Group::from(n_leaves)],
            ranges: (0..n_leaves).map(|leaf| (leaf, leaf + 1)).collect(),
            bounds: (0..scale.len()).map(|leaf| (scale.value(leaf), scale.value(leaf))).collect(),
            distortions: vec![0.0; n_leaves as usize],
        };
        for level in levels {
            stack.push(level.iter().copied());
        }
        stack
    }

    fn push(&mut self, groups: impl Iterator<Item = Band>) {
        for Band { leaves, bounds, distortion } in groups {
            self.ranges.push(leaves);
            self.bounds.push(bounds);
            self.distortions.push(distortion);
        }
        self.firsts.push(Group::new(self.ranges.len()));
    }

    /// Records the builder of the levels.
    #[must_use]
    pub(crate) fn built_by(mut self, builder: Spec) -> Self {
        self.ground.set_builder(builder);
        self
    }

    /// Adds a leaf for missing values, which stays alone on every level but a new last one.
    #[must_use]
    pub(crate) fn with_missing(&self, label: &str, count: u64) -> Self {
        let last = self.ground.len() as u32;
        let missing =
            Band { leaves: (last, last + 1), bounds: (f64::NAN, f64::NAN), distortion: 0.0 };
        let mut ground = self.ground.clone();
        ground.add_missing(label, count);
        let mut stack = Self {
            ground,
            firsts: vec![Group::from(0)],
            ranges: Vec::new(),
            bounds: Vec::new(),
            distortions: Vec::new(),
        };
        for level in self.top().and_below() {
            stack.push(self.level(level).map(|group| self.band(group)).chain([missing]));
        }
        // The new root repeats the bounds of the old one; its label is `*` because it mixes in the
        // missing values.
        let root = self.band(self.root());
        stack.push([Band { leaves: (0, last + 1), ..root }].into_iter());
        stack
    }

    /// The leaves, the range and the distortion of a group.
    pub(crate) fn band(&self, group: Group) -> Band {
        let group = group.index();
        let (leaves, bounds) = (self.ranges[group], self.bounds[group]);
        Band { leaves, bounds, distortion: self.distortions[group] }
    }

    /// The leaves, independent of the levels above them.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Number of groups on all levels.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Always false: there is at least the group of all leaves.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Number of levels, including those of the values and of the root.
    pub fn n_levels(&self) -> u32 {
        self.firsts.len() as u32 - 1
    }

    /// The level of the group of all leaves.
    pub fn top(&self) -> Level {
        Level::new(self.firsts.len() - 2)
    }

    /// The groups of a level.
    pub fn level(&self, level: Level) -> impl ExactSizeIterator<Item = Group> + Clone + use<> {
        self.places(level).map(Group::new)
    }

    /// Returns the positions of a level's groups among all groups.
    fn places(&self, level: Level) -> Range<usize> {
        self.firsts[level.index()].index()..self.firsts[level.index() + 1].index()
    }

    /// Whether a group is a single leaf of the lowest level.
    pub(crate) fn is_leaf(&self, group: Group) -> bool {
        group.index() < self.ground.len()
    }

    /// The group of all leaves.
    pub fn root(&self) -> Group {
        Group::new(self.ranges.len() - 1)
    }

    /// The leaves of a group.
    pub fn leaves_of(&self, group: Group) -> LeafRange {
        let (start, end) = self.ranges[group.index()];
        LeafRange { start: start.into(), end: end.into() }
    }

    /// Returns the group that contains a leaf on a level.
    pub(crate) fn at_level(&self, leaf: Leaf, level: Level) -> Group {
        let places = self.places(level);
        // The groups of a level partition the leaves in order, so a binary search finds the group.
        let groups = &self.ranges[places.clone()];
        Group::new(places.start + groups.partition_point(|&(_, end)| end <= leaf.get()))
    }

    /// Returns the lowest group that contains all leaves from `first` to `last`.
    pub(crate) fn lowest_common_group(&self, first: Leaf, last: Leaf) -> Group {
        let mut above = self.top().and_below().map(|level| self.at_level(first, level));
        let holds = |group: &Group| self.leaves_of(*group).contains(last);
        above.find(holds).unwrap_or(self.root())
    }

    /// Returns the least and the greatest value that a group represents, or `None` for missing
    /// values.
    pub fn bounds(&self, group: Group) -> Option<(f64, f64)> {
        let bounds = self.bounds[group.index()];
        (!bounds.0.is_nan()).then_some(bounds)
    }

    /// Returns the group of each leaf on each level.
    pub fn levels(&self) -> LevelFunction<Group> {
        let of_level = |level| {
            let groups = self.level(level);
            groups.flat_map(|group| vec![group; self.leaves_of(group).len()]).collect()
        };
        LevelFunction {
            nodes: self.top().and_below().map(of_level).collect(),
            distortions: self.distortions.clone(),
            is_nested: false,
        }
    }

    /// Distortion of each group: how far it is from the original values.
    pub(crate) fn distortions(&self) -> &[f64] {
        &self.distortions
    }

    /// Returns the level of each group divided by the last level; 0 for missing values on every
    /// level.
    pub(crate) fn relative_levels(&self) -> Vec<f64> {
        let last = f64::from(self.n_levels() - 1);
        let of_group = |level: Level, group| match self.bounds(group) {
            Some(_) => f64::from(level.get()) / last,
            None => 0.0,
        };
        let of_level = |level| self.level(level).map(move |group| of_group(level, group));
        self.top().and_below().flat_map(of_level).collect()
    }

    /// Returns the published text of a group: the spelling of a single value, `*` for the root.
    pub fn published(&self, group: Group) -> Cow<'_, str> {
        if group == self.root() && self.ground.len() > 1 {
            return Cow::Borrowed("*");
        }
        self.label(group)
    }

    /// Returns the interval of a group, or the spelling of a leaf.
    pub fn label(&self, group: Group) -> Cow<'_, str> {
        if self.is_leaf(group) {
            return self.ground.spelling(group.get().into());
        }
        match (self.bounds(group), self.ground.values().scale()) {
            (Some((low, high)), Some(scale)) if !self.mixes_missing(group) => {
                Cow::Owned(scale.interval(low, high))
            }
            (None, _) => self.ground.spelling(self.leaves_of(group).start),
            _ => Cow::Borrowed("*"),
        }
    }

    /// Returns the leaves whose values appear literally in the published text of a group.
    pub(crate) fn spelt_leaves(&self, group: Group) -> Vec<Leaf> {
        let is_anything = group == self.root() || self.mixes_missing(group);
        match (self.bounds(group), self.ground.values().scale()) {
            _ if self.is_leaf(group) => vec![group.get().into()],
            (None, _) => vec![self.leaves_of(group).start], // missing values on a higher level
            (Some((low, high)), Some(scale)) if !is_anything => {
                let places = [low, high].map(|end| scale.place_at(end));
                places.into_iter().flatten().map(Leaf::new).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a release shows `*` for a group.
    pub(crate) fn says_nothing(&self, group: Group) -> bool {
        (group == self.root() && self.ground.len() > 1) || self.mixes_missing(group)
    }

    fn mixes_missing(&self, group: Group) -> bool {
        let leaves = self.leaves_of(group).places();
        let n_values = self.ground.values().len();
        leaves.start < n_values && leaves.end > n_values
    }

    /// Returns the cost of each group: its share of the root's width, both clipped to the range
    /// from the least to the greatest value. A leaf costs 0, the root of two or more leaves 1.
    pub fn costs(&self) -> Vec<f64> {
        let ends = self.values().scale().and_then(Scale::ends);
        let (least, greatest) = ends.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        // NCP counts no width where there are no values.
        let width = |bounds: (f64, f64)| bounds.1.min(greatest) - bounds.0.max(least);
        let of_root = width(self.bounds[self.root().index()]);
        let n_leaves = self.ground.len();
        let cost = |(node, &bounds): (usize, &(f64, f64))| match width(bounds) / of_root {
            _ if node < n_leaves || bounds.0.is_nan() => 0.0, // a value, or missing
            _ if node == self.root().index() && n_leaves > 1 => 1.0,
            // The width of the root is 0 if all values are equal.
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
        for level in levels.top().below().unwrap().and_below() {
            assert_eq!(levels.spelt_leaves(levels.at_level(missing, level)), [missing], "{level}");
        }
        assert!(levels.spelt_leaves(levels.root()).is_empty());
    }
}
