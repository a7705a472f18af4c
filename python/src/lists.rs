//! Arrow tables from lists of Python values, for callers without a library of tables.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::running::bug;
use crate::table::ArrowTable;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Truth,
    Whole,
    Number,
    Text,
}

/// Makes a table of columns, each a list of texts, numbers, booleans, dates and missing values.
#[pyfunction]
pub(crate) fn of_lists(
    names: Vec<String>,
    columns: Vec<Vec<Bound<'_, PyAny>>>,
) -> PyResult<ArrowTable> {
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for (name, values) in names.iter().zip(&columns) {
        let array = array(name, values)?;
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays);
    let batch =
        batch.map_err(|_| pyo3::exceptions::PyValueError::new_err(uneven(&names, &columns)))?;
    Ok(ArrowTable::new(vec![batch], schema))
}

fn uneven(names: &[String], columns: &[Vec<Bound<'_, PyAny>>]) -> String {
    let lengths = names.iter().zip(columns).map(|(name, of)| format!("'{name}' {}", of.len()));
    format!("columns differ in their number of values: {}", lengths.collect::<Vec<_>>().join(", "))
}

fn array(name: &str, values: &[Bound<'_, PyAny>]) -> PyResult<ArrayRef> {
    let mut kind: Option<Kind> = None;
    let mut first: Option<&Bound<'_, PyAny>> = None;
    for (place, value) in values.iter().enumerate() {
        let Some(own) = kind_of(value) else { continue };
        kind = match (kind, own) {
            (None, own) => Some(own),
            (Some(known), own) if known == own => Some(known),
            (Some(Kind::Whole | Kind::Number), Kind::Whole | Kind::Number) => Some(Kind::Number),
            _ => return Err(mixed(name, place, first.unwrap_or(value), value)?),
        };
        first = first.or(Some(value));
    }
    Ok(match kind {
        Some(Kind::Truth) => {
            let mut array = BooleanBuilder::new();
            values.iter().for_each(|value| array.append_option(value.extract().ok()));
            Arc::new(array.finish())
        }
        Some(Kind::Whole) => whole(values),
        Some(Kind::Number) => Arc::new(numbers(values).finish()),
        Some(Kind::Text) | None => {
            let mut array = StringBuilder::new();
            for value in values {
                let text = kind_of(value).map(|_| value.str()).transpose()?;
                let text = text.map(|text| text.to_cow().map(std::borrow::Cow::into_owned));
                array.append_option(text.transpose()?);
            }
            Arc::new(array.finish())
        }
    })
}

/// Whole numbers, or floating-point numbers if one is too large.
fn whole(values: &[Bound<'_, PyAny>]) -> ArrayRef {
    let is_large =
        |value: &Bound<'_, PyAny>| kind_of(value).is_some() && value.extract::<i64>().is_err();
    if values.iter().any(is_large) {
        return Arc::new(numbers(values).finish());
    }
    let mut array = Int64Builder::new();
    values.iter().for_each(|value| array.append_option(value.extract().ok()));
    Arc::new(array.finish())
}

fn numbers(values: &[Bound<'_, PyAny>]) -> Float64Builder {
    let mut array = Float64Builder::new();
    for value in values {
        array.append_option(kind_of(value).and_then(|_| value.extract().ok()));
    }
    array
}

/// The kind of a value; `None` if it is missing. Anything else than numbers and truths is text.
fn kind_of(value: &Bound<'_, PyAny>) -> Option<Kind> {
    if value.is_none() {
        return None;
    }
    if value.is_instance_of::<PyBool>() {
        Some(Kind::Truth)
    } else if value.is_instance_of::<PyInt>() {
        Some(Kind::Whole)
    } else if value.is_instance_of::<PyFloat>() {
        value.extract::<f64>().is_ok_and(|number| !number.is_nan()).then_some(Kind::Number)
    } else if value.is_instance_of::<PyString>() {
        Some(Kind::Text)
    } else if value.hasattr("__index__").unwrap_or(false) {
        Some(Kind::Whole)
    } else if value.hasattr("__float__").unwrap_or(false) {
        Some(Kind::Number)
    } else {
        Some(Kind::Text)
    }
}

/// The exception for a value of another type than the values before it.
fn mixed(
    name: &str,
    place: usize,
    first: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<PyErr> {
    let py = value.py();
    let (row, before) = (place + 1, first.get_type().name()?);
    let found = value.get_type().name()?;
    let message = format!(
        "column '{name}': row {row} has a value of type {found}, after values of type {before}; convert \
         the column to one type"
    );
    let details = PyDict::new(py);
    details.set_item("column", name)?;
    details.set_item("row", row)?;
    details.set_item("type", &found)?;
    let module = py.import("hedgerow.errors")?;
    let exception = module.call_method1("exception", ("MixedTypes", message, details));
    Ok(PyErr::from_value(exception.map_err(|error| bug(&error.to_string()))?))
}
