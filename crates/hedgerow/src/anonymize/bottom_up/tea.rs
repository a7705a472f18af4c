//! TEA: a trie of the vids that merges only the entries that a generalization makes equal.

use std::collections::BTreeSet;
use std::ops::Range;

use hashbrown::HashSet;

use super::cut::{Cut, Step};
use super::{Counts, Vids};
use crate::anonymize::information::end_of;
use crate::hierarchy::{Hierarchy, Node};

/// The trie: one level for each attribute and one path for each vid, with its count at the end.
///
/// Children are ordered by their labels. Nodes of a cut with the same parent in their tree are
/// neighbours in this order, so a *segment*, the children that a generalization replaces, is a
/// contiguous run. Nodes are numbered in pre-order, so the replacement belongs at the same
/// position.
pub(super) struct Tea<'a> {
    trees: Vec<&'a Hierarchy>,
    labels: Vec<Node>,
    /// Whether each entry was merged into another.
    is_dead: Vec<bool>,
    parents: Vec<u32>,
    children: Vec<Vec<u32>>,
    /// Number of records at the end of each path; 0 at inner entries.
    counts: Vec<u64>,
    /// The ends of all paths, ordered by their numbers of records.
    vids: BTreeSet<(u64, u32)>,
    /// For each attribute and each parent node, the entries that have a segment below that node.
    /// May contain dead entries and duplicates.
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
        tea.place(Node::ROOT, 0); // the root, whose label is never used
        let mut path: Vec<u32> = Vec::new();
        let mut ends = Vec::with_capacity(vids.counts.len());
        let mut last: &[Node] = &[];
        for (vid, count) in vids.iter() {
            // Vids are sorted, so each one shares a prefix with the path of the previous one.
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

    /// Records that an entry has a child with this label.
    fn link(&mut self, level: usize, place: u32, label: Node) {
        if let Some(above) = self.trees[level].parent(label) {
            let places = &mut self.links[level][above.index()];
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
    }

    /// Returns the entries that have a segment of a generalization.
    fn places(&self, step: &Step) -> Vec<u32> {
        // Links are not updated when entries are merged, so they are cleaned here.
        let mut places = self.links[step.attribute][step.to.index()].clone();
        places.sort_unstable();
        places.dedup();
        places.retain(|&place| !self.is_dead[place as usize]);
        places
    }

    /// Returns the range of children whose labels are a node or its descendants.
    fn run(&self, place: u32, tree: &Hierarchy, node: Node) -> Range<usize> {
        let children = &self.children[place as usize];
        let before = |limit: Node| children.partition_point(|&c| self.labels[c as usize] < limit);
        before(node)..before(end_of(tree, node))
    }

    /// Returns the children of an entry that a generalization merges into one.
    fn segment(&self, place: u32, step: &Step) -> Vec<u32> {
        let tree = self.trees[step.attribute];
        let run = self.run(place, tree, step.to);
        let members = self.children[place as usize][run].iter().copied();
        members.filter(|&child| step.joins(tree, self.labels[child as usize])).collect()
    }

    /// The children of an entry; the root of the trie is entry 0.
    pub(super) fn children_of(&self, entry: u32) -> &[u32] {
        &self.children[entry as usize]
    }

    /// The node of the cut that an entry represents.
    pub(super) fn label_of(&self, entry: u32) -> Node {
        self.labels[entry as usize]
    }

    /// The number of records of the vid that ends at an entry; 0 at inner entries.
    pub(super) fn count_of(&self, entry: u32) -> u64 {
        self.counts[entry as usize]
    }

    fn n_levels(&self) -> usize {
        self.trees.len()
    }

    /// Merges an entry and its subtree into another. Uses a stack instead of recursion.
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
            // Merges two sorted lists of children; equal labels are merged one level below.
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

    /// Returns every generalization that a vid can take part in.
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
            // The label itself can be the target: in partial mode its children join it one by one.
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

    fn candidates(&self, cut: &Cut<'_>) -> Vec<Step> {
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

    /// Descends from all segments at once and visits only vids that are merged with others.
    fn smallest_after(&self, step: &Step) -> u64 {
        let mut merged: HashSet<u32> = HashSet::new();
        let mut fewest = u64::MAX;
        let segments = self.places(step).into_iter().map(|place| self.segment(place, step));
        // A group is a set of entries that the generalization would merge into one.
        let mut open: Vec<(usize, Vec<u32>)> = segments.map(|s| (step.attribute, s)).collect();
        open.retain(|(_, segment)| segment.len() > 1);
        while let Some((level, group)) = open.pop() {
            if level + 1 == self.n_levels() {
                fewest = fewest.min(group.iter().map(|&end| self.counts[end as usize]).sum());
                merged.extend(group);
                continue;
            }
            let label = |&child: &u32| self.labels[child as usize];
            let children = group.iter().flat_map(|&place| &self.children[place as usize]);
            let mut below: Vec<u32> = children.copied().collect();
            below.sort_by_key(label);
            let equal = below.chunk_by(|one, other| label(one) == label(other));
            open.extend(equal.filter(|g| g.len() > 1).map(|group| (level + 1, group.to_vec())));
        }
        // Vids are ordered by size, so the first one that is not merged is the smallest of these.
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
            // The first entry of the segment stays and gets the new label; the others are merged
            // into it.
            children.retain(|&c| c == into || !step.joins(tree, self.labels[c as usize]));
            if let Some(at) = children.iter().position(|&child| child == into) {
                children[first..=at].rotate_right(1); // before siblings that do not join it yet
            }
            self.children[place as usize] = children;
            self.labels[into as usize] = to;
            rest.iter().for_each(|&from| self.merge(into, from, attribute));
            self.link(attribute, place, to);
        }
        // In partial mode, other children of the node may follow later.
        self.links[attribute][to.index()] = if child.is_some() { places } else { Vec::new() };
    }
}
