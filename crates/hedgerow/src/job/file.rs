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
        let job = self;
        // `-` is standard input.
        if job.input != Path::new("-") {
            job.input = base.join(&job.input);
        }
        // An empty path means that the output is not named yet; joined, it would be the folder.
        if !job.output.as_os_str().is_empty() {
            job.output = base.join(&job.output);
        }
        let is_file = |path: &PathBuf| path != Path::new("-");
        let population = job.population.take();
        job.population = population.map(|path| if is_file(&path) { base.join(path) } else { path });
        job.method = Registry::Anonymizer.in_directory(&job.method, base);
        for spec in &mut job.privacy {
            *spec = Registry::Privacy.in_directory(spec, base);
        }
        for path in [
            &mut job.trace,
            &mut job.classes,
            &mut job.hierarchies,
            &mut job.recipe,
            &mut job.report,
            &mut job.report_public,
        ] {
            *path = path.take().map(|path| base.join(path));
        }
        // `wordnet` is a word for the built-in nouns, not a file.
        for path in job.knowledge.iter_mut().filter(|path| !is_wordnet(path)) {
            *path = base.join(&path);
        }
        for path in job.edits.values_mut() {
            *path = base.join(&path);
        }
        for spec in job.hierarchy.values_mut() {
            *spec = Registry::Hierarchy.in_directory(spec, base);
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
