//! TEA: a trie of the vids that merges what a generalization makes equal, and nothing else.

use std::collections::BTreeSet;
use std::ops::Range;

use hashbrown::HashSet;

use super::cut::{Cut, Step};
use super::{Counts, Vids};
use crate::anonymize::information::end_of;
use crate::hierarchy::{Hierarchy, Node};

/// The trie: one level for each attribute, a path for each vid, its records at the end.
///
/// Children lie in the order of their labels. Nodes of a cut that have the same parent in their tree
/// are neighbours there, so a *segment*, the children of a place that a generalization replaces, is
/// a run; and as nodes are numbered in pre-order, what replaces them belongs where they were.
pub(super) struct Tea<'a> {
    trees: Vec<&'a Hierarchy>,
    labels: Vec<Node>,
    /// Which places were merged into others.
    is_dead: Vec<bool>,
    parents: Vec<u32>,
    children: Vec<Vec<u32>>,
    /// The records of each path; 0 above.
    counts: Vec<u64>,
    /// The ends of all paths, by their records.
    vids: BTreeSet<(u64, u32)>,
    /// The places that have a segment, for each attribute and node above the segment. Some are dead
    /// or stand twice.
    links: Vec<Vec<Vec<u32>>>,
}

impl<'a> Tea<'a> {
    pub(super) fn new(vids: &Vids, trees: Vec<&'a Hierarchy>) -> Self {
        let links = trees.iter().map(|tree| vec![Vec::new(); tree.len()]).collect();
        let mut tea = Self {
            trees,
            labels: Vec::new(),
            is_dead: Vec::new(),
            parents: Vec::new(),
            children: Vec::new(),
            counts: Vec::new(),
            vids: BTreeSet::new(),
            links,
        };
        tea.place(Node::ROOT, 0); // the top, whose label nobody asks for
        let mut path: Vec<u32> = Vec::new();
        let mut ends = Vec::with_capacity(vids.counts.len());
        let mut last: &[Node] = &[];
        for (vid, count) in vids.iter() {
            let n_shared = last.iter().zip(vid).take_while(|(a, b)| a == b).count();
            path.truncate(n_shared);
            for (level, &label) in vid.iter().enumerate().skip(n_shared) {
                let above = path.last().copied().unwrap_or(0);
                let place = tea.place(label, above);
                tea.children[above as usize].push(place);
                tea.link(level, above, label);
                path.push(place);
            }
            let end = path[vid.len() - 1];
            tea.counts[end as usize] = count;
            ends.push((count, end));
            last = vid;
        }
        tea.vids = ends.into_iter().collect();
        tea
    }

    fn place(&mut self, label: Node, parent: u32) -> u32 {
        self.labels.push(label);
        self.is_dead.push(false);
        self.parents.push(parent);
        self.children.push(Vec::new());
        self.counts.push(0);
        self.labels.len() as u32 - 1
    }

    /// Notes that a place has a child with this label.
    fn link(&mut self, level: usize, place: u32, label: Node) {
        if let Some(above) = self.trees[level].parent(label) {
            let places = &mut self.links[level][above.index()];
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
    }

    /// The places that have a segment of a generalization.
    fn places(&self, step: &Step) -> Vec<u32> {
        let mut places = self.links[step.attribute][step.to.index()].clone();
        places.sort_unstable();
        places.dedup();
        places.retain(|&place| !self.is_dead[place as usize]);
        places
    }

    /// Where the children of a place lie whose labels are a node or below it.
    fn run(&self, place: u32, tree: &Hierarchy, node: Node) -> Range<usize> {
        let children = &self.children[place as usize];
        let before = |limit: Node| children.partition_point(|&c| self.labels[c as usize] < limit);
        before(node)..before(end_of(tree, node))
    }

    /// The children of a place that a generalization makes one.
    fn segment(&self, place: u32, step: &Step) -> Vec<u32> {
        let tree = self.trees[step.attribute];
        let run = self.run(place, tree, step.to);
        let members = self.children[place as usize][run].iter().copied();
        members.filter(|&child| step.joins(tree, self.labels[child as usize])).collect()
    }

    fn n_levels(&self) -> usize {
        self.trees.len()
    }

    /// Merges a place and all below it into another.
    fn merge(&mut self, into: u32, from: u32, level: usize) {
        let mut open = vec![(into, from, level)];
        while let Some((into, from, level)) = open.pop() {
            self.is_dead[from as usize] = true;
            if level + 1 == self.n_levels() {
                self.merge_vids(into, from);
                continue;
            }
            let ours = std::mem::take(&mut self.children[into as usize]);
            let theirs = std::mem::take(&mut self.children[from as usize]);
            let mut merged = Vec::with_capacity(ours.len() + theirs.len());
            let mut ours = ours.into_iter().peekable();
            for child in theirs {
                let label = self.labels[child as usize];
                let is_before = |&our: &u32| self.labels[our as usize] < label;
                merged.extend(std::iter::from_fn(|| ours.next_if(is_before)));
                if let Some(our) = ours.next_if(|&our| self.labels[our as usize] == label) {
                    merged.push(our);
                    open.push((our, child, level + 1));
                } else {
                    merged.push(child);
                    self.parents[child as usize] = into;
                    self.link(level + 1, into, label);
                }
            }
            merged.extend(ours);
            self.children[into as usize] = merged;
        }
    }

    fn merge_vids(&mut self, into: u32, from: u32) {
        let [ours, theirs] = [into, from].map(|end| self.counts[end as usize]);
        self.vids.remove(&(ours, into));
        self.vids.remove(&(theirs, from));
        self.vids.insert((ours + theirs, into));
        self.counts[into as usize] = ours + theirs;
    }

    /// The generalizations that may be critical (METHODS 4.2, step 1): only one that merges every
    /// vid of the fewest records with another can leave more than that.
    pub(super) fn candidates(&self, cut: &Cut<'_>) -> Vec<Step> {
        let fewest = self.smallest();
        let mut weakest = self.vids.range((fewest, 0)..=(fewest, u32::MAX)).map(|&(_, end)| end);
        let Some(first) = weakest.next() else { return Vec::new() };
        let mut candidates = self.steps_at(first);
        candidates.retain(|step| self.merges(first, step) && cut.is_open(step));
        for end in weakest {
            if candidates.is_empty() {
                break;
            }
            candidates.retain(|step| self.merges(end, step));
        }
        candidates
    }

    /// Every generalization that a vid may take part in.
    fn steps_at(&self, end: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut place = end;
        for (attribute, tree) in self.trees.iter().enumerate().rev() {
            let label = self.labels[place as usize];
            let above = self.parents[place as usize];
            if let Some(to) = tree.parent(label) {
                steps.push(Step { attribute, to, child: None });
                steps.push(Step { attribute, to, child: Some(label) });
            }
            for &beside in &self.children[above as usize][self.run(above, tree, label)] {
                let child = Some(self.labels[beside as usize]);
                steps.push(Step { attribute, to: label, child });
            }
            place = above;
        }
        steps
    }

    /// Whether a generalization merges the branch of a vid with another.
    fn merges(&self, end: u32, step: &Step) -> bool {
        let n_up = self.n_levels() - 1 - step.attribute;
        let place = (0..n_up).fold(end, |place, _| self.parents[place as usize]);
        let tree = self.trees[step.attribute];
        let above = self.parents[place as usize];
        let joins = |&child: &u32| step.joins(tree, self.labels[child as usize]);
        let run = self.run(above, tree, step.to);
        joins(&place)
            && self.children[above as usize][run].iter().filter(|c| joins(c)).nth(1).is_some()
    }
}

impl Counts for Tea<'_> {
    fn len(&self) -> usize {
        self.vids.len()
    }

    fn smallest(&self) -> u64 {
        self.vids.first().map_or(0, |&(count, _)| count)
    }

    fn sizes(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.vids.iter().map(|&(count, _)| count))
    }

    /// Walks down from all segments at once and looks only at vids that become one with another.
    fn smallest_after(&self, step: &Step) -> u64 {
        let mut merged: HashSet<u32> = HashSet::new();
        let mut fewest = u64::MAX;
        let segments = self.places(step).into_iter().map(|place| self.segment(place, step));
        let mut open: Vec<(usize, Vec<u32>)> = segments.map(|s| (step.attribute, s)).collect();
        open.retain(|(_, segment)| segment.len() > 1);
        while let Some((level, group)) = open.pop() {
            if level + 1 == self.n_levels() {
                fewest = fewest.min(group.iter().map(|&end| self.counts[end as usize]).sum());
                merged.extend(group);
                continue;
            }
            let label = |&child: &u32| self.labels[child as usize];
            let below = group.iter().flat_map(|&place| &self.children[place as usize]);
            let mut below: Vec<u32> = below.copied().collect();
            below.sort_by_key(label);
            let equal = below.chunk_by(|one, other| label(one) == label(other));
            open.extend(equal.filter(|g| g.len() > 1).map(|group| (level + 1, group.to_vec())));
        }
        let is_left = |(_, end): &&(u64, u32)| !merged.contains(end);
        self.vids.iter().find(is_left).map_or(fewest, |&(count, _)| fewest.min(count))
    }

    fn apply(&mut self, step: &Step) {
        let Step { attribute, to, child } = *step;
        let tree = self.trees[attribute];
        let places = self.places(step);
        for &place in &places {
            let segment = self.segment(place, step);
            let Some((&into, rest)) = segment.split_first() else { continue };
            let first = self.run(place, tree, to).start;
            let mut children = std::mem::take(&mut self.children[place as usize]);
            children.retain(|&c| c == into || !step.joins(tree, self.labels[c as usize]));
            if let Some(at) = children.iter().position(|&child| child == into) {
                children[first..=at].rotate_right(1); // past those that do not join it yet
            }
            self.children[place as usize] = children;
            self.labels[into as usize] = to;
            rest.iter().for_each(|&from| self.merge(into, from, attribute));
            self.link(attribute, place, to);
        }
        // Other children may follow, if they go one by one.
        self.links[attribute][to.index()] = if child.is_some() { places } else { Vec::new() };
    }
}
