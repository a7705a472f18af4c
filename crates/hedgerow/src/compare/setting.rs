//! Settings of the hierarchies of a grid: one setting for all columns.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::lists::joined;
use crate::auto;
use crate::format::Format;
use crate::io::file_names;
use crate::method::Spec;
use crate::registry::Registry;
use crate::study::Basis;
use crate::table::Column;
use crate::{Error, Result};

/// A way to get hierarchies for all columns: `auto`, a method such as `iotf`, a folder of files as
/// `files=trees`, or several as `least-loss+frequency`. Each column gets the first that fits it.
///
/// A column that none fits gets the choice of `auto`, with a note.
///
/// ```
/// use hedgerow::compare::Setting;
/// let setting: Setting = "least-loss+frequency".parse()?;
/// assert_eq!(setting.to_string(), "least-loss+frequency");
/// assert!("itof".parse::<Setting>().is_err());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Setting(Vec<Way>);

#[derive(Debug, Clone, PartialEq)]
enum Way {
    /// The choice of `auto`.
    Auto,
    /// A method with its parameters.
    Method(Spec),
    /// The file of a folder that has the column's name.
    Files(PathBuf),
}

/// The hierarchies of a setting for the columns of a table.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// By column; columns without an entry get the choice of `auto`.
    pub(super) hierarchy: BTreeMap<String, Spec>,
    /// Notes on the columns that did not get a hierarchy of the setting, with the reasons.
    pub(super) notes: Vec<String>,
}

impl Setting {
    /// The setting in which `auto` chooses every hierarchy.
    pub fn auto() -> Self {
        Self(vec![Way::Auto])
    }

    /// Makes relative paths relative to a directory.
    pub(super) fn move_to(&mut self, base: &Path) {
        for way in &mut self.0 {
            match way {
                Way::Auto => {}
                Way::Method(spec) => *spec = Registry::Hierarchy.in_directory(spec, base),
                Way::Files(folder) => *folder = base.join(&*folder),
            }
        }
    }

    /// The files that hierarchies of these columns are read from.
    pub(super) fn files(&self, columns: &[String]) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for way in &self.0 {
            match way {
                Way::Auto => {}
                Way::Method(spec) => files.extend(Registry::Hierarchy.paths(spec)),
                Way::Files(folder) => files.extend(files_of(folder, columns)?.into_values()),
            }
        }
        Ok(files)
    }

    /// Finds the hierarchy of each column that has none in `given`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the setting fits no column.
    pub(super) fn resolve(
        &self,
        basis: &Basis,
        given: &BTreeMap<String, Spec>,
        k: u64,
    ) -> Result<Resolved> {
        let mut resolved = Resolved::default();
        let columns = basis.table().columns();
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        // Columns whose hierarchy the grid names are the same in all settings.
        let is_open = |column: &&Column| !given.contains_key(&column.name);
        let open: Vec<&Column> = columns.iter().filter(is_open).collect();
        let mut unfit = Vec::new();
        for column in &open {
            match self.way(column, &names, basis, k)? {
                Found::Auto => build_candidates(column, basis, k),
                Found::Hierarchy(spec) => {
                    resolved.hierarchy.insert(column.name.clone(), spec);
                }
                Found::Nothing(why) => {
                    build_candidates(column, basis, k);
                    unfit.push((&column.name, why));
                }
            }
        }
        // A setting that fits no column would be `auto` under another name, and win or lose as
        // such.
        if !open.is_empty() && unfit.len() == open.len() {
            let whys: Vec<String> =
                unfit.iter().map(|(name, why)| format!("{name}: {why}")).collect();
            return Err(Error::invalid(format!("{self} fits no column: {}", whys.join("; "))));
        }
        let note = |(name, why)| format!("{name}: auto, because {why}");
        resolved.notes = unfit.into_iter().map(note).collect();
        Ok(resolved)
    }

    /// The first way that fits a column.
    fn way(&self, column: &Column, names: &[String], basis: &Basis, k: u64) -> Result<Found> {
        let mut why = Vec::new();
        for way in &self.0 {
            match way {
                Way::Auto => return Ok(Found::Auto),
                // Built to see whether it fits; the shelf keeps it for the cell that uses it.
                Way::Method(spec) => match basis.shelf().build(spec, column, k) {
                    Ok(_) => return Ok(Found::Hierarchy(spec.clone())),
                    Err(error) => why.push(reason(spec, &error)),
                },
                Way::Files(folder) => match files_of(folder, names)?.remove(&column.name) {
                    Some(path) => {
                        let mut file = Spec::named("file");
                        let path = path.to_string_lossy().into_owned();
                        file.parameters.insert("path".into(), path.into());
                        return Ok(Found::Hierarchy(file));
                    }
                    // Not an error: the next way of the setting may have a hierarchy for the
                    // column.
                    None => why.push(format!("{} has no file for it", folder.display())),
                },
            }
        }
        Ok(Found::Nothing(why.join(", and ")))
    }
}

/// Builds the candidates of `auto` for a column, so that the time of no cell includes shared work.
fn build_candidates(column: &Column, basis: &Basis, k: u64) {
    for spec in auto::suited(column, basis.shelf()).methods {
        // A candidate that cannot be built is not tried either.
        let _ = basis.shelf().build(&spec, column, k);
    }
}

/// The hierarchy of a column.
enum Found {
    Auto,
    Hierarchy(Spec),
    /// Nothing fits, for this reason.
    Nothing(String),
}

/// The reason that a method cannot build a hierarchy, in a few words.
fn reason(spec: &Spec, error: &Error) -> String {
    match error {
        // The column is named by the note already.
        Error::Column { problem, .. } => format!("{spec}: {problem}"),
        other => format!("{spec}: {}", other.problem()),
    }
}

/// The hierarchy files of a folder by column: those with the column's name, or else those whose
/// name ends in it after an underscore or a hyphen, as in `adult_hierarchy_age.csv`.
fn files_of(folder: &Path, columns: &[String]) -> Result<BTreeMap<String, PathBuf>> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let mut paths: Vec<PathBuf> = entries
        .map_err(Error::io("read", folder))?
        .into_iter()
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && Format::of_path(path).is_ok())
        .collect();
    // Names decide between two files of one column, the same in every run.
    paths.sort();
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    // A hierarchy that hedgerow saved has the column's name as far as a file name can have it.
    let plain = file_names(&names, "");
    let found = columns.iter().zip(&plain).filter_map(|(column, plain)| {
        let plain = plain.trim_end_matches('.').to_lowercase();
        Some((column.clone(), file_of(&paths, &column.to_lowercase(), &plain)?.clone()))
    });
    Ok(found.collect())
}

/// The file of a column, given its name and how file names write it, both in lower case.
fn file_of<'a>(paths: &'a [PathBuf], name: &str, plain: &str) -> Option<&'a PathBuf> {
    let stem = |path: &PathBuf| {
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().to_lowercase())
    };
    let is_named = |path: &&PathBuf| [plain, name].contains(&stem(path).as_str());
    // Without the separator, the file of `wage` would be one of `age`.
    let ends = |path: &&PathBuf| {
        let stem = stem(path);
        let before = stem.strip_suffix(name).and_then(|before| before.chars().next_back());
        matches!(before, Some('_' | '-'))
    };
    paths.iter().find(is_named).or_else(|| paths.iter().find(ends))
}

impl FromStr for Setting {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        // `files=a+b` is one folder whose name has a plus sign, because `b` is not a method.
        let is_name =
            |name: &str| name.starts_with("files=") || Registry::Hierarchy.describe(name).is_ok();
        let ways = joined(text, is_name);
        ways.iter().map(|way| way.parse()).collect::<Result<_>>().map(Self)
    }
}

impl FromStr for Way {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Some(folder) = text.strip_prefix("files=") {
            return Ok(Self::Files(PathBuf::from(folder)));
        }
        let spec: Spec = text.parse()?;
        Registry::Hierarchy.describe(&spec.name)?.check(&spec)?;
        Ok(if spec.name == "auto" { Self::Auto } else { Self::Method(spec) })
    }
}

impl TryFrom<String> for Setting {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, way) in self.0.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { "+" })?;
            match way {
                Way::Auto => f.write_str("auto")?,
                Way::Method(spec) => write!(f, "{spec}")?,
                Way::Files(folder) => write!(f, "files={}", folder.display())?,
            }
        }
        Ok(())
    }
}

impl From<Setting> for String {
    fn from(setting: Setting) -> Self {
        setting.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::table::Table;

    fn basis() -> Basis {
        let rows = [["31", "cook"], ["32", "smith"], ["40", "nurse"], ["41", "cook"]];
        Basis::new(Table::from_rows(&["age", "job"], &rows).unwrap(), None, &Silent).unwrap()
    }

    fn resolved(setting: &str) -> Result<Resolved> {
        setting.parse::<Setting>().unwrap().resolve(&basis(), &BTreeMap::new(), 2)
    }

    #[test]
    fn each_column_gets_the_first_way_that_fits() {
        let found = resolved("least-loss+frequency").unwrap();
        let specs: Vec<String> = found.hierarchy.values().map(Spec::to_string).collect();
        assert_eq!(specs, ["least-loss", "frequency"]);
        assert!(found.notes.is_empty());
        let found = resolved("iotf").unwrap();
        assert_eq!(found.hierarchy.keys().collect::<Vec<_>>(), ["age"]);
        assert!(found.notes[0].starts_with("job: auto, because iotf"), "{:?}", found.notes);
    }

    #[test]
    fn a_setting_that_fits_no_column_is_an_error() {
        let error = resolved("calendar").unwrap_err().to_string();
        assert!(error.starts_with("calendar fits no column: age: calendar"), "{error}");
        assert!(resolved("calendar+auto").is_ok());
    }

    #[test]
    fn files_are_found_by_the_names_of_columns() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["adult_hierarchy_age.csv", "Job.json", "other.csv", "notes.md"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let columns = ["age", "job", "sex"].map(str::to_owned);
        let found = files_of(folder.path(), &columns).unwrap();
        let name = |column: &str| found[column].file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!([name("age"), name("job")], ["adult_hierarchy_age.csv", "Job.json"]);
        assert!(!found.contains_key("sex"));
    }
}
