//! Reads job files.

use std::path::{Path, PathBuf};

use super::Job;
use crate::builder::is_wordnet;
use crate::registry::Registry;
use crate::{Error, Result, file};

impl Job {
    /// Reads a job file. Its relative paths are relative to the folder of the file.
    pub fn from_file(path: &Path) -> Result<Self> {
        let text = file::read_to_string(path)?;
        let job = Self::from_toml(&text).map_err(|error| error.in_file(path))?;
        Ok(job.in_folder(path.parent().unwrap_or(Path::new(""))))
    }

    /// Reads the text of a job file. Its paths stay as they are written.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] with the line, if it is not a job.
    pub fn from_toml(text: &str) -> Result<Self> {
        toml::from_str(text).map_err(|error| not_a_job(&error, text))
    }

    /// Makes relative paths relative to a folder, as those of a job file are to its own.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.move_to(folder);
        self
    }

    /// Makes relative paths relative to a directory.
    pub(crate) fn move_to(&mut self, base: &Path) {
        // `join` leaves absolute paths as they are.
        self.replace_paths(&mut |path| base.join(path));
    }

    /// Replaces each path of the job: inputs, outputs, and those in the parameters of methods.
    #[must_use]
    pub fn with_paths(mut self, replaced: &mut dyn FnMut(&Path) -> PathBuf) -> Self {
        self.replace_paths(replaced);
        self
    }

    fn replace_paths(&mut self, replaced: &mut dyn FnMut(&Path) -> PathBuf) {
        let job = self;
        // `-` is standard input, and an empty path means that the output is not named yet.
        let is_file = |path: &Path| path != Path::new("-") && !path.as_os_str().is_empty();
        for path in [&mut job.input, &mut job.output].into_iter().chain(&mut job.population) {
            if is_file(path) {
                *path = replaced(path);
            }
        }
        job.method = Registry::Anonymizer.with_paths(&job.method, replaced);
        for spec in &mut job.privacy {
            *spec = Registry::Privacy.with_paths(spec, replaced);
        }
        for path in [
            &mut job.trace,
            &mut job.classes,
            &mut job.hierarchies,
            &mut job.recipe,
            &mut job.report,
            &mut job.report_public,
        ] {
            *path = path.take().map(|path| replaced(&path));
        }
        // `wordnet` is a word for the built-in nouns, not a file.
        for path in job.knowledge.iter_mut().filter(|path| !is_wordnet(path)) {
            *path = replaced(path);
        }
        for path in job.edits.values_mut() {
            *path = replaced(path);
        }
        for spec in job.hierarchy.values_mut() {
            *spec = Registry::Hierarchy.with_paths(spec, replaced);
        }
    }
}

/// Converts an error of the TOML parser, with its line.
fn not_a_job(error: &toml::de::Error, text: &str) -> Error {
    // The parser gives bytes; editors and users count lines.
    let line_of = |at: usize| text[..at].matches('\n').count() as u64 + 1;
    let line = error.span().map(|span| line_of(span.start.min(text.len())));
    Error::syntax(line, format!("this is not a job: {}", error.message()))
}
