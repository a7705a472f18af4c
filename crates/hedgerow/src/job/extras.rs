//! Other outputs of a job: the trace of its search, and its hierarchies.

use std::path::{Path, PathBuf};

use super::Job;
use crate::anonymize::Solved;
use crate::io::{Inputs, Output};
use crate::progress::Progress;
use crate::publish::HierarchyFolder;
use crate::registry::Registry;
use crate::study::Study;
use crate::{Error, Result};

/// Files that get their final names after the release.
pub(super) struct Extras {
    trace: Option<Output>,
    hierarchies: Option<HierarchyFolder>,
}

/// Starts the release and the other files. It is an error if one is an input of the job or two are
/// the same.
pub(super) fn outputs(job: &Job) -> Result<(Output, Extras)> {
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
    let folder = job.hierarchies.as_ref();
    let create = |folder: &PathBuf| {
        check_apart(folder, [Some(&job.output), job.trace.as_ref()].into_iter().flatten())?;
        HierarchyFolder::create(folder, &job.quasi, job.force, &inputs)
    };
    let hierarchies = folder.map(create).transpose()?;
    let Some(trace) = &job.trace else {
        return Ok((output, Extras { trace: None, hierarchies }));
    };
    if Inputs::of([&job.output]).check(trace).is_err() {
        return Err(Error::file(trace, "this is also the release; name another for the trace"));
    }
    let trace = Some(Output::create(trace, job.force, &inputs)?);
    Ok((output, Extras { trace, hierarchies }))
}

/// Returns an error if a folder is, contains or is inside another output.
fn check_apart<'a>(folder: &Path, mut others: impl Iterator<Item = &'a PathBuf>) -> Result<()> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let whole = absolute(folder);
    let touches = |other: &&PathBuf| {
        let other = absolute(other);
        other.starts_with(&whole) || whole.starts_with(&other)
    };
    match others.find(touches) {
        None => Ok(()),
        Some(other) => Err(Error::file(
            folder,
            format!("hierarchies need a folder of their own, apart from {}", other.display()),
        )),
    }
}

impl Extras {
    /// Writes the steps of the search, which the method must have recorded.
    pub(super) fn with_trace(self, solved: &Solved) -> Result<Self> {
        let Some(file) = self.trace else { return Ok(self) };
        let trace = solved.recoding.trace.as_deref().ok_or_else(|| {
            Error::invalid(format!(
                "method '{}' keeps no trace of its steps; leave --trace out, or take bottom-up or top-down",
                solved.method.name
            ))
        })?;
        Ok(Self { trace: Some(file.with(trace.as_bytes())?), ..self })
    }

    /// Gives the files their final names. Errors become warnings, because the release is already
    /// written.
    pub(super) fn finish(self, study: &Study, progress: &dyn Progress) -> Vec<String> {
        let failed = |what: &str, done: Result<()>| {
            let error = done.err()?;
            Some(format!("the release is written, but {what} not: {error}"))
        };
        let trace = self.trace.and_then(|file| failed("the trace of its search is", file.finish()));
        let save = |folder: HierarchyFolder| folder.save(study, progress);
        let saved = self.hierarchies.and_then(|f| failed("its hierarchies are", save(f)));
        trace.into_iter().chain(saved).collect()
    }
}
