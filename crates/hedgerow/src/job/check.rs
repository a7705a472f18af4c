//! Checks a job before any file is read.

use std::path::Path;

use super::Job;
use crate::{Error, Result};

/// Returns an error if the job is incomplete.
pub(super) fn is_complete(job: &Job) -> Result<()> {
    if job.time.is_some_and(|seconds| seconds.is_nan() || seconds <= 0.0) {
        return Err(Error::invalid(
            "a time is a number of seconds above 0; leave it out for no limit",
        ));
    }
    if job.population.as_deref() == Some(Path::new("-")) {
        return Err(Error::invalid("a population cannot come through standard input; name a file"));
    }
    let mut lacking = Vec::new();
    if job.output.as_os_str().is_empty() {
        lacking.push("where to write (output, or -o FILE)");
    }
    if job.k == 0 {
        lacking.push("for which k (k, or -k 5)");
    }
    if lacking.is_empty() {
        return Ok(());
    }
    Err(Error::invalid(format!("the job does not say {}", lacking.join(" and "))))
}
