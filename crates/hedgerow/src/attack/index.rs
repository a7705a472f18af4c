//! An index of the classes of a release: finds the classes whose cells cover a tuple.

use std::cmp::Reverse;
use std::ops::Range;

use hashbrown::HashMap;

use super::view::{Targets, View};
use crate::population::Cover;
use crate::table::Code;

/// Columns with at most this number of values have a bit for each value in a hull, others the range
/// from the least to the greatest code.
const MOST_BITS: usize = 1024;

/// Number of classes below which a node is not divided.
const LEAF: usize = 8;

/// Least number of searches for which a thread is started.
const LEAST_OF_THREAD: usize = 1000;

/// Number of classes on which the column that divides a node is chosen.
const SAMPLE: usize = 256;

/// A binary tree of classes. Every node has a hull, the union of what its classes cover in each
/// column, so a search visits only nodes whose hulls contain the tuple.
#[derive(Debug)]
pub(super) struct Index<'a> {
    view: &'a View,
    hulls: Layout,
    nodes: Vec<Node>,
    /// The hulls of all nodes, one after the other.
    words: Vec<u64>,
    /// The classes in the order of the leaves.
    order: Vec<u32>,
    /// For each column, a bit for each code that each cell covers, one cell after the other; empty
    /// for columns with too many codes.
    bits: Vec<Vec<u64>>,
    /// For each column, the middle of what each cell covers, doubled.
    centres: Vec<Vec<u32>>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    /// The first of two children, which follow each other; 0 for a leaf.
    children: u32,
}

impl<'a> Index<'a> {
    /// Indexes the classes that show something, of columns with these numbers of codes.
    pub(super) fn new(view: &'a View, n_codes: &[usize]) -> Self {
        let order: Vec<u32> =
            (0..view.len() as u32).filter(|&class| !view.is_blank[class as usize]).collect();
        let hulls = Layout::new(n_codes);
        let bits = (view.covers.iter().enumerate())
            .map(|(column, covers)| hulls.bits(column, covers))
            .collect();
        let centre = |cover: &Cover| ends(cover).map_or(0, |(first, last)| first + last);
        let centres =
            view.covers.iter().map(|covers| covers.iter().map(centre).collect()).collect();
        let (nodes, words) = (Vec::new(), Vec::new());
        let mut index = Self { view, hulls, nodes, words, order, bits, centres };
        index.push(0, index.order.len());
        let mut place = 0;
        while place < index.nodes.len() {
            let Node { start, end, .. } = index.nodes[place];
            if let Some(middle) = index.divide(start as usize, end as usize) {
                index.nodes[place].children = index.nodes.len() as u32;
                index.push(start as usize, middle);
                index.push(middle, end as usize);
            }
            place += 1;
        }
        index
    }

    fn push(&mut self, start: usize, end: usize) {
        let words = self.hulls.union(self.view, &self.order[start..end]);
        self.words.extend(words);
        self.nodes.push(Node { start: start as u32, end: end as u32, children: 0 });
    }

    /// Sorts classes so that the hulls before and after the returned place have least in common.
    fn divide(&mut self, start: usize, end: usize) -> Option<usize> {
        if end - start <= LEAF {
            return None;
        }
        let step = (end - start).div_ceil(SAMPLE);
        let sample: Vec<u32> = self.order[start..end].iter().copied().step_by(step).collect();
        let columns = 0..self.hulls.n_codes.len();
        let best = columns.min_by_key(|&column| {
            let mut sorted = sample.clone();
            sorted.sort_by_cached_key(|&class| self.centre(class, column));
            self.spread(column, &sorted)
        })?;
        let mut part = self.order[start..end].to_vec();
        part.sort_by_cached_key(|&class| (self.centre(class, best), class));
        self.order[start..end].copy_from_slice(&part);
        Some(start + (end - start) / 2)
    }

    /// The middle of what a class covers in a column, doubled.
    fn centre(&self, class: u32, column: usize) -> u32 {
        self.centres[column][self.view.cells(class as usize)[column].index()]
    }

    /// Whether a class covers a tuple, apart from at most `n_wrong` columns.
    fn fits(&self, class: u32, tuple: &[Code], n_wrong: usize) -> bool {
        let mut n_missed = 0;
        for (column, (cell, &code)) in self.view.cells(class as usize).iter().zip(tuple).enumerate()
        {
            let has = if self.hulls.has_bits(column) {
                // Bits are one lookup, where a cover would have to be searched.
                let first = cell.index() * self.hulls.n_words_of(column);
                has_bit(&self.bits[column][first..], code.get())
            } else {
                self.view.covers[column][cell.index()].has(code)
            };
            n_missed += usize::from(!has);
            if n_missed > n_wrong {
                return false;
            }
        }
        true
    }

    /// How much the hulls of two halves cover in a column, relative to the hull of both.
    fn spread(&self, column: usize, sorted: &[u32]) -> u64 {
        let width = |classes: &[u32]| {
            self.hulls.width(column, &self.hulls.hull(self.view, classes, column))
        };
        let (first, second) = sorted.split_at(sorted.len() / 2);
        1000 * (width(first) + width(second)) / width(sorted).max(1)
    }

    /// Number of columns in which the hull of a node lacks the code of a tuple, counted until it
    /// exceeds `most`.
    fn missed(&self, node: u32, tuple: &[Code], most: usize) -> usize {
        let words = &self.words[node as usize * self.hulls.n_words..][..self.hulls.n_words];
        self.hulls.missed(words, tuple, most)
    }

    /// The classes that cover a tuple, ascending.
    fn classes(&self, tuple: &[Code]) -> Vec<u32> {
        let mut classes = Vec::new();
        self.search(tuple, 0, |class| {
            classes.push(class);
            true
        });
        classes.sort_unstable();
        classes
    }

    /// Calls `found` for every class that covers a tuple, apart from at most `n_wrong` columns,
    /// until it returns false.
    pub(super) fn search(
        &self,
        tuple: &[Code],
        n_wrong: usize,
        mut found: impl FnMut(u32) -> bool,
    ) {
        let mut open: Vec<u32> = Vec::with_capacity(64);
        open.extend((self.missed(0, tuple, n_wrong) <= n_wrong).then_some(0));
        while let Some(place) = open.pop() {
            let Node { start, end, children } = self.nodes[place as usize];
            if children > 0 {
                // The child that lacks fewer values comes first.
                let [one, other] =
                    [children, children + 1].map(|c| (self.missed(c, tuple, n_wrong), c));
                let later_first = [one.max(other), one.min(other)];
                open.extend(later_first.iter().filter(|(n, _)| *n <= n_wrong).map(|(_, c)| c));
                continue;
            }
            for &class in &self.order[start as usize..end as usize] {
                if self.fits(class, tuple, n_wrong) && !found(class) {
                    return;
                }
            }
        }
    }
}

/// Calls `of_range` for ranges of `0..n` on several threads and joins the results in order.
pub(super) fn in_parallel<T: Send>(
    n_threads: usize,
    n: usize,
    of_range: impl Fn(Range<usize>) -> Vec<T> + Sync,
) -> Vec<T> {
    // Ranges are joined in order, so results do not depend on the number of threads.
    let step = n.div_ceil(n_threads.max(1)).max(LEAST_OF_THREAD);
    let ranges = (0..n).step_by(step).map(|start| start..(start + step).min(n));
    std::thread::scope(|scope| {
        let of_range = &of_range;
        let running: Vec<_> = ranges.map(|range| scope.spawn(move || of_range(range))).collect();
        let results = running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results.flatten().collect()
    })
}

/// The first and the last code of a cover, or `None` if it is empty.
fn ends(cover: &Cover) -> Option<(u32, u32)> {
    let first = cover.runs().map(|run| run.0).min()?;
    Some((first, cover.runs().map(|run| run.1).max()? - 1))
}

/// Where the hull of each column is in the words of a node.
#[derive(Debug)]
struct Layout {
    n_codes: Vec<usize>,
    /// The first word of each column.
    starts: Vec<usize>,
    n_words: usize,
}

impl Layout {
    fn new(n_codes: &[usize]) -> Self {
        let mut starts = Vec::with_capacity(n_codes.len());
        let mut n_words = 0;
        for &n in n_codes {
            starts.push(n_words);
            n_words += words_for(n);
        }
        Self { n_codes: n_codes.to_vec(), starts, n_words }
    }

    fn has_bits(&self, column: usize) -> bool {
        self.n_codes[column] <= MOST_BITS
    }

    /// Number of words of the hull of a column.
    fn n_words_of(&self, column: usize) -> usize {
        words_for(self.n_codes[column])
    }

    /// The bits of the cells of a column, or nothing if it has too many codes.
    fn bits(&self, column: usize, covers: &[Cover]) -> Vec<u64> {
        if !self.has_bits(column) {
            return Vec::new();
        }
        let n_words = self.n_words_of(column);
        let mut bits = vec![0; n_words * covers.len()];
        for (words, cover) in bits.chunks_exact_mut(n_words).zip(covers) {
            cover.runs().for_each(|run| set_bits(words, run));
        }
        bits
    }

    /// The union of what classes cover in each column.
    fn union(&self, view: &View, classes: &[u32]) -> Vec<u64> {
        (0..self.n_codes.len()).flat_map(|column| self.hull(view, classes, column)).collect()
    }

    /// The union of what classes cover in a column. A range is one word: its complemented start and
    /// its end, so that an empty range is 0 and both halves grow.
    fn hull(&self, view: &View, classes: &[u32], column: usize) -> Vec<u64> {
        let mut words = vec![0; self.n_words_of(column)];
        for &class in classes {
            let cell = view.cells(class as usize)[column];
            let cover = &view.covers[column][cell.index()];
            if self.has_bits(column) {
                cover.runs().for_each(|run| set_bits(&mut words, run));
            } else if let Some((first, last)) = ends(cover) {
                let [low, high] = halves(words[0]);
                words[0] = u64::from(low.max(!first)) << 32 | u64::from(high.max(last));
            }
        }
        words
    }

    /// Number of codes in the hull of a column.
    fn width(&self, column: usize, hull: &[u64]) -> u64 {
        if self.has_bits(column) {
            return hull.iter().map(|word| u64::from(word.count_ones())).sum();
        }
        let [low, high] = halves(hull[0]);
        u64::from(high.saturating_sub(!low)) + 1
    }

    /// Number of columns in which a hull lacks the code of a tuple, counted until it exceeds `most`.
    fn missed(&self, words: &[u64], tuple: &[Code], most: usize) -> usize {
        let mut n_missed = 0;
        for (column, code) in tuple.iter().enumerate() {
            let (word, code) = (self.starts[column], code.get());
            let lacks = if self.has_bits(column) {
                !has_bit(&words[word..], code)
            } else {
                let [low, high] = halves(words[word]);
                code < !low || high < code
            };
            n_missed += usize::from(lacks);
            if n_missed > most {
                break;
            }
        }
        n_missed
    }
}

/// Number of words of a hull of a column with `n_codes` codes.
fn words_for(n_codes: usize) -> usize {
    if n_codes <= MOST_BITS { n_codes.div_ceil(64).max(1) } else { 1 }
}

/// Whether the bit of a code is set.
fn has_bit(words: &[u64], code: u32) -> bool {
    (words[code as usize / 64] >> (code % 64)) & 1 == 1
}

/// Sets the bits of a run of codes, which is not empty.
fn set_bits(words: &mut [u64], (start, end): (u32, u32)) {
    for word in start / 64..=(end - 1) / 64 {
        let (first, last) = (start.max(64 * word) - 64 * word, (end - 64 * word).min(64));
        words[word as usize] |= (u64::MAX >> (64 - (last - first))) << first;
    }
}

fn halves(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
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
    pub(super) fn new(view: &View, targets: &Targets, n_codes: &[usize], n_threads: usize) -> Self {
        let index = Index::new(view, n_codes);
        let blank: Vec<u32> =
            (0..view.len() as u32).filter(|&class| view.is_blank[class as usize]).collect();
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        let found = in_parallel(n_threads, targets.len(), |range| {
            range.map(|target| index.classes(targets.tuple(target))).collect()
        });
        let mut number = |classes: Vec<u32>| {
            // Whoever fits no class that shows something must be among the records that show nothing.
            let classes = if classes.is_empty() { blank.clone() } else { classes };
            let next = numbers.len() as u32;
            *numbers.entry(classes).or_insert(next)
        };
        let of_target = found.into_iter().map(&mut number).collect();
        let mut sets: Vec<(Vec<u32>, u32)> = numbers.into_iter().collect();
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
        order.sort_by_key(|&set| (self.sizes[set], Reverse(self.sets[set].len()), set));
        order
    }
}
