//! A release in memory as an Arrow table.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder};
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::interleave::interleave;
use hedgerow::io::Frame;
use hedgerow::publish::{Placed, PlacedColumn};
use hedgerow::schema::Schema as Roles;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::frame::ArrowFrame;
use crate::running::bug;
use crate::table::ArrowTable;

/// Maximum number of rows in a batch of a release whose rows are in another order.
const BATCH_ROWS: usize = 1 << 20;

/// The release of a table in memory, found by a search or by a recipe.
pub(crate) trait Found: Send + Sync {
    /// The roles of the columns of the table.
    fn schema(&self) -> &Roles;

    /// The rows and columns of the release.
    fn placed(&self) -> &Placed;
}

/// The records of a release in memory.
#[pyclass(module = "hedgerow._hedgerow", frozen)]
pub(crate) struct NativeRecords {
    pub(crate) frame: Arc<ArrowFrame>,
    pub(crate) found: Arc<dyn Found>,
}

#[pymethods]
impl NativeRecords {
    /// The published columns in their order: the name, and the index in the table if the column is
    /// unchanged.
    fn columns(&self) -> Vec<(String, Option<usize>)> {
        let names = self.found.schema().names();
        let described = |column: &PlacedColumn| match column {
            PlacedColumn::Unchanged(place) => Some((names[*place].clone(), Some(*place))),
            PlacedColumn::Labels { name, .. } => Some((name.clone(), None)),
            _ => None,
        };
        self.found.placed().columns.iter().filter_map(described).collect()
    }

    /// The row of the table that each published row comes from, as bytes of 64-bit integers.
    fn rows<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let rows = self.found.placed().rows.iter();
        let bytes: Vec<u8> = rows.flat_map(|&row| (row as u64).to_ne_bytes()).collect();
        PyBytes::new(py, &bytes)
    }

    /// The distinct labels of a published column, the code of each row as bytes of 32-bit integers
    /// (-1 if nothing is shown), and whether the labels are numbers.
    fn labels<'py>(
        &self,
        py: Python<'py>,
        column: usize,
    ) -> PyResult<(Vec<String>, Bound<'py, PyBytes>, bool)> {
        match self.found.placed().columns.get(column) {
            Some(PlacedColumn::Labels { labels, codes, is_numeric, .. }) => {
                let shown = Shown::of(labels, codes);
                let codes = shown.codes.iter().map(|code| code.unwrap_or(-1));
                let bytes: Vec<u8> = codes.flat_map(i32::to_ne_bytes).collect();
                let words = shown.words.iter().map(|&word| word.to_owned()).collect();
                Ok((words, PyBytes::new(py, &bytes), *is_numeric && are_numbers(labels)))
            }
            _ => Err(bug("this column has no labels")),
        }
    }

    /// The release as an Arrow table.
    fn table(&self, py: Python<'_>) -> PyResult<ArrowTable> {
        let made = py.detach(|| table(&self.frame, self.found.placed()));
        made.map_err(|error| bug(&error.to_string()))
    }
}

/// The release as a table. Unchanged columns are not copied if the rows are unchanged too.
fn table(frame: &ArrowFrame, placed: &Placed) -> Result<ArrowTable, ArrowError> {
    let rows = &placed.rows;
    let is_whole = rows.len() as u64 == frame.n_rows();
    if is_whole && rows.iter().enumerate().all(|(place, &row)| place == row) {
        return in_place(frame, placed);
    }
    let (columns, schema) = columns(frame, placed)?;
    let mut batches = Vec::new();
    for (part, rows) in rows.chunks(BATCH_ROWS).enumerate() {
        let start = part * BATCH_ROWS;
        let places: Vec<(usize, usize)> = rows.iter().map(|&row| frame.locate(row)).collect();
        let array = |column: &Column| match column {
            Column::Made(array) => Ok(array.slice(start, rows.len())),
            Column::Unchanged(chunks) => {
                let chunks: Vec<&dyn Array> = chunks.iter().map(AsRef::as_ref).collect();
                interleave(&chunks, &places)
            }
        };
        let arrays = columns.iter().map(array).collect::<Result<_, _>>()?;
        batches.push(RecordBatch::try_new(Arc::clone(&schema), arrays)?);
    }
    Ok(ArrowTable::new(batches, schema))
}

/// The release of a table whose rows are all published in their order.
fn in_place(frame: &ArrowFrame, placed: &Placed) -> Result<ArrowTable, ArrowError> {
    let (columns, schema) = columns(frame, placed)?;
    let mut batches = Vec::new();
    let mut start = 0;
    for (number, batch) in frame.batches.iter().enumerate() {
        let array = |column: &Column| match column {
            Column::Made(array) => array.slice(start, batch.num_rows()),
            Column::Unchanged(chunks) => Arc::clone(&chunks[number]),
        };
        let arrays = columns.iter().map(array).collect();
        batches.push(RecordBatch::try_new(Arc::clone(&schema), arrays)?);
        start += batch.num_rows();
    }
    Ok(ArrowTable::new(batches, schema))
}

/// A column of a release.
enum Column {
    /// Labels of the published rows.
    Made(ArrayRef),
    /// The chunks of a column of the table.
    Unchanged(Vec<ArrayRef>),
}

/// The columns of a release, and their names and types.
fn columns(frame: &ArrowFrame, placed: &Placed) -> Result<(Vec<Column>, SchemaRef), ArrowError> {
    let (mut columns, mut fields) = (Vec::new(), Vec::<FieldRef>::new());
    for column in &placed.columns {
        if let PlacedColumn::Unchanged(place) = column {
            columns.push(Column::Unchanged(frame.chunks(*place)));
            fields.push(Arc::new(frame.schema.field(*place).clone()));
        } else if let Some((field, array)) = labelled(column)? {
            columns.push(Column::Made(array));
            fields.push(field);
        }
    }
    Ok((columns, Arc::new(Schema::new(fields))))
}

/// A column of labels: numbers if the style shows numbers, a dictionary otherwise.
fn labelled(column: &PlacedColumn) -> Result<Option<(FieldRef, ArrayRef)>, ArrowError> {
    let PlacedColumn::Labels { name, labels, codes, is_numeric, .. } = column else {
        return Ok(None);
    };
    let array = if *is_numeric && are_numbers(labels) {
        numbers(labels, codes)
    } else {
        let Shown { words, codes } = Shown::of(labels, codes);
        let values = Arc::new(StringArray::from_iter_values(words));
        Arc::new(DictionaryArray::<Int32Type>::try_new(Int32Array::from(codes), values)?)
    };
    let field = Field::new(name, array.data_type().clone(), true);
    Ok(Some((Arc::new(field), array)))
}

/// Labels without the empty one: a cell that shows nothing is missing, as in a file.
struct Shown<'a> {
    words: Vec<&'a str>,
    /// The index of its label, for each row.
    codes: Vec<Option<i32>>,
}

impl<'a> Shown<'a> {
    fn of(labels: &'a [String], codes: &[u32]) -> Self {
        let mut words = Vec::with_capacity(labels.len());
        let mut places = Vec::with_capacity(labels.len());
        for label in labels {
            places.push((!label.is_empty()).then_some(words.len() as i32));
            words.extend((!label.is_empty()).then_some(label.as_str()));
        }
        let codes = codes.iter().map(|&code| places[code as usize]).collect();
        Self { words, codes }
    }
}

/// Whether every label is a number or empty.
fn are_numbers(labels: &[String]) -> bool {
    labels.iter().all(|label| label.is_empty() || label.parse::<f64>().is_ok())
}

fn numbers(labels: &[String], codes: &[u32]) -> ArrayRef {
    let whole: Vec<Option<i64>> = labels.iter().map(|label| label.parse().ok()).collect();
    if labels.iter().zip(&whole).all(|(label, number)| label.is_empty() || number.is_some()) {
        let mut array = Int64Builder::with_capacity(codes.len());
        codes.iter().for_each(|&code| array.append_option(whole[code as usize]));
        return Arc::new(array.finish());
    }
    let parts: Vec<Option<f64>> = labels.iter().map(|label| label.parse().ok()).collect();
    let mut array = Float64Builder::with_capacity(codes.len());
    codes.iter().for_each(|&code| array.append_option(parts[code as usize]));
    Arc::new(array.finish())
}

/// A field of text that can be missing.
pub(crate) fn text_field(name: &str) -> Field {
    Field::new(name, DataType::Utf8, true)
}
