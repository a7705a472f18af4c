//! `recode`: unseen records by the rules of a recipe, for learners and not for publication.

use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use hedgerow::io::ReadOptions;
use hedgerow::recipe::Recipe;
use hedgerow::{Error, Result};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

use crate::errors::raised;
use crate::frame::ArrowFrame;
use crate::running::run;
use crate::table::ArrowTable;

/// The cell of a record in which a value has no rule.
const NOTHING: &str = "*";

/// Recodes the quasi-identifiers of a table by the rules of a recipe, row by row. Nothing is
/// checked, so the result is for learners and must not be published.
#[pyfunction]
pub(crate) fn recode(
    py: Python<'_>,
    table: AnyRecordBatch,
    recipe: &str,
    unseen: &str,
) -> PyResult<ArrowTable> {
    let recipe = Recipe::from_text(recipe).map_err(|error| raised(py, &error))?;
    let frame = Arc::new(ArrowFrame::of(table)?);
    run(py, None, |progress| {
        let reading =
            ReadOptions { encoding: recipe.encoding(), keep_rows: true, ..ReadOptions::default() };
        let table = frame.opened()?.read(&recipe.columns()?, &reading, progress)?;
        let recoded = recipe.recode_unchecked(&table, unseen.parse()?, progress)?;
        let rows = table.rows().unwrap_or_default();
        let cells = |place: usize| -> ArrayRef {
            let mut column = StringDictionaryBuilder::<Int32Type>::new();
            for cohort in rows {
                let cells = cohort.and_then(|cohort| recoded.cells(cohort));
                let cell = cells.map_or(NOTHING, |cells| &cells[place]);
                // A missing value stays missing.
                column.append_option((!cell.is_empty()).then_some(cell));
            }
            Arc::new(column.finish())
        };
        made(recoded.columns(), &cells)
    })
}

fn made(names: &[String], cells: &dyn Fn(usize) -> ArrayRef) -> Result<ArrowTable> {
    let columns: Vec<ArrayRef> = (0..names.len()).map(cells).collect();
    let fields = names.iter().zip(&columns);
    let fields = fields.map(|(name, column)| Field::new(name, column.data_type().clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns);
    let batch = batch.map_err(|error| Error::Internal(error.to_string()))?;
    Ok(ArrowTable::new(vec![batch], schema))
}
