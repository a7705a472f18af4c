//! Functions for a cluster: from counts to a mapping, and an examination of sampled columns.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use hedgerow::io::{Frame, Texts};
use hedgerow::job::{self, Counting, Counts, Planned};
use hedgerow::release::{MappedColumn, Mapping};
use hedgerow::table::Counted;
use hedgerow::{Error, Result};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

use crate::anonymize::told;
use crate::arguments::{job, json};
use crate::errors::raised;
use crate::frame::ArrowFrame;
use crate::parts::{frames, margins, merged};
use crate::published::text_field;
use crate::running::{bug, run};
use crate::table::ArrowTable;

/// A distinct tuple with its number of records.
pub(crate) type Tuple = Counted<Vec<String>>;

/// A plan for publishing records that were counted elsewhere.
#[pyclass(module = "hedgerow._hedgerow", frozen)]
pub(crate) struct NativePlan {
    planned: Planned,
}

/// Plans the release of a table of which only counts are known.
///
/// `counts` has one row for each distinct tuple: its columns, the column `count` with the number of
/// records, and the column `first` with the position of the first of them, counted from 0.
/// `names` are the names of these two. `options` is a job as JSON. If the tuples are a part of a
/// table, `whole` has the values of its columns, as [`divide`](crate::parts::divide) takes them.
#[pyfunction]
#[pyo3(signature = (counts, names, options, listener=None, whole=None))]
pub(crate) fn plan(
    py: Python<'_>,
    counts: AnyRecordBatch,
    names: (String, String),
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
    whole: Option<Vec<AnyRecordBatch>>,
) -> PyResult<NativePlan> {
    let job = job(py, options)?;
    let frame = ArrowFrame::of(counts)?;
    let whole = whole.map(frames).transpose()?;
    let planned = run(py, listener, |progress| {
        let (columns, counts) = tuples(&frame, &names.0, &names.1)?;
        let Some(whole) = whole else {
            return job::run_on_counts(&job, &columns, &counts, progress);
        };
        let margins = merged(&margins(&whole, &names)?);
        let part = Counts { names: &columns, counts: &counts, whole: Some(&margins) };
        job::run_on_part(&job, &part, progress)
    })?;
    Ok(NativePlan { planned })
}

/// The columns of a table that must be counted for a plan, and those that its release has.
#[pyfunction]
pub(crate) fn counting(
    py: Python<'_>,
    header: Vec<String>,
    options: &str,
) -> PyResult<(Vec<String>, Vec<String>)> {
    let found = Counting::of(&job(py, options)?, &header).map_err(|error| raised(py, &error))?;
    Ok((found.counted, found.published))
}

/// Examines the columns of a sample of the records that a release would publish, and returns
/// warnings.
#[pyfunction]
#[pyo3(signature = (sample, options, listener=None))]
pub(crate) fn examine(
    py: Python<'_>,
    sample: AnyRecordBatch,
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<String>> {
    let job = job(py, options)?;
    let frame = Arc::new(ArrowFrame::of(sample)?);
    let source = frame.source(py)?;
    let warnings = run(py, listener, |progress| job::examine(&job, &source, progress))?;
    Ok(told(&warnings))
}

/// The values of a table as text, written as a release writes them. Nulls stay null.
#[pyfunction]
pub(crate) fn spelled(py: Python<'_>, table: AnyRecordBatch) -> PyResult<ArrowTable> {
    let frame = ArrowFrame::of(table)?;
    let spell = || {
        let columns = (0..frame.schema.fields().len())
            .map(|column| texts_of(&frame, column))
            .collect::<Result<Vec<ArrayRef>>>()?;
        let fields: Vec<Field> = frame.names().iter().map(|name| text_field(name)).collect();
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns);
        let batch = batch.map_err(|error| Error::Internal(error.to_string()))?;
        Ok(ArrowTable::new(vec![batch], schema))
    };
    py.detach(spell).map_err(|error: Error| raised(py, &error))
}

fn texts_of(frame: &ArrowFrame, column: usize) -> Result<ArrayRef> {
    let mut texts = Texts::default();
    frame.texts(column, 0..frame.n_rows(), &mut texts)?;
    let mut array = StringBuilder::new();
    let nulls = frame.chunks(column).into_iter().flat_map(|chunk| {
        let nulls = chunk.logical_nulls();
        (0..chunk.len()).map(move |place| nulls.as_ref().is_some_and(|nulls| nulls.is_null(place)))
    });
    for (text, is_null) in texts.iter().zip(nulls) {
        array.append_option((!is_null).then_some(text));
    }
    Ok(Arc::new(array.finish()))
}

/// The counted tuples, with the names of their columns.
pub(crate) fn tuples(
    frame: &ArrowFrame,
    count: &str,
    first: &str,
) -> Result<(Vec<String>, Vec<Tuple>)> {
    let all = frame.names();
    let [counts, firsts] = [count, first].map(|name| numbers(frame, &all, name));
    let (counts, firsts) = (counts?, firsts?);
    let is_tuple = |place: &usize| all[*place] != count && all[*place] != first;
    let places: Vec<usize> = (0..all.len()).filter(is_tuple).collect();
    let mut columns = Vec::with_capacity(places.len());
    for &place in &places {
        let mut texts = Texts::default();
        frame.texts(place, 0..frame.n_rows(), &mut texts)?;
        columns.push(texts);
    }
    let mut cells: Vec<_> = columns.iter().map(Texts::iter).collect();
    let mut tuples = Vec::with_capacity(counts.len());
    for (&count, &first_row) in counts.iter().zip(&firsts) {
        let fields = cells.iter_mut().map(|texts| texts.next().unwrap_or_default().into_owned());
        tuples.push(Counted { fields: fields.collect(), count, first_row });
    }
    Ok((places.iter().map(|&place| all[place].clone()).collect(), tuples))
}

/// The whole numbers of a column.
fn numbers(frame: &ArrowFrame, names: &[String], name: &str) -> Result<Vec<u64>> {
    let place = hedgerow::schema::find(names, name)?;
    let mut numbers = Vec::new();
    for chunk in frame.chunks(place) {
        let whole = cast(&chunk, &DataType::Int64)
            .map_err(|_| Error::column(name, "it does not have whole numbers"))?;
        for number in whole.as_primitive::<Int64Type>() {
            let number = number.and_then(|number| u64::try_from(number).ok());
            let row = numbers.len() as u64 + 1;
            numbers.push(number.ok_or_else(|| {
                Error::column(name, format!("row {row} has no whole number of 0 or more"))
            })?);
        }
    }
    Ok(numbers)
}

#[pymethods]
impl NativePlan {
    /// The figures as JSON.
    fn outcome(&self) -> PyResult<String> {
        json(&self.planned.outcome)
    }

    /// The warnings.
    fn warnings(&self) -> Vec<String> {
        told(&self.planned.outcome.warnings)
    }

    /// The published columns: the name, the quasi-identifier that each replaces, and whether its
    /// cells are numbers.
    fn columns(&self) -> Vec<(String, String, bool)> {
        described(&self.planned.mapping.columns)
    }

    /// The group of each counted tuple, in the order of the counts: one column `group`. Records of
    /// tuples without a group are left out.
    fn groups(&self) -> PyResult<ArrowTable> {
        let groups = self.planned.groups.iter().map(|group| group.map(|group| group as i64));
        let array: ArrayRef = Arc::new(groups.collect::<Int64Array>());
        let schema = Arc::new(Schema::new(vec![Field::new("group", DataType::Int64, true)]));
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![array]);
        Ok(ArrowTable::new(vec![batch.map_err(|error| bug(&error.to_string()))?], schema))
    }

    /// The cells that records of each group publish: columns `group`, `start`, `end` (the records
    /// of the group from number `start` until before `end`, counted from 0 in their order in the
    /// table), `published` (whether they are), and the published columns as text.
    fn runs(&self) -> PyResult<ArrowTable> {
        runs(&self.planned.mapping).map_err(|error| bug(&error.to_string()))
    }
}

/// Published columns: the name, the quasi-identifier that each replaces, and whether its cells are
/// numbers.
pub(crate) fn described(columns: &[MappedColumn]) -> Vec<(String, String, bool)> {
    columns.iter().map(|c| (c.name.clone(), c.quasi.clone(), c.is_numeric)).collect()
}

fn runs(mapping: &Mapping) -> std::result::Result<ArrowTable, ArrowError> {
    let mut numbers = [(); 3].map(|()| Int64Builder::new());
    let mut is_published: Vec<bool> = Vec::new();
    let mut cells: Vec<StringBuilder> =
        mapping.columns.iter().map(|_| StringBuilder::new()).collect();
    for (group, runs) in mapping.groups.iter().enumerate() {
        let mut start = 0;
        for run in runs.iter().filter(|run| run.count > 0) {
            let end = start + run.count as i64;
            let row = [group as i64, start, end];
            numbers.iter_mut().zip(row).for_each(|(column, number)| column.append_value(number));
            is_published.push(run.cells.is_some());
            for (place, column) in cells.iter_mut().enumerate() {
                column.append_option(run.cells.as_ref().map(|cells| &cells[place]));
            }
            start = end;
        }
    }
    let mut fields: Vec<Field> = ["group", "start", "end"]
        .iter()
        .map(|name| Field::new(*name, DataType::Int64, false))
        .collect();
    fields.push(Field::new("published", DataType::Boolean, false));
    fields.extend(mapping.columns.iter().map(|column| text_field(&column.name)));
    let mut columns: Vec<ArrayRef> =
        numbers.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
    columns.push(Arc::new(arrow_array::BooleanArray::from(is_published)));
    columns.extend(cells.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
    let schema = Arc::new(Schema::new(fields));
    Ok(ArrowTable::new(vec![RecordBatch::try_new(Arc::clone(&schema), columns)?], schema))
}
