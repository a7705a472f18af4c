//! Tables of Arrow arrays, whose values the library reads as text.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use hedgerow::io::{Frame, Source, Texts, Unusable};
use hedgerow::{Error, Result};
use pyo3::prelude::*;
use pyo3_arrow::PyTable;
use pyo3_arrow::input::AnyRecordBatch;

use crate::errors::raised;
use crate::spelling;

/// Name of a table in memory in messages.
const NAME: &str = "the table";

/// The key in the metadata of a field that marks a column of Python objects, which Arrow cannot
/// hold.
const OBJECTS: &str = "hedgerow.objects";

/// Record batches with the same columns.
#[derive(Debug, Clone)]
pub(crate) struct ArrowFrame {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
    /// The row at which each batch begins, and the number of rows.
    starts: Vec<u64>,
}

impl ArrowFrame {
    /// Reads anything that exports Arrow data: `__arrow_c_stream__` or `__arrow_c_array__`.
    pub(crate) fn of(table: AnyRecordBatch) -> PyResult<Self> {
        let (batches, schema) = PyTable::into_inner(table.into_table()?);
        Ok(Self::new(batches, schema))
    }

    pub(crate) fn new(batches: Vec<RecordBatch>, schema: SchemaRef) -> Self {
        let mut starts = vec![0];
        for batch in &batches {
            starts.push(starts[starts.len() - 1] + batch.num_rows() as u64);
        }
        Self { schema, batches, starts }
    }

    /// The table as a source of the library.
    pub(crate) fn source(self: &Arc<Self>, py: Python<'_>) -> PyResult<Source> {
        self.opened().map_err(|error| raised(py, &error))
    }

    /// The table as a source of the library.
    pub(crate) fn opened(self: &Arc<Self>) -> Result<Source> {
        Source::of_frame(Arc::<Self>::clone(self), NAME)
    }

    /// The chunks of a column, one for each batch.
    pub(crate) fn chunks(&self, column: usize) -> Vec<ArrayRef> {
        self.batches.iter().map(|batch| Arc::clone(batch.column(column))).collect()
    }

    /// The batch of a row, and its index in the batch.
    pub(crate) fn locate(&self, row: usize) -> (usize, usize) {
        let batch = self.starts.partition_point(|&start| start <= row as u64) - 1;
        (batch, row - self.starts[batch] as usize)
    }
}

impl Frame for ArrowFrame {
    fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn n_rows(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    fn unusable(&self, column: usize) -> Option<Unusable> {
        let field = self.schema.field(column);
        if field.metadata().contains_key(OBJECTS) {
            return Some(Unusable::Objects);
        }
        spelling::unusable(field.data_type())
    }

    fn texts(&self, column: usize, rows: Range<u64>, texts: &mut Texts) -> Result<()> {
        for (batch, start) in self.batches.iter().zip(&self.starts) {
            let end = start + batch.num_rows() as u64;
            let (from, to) = (rows.start.max(*start), rows.end.min(end));
            if from >= to {
                continue;
            }
            let part = batch.column(column).slice((from - start) as usize, (to - from) as usize);
            spelling::spell(&part, texts).map_err(|problem| {
                let row = from + problem.place as u64 + 1;
                let name = self.schema.field(column).name();
                Error::column(name, format!("row {row}: {}", problem.what))
            })?;
        }
        Ok(())
    }
}
