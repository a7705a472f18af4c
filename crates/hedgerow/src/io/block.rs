//! Blocks of records, the unit of work that threads share.

use crate::Result;

/// The fields of one record.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    /// The bytes of this record only.
    bytes: &'a [u8],
    ends: &'a [usize],
    /// Number of bytes between two fields.
    gap: usize,
}

impl<'a> Fields<'a> {
    /// The fields of the record at the start of `bytes`.
    #[inline]
    pub(super) fn of(bytes: &'a [u8], ends: &'a [usize], gap: usize) -> Self {
        // The last field ends where the record ends; later bytes belong to later records.
        let bytes = &bytes[..ends.last().copied().unwrap_or(0)];
        Self { bytes, ends, gap }
    }

    /// Returns the bytes of the record, the offsets at which its fields end, and the number of
    /// bytes between two fields.
    pub(super) fn parts(&self) -> (&'a [u8], &'a [usize], usize) {
        (self.bytes, self.ends, self.gap)
    }

    /// Number of fields.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a field by its index in the header.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> &'a [u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] + self.gap };
        &self.bytes[start..self.ends[place]]
    }
}

/// The part of a table that is needed.
pub(crate) struct Wanted<'a> {
    /// Indices of the needed columns, ascending. Other fields may be left empty.
    pub(crate) places: &'a [usize],
    /// Spellings of missing values. NaN and infinities must be among them; `None` accepts any
    /// number.
    pub(crate) na: Option<&'a [String]>,
    /// Indices of columns in which any number is accepted nevertheless, because they are only
    /// looked at.
    pub(crate) loose: &'a [usize],
}

/// Reads a file block by block, in order. Used by one thread at a time.
pub(crate) trait Blocks: Send {
    /// Returns the next block, or `None` at the end.
    fn next_block(&mut self) -> Result<Option<Box<dyn RecordBlock>>>;
}

/// A part of a file that consists of whole records. Any thread can parse it.
pub(crate) trait RecordBlock: Send {
    /// Calls `visit` for every record in order.
    fn for_each(&mut self, visit: &mut dyn FnMut(Fields<'_>) -> Result<()>) -> Result<()>;

    /// Approximate byte offset at which the block ends in the file.
    fn end_byte(&self) -> u64;
}

/// A block with its index in the file.
pub(crate) struct Records {
    pub(super) number: u32,
    pub(super) block: Box<dyn RecordBlock>,
}

impl Records {
    /// Index of the block in the file.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Approximate byte offset at which the block ends in the file.
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
