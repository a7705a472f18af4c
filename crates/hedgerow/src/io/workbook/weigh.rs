//! Checks a workbook before the decoder sees it: its kind, and the memory that it needs unpacked.

use std::fs::File;
use std::io::{BufReader, Read, Take};
use std::path::Path;

use memchr::memmem;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;
use zip::read::ZipFile;

use super::damaged;
use crate::error::Advice;
use crate::{Error, Result, file};

/// The parts of a workbook may unpack to this number of bytes, or to `RATIO` times its size.
const MOST_UNPACKED: u64 = 256 << 20;
const RATIO: u64 = 64;
/// Number of bytes of memory that the sheets of an `OpenDocument` workbook may need.
const MOST_MEMORY: u64 = 1 << 30;
/// Number of bytes that a cell of such a sheet needs besides its text.
const PER_CELL: u64 = 64;
/// The size of the largest sheets.
const MOST_ROWS: u64 = 1 << 20;
const MOST_COLUMNS: u64 = 1 << 14;
/// Number of strings beyond the existing ones that a list of strings may announce.
const SPARE_STRINGS: u64 = 1 << 20;

/// Kind of a workbook that is a ZIP archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Package {
    Excel,
    OpenDocument,
}

/// A workbook that can be decoded in bounded memory.
pub(super) struct Weighed {
    pub(super) package: Package,
    /// Whether a cell has a formula without a value.
    pub(super) is_uncalculated: bool,
}

/// Returns the kind of a workbook if it can be decoded in bounded memory.
pub(super) fn check(path: &Path) -> Result<Weighed> {
    let input = file::open(path)?;
    let size = input.metadata().map_err(Error::io("read", path))?.len();
    let not_zip = |error: &dyn std::fmt::Display| damaged(path, &error.to_string());
    let mut archive = ZipArchive::new(BufReader::new(input)).map_err(|error| not_zip(&error))?;
    let package = package(path, &mut archive)?;
    let most = MOST_UNPACKED.max(size.saturating_mul(RATIO));
    let mut left = most;
    let mut memory = 0u64;
    let mut is_uncalculated = false;
    for place in 0..archive.len() {
        let part = archive.by_index(place).map_err(|error| not_zip(&error))?;
        let mut weight = Weight::default();
        let rest = weight.add(Reader::from_reader(BufReader::new(part.take(left + 1))));
        left = rest.limit().checked_sub(1).ok_or_else(|| too_large(path, "it unpacks to", most))?;
        if weight.n_announced > weight.n_strings + SPARE_STRINGS {
            let announced = weight.n_announced;
            return Err(damaged(path, &format!("it announces {announced} texts but has fewer")));
        }
        if weight.is_open && package == Package::OpenDocument {
            return Err(damaged(path, "one of its parts is truncated"));
        }
        is_uncalculated |= weight.is_uncalculated;
        memory = memory.saturating_add(weight.memory);
        if memory > MOST_MEMORY {
            return Err(too_large(path, "its cells need", MOST_MEMORY));
        }
    }
    Ok(Weighed { package, is_uncalculated })
}

/// The error for a file of the older binary format, which is also that of encrypted workbooks.
pub(super) fn binary(path: &Path) -> Result<Error> {
    let needle: Vec<u8> = "EncryptedPackage".bytes().flat_map(|byte| [byte, 0]).collect();
    let mut input = file::open(path)?;
    let mut window = Vec::new();
    let mut chunk = vec![0; 1 << 20];
    loop {
        let n_read = input.read(&mut chunk).map_err(Error::io("read", path))?;
        window.extend_from_slice(&chunk[..n_read]);
        if memmem::find(&window, &needle).is_some() {
            return Ok(encrypted(path));
        }
        if n_read == 0 {
            break;
        }
        // A name can begin in one chunk and end in the next.
        window.drain(..window.len().saturating_sub(needle.len()));
    }
    let problem = "this is a binary file of Microsoft Office, such as .xls of Excel 97 to 2003, which is not supported";
    Ok(Error::file(path, problem).advise([
        Advice::words("save the workbook as .xlsx"),
        Advice::words("save the sheet as UTF-8 CSV"),
    ]))
}

fn encrypted(path: &Path) -> Error {
    Error::file(path, "the workbook is encrypted")
        .advise([Advice::words("save it without a password")])
}

fn too_large(path: &Path, what: &str, most: u64) -> Error {
    let problem = format!("the workbook is too large: {what} more than {} MB", most >> 20);
    Error::file(path, problem).advise([Advice::words("save the sheet as UTF-8 CSV")])
}

/// Finds out which program an archive belongs to.
fn package(path: &Path, archive: &mut ZipArchive<BufReader<File>>) -> Result<Package> {
    let mut names = Vec::new();
    for place in 0..archive.len() {
        let part =
            archive.by_index_raw(place).map_err(|error| damaged(path, &error.to_string()))?;
        if part.encrypted() {
            return Err(encrypted(path));
        }
        let name = part.name().map_err(|error| damaged(path, &error.to_string()))?;
        names.push(name.to_lowercase());
    }
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    let refused = |problem: &str, advice: &'static str| {
        Err(Error::file(path, problem).advise([Advice::words(advice)]))
    };
    match () {
        () if has("mimetype") && has("content.xml") => {
            let manifest = manifest(archive);
            if memmem::find(&manifest, b"encryption-data").is_some() {
                return Err(encrypted(path));
            }
            Ok(Package::OpenDocument)
        }
        () if has("xl/workbook.bin") => {
            refused("this is a binary workbook (.xlsb), which is not supported", "save it as .xlsx")
        }
        () if has("[content_types].xml") && has("_rels/.rels") && !has("word/document.xml") => {
            Ok(Package::Excel)
        }
        () => refused(
            "this is a ZIP archive or a document, but not a workbook",
            "unpack it and name the table in it",
        ),
    }
}

/// The start of the list of parts of an `OpenDocument` file.
fn manifest(archive: &mut ZipArchive<BufReader<File>>) -> Vec<u8> {
    let mut text = Vec::new();
    if let Ok(part) = archive.by_name("META-INF/manifest.xml") {
        let _ = part.take(1 << 20).read_to_end(&mut text);
    }
    text
}

/// Sizes of a part of a workbook, which decide the memory that it needs.
#[derive(Debug, Default)]
struct Weight {
    /// Number of texts in a list of strings.
    n_strings: u64,
    /// Number of texts that the list announces.
    n_announced: u64,
    /// Number of bytes that the sheets of an `OpenDocument` workbook need.
    memory: u64,
    /// Whether elements are not closed at the end.
    is_open: bool,
    /// Whether a cell has a formula without a value.
    is_uncalculated: bool,
    /// Whether the last cell has a formula, and a value.
    cell: [bool; 2],
    /// Whether the text that follows is the value of a cell.
    is_in_value: bool,
    sheet: Extent,
}

/// The size of a sheet in which rows and cells can be repeated.
#[derive(Debug, Default)]
struct Extent {
    /// Number of rows up to the last that has a value, and including empty ones after it.
    n_rows: u64,
    n_all_rows: u64,
    /// Number of columns of the widest row.
    n_columns: u64,
    /// Number of bytes of all texts.
    n_text: u64,
    row: Span,
}

/// The part of a row that has been read.
#[derive(Debug, Default)]
struct Span {
    repeats: u64,
    /// Number of cells up to the last that has a value, and including empty ones after it.
    n_cells: u64,
    n_all_cells: u64,
    n_text: u64,
    /// Number of repetitions of the current cell.
    cell_repeats: u64,
}

type Part<'a> = Take<ZipFile<'a, BufReader<File>>>;

impl Weight {
    /// Reads a part up to its end or the first error, and returns what is left of it. The decoder
    /// stops at the same error.
    fn add<'a>(&mut self, mut xml: Reader<BufReader<Part<'a>>>) -> Part<'a> {
        xml.config_mut().expand_empty_elements = true;
        let mut buffer = Vec::new();
        let mut depth = 0u64;
        self.is_open = true;
        loop {
            buffer.clear();
            match xml.read_event_into(&mut buffer) {
                Ok(Event::Start(element)) => {
                    depth += 1;
                    self.start(&element);
                }
                Ok(Event::End(element)) => {
                    depth = depth.saturating_sub(1);
                    self.end(element.name().as_ref());
                }
                Ok(Event::Eof) => {
                    self.is_open = depth > 0;
                    break;
                }
                Ok(event) => self.text(event.len() as u64),
                Err(_) => break,
            }
        }
        xml.into_inner().into_inner()
    }

    fn start(&mut self, element: &BytesStart<'_>) {
        match element.name().as_ref() {
            "table:table-row" => {
                let repeats = number(element, "table:number-rows-repeated").unwrap_or(1);
                self.sheet.row = Span { repeats: repeats.min(MOST_ROWS), ..Span::default() };
            }
            "table:table-cell" | "table:covered-table-cell" => self.sheet.row.start_cell(element),
            "text:s" => self.sheet.row.add_text(number(element, "text:c").unwrap_or(1)),
            // Excel's parts are known by their names without a prefix.
            _ => match element.local_name().as_ref() {
                "si" => self.n_strings += 1,
                "c" => self.cell = [false; 2],
                "f" => self.cell[0] = true,
                "v" | "t" => self.is_in_value = true,
                "sst" => self.n_announced = number(element, "uniqueCount").unwrap_or(0),
                _ => {}
            },
        }
    }

    fn text(&mut self, n_bytes: u64) {
        self.cell[1] |= self.is_in_value && n_bytes > 0;
        self.sheet.row.add_text(n_bytes);
    }

    fn end(&mut self, name: &str) {
        self.is_in_value = false;
        match name {
            "table:table-row" => self.sheet.end_row(),
            _ if name.rsplit(':').next() == Some("c") => {
                self.is_uncalculated |= self.cell == [true, false];
            }
            "table:table" => {
                let sheet = std::mem::take(&mut self.sheet);
                self.memory = self.memory.saturating_add(sheet.memory());
            }
            _ => {}
        }
    }
}

impl Extent {
    fn end_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        self.n_all_rows = self.n_all_rows.saturating_add(row.repeats);
        if row.n_cells > 0 {
            self.n_rows = self.n_all_rows;
            self.n_columns = self.n_columns.max(row.n_cells);
            self.n_text = self.n_text.saturating_add(row.n_text.saturating_mul(row.repeats));
        }
    }

    /// Number of bytes that the decoder needs for the sheet, in which every row has all columns.
    fn memory(&self) -> u64 {
        let n_cells = self.n_rows.saturating_mul(self.n_columns);
        n_cells.saturating_mul(PER_CELL).saturating_add(self.n_text)
    }
}

impl Span {
    fn start_cell(&mut self, element: &BytesStart<'_>) {
        let repeats = number(element, "table:number-columns-repeated").unwrap_or(1);
        self.cell_repeats = repeats.min(MOST_COLUMNS);
        self.n_all_cells = self.n_all_cells.saturating_add(self.cell_repeats).min(MOST_COLUMNS);
        let mut keys = element.attributes().flatten();
        let is_value = |key: &str| key.starts_with("office:") || key == "table:formula";
        if keys.any(|attribute| is_value(attribute.key.as_ref())) {
            self.n_cells = self.n_all_cells;
            self.add_text(element.len() as u64);
        }
    }

    /// Adds bytes to the text of a cell, which is copied as often as the cell is repeated.
    fn add_text(&mut self, n_bytes: u64) {
        self.n_text = self.n_text.saturating_add(n_bytes.saturating_mul(self.cell_repeats));
    }
}

/// Returns an attribute as a number. A text that is not digits, such as a reference to a character,
/// counts as the greatest number.
fn number(element: &BytesStart<'_>, name: &str) -> Option<u64> {
    let attribute = element.attributes().flatten().find(|found| found.key.as_ref() == name)?;
    Some(attribute.value.as_ref().parse().unwrap_or(u64::MAX))
}
