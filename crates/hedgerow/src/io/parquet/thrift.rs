//! Thrift's compact protocol, in which the metadata of Parquet files is encoded.

use std::io::{Read, copy, sink};

/// Maximum depth of nested structs and lists.
const MOST_DEPTH: u32 = 32;

/// Type of a field, as numbered by the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind(u8);

impl Kind {
    pub(super) const FALSE: Self = Self(2);
    pub(super) const I32: Self = Self(5);
    pub(super) const LIST: Self = Self(9);
    pub(super) const STRUCT: Self = Self(12);
}

/// The type that the `parquet` crate assumes for a field, whatever type the file states.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// The type that the file states.
    Any,
    Flag,
    Byte,
    Number,
    Double,
    Bytes,
    List(&'static Shape),
    /// A struct with these fields, whose ids start at 1.
    Struct(&'static [Shape]),
}

impl Shape {
    fn is(self, kind: Kind) -> bool {
        match self {
            Self::Any => true,
            Self::Flag => matches!(kind.0, 1 | 2),
            Self::Byte => kind.0 == 3,
            Self::Number => matches!(kind.0, 4..=6),
            Self::Double => kind.0 == 7,
            Self::Bytes => kind.0 == 8,
            Self::List(_) => kind == Kind::LIST,
            Self::Struct(_) => kind == Kind::STRUCT,
        }
    }

    /// Returns the shape of a field of a struct.
    pub(super) fn field(self, id: i16) -> Self {
        let Self::Struct(fields) = self else { return Self::Any };
        let place = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        place.and_then(|place| fields.get(place)).copied().unwrap_or(Self::Any)
    }

    fn element(self) -> Self {
        if let Self::List(element) = self { *element } else { Self::Any }
    }
}

/// Parses values and accepts fewer of them than the `parquet` crate does. The crate parses accepted
/// values the same way, in time proportional to their bytes. Methods return `None` for values that
/// are not accepted.
pub(super) struct Thrift<R> {
    input: R,
    n_read: u64,
}

impl<R: Read> Thrift<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, n_read: 0 }
    }

    /// Number of bytes read so far.
    pub(super) fn n_read(&self) -> u64 {
        self.n_read
    }

    /// Returns the input after the values that were parsed.
    pub(super) fn into_rest(self) -> R {
        self.input
    }

    /// Visits the fields of a struct, whose ids must increase. The visitor parses the value.
    pub(super) fn fields(
        &mut self,
        mut visit: impl FnMut(&mut Self, i16, Kind) -> Option<()>,
    ) -> Option<()> {
        let mut last = 0;
        loop {
            let byte = self.byte()?;
            if byte == 0 {
                return Some(());
            }
            // The upper half of the byte is the distance from the last id; 0 means that the id
            // follows.
            let id = match byte >> 4 {
                0 => i16::try_from(self.number()?).ok()?,
                delta => i16::checked_add(last, i16::from(delta))?,
            };
            // A repeated field would replace the one that was checked.
            if id <= last {
                return None;
            }
            visit(self, id, Kind(byte & 15))?;
            last = id;
        }
    }

    /// Parses the head of a list: the type of its elements and their number.
    pub(super) fn list(&mut self) -> Option<(Kind, u64)> {
        let byte = self.byte()?;
        let count = match byte >> 4 {
            15 => self.varint()?,
            count => u64::from(count),
        };
        i32::try_from(count).is_ok().then_some((Kind(byte & 15), count))
    }

    /// Parses a size or count, which is not negative and fits into 32 bits.
    pub(super) fn size(&mut self) -> Option<u64> {
        let size = u64::try_from(self.number()?).ok()?;
        i32::try_from(size).is_ok().then_some(size)
    }

    /// Skips a value of the type that the file states, which must fit a shape.
    pub(super) fn pass(&mut self, kind: Kind, shape: Shape) -> Option<()> {
        self.pass_within(kind, shape, MOST_DEPTH)
    }

    fn pass_within(&mut self, kind: Kind, shape: Shape, depth: u32) -> Option<()> {
        // The crate recurses, so unlimited depth would overflow its stack.
        let deeper = depth.checked_sub(1).filter(|_| shape.is(kind))?;
        match kind.0 {
            1 | 2 => Some(()),
            3 => self.pass_bytes(1),
            4..=6 => self.varint().map(drop),
            7 => self.pass_bytes(8),
            8 => {
                let n_bytes = self.varint()?;
                self.pass_bytes(n_bytes)
            }
            9 | 10 => {
                let (kind, count) = self.list()?;
                // The crate skips flags in a list without reading a byte, so a huge count would
                // cost it much time. Valid files have no such lists.
                let is_sound = count == 0 || !Shape::Flag.is(kind);
                is_sound.then_some(())?;
                (0..count).try_for_each(|_| self.pass_within(kind, shape.element(), deeper))
            }
            12 => self.fields(|thrift, id, kind| thrift.pass_within(kind, shape.field(id), deeper)),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<i64> {
        self.varint().map(zigzag)
    }

    fn varint(&mut self) -> Option<u64> {
        varint(|| self.byte())
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte).ok()?;
        self.n_read += 1;
        Some(byte[0])
    }

    fn pass_bytes(&mut self, n_bytes: u64) -> Option<()> {
        let n_passed = copy(&mut self.input.by_ref().take(n_bytes), &mut sink()).ok()?;
        self.n_read += n_passed;
        (n_passed == n_bytes).then_some(())
    }
}

/// Parses a number in groups of seven bits, the lowest first. Returns `None` if the input ends or
/// there are more than ten groups.
pub(super) fn varint(mut next: impl FnMut() -> Option<u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Decodes a number whose lowest bit is its sign.
pub(super) fn zigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}
