//! Delta-encoded lengths, whose own counts decide how much memory a decoder reserves.

use parquet::basic::Encoding;

/// Whether the lengths in the values of a page say that there are at most `n_values` of them.
pub(super) fn counts_are_sound(values: &[u8], encoding: Encoding, n_values: u64) -> bool {
    let n_lists = match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2, // of prefixes, and of what follows them
        _ => 0,
    };
    let mut rest = values;
    values.is_empty() || (0..n_lists).all(|_| skip_list(&mut rest, n_values).is_some())
}

/// Skips a list of at most `most` numbers; none if it is longer or cut off.
fn skip_list(bytes: &mut &[u8], most: u64) -> Option<()> {
    let (block, n_parts, count) = (varint(bytes)?, varint(bytes)?, varint(bytes)?);
    varint(bytes)?; // the first number stands by itself
    if count > most || block == 0 || n_parts == 0 || !block.is_multiple_of(n_parts) {
        return None;
    }
    let part = block / n_parts;
    let mut n_left = count.saturating_sub(1);
    while n_left > 0 {
        varint(bytes)?; // the least difference
        let widths = bytes.split_off(..usize::try_from(n_parts).ok()?)?;
        // Parts behind the last number have a width, but no bytes.
        for &width in widths.iter().take(n_left.div_ceil(part) as usize) {
            let n_bits = u64::from(width).checked_mul(part)?;
            bytes.split_off(..usize::try_from(n_bits / 8).ok()?)?;
        }
        n_left = n_left.saturating_sub(block);
    }
    Some(())
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
        let sound = |values: &[u8], encoding| counts_are_sound(values, encoding, 100);
        let lengths = [list(100), vec![b'x'; 300]].concat();
        assert!(sound(&lengths, Encoding::DELTA_LENGTH_BYTE_ARRAY));
        assert!(!sound(&list(101), Encoding::DELTA_LENGTH_BYTE_ARRAY));
        assert!(sound(&[list(100), list(100)].concat(), Encoding::DELTA_BYTE_ARRAY));
        assert!(!sound(&[list(100), list(101)].concat(), Encoding::DELTA_BYTE_ARRAY));
        assert!(!sound(&list(100), Encoding::DELTA_BYTE_ARRAY));
        assert!(sound(&[], Encoding::DELTA_BYTE_ARRAY));
        assert!(sound(&list(101), Encoding::PLAIN));
    }
}
