//! Records whose fields can be quoted, found by searching for the few bytes that matter.
//!
//! A release has many of them, because intervals and sets contain commas. The state machine of the
//! `csv` crate looks at every byte; the result here is the same.

use super::block::Fields;
use crate::Result;

/// Returns the offset at which the last whole record ends, or 0 if none does.
pub(super) fn last_end(bytes: &[u8], delimiter: u8) -> usize {
    let (mut at, mut end) = (0, 0);
    while let Some(n) = memchr::memchr3(b'"', b'\n', b'\r', &bytes[at..]) {
        let place = at + n;
        at = place + 1;
        if bytes[place] != b'"' {
            end = at;
            continue;
        }
        // A quote opens a field only at its start.
        let before = place.checked_sub(1).map(|before| bytes[before]);
        if before.is_none_or(|byte| byte == delimiter || matches!(byte, b'\n' | b'\r')) {
            match closing(bytes, at) {
                Some(close) => at = close + 1,
                None => break,
            }
        }
    }
    end
}

/// Visits every record, with its fields and its start and end offsets. Blank lines are not records.
pub(super) fn for_each_record(
    bytes: &[u8],
    delimiter: u8,
    visit: &mut impl FnMut(Fields<'_>, usize, usize) -> Result<()>,
) -> Result<()> {
    let (mut text, mut ends) = (Vec::new(), Vec::with_capacity(64));
    let mut at = 0;
    while at < bytes.len() {
        if matches!(bytes[at], b'\n' | b'\r') {
            at += 1;
            continue;
        }
        let start = at;
        text.clear();
        ends.clear();
        loop {
            at = copy_field(bytes, at, delimiter, &mut text);
            ends.push(text.len());
            let stop = bytes.get(at);
            at = (at + 1).min(bytes.len());
            if stop != Some(&delimiter) {
                break;
            }
        }
        visit(Fields::of(&text, &ends, 0), start, at)?;
    }
    Ok(())
}

/// Copies the field at an offset without its quotes. Returns the offset of the byte that ends it.
#[inline]
fn copy_field(bytes: &[u8], mut at: usize, delimiter: u8, text: &mut Vec<u8>) -> usize {
    if bytes.get(at) == Some(&b'"') {
        at += 1;
        let close = closing(bytes, at).unwrap_or(bytes.len());
        let mut quoted = &bytes[at..close];
        // Two quotes are one.
        while let Some(n) = memchr::memchr(b'"', quoted) {
            text.extend_from_slice(&quoted[..=n]);
            quoted = quoted.get(n + 2..).unwrap_or_default();
        }
        text.extend_from_slice(quoted);
        at = (close + 1).min(bytes.len());
    }
    // Text after the closing quote belongs to the field, too.
    let rest = &bytes[at..];
    let n = memchr::memchr3(delimiter, b'\n', b'\r', rest).unwrap_or(rest.len());
    text.extend_from_slice(&rest[..n]);
    at + n
}

/// The offset of the quote that closes a field whose text begins at an offset.
fn closing(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let quote = at + memchr::memchr(b'"', &bytes[at..])?;
        if bytes.get(quote + 1) != Some(&b'"') {
            return Some(quote);
        }
        at = quote + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::super::csv::Parser;
    use super::*;

    /// The records that the state machine finds.
    fn parsed(bytes: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let (mut parser, mut rest) = (Parser::new(b','), bytes);
        let mut found = Vec::new();
        while let Some(fields) = parser.next(&mut rest) {
            found.push((0..fields.len()).map(|i| fields.get(i).to_vec()).collect());
        }
        found
    }

    fn records(bytes: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let mut found = Vec::new();
        for_each_record(bytes, b',', &mut |fields, _, _| {
            found.push((0..fields.len()).map(|i| fields.get(i).to_vec()).collect());
            Ok(())
        })
        .unwrap();
        found
    }

    /// All texts of up to seven of the bytes that matter.
    #[test]
    fn records_are_what_the_parser_says() {
        for length in 0..8_u32 {
            for number in 0..5_usize.pow(length) {
                let byte = |place| b"a,\"\n\r"[number / 5_usize.pow(place) % 5];
                let bytes: Vec<u8> = (0..length).map(byte).collect();
                let shown = String::from_utf8_lossy(&bytes);
                assert_eq!(records(&bytes), parsed(&bytes), "{shown:?}");
                // Both parts of a cut text have the records of the whole.
                let (first, second) = bytes.split_at(last_end(&bytes, b','));
                let both = [parsed(first), parsed(second)].concat();
                assert_eq!(both, parsed(&bytes), "{shown:?} cut at {}", first.len());
            }
        }
    }
}
