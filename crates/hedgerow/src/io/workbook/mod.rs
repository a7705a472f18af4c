//! Workbooks of Excel and `OpenDocument`: reads one sheet and converts its cells to text.

mod cell;
mod sheet;
mod weigh;

use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calamine::{Data, DataType, Ods, Reader, SheetType, Xlsx};

use self::cell::CellText;
use self::sheet::{Position, Rows};
pub(super) use self::sheet::{Sheet, blocks};
use self::weigh::{Package, Weighed};
use super::guard::guarded;
use super::opening::{Header, OpenOptions};
use crate::error::Advice;
use crate::{Error, Result, file};

/// First bytes of the older binary format of Excel, which is also that of encrypted workbooks.
const BINARY: &[u8] = b"\xd0\xcf\x11\xe0";
/// Maximum number of sheets that a message lists.
const SHOWN: usize = 12;

/// Reads the sheet that `options` name, or the only one with data.
pub(super) fn open(path: &Path, magic: [u8; 4], options: &OpenOptions) -> Result<Sheet> {
    if magic == BINARY {
        return Err(weigh::binary(path)?);
    }
    // Damaged files can make the decoder panic.
    let read = || -> Result<Sheet> {
        let mut book = Book::open(path)?;
        let name = book.choose(path, options.sheet.as_deref())?;
        let rows = book.rows(path, &name)?;
        rows.into_sheet(path, name, options.header == Header::FirstLine)
    };
    guarded(read).unwrap_or_else(|| Err(damaged(path, "its parts contradict each other")))
}

/// An open workbook.
enum Book {
    Excel { book: Box<Xlsx<BufReader<File>>>, is_uncalculated: bool },
    OpenDocument(Ods<BufReader<File>>),
}

impl Book {
    fn open(path: &Path) -> Result<Self> {
        let Weighed { package, is_uncalculated } = weigh::check(path)?;
        let file = BufReader::new(file::open(path)?);
        match package {
            Package::Excel => {
                let book = Box::new(decoded(path, Xlsx::new(file))?);
                Ok(Self::Excel { book, is_uncalculated })
            }
            Package::OpenDocument => Ok(Self::OpenDocument(decoded(path, Ods::new(file))?)),
        }
    }

    /// Returns the name of the sheet to read.
    fn choose(&mut self, path: &Path, asked: Option<&str>) -> Result<String> {
        let names = self.names();
        let mut candidates = Vec::new();
        for name in &names {
            if asked.map_or_else(|| self.has_data(path, name), |asked| Ok(asked == name))? {
                candidates.push(name.clone());
            }
        }
        let is_twice = |name: &&String| names.iter().filter(|other| other == name).count() > 1;
        match candidates.as_slice() {
            [] => Err(asked.map_or_else(
                || Error::file(path, "no sheet of the workbook has data"),
                |asked| unknown(asked, &names).in_file(path),
            )),
            [first, ..] if candidates.iter().all(|name| name == first) && is_twice(&first) => {
                let problem = format!("two sheets of the workbook have the name '{first}'");
                Err(Error::file(path, problem).advise([Advice::words("rename one of them")]))
            }
            [only] => Ok(only.clone()),
            several => Err(several_sheets(path, several)),
        }
    }

    /// Names of the sheets that can hold a table, in their order.
    fn names(&self) -> Vec<String> {
        let sheets = match self {
            Self::Excel { book, .. } => book.sheets_metadata(),
            Self::OpenDocument(book) => book.sheets_metadata(),
        };
        let tables = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        tables.map(|sheet| sheet.name.clone()).collect()
    }

    /// Whether a cell of the sheet has a value.
    fn has_data(&mut self, path: &Path, name: &str) -> Result<bool> {
        match self {
            Self::Excel { book, .. } => {
                let mut cells = decoded(path, book.worksheet_cells_reader(name))?;
                while let Some(cell) = decoded(path, cells.next_cell())? {
                    if !cell.get_value().is_empty() {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::OpenDocument(book) => Ok(!decoded(path, book.worksheet_range(name))?.is_empty()),
        }
    }

    /// Reads the cells of a sheet as text.
    fn rows(&mut self, path: &Path, name: &str) -> Result<Rows> {
        match self {
            Self::Excel { book, is_uncalculated } => {
                if *is_uncalculated {
                    check_calculated(path, book, name)?;
                }
                rows_of_excel(path, book, name)
            }
            Self::OpenDocument(book) => rows_of_open_document(path, book, name),
        }
    }
}

/// Returns an error if a cell of the sheet has a formula without a value.
fn check_calculated(path: &Path, book: &mut Xlsx<BufReader<File>>, name: &str) -> Result<()> {
    let mut cells = decoded(path, book.worksheet_cells_reader(name))?;
    while let Some(cell) = decoded(path, cells.next_cell_with_formula_metadata())? {
        if cell.formula.is_some() && cell.value.is_empty() {
            let at = Position { row: cell.pos.0, column: cell.pos.1 };
            let problem =
                format!("cell {at} of the sheet '{name}' has a formula that was not calculated");
            let advice = "open the workbook with a spreadsheet program and save it";
            return Err(Error::file(path, problem).advise([Advice::words(advice)]));
        }
    }
    Ok(())
}

fn rows_of_excel(path: &Path, book: &mut Xlsx<BufReader<File>>, name: &str) -> Result<Rows> {
    let mut cells = decoded(path, book.worksheet_cells_reader(name))?;
    let paddings = cell::paddings(cells.styles());
    let mut rows = Rows::default();
    let mut text = CellText::default();
    loop {
        let next = cells.next_cell_with_style_id();
        let Some((cell, style)) = next.map_err(|error| after(path, &error, rows.last()))? else {
            return Ok(rows);
        };
        let padding = paddings.get(style).copied().flatten();
        let (row, column) = cell.get_position();
        rows.push(path, Position { row, column }, text.of(cell.get_value(), padding))?;
    }
}

fn rows_of_open_document(path: &Path, book: &mut Ods<BufReader<File>>, name: &str) -> Result<Rows> {
    let range = decoded(path, book.worksheet_range(name))?;
    let (top, left) = range.start().unwrap_or_default();
    let mut rows = Rows::default();
    let mut text = CellText::default();
    for (row, column, value) in range.used_cells() {
        let position = Position { row: top + row as u32, column: left + column as u32 };
        rows.push(path, position, text.of::<Data>(value, None))?;
    }
    Ok(rows)
}

/// Converts an error of the decoder.
fn decoded<T, E: Display>(path: &Path, result: Result<T, E>) -> Result<T> {
    result.map_err(|error| damaged(path, &error.to_string()))
}

/// The error of the decoder in a cell, which follows the cell at `last`.
fn after(path: &Path, error: &impl Display, last: Option<Position>) -> Error {
    match last {
        Some(last) => damaged(path, &format!("{error}, after cell {last}")),
        None => damaged(path, &error.to_string()),
    }
}

fn damaged(path: &Path, what: &str) -> Error {
    let problem = format!("this workbook is damaged or of an unsupported kind ({what})");
    Error::file(path, problem).advise([
        Advice::words("save it again with the program that it comes from"),
        Advice::words("save the sheet as UTF-8 CSV"),
    ])
}

fn unknown(asked: &str, names: &[String]) -> Error {
    Error::unknown("sheet", asked, names.iter().map(String::as_str))
}

/// The error for a workbook in which several sheets could be the table.
fn several_sheets(path: &Path, names: &[String]) -> Error {
    let some: Vec<String> = names.iter().take(SHOWN).map(|name| format!("'{name}'")).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n_more => format!(" and {n_more} more"),
    };
    let n_sheets = names.len();
    let problem = format!("{n_sheets} sheets of the workbook have data: {}{more}", some.join(", "));
    Error::file(path, problem).advise([Advice::ChooseSheet])
}
