//! Arrow tables that Python receives.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use hedgerow::io::Texts;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};

use crate::running::bug;
use crate::spelling;

/// A table that any library with support for Arrow can read without copying.
#[pyclass(module = "hedgerow._hedgerow", frozen)]
pub(crate) struct ArrowTable {
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
}

impl ArrowTable {
    pub(crate) fn new(batches: Vec<RecordBatch>, schema: SchemaRef) -> Self {
        Self { batches, schema }
    }
}

#[pymethods]
impl ArrowTable {
    /// The table as a stream of Arrow record batches.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let field = Field::new_struct("", self.schema.fields().clone(), false)
            .with_metadata(self.schema.metadata().clone());
        let batches = self.batches.clone().into_iter();
        let arrays = batches.map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
        let reader = Box::new(ArrayIterator::new(arrays, field.into()));
        Ok(to_stream_pycapsule(py, reader, requested_schema)?)
    }

    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The rows as tuples of numbers, texts, truths and None. Anything else is text.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut rows = Vec::with_capacity(self.num_rows());
        for batch in &self.batches {
            let columns = batch.columns().iter().map(|column| values(py, column));
            let columns = columns.collect::<PyResult<Vec<_>>>()?;
            for row in 0..batch.num_rows() {
                rows.push(PyTuple::new(py, columns.iter().map(|column| &column[row]))?);
            }
        }
        Ok(rows)
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("ArrowTable({} rows: {})", self.num_rows(), self.column_names().join(", "))
    }
}

/// The values of an array as Python objects.
fn values<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let of = array.data_type();
    let fault = |error: ArrowError| bug(&error.to_string());
    if *of == DataType::Boolean {
        let truths = array.as_boolean().iter();
        return truths.map(|truth| truth.into_bound_py_any(py)).collect();
    }
    if of.is_signed_integer() || (of.is_unsigned_integer() && *of != DataType::UInt64) {
        let whole = cast(array, &DataType::Int64).map_err(fault)?;
        let numbers = whole.as_primitive::<Int64Type>().iter();
        return numbers.map(|number| number.into_bound_py_any(py)).collect();
    }
    if of.is_floating() {
        let parts = cast(array, &DataType::Float64).map_err(fault)?;
        let numbers = parts.as_primitive::<Float64Type>().iter();
        return numbers.map(|number| number.into_bound_py_any(py)).collect();
    }
    let mut texts = Texts::default();
    spelling::spell(array, &mut texts).map_err(|problem| bug(&problem.what))?;
    let known = texts.iter().enumerate();
    known.map(|(at, text)| array.is_valid(at).then_some(text).into_bound_py_any(py)).collect()
}
