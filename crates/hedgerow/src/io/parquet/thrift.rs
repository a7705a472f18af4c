//! Thrift's compact protocol, in which Parquet files describe themselves.

use std::io::{Read, copy, sink};

/// How deep structs may be nested in each other.
const MOST_DEPTH: u32 = 16;

/// The type of a field, as it is numbered in the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind(u8);

impl Kind {
    pub(super) const FALSE: Self = Self(2);
    pub(super) const I32: Self = Self(5);
    pub(super) const STRUCT: Self = Self(12);
}

/// Reads values, of which it accepts fewer than the `parquet` crate does: whatever it accepts, the
/// crate reads the same way. Every method returns `None` where the bytes are something else.
pub(super) struct Thrift<R> {
    input: R,
    n_read: u64,
}

impl<R: Read> Thrift<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, n_read: 0 }
    }

    /// How many bytes were read.
    pub(super) fn n_read(&self) -> u64 {
        self.n_read
    }

    /// What follows the values that were read.
    pub(super) fn into_rest(self) -> R {
        self.input
    }

    /// The next field of a struct, whose ids must increase; `Some(None)` at the end of the struct.
    pub(super) fn field(&mut self, last: &mut i16) -> Option<Option<Kind>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Some(None);
        }
        let id = match byte >> 4 {
            0 => i16::try_from(self.number()?).ok()?,
            delta => last.checked_add(i16::from(delta))?,
        };
        let is_next = id > *last;
        *last = id;
        is_next.then_some(Some(Kind(byte & 15)))
    }

    /// A number of 16, 32 or 64 bits.
    pub(super) fn number(&mut self) -> Option<i64> {
        let zigzag = self.varint()?;
        Some((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    /// A size or count of 32 bits, which is not negative.
    pub(super) fn size(&mut self) -> Option<u64> {
        let size = u64::try_from(self.number()?).ok()?;
        (size <= i32::MAX as u64).then_some(size)
    }

    /// Passes over the value of a field. Lists, sets and maps are not accepted.
    pub(super) fn skip(&mut self, kind: Kind) -> Option<()> {
        self.skip_within(kind, MOST_DEPTH)
    }

    fn skip_within(&mut self, kind: Kind, depth: u32) -> Option<()> {
        match kind.0 {
            1 | 2 => Some(()),
            3 => self.pass(1),
            4..=6 => self.varint().map(drop),
            7 => self.pass(8),
            8 => {
                let n_bytes = self.varint()?;
                self.pass(n_bytes)
            }
            12 => {
                let (deeper, mut last) = (depth.checked_sub(1)?, 0);
                while let Some(kind) = self.field(&mut last)? {
                    self.skip_within(kind, deeper)?;
                }
                Some(())
            }
            _ => None,
        }
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte).ok()?;
        self.n_read += 1;
        Some(byte[0])
    }

    fn pass(&mut self, n_bytes: u64) -> Option<()> {
        let n_passed = copy(&mut self.input.by_ref().take(n_bytes), &mut sink()).ok()?;
        self.n_read += n_passed;
        (n_passed == n_bytes).then_some(())
    }
}
