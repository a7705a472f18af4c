//! Hulls: the values that several classes cover together, in the words of a node of the index.

use super::view::View;
use crate::population::Cover;
use crate::table::Code;

/// Columns with at most this number of values have a bit for each value in a hull, others the range
/// from the least to the greatest code.
const MOST_BITS: usize = 256;

/// The places of the hulls of columns in the words of a node.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) n_codes: Vec<usize>,
    /// The first word of each column.
    starts: Vec<usize>,
    pub(super) n_words: usize,
}

impl Layout {
    pub(super) fn new(n_codes: &[usize]) -> Self {
        let mut starts = Vec::with_capacity(n_codes.len());
        let mut n_words = 0;
        for &n in n_codes {
            starts.push(n_words);
            n_words += words_for(n);
        }
        Self { n_codes: n_codes.to_vec(), starts, n_words }
    }

    pub(super) fn has_bits(&self, column: usize) -> bool {
        self.n_codes[column] <= MOST_BITS
    }

    /// Number of words of the hull of a column.
    fn n_words_of(&self, column: usize) -> usize {
        words_for(self.n_codes[column])
    }

    /// The union of the values that classes cover, in each column.
    pub(super) fn union(&self, view: &View, classes: &[u32]) -> Vec<u64> {
        (0..self.n_codes.len()).flat_map(|column| self.hull(view, classes, column)).collect()
    }

    /// The union of the values that classes cover in a column. A range is one word: its
    /// complemented start and its end, so that an empty range is 0 and both halves grow.
    pub(super) fn hull(&self, view: &View, classes: &[u32], column: usize) -> Vec<u64> {
        let mut words = vec![0; self.n_words_of(column)];
        for &class in classes {
            let cover = view.cover(class as usize, column);
            if self.has_bits(column) {
                cover.runs().for_each(|(start, end)| set_bits(&mut words, start, end));
            } else if let Some((first, last)) = ends(cover) {
                words[0] = larger_halves(words[0], u64::from(!first) << 32 | u64::from(last));
            }
        }
        words
    }

    /// Adds the hulls of other classes to those of some.
    pub(super) fn join(&self, words: &mut [u64], others: &[u64]) {
        for (column, &start) in self.starts.iter().enumerate() {
            for word in start..start + self.n_words_of(column) {
                words[word] = if self.has_bits(column) {
                    words[word] | others[word]
                } else {
                    larger_halves(words[word], others[word])
                };
            }
        }
    }

    /// Number of codes in the hull of a column.
    pub(super) fn width(&self, column: usize, hull: &[u64]) -> u64 {
        if self.has_bits(column) {
            return hull.iter().map(|word| u64::from(word.count_ones())).sum();
        }
        // The upper half of the word is the complement of the first code.
        let [low, high] = halves(hull[0]);
        u64::from(high.saturating_sub(!low)) + 1
    }

    /// The places of the codes of a tuple in the words of any node.
    pub(super) fn probe(&self, tuple: &[Code]) -> Vec<Probe> {
        let columns = self.starts.iter().zip(tuple).enumerate();
        let of_column = |(column, (&start, code)): (usize, (&usize, &Code))| {
            let code = code.get();
            if self.has_bits(column) {
                Probe { word: start + code as usize / 64, bit: 1 << (code % 64), code }
            } else {
                Probe { word: start, bit: 0, code }
            }
        };
        columns.map(of_column).collect()
    }
}

/// The place of the code of a column in the words of a node. A search compares one tuple with many
/// nodes, so this is computed once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe {
    pub(super) word: usize,
    /// The bit of the code; 0 if the hull of the column is a range.
    bit: u64,
    code: u32,
}

impl Probe {
    /// Whether a hull lacks the code, given the word of it.
    pub(super) fn is_lacking(self, word: u64) -> bool {
        if self.bit == 0 {
            let [low, high] = halves(word);
            return self.code < !low || high < self.code;
        }
        word & self.bit == 0
    }
}

/// Number of words of a hull of a column with `n_codes` codes.
fn words_for(n_codes: usize) -> usize {
    if n_codes <= MOST_BITS { n_codes.div_ceil(64).max(1) } else { 1 }
}

/// Sets the bits of a run of codes, which is not empty.
fn set_bits(words: &mut [u64], start: u32, end: u32) {
    for word in start / 64..=(end - 1) / 64 {
        // The part of the run in this word, as positions of bits.
        let (first, last) = (start.max(64 * word) - 64 * word, (end - 64 * word).min(64));
        words[word as usize] |= (u64::MAX >> (64 - (last - first))) << first;
    }
}

/// The larger of both upper halves and of both lower halves.
fn larger_halves(one: u64, other: u64) -> u64 {
    let ([low, high], [other_low, other_high]) = (halves(one), halves(other));
    u64::from(low.max(other_low)) << 32 | u64::from(high.max(other_high))
}

fn halves(word: u64) -> [u32; 2] {
    [(word >> 32) as u32, word as u32]
}

/// The first and the last code of a cover, or `None` if it is empty.
pub(super) fn ends(cover: &Cover) -> Option<(u32, u32)> {
    let first = cover.runs().map(|run| run.0).min()?;
    Some((first, cover.runs().map(|run| run.1).max()? - 1))
}
