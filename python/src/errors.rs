//! Errors of the library as exceptions of the Python package.

use hedgerow::Error;
use hedgerow::error::Unmet;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::advice;

/// Returns the exception for an error: the class of `hedgerow.errors` that is named after its
/// variant, with the fields of the error as attributes.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let message = error.message(&advice::spell);
    built(py, error, &message).unwrap_or_else(|problem| problem)
}

fn built(py: Python<'_>, error: &Error, message: &str) -> PyResult<PyErr> {
    let details = PyDict::new(py);
    let name = described(innermost(error), &details)?;
    if let Error::InFile { path, .. } | Error::File { path, .. } | Error::Io { path, .. } = error {
        details.set_item("path", path.to_string_lossy())?;
    }
    let module = py.import("hedgerow.errors")?;
    let exception = module.call_method1("exception", (name, message, details))?;
    Ok(PyErr::from_value(exception))
}

/// The error inside the ones that say in which file or method it occurred.
fn innermost(error: &Error) -> &Error {
    match error {
        Error::InFile { cause, .. } | Error::Obstacle { cause, .. } | Error::Edit { cause, .. } => {
            innermost(cause)
        }
        other => other,
    }
}

/// Adds the fields of an error to `details`, and returns the name of its class.
fn described(error: &Error, details: &Bound<'_, PyDict>) -> PyResult<&'static str> {
    Ok(match error {
        Error::Io { .. } | Error::File { .. } => "FileError",
        Error::Syntax { line, .. } => {
            details.set_item("line", line)?;
            "SyntaxProblem"
        }
        Error::UnknownColumn { name, suggestion, columns, .. } => {
            details.set_item("name", name)?;
            details.set_item("suggestion", suggestion)?;
            details.set_item("columns", columns)?;
            "UnknownColumn"
        }
        Error::Unknown { what, name, suggestion, known, .. } => {
            details.set_item("what", what)?;
            details.set_item("name", name)?;
            details.set_item("suggestion", suggestion)?;
            details.set_item("known", known)?;
            "UnknownName"
        }
        Error::NotInHierarchy { column, value, row, .. } => {
            described_value(details, column, value, Some(*row))?;
            "NotInHierarchy"
        }
        Error::Value { column, value, row, .. } => {
            described_value(details, column, value, *row)?;
            "BadValue"
        }
        Error::Column { column, .. } => {
            details.set_item("column", column)?;
            "BadColumn"
        }
        Error::Parameter { method, parameter, value, .. } => {
            details.set_item("method", method)?;
            details.set_item("parameter", parameter)?;
            details.set_item("value", value)?;
            "BadParameter"
        }
        Error::Method { method, .. } => {
            details.set_item("method", method)?;
            "MethodError"
        }
        Error::Unreachable { unmet, .. } => {
            unmet.as_deref().map_or(Ok(()), |unmet| described_unmet(unmet, details))?;
            "Unreachable"
        }
        Error::Undecided { columns, .. } => {
            let suggested = columns.iter().map(|found| (found.column.clone(), found.key));
            details.set_item("columns", suggested.collect::<Vec<_>>())?;
            "Undecided"
        }
        Error::Unfit { format, .. } => {
            details.set_item("format", format)?;
            "Unfit"
        }
        Error::Cancelled => "Cancelled",
        Error::Internal(_) | Error::Flawed(_) => "InternalError",
        _ => "Invalid",
    })
}

fn described_unmet(unmet: &Unmet, details: &Bound<'_, PyDict>) -> PyResult<()> {
    details.set_item("model", &unmet.model)?;
    details.set_item("column", &unmet.column)?;
    details.set_item("asked", unmet.asked)?;
    details.set_item("best", unmet.best)
}

fn described_value(
    details: &Bound<'_, PyDict>,
    column: &str,
    value: &str,
    row: Option<u64>,
) -> PyResult<()> {
    details.set_item("column", column)?;
    details.set_item("value", value)?;
    details.set_item("row", row)
}
