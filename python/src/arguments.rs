//! Keyword arguments as the job of the library.

use hedgerow::Error;
use hedgerow::job::Job;
use pyo3::prelude::*;
use serde_json::Value;

use crate::advice::keyword;
use crate::errors::raised;

/// Number of threads if the caller does not choose one.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a job from JSON, whose keys are those of a job file.
pub(crate) fn job(py: Python<'_>, options: &str) -> PyResult<Job> {
    let mut job = read(options).map_err(|error| raised(py, &error))?;
    if job.threads == 0 {
        job.threads = threads();
    }
    Ok(job)
}

fn read(options: &str) -> hedgerow::Result<Job> {
    let wrong = |error: serde_json::Error| {
        let text = error.to_string();
        // The place in the JSON means nothing to a caller who did not write it.
        let problem = text.split(" at line ").next().unwrap_or(&text);
        Error::invalid(format!("an argument is wrong: {problem}"))
    };
    let given: Value = serde_json::from_str(options).map_err(wrong)?;
    let known = serde_json::to_value(Job::default()).map_err(wrong)?;
    // The table is the first argument, and `hierarchy` is called `hierarchies`.
    let named = keys(&known).into_iter().filter(|key| !["input", "hierarchies"].contains(&&**key));
    let known: Vec<String> = named.map(|key| keyword(&key)).collect();
    let given_keys: Vec<String> = keys(&given).into_iter().filter(|key| key != "input").collect();
    let given_keys: Vec<String> = given_keys.iter().map(|key| keyword(key)).collect();
    are_known(&given_keys, &known)?;
    serde_json::from_value(given).map_err(wrong)
}

/// Raises an error for a keyword argument that a function does not have. `known` are those that it
/// has.
#[pyfunction]
pub(crate) fn check_arguments(
    py: Python<'_>,
    given: Vec<String>,
    known: Vec<String>,
) -> PyResult<()> {
    are_known(&given, &known).map_err(|error| raised(py, &error))
}

fn are_known(given: &[String], known: &[String]) -> hedgerow::Result<()> {
    match given.iter().find(|name| !known.contains(name)) {
        Some(name) => Err(Error::unknown("argument", name, known.iter().map(String::as_str))),
        None => Ok(()),
    }
}

fn keys(of: &Value) -> Vec<String> {
    of.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
}

/// Anything as JSON.
pub(crate) fn json(of: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(of)
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
}
