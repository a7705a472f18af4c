//! What is wrong with a job before anything is read.

use std::path::{Path, PathBuf};

use std::collections::BTreeMap;

use super::Job;
use crate::hierarchy::{Generalization, RareValues, lint};
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

/// Refuses to write over a file that is read, or twice to the same.
pub(super) fn outputs(job: &Job) -> Result<()> {
    if is_same_file(&job.input, &job.output) {
        let message = "this is the input; name another file for the release";
        return Err(Error::file(&job.output, message));
    }
    if job.trace.is_some() && !job.limit.is_empty() {
        return Err(Error::invalid(
            "with --limit each group of records has steps of its own, so there is no one trace; leave \
             --trace or --limit out",
        ));
    }
    let specs = job.hierarchy.values().chain(&job.privacy);
    let files = specs.flat_map(|spec| [spec.parameters.get("path"), spec.parameters.get("file")]);
    let files = files.flatten().filter_map(|file| file.as_str());
    let named = job.hierarchy.values().map(|spec| spec.name.as_str()); // a file may stand for a method
    let files = files.chain(named).map(PathBuf::from);
    let read: Vec<PathBuf> =
        files.chain([job.input.clone()]).chain(job.population.clone()).collect();
    for (place, written) in
        [Some(&job.output), job.trace.as_ref()].into_iter().flatten().enumerate()
    {
        let is_read = read.iter().any(|file| is_same_file(file, written));
        if is_read || (place > 0 && is_same_file(&job.output, written)) {
            let message = "this file is read or written by the same job; name another";
            return Err(Error::file(written, message));
        }
    }
    Ok(())
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

/// Whether two paths are the same place, even if there is no file yet.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        path.canonicalize().ok().or_else(|| Some(folder.join(path.file_name()?)))
    };
    full(one).is_some() && full(one) == full(other)
}
