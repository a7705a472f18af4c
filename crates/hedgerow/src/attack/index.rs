//! An index of the classes of a release: finds the classes whose cells cover a tuple.

use std::cmp::Reverse;
use std::sync::Arc;

use hashbrown::HashMap;

use super::hulls::{Layout, Probe, ends};
use super::view::{Targets, View};
use crate::parallel::in_parallel;
use crate::population::Cover;
use crate::table::Code;

/// Number of classes of a leaf: one for each bit of a word.
const LEAF: usize = 64;

/// Least number of searches for which a thread is started.
pub(super) const LEAST_OF_THREAD: usize = 1000;

/// Number of classes on which the column that divides a node is chosen.
const SAMPLE: usize = 256;

/// A binary tree of classes. Every node has a hull, the union of the values that its classes cover
/// in each column, so a search visits only nodes whose hulls contain the tuple. A leaf has a word
/// for each code of each column, whose bits are the classes that cover the code, so 64 classes are
/// compared with a tuple at once.
#[derive(Debug)]
pub(super) struct Index {
    view: Arc<View>,
    hulls: Layout,
    nodes: Vec<Node>,
    /// The hulls of all nodes, one after the other.
    words: Vec<u64>,
    /// The classes in the order of the leaves.
    order: Vec<u32>,
    /// For each leaf and column, the place of its words.
    blocks: Vec<Block>,
    /// The words of all blocks: a bit for each class of the leaf that covers a code.
    fitting: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    /// The first of two children, which follow each other; 0 for a leaf.
    children: u32,
}

/// The words of a leaf in a column: one for each code from the least to the greatest that a class
/// of the leaf covers.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// The first code.
    first: u32,
    n_codes: u32,
    /// The place of the word of the first code.
    start: usize,
}

impl Index {
    /// Indexes the classes that show something, of columns with these numbers of codes.
    pub(super) fn new(view: &Arc<View>, n_codes: &[usize]) -> Self {
        let order: Vec<u32> =
            (0..view.len() as u32).filter(|&class| !view.is_blank[class as usize]).collect();
        let mut index = Self {
            view: Arc::clone(view),
            hulls: Layout::new(n_codes),
            nodes: Vec::new(),
            words: Vec::new(),
            order,
            blocks: Vec::new(),
            fitting: Vec::new(),
        };
        index.grow();
        for start in (0..index.order.len()).step_by(LEAF) {
            index.push_leaf(start);
        }
        index
    }

    /// Divides classes until leaves are left.
    fn grow(&mut self) {
        // The sum of both ends is twice the middle, which keeps it a whole number.
        let centre = |cover: &Cover| ends(cover).map_or(0, |(first, last)| first + last);
        let of_column = |covers: &Vec<Cover>| covers.iter().map(centre).collect();
        let centres = Centres(self.view.covers.iter().map(of_column).collect());
        self.push(0, self.order.len());
        let mut place = 0;
        // Breadth first: the two children of a node are pushed together, so one index names both.
        while place < self.nodes.len() {
            let Node { start, end, .. } = self.nodes[place];
            if let Some(middle) = self.divide(start as usize, end as usize, &centres) {
                self.nodes[place].children = self.nodes.len() as u32;
                self.push(start as usize, middle);
                self.push(middle, end as usize);
            }
            place += 1;
        }
        self.words = self.hulls_of_nodes();
    }

    fn push(&mut self, start: usize, end: usize) {
        self.nodes.push(Node { start: start as u32, end: end as u32, children: 0 });
    }

    /// The hulls of all nodes. Children come after their parents, so from the last node on, the
    /// hulls of both children are known.
    fn hulls_of_nodes(&self) -> Vec<u64> {
        let n_words = self.hulls.n_words;
        let mut words = vec![0; n_words * self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate().rev() {
            let (own, later) = words[place * n_words..].split_at_mut(n_words);
            if node.children == 0 {
                let classes = &self.order[node.start as usize..node.end as usize];
                own.copy_from_slice(&self.hulls.union(&self.view, classes));
                continue;
            }
            let first = (node.children as usize - place - 1) * n_words;
            self.hulls.join(own, &later[first..][..n_words]);
            self.hulls.join(own, &later[first + n_words..][..n_words]);
        }
        words
    }

    /// Sorts classes so that the hulls before and after the returned place have least in common.
    fn divide(&mut self, start: usize, end: usize, centres: &Centres) -> Option<usize> {
        if end - start <= LEAF {
            return None;
        }
        // Evenly spaced classes are enough to compare columns, and need no random numbers.
        let step = (end - start).div_ceil(SAMPLE);
        let sample: Vec<u32> = self.order[start..end].iter().copied().step_by(step).collect();
        let columns = 0..self.hulls.n_codes.len();
        let best = columns.min_by_key(|&column| {
            let mut sorted = sample.clone();
            sorted.sort_by_cached_key(|&class| centres.of(&self.view, class, column));
            self.spread(column, &sorted)
        })?;
        let mut part = self.order[start..end].to_vec();
        // The class breaks ties, so that the order does not depend on earlier divisions.
        part.sort_by_cached_key(|&class| (centres.of(&self.view, class, best), class));
        self.order[start..end].copy_from_slice(&part);
        // Parts begin at multiples of the size of a leaf, so that all leaves but the last are full.
        Some(start + ((end - start) / 2).next_multiple_of(LEAF))
    }

    /// Widths of the hulls of two halves in a column, relative to the width of the hull of both.
    fn spread(&self, column: usize, sorted: &[u32]) -> u64 {
        let width = |classes: &[u32]| {
            self.hulls.width(column, &self.hulls.hull(&self.view, classes, column))
        };
        let (first, second) = sorted.split_at(sorted.len() / 2);
        // In thousandths, so that columns are compared as whole numbers.
        1000 * (width(first) + width(second)) / width(sorted).max(1)
    }

    /// Adds the words of the leaf that starts at a place.
    fn push_leaf(&mut self, start: usize) {
        let end = (start + LEAF).min(self.order.len());
        for column in 0..self.hulls.n_codes.len() {
            let classes = &self.order[start..end];
            let covers = || classes.iter().map(|&class| self.view.cover(class as usize, column));
            let hull = covers().filter_map(ends).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
            // Columns with many codes have no words: their covers are searched.
            let hull = hull.filter(|_| self.hulls.has_bits(column));
            let (first, n_codes) = hull.map_or((0, 0), |(first, last)| (first, last + 1 - first));
            let mut words = vec![0; n_codes as usize];
            for (bit, cover) in covers().enumerate().filter(|_| n_codes > 0) {
                for (from, to) in cover.runs() {
                    let codes = (from - first) as usize..(to - first) as usize;
                    words[codes].iter_mut().for_each(|word| *word |= 1 << bit);
                }
            }
            self.blocks.push(Block { first, n_codes, start: self.fitting.len() });
            self.fitting.extend(words);
        }
    }

    /// The classes of the leaf at a place that cover a tuple, apart from at most `n_wrong` columns,
    /// as bits.
    fn fits(&self, start: usize, tuple: &[Code], n_wrong: usize) -> u64 {
        let width = self.hulls.n_codes.len();
        let blocks = &self.blocks[start / LEAF * width..][..width];
        let n_classes = (self.order.len() - start).min(LEAF);
        // The classes that fit in all columns so far, and those that fit in all but at most one.
        let (mut all, mut but_one) = (u64::MAX >> (LEAF - n_classes), 0);
        for (column, (block, code)) in blocks.iter().zip(tuple).enumerate() {
            let fitting = if self.hulls.has_bits(column) {
                // A code below the first wraps around and is beyond the last.
                let place = code.get().wrapping_sub(block.first);
                if place < block.n_codes { self.fitting[block.start + place as usize] } else { 0 }
            } else {
                // Only classes that are still possible, because a search costs more than a bit.
                self.searched(start, column, *code, all | but_one)
            };
            // A class stays in `but_one` if it fits here too, and enters it from `all` if it does
            // not.
            but_one = (but_one & fitting) | (all & !fitting);
            all &= fitting;
            if all == 0 && (n_wrong == 0 || but_one == 0) {
                return 0;
            }
        }
        if n_wrong == 0 { all } else { all | but_one }
    }

    /// Those of some classes of a leaf that cover a code of a column without words.
    fn searched(&self, start: usize, column: usize, code: Code, mut classes: u64) -> u64 {
        let mut fitting = 0;
        while classes > 0 {
            let bit = classes.trailing_zeros();
            classes &= classes - 1;
            let class = self.order[start + bit as usize];
            fitting |= u64::from(self.view.cover(class as usize, column).has(code)) << bit;
        }
        fitting
    }

    /// Number of columns in which the hull of a node lacks the code of a tuple, counted until it
    /// exceeds `most`.
    fn missed(&self, node: u32, probe: &[Probe], most: usize) -> usize {
        let words = &self.words[node as usize * self.hulls.n_words..][..self.hulls.n_words];
        let mut n_missed = 0;
        for at in probe {
            n_missed += usize::from(at.is_lacking(words[at.word]));
            if n_missed > most {
                break;
            }
        }
        n_missed
    }

    /// The classes that cover a tuple, ascending.
    fn classes(&self, tuple: &[Code]) -> Vec<u32> {
        let mut classes = Vec::new();
        self.search(tuple, 0, |class| {
            classes.push(class);
            true
        });
        // Sorted, so that equal sets of classes are found equal.
        classes.sort_unstable();
        classes
    }

    /// Calls `found` for every class that covers a tuple, apart from at most `n_wrong` columns,
    /// which is 0 or 1, until it returns false.
    pub(super) fn search(
        &self,
        tuple: &[Code],
        n_wrong: usize,
        mut found: impl FnMut(u32) -> bool,
    ) {
        // A release that shows nothing has no indexed class.
        if self.order.is_empty() {
            return;
        }
        let probe = self.hulls.probe(tuple);
        let mut open: Vec<u32> = Vec::with_capacity(64);
        open.extend((self.missed(0, &probe, n_wrong) <= n_wrong).then_some(0));
        while let Some(place) = open.pop() {
            let Node { start, children, .. } = self.nodes[place as usize];
            if children > 0 {
                // The child that lacks fewer values is pushed last, so it is visited first.
                let [one, other] =
                    [children, children + 1].map(|c| (self.missed(c, &probe, n_wrong), c));
                let later_first = [one.max(other), one.min(other)];
                open.extend(later_first.iter().filter(|(n, _)| *n <= n_wrong).map(|(_, c)| c));
                continue;
            }
            let mut classes = self.fits(start as usize, tuple, n_wrong);
            // The lowest set bit is read and cleared in each step.
            while classes > 0 {
                let class = self.order[start as usize + classes.trailing_zeros() as usize];
                classes &= classes - 1;
                if !found(class) {
                    return;
                }
            }
        }
    }
}

/// For each column, the middle of the values that each cell covers, doubled.
struct Centres(Vec<Vec<u32>>);

impl Centres {
    /// The middle of the values that a class covers in a column, doubled.
    fn of(&self, view: &View, class: u32, column: usize) -> u32 {
        self.0[column][view.cells(class as usize)[column].index()]
    }
}

/// The classes that each target can be in; targets with the same classes share a set.
#[derive(Debug)]
pub(super) struct Candidates {
    /// The distinct sets of classes, ascending.
    pub(super) sets: Vec<Vec<u32>>,
    /// Number of records in the classes of each set.
    pub(super) sizes: Vec<u64>,
    /// The set of each target.
    pub(super) of_target: Vec<u32>,
}

impl Candidates {
    /// Finds the classes that cover each target, or the classes that show nothing if no other does.
    pub(super) fn new(index: &Index, targets: &Targets, n_threads: usize) -> Self {
        let view = &index.view;
        let blank: Vec<u32> =
            (0..view.len() as u32).filter(|&class| view.is_blank[class as usize]).collect();
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        // The searches run in parallel; sets are numbered afterwards, in the order of the targets.
        let found = in_parallel(n_threads, targets.len(), LEAST_OF_THREAD, |range| {
            range.map(|target| index.classes(targets.tuple(target))).collect()
        });
        let mut number = |classes: Vec<u32>| {
            // A person who fits no class with values must be among the records that show nothing.
            let classes = if classes.is_empty() { blank.clone() } else { classes };
            let next = numbers.len() as u32;
            *numbers.entry(classes).or_insert(next)
        };
        let of_target = found.into_iter().map(&mut number).collect();
        let mut sets: Vec<(Vec<u32>, u32)> = numbers.into_iter().collect();
        // Back in the order of their numbers, because a hash map has no order.
        sets.sort_unstable_by_key(|(_, number)| *number);
        let sets: Vec<Vec<u32>> = sets.into_iter().map(|(classes, _)| classes).collect();
        let size = |set: &Vec<u32>| set.iter().map(|&class| view.sizes[class as usize]).sum();
        Self { sizes: sets.iter().map(size).collect(), sets, of_target }
    }

    /// The set of a target.
    pub(super) fn set_of(&self, target: usize) -> usize {
        self.of_target[target] as usize
    }

    /// The sets in ascending order of the number of records in them.
    pub(super) fn by_size(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sets.len()).collect();
        // Of sets of equal size, those of more classes first, then by number.
        order.sort_by_key(|&set| (self.sizes[set], Reverse(self.sets[set].len()), set));
        order
    }
}
