//! The files that a call reads and must not overwrite.

use std::path::{Path, PathBuf};

use super::temporary::folder_of;
use crate::error::Advice;
use crate::method::Spec;
use crate::registry::Registry;
use crate::{Error, Result};

/// All files that a call reads.
///
/// No output of the call can be one of them, even if it may replace files: a mistake in a command
/// must not destroy the data it works on.
#[derive(Debug, Clone, Default)]
pub struct Inputs(Vec<PathBuf>);

impl Inputs {
    /// Lists files that a call reads. A folder includes all files in it.
    pub fn of<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) -> Self {
        Self::default().and(files)
    }

    /// Adds more files.
    #[must_use]
    pub fn and<P: AsRef<Path>>(mut self, files: impl IntoIterator<Item = P>) -> Self {
        self.0.extend(files.into_iter().map(|file| file.as_ref().to_owned()));
        self
    }

    /// Adds the files named by parameters of methods of a role.
    #[must_use]
    pub fn and_of<'a>(self, role: Registry, methods: impl IntoIterator<Item = &'a Spec>) -> Self {
        self.and(methods.into_iter().flat_map(|method| role.paths(method)))
    }

    /// Returns an error if an output is one of these files.
    pub fn check(&self, output: &Path) -> Result<()> {
        let Some(output_place) = place(output) else {
            return Ok(()); // its folder does not exist, so it cannot be an input
        };
        let is_read = |input: &PathBuf| {
            let Some(input) = place(input) else { return false };
            // An input that is a folder includes the files directly in it.
            let is_inside = output_place.parent() == Some(&input) && output_place.is_file();
            input == output_place || is_inside
        };
        if self.0.iter().any(is_read) {
            return Err(Error::file(output, "this file is an input")
                .advise([Advice::words("name another file for the output")]));
        }
        Ok(())
    }
}

/// Resolves a path, even if the file does not exist yet.
fn place(path: &Path) -> Option<PathBuf> {
    let folder = folder_of(path).canonicalize().ok()?;
    // Canonical paths find an input behind links, `..` and relative paths.
    path.canonicalize().ok().or_else(|| Some(folder.join(path.file_name()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_no_input_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("words")).unwrap();
        for name in ["t.csv", "order.txt", "tree.json", "words/data.noun"] {
            std::fs::write(at(name), "").unwrap();
        }
        let ordered = format!("ordered:order-file={}", at("order.txt").display());
        let specs: [Spec; 2] =
            [ordered.parse().unwrap(), at("tree.json").to_str().unwrap().parse().unwrap()];
        let inputs = Inputs::of([at("t.csv"), at("words")]).and_of(Registry::Hierarchy, &specs);
        for name in ["t.csv", "words/../t.csv", "order.txt", "tree.json", "words/data.noun"] {
            assert!(inputs.check(&at(name)).is_err(), "{name}");
        }
        for name in ["new.csv", "words/new.csv", "nowhere/t.csv"] {
            assert!(inputs.check(&at(name)).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_method_without_files_reads_none() {
        let method: Spec = "iotf:fan-out=3".parse().unwrap();
        assert!(
            Inputs::default()
                .and_of(Registry::Hierarchy, [&method])
                .check(Path::new("iotf"))
                .is_ok()
        );
    }
}
