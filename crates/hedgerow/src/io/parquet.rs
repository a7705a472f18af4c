//! Parquet: only the columns that are needed, as text.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use parquet::schema::types::Type;

use super::block::{Blocks, Fields, RecordBlock};
use crate::{Error, Result};

/// How many records are turned into text at a time.
const BLOCK_ROWS: usize = 1 << 16;

fn open(path: &Path) -> Result<SerializedFileReader<File>> {
    let file = File::open(path).map_err(Error::io("open", path))?;
    SerializedFileReader::new(file).map_err(|error| Error::file(path, error.to_string()))
}

/// The names of the columns, which must be plain values.
pub(super) fn header(path: &Path) -> Result<Vec<String>> {
    let reader = open(path)?;
    let schema = reader.metadata().file_metadata().schema();
    schema
        .get_fields()
        .iter()
        .map(|field| {
            if field.is_primitive() {
                return Ok(field.name().to_owned());
            }
            Err(Error::file(
                path,
                format!("column '{}' holds lists or groups; flatten it first", field.name()),
            ))
        })
        .collect()
}

/// A Parquet file; its rows are decoded by one thread at a time and handed out as text.
pub(super) struct ParquetBlocks {
    path: PathBuf,
    rows: RowIter<'static>,
    /// The place in the header of each column that is read, ascending.
    places: Vec<usize>,
    header: Vec<String>,
    n_read: u64,
    n_rows: u64,
    n_bytes: u64,
}

impl ParquetBlocks {
    pub(super) fn open(path: &Path, header: &[String], places: &[usize]) -> Result<Self> {
        let reader = open(path)?;
        let fault = |error: ParquetError| Error::file(path, error.to_string());
        let metadata = reader.metadata();
        let schema = metadata.file_metadata().schema();
        let n_rows = metadata.file_metadata().num_rows() as u64;
        let n_bytes = metadata.row_groups().iter().map(|g| g.compressed_size() as u64).sum();
        let fields = places.iter().map(|&place| Arc::clone(&schema.get_fields()[place])).collect();
        let projection =
            Type::group_type_builder(schema.name()).with_fields(fields).build().map_err(fault)?;
        let rows = reader.into_iter().project(Some(projection)).map_err(fault)?;
        let (path, header, places) = (path.to_owned(), header.to_vec(), places.to_vec());
        Ok(Self { path, rows, places, header, n_read: 0, n_rows, n_bytes })
    }

    /// Writes a row as text; columns that are not read are empty.
    fn write_row(&self, row: &Row, block: &mut TextBlock) -> Result<()> {
        let mut columns = row.get_column_iter().zip(&self.places).peekable();
        let start = block.bytes.len();
        for place in 0..self.header.len() {
            if let Some(((_, field), _)) = columns.next_if(|&(_, &at)| at == place) {
                write_field(field, &mut block.bytes).map_err(|what| {
                    let (column, row) = (&self.header[place], self.n_read + 1);
                    Error::file(&self.path, format!("column '{column}', row {row}: {what}"))
                })?;
            }
            block.ends.push(block.bytes.len() - start);
        }
        block.starts.push(start);
        Ok(())
    }
}

impl Blocks for ParquetBlocks {
    fn next_block(&mut self) -> Result<Option<Box<dyn RecordBlock>>> {
        let mut block = TextBlock { width: self.header.len(), ..TextBlock::default() };
        while block.starts.len() < BLOCK_ROWS {
            let Some(row) = self.rows.next() else { break };
            let row = row.map_err(|error| Error::file(&self.path, error.to_string()))?;
            self.write_row(&row, &mut block)?;
            self.n_read += 1;
        }
        block.end_byte = self.n_bytes * self.n_read / self.n_rows.max(1);
        Ok(if block.starts.is_empty() { None } else { Some(Box::new(block)) })
    }
}

/// Rows as text.
#[derive(Default)]
struct TextBlock {
    bytes: Vec<u8>,
    starts: Vec<usize>,
    /// The ends of each row's fields, from the row's start.
    ends: Vec<usize>,
    width: usize,
    end_byte: u64,
}

impl RecordBlock for TextBlock {
    fn for_each(&mut self, visit: &mut dyn FnMut(Fields<'_>) -> Result<()>) -> Result<()> {
        let rows = self.starts.iter().zip(self.ends.chunks(self.width));
        rows.into_iter().try_for_each(|(&start, ends)| {
            visit(Fields { bytes: &self.bytes[start..], ends, gap: 0 })
        })
    }

    fn end_byte(&self) -> u64 {
        self.end_byte
    }
}

/// A value as CSV would have it, or why it has no such form.
fn write_field(field: &Field, bytes: &mut Vec<u8>) -> Result<(), &'static str> {
    let moment = |moment: Option<DateTime<Utc>>| {
        moment.map(|moment| moment.format("%Y-%m-%d %H:%M:%S%.f").to_string())
    };
    let text = match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Double(number) if !number.is_finite() => return Err("this is not a finite number"),
        Field::Float(number) if !number.is_finite() => return Err("this is not a finite number"),
        Field::Bytes(_) => return Err("these are bytes without a meaning; store text or numbers"),
        Field::TimestampMillis(millis) => moment(DateTime::from_timestamp_millis(*millis))
            .ok_or("this is no moment of any calendar")?,
        Field::TimestampMicros(micros) => moment(DateTime::from_timestamp_micros(*micros))
            .ok_or("this is no moment of any calendar")?,
        other => other.to_string(),
    };
    bytes.extend_from_slice(text.as_bytes());
    Ok(())
}
