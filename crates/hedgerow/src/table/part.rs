//! What one thread reads of a table, and how the parts become one.

use super::Counter;
use crate::Result;

/// What one thread counted, block by block of the file.
#[derive(Debug, Default)]
pub struct Part {
    counter: Counter,
    blocks: Vec<Block>,
    /// The tuple of each record, blocks one after the other; empty unless it is kept.
    tuples: Vec<u32>,
}

/// A block of records that a part has read.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// Its place in the file.
    number: u32,
    n_rows: u32,
}

impl Part {
    /// Begins the block with this place in the file.
    pub(crate) fn begin_block(&mut self, number: u32) {
        self.blocks.push(Block { number, n_rows: 0 });
    }

    /// Counts the next record of the block; `keep` remembers which tuple it has.
    pub fn push<'a>(&mut self, fields: impl Iterator<Item = &'a [u8]>, keep: bool) -> Result<()> {
        if self.blocks.is_empty() {
            self.begin_block(0);
        }
        let last = self.blocks.len() - 1;
        let Block { number, n_rows } = &mut self.blocks[last];
        let position = u64::from(*number) << 32 | u64::from(*n_rows);
        let tuple = self.counter.push(fields, position)?;
        *n_rows += 1;
        if keep {
            self.tuples.push(tuple);
        }
        Ok(())
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counter.is_empty()
    }
}

/// All parts of a table together.
pub(super) struct Whole {
    pub(super) counter: Counter,
    pub(super) n_rows: u64,
    /// The row with which each block begins.
    starts: Vec<u64>,
    /// The blocks in file order: their part, and where their tuples begin in it.
    blocks: Vec<(Block, usize, usize)>,
    tuples: Vec<Vec<u32>>,
}

impl Whole {
    /// Tuples that somebody else counted, in `n_rows` records; positions are rows.
    pub(super) fn of_counts(counter: Counter, n_rows: u64) -> Self {
        // Blocks of as many rows as a position has room for.
        let starts = (0..=n_rows >> 32).map(|block| block << 32).collect();
        Self { counter, n_rows, starts, blocks: Vec::new(), tuples: Vec::new() }
    }

    pub(super) fn new(parts: Vec<Part>) -> Result<Self> {
        let mut counter = Counter::default();
        let (mut blocks, mut tuples) = (Vec::new(), Vec::new());
        for (place, mut part) in parts.into_iter().enumerate() {
            if counter.is_empty() {
                counter = part.counter;
            } else {
                let numbers = counter.absorb(&part.counter)?;
                part.tuples.iter_mut().for_each(|tuple| *tuple = numbers[*tuple as usize]);
            }
            let mut start = 0;
            for block in part.blocks {
                blocks.push((block, place, start));
                start += block.n_rows as usize;
            }
            tuples.push(part.tuples);
        }
        blocks.sort_by_key(|(block, ..)| block.number);
        let mut starts = vec![0; blocks.last().map_or(0, |(last, ..)| last.number as usize + 1)];
        let mut n_rows = 0;
        for (block, ..) in &blocks {
            starts[block.number as usize] = n_rows;
            n_rows += u64::from(block.n_rows);
        }
        Ok(Self { counter, n_rows, starts, blocks, tuples })
    }

    /// The row of a position that the counter knows.
    pub(super) fn row_of(&self, position: u64) -> u64 {
        self.starts[(position >> 32) as usize] + (position & 0xffff_ffff)
    }

    /// The tuple of each record in row order; empty unless they were kept.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|&(block, part, start)| {
            let kept = &self.tuples[part];
            let end = (start + block.n_rows as usize).min(kept.len());
            kept[start.min(end)..end].iter().copied()
        })
    }
}
