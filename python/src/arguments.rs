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
    let (given_keys, known_keys) = (keys(&given), keys(&known));
    if let Some(unknown) = given_keys.iter().find(|key| !known_keys.contains(key)) {
        // The table is the first argument, and `hierarchy` is called `hierarchies`.
        let named =
            known_keys.iter().filter(|key| !["input", "hierarchies"].contains(&key.as_str()));
        let known: Vec<String> = named.map(|key| keyword(key)).collect();
        let known = known.iter().map(String::as_str);
        return Err(Error::unknown("argument", &keyword(unknown), known));
    }
    serde_json::from_value(given).map_err(wrong)
}

fn keys(of: &Value) -> Vec<String> {
    of.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
}

/// Anything as JSON.
pub(crate) fn json(of: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(of)
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
}
