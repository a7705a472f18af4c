//! What is wrong with a job before anything is read.

use std::collections::BTreeMap;

use super::Job;
use crate::format::lint;
use crate::hierarchy::{Generalization, RareValues};
use crate::io::{Inputs, Output};
use crate::registry::Registry;
use crate::release::Spelled;
use crate::{Error, Result};

/// Refuses a job that does not say enough.
pub(super) fn is_complete(job: &Job) -> Result<()> {
    if job.time.is_some_and(|seconds| seconds.is_nan() || seconds <= 0.0) {
        return Err(Error::invalid(
            "a time is a number of seconds above 0; leave it out for no limit",
        ));
    }
    if job.output.as_os_str().is_empty() || job.k == 0 {
        return Err(Error::invalid(
            "the job does not say where to write (output, or -o FILE) or for which k (k, or -k 5)",
        ));
    }
    Ok(())
}

/// Begins the release and, if asked for, the trace: two files, and none that the job reads.
pub(super) fn outputs(job: &Job) -> Result<(Output, Option<Output>)> {
    if job.trace.is_some() && !job.limit.is_empty() {
        return Err(Error::invalid(
            "with --limit each group of records has steps of its own, so there is no one trace; leave \
             --trace or --limit out",
        ));
    }
    let inputs = Inputs::of([&job.input])
        .and(&job.population)
        .and_of(Registry::Hierarchy, job.hierarchy.values())
        .and_of(Registry::Privacy, &job.privacy)
        .and_of(Registry::Anonymizer, [&job.method]);
    let output = Output::create_table(&job.output, job.force, &inputs)?;
    let Some(trace) = &job.trace else { return Ok((output, None)) };
    if Inputs::of([&job.output]).check(trace).is_err() {
        return Err(Error::file(trace, "this is also the release; name another for the trace"));
    }
    Ok((output, Some(Output::create(trace, job.force, &inputs)?)))
}

/// Refuses hierarchies that publish records under a value they do not have.
pub(super) fn labels(job: &Job, built: &[Generalization]) -> Result<()> {
    let mut trees = built.iter().filter_map(Generalization::hierarchy);
    match trees.find_map(|tree| Some((tree.attribute(), lint::borrowed_name(tree)?))) {
        Some((column, found)) if !job.force_labels => Err(Error::invalid(format!(
            "hierarchy of '{column}': {found}; rename the group, or publish it so with --force-labels"
        ))),
        _ => Ok(()),
    }
}

/// An error if values are spelled out that were to be hidden.
pub(super) fn rare_values(job: &Job, spelled: &BTreeMap<String, Spelled>) -> Result<()> {
    match spelled.iter().find(|(_, spelled)| spelled.rare > 0) {
        Some((column, _)) if job.rare_values == RareValues::Hide => {
            Err(Error::Internal(format!("a rare value of '{column}' would be published")))
        }
        _ => Ok(()),
    }
}
