//! The files that the studio itself changes, edits and senses, as a run found them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hedgerow::edit::Script;
use hedgerow::file::read_to_string;
use hedgerow::job::Job;
use hedgerow::method::Spec;
use tempfile::TempDir;

use super::Folder;
use crate::fault::{Done, Fault};

/// Texts of edits and senses by their paths.
pub(crate) type Texts = BTreeMap<PathBuf, String>;

/// A job that reads copies of its edits and senses, so that later edits do not change what it does.
#[derive(Clone)]
pub(crate) struct Frozen {
    pub(crate) job: Job,
    /// The files in the place of which the copies are, by copy.
    pub(crate) copies: BTreeMap<PathBuf, PathBuf>,
    /// The folder of the copies, which is removed with the last run that reads them.
    _folder: Option<Arc<TempDir>>,
}

/// The senses file that a method of words reads.
pub(crate) fn senses_of(spec: &Spec) -> Option<PathBuf> {
    spec.parameters.get("senses").and_then(|path| path.as_str()).map(PathBuf::from)
}

/// The texts of the edits and senses that a job with absolute paths reads. A file that cannot be
/// read is left out; a run says why.
pub(crate) fn texts(job: &Job) -> Texts {
    let scripts = job.edits.values().filter_map(|path| Script::read(path).ok());
    let in_scripts =
        scripts.flat_map(|script| script.methods().filter_map(senses_of).collect::<Vec<_>>());
    let senses = job.hierarchy.values().filter_map(senses_of).chain(in_scripts);
    let paths = job.edits.values().cloned().chain(senses);
    paths.filter_map(|path| Some((path.clone(), read_to_string(&path).ok()?))).collect()
}

impl Frozen {
    /// Copies the edits and senses of a job with absolute paths. Its outputs are left out: a run
    /// has none until it is exported.
    pub(crate) fn new<'t>(job: &Job, texts: &'t Texts, folder: &Folder) -> Done<Self> {
        let job = without_outputs(job);
        let read: Vec<(&'t PathBuf, &'t String)> =
            texts.iter().filter(|(path, _)| reads(&job, texts, path)).collect();
        if read.is_empty() {
            return Ok(Self { job, copies: BTreeMap::new(), _folder: None });
        }
        let folder = folder.scratch()?;
        // Each in a folder of its own, so that reports show its name.
        let copy = |(number, (path, _)): (usize, &(&'t PathBuf, &'t String))| {
            let name = path.file_name().unwrap_or_default();
            (path.as_path(), folder.path().join(number.to_string()).join(name))
        };
        let copy_of: BTreeMap<&Path, PathBuf> = read.iter().enumerate().map(copy).collect();
        for &(path, text) in &read {
            let is_edits = job.edits.values().any(|edits| edits == path);
            let text = if is_edits {
                placed(text, path, &mut |path| copied(&copy_of, path))
            } else {
                text.clone()
            };
            let copy = &copy_of[path.as_path()];
            Folder::prepare(copy)?;
            std::fs::write(copy, text)
                .map_err(|cause| Fault::input(format!("the edits cannot be copied: {cause}")))?;
        }
        let copies =
            copy_of.iter().map(|(path, copy)| (copy.clone(), path.to_path_buf())).collect();
        let job = job.with_paths(&mut |path| copied(&copy_of, path));
        Ok(Self { job, copies, _folder: Some(Arc::new(folder)) })
    }

    /// Another job that reads the same copies.
    pub(crate) fn with_job(&self, job: Job) -> Self {
        Self { job, ..self.clone() }
    }
}

/// The copy of a file, or the file itself if it has none.
fn copied(copy_of: &BTreeMap<&Path, PathBuf>, path: &Path) -> PathBuf {
    copy_of.get(path).map_or(path, PathBuf::as_path).to_owned()
}

/// Whether a job reads a file of which the text is known.
fn reads(job: &Job, texts: &Texts, path: &Path) -> bool {
    let is_edits = job.edits.values().any(|edits| edits == path);
    let is_senses = |spec: &Spec| senses_of(spec).as_deref() == Some(path);
    let in_scripts = || {
        let scripts = job.edits.values().filter_map(|edits| Some((edits, texts.get(edits)?)));
        let mut scripts = scripts.filter_map(|(edits, text)| script(text, edits));
        scripts.any(|script| script.methods().any(is_senses))
    };
    is_edits || job.hierarchy.values().any(is_senses) || in_scripts()
}

/// A script with absolute paths.
fn script(text: &str, path: &Path) -> Option<Script> {
    let script = Script::parse(text).ok()?;
    Some(script.in_directory(path.parent().unwrap_or(Path::new(""))))
}

/// The text of a script for another folder. A text that is not a script stays as it is, and is
/// refused when it is used.
pub(crate) fn placed(
    text: &str,
    path: &Path,
    replaced: &mut dyn FnMut(&Path) -> PathBuf,
) -> String {
    script(text, path).map_or_else(|| text.to_owned(), |all| all.with_paths(replaced).to_text())
}

fn without_outputs(job: &Job) -> Job {
    Job {
        output: PathBuf::new(),
        trace: None,
        classes: None,
        hierarchies: None,
        recipe: None,
        report: None,
        report_public: None,
        force: false,
        ..job.clone()
    }
}
