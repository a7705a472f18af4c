//! Records of delimited fields, with their line numbers.

use std::borrow::Cow;

use super::lines::Lines;
use crate::{Error, Result};

/// The records of a text, in one list of fields.
#[derive(Default)]
pub(super) struct Records<'a> {
    fields: Vec<Cow<'a, str>>,
    /// The place in `fields` at which each record ends.
    ends: Vec<usize>,
    /// The line on which each record begins.
    lines: Vec<u64>,
}

impl<'a> Records<'a> {
    fn end(&mut self, line: u64) {
        self.ends.push(self.fields.len());
        self.lines.push(line);
    }

    /// Every record with its line.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &[Cow<'a, str>])> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let places = starts.zip(&self.ends).map(|(&start, &end)| start..end);
        self.lines.iter().copied().zip(places.map(|place| &self.fields[place]))
    }
}

/// Parses the records of a text.
pub(super) fn records(text: &str, delimiter: u8) -> Result<Records<'_>> {
    // Without quotes and carriage returns, every line is a record, and nothing has to be copied.
    if memchr::memchr2(b'"', b'\r', text.as_bytes()).is_none() {
        return Ok(lines(text, delimiter));
    }
    quoted(text, delimiter)
}

/// Parses a text in which every line is a record, unless it is blank.
fn lines(text: &str, delimiter: u8) -> Records<'_> {
    let mut records = Records::default();
    for (line, record) in (1..).zip(text.split('\n')).filter(|(_, record)| !record.is_empty()) {
        let mut start = 0;
        for end in memchr::memchr_iter(delimiter, record.as_bytes()).chain([record.len()]) {
            records.fields.push(Cow::Borrowed(&record[start..end]));
            start = end + 1;
        }
        records.end(line);
    }
    records
}

/// Parses a text with fields that can be quoted.
fn quoted(text: &str, delimiter: u8) -> Result<Records<'_>> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        // Lines of different lengths are reported with their numbers instead of failing here.
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut lines = Lines::of(text);
    let (mut records, mut last) = (Records::default(), 0);
    for record in reader.records() {
        let record = record.map_err(|error| {
            Error::syntax(error.position().map(csv::Position::line), error.to_string())
        })?;
        // A record's position can precede the rest of the previous line end (all of it, or `\n` of
        // `\r\n`).
        let at = record.position().map_or(0, |position| position.byte() as usize);
        let blank = text[at..].bytes().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        last = at + blank;
        records.fields.extend(record.iter().map(|field| Cow::Owned(field.to_owned())));
        records.end(lines.at(last));
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
    fn lines_without_quotes_are_what_the_parser_says() {
        for text in ["a;b\n\n1;2\n;\n\n\nx;", "a", "\n", ";;\n;\n", "\u{e4};b\nc", "", "a;\u{f6}\n"]
        {
            let all = |records: Records<'_>| -> Vec<(u64, Vec<String>)> {
                let owned =
                    |fields: &[Cow<'_, str>]| fields.iter().map(ToString::to_string).collect();
                records.iter().map(|(line, fields)| (line, owned(fields))).collect()
            };
            assert_eq!(all(lines(text, b';')), all(quoted(text, b';').unwrap()), "{text:?}");
        }
    }

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
