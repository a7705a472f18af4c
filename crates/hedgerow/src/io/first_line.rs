//! The first line of a CSV file: its encoding, its delimiter and the names of its columns.

use std::io::Read;
use std::path::Path;

use super::csv::{BLOCK_BYTES, Parser, last_record_end, not_utf8, open};
use super::magic::is_workbook;
use super::opening::{Header, OpenOptions};
use super::read_up_to;
use super::text::{Text, open_raw};
use crate::error::{Advice, Warning};
use crate::noun::all_of;
use crate::schema;
use crate::table::{Decimal, is_usual, sign_of_columns};
use crate::{Error, Result};

/// The delimiters that are detected.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The first line of a CSV file.
pub(super) struct Start {
    pub(super) delimiter: u8,
    pub(super) names: Vec<String>,
    /// Whether the records have one field more than the first line, in front.
    pub(super) has_unnamed: bool,
    /// The decimal sign that the first records show.
    pub(super) decimal: Option<Decimal>,
    /// A warning if the first line may be a record.
    pub(super) echoed: Option<Warning>,
}

/// Reads the names of the columns, and detects encoding and delimiter unless they are given.
pub(super) fn start(path: &Path, gzip: bool, options: &OpenOptions, text: &Text) -> Result<Start> {
    let raw = first_bytes(open_raw(path, gzip)?).map_err(Error::io("read", path))?;
    if raw.first_chunk().is_some_and(|&magic| is_workbook(magic)) {
        return Err(Error::file(path, "this is a gzipped workbook or archive, not a text file")
            .advise([Advice::words("unpack it"), Advice::words("save the sheet as UTF-8 CSV")]));
    }
    if text.charset().is_wide() && !raw.contains(&0) {
        // Line ends and delimiters have a zero byte in UTF-16.
        let problem = format!("this is not {}: it has no zero bytes", text.charset());
        return Err(Error::file(path, problem)
            .advise([Advice::LeaveOut { key: "encoding", column: None }, Advice::StateEncoding]));
    }
    text.find_mark(&raw);
    // A character may be cut at the end of these bytes.
    if std::str::from_utf8(&raw).is_err_and(|error| error.error_len().is_some()) {
        text.guess(path, gzip)?;
    }
    let decoded = open(path, gzip, text.charset())?;
    let start = first_bytes(decoded).map_err(Error::io("read", path))?;
    // Text has no zero bytes, but UTF-16 has one next to every ASCII character.
    if start.contains(&0) {
        return Err(Error::file(path, "this is not text, or UTF-16 without a byte order mark")
            .advise([
                Advice::StateEncoding,
                Advice::words("save the table as UTF-8 CSV, gzipped CSV or Parquet"),
            ]));
    }
    let delimiter = options.delimiter.unwrap_or_else(|| sniff(&start));
    let first = first_record(path, &start, delimiter, text)?;
    let has_unnamed =
        options.header == Header::FirstLine && is_short(&start, delimiter, first.len());
    let is_header = options.header == Header::FirstLine && !has_unnamed;
    let echoed = if is_header { echoed(&start, delimiter, &first) } else { None };
    let names = options.header.names(first, path)?;
    let decimal = decimal_sign(&start, delimiter);
    Ok(Start { delimiter, names, has_unnamed, decimal, echoed })
}

/// Returns a warning if names of the first line are also values of their columns: two of them, or
/// one if another name is a number. Records that repeat the whole line are not counted, nor columns
/// with no other value, such as the choices of a question.
fn echoed(start: &[u8], delimiter: u8, names: &[String]) -> Option<Warning> {
    let (mut parser, mut rest) = (Parser::new(delimiter), start);
    parser.next(&mut rest);
    let (mut is_echoed, mut has_others) = (vec![false; names.len()], vec![false; names.len()]);
    while let Some(fields) = parser.next(&mut rest).filter(|fields| fields.len() == names.len()) {
        let is_name = |place: usize| fields.get(place).trim_ascii() == names[place].as_bytes();
        if (0..names.len()).all(is_name) {
            continue;
        }
        for place in 0..names.len() {
            is_echoed[place] |= is_name(place);
            has_others[place] |= !is_name(place) && !fields.get(place).trim_ascii().is_empty();
        }
    }
    let is_number = |name: &str| name.parse::<f64>().is_ok();
    let is_value = |place: &usize| is_echoed[*place] && has_others[*place];
    let values: Vec<&str> =
        (0..names.len()).filter(is_value).map(|place| names[place].as_str()).collect();
    let words: Vec<&str> = values.into_iter().filter(|name| !is_number(name)).collect();
    let has_number = names.iter().any(|name| is_number(name));
    // A name that is a number other than a year has its own warning.
    if schema::looks_like_data(names).is_some() || words.len() + usize::from(has_number) < 2 {
        return None;
    }
    let quoted: Vec<String> = words.iter().take(3).map(|name| format!("'{name}'")).collect();
    let is_one = quoted.len() == 1;
    let problem = format!(
        "{} {}, so the first line may be a record, which is then published unchanged",
        all_of(&quoted),
        if is_one { "is also a value of its column" } else { "are also values of their columns" },
    );
    (!words.is_empty()).then(|| Warning::new(problem).advise([Advice::StateNoHeader]))
}

/// Number of records that show the decimal sign of a file.
const SHOWN: usize = 1000;

/// Returns the decimal sign that the columns of the first records show. A file whose delimiter is a
/// comma has decimal points unless they show otherwise, because every number would need quotes.
fn decimal_sign(start: &[u8], delimiter: u8) -> Option<Decimal> {
    let mut columns: Vec<Vec<String>> = Vec::new();
    let (mut parser, mut rest) = (Parser::new(delimiter), start);
    parser.next(&mut rest);
    for _ in 0..SHOWN {
        // The last record of the buffer may be cut.
        if rest.is_empty() {
            break;
        }
        let Some(fields) = parser.next(&mut rest) else { break };
        columns.resize_with(columns.len().max(fields.len()), Vec::new);
        for (place, column) in columns.iter_mut().enumerate().take(fields.len()) {
            let field = String::from_utf8_lossy(fields.get(place)).trim().to_owned();
            if !field.is_empty() && !is_usual(&field) {
                column.push(field);
            }
        }
    }
    let has_comma = |column: &Vec<String>| {
        sign_of_columns(std::iter::once(column.as_slice())) == Some(Decimal::Comma)
    };
    sign_of_columns(columns.iter().map(Vec::as_slice))
        .or_else(|| (delimiter == b',' && !columns.iter().any(has_comma)).then_some(Decimal::Point))
}

/// Reads the first bytes of a stream.
fn first_bytes(mut input: impl Read) -> std::io::Result<Vec<u8>> {
    let mut start = vec![0; BLOCK_BYTES];
    let n_read = read_up_to(&mut input, &mut start)?;
    start.truncate(n_read);
    Ok(start)
}

/// Whether all records have one field more than the first line, as `write.table` of R writes them.
/// A delimiter at the end of every line does not count as a field, and a comma is not trusted:
/// records have one field more if they have a number with a decimal comma, too.
fn is_short(start: &[u8], delimiter: u8, n_names: usize) -> bool {
    if delimiter == b',' {
        return false;
    }
    let whole = last_record_end(start, delimiter);
    // A full buffer ends in the middle of a record, whose number of fields is not known.
    let mut rest = &start[..if start.len() < BLOCK_BYTES { start.len() } else { whole }];
    let mut parser = Parser::new(delimiter);
    parser.next(&mut rest);
    let mut has_last = false;
    while let Some(fields) = parser.next(&mut rest) {
        if fields.len() != n_names + 1 {
            return false;
        }
        // If the last field is always empty, the lines just end with a delimiter.
        has_last |= !fields.get(n_names).is_empty();
    }
    has_last
}

/// Returns the fields of the first record.
fn first_record(path: &Path, start: &[u8], delimiter: u8, text: &Text) -> Result<Vec<String>> {
    // A buffer that is not full has the whole file, so its first record is complete.
    if start.len() == BLOCK_BYTES && last_record_end(start, delimiter) == 0 {
        return Err(Error::file(
            path,
            "the header is longer than 1 MB; is this a table, and is every quote in its first line closed?",
        ));
    }
    let mut header = Vec::new();
    let mut parser = Parser::new(delimiter);
    let mut rest = start;
    if let Some(fields) = parser.next(&mut rest) {
        for place in 0..fields.len() {
            let name = std::str::from_utf8(fields.get(place))
                .map_err(|_| not_utf8(1, place + 1, text).in_file(path))?;
            header.push(name.trim().to_owned());
        }
    }
    Ok(header)
}

/// Returns the most frequent delimiter of the first line, or a comma if it has none.
fn sniff(start: &[u8]) -> u8 {
    let mut counts = [0; DELIMITERS.len()];
    let mut in_quotes = false;
    // The parser skips blank lines before the first record, so they have no delimiter to count.
    let n_blank = start.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    for &byte in &start[n_blank..] {
        match byte {
            b'"' => in_quotes = !in_quotes,
            b'\n' if !in_quotes => break,
            _ if in_quotes => {}
            _ => {
                if let Some(known) = DELIMITERS.iter().position(|&delimiter| delimiter == byte) {
                    counts[known] += 1;
                }
            }
        }
    }
    // `max_by_key` returns the last maximum, so reversing makes ties go to the earlier delimiter.
    let most = (0..DELIMITERS.len()).rev().max_by_key(|&known| counts[known]).unwrap_or(0);
    DELIMITERS[most]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_the_commonest_of_the_first_line() {
        assert_eq!(sniff(b"a;b;c\n1,2;3,4;5\n"), b';');
        assert_eq!(sniff(b"a\tb\n"), b'\t');
        assert_eq!(sniff(b"\"a;b;c\",d\n"), b',');
        assert_eq!(sniff(b"alone\n"), b',');
        assert_eq!(sniff(b"\n\r\na;b\n1,2;3,4\n"), b';', "blank lines are not the first line");
    }

    #[test]
    fn the_first_records_show_the_decimal_sign() {
        assert_eq!(decimal_sign(b"a;b\n1.234;46,5\n613;NA\n", b';'), Some(Decimal::Comma));
        assert_eq!(decimal_sign(b"a;b\n1.234;x\n", b';'), None);
        assert_eq!(decimal_sign(b"a,b\n\"1,234\",x\n", b','), Some(Decimal::Point));
        assert_eq!(decimal_sign(b"a,b\n\"1,23\",x\n", b','), Some(Decimal::Comma));
        assert_eq!(decimal_sign(b"a,b\n\"1,23\",1.5\n", b','), None);
    }

    #[test]
    fn names_that_are_values_of_their_columns_are_pointed_out() {
        let found = |text: &str| {
            let names: Vec<String> =
                text.lines().next().unwrap().split(',').map(str::to_owned).collect();
            echoed(text.as_bytes(), b',', &names).map(|warning| warning.to_string())
        };
        let message = found("1961,OR,Other\n1975,IL,Black\n1985,OR,Other\n").unwrap();
        assert!(message.starts_with("'OR' and 'Other' are also values"), "{message}");
        assert!(found("1961,OR\n1975,IL\n1985,OR\n").is_some(), "one next to a year");
        for text in [
            "year,state\n1975,IL\n1985,OR\n",
            "year,state\n1975,state\n1985,OR\n",
            // Two files in one, and the choices of a question.
            "year,state\n1975,IL\nyear,state\n1985,OR\n",
            "id,Python,SQL\n1,Python,\n2,,SQL\n3,Python,SQL\n",
            "state,2019,2020\nIL,5,2019\nOR,6,8\n",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn a_first_line_is_short_if_every_record_has_one_field_more() {
        assert!(is_short(b"a b\n1 x y\n2 z w\n", b' ', 2));
        for text in ["a b\n1 x y\n2 z\n", "a b\n1 x \n2 z \n", "a b\n", "a b\n1 x\n"] {
            assert!(!is_short(text.as_bytes(), b' ', 2), "{text}");
        }
        assert!(!is_short(b"name,bmi\nAnn,27,5\nBob,22,1\n", b',', 2));
    }
}
