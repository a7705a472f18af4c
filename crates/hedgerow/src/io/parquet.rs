//! Parquet: row groups as blocks, only the columns that are needed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
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

/// A Parquet file, row group by row group.
pub(super) struct ParquetBlocks {
    path: PathBuf,
    reader: Arc<SerializedFileReader<File>>,
    projection: Type,
    /// The place in the header of each column that is read.
    places: Vec<usize>,
    n_columns: usize,
    next: (usize, usize),
}

impl ParquetBlocks {
    pub(super) fn open(path: &Path, n_columns: usize, places: &[usize]) -> Result<Self> {
        let reader = open(path)?;
        let schema = reader.metadata().file_metadata().schema();
        let mut places = places.to_vec();
        places.sort_unstable();
        let fields = places.iter().map(|&place| Arc::clone(&schema.get_fields()[place])).collect();
        let projection = Type::group_type_builder(schema.name())
            .with_fields(fields)
            .build()
            .map_err(|error| Error::file(path, error.to_string()))?;
        let reader = Arc::new(reader);
        Ok(Self { path: path.to_owned(), reader, projection, places, n_columns, next: (0, 0) })
    }
}

impl Blocks for ParquetBlocks {
    fn next_block(&mut self) -> Result<Option<Box<dyn RecordBlock>>> {
        let (group, start) = self.next;
        if group >= self.reader.num_row_groups() {
            return Ok(None);
        }
        let n_rows = self.reader.metadata().row_group(group).num_rows() as usize;
        let end = (start + BLOCK_ROWS).min(n_rows);
        self.next = if end < n_rows { (group, end) } else { (group + 1, 0) };
        Ok(Some(Box::new(ParquetBlock {
            path: self.path.clone(),
            reader: Arc::clone(&self.reader),
            projection: self.projection.clone(),
            places: self.places.clone(),
            n_columns: self.n_columns,
            group,
            rows: start..end,
        })))
    }
}

struct ParquetBlock {
    path: PathBuf,
    reader: Arc<SerializedFileReader<File>>,
    projection: Type,
    places: Vec<usize>,
    n_columns: usize,
    group: usize,
    rows: std::ops::Range<usize>,
}

impl RecordBlock for ParquetBlock {
    fn for_each(&mut self, visit: &mut dyn FnMut(Fields<'_>) -> Result<()>) -> Result<()> {
        let fault =
            |error: parquet::errors::ParquetError| Error::file(&self.path, error.to_string());
        let group = self.reader.get_row_group(self.group).map_err(fault)?;
        let rows = group.get_row_iter(Some(self.projection.clone())).map_err(fault)?;
        let mut bytes = Vec::new();
        let mut ends = vec![0; self.n_columns];
        for row in rows.skip(self.rows.start).take(self.rows.len()) {
            let row = row.map_err(fault)?;
            bytes.clear();
            let mut columns = row.get_column_iter().zip(&self.places).peekable();
            for (place, end) in ends.iter_mut().enumerate() {
                if let Some(((_, field), _)) = columns.next_if(|&(_, &at)| at == place) {
                    write_field(field, &mut bytes);
                }
                *end = bytes.len();
            }
            visit(Fields { bytes: &bytes, ends: &ends, gap: 0 })?;
        }
        Ok(())
    }

    fn end_byte(&self) -> u64 {
        let groups = self.reader.metadata().row_groups();
        groups[..=self.group].iter().map(|group| group.compressed_size() as u64).sum()
    }
}

/// A value as CSV would have it.
fn write_field(field: &Field, bytes: &mut Vec<u8>) {
    match field {
        Field::Null => {}
        Field::Str(text) => bytes.extend_from_slice(text.as_bytes()),
        other => bytes.extend_from_slice(other.to_string().as_bytes()),
    }
}
