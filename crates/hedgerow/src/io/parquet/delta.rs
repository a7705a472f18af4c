//! Delta-encoded lengths, which decide how much memory a decoder reserves.

use parquet::basic::Encoding;

/// How many values are decoded at a time at most.
pub(super) const BATCH_ROWS: usize = 1 << 10;

/// How many bytes a decoder needs besides those of the page: for lengths, and for prefixes that
/// each value of a batch repeats. None if the lengths say that there are more than `n_values`, or
/// more than fit into `most` bytes.
pub(super) fn n_bytes(page: &[u8], encoding: Encoding, n_values: u64, most: u64) -> Option<u64> {
    let n_lists = match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2, // of prefixes, and of what follows them
        _ => 0,
    };
    let (mut rest, mut n_bytes) = (page, 0u64);
    for list in 0..n_lists {
        if page.is_empty() {
            break;
        }
        let lengths = Lengths::read(&mut rest, n_values.min(most / 4))?;
        n_bytes += lengths.count * 4;
        if n_lists == 2 && list == 0 {
            n_bytes += lengths.count.min(BATCH_ROWS as u64) * lengths.greatest;
        }
    }
    Some(n_bytes)
}

/// A list of lengths.
#[derive(Debug, PartialEq, Eq)]
struct Lengths {
    count: u64,
    greatest: u64,
}

impl Lengths {
    /// Reads at most `most` lengths; none if there are more or the list is cut off.
    fn read(bytes: &mut &[u8], most: u64) -> Option<Self> {
        let (block, n_parts, count) = (varint(bytes)?, varint(bytes)?, varint(bytes)?);
        let mut length = zigzag(varint(bytes)?); // the first number stands by itself
        if count > most || block == 0 || n_parts == 0 || !block.is_multiple_of(n_parts) {
            return None;
        }
        let part = block / n_parts;
        let mut n_left = count.saturating_sub(1);
        let mut greatest = length;
        while n_left > 0 {
            let least = zigzag(varint(bytes)?);
            let widths = bytes.split_off(..usize::try_from(n_parts).ok()?)?;
            // Parts behind the last number have a width, but no bytes.
            for &width in widths.iter().take(n_left.div_ceil(part) as usize) {
                let n_bits = u64::from(width).checked_mul(part)?;
                let bits = bytes.split_off(..usize::try_from(n_bits / 8).ok()?)?;
                for place in 0..part.min(n_left) {
                    let step = number(bits, place as usize, width)?.wrapping_add(least);
                    length = length.wrapping_add(step);
                    greatest = greatest.max(length);
                }
                n_left -= part.min(n_left);
            }
        }
        Some(Self { count, greatest: u64::try_from(greatest).unwrap_or(0) })
    }
}

/// The number of `width` bits at a place of a list, of at most 32 bits.
fn number(bits: &[u8], place: usize, width: u8) -> Option<i32> {
    let start = place * usize::from(width);
    let mut window = [0; 8];
    let bytes = bits.get(start / 8..)?;
    let n_bytes = bytes.len().min(window.len());
    window[..n_bytes].copy_from_slice(&bytes[..n_bytes]);
    let shifted = u64::from_le_bytes(window) >> (start % 8);
    (width <= 32).then(|| (shifted & ((1 << width) - 1)) as i32)
}

/// A number whose lowest bit is its sign.
fn zigzag(number: u64) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

/// A number in groups of seven bits, the lowest first.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of `count` lengths of which all are 3: every width is 0.
    fn list(count: u8) -> Vec<u8> {
        let head = [0x80, 0x01, 4, count, 6];
        let blocks = [0, 0, 0, 0, 0].repeat(usize::from(count.saturating_sub(1)).div_ceil(128));
        [&head[..], &blocks].concat()
    }

    #[test]
    fn lists_longer_than_their_page_are_found() {
        let sound = |values: &[u8], encoding| n_bytes(values, encoding, 100, 1 << 20).is_some();
        let lengths = [list(100), vec![b'x'; 300]].concat();
        assert!(sound(&lengths, Encoding::DELTA_LENGTH_BYTE_ARRAY));
        assert!(!sound(&list(101), Encoding::DELTA_LENGTH_BYTE_ARRAY));
        assert!(sound(&[list(100), list(100)].concat(), Encoding::DELTA_BYTE_ARRAY));
        assert!(!sound(&[list(100), list(101)].concat(), Encoding::DELTA_BYTE_ARRAY));
        assert!(!sound(&list(100), Encoding::DELTA_BYTE_ARRAY));
        assert!(sound(&[], Encoding::DELTA_BYTE_ARRAY));
        assert!(sound(&list(101), Encoding::PLAIN));
    }

    #[test]
    fn lengths_and_repeated_prefixes_take_memory() {
        let lists = [list(100), list(100)].concat();
        let n_bytes = |encoding, most| n_bytes(&lists, encoding, 100, most);
        assert_eq!(n_bytes(Encoding::DELTA_LENGTH_BYTE_ARRAY, 400), Some(400));
        assert_eq!(n_bytes(Encoding::DELTA_LENGTH_BYTE_ARRAY, 399), None);
        assert_eq!(n_bytes(Encoding::DELTA_BYTE_ARRAY, 1000), Some(400 + 400 + 300));
        assert_eq!(n_bytes(Encoding::PLAIN, 0), Some(0));
    }

    #[test]
    fn lengths_are_those_that_were_packed() {
        // The lengths 7, 5, 3, 1, 2, 3, 4, 5 of the format's specification, in 4 parts of 32.
        let head = [0x80, 0x01, 4, 8, 14, 3, 2, 0, 0, 0];
        let bits = [0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0];
        let list = [&head[..], &bits].concat();
        let lengths = Lengths::read(&mut &list[..], 8);
        assert_eq!(lengths, Some(Lengths { count: 8, greatest: 7 }));
        let too_wide = [&[0x80, 0x01, 4, 2, 0, 0, 64, 0, 0, 0][..], &[0; 256]].concat();
        assert_eq!(Lengths::read(&mut &too_wide[..], 2), None);
        let ascending = [&[0x80, 0x01, 4, 3, 0, 0, 8, 0, 0, 0, 200, 55][..], &[0; 30]].concat();
        let lengths = Lengths::read(&mut &ascending[..], 3);
        assert_eq!(lengths, Some(Lengths { count: 3, greatest: 255 }));
    }
}
