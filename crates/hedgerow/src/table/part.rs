//! The part of a table that one thread reads, and how parts are merged.

use super::Counter;
use crate::Result;

/// The records that one thread counted, block by block of the file.
#[derive(Debug, Default)]
pub struct Part {
    counter: Counter,
    blocks: Vec<Block>,
    /// The tuple of each record, block after block; empty unless tuples are kept.
    tuples: Vec<u32>,
}

/// A block of records that a part contains.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// Index of the block in the file.
    number: u32,
    n_rows: u32,
}

impl Part {
    /// Starts the block with this index in the file.
    pub(crate) fn begin_block(&mut self, number: u32) {
        self.blocks.push(Block { number, n_rows: 0 });
    }

    /// Counts the next record of the block. With `keep`, also records its tuple.
    pub fn push<'a>(&mut self, fields: impl Iterator<Item = &'a [u8]>, keep: bool) -> Result<()> {
        if self.blocks.is_empty() {
            self.begin_block(0);
        }
        let last = self.blocks.len() - 1;
        let Block { number, n_rows } = &mut self.blocks[last];
        // The order of positions is the order of records in the file, whichever thread reads a
        // block.
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

/// All parts of a table, merged.
pub(super) struct Whole {
    pub(super) counter: Counter,
    pub(super) n_rows: u64,
    /// First row of each block.
    starts: Vec<u64>,
    /// The blocks in file order, each with its part and the offset of its tuples in that part.
    blocks: Vec<(Block, usize, usize)>,
    tuples: Vec<Vec<u32>>,
}

impl Whole {
    /// Wraps tuples that the caller counted in `n_rows` records; their positions are row numbers.
    pub(super) fn of_counts(counter: Counter, n_rows: u64) -> Self {
        // A position has 32 bits for the row within a block, so a block has 2^32 rows.
        let starts = (0..=n_rows >> 32).map(|block| block << 32).collect();
        Self { counter, n_rows, starts, blocks: Vec::new(), tuples: Vec::new() }
    }

    pub(super) fn new(parts: Vec<Part>) -> Result<Self> {
        let mut counter = Counter::default();
        let (mut blocks, mut tuples) = (Vec::new(), Vec::new());
        for (place, mut part) in parts.into_iter().enumerate() {
            // The first counter is moved, not copied, and its tuples keep their numbers.
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
        // Threads take blocks in turn, so those of one part are not consecutive.
        blocks.sort_by_key(|(block, ..)| block.number);
        // Block numbers are indices, so the row of a position is found without a search.
        let mut starts = vec![0; blocks.last().map_or(0, |(last, ..)| last.number as usize + 1)];
        let mut n_rows = 0;
        for (block, ..) in &blocks {
            starts[block.number as usize] = n_rows;
            n_rows += u64::from(block.n_rows);
        }
        Ok(Self { counter, n_rows, starts, blocks, tuples })
    }

    /// Returns the row of a position that the counter contains.
    pub(super) fn row_of(&self, position: u64) -> u64 {
        self.starts[(position >> 32) as usize] + (position & 0xffff_ffff)
    }

    /// Iterates over the tuple of each record in row order; empty unless tuples were kept.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> {
        self.blocks
            .iter()
            .flat_map(move |&(block, part, start)| self.kept(block, part, start).iter().copied())
    }

    /// Returns the kept tuples of a block, which begin at `start` in its part.
    fn kept(&self, block: Block, part: usize, start: usize) -> &[u32] {
        let kept = &self.tuples[part];
        // If tuples were not kept, `kept` is empty and so is every range.
        let end = (start + block.n_rows as usize).min(kept.len());
        &kept[start.min(end)..end]
    }
}
