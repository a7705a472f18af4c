//! `inspect`: the columns of a table and their suggested roles.

use hedgerow::inspect::{Inspection, Look};
use pyo3::prelude::*;

use crate::advice;
use crate::arguments::{job, json};
use crate::opened::opened;
use crate::running::run;

/// Inspects a table, and returns an inspection as JSON. With a `k`, hierarchies are chosen too.
#[pyfunction]
#[pyo3(signature = (table, options, k=None, listener=None))]
pub(crate) fn inspect(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    options: &str,
    k: Option<u64>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let job = job(py, options)?;
    let source = opened(table, &job)?;
    let found = run(py, listener, |progress| {
        let (reading, person) = (job.reading(false), job.person.clone());
        let look = Look { reading, person, k, spell: &advice::spell };
        Inspection::of(&source, &look, progress)
    })?;
    json(&found)
}
