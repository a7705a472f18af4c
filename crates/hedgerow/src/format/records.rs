//! Records of delimited fields, with their line numbers.

use csv::StringRecord;

use super::lines::Lines;
use crate::{Error, Result};

/// Parses the records of a text and returns each with the line on which it begins.
pub(super) fn records(text: &str, delimiter: u8) -> Result<Vec<(u64, StringRecord)>> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        // Lines of different lengths are reported with their numbers instead of failing here.
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut lines = Lines::of(text);
    let (mut records, mut last) = (Vec::new(), 0);
    for record in reader.records() {
        let record = record.map_err(|error| {
            Error::syntax(error.position().map(csv::Position::line), error.to_string())
        })?;
        // A record's position can precede the rest of the previous line end (all of it, or `\n` of
        // `\r\n`).
        let at = record.position().map_or(0, |position| position.byte() as usize);
        let blank = text[at..].bytes().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        last = at + blank;
        records.push((lines.at(last), record));
    }
    // The csv reader accepts a quote that is never closed, as if the end of the file closed it.
    let rest = &text[last..];
    if ends_in_quotes(rest, delimiter) {
        return Err(Error::syntax(lines.at(last), "a quote is opened and never closed"));
    }
    Ok(records)
}

/// Whether a field that begins with a quote is never closed. Quotes elsewhere are ordinary
/// characters.
fn ends_in_quotes(record: &str, delimiter: u8) -> bool {
    let (mut is_quoted, mut may_open) = (false, true);
    for &byte in record.as_bytes() {
        let was_quoted = is_quoted;
        if byte == b'"' {
            is_quoted = !is_quoted && may_open;
        }
        // A quote right after a closing quote is an escaped quote and continues the field.
        may_open = byte == delimiter || byte == b'\n' || (was_quoted && !is_quoted);
    }
    is_quoted
}

/// Detects the delimiter: the candidate that occurs most often in the first line, the first on a
/// tie.
pub(super) fn delimiter(text: &str, candidates: &[u8]) -> u8 {
    let line = text.lines().next().unwrap_or("");
    let count = |delimiter: &&u8| memchr::memchr_iter(**delimiter, line.as_bytes()).count();
    candidates.iter().rev().max_by_key(count).copied().unwrap_or(b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_field_that_begins_with_a_quote_can_be_open() {
        for closed in ["5\" disk;A", "\"a;b\";c", "\"a\"\"b\";c", "5\"\"x;A", ""] {
            assert!(!ends_in_quotes(closed, b';'), "{closed}");
        }
        for open in ["b;\"x;*\n", "\"a\"\"", "\""] {
            assert!(ends_in_quotes(open, b';'), "{open}");
        }
    }
}
