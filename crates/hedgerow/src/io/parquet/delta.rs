//! Delta-encoded lengths, which determine how much memory a decoder reserves.

use parquet::basic::Encoding;

use super::thrift::{varint, zigzag};

/// The message if there is no memory for a page.
pub(super) const NO_ROOM: &str =
    "its pages take more than 256 MB, 4 times the record limit and 16 times the size of the file";

/// Maximum number of values decoded at a time.
pub(super) const BATCH_ROWS: usize = 1 << 10;

const UNREADABLE: &str = "the lengths of a page cannot be read";

/// Returns the number of bytes that a decoder needs in addition to the page: for lengths, and for
/// the prefixes that the values of a batch repeat. It is an error if there are more lengths than
/// `n_values`, or more than fit into `most` bytes.
pub(super) fn n_bytes(
    page: &[u8],
    encoding: Encoding,
    n_values: u64,
    most: u64,
) -> Result<u64, &'static str> {
    let mut rest = page;
    let mut read = || Lengths::read(&mut rest, n_values, most);
    match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY if !page.is_empty() => Ok(read()?.n_bytes()),
        Encoding::DELTA_BYTE_ARRAY if !page.is_empty() => {
            let (prefixes, suffixes) = (read()?, read()?);
            Ok(prefixes.n_bytes() + prefixes.batch + suffixes.n_bytes())
        }
        _ => Ok(0),
    }
}

/// A list of lengths.
#[derive(Debug, PartialEq, Eq)]
struct Lengths {
    count: u64,
    /// The greatest sum of lengths in a batch.
    batch: u64,
}

impl Lengths {
    fn read(bytes: &mut &[u8], n_values: u64, most: u64) -> Result<Self, &'static str> {
        let head = Head::read(bytes).ok_or(UNREADABLE)?;
        if head.count > n_values {
            return Err("a page has more lengths than values");
        }
        // A decoded length takes four bytes.
        if head.count > most / 4 {
            return Err(NO_ROOM);
        }
        let mut window = Window::new();
        head.visit(bytes, |length| window.push(length)).ok_or(UNREADABLE)?;
        Ok(Self { count: head.count, batch: window.greatest })
    }

    /// Number of bytes of the decoded list.
    fn n_bytes(&self) -> u64 {
        self.count * 4
    }
}

/// The header of a list of numbers.
struct Head {
    /// Number of parts in a block.
    n_parts: usize,
    /// Number of numbers in a part.
    part: u64,
    count: u64,
    /// The first number, which is stored as is.
    first: i32,
}

impl Head {
    /// Parses the header of a list, or returns `None` if it is cut off or its block size is not a
    /// multiple of the number of parts.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let mut next = || varint(|| bytes.split_off_first().copied());
        let (block, n_parts, count, first) = (next()?, next()?, next()?, next()?);
        let is_sound = block > 0 && n_parts > 0 && block.is_multiple_of(n_parts);
        is_sound.then_some(Self {
            n_parts: usize::try_from(n_parts).ok()?,
            part: block.checked_div(n_parts)?,
            count,
            first: zigzag(first) as i32,
        })
    }

    /// Visits the numbers of a list, or returns `None` if it is cut off or a number has more than
    /// 32 bits.
    fn visit(&self, bytes: &mut &[u8], mut visit: impl FnMut(i32)) -> Option<()> {
        // The first number is in the header, so an empty list has no blocks.
        let Some(mut n_left) = self.count.checked_sub(1) else { return Some(()) };
        let mut last = self.first;
        visit(last);
        while n_left > 0 {
            let least = zigzag(varint(|| bytes.split_off_first().copied())?) as i32;
            let widths = bytes.split_off(..self.n_parts)?;
            // Parts after the last number have a width but no bytes.
            for &width in widths.iter().take(n_left.div_ceil(self.part) as usize) {
                let n_bits = u64::from(width).checked_mul(self.part)?;
                let bits = bytes.split_off(..usize::try_from(n_bits / 8).ok()?)?;
                for place in 0..self.part.min(n_left) {
                    // A number is the previous one plus the least difference of the block plus the
                    // packed remainder.
                    let step = number(bits, place as usize, width)?.wrapping_add(least);
                    last = last.wrapping_add(step);
                    visit(last);
                }
                n_left -= self.part.min(n_left);
            }
        }
        Some(())
    }
}

/// Sums of `BATCH_ROWS` consecutive lengths, because a batch can begin at any value of a page.
struct Window {
    lengths: Vec<u64>,
    /// Index of the oldest length.
    oldest: usize,
    sum: u64,
    greatest: u64,
}

impl Window {
    fn new() -> Self {
        Self { lengths: vec![0; BATCH_ROWS], oldest: 0, sum: 0, greatest: 0 }
    }

    /// Replaces the oldest length. The decoder rejects negative lengths, so they count as 0.
    fn push(&mut self, length: i32) {
        let length = u64::try_from(length).unwrap_or(0);
        self.sum += length;
        self.sum -= std::mem::replace(&mut self.lengths[self.oldest], length);
        self.oldest = (self.oldest + 1) % BATCH_ROWS;
        self.greatest = self.greatest.max(self.sum);
    }
}

/// Returns the number of `width` bits at index `place`, or `None` if it is wider than 32 bits.
fn number(bits: &[u8], place: usize, width: u8) -> Option<i32> {
    let start = place * usize::from(width);
    // A number of at most 32 bits that starts within a byte spans at most five bytes.
    let mut window = [0; 8];
    let bytes = bits.get(start / 8..)?;
    let n_bytes = bytes.len().min(window.len());
    window[..n_bytes].copy_from_slice(&bytes[..n_bytes]);
    let shifted = u64::from_le_bytes(window) >> (start % 8);
    (width <= 32).then(|| (shifted & ((1 << width) - 1)) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of `count` lengths that are all 3, so every width is 0.
    fn list(count: u8) -> Vec<u8> {
        let head = [0x80, 0x01, 4, count, 6];
        let blocks = [0, 0, 0, 0, 0].repeat(usize::from(count.saturating_sub(1)).div_ceil(128));
        [&head[..], &blocks].concat()
    }

    #[test]
    fn lists_longer_than_their_page_are_found() {
        let sound = |values: &[u8], encoding| n_bytes(values, encoding, 100, 1 << 20).is_ok();
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
        assert_eq!(n_bytes(Encoding::DELTA_LENGTH_BYTE_ARRAY, 400), Ok(400));
        assert_eq!(n_bytes(Encoding::DELTA_LENGTH_BYTE_ARRAY, 399), Err(NO_ROOM));
        assert_eq!(n_bytes(Encoding::DELTA_BYTE_ARRAY, 1000), Ok(400 + 400 + 300));
        assert_eq!(n_bytes(Encoding::PLAIN, 0), Ok(0));
    }

    #[test]
    fn lengths_are_those_that_were_packed() {
        // The lengths 7, 5, 3, 1, 2, 3, 4, 5 from the specification of the format, in 4 parts of
        // 32.
        let head = [0x80, 0x01, 4, 8, 14, 3, 2, 0, 0, 0];
        let bits = [0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0];
        let list = [&head[..], &bits].concat();
        assert_eq!(numbers(&list), Some(vec![7, 5, 3, 1, 2, 3, 4, 5]));
        let ascending = [&[0x80, 0x01, 4, 3, 0, 0, 8, 0, 0, 0, 200, 55][..], &[0; 30]].concat();
        assert_eq!(numbers(&ascending), Some(vec![0, 200, 255]));
        let wide = packed(&[7, 300_000, -1]);
        assert_eq!(numbers(&wide), Some(vec![7, 300_000, -1]));
    }

    #[test]
    fn the_reason_why_lengths_are_refused_is_the_one_that_is_said() {
        let why = |list: &[u8]| Lengths::read(&mut &list[..], 100, 1 << 20).unwrap_err();
        assert_eq!(why(&list(101)), "a page has more lengths than values");
        assert_eq!(why(&list(100)[..9]), UNREADABLE);
        assert_eq!(why(&[0x80]), UNREADABLE);
        let odd_block = [0x81, 0x01, 4, 2, 6, 0, 0, 0, 0, 0];
        assert_eq!(why(&odd_block), UNREADABLE);
        let too_wide = [&[0x80, 0x01, 4, 2, 0, 0, 64, 0, 0, 0][..], &[0; 256]].concat();
        assert_eq!(why(&too_wide), UNREADABLE);
        assert_eq!(Lengths::read(&mut &list(100)[..], 100, 399), Err(NO_ROOM));
    }

    #[test]
    fn only_prefixes_of_one_batch_are_held_together() {
        let batch = |long: &[usize]| {
            let mut lengths = vec![1; 3000];
            long.iter().for_each(|&place| lengths[place] = 300_000);
            Lengths::read(&mut &packed(&lengths)[..], 3000, 1 << 20).unwrap().batch
        };
        assert_eq!(batch(&[]), 1024);
        assert_eq!(batch(&[1500]), 300_000 + 1023);
        assert_eq!(batch(&[1500, 2523]), 2 * 300_000 + 1022);
        assert_eq!(batch(&[1500, 2524]), 300_000 + 1023);
    }

    /// Decodes the numbers of a list.
    fn numbers(list: &[u8]) -> Option<Vec<i32>> {
        let (mut rest, mut numbers) = (list, Vec::new());
        Head::read(&mut rest)?.visit(&mut rest, |number| numbers.push(number))?;
        Some(numbers)
    }

    /// Encodes a list of numbers, the first less than 64, with differences of 32 bits.
    fn packed(numbers: &[i32]) -> Vec<u8> {
        let count = numbers.len();
        let head = [0x80, 0x01, 1, count as u8 | 0x80, (count >> 7) as u8, 2 * numbers[0] as u8];
        let steps: Vec<i32> = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let block = |steps: &[i32]| {
            let mut bits: Vec<u8> = steps.iter().flat_map(|step| step.to_le_bytes()).collect();
            bits.resize(128 * 4, 0);
            [&[0, 32][..], &bits].concat()
        };
        let blocks: Vec<u8> = steps.chunks(128).flat_map(block).collect();
        [&head[..], &blocks].concat()
    }
}
