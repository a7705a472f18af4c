//! Writes a table as Parquet, with typed columns.

use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use chrono::NaiveDate;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::io::block::{Fields, Wanted};
use crate::io::{Output, Source};
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// Number of records in a row group.
const GROUP_ROWS: usize = 1 << 17;

/// Maximum number of digits that a 64-bit floating-point number always preserves.
const EXACT_DIGITS: usize = 15;

type ParquetResult<T> = std::result::Result<T, ParquetError>;

/// Writes a table of text to the file of `output`.
///
/// The columns `as_text` stay text. Every other column becomes whole numbers, numbers, dates or
/// text, the first type that represents all its cells without loss. An empty cell is null. The
/// table is read twice. Memory holds one row group.
pub(in crate::io) fn write(
    table: &Source,
    as_text: &[&String],
    output: &Output,
    progress: &dyn Progress,
) -> Result<()> {
    let as_error = fault(output.path());
    let kinds = kinds(table, as_text, progress)?;
    let schema = schema(table.header(), &kinds).map_err(&as_error)?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let out = BufWriter::with_capacity(1 << 18, output.file());
    let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))
        .map_err(&as_error)?;
    let columns = kinds.iter().map(|kind| Column::new(*kind)).collect();
    let mut groups = Groups { writer, columns, n_rows: 0 };
    for_each_record(table, progress, &mut |fields| groups.push(fields).map_err(&as_error))?;
    groups.finish().map_err(as_error)
}

/// Collects records and writes them whenever a row group is full.
struct Groups<W: std::io::Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Column>,
    /// Number of records so far.
    n_rows: usize,
}

impl<W: std::io::Write + Send> Groups<W> {
    fn push(&mut self, fields: Fields<'_>) -> ParquetResult<()> {
        for (place, column) in self.columns.iter_mut().enumerate() {
            column.push(text(fields.get(place)));
        }
        self.n_rows += 1;
        if self.n_rows.is_multiple_of(GROUP_ROWS) {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> ParquetResult<()> {
        let mut group = self.writer.next_row_group()?;
        self.columns.iter_mut().try_for_each(|column| column.write(&mut group))?;
        group.close().map(drop)
    }

    /// Writes the last row group and the footer.
    fn finish(mut self) -> ParquetResult<()> {
        if !self.n_rows.is_multiple_of(GROUP_ROWS) {
            self.write_group()?;
        }
        self.writer.close().map(drop)
    }
}

/// Type of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Only empty cells so far.
    Empty,
    Whole,
    Number,
    Date,
    Text,
}

impl Kind {
    /// Returns the type of a single cell.
    fn of(cell: &str) -> Self {
        if cell.is_empty() {
            Self::Empty
        // Only spellings that come back the same: `007` or `+1` must stay text.
        } else if cell.parse::<i64>().is_ok_and(|whole| whole.to_string() == cell) {
            Self::Whole
        } else if is_exact_number(cell) {
            Self::Number
        } else if date(cell).is_some() {
            Self::Date
        } else {
            Self::Text
        }
    }

    /// Returns the type that represents cells of both types.
    fn with(self, other: Self) -> Self {
        // In order, every pair of types is one case.
        match (self.min(other), self.max(other)) {
            (Self::Empty, kind) => kind,
            (a, b) if a == b => a,
            (Self::Whole, Self::Number) => Self::Number,
            _ => Self::Text,
        }
    }
}

/// Whether a cell is a plain decimal number that a 64-bit floating-point number preserves.
fn is_exact_number(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_padded = whole.len() > 1 && whole.starts_with('0');
    // A decimal of at most 15 digits survives conversion to 64 bits and back.
    is_digits(whole) && is_digits(rest) && !is_padded && whole.len() + rest.len() <= EXACT_DIGITS
}

/// Parses an ISO date as days since 1970.
fn date(cell: &str) -> Option<i32> {
    let date = NaiveDate::parse_from_str(cell, "%Y-%m-%d").ok()?;
    let days = date.signed_duration_since(NaiveDate::default()).num_days();
    (date.to_string() == cell).then(|| i32::try_from(days).ok()).flatten()
}

/// Determines the type of each column.
fn kinds(table: &Source, as_text: &[&String], progress: &dyn Progress) -> Result<Vec<Kind>> {
    let start = |name: &String| if as_text.contains(&name) { Kind::Text } else { Kind::Empty };
    let names = table.header().iter();
    let mut guesses: Vec<Guess> =
        names.map(|name| Guess { kind: start(name), has_wide: false }).collect();
    for_each_record(table, progress, &mut |fields| {
        // A column that is text stays text, so its cells need not be parsed.
        let open = guesses.iter_mut().enumerate().filter(|(_, guess)| guess.kind != Kind::Text);
        open.for_each(|(place, guess)| guess.add(text(fields.get(place))));
        Ok(())
    })?;
    Ok(guesses.iter().map(|guess| guess.kind).collect())
}

/// Type of a column, as far as its first cells determine it.
struct Guess {
    kind: Kind,
    /// Whether a cell is a whole number of more than [`EXACT_DIGITS`] digits.
    has_wide: bool,
}

impl Guess {
    /// Takes another cell into account.
    fn add(&mut self, cell: &str) {
        let of_cell = Kind::of(cell);
        self.kind = self.kind.with(of_cell);
        // The cell itself, because the column may already have decimals.
        self.has_wide |= of_cell == Kind::Whole && cell.len() > EXACT_DIGITS;
        // Whole numbers of more digits are exact as integers, but not as floating-point numbers.
        if self.kind == Kind::Number && self.has_wide {
            self.kind = Kind::Text;
        }
    }
}

fn for_each_record(
    table: &Source,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Fields<'_>) -> Result<()>,
) -> Result<()> {
    let places: Vec<usize> = (0..table.header().len()).collect();
    let mut blocks = table.blocks(&Wanted { places: &places, na: None, loose: &[] })?;
    while let Some(mut block) = blocks.next_block()? {
        stop_if_cancelled(progress)?;
        block.for_each(visit)?;
    }
    Ok(())
}

/// Returns a cell as text. It is valid UTF-8, because the reader has checked it.
fn text(cell: &[u8]) -> &str {
    std::str::from_utf8(cell).unwrap_or_default()
}

fn schema(names: &[String], kinds: &[Kind]) -> ParquetResult<Type> {
    let columns = names.iter().zip(kinds);
    let fields =
        columns.map(|(name, &kind)| field(name, kind)).collect::<ParquetResult<Vec<_>>>()?;
    Type::group_type_builder("release").with_fields(fields).build()
}

fn field(name: &str, kind: Kind) -> ParquetResult<Arc<Type>> {
    let (physical, logical) = match kind {
        Kind::Whole => (Physical::INT64, None),
        Kind::Number => (Physical::DOUBLE, None),
        Kind::Date => (Physical::INT32, Some(LogicalType::Date)),
        Kind::Empty | Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(name, physical)
        // Every column is optional, because an empty cell is null.
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
        .map(Arc::new)
}

/// The cells of one column of a row group.
struct Column {
    values: Values,
    /// 1 for a value, 0 for a null.
    levels: Vec<i16>,
}

enum Values {
    Whole(Vec<i64>),
    Number(Vec<f64>),
    Date(Vec<i32>),
    Text(Vec<ByteArray>),
}

impl Column {
    fn new(kind: Kind) -> Self {
        let values = match kind {
            Kind::Whole => Values::Whole(Vec::new()),
            Kind::Number => Values::Number(Vec::new()),
            Kind::Date => Values::Date(Vec::new()),
            Kind::Empty | Kind::Text => Values::Text(Vec::new()),
        };
        Self { values, levels: Vec::new() }
    }

    fn push(&mut self, cell: &str) {
        self.levels.push(i16::from(!cell.is_empty()));
        if cell.is_empty() {
            return;
        }
        match &mut self.values {
            // The first pass chose the type, so every cell of this one parses.
            Values::Whole(values) => values.extend(cell.parse::<i64>().ok()),
            Values::Number(values) => values.extend(cell.parse::<f64>().ok()),
            Values::Date(values) => values.extend(date(cell)),
            Values::Text(values) => values.push(cell.into()),
        }
    }

    /// Writes the cells as the next column of a group and clears them.
    fn write<W: std::io::Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> ParquetResult<()> {
        match &mut self.values {
            Values::Whole(values) => write_column::<Int64Type, _>(group, values, &self.levels)?,
            Values::Number(values) => write_column::<DoubleType, _>(group, values, &self.levels)?,
            Values::Date(values) => write_column::<Int32Type, _>(group, values, &self.levels)?,
            Values::Text(values) => write_column::<ByteArrayType, _>(group, values, &self.levels)?,
        }
        self.levels.clear();
        Ok(())
    }
}

fn write_column<T: DataType, W: std::io::Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &mut Vec<T::T>,
    levels: &[i16],
) -> ParquetResult<()> {
    let mut column = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("no column is left".to_owned()))?;
    column.typed::<T>().write_batch(values, Some(levels), None)?;
    values.clear();
    column.close()
}

fn fault(path: &Path) -> impl Fn(ParquetError) -> Error {
    let path = path.to_owned();
    move |error| match error {
        // The crate wraps errors of the file; unwrapped they say, for example, that the disk is
        // full.
        ParquetError::External(cause) => match cause.downcast::<std::io::Error>() {
            Ok(cause) => Error::io("write", &path)(*cause),
            Err(other) => Error::io("write", &path)(std::io::Error::other(other)),
        },
        other => Error::io("write", &path)(std::io::Error::other(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(cells: &[&str]) -> Kind {
        cells.iter().map(|cell| Kind::of(cell)).fold(Kind::Empty, Kind::with)
    }

    #[test]
    fn whole_numbers_of_many_digits_are_never_floating_point() {
        let wide = "12345678901234567";
        for cells in [[wide, "1.5"], ["1.5", wide]] {
            let mut guess = Guess { kind: Kind::Empty, has_wide: false };
            cells.iter().for_each(|cell| guess.add(cell));
            assert_eq!(guess.kind, Kind::Text, "{cells:?}");
        }
    }

    #[test]
    fn a_column_is_typed_only_if_every_cell_survives() {
        assert_eq!(kind_of(&["1", "", "-20"]), Kind::Whole);
        assert_eq!(kind_of(&["1", "2.50"]), Kind::Number);
        assert_eq!(kind_of(&["007", "8"]), Kind::Text);
        assert_eq!(kind_of(&["1", "*"]), Kind::Text);
        assert_eq!(kind_of(&["0.1234567890123456789"]), Kind::Text);
        assert_eq!(kind_of(&["2024-02-29", ""]), Kind::Date);
        assert_eq!(kind_of(&["2024-02-30"]), Kind::Text);
        assert_eq!(kind_of(&["2024-02-01", "5"]), Kind::Text);
        assert_eq!(kind_of(&["", ""]), Kind::Empty);
        for odd in ["+1", "1e5", ".5", "5.", "-", "NaN", "inf", " 1"] {
            assert_eq!(kind_of(&[odd]), Kind::Text, "{odd}");
        }
    }
}
