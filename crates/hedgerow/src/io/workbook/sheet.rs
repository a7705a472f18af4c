//! A sheet as text: its cells row by row, and the blocks of its records.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::cell::Shown;
use super::damaged;
use crate::error::{Advice, Warning};
use crate::io::block::{Blocks, Fields, RecordBlock, Wanted};
use crate::io::{Size, Source, too_long};
use crate::noun::counted;
use crate::{Error, Result};

/// Number of records in a block.
const BLOCK_ROWS: usize = 1 << 14;
/// Maximum number of bytes of all texts of a sheet.
const MOST_TEXT: usize = 1 << 29;

/// Position of a cell in its sheet, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) row: u32,
    pub(super) column: u32,
}

/// Writes a position as spreadsheets do: `C5`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letters(self.column), u64::from(self.row) + 1)
    }
}

/// The letters of a column: `A`, `Z`, `AA`.
fn letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.into_iter().rev().collect()
}

/// The cells of a sheet that have a value, as text. Rows and cells without a value take no memory,
/// wherever they are.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The texts of all cells, row by row.
    bytes: Vec<u8>,
    cells: Vec<Cell>,
    lines: Vec<Row>,
    /// The columns that have a value.
    columns: BTreeSet<u32>,
    faults: BTreeMap<(u32, String), Fault>,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    column: u32,
    /// The end of its text.
    end: u32,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// Index of the row in the sheet.
    number: u32,
    /// Index of its first cell.
    first: u32,
}

/// The cells of a column with the same error.
#[derive(Debug, Clone, Copy)]
struct Fault {
    first: Position,
    count: u64,
}

impl Rows {
    /// Adds the next cell.
    pub(super) fn push(&mut self, path: &Path, at: Position, shown: Shown<'_>) -> Result<()> {
        if shown.text.is_empty() {
            return Ok(());
        }
        if self.last().is_some_and(|last| last >= at) {
            return Err(damaged(path, &format!("cell {at} is not in order")));
        }
        if self.bytes.len() + shown.text.len() > MOST_TEXT {
            let problem = "the texts of the sheet have more than 512 MB";
            return Err(
                Error::file(path, problem).advise([Advice::words("save the sheet as UTF-8 CSV")])
            );
        }
        if self.lines.last().is_none_or(|row| row.number != at.row) {
            self.lines.push(Row { number: at.row, first: self.cells.len() as u32 });
        }
        self.bytes.extend_from_slice(shown.text.as_bytes());
        self.cells.push(Cell { column: at.column, end: self.bytes.len() as u32 });
        self.columns.insert(at.column);
        if shown.is_fault {
            let fault = Fault { first: at, count: 0 };
            self.faults.entry((at.column, shown.text.to_owned())).or_insert(fault).count += 1;
        }
        Ok(())
    }

    /// Position of the last cell.
    pub(super) fn last(&self) -> Option<Position> {
        let (row, cell) = (self.lines.last()?, self.cells.last()?);
        Some(Position { row: row.number, column: cell.column })
    }

    /// Divides the rows into the names of columns and records. The names are in the first row,
    /// unless the sheet has no header.
    pub(super) fn into_sheet(self, path: &Path, name: String, has_header: bool) -> Result<Sheet> {
        let columns: Vec<u32> = self.columns.iter().copied().collect();
        let sheet = Sheet { name, columns, first: Vec::new(), has_header, rows: self };
        if sheet.rows.lines.is_empty() {
            let problem = format!("the sheet '{}' is empty", sheet.name);
            return Err(Error::file(path, problem));
        }
        let mut ends = Vec::new();
        let fields = sheet.fields(0, &mut ends);
        let text = |place: usize| String::from_utf8_lossy(fields.get(place)).trim().to_owned();
        let first: Vec<String> = (0..sheet.columns.len()).map(text).collect();
        let nameless = first.iter().skip(1).position(String::is_empty).map(|place| place + 1);
        match nameless.filter(|_| has_header) {
            Some(place) => Err(sheet.without_name(place).in_file(path)),
            None => Ok(Sheet { first, ..sheet }),
        }
    }
}

/// A sheet as text.
#[derive(Debug)]
pub(in crate::io) struct Sheet {
    name: String,
    /// The columns of the sheet that have a value, ascending.
    columns: Vec<u32>,
    /// The texts of the first row.
    first: Vec<String>,
    has_header: bool,
    rows: Rows,
}

impl Sheet {
    /// The texts of the first row that has a value, one for each column that has one.
    pub(in crate::io) fn first_row(&self) -> Vec<String> {
        self.first.clone()
    }

    /// Warnings about formulas in error in columns that are not in `left_out`, unless they are
    /// listed as missing values.
    pub(in crate::io) fn warnings(
        &self,
        header: &[String],
        left_out: &[String],
        na: &[String],
    ) -> Vec<Warning> {
        let of_fault = |((column, text), fault): (&(u32, String), &Fault)| {
            let name =
                header.get(self.place_of(*column)?).filter(|name| !left_out.contains(name))?;
            let cells = counted(fault.count, "cell");
            let problem = format!(
                "column '{name}': cell {} of the sheet '{}' is {text}, a formula in error ({cells})",
                fault.first, self.name
            );
            Some(Warning::new(problem).advise(remedies(text)))
        };
        let unlisted = self.rows.faults.iter().filter(|((_, text), _)| !na.contains(text));
        unlisted.filter_map(of_fault).collect()
    }

    /// Whether a column has a formula in error that shows this text.
    pub(in crate::io) fn has_fault(&self, header: &[String], column: &str, text: &str) -> bool {
        let is_of_column = |place: u32| {
            self.place_of(place)
                .and_then(|place| header.get(place))
                .is_some_and(|own| own == column)
        };
        self.rows.faults.keys().any(|(place, fault)| fault == text && is_of_column(*place))
    }

    /// The error for a column without a name.
    fn without_name(&self, place: usize) -> Error {
        let column = self.columns[place];
        let header = Position { row: self.rows.lines[0].number, column };
        let problem = format!(
            "{header} of the sheet '{}' is empty, so column {} has values but no name; the first row \
             that is not empty must name every column",
            self.name,
            letters(column)
        );
        Error::invalid(problem).advise([
            Advice::words("write a name into the cell, also where cells are merged"),
            Advice::words("delete the rows above the names"),
        ])
    }

    fn place_of(&self, column: u32) -> Option<usize> {
        self.columns.binary_search(&column).ok()
    }

    /// Index of the first record among the rows.
    fn first_record(&self) -> usize {
        usize::from(self.has_header)
    }

    /// The fields of a row; `ends` is a buffer for their ends.
    fn fields<'a>(&'a self, row: usize, ends: &'a mut Vec<usize>) -> Fields<'a> {
        let Rows { bytes, cells, lines, .. } = &self.rows;
        let first = lines[row].first as usize;
        let last = lines.get(row + 1).map_or(cells.len(), |next| next.first as usize);
        let start = first.checked_sub(1).map_or(0, |before| cells[before].end as usize);
        let mut of_row = cells[first..last].iter().peekable();
        let mut end = 0;
        ends.clear();
        for &column in &self.columns {
            if let Some(cell) = of_row.next_if(|cell| cell.column == column) {
                end = cell.end as usize - start;
            }
            ends.push(end);
        }
        Fields::of(&bytes[start..], ends, 0)
    }

    /// Returns an error if a needed column has a formula in error that is not listed as missing.
    fn check(&self, header: &[String], wanted: &Wanted<'_>) -> Result<()> {
        let Some(na) = wanted.na else { return Ok(()) };
        for ((column, text), fault) in &self.rows.faults {
            let place = self.place_of(*column).unwrap_or_default();
            let is_needed = wanted.places.contains(&place) && !wanted.loose.contains(&place);
            if is_needed && !na.contains(text) {
                let (first, name) = (fault.first, &self.name);
                let problem =
                    format!("cell {first} of the sheet '{name}' is {text}, a formula in error");
                return Err(Error::column(&header[place], problem).advise(remedies(text)));
            }
        }
        Ok(())
    }
}

fn remedies(fault: &str) -> [Advice; 2] {
    let missing = Advice::ListAsMissing { value: Some(fault.to_owned()) };
    [Advice::words("correct the formula"), missing]
}

/// Returns the blocks of the records of a sheet.
pub(in crate::io) fn blocks(
    source: &Source,
    sheet: &Arc<Sheet>,
    wanted: &Wanted<'_>,
) -> Result<Box<dyn Blocks>> {
    sheet
        .check(source.header(), wanted)
        .map_err(|error| source.named(error.in_file(source.path())))?;
    let (sheet, n_bytes) = (Arc::clone(sheet), source.n_bytes());
    let next = sheet.first_record();
    Ok(Box::new(SheetBlocks { sheet, next, n_bytes, max_record: source.max_record }))
}

struct SheetBlocks {
    sheet: Arc<Sheet>,
    /// Index of the next row.
    next: usize,
    n_bytes: u64,
    max_record: Option<Size>,
}

impl Blocks for SheetBlocks {
    fn next_block(&mut self) -> Result<Option<Box<dyn RecordBlock>>> {
        let n_rows = self.sheet.rows.lines.len();
        let end = n_rows.min(self.next + BLOCK_ROWS);
        if self.next == end {
            return Ok(None);
        }
        let end_byte = (u128::from(self.n_bytes) * end as u128 / n_rows as u128) as u64;
        let rows = self.next..end;
        self.next = end;
        let (sheet, max_record) = (Arc::clone(&self.sheet), self.max_record);
        Ok(Some(Box::new(SheetBlock { sheet, rows, end_byte, max_record })))
    }
}

struct SheetBlock {
    sheet: Arc<Sheet>,
    rows: Range<usize>,
    end_byte: u64,
    max_record: Option<Size>,
}

impl RecordBlock for SheetBlock {
    fn for_each(&mut self, visit: &mut dyn FnMut(Fields<'_>) -> Result<()>) -> Result<()> {
        let mut ends = Vec::new();
        for row in self.rows.clone() {
            let fields = self.sheet.fields(row, &mut ends);
            let length = fields.parts().0.len() as u64;
            if let Some(most) = self.max_record.filter(|most| length > most.bytes()) {
                let number = self.sheet.rows.lines[row].number + 1;
                return Err(too_long(&format!("row {number} of the sheet"), None, most));
            }
            visit(fields)?;
        }
        Ok(())
    }

    fn end_byte(&self) -> u64 {
        self.end_byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(cells: &[(u32, u32, &str)]) -> Result<Rows> {
        let mut rows = Rows::default();
        for &(row, column, text) in cells {
            let shown = Shown { text, is_fault: text.starts_with('#') };
            rows.push(Path::new("t.xlsx"), Position { row, column }, shown)?;
        }
        Ok(rows)
    }

    fn texts(sheet: &Sheet, row: usize) -> Vec<String> {
        let mut ends = Vec::new();
        let fields = sheet.fields(row, &mut ends);
        let text = |place| String::from_utf8(fields.get(place).to_vec()).unwrap();
        (0..fields.len()).map(text).collect()
    }

    #[test]
    fn positions_are_written_as_in_spreadsheets() {
        let shown = |row, column| Position { row, column }.to_string();
        assert_eq!([shown(0, 0), shown(4, 25), shown(9, 26)], ["A1", "Z5", "AA10"]);
        assert_eq!(shown(1_048_575, 16_383), "XFD1048576");
        assert_eq!(shown(u32::MAX, u32::MAX).len(), 17);
    }

    #[test]
    fn empty_rows_and_columns_are_skipped_wherever_they_are() {
        let cells = [
            (2, 1, "age"),
            (2, 3, "job"),
            (3, 1, "30"),
            (1_000_000, 3, "cook"),
            (1_000_001, 9, ""),
        ];
        let sheet = rows(&cells).unwrap().into_sheet(Path::new("t"), "S".into(), true).unwrap();
        assert_eq!(sheet.first_row(), ["age", "job"]);
        assert_eq!(texts(&sheet, 1), ["30", ""]);
        assert_eq!(texts(&sheet, 2), ["", "cook"]);
        assert_eq!(sheet.rows.lines.len(), 3);
    }

    #[test]
    fn a_column_without_a_name_is_an_error_that_names_the_cell() {
        let cells = [(0, 0, "Patients"), (2, 0, "age"), (2, 1, "job")];
        let error = rows(&cells).unwrap().into_sheet(Path::new("t"), "S".into(), true).unwrap_err();
        assert!(error.to_string().contains("B1 of the sheet 'S' is empty"), "{error}");
    }

    #[test]
    fn cells_out_of_order_are_damage() {
        let error = rows(&[(1, 0, "a"), (0, 0, "b")]).unwrap_err();
        assert!(error.to_string().contains("cell A1 is not in order"), "{error}");
    }
}
