//! Saves the hierarchies of a study in a folder, for `measure` and for later runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::Advice;
use crate::format::{self, Format};
use crate::hierarchy::Hierarchy;
use crate::io::{Inputs, OutputFolder, file_names, has_only};
use crate::progress::Progress;
use crate::study::Study;
use crate::{Error, Result};

/// A folder for the hierarchies of several columns.
#[derive(Debug, Clone)]
pub(crate) struct HierarchyFolder {
    path: PathBuf,
    force: bool,
    /// The column and the name of each file.
    files: Vec<(String, String)>,
}

impl HierarchyFolder {
    /// Checks the folder. It must not exist, be empty, or, with `force`, contain only hierarchies
    /// of these columns. No file of `inputs` is replaced.
    pub(crate) fn create(
        path: &Path,
        columns: &[String],
        force: bool,
        inputs: &Inputs,
    ) -> Result<Self> {
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let files = columns.iter().cloned().zip(file_names(&names, "json")).collect();
        let folder = Self { path: path.to_owned(), force, files };
        // Only a check: the folder itself is created when the hierarchies are saved.
        OutputFolder::create(path, force, &|path| folder.is_written_anew(path))?;
        folder.files.iter().try_for_each(|(_, name)| inputs.check(&path.join(name)))?;
        Ok(folder)
    }

    /// Writes every tree of the study as JSON, which keeps everything. The folder appears complete
    /// or not at all. Columns without a tree (`free`, levels that do not nest) have no file.
    pub(crate) fn save(&self, study: &Study, progress: &dyn Progress) -> Result<()> {
        let may_go = |path: &Path| self.is_written_anew(path);
        let mut folder = OutputFolder::create(&self.path, self.force, &may_go)?;
        let trees = study.choices().iter().filter_map(|choice| choice.generalization.hierarchy());
        for tree in trees {
            let file = self.files.iter().find(|(column, _)| column == tree.attribute());
            let (_, name) = file.ok_or_else(|| {
                Error::Internal(format!("no file is named for column '{}'", tree.attribute()))
            })?;
            folder.write(name, json(tree)?);
        }
        folder.finish(progress)
    }

    fn is_written_anew(&self, folder: &Path) -> bool {
        let names: Vec<&str> = self.files.iter().map(|(_, name)| name.as_str()).collect();
        has_only(folder, &names)
    }
}

/// Returns the hierarchy files of these columns in a folder that `HierarchyFolder::save` wrote.
pub fn saved_hierarchies(folder: &Path, columns: &[String]) -> Result<BTreeMap<String, PathBuf>> {
    let fault = Error::io("read", folder);
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in entries.map_err(fault)?.into_iter().map(|entry| entry.path()) {
        if path.is_dir() || path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        // The file states its column; its name has lost characters that paths cannot have.
        let column = format::read_file(&path, None, None)?.attribute().to_owned();
        if !columns.contains(&column) {
            continue;
        }
        if let Some(other) = files.insert(column.clone(), path) {
            let problem =
                format!("another file of the folder also holds the hierarchy of '{column}'");
            return Err(Error::file(&other, problem).advise([Advice::words("keep one of them")]));
        }
    }
    if files.is_empty() {
        let problem = "the folder has no hierarchy of a quasi-identifier";
        return Err(Error::file(folder, problem));
    }
    Ok(files)
}

fn json(tree: &Hierarchy) -> Result<Vec<u8>> {
    Ok(Format::named("json")?.encode(tree, false)?.bytes)
}
