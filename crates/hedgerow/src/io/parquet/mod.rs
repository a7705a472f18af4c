//! Parquet files: reads only the needed columns and converts them to text.

mod thrift;
mod delta;
mod whole;
mod headers;
mod pages;
mod footer;
mod form;
#[cfg(test)]
mod hostile;
mod sink;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Repetition;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
};

use self::delta::BATCH_ROWS;
use self::form::{Form, Value};
use self::pages::{CheckedPages, Room};
pub(super) use self::sink::write;
use self::whole::Whole;
use super::block::{Blocks, Fields, RecordBlock, Wanted};
use super::guard::guarded;
use super::magic::Named;
use super::{Size, Source, too_long};
use crate::error::Advice;
use crate::{Error, Result, file};

/// Maximum number of records in a block.
const BLOCK_ROWS: usize = 1 << 16;
/// Number of bytes of text after which a block ends.
const BLOCK_BYTES: usize = 1 << 20;

/// Returns the columns of a file.
pub(super) fn header(path: &Path) -> Result<Vec<Named>> {
    let (_, metadata) = open(path)?;
    let fields = metadata.file_metadata().schema().get_fields();
    Ok(fields.iter().map(|field| (field.name().to_owned(), Form::of(field).err())).collect())
}

/// Returns the blocks of the wanted columns of a table.
pub(super) fn blocks(source: &Source, wanted: &Wanted<'_>) -> Result<Box<dyn Blocks>> {
    Ok(Box::new(ParquetBlocks::open(source, wanted)?))
}

fn open(path: &Path) -> Result<(Whole, ParquetMetaData)> {
    let file = Whole(Arc::new(file::open(path)?));
    if !decoded(path, || footer::is_sound(&file))? {
        return Err(damaged(path, "its footer does not describe a table"));
    }
    let metadata = decoded(path, || ParquetMetaDataReader::new().parse_and_finish(&file))?;
    // Progress and the ends of groups rely on the counts.
    if n_rows(&metadata) != Some(metadata.file_metadata().num_rows()) {
        return Err(damaged(path, "its row groups do not have as many rows as the file"));
    }
    Ok((file, metadata))
}

/// Returns the number of rows of all row groups, or `None` if a count is negative or they overflow.
fn n_rows(metadata: &ParquetMetaData) -> Option<i64> {
    let counts = metadata.row_groups().iter().map(RowGroupMetaData::num_rows);
    counts.into_iter().try_fold(0i64, |sum, n| sum.checked_add(n).filter(|_| n >= 0))
}

/// Runs the `parquet` crate's decoder and converts panics, which damaged files can cause, to
/// errors.
fn decoded<T>(path: &Path, work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T> {
    match guarded(work) {
        Some(Ok(done)) => Ok(done),
        Some(Err(error)) => Err(damaged(path, &error.to_string())),
        None => Err(damaged(path, "its pages are not what their headers say")),
    }
}

fn damaged(path: &Path, what: &str) -> Error {
    let problem = format!("this Parquet file is damaged or of an unsupported kind ({what})");
    Error::file(path, problem).advise([
        Advice::words("write it again with the tool that it comes from"),
        Advice::words("save the table as CSV"),
    ])
}

/// Reads a Parquet file. One thread at a time decodes rows and returns them as text.
///
/// Memory holds the last page of each encoding and one batch of each column that is read. A batch
/// has values of one page, so the batches of two columns need not end in the same row.
struct ParquetBlocks {
    path: PathBuf,
    header: Vec<String>,
    max_record: Option<Size>,
    /// The spellings of NaN and infinities that are allowed; `None` allows all.
    na: Option<Vec<String>>,
    /// Columns in which any number is accepted.
    loose: Vec<usize>,
    file: Whole,
    metadata: ParquetMetaData,
    /// The memory available for pages.
    room: Room,
    next_group: usize,
    columns: Vec<Column>,
    /// The row at which the row group ends.
    group_end: u64,
    /// The row up to which every column is decoded.
    decoded_end: u64,
    /// Number of rows written so far.
    n_read: u64,
    n_bytes: u64,
}

/// A column to read.
struct Column {
    /// Index in the header.
    place: usize,
    /// Index among the leaves of the schema.
    leaf: usize,
    form: Form,
    is_optional: bool,
    reader: Option<ColumnReader>,
    /// The last decoded batch.
    values: Vec<Value>,
    /// The row of the first value in the batch.
    start: u64,
}

impl ParquetBlocks {
    pub(super) fn open(source: &Source, wanted: &Wanted<'_>) -> Result<Self> {
        let (path, places) = (source.path(), wanted.places);
        let (file, metadata) = open(path)?;
        let schema = metadata.file_metadata().schema_descr();
        let mut columns = Vec::new();
        for leaf in 0..schema.num_columns() {
            let (place, field) = (schema.get_column_root_idx(leaf), schema.get_column_root(leaf));
            // A nested column can have several leaves, but it has no form.
            if let (true, Ok(form)) = (places.contains(&place), Form::of(field)) {
                let is_optional = field.get_basic_info().repetition() == Repetition::OPTIONAL;
                columns.push(Column::new(place, leaf, form, is_optional));
            }
        }
        if columns.len() != places.len() {
            return Err(damaged(path, "it changed while it was read"));
        }
        Ok(Self {
            path: path.to_owned(),
            header: source.header().to_vec(),
            max_record: source.max_record,
            na: wanted.na.map(<[String]>::to_vec),
            loose: wanted.loose.to_vec(),
            file,
            metadata,
            room: Room::new(source.max_record, source.n_bytes()),
            next_group: 0,
            columns,
            group_end: 0,
            decoded_end: 0,
            n_read: 0,
            n_bytes: source.n_bytes(),
        })
    }

    /// Decodes the next rows, of the next row group if necessary. Returns false at the end of the
    /// file.
    fn decode(&mut self) -> Result<bool> {
        while self.n_read == self.group_end {
            if self.next_group == self.metadata.num_row_groups() {
                return Ok(false);
            }
            self.open_group()?;
            self.next_group += 1;
        }
        // At most a batch, so the minimum fits into `usize`.
        let wanted = (self.group_end - self.n_read).min(BATCH_ROWS as u64) as usize;
        // Only columns whose batch is used up need another, because batches end with pages.
        for column in self.columns.iter_mut().filter(|column| column.end() == self.n_read) {
            if decoded(&self.path, || column.decode(wanted))? == 0 {
                return Err(damaged(
                    &self.path,
                    "a column has fewer values than the file has rows",
                ));
            }
        }
        // Rows can be written up to the column that is least far. Without columns, rows are only
        // counted.
        self.decoded_end = self.columns.iter().map(Column::end).min().unwrap_or(self.group_end);
        Ok(true)
    }

    fn open_group(&mut self) -> Result<()> {
        self.columns.iter_mut().for_each(Column::close);
        let group = self.metadata.row_group(self.next_group);
        for column in &mut self.columns {
            let chunk = group
                .columns()
                .get(column.leaf)
                .filter(|chunk| is_sound(chunk, group, self.n_bytes))
                .ok_or_else(|| {
                    damaged(&self.path, "a column is not where the file says, or not as long")
                })?;
            let open = || {
                let pages = CheckedPages::new(&self.file, chunk, &self.room)?;
                Ok(get_column_reader(chunk.column_descr_ptr(), Box::new(pages)))
            };
            column.reader = Some(decoded(&self.path, open)?);
        }
        self.group_end += group.num_rows() as u64;
        Ok(())
    }

    /// Writes the next row as text. Columns that are not read are empty.
    fn write_row(&self, block: &mut TextBlock) -> Result<()> {
        let mut columns = self.columns.iter().peekable();
        let start = block.bytes.len();
        for place in 0..self.header.len() {
            if let Some(column) = columns.next_if(|column| column.place == place) {
                let written = self.write_value(column, &mut block.bytes);
                written.map_err(|error| error.in_file(&self.path))?;
            }
            let n_bytes = block.bytes.len() - start;
            // Checked after every column, so that a row of many long values stops early.
            let is_too_long = |most: &Size| n_bytes as u64 > most.bytes();
            if let Some(most) = self.max_record.filter(is_too_long) {
                let record = format!("the record of row {}", self.n_read + 1);
                return Err(too_long(&record, None, most).in_file(&self.path));
            }
            block.ends.push(n_bytes);
        }
        block.starts.push(start);
        Ok(())
    }

    /// Writes the value of a column in the next row as text. It is an error if the value cannot be
    /// text, or is not finite and does not count as missing.
    fn write_value(&self, column: &Column, bytes: &mut Vec<u8>) -> Result<()> {
        let (value, start) = (column.value(self.n_read), bytes.len());
        let (name, row) = (&self.header[column.place], self.n_read + 1);
        column.form.write(value, bytes).map_err(|problem| {
            Error::column(name, format!("row {row}: {problem}"))
                .advise([Advice::words("correct it")])
        })?;
        let is_fine = column.form.is_finite(value) || self.loose.contains(&column.place);
        let (Some(na), false) = (&self.na, is_fine) else { return Ok(()) };
        let text = String::from_utf8_lossy(&bytes[start..]);
        if na.iter().any(|na| *na == text) {
            return Ok(());
        }
        Err(Error::value(name, &*text, row, "is not a number")
            .advise([Advice::ListAsMissing { value: Some(text.into_owned()) }]))
    }
}

impl Blocks for ParquetBlocks {
    fn next_block(&mut self) -> Result<Option<Box<dyn RecordBlock>>> {
        let mut block = TextBlock { width: self.header.len(), ..TextBlock::default() };
        while block.starts.len() < BLOCK_ROWS && block.bytes.len() < BLOCK_BYTES {
            if self.n_read == self.decoded_end && !self.decode()? {
                break;
            }
            self.write_row(&mut block)?;
            self.n_read += 1;
        }
        // Progress is estimated from rows, because columns are spread over the file.
        let n_rows = self.metadata.file_metadata().num_rows().max(1) as u128;
        block.end_byte = (u128::from(self.n_bytes) * u128::from(self.n_read) / n_rows) as u64;
        Ok(if block.starts.is_empty() { None } else { Some(Box::new(block)) })
    }
}

/// Whether a column chunk lies within the file and has a value or a null for every row.
fn is_sound(chunk: &ColumnChunkMetaData, group: &RowGroupMetaData, n_bytes: u64) -> bool {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let end = start.checked_add(chunk.compressed_size());
    start >= 0
        && chunk.compressed_size() >= 0
        && end.is_some_and(|end| end as u64 <= n_bytes)
        && chunk.num_values() == group.num_rows()
        && chunk.column_type() == chunk.column_descr().physical_type()
}

impl Column {
    fn new(place: usize, leaf: usize, form: Form, is_optional: bool) -> Self {
        Self { place, leaf, form, is_optional, reader: None, values: Vec::new(), start: 0 }
    }

    /// The row after the last decoded one.
    fn end(&self) -> u64 {
        self.start + self.values.len() as u64
    }

    fn value(&self, row: u64) -> &Value {
        &self.values[(row - self.start) as usize]
    }

    /// Drops the batch before the pages to which its values refer.
    fn close(&mut self) {
        self.drop_values();
        self.reader = None;
    }

    fn drop_values(&mut self) {
        self.start = self.end();
        self.values.clear();
    }

    /// Decodes at most `wanted` values of one page and returns their number.
    fn decode(&mut self, wanted: usize) -> Result<usize, ParquetError> {
        self.drop_values();
        match self.fill(wanted)? {
            0 => self.fill(wanted), // the pause between two pages
            n_values => Ok(n_values),
        }
    }

    fn fill(&mut self, wanted: usize) -> Result<usize, ParquetError> {
        let Self { values, is_optional, .. } = self;
        let mut batch = Batch { values, wanted, is_optional: *is_optional };
        match &mut self.reader {
            None => Ok(0),
            Some(ColumnReader::BoolColumnReader(reader)) => batch.fill(reader, Value::Bool),
            Some(ColumnReader::Int32ColumnReader(reader)) => batch.fill(reader, Value::Int32),
            Some(ColumnReader::Int64ColumnReader(reader)) => batch.fill(reader, Value::Int64),
            Some(ColumnReader::Int96ColumnReader(reader)) => batch.fill(reader, Value::Int96),
            Some(ColumnReader::FloatColumnReader(reader)) => batch.fill(reader, Value::Float),
            Some(ColumnReader::DoubleColumnReader(reader)) => batch.fill(reader, Value::Double),
            Some(ColumnReader::ByteArrayColumnReader(reader)) => batch.fill(reader, Value::Bytes),
            Some(ColumnReader::FixedLenByteArrayColumnReader(reader)) => {
                batch.fill(reader, |bytes| Value::Bytes(ByteArray::from(bytes)))
            }
        }
    }
}

/// Buffer for the next values of a column.
struct Batch<'a> {
    values: &'a mut Vec<Value>,
    wanted: usize,
    is_optional: bool,
}

impl Batch<'_> {
    fn fill<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        value: impl Fn(T::T) -> Value,
    ) -> Result<usize, ParquetError> {
        let (mut levels, mut present) = (Vec::new(), Vec::new());
        let def_levels = self.is_optional.then_some(&mut levels);
        reader.read_records(self.wanted, def_levels, None, &mut present)?;
        let mut present = present.into_iter().map(value);
        if self.is_optional {
            // Only present values are stored; the level of a null is 0 in a flat column.
            let of_level = |level: i16| match level {
                0 => Some(Value::Null),
                _ => present.next(),
            };
            self.values.extend(levels.into_iter().map_while(of_level));
        } else {
            self.values.extend(present);
        }
        Ok(self.values.len())
    }
}

/// Rows as text.
#[derive(Default)]
struct TextBlock {
    bytes: Vec<u8>,
    starts: Vec<usize>,
    /// Ends of the fields of each row, relative to the start of the row.
    ends: Vec<usize>,
    width: usize,
    end_byte: u64,
}

impl RecordBlock for TextBlock {
    fn for_each(&mut self, visit: &mut dyn FnMut(Fields<'_>) -> Result<()>) -> Result<()> {
        let rows = self.starts.iter().zip(self.ends.chunks(self.width));
        rows.into_iter()
            .try_for_each(|(&start, ends)| visit(Fields::of(&self.bytes[start..], ends, 0)))
    }

    fn end_byte(&self) -> u64 {
        self.end_byte
    }
}

#[cfg(test)]
mod tests {
    use parquet::data_type::{ByteArrayType, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    /// Writes a file with row groups of 1500 rows: row numbers, and texts of different lengths.
    fn file(n_rows: i64) -> (tempfile::TempDir, Source) {
        let schema = "message t { REQUIRED INT64 n; REQUIRED BYTE_ARRAY text (UTF8); }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
        let rows: Vec<i64> = (0..n_rows).collect();
        for rows in rows.chunks(1500) {
            let mut group = writer.next_row_group().unwrap();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int64Type>().write_batch(rows, None, None).unwrap();
            column.close().unwrap();
            let texts: Vec<ByteArray> = rows.iter().map(|row| text(*row).as_str().into()).collect();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
            column.close().unwrap();
            group.close().unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        std::fs::write(&path, writer.into_inner().unwrap()).unwrap();
        let source = Source::open(&path, None).unwrap();
        (folder, source)
    }

    fn text(row: i64) -> String {
        "ab".repeat(row as usize % 7)
    }

    #[test]
    fn every_record_has_its_own_bytes_and_no_others() {
        let (_folder, source) = file(4000);
        let wanted = Wanted { places: &[0, 1], na: None, loose: &[] };
        let mut blocks = source.blocks(&wanted).unwrap();
        let (mut row, mut n_bytes) = (0, 0);
        while let Some(mut block) = blocks.next_block().unwrap() {
            block
                .for_each(&mut |fields| {
                    assert_eq!(fields.get(0), row.to_string().as_bytes());
                    assert_eq!(fields.get(1), text(row).as_bytes());
                    n_bytes += fields.parts().0.len();
                    row += 1;
                    Ok(())
                })
                .unwrap();
        }
        let wanted: usize = (0..4000).map(|row| row.to_string().len() + text(row).len()).sum();
        assert_eq!((row, n_bytes), (4000, wanted));
    }

    #[test]
    fn a_row_group_is_dropped_before_the_next_is_opened() {
        let (_folder, source) = file(3000);
        let wanted = Wanted { places: &[0, 1], na: None, loose: &[] };
        let mut blocks = ParquetBlocks::open(&source, &wanted).unwrap();
        let most = blocks.room.left();
        assert!(blocks.decode().unwrap());
        assert!(blocks.room.left() < most);
        blocks.open_group().unwrap();
        assert!(blocks.columns.iter().all(|column| column.values.is_empty()));
        assert_eq!(blocks.room.left(), most);
    }

    #[test]
    fn blocks_end_before_they_are_large() {
        let (_folder, source) = file(70_000);
        let mut blocks = source.blocks(&Wanted { places: &[], na: None, loose: &[] }).unwrap();
        let mut sizes = Vec::new();
        while let Some(mut block) = blocks.next_block().unwrap() {
            let mut n_rows = 0;
            let mut count = |_: Fields<'_>| {
                n_rows += 1;
                Ok(())
            };
            block.for_each(&mut count).unwrap();
            sizes.push(n_rows);
        }
        assert_eq!(sizes, [BLOCK_ROWS, 70_000 - BLOCK_ROWS]);
    }
}
