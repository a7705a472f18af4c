//! Keyword arguments as the job of the library.

use hedgerow::Error;
use hedgerow::job::Job;
use pyo3::prelude::*;

use crate::errors::raised;

/// Number of threads if the caller does not choose one.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a job from JSON, whose keys are those of a job file.
pub(crate) fn job(py: Python<'_>, options: &str) -> PyResult<Job> {
    let mut job: Job = serde_json::from_str(options).map_err(|error| {
        let text = error.to_string();
        // The place in the JSON means nothing to a caller who did not write it.
        let problem = text.split(" at line ").next().unwrap_or(&text);
        raised(py, &Error::invalid(format!("an argument is wrong: {problem}")))
    })?;
    if job.threads == 0 {
        job.threads = threads();
    }
    Ok(job)
}

/// Anything as JSON.
pub(crate) fn json(of: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(of)
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
}
