//! Checks a job before any file is read.

use std::path::Path;

use super::Job;
use crate::error::{Advice, Missing};
use crate::io::Output;
use crate::{Error, Result};

/// Returns an error if the release cannot have the encoding that the job names.
pub(super) fn can_be_encoded(job: &Job, output: &Output) -> Result<()> {
    let Some(charset) = job.output_encoding.filter(|_| output.is_parquet()) else {
        return Ok(());
    };
    let problem = format!("a Parquet file cannot be written in {charset}: its text is UTF-8");
    Err(Error::invalid(problem).advise([Advice::LeaveOut { key: "output-encoding", column: None }]))
}

/// Returns an error if the job is incomplete. A job that is only measured needs no output.
pub(super) fn is_complete(job: &Job, needs_output: bool) -> Result<()> {
    if job.time.is_some_and(|seconds| seconds.is_nan() || seconds <= 0.0) {
        return Err(Error::invalid("the time limit must be a number of seconds above 0")
            .advise([Advice::LeaveOut { key: "time", column: None }]));
    }
    if job.population.as_deref() == Some(Path::new("-")) {
        return Err(Error::invalid("the population cannot be read from standard input")
            .advise([Advice::words("name a file")]));
    }
    let mut missing = Vec::new();
    if job.quasi.is_empty() {
        missing.push(Missing::Quasi);
    }
    if needs_output && job.output.as_os_str().is_empty() {
        missing.push(Missing::Output);
    }
    if job.k == 0 {
        missing.push(Missing::K);
    }
    if missing.is_empty() { Ok(()) } else { Err(Error::Incomplete { missing }) }
}
