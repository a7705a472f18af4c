//! Blocks of records: what readers hand to threads.

use crate::Result;

/// The fields of one record.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    /// The bytes of this record and of no other.
    bytes: &'a [u8],
    ends: &'a [usize],
    /// How many bytes stand between two fields.
    gap: usize,
}

impl<'a> Fields<'a> {
    /// The fields of the record that `bytes` begin with.
    #[inline]
    pub(super) fn of(bytes: &'a [u8], ends: &'a [usize], gap: usize) -> Self {
        let bytes = &bytes[..ends.last().copied().unwrap_or(0)];
        Self { bytes, ends, gap }
    }

    /// The bytes of the record, where its fields end in them, and how many bytes stand between two.
    pub(super) fn parts(&self) -> (&'a [u8], &'a [usize], usize) {
        (self.bytes, self.ends, self.gap)
    }

    /// How many fields the record has.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field by its place in the header.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> &'a [u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] + self.gap };
        &self.bytes[start..self.ends[place]]
    }
}

/// What of a table is needed.
pub(crate) struct Wanted<'a> {
    /// The places in the header of the fields that are needed, ascending; others may be empty.
    pub(crate) places: &'a [usize],
    /// Spellings of missing values, among which NaN and infinities must be; without them any number
    /// will do.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only Parquet has NaN"))]
    pub(crate) na: Option<&'a [String]>,
}

/// Reads a file in order, block by block; one thread at a time.
pub(crate) trait Blocks: Send {
    /// The next block; none at the end.
    fn next_block(&mut self) -> Result<Option<Box<dyn RecordBlock>>>;
}

/// A part of a file that begins and ends with a record; any thread may take it apart.
pub(crate) trait RecordBlock: Send {
    /// Calls `visit` for every record in order.
    fn for_each(&mut self, visit: &mut dyn FnMut(Fields<'_>) -> Result<()>) -> Result<()>;

    /// Where the block ends in the file, or nearly.
    fn end_byte(&self) -> u64;
}

/// A block with its place in the file.
pub(crate) struct Records {
    pub(super) number: u32,
    pub(super) block: Box<dyn RecordBlock>,
}

impl Records {
    /// The place of the block in the file.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Where the block ends in the file, or nearly.
    pub(crate) fn end_byte(&self) -> u64 {
        self.block.end_byte()
    }

    /// Calls `visit` for every record in order.
    pub(crate) fn for_each(
        &mut self,
        visit: &mut dyn FnMut(Fields<'_>) -> Result<()>,
    ) -> Result<()> {
        self.block.for_each(visit)
    }
}
