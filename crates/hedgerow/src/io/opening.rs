//! Opening of table files: delimiter, encoding and header.

use std::io::Read;
use std::path::Path;

use super::magic;
use crate::charset::Charset;
use crate::error::{Advice, Warning};
use crate::noun::counted;
use crate::{Error, Result, file};

/// Options for opening a table.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// Delimiter of a CSV file; detected if not given.
    pub delimiter: Option<u8>,
    /// Encoding of a CSV file; detected if not given.
    pub charset: Option<Charset>,
    /// The source of the column names.
    pub header: Header,
    /// The sheet of a workbook; the only one with data if not given.
    pub sheet: Option<String>,
}

/// The source of the column names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Header {
    /// The first line.
    #[default]
    FirstLine,
    /// The file has no header: columns are `column1`, `column2` and so on.
    Numbered,
    /// The file has no header: columns have these names.
    Names(Vec<String>),
}

impl OpenOptions {
    /// Options with a delimiter.
    pub(crate) fn delimited(delimiter: Option<u8>) -> Self {
        Self { delimiter, ..Self::default() }
    }

    /// Options for one of several tables: the sheet is left out if the table is not a workbook.
    #[must_use]
    pub fn for_one_of_several(mut self, path: &Path) -> Self {
        self.sheet = self.sheet.filter(|_| is_workbook(path));
        self
    }
}

/// Whether a file can be opened and begins like a workbook of Excel or `OpenDocument`.
pub fn is_workbook(path: &Path) -> bool {
    let mut magic = [0; 4];
    let start = file::open(path).map(|mut file| file.read_exact(&mut magic));
    matches!(start, Ok(Ok(()))) && magic::is_workbook(magic)
}

impl Header {
    /// Returns the names of the columns, given the fields of the first record.
    pub(super) fn names(&self, first: Vec<String>, path: &Path) -> Result<Vec<String>> {
        match self {
            Self::FirstLine => Ok(first),
            Self::Numbered => Ok((1..=first.len()).map(|n| format!("column{n}")).collect()),
            Self::Names(names) if names.len() == first.len() => Ok(names.clone()),
            Self::Names(names) => {
                let (given, found) = (counted(names.len(), "name"), counted(first.len(), "field"));
                let problem = format!("{given} for columns, but the first line has {found}");
                Err(Error::file(path, problem)
                    .advise([Advice::words("give one name for each column")]))
            }
        }
    }
}

/// Returns the name of a delimiter that is not the usual one.
pub(super) fn named(delimiter: u8) -> Option<&'static str> {
    match delimiter {
        b';' => Some("semicolons"),
        b'\t' => Some("tabs"),
        b'|' => Some("bars"),
        _ => None,
    }
}

/// The name that a first column without a name gets.
pub(super) fn name_of_rows(header: &[String]) -> String {
    let is_free = |name: &String| !header.contains(name);
    // The range is endless, so a free name is always found.
    let numbered = (2..).map(|number| format!("row{number}"));
    std::iter::once("row".to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

/// A warning about a first column that had no name, as R writes the names of rows.
pub(super) fn unnamed(name: &str) -> Warning {
    let problem = format!(
        "the first column has no name, as R writes the names of rows; it is called '{name}' and tells the \
         order of the input if it is published"
    );
    Warning::new(problem).advise([Advice::NameIdentifier { column: name.to_owned() }])
}

/// Names a first column that has no name, and returns the name. `is_missing` states that the header
/// has no field for it.
pub(super) fn name_rows(
    header: &mut Vec<String>,
    is_missing: bool,
    has_header_line: bool,
) -> Option<String> {
    // A table with a single column has no names of rows.
    let is_empty = has_header_line && header.len() > 1 && header[0].is_empty();
    if !is_missing && !is_empty {
        return None;
    }
    let name = name_of_rows(header);
    // `write.table` of R omits the field in the header; `write.csv` and pandas leave it empty.
    if is_missing {
        header.insert(0, name.clone());
    } else {
        header[0].clone_from(&name);
    }
    Some(name)
}

/// Returns an error if the columns do not have one name each. If most of the first line are
/// numbers, it may be a record.
pub(super) fn check_header(path: &Path, header: &[String], options: &OpenOptions) -> Result<()> {
    let n_numbers = header.iter().filter(|name| name.parse::<f64>().is_ok()).count();
    let is_record = options.header == Header::FirstLine && 2 * n_numbers > header.len();
    let no_header = is_record.then_some(Advice::StateNoHeader);
    let looks = if is_record { ", and most names are numbers, as in a record" } else { "" };
    if header.is_empty() {
        return Err(Error::file(
            path,
            "the file has no header: it is empty or has only blank lines",
        ));
    }
    for (place, name) in header.iter().enumerate() {
        if name.is_empty() {
            let number = place + 1;
            let line = shown(header);
            let problem = format!("column {number} has no name in the first line, '{line}'{looks}");
            let advice = no_header.into_iter().chain([nameless(header)]);
            return Err(Error::file(path, problem).advise(advice));
        }
        if let Some(first) = header[..place].iter().position(|other| other == name) {
            let problem =
                format!("columns {} and {} both have this name{looks}", first + 1, place + 1);
            let rename = Advice::words("rename one in the header");
            return Err(Error::column(name, problem)
                .advise(no_header.into_iter().chain([rename]))
                .in_file(path));
        }
    }
    Ok(())
}

/// The beginning of the first line, for messages.
fn shown(header: &[String]) -> String {
    const MOST: usize = 40;
    let line = header.join(" | ");
    let start: String = line.chars().take(MOST).collect();
    if start.len() < line.len() { format!("{start}...") } else { line }
}

/// Advice about a first line in which names are empty.
fn nameless(header: &[String]) -> Advice {
    let n_named = header.iter().filter(|name| !name.is_empty()).count();
    let ends_empty = header.iter().rev().take_while(|name| name.is_empty()).count();
    Advice::words(match header {
        [first, ..] if first.to_ascii_lowercase().starts_with("sep=") => {
            "remove the first line, which only tells a spreadsheet the delimiter"
        }
        [first, ..] if n_named == 1 && !first.is_empty() => {
            "remove the lines above the header, such as a title"
        }
        _ if n_named + ends_empty == header.len() => {
            "remove the delimiters at the ends of the lines, or give every column a name"
        }
        _ => "give every column a name",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_without_a_header_are_numbered_or_named() {
        let first = || vec!["39".to_owned(), "F".to_owned()];
        let names = |header: Header| header.names(first(), Path::new("t.csv"));
        assert_eq!(names(Header::Numbered).unwrap(), ["column1", "column2"]);
        let given = Header::Names(vec!["age".into(), "sex".into()]);
        assert_eq!(names(given).unwrap(), ["age", "sex"]);
        let error = names(Header::Names(vec!["age".into()])).unwrap_err();
        assert!(error.to_string().contains("1 name for columns, but the first line has 2 fields"));
    }

    #[test]
    fn the_column_of_rows_has_a_name_of_its_own() {
        assert_eq!(name_of_rows(&["age".into()]), "row");
        assert_eq!(name_of_rows(&["row".into(), "row2".into()]), "row3");
    }
}
