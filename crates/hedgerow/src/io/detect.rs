//! Detects the format of a table from its first bytes, and reads the names of its columns.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::frame::Frame;
use super::opening::{Header, OpenOptions};
use super::text::Text;
use super::workbook::{self, Sheet};
use super::{Unusable, first_line, magic, parquet, read_up_to};
use crate::error::{Advice, Warning};
use crate::table::Decimal;
use crate::{Error, Result, file};

/// Format of a table.
#[derive(Debug, Clone)]
pub(super) enum Format {
    Csv { delimiter: u8, gzip: bool },
    Parquet,
    Workbook(Arc<Sheet>),
    Memory(Arc<dyn Frame>),
}

/// The format of a table and the names of its columns.
pub(super) struct Detected {
    pub(super) format: Format,
    pub(super) names: Vec<String>,
    /// Whether the first line has the names.
    pub(super) has_header_line: bool,
    /// Whether the records have one field more than the first line, in front.
    pub(super) has_unnamed: bool,
    /// The columns whose values cannot be represented as text, by index.
    pub(super) unusable: BTreeMap<usize, Unusable>,
    /// The decimal sign that the first records of a CSV file show.
    pub(super) decimal: Option<Decimal>,
    /// A warning if the first line may be a record.
    pub(super) echoed: Option<Warning>,
}

/// Detects the format of a table; `text` is its encoding if it is CSV.
pub(super) fn detect(path: &Path, options: &OpenOptions, text: &Text) -> Result<Detected> {
    let mut file = file::open(path)?;
    let mut magic = [0; 4];
    let n_read = read_up_to(&mut file, &mut magic).map_err(Error::io("read", path))?;
    if n_read == 0 {
        return Err(Error::file(path, "the file is empty; a table has a header and records"));
    }
    if magic::is_workbook(magic) {
        return of_workbook(path, magic, options);
    }
    if let Some(sheet) = &options.sheet {
        let problem = format!("this is not a workbook, so it has no sheet '{sheet}'");
        return Err(
            Error::file(path, problem).advise([Advice::LeaveOut { key: "sheet", column: None }])
        );
    }
    if magic::is_parquet(&mut file, magic).map_err(Error::io("read", path))? {
        of_parquet(path, options)
    } else {
        // The first two bytes of a gzip file (RFC 1952).
        of_csv(path, magic.starts_with(&[0x1f, 0x8b]), options, text)
    }
}

fn of_workbook(path: &Path, magic: [u8; 4], options: &OpenOptions) -> Result<Detected> {
    let sheet = workbook::open(path, magic, options)?;
    let names = options.header.names(sheet.first_row(), path)?;
    Ok(Detected {
        format: Format::Workbook(Arc::new(sheet)),
        names,
        has_header_line: options.header == Header::FirstLine,
        has_unnamed: false,
        unusable: BTreeMap::new(),
        decimal: None,
        echoed: None,
    })
}

fn of_parquet(path: &Path, options: &OpenOptions) -> Result<Detected> {
    if options.header != Header::FirstLine {
        let problem = "a Parquet file names its columns, so none can be named otherwise";
        return Err(
            Error::file(path, problem).advise([Advice::LeaveOut { key: "header", column: None }])
        );
    }
    let columns = parquet::header(path)?;
    let odd = columns.iter().enumerate().filter_map(|(place, (_, odd))| Some((place, (*odd)?)));
    Ok(Detected {
        format: Format::Parquet,
        unusable: odd.collect(),
        names: columns.into_iter().map(|(name, _)| name).collect(),
        has_header_line: false,
        has_unnamed: false,
        decimal: None,
        echoed: None,
    })
}

fn of_csv(path: &Path, gzip: bool, options: &OpenOptions, text: &Text) -> Result<Detected> {
    let start = first_line::start(path, gzip, options, text)?;
    Ok(Detected {
        format: Format::Csv { delimiter: start.delimiter, gzip },
        names: start.names,
        has_header_line: options.header == Header::FirstLine,
        has_unnamed: start.has_unnamed,
        unusable: BTreeMap::new(),
        decimal: start.decimal,
        echoed: start.echoed,
    })
}
