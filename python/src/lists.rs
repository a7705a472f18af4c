//! Arrow tables from lists of Python values, for callers without a library of tables.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{Field, Schema};
use hedgerow::Error;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::errors::raised;
use crate::running::bug;
use crate::table::ArrowTable;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Truth,
    Whole,
    Number,
    /// Numbers that neither 64 bits nor a floating-point number hold exactly. They are texts.
    Exact,
    Text,
}

/// Makes a table of columns, each a list of texts, numbers, booleans, dates and missing values.
#[pyfunction]
pub(crate) fn of_lists(
    py: Python<'_>,
    names: Vec<String>,
    columns: Vec<Vec<Bound<'_, PyAny>>>,
) -> PyResult<ArrowTable> {
    if columns.iter().any(|column| column.len() != columns[0].len()) {
        return Err(raised(py, &Error::invalid(uneven(&names, &columns))));
    }
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for (name, values) in names.iter().zip(&columns) {
        let array = array(name, values)?;
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays);
    Ok(ArrowTable::new(vec![batch.map_err(|error| bug(&error.to_string()))?], schema))
}

fn uneven(names: &[String], columns: &[Vec<Bound<'_, PyAny>>]) -> String {
    let lengths = names.iter().zip(columns).map(|(name, of)| format!("'{name}' {}", of.len()));
    format!("columns differ in their number of values: {}", lengths.collect::<Vec<_>>().join(", "))
}

fn array(name: &str, values: &[Bound<'_, PyAny>]) -> PyResult<ArrayRef> {
    let mut kind: Option<Kind> = None;
    let mut first: Option<&Bound<'_, PyAny>> = None;
    let mut kinds = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        let own = kind_of(value)?;
        kinds.push(own);
        let Some(own) = own else { continue };
        kind = match (kind, own) {
            (None, own) => Some(own),
            (Some(known), own) if known == own => Some(known),
            (Some(known), own) if is_number(known) && is_number(own) => Some(wider(known, own)),
            _ => return Err(mixed(name, place, first.unwrap_or(value), value)?),
        };
        first = first.or(Some(value));
    }
    let known = values.iter().zip(kinds).map(|(value, kind)| kind.map(|_| value));
    Ok(match kind {
        Some(Kind::Truth) => {
            let truths = known.map(|value| value.map(PyAnyMethods::is_truthy).transpose());
            Arc::new(truths.collect::<PyResult<BooleanArray>>()?)
        }
        Some(Kind::Whole) => {
            let numbers = known.map(|value| value.map(PyAnyMethods::extract::<i64>).transpose());
            Arc::new(numbers.collect::<PyResult<Int64Array>>()?)
        }
        Some(Kind::Number) => {
            let numbers = known.map(|value| value.map(PyAnyMethods::extract::<f64>).transpose());
            Arc::new(numbers.collect::<PyResult<Float64Array>>()?)
        }
        Some(Kind::Exact | Kind::Text) | None => {
            let texts = known.map(|value| value.map(text).transpose());
            Arc::new(texts.collect::<PyResult<StringArray>>()?)
        }
    })
}

fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Whole | Kind::Number | Kind::Exact)
}

/// The kind of a column with numbers of two kinds.
fn wider(one: Kind, other: Kind) -> Kind {
    if one == Kind::Exact || other == Kind::Exact { Kind::Exact } else { Kind::Number }
}

/// The kind of a value; `None` if it is missing. Anything else than numbers and truths is text.
fn kind_of(value: &Bound<'_, PyAny>) -> PyResult<Option<Kind>> {
    if value.is_none() {
        return Ok(None);
    }
    // The usual types first, because there can be millions of values.
    if value.is_instance_of::<PyBool>() {
        return Ok(Some(Kind::Truth));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Some(Kind::Text));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Some(whole(value)));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(value
            .extract::<f64>()
            .is_ok_and(|number| !number.is_nan())
            .then_some(Kind::Number));
    }
    if is_missing(value)? {
        return Ok(None);
    }
    Ok(Some(match kind_of_array(value).as_deref() {
        Some("b") => Kind::Truth,
        Some("i" | "u") => whole(value),
        Some("f") => Kind::Number,
        None if is_decimal(value)? => Kind::Exact,
        None if value.hasattr("__index__")? => whole(value),
        None if value.extract::<f64>().is_ok() => Kind::Number,
        // Also moments of numpy, which convert to a number of nanoseconds.
        _ => Kind::Text,
    }))
}

fn whole(value: &Bound<'_, PyAny>) -> Kind {
    if value.extract::<i64>().is_ok() { Kind::Whole } else { Kind::Exact }
}

/// The kind of the array of numpy that a scalar would be an item of.
fn kind_of_array(value: &Bound<'_, PyAny>) -> Option<String> {
    value.getattr("dtype").ok()?.getattr("kind").ok()?.extract().ok()
}

fn is_decimal(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.is_instance(&value.py().import("decimal")?.getattr("Decimal")?)
}

/// Whether a value means that one is missing: not a number, not a time, or `pandas.NA`.
fn is_missing(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.get_type().name()? == "NAType" {
        return Ok(true);
    }
    // Only these are not equal to themselves. Comparisons of arrays have no truth.
    Ok(value.ne(value).unwrap_or(false))
}

/// A value as text.
fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = if is_decimal(value)? {
        // Without an exponent.
        value.call_method1("__format__", ("f",))?.extract()?
    } else {
        value.str()?.to_cow()?.into_owned()
    };
    Ok(if kind_of_array(value).as_deref() == Some("M") { moment(&text) } else { text })
}

/// A moment of numpy as the command line writes it: with 3, 6 or 9 digits of a second, if any.
fn moment(text: &str) -> String {
    let text = text.replace('T', " ");
    let Some((seconds, part)) = text.split_once('.') else { return text };
    let mut part = part;
    while let Some(shorter) = part.strip_suffix("000") {
        part = shorter;
    }
    if part.is_empty() { seconds.to_owned() } else { format!("{seconds}.{part}") }
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
