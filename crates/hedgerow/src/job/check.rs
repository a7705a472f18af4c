//! What is wrong with a job before anything is read.

use super::Job;
use crate::io::{Inputs, Output};
use crate::{Error, Result};

/// Refuses a job that does not say enough.
pub(super) fn is_complete(job: &Job) -> Result<()> {
    if job.time.is_some_and(|seconds| seconds.is_nan() || seconds <= 0.0) {
        return Err(Error::invalid(
            "a time is a number of seconds above 0; leave it out for no limit",
        ));
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

/// Begins the release and, if asked for, the trace: two files, and none that the job reads.
pub(super) fn outputs(job: &Job) -> Result<(Output, Option<Output>)> {
    if job.trace.is_some() && !job.limit.is_empty() {
        return Err(Error::invalid(
            "with --limit each group of records has steps of its own, so there is no one trace; leave \
             --trace or --limit out",
        ));
    }
    let methods = job.hierarchy.values().chain(&job.privacy).chain([&job.method]);
    let inputs = Inputs::of([&job.input]).and(&job.population).and_of(methods);
    let output = Output::create_table(&job.output, job.force, &inputs)?;
    let Some(trace) = &job.trace else { return Ok((output, None)) };
    if Inputs::of([&job.output]).check(trace).is_err() {
        return Err(Error::file(trace, "this is also the release; name another for the trace"));
    }
    Ok((output, Some(Output::create(trace, job.force, &inputs)?)))
}
