//! Bit strings and the cuts that they encode.

use std::cmp::Reverse;
use std::ops::Range;

use hashbrown::HashMap;

use crate::hierarchy::{Generalization, Hierarchy, Leaf, LeafRange};
use crate::problem::{Attribute, Problem, Region};
use crate::proposal::{Proposal, Take};
use crate::table::Cohort;

/// The division of a bit string among the attributes.
#[derive(Debug)]
pub(super) struct Strands(Vec<Strand>);

/// The part of a bit string that encodes the cut of one attribute.
#[derive(Debug)]
pub(super) struct Strand {
    attribute: Attribute,
    /// The leaves in order; there is one bit between each two neighbours.
    pub(super) leaves: Vec<Leaf>,
    /// The range of its bits in the string.
    bits: Range<usize>,
    /// The most frequent leaf, whose group contains the records that match anything.
    home: Leaf,
}

impl Strands {
    pub(super) fn new(problem: &Problem) -> Self {
        let mut strands = Self(Vec::with_capacity(problem.attributes().len()));
        for attribute in problem.attributes() {
            // The bits of an attribute follow those of the attribute before it.
            let strand = Strand::new(problem, attribute, strands.n_bits());
            strands.0.push(strand);
        }
        strands
    }

    /// Number of bits of a string.
    pub(super) fn n_bits(&self) -> usize {
        self.0.last().map_or(0, |last| last.bits.end)
    }

    /// The strands of all attributes.
    pub(super) fn all(&self) -> &[Strand] {
        &self.0
    }

    /// Flips a bit. In a tree, a bit that becomes 1 divides the group around it into the children
    /// of its node, because a single bit would not survive the repair.
    pub(super) fn flip(&self, bits: &mut [bool], bit: usize) {
        let strand = &self.0[self.0.partition_point(|strand| strand.bits.end <= bit)];
        match strand.attribute.generalization() {
            Generalization::Tree(tree) if !bits[bit] => {
                strand.divide(tree, &mut bits[strand.bits.clone()], bit - strand.bits.start);
            }
            _ => bits[bit] = !bits[bit],
        }
    }

    /// Repairs a string so that the groups of every tree are whole nodes.
    pub(super) fn repair(&self, bits: &mut [bool]) {
        for strand in &self.0 {
            strand.repair(bits);
        }
    }

    /// Decodes a string into a proposal in which classes that are not private are suppressed.
    pub(super) fn recode(&self, problem: &Problem, bits: &[bool]) -> Proposal {
        // For each attribute, the group number of each leaf, and the regions of the groups.
        let groups: Vec<(Vec<u32>, Vec<Region>)> =
            self.0.iter().map(|strand| strand.groups(bits)).collect();
        let mut numbers: HashMap<Box<[u32]>, u32> = HashMap::new();
        let mut shapes: Vec<Box<[Region]>> = Vec::new();
        let mut takes = Vec::with_capacity(problem.cohorts().len());
        for (cohort, count) in problem.cohorts().counted() {
            let strands = self.0.iter().zip(&groups);
            let group = |(strand, (of_leaf, _)): (&Strand, &(Vec<u32>, Vec<_>))| {
                of_leaf[strand.leaf(cohort).index()]
            };
            let key: Box<[u32]> = strands.map(group).collect();
            let next = shapes.len() as u32;
            let class: u32 = *numbers.entry(key).or_insert_with_key(|key| {
                let regions = key.iter().zip(&groups).map(|(&g, (_, all))| all[g as usize].clone());
                shapes.push(regions.collect());
                next
            });
            takes.push(Take { cohort, class: Some(class.into()), count });
        }
        let mut proposal = Proposal::with_regions(problem, shapes.into_iter(), takes);
        proposal.drop_failing(problem);
        proposal
    }
}

impl Strand {
    fn new(problem: &Problem, attribute: &Attribute, start: usize) -> Self {
        let counts = attribute.leaf_counts(&problem.cohorts().counts);
        // A constant attribute is published unchanged, so it needs no bits.
        let constant = attribute.leaves().first().and_then(|leaf| leaf.known());
        let all = match constant.filter(|_| attribute.is_constant()) {
            Some(leaf) => LeafRange { start: leaf, end: leaf.next() },
            None => Leaf::first(attribute.n_leaves()),
        };
        let by_count = |leaf: &Leaf| (Reverse(counts[leaf.index()]), *leaf);
        let leaves: Vec<Leaf> = match attribute.generalization() {
            Generalization::Set(_) => {
                let mut by_frequency: Vec<Leaf> = all.collect();
                by_frequency.sort_unstable_by_key(by_count);
                by_frequency
            }
            _ => all.collect(),
        };
        // The order by count is descending, so the minimum is the most frequent leaf.
        let home = leaves.iter().copied().min_by_key(by_count).unwrap_or(Leaf::new(0));
        let bits = start..start + leaves.len().saturating_sub(1);
        Self { attribute: attribute.clone(), leaves, bits, home }
    }

    /// Returns the leaf of a cohort.
    pub(super) fn leaf(&self, cohort: Cohort) -> Leaf {
        self.attribute.leaves()[cohort.index()].known().unwrap_or(self.home)
    }

    pub(super) fn attribute(&self) -> &Attribute {
        &self.attribute
    }

    /// Iterates over the ranges of leaves between cuts.
    pub(super) fn runs(&self, bits: &[bool]) -> impl Iterator<Item = Range<usize>> {
        let bits = &bits[self.bits.clone()];
        let n_leaves = self.leaves.len();
        let mut start = 0;
        std::iter::from_fn(move || {
            let from = start;
            if from >= n_leaves {
                return None;
            }
            let cut = bits[from..].iter().position(|&is_cut| is_cut);
            start = cut.map_or(n_leaves, |gap| from + gap + 1);
            Some(from..start)
        })
    }

    /// Divides the group around a gap into the children of its node.
    fn divide(&self, tree: &Hierarchy, bits: &mut [bool], gap: usize) {
        let first = bits[..gap].iter().rposition(|&is_cut| is_cut).map_or(0, |cut| cut + 1);
        let last = bits[gap..].iter().position(|&is_cut| is_cut).map_or(bits.len(), |n| gap + n);
        let joint = |from: usize, to: usize| {
            tree.lowest_common_ancestor(self.leaves[from], self.leaves[to])
        };
        // A gap separates two children of `node` if the common ancestor of its neighbours is
        // `node`.
        let node = joint(first, last);
        (first..last).for_each(|gap| bits[gap] = joint(gap, gap + 1) == node);
    }

    fn repair(&self, bits: &mut [bool]) {
        let Generalization::Tree(tree) = self.attribute.generalization() else { return };
        let Some(&least) = self.leaves.first() else { return };
        let bits = &mut bits[self.bits.clone()];
        let mut starts: Vec<Leaf> = Vec::new();
        let mut start = 0;
        while start < self.leaves.len() {
            let cut = bits[start..].iter().position(|&is_cut| is_cut);
            let last = cut.map_or(self.leaves.len() - 1, |gap| start + gap);
            let node = tree.lowest_common_ancestor(self.leaves[start], self.leaves[last]);
            let leaves = tree.leaves_of(node);
            // The node may start before this group; it then absorbs the groups before it.
            while starts.last().is_some_and(|&before| before >= leaves.start) {
                starts.pop();
            }
            starts.push(leaves.start);
            start = leaves.end.index() - least.index();
        }
        // Each group that is left starts after a cut, except for the first.
        bits.fill(false);
        starts[1..].iter().for_each(|start| bits[start.index() - least.index() - 1] = true);
    }

    /// Returns the group number of each leaf, and the regions that the groups publish.
    fn groups(&self, bits: &[bool]) -> (Vec<u32>, Vec<Region>) {
        let mut of_leaf = vec![0; self.attribute.n_leaves().max(1)];
        let mut regions = Vec::new();
        for run in self.runs(bits) {
            for &leaf in &self.leaves[run.clone()] {
                of_leaf[leaf.index()] = regions.len() as u32;
            }
            regions.push(self.attribute.region(self.leaves[run].iter().map(|&leaf| leaf.into())));
        }
        if regions.is_empty() {
            regions.push(Region::Unknown);
        }
        (of_leaf, regions)
    }
}
