//! A release in memory as an Arrow table.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use arrow_select::interleave::interleave;
use hedgerow::io::Frame;
use hedgerow::publish::{Placed, PlacedColumn};
use hedgerow::schema::Schema as Roles;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::frame::ArrowFrame;
use crate::running::bug;
use crate::table::ArrowTable;

/// What was found for a table in memory, by a search or by a recipe.
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

    /// The distinct labels of a published column, the code of each row as bytes of 32-bit integers,
    /// and whether the labels are numbers.
    fn labels<'py>(
        &self,
        py: Python<'py>,
        column: usize,
    ) -> PyResult<(Vec<String>, Bound<'py, PyBytes>, bool)> {
        match self.found.placed().columns.get(column) {
            Some(PlacedColumn::Labels { labels, codes, is_numeric, .. }) => {
                let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_ne_bytes()).collect();
                let are_numbers = *is_numeric && are_numbers(labels);
                Ok((labels.clone(), PyBytes::new(py, &bytes), are_numbers))
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

/// The release as a table. Unchanged columns are those of the frame, without a copy if the rows are.
fn table(frame: &ArrowFrame, placed: &Placed) -> Result<ArrowTable, ArrowError> {
    let rows = &placed.rows;
    let is_whole = rows.len() as u64 == frame.n_rows();
    if is_whole && rows.iter().enumerate().all(|(place, &row)| place == row) {
        return in_place(frame, placed);
    }
    let places: Vec<(usize, usize)> = rows.iter().map(|&row| frame.locate(row)).collect();
    let mut fields: Vec<FieldRef> = Vec::new();
    let mut columns: Vec<ArrayRef> = Vec::new();
    for column in &placed.columns {
        if let PlacedColumn::Unchanged(place) = column {
            let chunks = frame.chunks(*place);
            let chunks: Vec<&dyn arrow_array::Array> = chunks.iter().map(AsRef::as_ref).collect();
            fields.push(Arc::new(frame.schema.field(*place).clone()));
            columns.push(interleave(&chunks, &places)?);
        } else if let Some((field, array)) = labelled(column)? {
            fields.push(field);
            columns.push(array);
        }
    }
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns)?;
    Ok(ArrowTable::new(vec![batch], schema))
}

/// The release of a table whose rows are all published in their order.
fn in_place(frame: &ArrowFrame, placed: &Placed) -> Result<ArrowTable, ArrowError> {
    let mut made: Vec<(FieldRef, Option<ArrayRef>, usize)> = Vec::new();
    for column in &placed.columns {
        if let PlacedColumn::Unchanged(place) = column {
            made.push((Arc::new(frame.schema.field(*place).clone()), None, *place));
        } else if let Some((field, array)) = labelled(column)? {
            made.push((field, Some(array), 0));
        }
    }
    let fields: Vec<FieldRef> = made.iter().map(|(field, ..)| Arc::clone(field)).collect();
    let schema = Arc::new(Schema::new(fields));
    let mut batches = Vec::new();
    let mut start = 0;
    for batch in &frame.batches {
        let n_rows = batch.num_rows();
        let column = |(_, array, place): &(FieldRef, Option<ArrayRef>, usize)| match array {
            Some(array) => array.slice(start, n_rows),
            None => Arc::clone(batch.column(*place)),
        };
        let columns = made.iter().map(column).collect();
        batches.push(RecordBatch::try_new(Arc::clone(&schema), columns)?);
        start += n_rows;
    }
    Ok(ArrowTable::new(batches, schema))
}

/// A column of labels: numbers if the style shows numbers, a dictionary otherwise.
fn labelled(column: &PlacedColumn) -> Result<Option<(FieldRef, ArrayRef)>, ArrowError> {
    let PlacedColumn::Labels { name, labels, codes, is_numeric, .. } = column else {
        return Ok(None);
    };
    let array = if *is_numeric && are_numbers(labels) {
        numbers(labels, codes)
    } else {
        let keys = Int32Array::from_iter_values(codes.iter().map(|&code| code as i32));
        let values = Arc::new(StringArray::from_iter_values(labels));
        Arc::new(DictionaryArray::<Int32Type>::try_new(keys, values)?)
    };
    let field = Field::new(name, array.data_type().clone(), true);
    Ok(Some((Arc::new(field), array)))
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
