//! CSV: one thread cuts the file into blocks of whole records, and all threads parse them.

use std::io::Read;
use std::path::{Path, PathBuf};

use csv_core::ReadRecordResult;

use super::block::{Blocks, Fields, RecordBlock};
use super::text::{Text, open_raw};
use super::{Size, Source, quoted, read_up_to, too_long};
use crate::charset::Charset;
use crate::error::Advice;
use crate::noun::counted;
use crate::{Error, Result};

/// Number of bytes of a file that a thread gets at a time.
pub(super) const BLOCK_BYTES: usize = 1 << 20;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Opens a file as UTF-8, without its byte order mark.
pub(super) fn open(path: &Path, gzip: bool, charset: Charset) -> Result<Box<dyn Read + Send>> {
    let mut input = open_raw(path, gzip)?;
    if charset != Charset::UTF_8 {
        return Ok(Box::new(charset.reader(input)));
    }
    let mut start = [0; 3];
    let n_read = read_up_to(&mut input, &mut start).map_err(Error::io("read", path))?;
    if start == *BOM {
        return Ok(input);
    }
    // The three bytes belong to the text, so they are put back in front of it.
    Ok(Box::new(std::io::Cursor::new(start[..n_read].to_vec()).chain(input)))
}

/// Returns the fields of a row.
pub(super) fn fields_of(row: &str, delimiter: u8) -> Vec<String> {
    let mut parser = Parser::new(delimiter);
    let fields = parser.next(&mut row.as_bytes());
    let texts = fields.map(|fields| {
        (0..fields.len())
            .map(|place| String::from_utf8_lossy(fields.get(place)).into_owned())
            .collect()
    });
    texts.unwrap_or_default()
}

/// The error for a field that is not UTF-8. `line` and `column` are counted from 1.
pub(super) fn not_utf8(line: u64, column: usize, text: &Text) -> Error {
    if text.is_given() {
        let problem = format!("column {column} is not UTF-8, which was stated");
        let leave_out = Advice::LeaveOut { key: "encoding", column: None };
        return Error::syntax(line, problem).advise([leave_out, Advice::StateEncoding]);
    }
    let problem =
        format!("column {column} is neither UTF-8 nor another encoding that is recognized");
    Error::syntax(line, problem)
        .advise([Advice::StateEncoding, Advice::words("convert the file to UTF-8")])
}

/// A CSV file, cut into blocks.
pub(super) struct CsvBlocks {
    origin: Origin,
    input: Box<dyn Read + Send>,
    /// Bytes after the last cut.
    rest: Vec<u8>,
    offset: u64,
    is_first: bool,
    at_end: bool,
}

/// Properties of the file that a block needs to parse itself and to locate errors.
#[derive(Clone)]
struct Origin {
    path: PathBuf,
    gzip: bool,
    delimiter: u8,
    n_columns: usize,
    max_record: Option<Size>,
    text: Text,
    /// The encoding in which the file is read.
    charset: Charset,
    /// Whether the names of the columns are the same in every encoding.
    is_plain_header: bool,
}

impl CsvBlocks {
    pub(super) fn open(source: &Source, gzip: bool, delimiter: u8) -> Result<Self> {
        let (path, n_columns) = (source.path.clone(), source.header.len());
        let (text, charset) = (source.text.clone(), source.text.charset());
        let input = open(&path, gzip, charset)?;
        let max_record = source.max_record;
        let is_plain_header = source.header.iter().all(|name| name.is_ascii());
        let origin =
            Origin { path, gzip, delimiter, n_columns, max_record, text, charset, is_plain_header };
        let is_first = source.has_header_line;
        Ok(Self { origin, input, rest: Vec::new(), offset: 0, is_first, at_end: false })
    }
}

impl Blocks for CsvBlocks {
    fn next_block(&mut self) -> Result<Option<Box<dyn RecordBlock>>> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut cut = 0;
        // A record can be longer than a block, so read until one ends.
        while cut == 0 && !self.at_end {
            let filled = bytes.len();
            // The buffer doubles, so that a long record is read in linear time.
            let mut n_wanted = filled.max(BLOCK_BYTES);
            if let Some(max_record) = self.origin.max_record {
                // One byte beyond the limit proves that the record is too long.
                let most = (max_record.bytes() as usize).saturating_add(1).max(BLOCK_BYTES);
                if filled >= most {
                    return Err(self.origin.too_long(max_record, self.offset, &bytes));
                }
                n_wanted = n_wanted.min(most - filled);
            }
            bytes.resize(filled + n_wanted, 0);
            let n_read = read_up_to(&mut self.input, &mut bytes[filled..])
                .map_err(Error::io("read", &self.origin.path))?;
            bytes.truncate(filled + n_read);
            // `read_up_to` returns less than it was asked for only at the end of the input.
            self.at_end = n_read < n_wanted;
            // The last record need not end with a line end.
            cut = if self.at_end {
                bytes.len()
            } else {
                last_record_end(&bytes, self.origin.delimiter)
            };
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        self.rest = bytes.split_off(cut);
        let block = CsvBlock {
            origin: self.origin.clone(),
            offset: self.offset,
            has_header: std::mem::take(&mut self.is_first),
            is_last: self.at_end && self.rest.is_empty(),
            bytes,
        };
        self.offset += cut as u64;
        Ok(Some(Box::new(block)))
    }
}

/// Returns the offset at which the last whole record ends, or 0 if none does. Without quotes, every
/// line end ends a record.
pub(super) fn last_record_end(bytes: &[u8], delimiter: u8) -> usize {
    if memchr::memchr(b'"', bytes).is_none() {
        return memchr::memrchr(b'\n', bytes).map_or(0, |newline| newline + 1);
    }
    // One thread cuts for all others, so this must be much faster than parsing.
    quoted::last_end(bytes, delimiter)
}

struct CsvBlock {
    origin: Origin,
    offset: u64,
    has_header: bool,
    is_last: bool,
    bytes: Vec<u8>,
}

impl RecordBlock for CsvBlock {
    fn for_each(&mut self, visit: &mut dyn FnMut(Fields<'_>) -> Result<()>) -> Result<()> {
        if let Err(error) = std::str::from_utf8(&self.bytes) {
            // If the file is Windows-1252, it is read again as such.
            if self.origin.charset == Charset::UTF_8 && self.origin.is_plain_header {
                self.origin.text.guess(&self.origin.path, self.origin.gzip)?;
            }
            return Err(self.not_utf8(error.valid_up_to()));
        }
        let mut is_header = self.has_header;
        let mut check_and_visit = |fields: Fields<'_>, start: usize, end: usize| {
            // The header was checked when the file was opened.
            if std::mem::take(&mut is_header) {
                return Ok(());
            }
            self.check(fields, start, end)?;
            visit(fields)
        };
        // Without quotes and carriage returns only delimiters and line ends matter, and fields need
        // not be copied.
        if memchr::memchr2(b'"', b'\r', &self.bytes).is_none() {
            return for_each_line(&self.bytes, self.origin.delimiter, &mut check_and_visit);
        }
        let mut last = 0;
        let mut visit = |fields: Fields<'_>, start: usize, end: usize| {
            last = start;
            check_and_visit(fields, start, end)
        };
        quoted::for_each_record(&self.bytes, self.origin.delimiter, &mut visit)?;
        if self.is_last && is_unclosed(&self.bytes[last..], self.origin.delimiter) {
            return Err(self.unclosed(last));
        }
        Ok(())
    }

    fn end_byte(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }
}

/// Whether a record ends inside a quoted field. If so, an appended line becomes part of it.
fn is_unclosed(record: &[u8], delimiter: u8) -> bool {
    let with_line = [record, b"\nx\n"].concat();
    let (mut parser, mut rest) = (Parser::new(delimiter), with_line.as_slice());
    // `next` stops at the line break if no quote is open, and then `x` is left.
    parser.next(&mut rest);
    rest.is_empty()
}

/// Visits every line that is not blank, with its fields and its start and end offsets.
fn for_each_line(
    bytes: &[u8],
    delimiter: u8,
    visit: &mut impl FnMut(Fields<'_>, usize, usize) -> Result<()>,
) -> Result<()> {
    let mut ends = Vec::with_capacity(64);
    let mut start = 0;
    let mut line = |start: usize, end: usize, ends: &mut Vec<usize>| {
        // A blank line is not a record.
        if start == end && ends.is_empty() {
            return Ok(());
        }
        // The last field ends without a delimiter.
        ends.push(end - start);
        visit(Fields::of(&bytes[start..end], ends, 1), start, end)?;
        ends.clear();
        Ok(())
    };
    for at in memchr::memchr2_iter(delimiter, b'\n', bytes) {
        if bytes[at] == delimiter {
            ends.push(at - start);
        } else {
            line(start, at, &mut ends)?;
            start = at + 1;
        }
    }
    line(start, bytes.len(), &mut ends)
}

impl CsvBlock {
    /// Returns an error if a record is too long, or has more or fewer fields than the header.
    #[inline]
    fn check(&self, fields: Fields<'_>, start: usize, end: usize) -> Result<()> {
        let is_too_long = |most: &Size| (end - start) as u64 > most.bytes();
        if let Some(most) = self.origin.max_record.filter(is_too_long) {
            let offset = self.offset + start as u64;
            return Err(self.origin.too_long(most, offset, &self.bytes[start..]));
        }
        if fields.len() != self.origin.n_columns {
            return Err(self.ragged(start, fields.len()));
        }
        Ok(())
    }

    fn ragged(&self, start: usize, found: usize) -> Error {
        let line = self.line_of(start);
        let Origin { path, n_columns, .. } = &self.origin;
        let found = counted(found, "field");
        Error::syntax(line, format!("the record has {found}, but the header has {n_columns}"))
            .advise([Advice::words("check for a delimiter or a quote inside a value")])
            .in_file(path)
    }

    fn line_of(&self, start: usize) -> u64 {
        self.origin.line_of(self.offset + start as u64, &self.bytes[start..])
    }

    fn unclosed(&self, start: usize) -> Error {
        let line = self.line_of(start);
        let problem = "a quote that opens in this record is not closed before the end of the file";
        Error::syntax(line, problem)
            .advise([
                Advice::words("close it"),
                Advice::words("double it if it belongs to the value"),
            ])
            .in_file(&self.origin.path)
    }

    fn not_utf8(&self, at: usize) -> Error {
        let line = self.origin.line_at(self.offset + at as u64);
        // Counted from the start of the line, which is approximate in a field with line breaks.
        let start = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |newline| newline + 1);
        let mut parser = Parser::new(self.origin.delimiter);
        let before = &mut &self.bytes[start..at];
        let column = parser.last(before);
        not_utf8(line, column, &self.origin.text).in_file(&self.origin.path)
    }
}

impl Origin {
    fn too_long(&self, max_record: Size, offset: u64, bytes: &[u8]) -> Error {
        let line = Some(self.line_of(offset, bytes));
        too_long("the record", line, max_record).in_file(&self.path)
    }

    /// Returns the line of the record that the parser started at `offset`, where `bytes` begins.
    /// The parser counts blank lines before a record as part of it.
    fn line_of(&self, offset: u64, bytes: &[u8]) -> u64 {
        let blank = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        self.line_at(offset + blank.count() as u64)
    }

    /// Returns the line of a byte by reading the file again, which happens for errors only.
    fn line_at(&self, offset: u64) -> u64 {
        // Line 0 does not exist; the message about the record matters more than its line.
        let Ok(input) = open(&self.path, self.gzip, self.charset) else {
            return 0;
        };
        let mut before = input.take(offset);
        let mut buffer = vec![0; BLOCK_BYTES];
        let mut line = 1;
        while let Ok(n_read @ 1..) = before.read(&mut buffer) {
            line += memchr::memchr_iter(b'\n', &buffer[..n_read]).count() as u64;
        }
        line
    }
}

/// The state machine of the `csv` crate with its own buffers.
pub(super) struct Parser {
    core: csv_core::Reader,
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Parser {
    pub(super) fn new(delimiter: u8) -> Self {
        let core = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        Self { core, bytes: vec![0; 1 << 10], ends: vec![0; 64] }
    }

    /// Parses the next record of the input, or returns `None` at its end.
    pub(super) fn next(&mut self, input: &mut &[u8]) -> Option<Fields<'_>> {
        let (mut n_bytes, mut n_ends) = (0, 0);
        loop {
            let (result, n_read, n_out, n_fields) =
                self.core.read_record(input, &mut self.bytes[n_bytes..], &mut self.ends[n_ends..]);
            *input = &input[n_read..];
            n_bytes += n_out;
            n_ends += n_fields;
            match result {
                ReadRecordResult::OutputFull => self.bytes.resize(self.bytes.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
                ReadRecordResult::InputEmpty => {} // the next call has no input, which ends the record
                ReadRecordResult::Record => {
                    return Some(Fields::of(&self.bytes[..n_bytes], &self.ends[..n_ends], 0));
                }
                ReadRecordResult::End => return None,
            }
        }
    }

    /// Returns the number of fields in the last record of the input, which may be incomplete.
    fn last(&mut self, input: &mut &[u8]) -> usize {
        let mut last = 1;
        while let Some(fields) = self.next(input) {
            last = fields.len();
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines_are_what_the_parser_says() {
        for text in ["a,b\n\n1,2\n,\n\n\nx,", "a", "\n", ",,\n,\n", "a,b\nc", ""] {
            let mut plain: Vec<Vec<Vec<u8>>> = Vec::new();
            for_each_line(text.as_bytes(), b',', &mut |fields, _, _| {
                plain.push((0..fields.len()).map(|i| fields.get(i).to_vec()).collect());
                Ok(())
            })
            .unwrap();
            let mut parsed: Vec<Vec<Vec<u8>>> = Vec::new();
            let (mut parser, mut rest) = (Parser::new(b','), text.as_bytes());
            while let Some(fields) = parser.next(&mut rest) {
                parsed.push((0..fields.len()).map(|i| fields.get(i).to_vec()).collect());
            }
            assert_eq!(plain, parsed, "{text:?}");
        }
    }
}
